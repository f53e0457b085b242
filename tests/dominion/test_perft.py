"""Known counts of Decision sequences, and a second implementation of the rules to compare with."""

import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from evodom.dominion.cards import BASIC, CARDS
from evodom.dominion.effects.ops import Later, Phase, Zone
from evodom.dominion.engine.rules import NONE
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import Kingdom
from tests.dominion.helpers import after, answers, random_kingdom, turn, untested_cards
from tests.dominion.perft import cards_of, cases, counted, perft, start
from tests.dominion.reference import PLAYED, Reference, ShuffleNeeded
from tests.dominion.reference.core import Piece
from tests.dominion.reference.tables import DURATIONS, ROWS
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

CASES = {case["name"]: case for case in cases()}

MOST_COUNTED = effort(2_500, 250, 150)
MOST_COMPARED = effort(500, 60, 60)
"""Sequences: plain Python and the reference count fewer, that is, to a smaller depth."""

EVERY, N_WALKS, MOST_POSITIONS = effort((1, 2, 40), (2, 1, 40), (10, 1, 40))


def depth_within(case, most: int) -> int:
    """Return the greatest depth with at most ``most`` sequences."""
    return max(depth for depth, n in enumerate(case["counts"], start=1) if n <= most)


@pytest.mark.parametrize("name", CASES)
def test_the_counts_of_sequences_are_the_known_counts(name):
    case = CASES[name]
    depth = depth_within(case, MOST_COUNTED)

    found = counted(case, depth)

    assert found["counts"] == case["counts"][:depth]
    assert depth < len(case["counts"]) or found["divide"] == case["divide"]


def test_the_first_answers_of_each_case_add_up_to_its_count():
    for case in CASES.values():
        assert sum(case["divide"].values()) == case["counts"][-1]
        assert len(case["divide"]) == case["counts"][0]


@pytest.mark.cards
def test_every_effect_is_in_the_kingdom_of_a_case():
    assert untested_cards({name.strip() for case in CASES.values() for name in cards_of(case)}) == []


# Counts by formula. A player with only Estates is asked for one Buy without coins: Copper, Curse or none.

BUYS_WITHOUT_COINS = 3


def uses(n_cards: int, most: int, depth: int) -> int:
    """Return the ways to move up to ``most`` of ``n_cards`` different cards, one by one, in ``depth`` Decisions.

    A Decision left over is a Buy; so is what follows a pass.
    """
    if depth == 0:
        return 1
    if n_cards == 0 or most == 0:
        return BUYS_WITHOUT_COINS**depth
    return n_cards * uses(n_cards - 1, most - 1, depth - 1) + BUYS_WITHOUT_COINS ** (depth - 1)


DIFFERENT = ["Curse", "Estate", "Duchy", "Province", "Gardens"]


@pytest.mark.parametrize(("card", "most"), [("Chapel", 4), ("Cellar", 5)])
def test_chapel_and_cellar_take_different_cards_in_any_order(card, most):
    for k in range(1, 6):
        position = f"P1: hand {card}, {', '.join(DIFFERENT[:k])}; top 60 Estate"
        game = after(position, card, kingdom=("Chapel", "Cellar", "Gardens"))
        for depth in range(1, 5):
            assert perft(game, depth) == uses(k, most, depth)


@pytest.mark.parametrize("hand", ["3 Copper", "2 Copper, 2 Estate", "Copper, Estate, Curse, 3 Duchy"])
def test_chapel_takes_equal_cards_in_the_orders_of_a_multiset(hand):
    game = after(f"P1: hand Chapel, {hand}; top 60 Estate | turn: P1, 1 action", "Chapel", kingdom=("Chapel",))
    cards = tuple(game.cards(Zone.HAND).elements())
    depth = min(4, len(cards))
    orders = {order[:depth] for order in permutations(cards)}

    trashed_all = [order for order in sequences_of(game, depth) if PASS_NAME not in order]

    assert sorted(trashed_all) == sorted(orders)


def sequences_of(game: DominionGame, depth: int) -> list[tuple[str, ...]]:
    """Return all sequences of answers."""
    if depth == 0:
        return [()]
    found = []
    for answer in answers(game):
        found += [(answer, *rest) for rest in sequences_of(game.copy().enact(answer), depth - 1)]
    return found


@pytest.mark.parametrize(("n_buys", "coins"), [(1, 0), (1, 8), (2, 5), (3, 7), (4, 11), (5, 4)])
def test_purchases_agree_with_a_recursion(n_buys, coins):
    costs = [0, 3, 6, 2, 5, 8, 0, 2, 4]  # the basic cards, Moat and Smithy
    left = f"turn: P1, 0 actions, {n_buys} buys, {coins} coins, buy phase"
    game = DominionGame.from_position(f"P1: top 60 Estate | {left}", Kingdom(("Moat", "Smithy")))

    def purchases(buys: int, coins: int, depth: int) -> int:
        if depth == 0:
            return 1
        if buys == 0:
            return BUYS_WITHOUT_COINS**depth
        bought = sum(purchases(buys - 1, coins - cost, depth - 1) for cost in costs if cost <= coins)
        return bought + BUYS_WITHOUT_COINS ** (depth - 1)

    for depth in range(1, 5):
        assert perft(game, depth) == purchases(n_buys, coins, depth)


