"""A game looked back at: what was given away, in words, and how the chances went."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.game import Consequence
from evodom.dominion.strategies.models.networks.shipped import usable_weights
from evodom.errors import UsageError
from evodom.matches.mistakes import AskedChoice
from evodom.matches.playout_search import Verdict
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import Slot, write_session
from evodom.sessions.review import Review, Split, review
from evodom.terminal.console import Console, SessionEnd
from evodom.terminal.dominion import DominionTerminal
from evodom.terminal.ending import DIGITS, curve_lines, review_lines
from tests.networks import ship, spoil_shipped_network

from .helpers import Typist, make_setup, play_session

SLOT = Slot(Path("demo.json"))


@pytest.fixture(autouse=True)
def shipped(monkeypatch):
    """Have a network that buys money, and few rollouts."""
    ship(monkeypatch, 40)


def played(*choices, opponent="big-money", **options):
    """Return a match in which the person has chosen, at each buy one card."""
    match = DominionSession(make_setup(opponent, n_players=2, **options))
    for choice in choices:
        match.play_on()
        match.choose(choice)
    return match


def test_a_blunder_is_told_with_the_position_and_the_better_choice():
    found = review(played("Curse", "Curse", "Curse", "Curse", seed=2))

    verdict = max(found.verdicts, key=lambda one: one.lost)
    asked = found.asked[verdict.moment]
    assert asked.name(verdict.choice) == "Curse"
    assert verdict.lost > 0.1
    assert verdict.best_share - verdict.share == pytest.approx(verdict.lost, abs=1e-6)
    shares = f"Curse {verdict.share:.0%}, better {asked.text(verdict.best)} {verdict.best_share:.0%}".replace("%", " %")
    assert f"turn {asked.turn}, ${asked.coins}: {shares} (" in " ".join(review_lines(found, SLOT)).replace("    ", " ")


def test_the_same_game_gives_the_same_review_and_stays_as_it_is():
    match = played("Silver", "Silver", "pass")
    before = match.game.state.tobytes()

    one, two = review(match), review(match)

    assert one.turns == (1, 2, 3, 4)
    assert one.chances.shape == (4, 2)
    assert np.allclose(one.chances.sum(axis=1), 1.0)
    assert one.verdicts == two.verdicts
    assert (one.chances == two.chances).all()
    assert match.game.state.tobytes() == before
    with pytest.raises(UsageError, match="nothing was chosen in this game yet"):
        review(played())


@pytest.mark.parametrize("choices", [("Curse",) * 4, ("Silver",), ("pass",) * 200], ids=["unfinished", "one", "over"])
def test_own_decisions_those_of_others_and_luck_add_up_to_each_change(choices):
    match = DominionSession(make_setup("random", "big-money", n_players=3, seed=2))
    for choice in choices:
        match.play_on()
        if match.decision:
            match.choose(choice)

    found = review(match)

    split, curve = found.split, found.chances[:, found.seat]
    assert len(split.own) == len(found.turns) - 1
    assert split.own + split.others + split.luck == pytest.approx(np.diff(curve))
    assert sum(value for value, _ in found.causes.values()) == pytest.approx(curve[-1] - curve[0])
    assert found.over == (len(choices) == 200)
    assert all(error >= 0 for _, error in found.causes.values())
    own = split.own.sum()
    assert found.causes["your mistakes"][0] + found.causes["your good choices"][0] == pytest.approx(own)


def choose_first(match, *names):
    """Choose the first of the names that is possible until the game is over."""
    match.play_on()
    while match.decision:
        there = [answer.name for answer in match.decision.consequences]
        match.choose(next(name for name in names if name in there))
        match.play_on()


def test_a_loss_by_blunders_is_put_down_to_own_decisions(monkeypatch):
    monkeypatch.setattr("evodom.matches.playout_search.EFFECTS_PLAYOUTS", 400)
    match = played(seed=2)
    choose_first(match, "Curse", "pass")

    found = review(match)
    own, error = found.split.own.sum(), found.split.own_error

    assert own < -3 * error < 0
    assert found.over
    assert found.chances[-1].tolist() == [0.0, 1.0]
    assert "at the end:" in "\n".join(curve_lines(found))


def test_a_bad_opponent_is_put_down_to_the_decisions_of_opponents(monkeypatch):
    monkeypatch.setattr("evodom.matches.playout_search.EFFECTS_PLAYOUTS", 400)
    match = played(opponent="random", seed=3)
    choose_first(match, "Province", "Gold", "Silver", "pass")

    found = review(match)

    others, error = found.causes["opponents' decisions"]
    assert found.chances[-1].tolist() == [1.0, 0.0]
    assert others > 1.5 * error > 0


def example(lost):
    """Return a review of two choices that gave these shares away."""
    gain = (Consequence(0, "Gold", "buy Gold"), Consequence(1, "Laboratory", "buy Laboratory"))
    menu = (Consequence(0, "coins", "+$2"), Consequence(1, "trash", "trash 2 cards from your hand"))
    asked = (
        AskedChoice(9, "9", "Buy phase", 6, "buy", gain, 40),
        AskedChoice(10, "10 (extra)", "Steward", None, "choose", menu, 44),
    )
    verdicts = tuple(Verdict(place, 0, 1 if one else 0, 0.41, 0.41 + one, one, 0.012) for place, one in enumerate(lost))
    chances = np.array([[0.5, 0.5], [0.41, 0.59], [1.0, 0.0]])
    parts = (np.array(one) for one in ([-0.06, 0.1], [0.02, -0.01], [-0.05, 0.5]))
    split = Split(*parts, 0.012, 0.02, 0.04)
    return Review(("You", "big-money"), 0, asked, verdicts, (9, 10, 11), chances, True, split)


def test_a_review_has_the_total_loss_the_mistakes_the_causes_and_the_curve():
    lines = review_lines(example([0.06, 0.02]), SLOT, block_characters=False)

    for line in (
        "  turn 9, $6: Gold 41 %, better Laboratory 47 % (6.0 ± 2.4 points)",
        "  turn 10 (extra), Steward: +$2 41 %, better trash 2 cards from your hand 43 %",
        "  your mistakes          -8.0 ± 3.3 points",
        "  your good choices     +12.0 ± 4.1 points",
        "  opponents' decisions   +1.0 ± 3.9 points",
        "  luck of the draw      +45.0 ± 7.8 points",
        "  evodom play demo --from-turn 9",
        "  You       549 100 %",
        "  big-money 550   0 %",
    ):
        assert line in lines
    text = " ".join(lines)
    assert text.startswith("2 of 2 choices")
    assert "lost 8.0 ± 3.3 points. ± is a 95 % interval." in " ".join(text.split())
    assert "+50.0 points" in text
    none = " ".join(review_lines(example([0.0, 0.0]), SLOT))
    assert none.startswith("None of 2 choices")
    assert "better" not in none
    blocks, digits = curve_lines(example([0.0])), curve_lines(example([0.0]), block_characters=False)
    assert "▅▄█" in blocks[1]
    assert set(digits[1].split()[1]) <= set(DIGITS)


@pytest.mark.parametrize(
    ("n", "heading", "more"),
    [(1, "The mistake:", []), (3, "All mistakes:", []), (10, "The costliest:", ["7 more mistakes:"])],
)
def test_a_review_leads_to_the_mistakes_that_it_leaves_out(n, heading, more):
    few = example([0.06, 0.02])
    found = replace(few, verdicts=tuple(replace(few.verdicts[0], lost=0.01 * place) for place in range(1, n + 1)))
    every = [f"{place:.1f}" for place in range(n, 0, -1)]
    for full, n_shown in ((False, 3), (True, n)):
        lines = review_lines(found, SLOT, full=full)
        lost = [line.partition("(")[2].split()[0] for line in lines if line.startswith("  turn 9")]
        assert lost == every[:n_shown]
        assert [line for line in lines if "more" in line] == ([] if full else more)
        assert ("  evodom play demo --review --full" in lines) == bool(more and not full)
        assert (heading in lines) == (not full or n <= 3)


def test_a_finished_game_is_kept_for_its_review(tmp_path):
    match = played("Silver", seed=4)
    match.play_on()
    typist = Typist(*["0"] * 200)
    slot = Slot(tmp_path / "demo.json")
    write_session(slot.path, match)
    session = DominionTerminal(match, Console(typist.read, typist.write), slot, is_saved=True, offers_review=True)

    assert session.run() is SessionEnd.OVER
    assert "evodom play demo --review" in typist.text
    assert "choices was" not in typist.text.replace("choices were", "choices was")
    assert read_game(slot.path).choices == match.choices


def test_the_review_is_shown_at_the_end_if_asked_for(tmp_path):
    match = played(*["Silver"] * 3, seed=4)

    class Reviewer(Typist):
        def next_line(self):
            return "y" if match.game.is_over else "0"

    typist = Reviewer()
    session = DominionTerminal(
        match, Console(typist.read, typist.write), Slot(tmp_path / "demo.json"), offers_review=True
    )

    assert session.run() is SessionEnd.OVER
    assert " choices w" in typist.text.split("y = yes, Enter = no")[1]


def test_a_hint_tells_the_chances_of_each_choice_and_without_a_network_says_so(tmp_path, monkeypatch):
    match = played("Silver")
    match.play_on()
    before = match.game.state.tobytes()
    typist = Typist("hint", "quit")
    play_session(match, typist, tmp_path)

    assert "Silver" in typist.text.split("Win probabilities")[1]
    assert match.game.state.tobytes() == before

    spoil_shipped_network(monkeypatch)
    monkeypatch.setattr("evodom.sessions.review.usable_weights", usable_weights)
    typist = Typist("hint", "quit")
    play_session(played("Silver"), typist, tmp_path)

    assert "the network of all kingdoms cannot be used" in " ".join(typist.text.split())
