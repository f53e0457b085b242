"""Invariants of the record at every choice of hundreds of games, in kingdoms of all cards, for 2 to 6 players."""

import random
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.cards import DUCHY, KINGDOM_CARDS
from evodom.dominion.effects.ops import Ending, Zone
from evodom.dominion.engine.batch import new_state, undealt_state
from evodom.dominion.engine.rules import MAX_SEATS, MAX_TURNS, N_PILES
from evodom.dominion.engine.state import MAX_DEPTH, MAX_KNOWN, MAX_LATER, STATE, put
from evodom.dominion.engine.turn import score
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import Kingdom, draw_cards
from evodom.dominion.position import format_position
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import STRATEGY, blank_strategies
from evodom.errors import IllegalChoice, UsageError
from evodom.jit.kernel import COMPILED
from tests.dominion.checked_play import DECISIONS, DEPTH, FAULTS, KNOWN, LATER, first_fault, play_each
from tests.dominion.helpers import BASE, PILE_NAMES, answers, lively
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

N_KINGDOMS, N_GAMES = effort((60, 34), (20, 10), (5, 1))
"""2,040 games; plain Python plays a few, and only their beginnings."""

MOST_STEPS = effort(1_000_000, 1_000_000, 120)
N_STRESSED = effort(100, 10, 1)
STRESS_STEPS = effort(2_000, 2_000, 20)

NO_PARENT = np.zeros(0, STRATEGY)
"""No strategies: the choices are random, and passing is rare."""


@dataclass(frozen=True)
class Played:
    """Some games of one kingdom."""

    rules: np.record
    finals: np.ndarray
    faults: np.ndarray
    seen: np.ndarray

    @property
    def fault(self) -> str:
        """The fault of the first game that has one, or ""."""
        return FAULTS[next((fault for fault in self.faults if fault), 0)]


def play(rules, start, strategies, seeds, most: int = MOST_STEPS) -> Played:
    slots = np.zeros(2, STATE)
    slots[1] = start
    finals, faults = np.zeros(len(seeds), STATE), np.zeros(len(seeds), np.int64)
    table = np.zeros(MAX_SEATS, np.int64)
    seen = play_each(rules, slots, Lineup(strategies).arrays, table, seeds, all_cards(start), most, finals, faults)
    return Played(rules, finals.view(np.recarray), faults, seen)


def all_cards(state) -> np.ndarray:
    """Return how many cards there are of each pile."""
    return state.owned.sum(axis=0) + state.cards[Zone.SUPPLY] + state.cards[Zone.TRASH]


def seeds_of(seed: int, n: int) -> np.ndarray:
    return np.random.SeedSequence(seed).generate_state(n, np.uint64)