@pytest.mark.parametrize("n_kinds", [3, 4, 5])
def test_militia_discards_two_of_five_in_order(n_kinds):
    theirs = [*DIFFERENT[:n_kinds], *["Curse"] * (5 - n_kinds)]
    game = after(f"P1: hand Militia | P2: hand {', '.join(theirs)}", "Militia", kingdom=("Militia", "Gardens"))

    assert sorted(sequences_of(game, 2)) == sorted(set(permutations(theirs, 2)))


# The second implementation of the rules.


def reference_of(game: DominionGame) -> Reference:
    """Return the reference at the position of a game, which is at the beginning of the first seat's turn."""
    assert not any(game.cards(Zone.DECK + seat) for seat in range(game.n_players))
    cards, state, names = zones(game), game.state, game.kingdom.names
    reference = Reference(cards["hands"], cards["decks"], cards["discards"], cards["supply"], cards["turns"])
    reference.in_play = [[Piece(name) for name in in_play] for in_play in cards["in play"]]
    reference.set_aside, (reference.islands, reference.villages) = cards["set aside"], cards["mats"]
    reference.tokens, reference.trash = cards["tokens"], cards["trash"]
    reference.actions, reference.buys, reference.coins = cards["left"]
    reference.gained = [set(game.contract.names_in(gained)) for gained in state.gained[: game.n_players]]
    reference.n_played = int(state.actions_played)
    reference.phase = "start" if state.phase == Phase.START else "action"
    for entry in state.later[: state.n_later]:
        aside = None if entry[Later.CARD] == NONE else names[entry[Later.CARD]]
        safe = {seat for seat in range(game.n_players) if entry[Later.UNAFFECTED] >> seat & 1}
        for _ in range(entry[Later.TIMES]):
            reference.resume(entry[Later.SEAT], names[entry[Later.PILE]], aside, safe, due=bool(entry[Later.DUE]))
    return reference


def zones(game: DominionGame) -> dict[str, Any]:
    """Return the cards in each zone and what is left of the turn."""
    state, n, names = game.state, game.n_players, game.kingdom.names
    rows = state.cards.tolist()

    def cards(zone: int) -> list[str]:
        return sorted(name for name, count in zip(names, rows[zone], strict=False) for _ in range(count))

    def of_each_seat(zone: Zone) -> list[list[str]]:
        return [cards(zone + seat) for seat in range(n)]

    return {
        "hands": of_each_seat(Zone.HAND),
        "decks": [[names[pile] for pile in state.known[seat, : state.n_known[seat]]] for seat in range(n)],
        "discards": of_each_seat(Zone.DISCARD),
        "in play": of_each_seat(Zone.IN_PLAY),
        "set aside": of_each_seat(Zone.SET_ASIDE),
        "mats": [of_each_seat(Zone.ISLAND_MAT), of_each_seat(Zone.VILLAGE_MAT)],
        "tokens": state.vp_tokens[:n].tolist(),
        "trash": cards(Zone.TRASH),
        "supply": Counter(dict(zip(names, rows[Zone.SUPPLY], strict=False))),
        "left": turn(game),
        "turns": state.turns[:n].tolist(),
    }


def zones_of_reference(reference: Reference) -> dict[str, Any]:
    """Return the same of the reference."""
    seats = range(reference.n_players)
    return {
        "hands": [*map(sorted, reference.hands)],
        "decks": reference.decks,
        "discards": [*map(sorted, reference.discards)],
        "in play": [sorted(reference.names_in_play(seat)) for seat in seats],
        "set aside": [*map(sorted, reference.set_aside)],
        "mats": [[*map(sorted, reference.islands)], [*map(sorted, reference.villages)]],
        "tokens": reference.tokens,
        "trash": sorted(reference.trash),
        "supply": reference.supply,
        "left": (reference.actions, reference.buys, reference.coins),
        "turns": reference.turns,
    }


def question(game: DominionGame) -> tuple[int, frozenset[str]] | None:
    """Return the player who is asked and the legal answers; None at the end of the game."""
    decision = game.decision
    return decision and (decision.seat, frozenset(answer.name for answer in decision.consequences))


def reference_after(game: DominionGame, path: tuple[str, ...]):
    """Return the reference's question after these answers, from the position of ``game``."""
    asking = reference_of(game).play_on()
    asked = next(asking, None)
    for answer in path:
        try:
            asked = asking.send(answer)
        except StopIteration:
            asked = None
    return asked


