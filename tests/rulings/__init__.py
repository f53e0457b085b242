"""Rulings of Dominion as data: a position, steps and the expected result. Open it to write or run such cases.

    python -m tests.rulings FILE

The command prints a line for each case that fails. It exits with 0 if all cases hold, 1 if a case fails, and 2 if the
file is malformed. A file is JSON: ``{"scenarios": [...], "setup_scenarios": [...]}``, a list of cases, or one case.
`run` runs a case, `read_cases` reads a file. ``cases/`` has the cases of all cards.

**A case** has an ``id``, ``setup``, ``steps`` and ``expect``. Cards go by name, players by seat from 0.

``setup``
    ``players``: for each seat ``hand``, ``deck`` (top card first), ``discard``, ``in_play``, ``mats`` (cards on Island
    and Native Village), ``vp_tokens`` and ``turns`` (taken, including the current turn; default 1). ``kingdom``: the
    kingdom piles. ``supply``: piles that are not full. ``platinum_colony``: true with Platinum and Colony.
    ``current``: the active player (default 0). ``turn``: ``actions``, ``buys``, ``coins`` (1, 1, 0) and ``phase``
    (action, treasure or buy). ``trash``. Cards without a pile may be used; they do not count as empty piles. A case
    has up to 31 kingdom cards.
``steps``
    ``op`` is ``play`` (with ``card``), ``play_treasures`` (``cards`` in this order; none named: all), ``buy``
    (``card``) or ``end_turn``: only this step runs the clean-up, and the start of the next turn up to its first Action.
    ``decisions`` of any player answer the questions of the step. A step with ``"illegal": true`` must be refused,
    itself or one of its answers; the game does not change.
``expect``
    ``actions``, ``buys``, ``coins``, ``current``, ``phase``, ``game_over``, ``scores``, ``winners``, ``trash``,
    ``supply`` and ``costs`` (of the piles listed), and for each of ``players`` ``hand``, ``deck``, ``discard``,
    ``in_play``, ``set_aside``, ``mats``, ``vp_tokens``, ``hand_size``, ``deck_size``, ``discard_size``, ``turns``. Only
    listed entries are compared. Known cards of a deck are compared at their places, shuffled cards in any order.

**A decision** is ``player`` (the seat asked), ``kind`` and the choice: ``card``, ``cards`` or ``answer``. ``true``
takes the only card on offer; ``null``, ``false`` and ``[]`` decline. Options go by name: one, or a list. A ``position``
in a deck is the number of cards above. ``order_effects`` lists Durations in the order of their effects at the start of
a turn; the default is the order of their plays. The first unused decision with the player and kind of a question
answers it. If one Reaction is revealed and another declined, the declining decision may answer the same question or the
next. If more cards must be chosen, the next such decision continues. A question without a decision is declined if
optional, and a forced choice is made automatically. Otherwise the step is illegal. Too few cards, and unused cards or
an unused "yes", also make it illegal, unless the decision has ``"if_asked": true``. docs/reference/cards.md lists the
kinds.

**A setup case** has ``players`` (how many), ``kingdom_includes``, and the ``supply_after_dealing`` and ``each_player``
(``cards`` owned, ``hand_size``, ``deck_size``, ``discard_size``) to be found before the first turn.
"""

from tests.rulings.case import read_case, read_cases
from tests.rulings.runner import run

__all__ = ["read_case", "read_cases", "run"]
