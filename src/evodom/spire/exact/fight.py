"""A fight as a game that can be solved: its states, the plans for a turn, and what they may lead to.

There are three kinds of state: `PlayerTurn`, with a hand to play from; `NewTurn`, whose hand is about to be drawn
(there is nothing to decide, but many turns lead to the same one); and `Over`. An action is a `Plan` (see `plans`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from evodom.distribution import Distribution, certain
from evodom.errors import UsageError
from evodom.spire.exact.board import Combat
from evodom.spire.exact.known import CARDS, ENEMIES, RELICS, check_known
from evodom.spire.exact.piles import CardKinds, Pile
from evodom.spire.exact.plans import MODES, TURN_BY_TURN, Plan, Planner
from evodom.spire.exact.turn import FightOpening, FightRules
from evodom.spire.rows import cards, enemies, relics
from evodom.spire.rows.cards import HAND_LIMIT, HAND_SIZE, ironclad
from evodom.spire.rows.effects import OP_CREATE
from evodom.spire.rows.enemies import MAX_ASCENSION, enemy_row

if TYPE_CHECKING:
    from numpy.random import Generator as Rng


class PlayerTurn(NamedTuple):
    """The player's turn: play something from the hand, or end the turn."""

    hp: int
    combat: Combat
    hand: Pile
    draw: Pile
    discard: Pile


class NewTurn(NamedTuple):
    """The start of a turn, before the hand is drawn."""

    hp: int
    combat: Combat
    draw: Pile
    discard: Pile


class Over(NamedTuple):
    """The end of a fight: `hp` is 0 if it was lost; if it was not won in time (`late`), the HP that were left then."""

    hp: int
    late: bool = False


FightState = PlayerTurn | NewTurn | Over

_new: Any = tuple.__new__
"""Makes a state from a tuple of its fields in half the time of a call of its class; solving mostly makes states."""

DRAW_HAND = Plan()
"""The one action at the start of a turn."""


@dataclass(frozen=True, kw_only=True)
class FightSetup:
    """Who fights against whom, and with what.

    `enemy_hp` gives the HP of the enemies, left to right, where it is known; otherwise every value of its range has the
    same chance, and the player sees it when the fight starts. The player's HP, if not given, are those of the
    ascension. A fight that is not won after `max_turns` turns is lost; without it a fight may go on for ever.
    """

    enemies: tuple[str, ...] = ("Cultist",)
    ascension: int = MAX_ASCENSION
    deck: Mapping[str, int] | None = None
    hp: int | None = None
    max_hp: int | None = None
    relics: tuple[str, ...] = ()
    enemy_hp: tuple[int | None, ...] = ()
    max_turns: int | None = None


class Fight:
    """A fight that can be solved (`Solvable`); `card_fight.CardFight` is the form with numbered actions.

    `mode` is `TURN_BY_TURN` or `CARD_BY_CARD`. With `spend_all`, plans that leave energy unspent are ignored where
    there are others: the heuristic of the published Cultist table, which saves states and does not change its values.
    """

    n_players = 1

    def __init__(self, setup: FightSetup, *, mode: str = TURN_BY_TURN, spend_all: bool = False) -> None:
        hp, max_hp, deck = ironclad(setup.ascension)
        self.setup = setup
        self.deck = Counter(deck if setup.deck is None else setup.deck)
        self.max_hp = max_hp if setup.max_hp is None else setup.max_hp
        self.hp = min(hp, self.max_hp) if setup.hp is None else setup.hp
        self.mode = mode
        self.spend_all = spend_all
        _check(self, mode)
        self.rules = FightRules(setup.ascension, setup.relics, setup.max_turns)
        self.kinds = CardKinds(_kinds(self.deck, setup))
        self._planner = Planner(self.rules, self.kinds, mode, spend_all=spend_all)

    def player(self, state: FightState) -> int:
        """Return 0, the only player."""
        return 0

    def starts(self) -> Distribution[FightState]:
        """Return the distribution of first states: enemies are rolled and the first hand is drawn."""
        return self.rules.opening(self.setup.enemies, self._known_hp).bind(self._opened)

    def start(self, rng: Rng) -> FightState:
        """Return a first state drawn from `rng`; of several enemies there are too many to list them all each time."""
        return self._opened(self.rules.sample_opening(self.setup.enemies, self._known_hp, rng)).sample(rng)

    def actions(self, state: FightState) -> Sequence[Plan]:
        """Return the plans for a hand, or drawing the hand at the start of a turn; none if the fight is over."""
        if isinstance(state, PlayerTurn):
            return self._planner.plans(state.combat, state.hand)
        return () if isinstance(state, Over) else (DRAW_HAND,)

    def outcomes(self, state: FightState, action: Plan) -> Distribution[FightState]:
        """Return the states that a plan, or drawing the hand, may lead to."""
        if isinstance(state, NewTurn):
            return self._draw(state.hp, state.combat, state.draw, state.discard, HAND_SIZE)
        assert isinstance(state, PlayerTurn)
        hp = state.hp - action.lost
        if action.won and hp > 0:
            return certain(self._won(hp))
        if hp <= 0:
            return certain(Over(0))
        if not action.after:
            return certain(self._won(hp)._replace(late=True))
        draw, discard = state.draw, state.discard + action.to_discard
        if action.ends:
            if len(action.after) == 1:
                return certain(_new(NewTurn, (hp, action.after[0][0], draw, discard)))
            return Distribution([(_new(NewTurn, (hp, c, draw, discard)), w) for c, w in action.after], action.total)
        combat = action.after[0][0]
        if action.exhausting:
            gone = self.kinds.draw(action.hand, 0, min(action.exhausting, self.kinds.size(action.hand)))
            return gone.map(lambda piles: PlayerTurn(hp, combat, piles[1], draw, discard + action.limbo))
        n_cards = min(action.drawing, HAND_LIMIT - self.kinds.size(action.hand))
        return self._draw(hp, combat, draw, discard, n_cards, action.hand, action.limbo)

    def returns(self, state: FightState) -> tuple[int]:
        """Return the HP that are left, 0 if the fight was lost or not won in time."""
        return (0 if isinstance(state, Over) and state.late else state.hp,)

    def bounds(self, state: FightState) -> tuple[int, int]:
        """Return the fewest and the most HP that can be left: none, and those of now plus what relics can heal."""
        if isinstance(state, Over):
            (hp,) = self.returns(state)
            return hp, hp
        return 0, min(self.max_hp, state.hp + self.rules.heal)

    @property
    def _known_hp(self) -> tuple[int | None, ...]:
        return self.setup.enemy_hp or (None,) * len(self.setup.enemies)

    def _opened(self, opening: FightOpening) -> Distribution[FightState]:
        """Return the states after the first hand is drawn; a relic may have won the fight before."""
        hp = min(self.max_hp, self.hp + self.rules.heal_first)
        if opening.combat is None:
            return certain(self._won(hp))
        return self._draw(hp, opening.combat, self.kinds.pack(self.deck), 0, opening.drawing)

    def _draw(
        self, hp: int, combat: Combat, draw: Pile, discard: Pile, n_cards: int, hand: Pile = 0, limbo: Pile = 0
    ) -> Distribution[FightState]:
        """Draw cards into a hand; a card that is still being played (`limbo`) is discarded after that."""
        drawn = self.kinds.draw(draw, discard, n_cards)
        return Distribution(
            [
                (_new(PlayerTurn, (hp, combat, hand + cards, left, gone + limbo)), weight)
                for (cards, left, gone), weight in drawn.pairs
            ],
            drawn.total,
        )

    def _won(self, hp: int) -> Over:
        return Over(min(self.max_hp, hp + self.rules.heal))


