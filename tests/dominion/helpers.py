"""Helpers of the Dominion tests: positions and choices, zones as text, strategies with given weights, statistics."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import comb
from typing import Any

import numpy as np

from evodom.dominion.cards import BASIC, CARDS, COLONY_CARDS, KINGDOM_CARDS, SETS, Card, missing_cards, name_cards
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.compiler import list_effects
from evodom.dominion.engine.rules import N_ANSWERS, N_MODEL_PILES
from evodom.dominion.engine.state import State, recount_rows
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
from evodom.dominion.log import EventKind, event_text
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import EARLY, LATE, blank_strategies
from evodom.matches.simulate import choice_counts

EPSILON = 1e-9
"""Weight of the piles that a preference does not name."""

UNLIMITED = 99
"""A limit that no pile reaches."""

PILE_NAMES = list(FIRST_GAME.names)

COLONY_GAME = Kingdom((*FIRST_GAME.cards, "Platinum", "Colony"))
"""The kingdom of FIRST_GAME with Platinum and Colony."""

BASE = SETS["Base"].cards
"""The kingdom cards of the Base Set, from which kingdoms are drawn by default."""


MISSING_CARD, MISSING_SET = next(
    (name, of) for name, of in reversed(missing_cards().values()) if name.isalpha() and of.istitle() and of not in SETS
)
"""A card that evodom does not have, with a name of one word, and its set."""


def as_kingdom(kingdom: Kingdom | Iterable[str]) -> Kingdom:
    """Return a kingdom, or the one of these cards."""
    return kingdom if isinstance(kingdom, Kingdom) else Kingdom(tuple(kingdom))


def after(position: str, *choices: str, kingdom: Kingdom | Iterable[str] = FIRST_GAME, **options: Any) -> DominionGame:
    """Return the game of a position after these choices."""
    game = DominionGame.from_position(position, as_kingdom(kingdom), **options)
    for choice in choices:
        game.enact(choice)
    return game


def answers(game: DominionGame) -> list[str]:
    """Return the names of the legal answers in pile order, "pass" last."""
    return [answer.name for answer in game.decision.consequences]


def asked(game: DominionGame) -> tuple[int, str]:
    """Return the player (from 1) of the pending Decision, and its card or phase."""
    return game.decision.seat + 1, game.decision.title


def hand(game: DominionGame, player: int = 1) -> str:
    """Return a hand as text, in pile order: "2 Copper, Silver"."""
    return _text(game.cards(Zone.HAND + player - 1))


def discard(game: DominionGame, player: int = 1) -> str:
    """Return a discard pile as text."""
    return _text(game.cards(Zone.DISCARD + player - 1))


def deck_size(game: DominionGame, player: int = 1) -> int:
    """Return the number of cards of a deck, including known cards."""
    return game.view(player - 1).deck_sizes[player - 1]


def in_play(game: DominionGame) -> str:
    """Return the cards in play of all players as text."""
    return _text(sum(game.view(0).in_play, Counter()))


def trash(game: DominionGame) -> str:
    """Return the trash as text."""
    return _text(game.cards(Zone.TRASH))


def supply(game: DominionGame, name: str) -> int:
    """Return the number of cards left in a pile."""
    return game.cards(Zone.SUPPLY)[name]


def turn(game: DominionGame) -> tuple[int, int, int]:
    """Return the Actions, Buys and coins of the turn."""
    return int(game.state.actions), int(game.state.buys), int(game.state.coins)


def told(game: DominionGame) -> list[str]:
    """Return the events so far: "P1 plays Smithy"."""
    return [f"P{event.seat + 1} {event_text(event)}" for event in game.events if event.kind != EventKind.ARRIVE]


def weights(named: Mapping[str, float], kingdom: Kingdom = FIRST_GAME) -> np.ndarray:
    """Return a preference with these weights of named piles, and EPSILON for the others."""
    values = np.zeros(N_MODEL_PILES)
    for pile, card in enumerate(kingdom.piles):
        values[pile] = named.get(card.name, EPSILON)
    return values / values.sum()


def preference(
    early: Mapping[str, float],
    late: Mapping[str, float] | None = None,
    *,
    classes: Sequence[float] = (1, EPSILON, EPSILON),
    switch: int = 12,
    cellar_victory_only: int = 0,
    kingdom: Kingdom = FIRST_GAME,
) -> np.record:
    """Return a preference strategy that does not rank cards; ``late`` defaults to ``early``."""
    strategy = blank_strategies(1, "preferences", kingdom)[0]
    strategy["preferences"].weights[EARLY] = weights(early, kingdom)
    strategy["preferences"].weights[LATE] = weights(early if late is None else late, kingdom)
    strategy["preferences"].class_weights = np.array(classes) / sum(classes)
    strategy.switch = switch
    strategy["preferences"].cellar_victory_only = cellar_victory_only
    strategy["preferences"].limits[:] = UNLIMITED
    return strategy


def weighing(
    order: str,
    wants: Mapping[str, float] | None = None,
    *,
    kingdom: Kingdom,
    trash: tuple[int, int] = (0, 0),
    floor: int = 0,
    limits: Mapping[str, int] | None = None,
    classes: Sequence[float] = (1, EPSILON, EPSILON),
    switch: int = 12,
    cellar_victory_only: int = 0,
) -> np.record:
    """Return a graded strategy that ranks cards, for any kingdom.

    ``order`` names cards from best to worst ("Gold > Copper > Curse"): the worst is worth 1 to own, the next 2, and so
    on; one that is not named 0. In hand Victory cards and Curses are worth nothing, all others the same as to own. So
    many of the worst are ``trash``, early and late.
    """
    piles = kingdom.piles
    names = [card.name for card in piles]
    strategy = blank_strategies(1, "preferences", kingdom)[0]
    for name, weight in (wants or {}).items():
        strategy["preferences"].weights[:, names.index(name)] = weight / sum((wants or {}).values())
    strategy["preferences"].class_weights = np.array(classes) / sum(classes)
    strategy.switch, strategy["preferences"].cellar_victory_only = switch, cellar_victory_only
    strategy["preferences"].graded = strategy.uses_card_values = 1
    strategy["preferences"].limits[:] = UNLIMITED
    for name, limit in (limits or {}).items():
        strategy["preferences"].limits[names.index(name)] = limit
    for worth, name in enumerate(reversed(order.split(" > ")), 1):
        pile = names.index(name)
        strategy.deck_value[pile] = worth
        strategy.hand_value[pile] = 0 if piles[pile].is_useless else worth
    strategy.trash_below = np.array(trash) + 1
    strategy.coin_floor = floor
    return strategy


def kingdom_of(*texts: str) -> Kingdom:
    """Return the smallest kingdom for some texts: the kingdom cards that they name."""
    return Kingdom(tuple(card.name for card in KINGDOM_CARDS if any(card.name in text for text in texts)))


def the_choice(game: DominionGame, strategy: np.record, n: int = 20) -> str:
    """Return the choice that a strategy makes in each of ``n`` tries."""
    (name,) = tries(game, strategy, n)
    return name


def tries(game: DominionGame, strategy: np.record, n: int = 200) -> Counter[str]:
    """Return the number of times that a strategy makes each choice in ``n`` tries at the pending Decision."""
    counts = np.zeros(N_ANSWERS, np.int64)
    choice_counts(game.rules, game.state, game.state.copy(), Lineup.of([strategy]).arrays, counts, n)
    names = {answer.pile: answer.name for answer in game.decision.consequences}
    return Counter({names[pile]: int(count) for pile, count in enumerate(counts) if count})


def hypergeometric(n_good: int, n_all: int, n_drawn: int) -> dict[int, float]:
    """Return the hypergeometric probability of each number of good cards among ``n_drawn``."""
    ways = {k: comb(n_good, k) * comb(n_all - n_good, n_drawn - k) for k in range(n_drawn + 1)}
    return {k: n / comb(n_all, n_drawn) for k, n in ways.items() if n}


def random_kingdom(pick: random.Random, card: str) -> tuple[str, ...]:
    """Return ten random kingdom cards with ``card``, and sometimes Platinum and Colony."""
    others = pick.sample([each.name for each in KINGDOM_CARDS if each.name != card], 10)
    is_basic = CARDS[card] in (*BASIC, *COLONY_CARDS)
    colony = [each.name for each in COLONY_CARDS if each.name == card or pick.random() < 0.4]
    return (*(others if is_basic else [*others[:9], card]), *colony)


def untested_cards(tested: Collection[str], *, asking: bool = False) -> list[str]:
    """Return the kingdom cards outside ``tested`` with an Effect, a condition or a count that no tested card has.

    Numbers and filters of Effects do not count. With ``asking`` only Effects that ask for a choice do.
    """
    parts = {card.name: _parts(card, asking) for card in KINGDOM_CARDS}
    known = {part for name in tested if name in parts for part in parts[name]}
    return [name for name in parts if name not in tested and not parts[name] <= known]


def _parts(card: Card, asking: bool) -> set[object]:
    """Return the kinds of Effects of a card. Conditions and counts are kinds, too."""
    effects = [effect for owner, effect in list_effects((card,)) if owner and (effect.kind or not asking)]
    fields = ("op", "kind", "size", "source", "target", "among", "optional", "all_or_none", "decider")
    kinds = {tuple(getattr(effect, field) for field in fields) for effect in effects}
    conditions = (effect.condition.counted for effect in effects if effect.condition)
    counts = {each.count for each in (*conditions, *(effect.per for effect in effects)) if each}
    return kinds if asking else kinds | counts


def rich_game(n_players: int, seed: int, sets: Sequence[str]) -> DominionGame:
    """Return a game in a random kingdom of some sets. Each player starts with one more card of each of its piles."""
    kingdom = parse_kingdom("random", seed=seed, first_edition=True, sets=tuple(sets))
    game = DominionGame(kingdom, n_players, seed=seed)
    state, added = game.state.copy(), slice(len(BASIC), len(game.piles))
    for seat in range(n_players):
        state.cards[Zone.DECK + seat, added] += 1
        state.owned[seat, added] += 1
        state.cards[Zone.SUPPLY, added] -= 1
    recount_rows(state)
    return DominionGame.from_state(state, kingdom, n_players)


def lively(game: DominionGame, pick: random.Random) -> str:
    """Return a random answer. Actions are preferred, and passing is rare, for many events."""
    names = answers(game)
    if names[-1] == PASS_NAME and len(names) > 1 and pick.random() < 0.8:
        names.pop()
    actions = [name for name in names if name in CARDS and CARDS[name] not in BASIC]
    return pick.choice(actions if actions and pick.random() < 0.7 else names)


def _text(counts: Counter[str]) -> str:
    return name_cards(counts)


def content(state: State) -> bytes:
    """Return the bytes of a state without what `gains_to_end` keeps, which depends on earlier calls."""
    other = state.copy()
    other.gains_left = 0
    return other.tobytes()
