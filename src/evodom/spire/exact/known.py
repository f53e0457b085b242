"""What of the rows the exact solver knows: the cards, enemies and relics whose every effect has an act."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

from evodom.errors import UsageError
from evodom.spire.exact.acts import Act, acts_of, knows
from evodom.spire.exact.statuses import KNOWN
from evodom.spire.rows import cards, enemies, relics
from evodom.spire.rows.cards import Card
from evodom.spire.rows.effects import OP_CHOOSE, OP_CREATE, OP_HEAL, Effect
from evodom.spire.rows.enemies import MAX_ASCENSION, STUNNED, EnemyRow, enemy_row
from evodom.spire.rows.relics import AT_START, AT_TURN, Relic

if TYPE_CHECKING:
    from evodom.spire.exact.fight import FightSetup
    from evodom.spire.fights import Fight

_CARD_FIELDS = frozenset(
    (
        "name", "cost", "kind", "effects", "rarity", "exhausts", "ethereal", "needs_attacks", "last_damage",
    )
)  # fmt: skip
"""What of a card the solver plays; anything else that a card has makes it unknown."""

_RELIC_CHANGES = frozenset(("energy", "last_block", "last_heal"))


def _knows_card(card: Card) -> bool:
    plain = all(getattr(card, one.name) == one.default for one in fields(card) if one.name not in _CARD_FIELDS)
    grows = len(list(cards.variants(card))) > 1
    return plain and not grows and card.cost != cards.X and all(map(knows, card.effects))


CARDS = {name: card for name, card in cards.CARDS.items() if _knows_card(card)}
"""The cards that the solver knows."""

CARD_ACTS = {name: acts_of(card.effects) for name, card in CARDS.items()}
"""What playing each of them does."""

PICKING = frozenset(name for name, card in CARDS.items() if any(effect.op == OP_CHOOSE for effect in card.effects))
"""The cards that are played by choosing a card of the hand to exhaust."""


def _knows_row(row: EnemyRow) -> bool:
    effects = [effect for line in row.moves.values() for effect in line]
    return (
        {*row.statuses, *row.rolled} <= KNOWN
        and row.interrupted in ("", STUNNED)
        and not row.alone
        and all(map(knows, effects))
        and all(effect.name in CARDS for effect in effects if effect.op == OP_CREATE)
    )


ENEMIES = tuple(name for name in enemies.ENEMIES if all(_knows_row(enemy_row(name, at)) for at in (0, MAX_ASCENSION)))
"""The names of the enemies that the solver knows."""


@cache
def moves_of(name: str, ascension: int) -> Mapping[str, tuple[Act, ...]]:
    """Return what each move of an enemy does."""
    return {move: acts_of(effects) for move, effects in enemy_row(name, ascension).moves.items()}


@dataclass(frozen=True)
class KnownRelic:
    """What a relic does: `acts` at the start of the fight or (`turns`) of turn `turn`, of every turn if that is 0."""

    acts: tuple[Act, ...]
    turns: bool
    turn: int
    heal_first: int
    """HP that it heals before the first turn."""
    changes: Mapping[str, int]


def _heals_first(effect: Effect) -> bool:
    return effect.op == OP_HEAL and not effect.more


def _known_relics() -> Iterator[tuple[str, KnownRelic]]:
    """Give the relics with what they do, those apart that count, act at other times or change other rules."""
    for name, relic in relics.RELICS.items():
        healing = [effect for effect in relic.effects if relic.when == AT_START and _heals_first(effect)]
        acting = [effect for effect in relic.effects if effect not in healing]
        plain = Relic(relic.text, relic.when, relic.effects, relic.turn, changes=relic.changes, lifts=relic.lifts)
        if (
            relic == plain
            and relic.when in (None, AT_START, AT_TURN)
            and (relic.effects or relic.changes)
            and set(relic.changes) <= _RELIC_CHANGES
            and all(map(knows, acting))
        ):
            healed = sum(effect.n for effect in healing)
            yield name, KnownRelic(acts_of(acting), relic.when == AT_TURN, relic.turn, healed, relic.changes)


RELICS = dict(_known_relics())
"""The relics that the solver knows."""


def check_known(what: str, names: Iterable[str], known: Iterable[str], rows: Iterable[str]) -> None:
    """Raise UsageError, in one line, for a name that the solver does not know, or that nothing in the rows has."""
    for name in names:
        if name not in known:
            raise unknown(name) if name in rows else UsageError(f"no {what} named {name!r}. Known: {', '.join(known)}")


class UnknownToSolver(UsageError):
    """A fight has what the rows know and this solver does not."""


def unknown(what: str) -> UnknownToSolver:
    """Return the error that says what the solver does not know, and what does."""
    return UnknownToSolver(f"the exact solver does not know {what}; evodom spire search does")


def setup_of(fight: Fight) -> FightSetup:
    """Return a fight of a file as one to solve; UsageError if it has what the solver does not know."""
    from evodom.spire.exact.fight import FightSetup

    setup = fight.setup
    for given, what in (
        (fight.state, "a fight that has begun ([state])"),
        (fight.payoff.kind != "hp", f'the payoff "{fight.payoff.kind}"'),
        (len(setup.enemies) > 1, "a fight against one of several groups of enemies"),
        (setup.potions, "potions"),
        (setup.counters, "relics that count"),
        (setup.burning, "burning elites"),
    ):
        if given:
            raise unknown(what)
    ((group, _),) = setup.enemies
    return FightSetup(
        enemies=group,
        ascension=setup.ascension,
        deck=setup.deck,
        hp=setup.hp,
        max_hp=setup.max_hp,
        relics=setup.relics,
        enemy_hp=setup.enemy_hp,
        max_turns=setup.max_turns,
    )
