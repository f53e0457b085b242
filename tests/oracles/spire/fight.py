"""A fight as an explicit game of one player. An action is a card, the end of the turn, or the draw of a hand.

A state is a `PlayerTurn` with a hand, a `NewTurn` before its hand is drawn, or `Over`. A pile is a multiset: pairs
(name, number) in alphabetical order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from evodom.distribution import Distribution, certain, draw_counts
from evodom.games import ListedGame
from evodom.spire.content.cards import ATTACK, HAND_LIMIT, HAND_SIZE, POWER, ironclad
from evodom.spire.content.effects import HAND, OP_CREATE
from evodom.spire.content.enemies import MAX_ASCENSION, enemy_row
from tests.oracles.spire.board import Combat
from tests.oracles.spire.turn import CARDS, PICKING, POTIONS, FightOpening, TurnRules

if TYPE_CHECKING:
    from numpy.random import Generator as Rng

Pile = tuple[tuple[str, int], ...]


class PlayerTurn(NamedTuple):
    """The player's turn."""

    hp: int
    combat: Combat
    hand: Pile
    draw: Pile
    discard: Pile
    potions: tuple[str, ...] = ()


class NewTurn(NamedTuple):
    """The start of a turn, before the hand is drawn."""

    hp: int
    combat: Combat
    draw: Pile
    discard: Pile
    potions: tuple[str, ...] = ()


class Over(NamedTuple):
    """The end of a fight. `hp` is 0 if it was lost; if it was not won in time (`late`), the HP at that time."""

    hp: int
    late: bool = False


State = PlayerTurn | NewTurn | Over


class Play(NamedTuple):
    """A card that is played, or a potion that is used.

    `target` is the index of the enemy from left to right, `exhausted` the card of the hand that is exhausted.
    """

    card: str
    target: int = 0
    exhausted: str = ""


class TurnAction(Enum):
    """Actions other than cards and potions."""

    DRAW = "draw the hand"
    END = "end the turn"


Action = Play | TurnAction


@dataclass(frozen=True, kw_only=True)
class FightSetup:
    """The player and the enemies of a fight. Defaults are those of `engine.compiler.Setup`."""

    enemies: tuple[str, ...] = ("Cultist",)
    ascension: int = MAX_ASCENSION
    deck: Mapping[str, int] | None = None
    hp: int | None = None
    max_hp: int | None = None
    relics: tuple[str, ...] = ()
    enemy_hp: tuple[int | None, ...] = ()
    max_turns: int | None = None
    potions: tuple[str, ...] = ()
    """Potions in positions. A fight begins without potions."""