class UpperBoundFight:
    """The same fight, except that one that is not won in time counts as won with the HP that are left.

    Its value is an upper bound for the fight without a limit of turns: no HP come back before the end of a fight, so no
    fight can be worth more than the HP of the moment. `Fight` with the limit, where such a fight is lost, is the lower
    bound.
    """

    n_players = 1

    def __init__(self, fight: Fight) -> None:
        self.starts = fight.starts
        self.player = fight.player
        self.actions = fight.actions
        self.outcomes = fight.outcomes

    def returns(self, state: FightState) -> tuple[int]:
        """Return the HP that are left, 0 if the fight was lost."""
        return (state.hp,)


def _kinds(deck: Mapping[str, int], setup: FightSetup) -> list[str]:
    """Return the names of all cards that can come into the fight: those of the deck, and those that are created."""
    names = [name for name in CARDS if deck.get(name)]
    lines = [effects for name in setup.enemies for effects in enemy_row(name, setup.ascension).moves.values()]
    lines += [CARDS[name].effects for name in names]
    created = [effect.name for effects in lines for effect in effects if effect.op == OP_CREATE]
    return list(dict.fromkeys(names + created))


def _check(fight: Fight, mode: str) -> None:
    """Raise `UsageError` for a fight that cannot be fought."""
    setup = fight.setup
    if mode not in MODES:
        raise UsageError(f"a fight is played {' or '.join(MODES)}, got {mode!r}")
    if not 0 <= setup.ascension <= MAX_ASCENSION:
        raise UsageError(f"ascension {setup.ascension} does not exist; allowed: 0 to {MAX_ASCENSION}")
    if not setup.enemies:
        raise UsageError(f"a fight needs enemies. Known: {', '.join(ENEMIES)}")
    check_known("enemy", setup.enemies, ENEMIES, enemies.ENEMIES)
    check_known("card", fight.deck, CARDS, cards.CARDS)
    check_known("relic", setup.relics, RELICS, relics.RELICS)
    if fight.deck.total() < 1 or min(fight.deck.values()) < 0:
        raise UsageError("a deck needs at least one card")
    if not 1 <= fight.hp <= fight.max_hp:
        raise UsageError(f"{fight.hp} HP of at most {fight.max_hp}; allowed: 1 to the maximum")
    if setup.max_turns is not None and setup.max_turns < 1:
        raise UsageError(f"a fight of {setup.max_turns} turns cannot be won; allowed: 1 or more")
    if setup.enemy_hp and len(setup.enemy_hp) != len(setup.enemies):
        raise UsageError(f"HP for {len(setup.enemy_hp)} enemies given, and there are {len(setup.enemies)}")
    if wrong := [hp for hp in setup.enemy_hp if hp is not None and not 1 <= hp <= 999]:
        raise UsageError(f"an enemy cannot have {wrong[0]} HP; allowed: 1 to 999")
