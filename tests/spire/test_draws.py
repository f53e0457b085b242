"""`evodom spire draw`: the odds of hands, against closed formulas and the engine."""

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.spire import Setup
from evodom.spire.content.relics import RELICS, Relic
from evodom.spire.draws import Draws
from evodom.spire.engine import layout as at
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.moves import END
from evodom.spire.fights import Fight
from evodom.spire.fights.states import fight_from_state
from tests.cli.program import facts, printed, refusal, run_program


def draws_of(deck, *relics, **options):
    return Draws(Fight(Setup(deck=Counter(deck), relics=relics)), "bash", **options)


def hypergeometric(n_drawn):
    return {k: Fraction(comb(3, k) * comb(22, n_drawn - k), comb(25, n_drawn)) for k in range(4)}


@pytest.mark.parametrize(("relic", "first", "later"), [("Vajra", 5, 5), ("Bag of Preparation", 7, 5), ("Eye", 7, 7)])
def test_without_draws_and_shuffles_hands_are_hypergeometric(relic, first, later, monkeypatch):
    monkeypatch.setitem(RELICS, "Eye", Relic("draw 7 cards a turn", changes={"hand_size": 2}))
    turns = list(draws_of({"Bash": 3, "Strike": 22}, relic).turns(3))
    assert dict(turns[0][0]) == dict(turns[0][1]) == hypergeometric(first)
    assert [dict(odds) for odds in turns[2]] == [hypergeometric(later), hypergeometric(first + 2 * later)]


@pytest.mark.parametrize(
    ("more", "relics"),
    [
        ({"Bash": 1, "Writhe": 1, "Ascender's Bane": 1}, ["Bag of Preparation"]),
        ({"Writhe": 7}, []),  # all innate cards are drawn on turn 1
        ({"Ascender's Bane": 1}, ["Runic Pyramid"]),
        ({"Pommel Strike": 1, "Battle Trance": 1}, ["Coffee Dripper"]),
        ({"Offering": 1, "Shrug It Off": 1, "Writhe": 1}, []),
        ({"Pommel Strike": 5}, ["Lantern"]),  # energy for 4 of 5
    ],
    ids=str,
)
def test_plays_and_shuffles_are_those_of_the_engine(more, relics):
    deck, keeps_hand = Counter({"Bash": 1, "Defend": 3}) + Counter(more), relics == ["Runic Pyramid"]
    fight = Fight(Setup(deck=deck, relics=tuple(relics), enemy_hp=(200,)))
    game = SpireFight(fight.setup)

    def in_hand(state):
        return int(game.view(state).piles[at.HAND, game.rules.kind("Bash")])

    def played(state):
        moves = {game.action_name(move).split(" at ")[0]: move for move in game.actions(state)}
        names = ("Offering", "Pommel Strike", "Shrug It Off", "Battle Trance")
        can = [moves[name] for name in names if name in moves and not game.view(state).powers[at.NO_DRAW]]
        return game.outcomes(state, can[0]).bind(played) if can else certain(state)

    def next_turn(state):
        after = game.outcomes(state, END).bind(played)
        return after.map(lambda end: in_hand(end) - in_hand(state) * keeps_hand).merge()

    first, (turn_1, turn_2) = game.starts().bind(played), Draws(fight, "Bash").turns(2)
    assert (first.map(in_hand).merge(), first.bind(next_turn).merge()) == (turn_1[0], turn_2[0])
    state = first.most_likely()
    begun = Draws(fight_from_state(fight, game, state), "Bash")
    assert (begun.first, next(begun.turns(1))[0]) == (2, next_turn(state))


def test_cards_that_move_chosen_cards_are_not_played_and_too_many_states_are_refused(monkeypatch):
    deck = {"Bash": 1, "Strike": 9, "Burning Pact": 2, "Warcry": 2, "Pommel Strike": 1}
    assert (draws_of(deck).played, draws_of(deck, plays=False).played) == (["Pommel Strike"], [])

    monkeypatch.setattr("evodom.spire.draws.MAX_STATES", 3)
    with pytest.raises(UsageError, match=r"more than 3 states are possible. Try fewer --turns, or --no-plays"):
        list(draws_of(deck).turns(2))


def test_a_copy_that_is_drawn_again_counts_as_the_number_of_copies_or_more():
    draws = Draws(Fight(Setup(deck=Counter({"Pommel Strike": 1, "Strike": 2, "Battle Trance": 1}))), "Pommel Strike")
    assert [tuple(map(dict, turn)) for turn in draws.turns(2)] == [({1: 1}, {1: 1})] * 2  # drawn twice on turn 2


def test_the_command_prints_both_tables():
    shown = printed("spire", "draw", "bash, pommel", "--add", "Pommel Strike", "--remove", "Strike", "--turns", "2")
    assert shown.startswith("Bash, Pommel Strike: 2 of 11 cards. Played: Pommel Strike.\n\ndrawn in turn, %     0 ")
    assert "  0     1  1 or more  2 or more\nturn 1" in shown
    assert " 22.7\nturn 2" in shown  # 84 of 462 hands have both; in a sixth of 126 others, Bash follows
    page = facts("spire", "draw", "Bash", "--deck", "3 Bash, 22 Defend", "--turns", "3")
    assert page["drawn_up_to_its_end"][2]["0"] == pytest.approx(1 - 0.947826, abs=1e-6)
    assert page["drawn_in_turn"][0].keys() == {"0", "1", "2", "3 or more"}
    assert "no card named 'shockwave'" in refusal(run_program("spire", "draw", "shockwave"))