def compare(origin: DominionGame, game: DominionGame, path: tuple[str, ...], depth: int) -> int:
    """Compare the questions along all sequences of Decisions; return how many sequences there are."""
    now = question(game)
    assert now == reference_after(origin, path), path
    if now is None:
        return 0
    if depth == 1:
        return len(now[1])
    return sum(compare(origin, game.copy().enact(name), (*path, name), depth - 1) for name in sorted(now[1]))


@pytest.mark.parametrize("name", CASES)
def test_the_second_implementation_asks_the_same_questions(name):
    case = CASES[name]
    depth = depth_within(case, MOST_COMPARED)
    game = start(case)
    game.log = False

    assert compare(game, game, (), depth) == case["counts"][depth - 1]


def random_position(kingdom: tuple[str, ...], pick: random.Random) -> DominionGame:
    """Return a position with many Actions in hand, long known decks and Durations of the turn before."""
    names = [*kingdom, *(card.name for card in BASIC), *kingdom[:10]]

    def some(n: int) -> str:
        return ", ".join(pick.choices(names, k=n))

    n_players = pick.choice([2, 2, 3, 4, 5])
    dealt = pick.sample(kingdom[:10], 10)
    seats = [
        f"P{seat + 1}: hand {', '.join(dealt[seat::n_players])}, {some(pick.choice([1, 2, 3]))}; "
        f"top {some(pick.choice([3, 40, 40]))}; turns 3{durations(seat, n_players, names, pick)}"
        for seat in range(n_players)
    ]
    seats[0] += f"; discard {some(4)}" if pick.random() < 0.5 else ""
    empty = f"supply: 0 {kingdom[0]}, 1 {pick.choice(['Curse', 'Copper', 'Gold'])}, 0 Duchy"
    sections = [*seats, *([empty] if pick.random() < 0.3 else [])]
    played = "0 Actions played, no Treasure played, start phase" + ", 0 plays of Sailor" * ("Sailor" in kingdom)
    game = DominionGame.from_position(f"{' | '.join(sections)} | turn: P1, {played}", Kingdom(kingdom))
    game.log = False
    is_unfit = game.state.depth or game.state.n_cards[Zone.DECK : Zone.DECK + n_players].any()
    return random_position(kingdom, pick) if is_unfit else game


def durations(seat: int, n_players: int, names: list[str], pick: random.Random) -> str:
    """Return the text of a player's mats, tokens and Durations: due for P1, later for the others."""
    played = sorted((DURATIONS - {"Outpost"}) & set(names))
    played = pick.sample(played, min(pick.choice([0, 0, 1, 2, 3]), len(played)))
    if not played:
        return ""
    safe = " ".join(f"P{other + 1}" for other in range(n_players) if other != seat and pick.random() < 0.3)
    entries = [
        f"{'' if name in ('Haven', 'Blockade') else pick.choice(['', '2 '])}{name}"
        f"{f' with {pick.choice(names)}' if name in ('Haven', 'Blockade') else ''}"
        f"{f' not {safe}' if safe and name in ('Blockade', 'Corsair') else ''}"
        for name in played
    ]
    due = "later" if seat else "due"
    mats = "island Estate; village Gold, Copper; tokens 3; gained Silver"
    return f"; in play {', '.join(played)}; {due} {', '.join(entries)}; {mats}"


@pytest.mark.parametrize("card", [*CARDS][::EVERY])
def test_random_play_agrees_with_the_second_implementation(card):
    assert card in ROWS, f"{card} has no row in tests/dominion/reference/tables.py"
    pick = random.Random(card)
    n_played = n_positions = 0
    while not n_positions or (card in PLAYED and not n_played):
        assert n_positions < MOST_POSITIONS, f"{card} is not played"
        n_positions += 1
        origin = random_position(random_kingdom(pick, card), pick)
        for _ in range(N_WALKS):
            reference = reference_of(origin)
            walk(origin.copy(), reference, pick)
            n_played += reference.played[card]


def walk(game: DominionGame, reference: Reference, pick: random.Random, n: int = 60) -> None:
    """Play game and reference on with the same random choices while they ask the same.

    Passing is rare. It ends at the end of the game, or where something is shuffled. When the asked player changes, the
    zones are compared, too.
    """
    asking = reference.play_on()
    path: list[str] = []
    failed, before = (game.kingdom.cards, path), None
    try:
        asked = next(asking)
        while len(path) < n:
            assert question(game) == asked, failed
            if asked[0] != before and game.state.depth == 0:
                assert zones(game) == zones_of_reference(reference), failed
            before = asked[0]
            names = sorted(asked[1] - {PASS_NAME})
            path.append(PASS_NAME if PASS_NAME in asked[1] and pick.random() < 0.15 else pick.choice(names))
            game.enact(path[-1])
            asked = asking.send(path[-1])
    except ShuffleNeeded:
        return
    except StopIteration:
        assert game.is_over, failed
    if game.state.depth == 0:
        assert list(game.scores) == [reference.score(seat) for seat in range(game.n_players)]
