"""Visibility of cards taken off a deck: views, observations and redeals agree."""

import random
from collections import Counter
from dataclasses import asdict

import numpy as np
import pytest

from evodom.dominion import cards as all_cards
from evodom.dominion.cards import ACTION, SETS, TREASURE, Card
from evodom.dominion.contract import Dominion
from evodom.dominion.effects.deck import (
    choose_revealed,
    discard_or_put_back,
    discard_revealed,
    look,
    reveal,
    sift_revealed,
    trash_revealed,
)
from evodom.dominion.effects.effect import each_opponent, each_player
from evodom.dominion.effects.hand import discard_any, discard_down_to, move_all
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.state import PHASE_NAMES
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom, draw_cards
from tests.dominion.helpers import after, answers, lively, rich_game
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

N_PLAYERS = 3
N_GAMES, N_STATES = effort((12, 100), (12, 35), (10, 20))
"""1,200 states of random games; plain Python plays a few."""

DISCARD_ONE = choose_revealed("discard_one", "discard", "discards one of them", target=Zone.DISCARD)

LOOKING = (
    Card("Peek", 3, ACTION, (look(2), discard_any(), *sift_revealed())),
    Card("Spyglass", 3, ACTION, (look(2), each_opponent(discard_down_to(3)), *sift_revealed())),
    Card("Doubt", 3, ACTION, (each_opponent(look(2), DISCARD_ONE, move_all(Zone.REVEALED, Zone.DECK_TOP)),)),
    Card("Rogue", 3, ACTION, (each_opponent(reveal(2), trash_revealed(TREASURE, by_active=True), discard_revealed()),)),
    Card("Scout", 3, ACTION, (each_player(reveal(1), *discard_or_put_back()), look(2), *sift_revealed())),
)  # fmt: skip
SHIPPED = ("Sentry", "Library", "Spy", "Thief", "Bandit", "Vassal", "Adventurer", "Harbinger")


@pytest.fixture(autouse=True, scope="module")
def rows():
    with pytest.MonkeyPatch.context() as monkeypatch:
        for card in LOOKING:
            monkeypatch.setitem(all_cards.CARDS, card.name, card)
        yield


