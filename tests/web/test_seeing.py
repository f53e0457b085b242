"""Nothing that a person cannot know leaves the server: every answer of games is looked at.

An answer is computed once more from a game in which all that the person cannot know is dealt anew (`redeal`, which
tests of its own check), and in whose log every card that the person did not see is another. It has to be the same.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

from evodom.dominion.effects.ops import Zone
from evodom.web.dominion_view import GamePool, seen
from tests.effort import effort

from .served import Player

ENVELOPE = ("name", "news", "waiting")
SEED = 987654321012
MOST_ANSWERS = effort(120, 30, 30)


def answers_of(served, *players, kingdom, rng):
    """Play a game at random; yield the state of every answer with the match as it was then."""
    player = Player(served)
    player.begin(*players, kingdom=kingdom, seed=SEED)
    match = served.site.part(GamePool).seat(player.state["name"]).session
    while True:
        yield player, match
        if player.state["over"]:
            return
        if player.state["seat"] is None and rng.random() < 0.9:
            player.look(player.state["asked"])
        elif rng.random() < 0.05:
            player.undo()
        elif rng.random() < 0.05:
            player.look(int(rng.integers(len(players))), log="all")
        elif player.state["seat"] is not None:
            player.choose(*player.answers(rng))


def dealt_anew(match, seat, rng):
    """Put a game into a match in which all that a seat cannot know is drawn, also in what its log tells."""
    real = match.game
    match.game = real.redeal(seat, rng)
    match.game.discards = [["?"] * (len(pile) - 1) + pile[-1:] for pile in real.discards]
    match.game.events = [event if event.is_seen(seat) else changed(event, real, rng) for event in real.events]
    return real


def changed(event, game, rng):
    names = [card.name for card in game.piles]
    return replace(event, cards=tuple(names[index] for index in rng.integers(len(names), size=len(event.cards))))


@pytest.mark.parametrize(
    ("players", "kingdom"),
    [
        (("@You", "random", "big-money-militia"), "Militia, Library, Sentry, Bandit, Moat, Harbinger, Vassal, Cellar"),
        (("random", "@You"), "Spy, Thief, Bureaucrat, Artisan, Throne Room, Council Room"),
        (("@You", "network"), "Sentry, Artisan, Throne Room, Village, Laboratory, Harbinger"),
        (
            ("@Ann", "random", "@Ben"),
            "Militia, Sentry, Bureaucrat, Library, Masquerade, Throne Room, Secret Passage, Mine",
        ),
        (
            ("@You", "random"),
            "Haven, Native Village, Island, Blockade, Crystal Ball, Watchtower, Pirate, Clerk, Outpost",
        ),
        (("@Ann", "random", "@Ben"), "Haven, Native Village, Lookout, Corsair, Tiara, War Chest, Tide Pools, Sailor"),
    ],
)
def test_every_answer_of_a_game_holds_only_what_the_person_may_know(served, players, kingdom):
    rng = np.random.default_rng(6)
    n_answers = n_other_hands = n_unseen = 0
    for player, match in answers_of(served, *players, kingdom=kingdom, rng=rng):
        told = {key: value for key, value in player.state.items() if key not in ENVELOPE}
        if told["over"] or n_answers == MOST_ANSWERS:
            break
        seat, whole = told["seat"], len(told["log"]) > 0 and told["log"][0]["index"] == 0
        assert str(SEED) not in json.dumps(told)
        # Where nobody's hand is shown, nothing may depend on what any seat alone knows.
        for knower in range(len(players)) if seat is None else (seat,):
            real = dealt_anew(match, knower, rng)
            again = json.loads(json.dumps(seen(match, seat, whole_log=whole)))
            n_other_hands += differs(real, match.game, knower)
            n_unseen += sum(not event.is_seen(knower) for event in real.events)
            match.game = real
            assert again == told
        n_answers += 1
    assert n_answers > 20
    assert n_other_hands > n_answers / 2
    assert n_unseen > n_answers


def differs(real, other, seat):
    """Tell whether another player holds other cards: else the test would look at nothing."""
    return any(
        real.cards(Zone.HAND + each) != other.cards(Zone.HAND + each) for each in range(real.n_players) if each != seat
    )