def random_games(seed: int) -> tuple[tuple[str, ...], Played]:
    """Play games of the random baseline, every third with Platinum and Colony.

    Three of four kingdoms are dealt from all cards, shuffled; the others are drawn from Base Set and Intrigue.
    """
    drawn = draw_cards([], seed=seed, first_edition=True, sets=("Base", "Intrigue"))
    if seed % 4:
        n_cards = len(KINGDOM_CARDS)
        nth, first = divmod(10 * (seed * 3 // 4), -(-n_cards // 10) * 10)
        drawn = random.Random(nth).sample(KINGDOM_CARDS, n_cards)[min(first, n_cards - 10) :][:10]
    colony = ["Colony"] if seed % 3 == 1 else []
    kingdom = Kingdom((*(card.name for card in drawn), *colony))
    players = np.zeros(1, STRATEGY)
    players[0] = baseline("random", kingdom)
    rules = kingdom.rules(2 + seed % 5)
    return kingdom, play(rules, undealt_state(rules), players, seeds_of(seed, N_GAMES))


@pytest.fixture(scope="module")
def played():
    """Return the games by kingdom."""
    return [random_games(seed) for seed in range(N_KINGDOMS)]


def test_records_are_valid_in_games_of_all_cards_and_numbers_of_players(played):
    assert [(kingdom, games.fault) for kingdom, games in played if games.fault] == []

    kinds = {card for kingdom, _ in played for card in kingdom.cards} - {"Platinum", "Colony"}

    assert {int(games.rules.n_seats) for _, games in played} == {2, 3, 4, 5, 6}
    assert not COMPILED or kinds == {card.name for card in KINGDOM_CARDS}

    seen = np.max([games.seen for _, games in played], axis=0)

    assert 0 < seen[DEPTH] < MAX_DEPTH
    assert seen[KNOWN] < MAX_KNOWN
    assert seen[LATER] < MAX_LATER
    assert seen[DECISIONS] > 0


@pytest.mark.skipif(not COMPILED, reason="plain Python plays the beginnings only")
def test_every_game_ends_by_the_rules_or_is_cut(played):
    for kingdom, games in played:
        finals, limit = games.finals, games.rules.piles_to_end
        provinces = finals.cards[:, Zone.SUPPLY, 5] == 0
        colonies = (finals.cards[:, Zone.SUPPLY, 18] == 0) & (len(kingdom.piles) > 18)
        ended = [provinces, colonies, finals.n_empty >= limit]
        expected = np.select(ended, [Ending.PROVINCES, Ending.COLONIES, Ending.PILES], Ending.CUT)

        assert (finals.ended == expected).all(), kingdom
        assert (finals.turns.max(axis=1)[finals.ended == Ending.CUT] == MAX_TURNS).all(), kingdom


def test_scores_are_the_victory_points_of_the_owned_cards_and_the_tokens(played):
    for kingdom, games in played:
        for final in games.finals:
            for seat in range(games.rules.n_seats):
                owned = [int(n) for n in final.owned[seat]]
                computed = {"Gardens": sum(owned) // 10, "Duke": owned[DUCHY]}
                points = [computed.get(card.name, card.vp) for card in kingdom.piles]
                expected = sum(n * each for n, each in zip(owned, points, strict=False))
                assert score(games.rules, final, seat) == expected + final.vp_tokens[seat], kingdom


# Positions with the deepest stacks.

DEEPEST = 10 + 1 + MAX_SEATS
"""Ten Throne Rooms, each with its second play waiting; the card at the end of them; and a frame for each player."""


def position(hand: str, deck: str, kingdom: tuple[str, ...], n_players: int = 6) -> DominionGame:
    moat = "Moat" if "Moat" in kingdom else "Curse"
    others = [f"P{player}: hand {moat}, 2 Estate, Copper, Gold; deck {deck}" for player in range(2, n_players + 1)]
    first = f"P1: hand {hand}; deck {deck}; discard {deck}"
    return DominionGame.from_position(" | ".join([first, *others, "turn: P1, 3 actions"]), Kingdom(kingdom))


STRESSES = {
    "Throne Rooms and Vassals": (
        "10 Throne Room, 4 Vassal, Thief",
        "6 Vassal, 3 Thief, 2 Spy, Gold, Estate, Feast, Village",
        ("Throne Room", "Vassal", "Thief", "Spy", "Feast", "Village", "Moat"),
    ),
    "Throne Rooms and what looks into decks": (
        "10 Throne Room, 3 Sentry, 2 Library, 2 Spy",
        "2 Sentry, Library, Spy, Bandit, Adventurer, 2 Village, Gold, Silver, Curse",
        ("Throne Room", "Sentry", "Library", "Spy", "Bandit", "Adventurer", "Village", "Moat"),
    ),
    "what goes onto decks": (
        "10 Throne Room, 8 Artisan, 8 Bureaucrat, 4 Harbinger, 4 Festival",
        "4 Bureaucrat, 4 Artisan, 3 Festival, 3 Council Room, 3 Harbinger, Sentry, 3 Estate, Duchy",
        ("Throne Room", "Artisan", "Bureaucrat", "Harbinger", "Festival", "Council Room", "Sentry", "Moat"),
    ),
    "what discards, trashes and gains": (
        "10 Throne Room, 3 Cellar, 2 Chapel, 2 Remodel, 2 Mine, 2 Feast",
        "2 Militia, Poacher, Workshop, 2 Village, Cellar, Feast, Remodel, Gold, Silver, Copper, Estate",
        ("Throne Room", "Cellar", "Chapel", "Remodel", "Mine", "Feast", "Militia", "Poacher", "Workshop", "Village"),
    ),
    "King's Courts, Durations, and cards that watch": (
        "10 King's Court, 4 Sailor, 3 Blockade, 3 Haven, 2 Watchtower, 2 Pirate, 2 Sea Witch, 2 Corsair",
        "2 Blockade, 3 Haven, 2 Pirate, 2 Monkey, Watchtower, Sailor, Sea Witch, Gold, Silver, Copper, Estate",
        ("King's Court", "Sailor", "Blockade", "Haven", "Watchtower", "Pirate", "Monkey", "Sea Witch", "Corsair"),
    ),
}


@pytest.mark.parametrize("name", STRESSES)
@pytest.mark.parametrize("n_players", [2, 6])
def test_decks_of_throne_rooms_stay_within_the_limits(name, n_players):
    hand, deck, kingdom = STRESSES[name]
    game = position(hand, deck, kingdom, n_players)

    games = play(game.rules, game.state, NO_PARENT, seeds_of(1, N_STRESSED), STRESS_STEPS)

    assert games.fault == ""
    assert games.seen[DEPTH] <= DEEPEST < MAX_DEPTH
    assert games.seen[KNOWN] <= MAX_KNOWN


def test_ten_throne_rooms_have_the_expected_depth():
    game = position("10 Throne Room, Spy", "10 Village", ("Throne Room", "Spy", "Village", "Moat"))

    for choice in ["Throne Room"] * 10 + ["Spy"] + ["pass"] * 5:  # five Moats are not revealed
        game.enact(choice)

    assert game.decision.kind == "spy_discard"
    assert game.state.depth == DEEPEST


def test_a_game_of_all_cards_is_valid_and_strategies_refuse_it(monkeypatch):
    monkeypatch.setattr(Kingdom, "max_cards", len(BASE))
    kingdom = Kingdom(tuple(card.name for card in BASE))
    rules = kingdom.rules(3)

    games = play(rules, new_state(rules, 1), NO_PARENT, seeds_of(3, effort(5, 5, 1)), effort(2_000, 2_000, 20))

    assert 32 < len(kingdom.piles) <= N_PILES
    assert games.fault == ""
    assert not COMPILED or games.finals.owned[:, :, 32:].any()
    with pytest.raises(UsageError, match=r"39 piles.* 20"):
        blank_strategies(1, "preferences", kingdom)


# The check finds faults.


def spoilt(field: str, index, change: int) -> str:
    """Return the fault found after a change to a good record."""
    game = DominionGame.from_position(
        "P1: hand Smithy, Copper; deck 3 Gold | P2: hand Estate; top Silver | trash: Curse"
    )
    total = all_cards(game.state)
    assert first_fault(game.rules, game.state, total) == 0
    if index is None:
        game.state[field] += change
    else:
        game.state[field][index] += change
    return FAULTS[first_fault(game.rules, game.state, total)]


def test_a_spoilt_record_is_found():
    for field, index, change, number in [
        ("cards", (Zone.HAND, 1), -1, 1),
        ("n_cards", Zone.HAND, 1, 2),
        ("piles_in", Zone.HAND, 1 << 1, 2),
        ("known", (1, 0), 1, 5),
        ("owned", (0, 0), 1, 5),
        ("n_empty", None, 1, 6),
        ("legal", None, 1 << 16, 9),
        ("decider", None, 5, 8),
        ("coins", None, -1, 10),
        ("turns", 1, 50, 10),
    ]:
        assert spoilt(field, index, change) == FAULTS[number]


def test_added_cards_and_cards_left_revealed_are_found():
    game = DominionGame.from_position("P1: hand Smithy, Copper; deck 3 Gold | P2: hand Estate")
    total = all_cards(game.state)
    for row, expected in ((Zone.SUPPLY, 3), (Zone.REVEALED, 7)):
        state = game.state.copy()
        put(state, row, 2)
        assert first_fault(game.rules, state, total) == expected
    game.state.owned[0, 2] += 1
    game.state.owned[1, 2] -= 1
    assert FAULTS[first_fault(game.rules, game.state, total)] == "a seat does not own what is in its zones"


N_CHOICES = effort(120, 40, 40)
"""How long the games are played."""


seeds = st.integers(0, 2**64 - 1)
players = st.integers(2, 6)
few = settings(max_examples=effort(12, 3, 3))


def choices(game: DominionGame, seed: int, n: int = N_CHOICES):
    """Play a game with random choices and yield it before each."""
    pick = random.Random(seed)
    for _ in range(n):
        if game.is_over:
            return
        yield game
        game.enact(lively(game, pick))


def random_game(n_players: int, seed: int) -> DominionGame:
    return DominionGame(n_players=n_players, seed=seed, log=False)


@few
@given(players, seeds)
def test_exactly_the_legal_answers_are_accepted(n_players, seed):
    for game in choices(random_game(n_players, seed), seed, 20):
        before = game.state.tobytes()
        for name in [*PILE_NAMES, PASS_NAME]:
            if name in answers(game):
                game.copy().enact(name)
            else:
                with pytest.raises(IllegalChoice):
                    game.enact(name)
            assert game.state.tobytes() == before


@few
@given(players, seeds)
def test_a_formatted_position_parses_to_the_same_position(n_players, seed):
    for game in choices(random_game(n_players, seed), seed, 40):
        if game.state.depth == 0 and game.state.turns[0] % 2 == 0:
            text = format_position(game)
            read = DominionGame.from_position(text, n_players=n_players)
            # The streams, what others have seen, and what is left over from cards resolved before.
            kept = (
                "deck_streams", "strategy_streams", "known_by", "unseen_discards", "chosen", "n_chosen", "unaffected",
            )  # fmt: skip
            for field in kept:
                read.state[field] = game.state[field]
            read.state.stack[:] = game.state.stack
            assert format_position(read) == text
            assert read.state == game.state