def random_states(seed: int):
    """Yield a game of random choices before each of them: of crafted cards, of shipped ones that look, of all sets."""
    shipped = draw_cards([SHIPPED[seed // 3 % len(SHIPPED)]], seed=seed, first_edition=True)
    kingdom = [(*(card.name for card in LOOKING), "Village"), tuple(card.name for card in shipped)][seed % 2]
    game = DominionGame(Kingdom(kingdom), N_PLAYERS, seed=seed, log=False)
    if seed % 3 == 2:
        game = rich_game(N_PLAYERS, seed, SETS)
    pick = random.Random(seed)
    for _ in range(N_STATES):
        if game.is_over:
            return
        yield game
        game.enact(lively(game, pick))


def shared(game: DominionGame, seat: int) -> dict[str, object]:
    """Return what both a view and `observe` show, as the view shows it."""
    view = game.view(seat)
    mats = [places["Native Village mat"] for places in view.places]
    players = {
        "hand": view.hand_sizes, "deck": view.deck_sizes, "discards": view.discard_sizes, "turns": view.turns,
        "in play": view.in_play, "staying": view.staying,
        "set aside": [places["set aside"].cards for places in view.places],
        "set aside face down": [places["set aside"].unseen for places in view.places],
        "Island mat": [places["Island mat"].cards for places in view.places],
        "Native Village mat": [mat.cards.total() + mat.unseen for mat in mats], "VP tokens": view.vp_tokens,
        "gained": [[*names] for names in view.gained],
        "pending": [[asdict(entry) | {"unaffected": [*entry.unaffected]} for entry in each] for each in view.pending],
    }  # fmt: skip
    return {
        "hand": view.hand,
        "trash": view.trash,
        "revealed": view.revealed,
        "supply": +Counter(view.supply),
        "costs": {card.name: n for card in game.piles if (n := view.costs[card.name]) != card.cost},
        "Native Village mat": mats[seat].cards,
        "players": [{key: players[key][each] for key in players} for each in range(game.n_players)],
        "owned": view.owned,
        "turn": (view.active, PHASE_NAMES[view.phase], view.actions, view.buys, view.coins, view.watching,
                 [*view.named], view.is_extra, view.extra_turn),
        "answers": answers(game) if game.decision.seat == seat else [],
    }  # fmt: skip


def shared_json(contract: Dominion, game: DominionGame, seat: int) -> dict[str, object]:
    """Return what both a view and `observe` show, as the latter shows it."""
    shown = contract.observe(game.state, seat)
    zones = ("hand", "trash", "revealed", "supply", "costs", "Native Village mat", "answers")
    own = ("seen discards", "known tops", "owned")
    return {
        **{zone: shown[zone] for zone in zones},
        "players": [{key: n for key, n in player.items() if key not in own} for player in shown["players"]],
        "owned": shown["players"][seat]["owned"],
        "turn": tuple(shown["turn"].values()),
    }


def test_views_observations_and_decisions_show_the_same_cards():
    n_states = n_hidden = n_open = 0
    for seed in range(N_GAMES):
        for game in random_states(seed):
            contract = Dominion(game.kingdom, game.n_players)
            n_states += 1
            is_revealed = game.state.n_cards[Zone.REVEALED] > 0
            for seat in range(N_PLAYERS) if is_revealed or n_states % 5 == 0 else ():
                assert shared(game, seat) == shared_json(contract, game, seat)
            if not is_revealed:
                continue
            views = [game.view(seat).revealed for seat in range(N_PLAYERS)]
            assert views == [Counter(contract.observe(game.state, seat)["revealed"]) for seat in range(N_PLAYERS)]
            if game.decision.kind in ("discard", "discard_one", "thief_trash", "sentry_trash", "spy_discard"):
                assert Counter(game.decision.revealed) == views[game.decision.seat]
            seeing = sum(view == game.cards(Zone.REVEALED) for view in views)
            assert seeing in (1, N_PLAYERS)
            n_hidden += seeing == 1
            n_open += seeing == N_PLAYERS
    assert n_states >= effort(1_000, 350, 150)
    assert min(n_hidden, n_open) >= effort(10, 2, 0)


@pytest.mark.parametrize(
    ("choices", "asked", "viewers"),
    [
        (("Peek",), (0, "discard"), [0]), (("Peek", "pass"), (0, "sentry_trash"), [0]),
        (("Spyglass",), (1, "discard"), [0]), (("Spyglass", "Curse"), (2, "discard"), [0]),
        (("Spyglass", "Curse", "Curse"), (0, "sentry_trash"), [0]), (("Doubt",), (1, "discard_one"), [1]),
        (("Doubt", "Gold"), (2, "discard_one"), [2]), (("Rogue",), (0, "thief_trash"), [0, 1, 2]),
        (("Scout",), (0, "spy_discard"), [0, 1, 2]), (("Scout", "pass", "pass", "pass"), (0, "sentry_trash"), [0]),
        (("Sentry",), (0, "sentry_trash"), [0]), (("Library",), (0, "set_aside"), [0]),
    ],
)  # fmt: skip
def test_all_seats_see_revealed_cards_and_one_seat_sees_cards_looked_at(choices, asked, viewers):
    game = looked_at(*choices)

    views = [game.view(seat).revealed for seat in range(N_PLAYERS)]

    assert (game.decision.seat, game.decision.kind) == asked
    assert [seat for seat in range(N_PLAYERS) if views[seat]] == viewers
    assert views == [game.observation(seat)["revealed"] for seat in range(N_PLAYERS)]
    assert bool(game.decision.revealed) == (asked[0] in viewers)


def test_a_redeal_resamples_cards_that_the_seat_does_not_see():
    rng = np.random.default_rng(3)
    for choice, viewer in (("Peek", 0), ("Spyglass", 0), ("Doubt", 1), ("Sentry", 0)):
        game = looked_at(choice)
        for seat in range(N_PLAYERS):
            found = {tuple(game.redeal(seat, rng).state.cards[Zone.REVEALED].tolist()) for _ in range(40)}
            assert (len(found) == 1) == (seat == viewer)


def test_only_the_owner_knows_a_card_put_back_after_a_look():
    doubted, spied = looked_at("Doubt", "Gold", "Gold"), looked_at("Scout", "pass", "pass", "pass")

    assert doubted.state.known_by[1, doubted.state.n_known[1] - 1] == 0b010
    assert spied.state.known_by[1, spied.state.n_known[1] - 1] & 0b111 == 0b111


def looked_at(*choices: str) -> DominionGame:
    """Return the game of three players after these choices of the first; all decks hold various cards."""
    deck = "deck 2 Silver, 2 Estate, 2 Copper, Gold"
    hands = " | ".join(f"P{player}: hand 4 Copper, Curse; top Silver, Gold; {deck}" for player in (2, 3))
    kingdom = (*(card.name for card in LOOKING), "Sentry", "Library", "Village")
    top = "Silver, Village, Gold" if choices[0] == "Sentry" else "Village, Gold"
    return after(f"P1: hand {choices[0]}, Curse; top {top}; {deck} | {hands}", *choices, kingdom=kingdom)


def test_costs_that_follow_from_the_cards_in_play_are_shown():
    peddlers = Kingdom(("Peddler", "Village"))
    for phase, cost in (("action", 8), ("treasure", 2), ("buy", 2)):
        game = DominionGame.from_position(
            f"P1: hand Copper, Village; in play 3 Village | turn: P1, 2 coins, {phase} phase", peddlers
        )

        assert game.view(0).costs["Peddler"] == cost
        assert game.contract.observe(game.state, 0)["costs"].get("Peddler", 8) == cost