class CardFight(ListedGame[State, Action]):
    """A fight in which each card is one decision. If plays have equal outcomes, only one is legal.

    With `late_pays`, a fight that is not won in time pays the remaining HP: an upper bound of a fight without a limit.
    """

    def __init__(self, setup: FightSetup, *, late_pays: bool = False) -> None:
        hp, max_hp, deck = ironclad(setup.ascension)
        self.setup, self.late_pays = setup, late_pays
        self.deck = Counter(deck if setup.deck is None else setup.deck)
        self.max_hp = max_hp if setup.max_hp is None else setup.max_hp
        self.hp = min(hp, self.max_hp) if setup.hp is None else setup.hp
        self.rules = TurnRules(setup.ascension, setup.relics, setup.max_turns)
        self._known: dict[tuple[State, Action], Distribution[State]] = {}
        kinds = _kinds(self.deck, setup)
        plays = [
            Play(name, target, exhausted)
            for name in kinds
            if CARDS[name].cost is not None
            for target in range(len(setup.enemies) if CARDS[name].targeted else 1)
            for exhausted in ("", *(kinds if name in PICKING else ()))
        ]
        plays += [Play(name, target) for name in setup.potions for target in range(len(setup.enemies))]
        self.all_actions: tuple[Action, ...] = (*TurnAction, *plays)

    def starts(self) -> Distribution[State]:
        """Return the distribution of first states: enemies are rolled and the first hand is drawn."""
        return self.rules.opening(self.setup.enemies, self._known_hp).bind(self._opened)

    def start(self, rng: Rng) -> State:
        """Return a first state drawn from `rng`. With several enemies there are too many to list them."""
        return self._opened(self.rules.sample_opening(self.setup.enemies, self._known_hp, rng)).sample(rng)

    def actions(self, state: State) -> tuple[Action, ...]:
        """Return the end of the turn and the cards that can be played, or the drawing of the hand."""
        if isinstance(state, PlayerTurn):
            distinct: dict[object, Action] = {}
            for action in (TurnAction.END, *self._plays(state)):
                distinct.setdefault(tuple(self.outcomes(state, action).pairs), action)
            return tuple(distinct.values())
        return () if isinstance(state, Over) else (TurnAction.DRAW,)

    def outcomes(self, state: State, action: Action) -> Distribution[State]:
        """Return the states that an action may lead to."""
        if isinstance(state, Over) or not state.potions:
            return self._outcomes(state, action)
        left = list(state.potions)
        if isinstance(action, Play) and action.card in POTIONS:
            left.remove(action.card)
        return self._outcomes(state._replace(potions=()), action).map(
            lambda after: after if isinstance(after, Over) else after._replace(potions=tuple(left))
        )

    def _outcomes(self, state: State, action: Action) -> Distribution[State]:
        """Return the states that an action may lead to, without the potions."""
        if isinstance(state, NewTurn):
            return self._drawn(state.hp, state.combat, Counter(), state.draw, Counter(dict(state.discard)), HAND_SIZE)
        if (state, action) not in self._known:
            assert isinstance(state, PlayerTurn)
            found = self._played(state, action) if isinstance(action, Play) else self._ended(state)
            self._known[state, action] = found
        return self._known[state, action]

    def returns(self, state: State) -> tuple[int]:
        """Return the remaining HP: 0 if the fight was lost or not won in time."""
        return (0 if isinstance(state, Over) and state.late and not self.late_pays else state.hp,)

    @property
    def _known_hp(self) -> tuple[int | None, ...]:
        return self.setup.enemy_hp or (None,) * len(self.setup.enemies)

    def _opened(self, opening: FightOpening) -> Distribution[State]:
        """Return the states after the first hand is drawn. A relic may win the fight before that."""
        hp = min(self.max_hp, self.hp + self.rules.heal_first)
        if opening.combat is None:
            return certain(self._won(hp))
        return self._drawn(hp, opening.combat, Counter(), _pile(self.deck), Counter(), opening.drawing)

    def _won(self, hp: int) -> Over:
        return Over(min(self.max_hp, hp + self.rules.heal))

    def _plays(self, state: PlayerTurn) -> Iterator[Play]:
        hand = dict(state.hand)
        for name in (name for name in CARDS if name in hand):
            card = CARDS[name]
            if card.cost is None or card.cost > state.combat.energy:
                continue
            if card.kind == ATTACK and ("Entangled", 1) in state.combat.statuses:
                continue
            if card.needs_only_attacks and any(CARDS[other].kind != ATTACK for other in hand):
                continue
            picks = [other for other, n in state.hand if other != name or n > 1] if name in PICKING else []
            for target in range(len(state.combat.enemies) if card.targeted else 1):
                yield from (Play(name, target, pick) for pick in picks or [""])
        for name in dict.fromkeys(state.potions):
            yield from (
                Play(name, target) for target in range(len(state.combat.enemies) if POTIONS[name].targeted else 1)
            )

    def _played(self, state: PlayerTurn, play: Play) -> Distribution[State]:
        """Play a card. It is discarded after its own draws and exhausts."""
        card = (CARDS | POTIONS)[play.card]
        result = self.rules.play(state.combat, card, play.target)
        hp = state.hp - result.lost
        if hp <= 0:
            return certain(Over(0))
        if result.combat is None:
            return certain(self._won(hp))
        hand, discard = Counter(dict(state.hand)), Counter(dict(state.discard))
        hand.subtract([*([play.card] if play.card in CARDS else []), *([play.exhausted] if play.exhausted else [])])
        for name, pile in result.created:
            (hand if pile == HAND and hand.total() < HAND_LIMIT else discard)[name] += 1
        played = Counter([] if card.exhausts or card.kind == POWER or play.card in POTIONS else [play.card])
        if result.exhausting and hand.total():
            gone = _draw(_pile(hand), min(result.exhausting, hand.total()))
            after = result.combat
            return gone.map(lambda cards: PlayerTurn(hp, after, cards[1], state.draw, _pile(discard + played)))
        n_cards = min(result.drawing, HAND_LIMIT - hand.total())
        return self._drawn(hp, result.combat, hand, state.draw, discard, n_cards, played)

    def _ended(self, state: PlayerTurn) -> Distribution[State]:
        """End the turn: the hand is discarded, ethereal cards are gone, the enemies move."""
        burns = [CARDS[name].end_turn_damage for name, n in state.hand for _ in range(n)]
        ended = self.rules.end(state.combat, tuple(filter(None, burns)))
        hp = state.hp - ended.burnt
        if hp > 0:
            hp = min(hp + ended.healed, self.max_hp) - ended.lost
        if hp <= 0:
            return certain(Over(0))
        if ended.won:
            return certain(self._won(hp))
        if not ended.after:
            return certain(self._won(hp)._replace(late=True))
        kept = Counter({name: n for name, n in state.hand if not CARDS[name].ethereal})
        discard = _pile(Counter(dict(state.discard)) + kept + Counter(name for name, _ in ended.created))
        return Distribution([(NewTurn(hp, after, state.draw, discard), w) for after, w in ended.after], ended.total)

    def _drawn(
        self,
        hp: int,
        combat: Combat,
        hand: Counter[str],
        draw: Pile,
        discard: Counter[str],
        n_cards: int,
        played: Counter[str] | None = None,
    ) -> Distribution[State]:
        """Draw cards. If the draw pile has too few, the others come from the shuffled discard pile."""
        n_here, late = sum(n for _, n in draw), played or Counter()
        if n_cards <= n_here:
            return _draw(draw, n_cards).map(
                lambda cards: PlayerTurn(
                    hp, combat, _pile(hand + Counter(dict(cards[0]))), cards[1], _pile(discard + late)
                )
            )
        first = hand + Counter(dict(draw))
        n_left = min(n_cards - n_here, discard.total())
        return _draw(_pile(discard), n_left).map(
            lambda cards: PlayerTurn(hp, combat, _pile(first + Counter(dict(cards[0]))), cards[1], _pile(late))
        )


def _pile(cards: Mapping[str, int]) -> Pile:
    return tuple(sorted((name, n) for name, n in cards.items() if n))


@cache
def _draw(pile: Pile, n: int) -> Distribution[tuple[Pile, Pile]]:
    """Return the distribution of (cards drawn, cards left) of `n` draws."""
    names, counts = [name for name, _ in pile], [n for _, n in pile]
    drawn = draw_counts(counts, n)
    return drawn.map(
        lambda taken: (
            _pile(dict(zip(names, taken, strict=True))),
            _pile({name: m - k for name, m, k in zip(names, counts, taken, strict=True)}),
        )
    ).merge()


def _kinds(deck: Mapping[str, int], setup: FightSetup) -> list[str]:
    """Return the names of the cards of the deck, and of the cards that can be created."""
    names = [name for name in CARDS if deck.get(name)]
    lines = [effects for name in setup.enemies for effects in enemy_row(name, setup.ascension).moves.values()]
    lines += [CARDS[name].effects for name in names]
    created = [effect.name for effects in lines for effect in effects if effect.op == OP_CREATE]
    return list(dict.fromkeys(names + created))
