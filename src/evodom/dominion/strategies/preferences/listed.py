"""Preferences as the rules of a buy list, where they are near enough to a strict order."""

from evodom.dominion.cards import PROVINCE, TERMINAL, TERMINAL_DRAW, Card
from evodom.dominion.engine.effects import Type
from evodom.dominion.engine.ops import Op
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.columns import ALWAYS, EARLY, LATE, SWITCH_GAINS, SWITCH_PROVINCES
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.preferences.words import preferred_piles


def as_rules(strategy: Strategy, kingdom: Kingdom) -> tuple[str, ...] | None:
    """Return a rule for each card of both phases, the most preferred first; None for classic preferences.

    Those draw from flat weights, whether or not they can pay: no order comes near to them.
    """
    if not strategy.graded:
        return None
    early, late = (_rules(strategy, phase, kingdom) for phase in (EARLY, LATE))
    if early == late:
        return tuple(_text(card, conditions) for card, conditions in early)
    until, then = _phase_conditions(strategy)
    phases = [(until, early), (then, late)]
    return tuple(_text(card, [when, *conditions]) for when, rules in phases for card, conditions in rules)


def _rules(strategy: Strategy, phase: int, kingdom: Kingdom) -> list[tuple[str, list[str]]]:
    piles = preferred_piles(strategy, phase, kingdom)
    return [(kingdom.names[pile], _conditions(strategy, pile, kingdom)) for pile in piles]


def _text(card: str, conditions: list[str]) -> str:
    return f"{card} if {' and '.join(conditions)}" if conditions else card


def _conditions(strategy: Strategy, pile: int, kingdom: Kingdom) -> list[str]:
    """Return the conditions under which a pile is wanted, as a strategy file says them."""
    name, limit, left = kingdom.names[pile], int(strategy.limits[pile]), int(strategy.from_left[pile])
    conditions = [f"count_in_deck({name}) < {limit}"] if limit < ALWAYS else []
    conditions += [f"gains_to_end <= {left}"] if left < ALWAYS else []
    if pile == PROVINCE and strategy.province_coins > 0:
        conditions.append(f"total_money > {strategy.province_coins}")
    if strategy.terminals < ALWAYS and _is_terminal(kingdom.piles[pile]):
        conditions.append(_room_for_terminals(strategy, kingdom))
    return conditions


def _is_terminal(card: Card) -> bool:
    return Type.ACTION in card.types and card.action_class in (TERMINAL, TERMINAL_DRAW)


def _room_for_terminals(strategy: Strategy, kingdom: Kingdom) -> str:
    """Return that fewer terminal Actions are owned than can be played, the Actions of cards like Village counted."""
    preferred = sorted({pile for phase in (EARLY, LATE) for pile in preferred_piles(strategy, phase, kingdom)})
    cards = [kingdom.piles[pile] for pile in preferred]
    taken = [f"count_in_deck({card.name})" for card in cards if _is_terminal(card)]
    room = []
    for card in cards:
        spare = sum(effect.n for effect in card.effects if effect.op == Op.ACTIONS) - 1
        room += [f"{spare} * count_in_deck({card.name})"] if spare > 0 else []
    if not strategy.terminal_per:
        return f"{' + '.join(taken)} < {' + '.join([str(int(strategy.terminals)), *room])}"
    # Parts of a card do not count: one more than is owned has to fit, which is not the same as `<`.
    room += [f"cards_in_deck / {int(strategy.terminal_per)}"]
    return f"{' + '.join(taken)} + 1 <= {' + '.join([str(int(strategy.terminals)), *room])}"


def _phase_conditions(strategy: Strategy) -> tuple[str, str]:
    """Return when the early preference holds, and when the late one does."""
    left = int(strategy.switch_left)
    if strategy.switch_on == SWITCH_PROVINCES:
        return f"count_in_supply(Province) > {left}", f"count_in_supply(Province) <= {left}"
    if strategy.switch_on == SWITCH_GAINS:
        return f"gains_to_end > {left}", f"gains_to_end <= {left}"
    return f"turn_number <= {int(strategy.switch)}", f"turn_number > {int(strategy.switch)}"
