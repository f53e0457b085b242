"""A fight at the table: what a person types, and what is shown."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evodom.errors import UsageError
from evodom.sessions.fight import FightSession
from evodom.sessions.files import FIGHTS, Slot
from evodom.spire.content.encounters import groups_of
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights import Fight, Payoff, read_fight
from evodom.spire.play.searcher import FightSearchOptions
from evodom.terminal.console import Console
from evodom.terminal.fight import OVER, FightTerminal

QUICK = FightSearchOptions(30, playouts=1)


def table(enemies="Gremlin Nob", *, seed=3, answers=(), budget=QUICK, **setup):
    replies = iter(answers)
    fight = FightSession(Fight(Setup(enemies=groups_of(enemies), **setup)), seed, budget)
    return FightTerminal(fight, Console(lambda _: next(replies, ""), print), Slot(Path("fights/nob.json"), kind=FIGHTS))


def test_a_move_is_played_by_number_and_by_part_of_its_name():
    one, other = table(), table()

    first = one.do("1")
    assert first.startswith("> Bash at Gremlin Nob: Gremlin Nob lost 8 HP\nYou 68/75 HP, energy 1")
    assert other.do("bas") == first


def test_what_was_lost_in_a_turn_is_told_of_everybody():
    fight = table("Jaw Worm")
    fight.do("strike")
    before = fight.session.view.hp.copy()

    told = fight.do("end").splitlines()[0]
    lost = before - fight.session.view.hp
    assert lost[0] >= 0
    assert told == f"> end the turn: you lost {lost[0]} HP" if lost[0] else "> end the turn"


@pytest.mark.parametrize(
    ("word", "letter"), [("hint", "n"), ("help", "?"), ("UNDO", "b"), ("state", "i"), ("end", "e")]
)
def test_words_of_the_other_table_are_understood(word, letter):
    one, other = table(), table()
    assert one.do("bash") == other.do("bash")
    assert one.do(word) == other.do(letter)


def test_nothing_that_is_shown_is_wider_than_a_terminal():
    fight = table("Three Sentries", deck={"Strike": 2, "Defend": 2, "Cleave": 1, "Twin Strike": 1, "Clothesline": 1})
    shown = [fight.position(), *(fight.do(line) for line in ("?", "n", "nn", "e", "x"))]
    assert max(len(line) for text in shown for line in text.splitlines()) <= 80


def test_an_enemy_with_many_statuses_goes_on_in_the_next_line(tmp_path):
    file = tmp_path / "fight.toml"
    table().do(f"save {file}")
    many = "{Strength = 3, Ritual = 4, Vulnerable = 2, Weak = 2, Enrage = 3, Metallicize = 4}"
    file.write_text(many.join(file.read_text().rsplit("{}", 1)))

    lines = table().do(f"load {file}").splitlines()
    assert lines[1].startswith("1  Gremlin Nob 88 HP, intends Bellow, ")
    assert lines[2].startswith("    ")
    assert all(f"{name} " in " ".join(lines[1:3]) for name in ("Strength", "Ritual", "Weak", "Enrage", "Metallicize"))
    assert max(map(len, lines)) <= 80


def test_letters_that_could_mean_two_moves_are_told():
    fight = table(potions=("Strength Potion",))

    with pytest.raises(UsageError, match="'st' could be Strike at Gremlin Nob or Strength Potion"):
        fight.do("st")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9", "there is no move 9; there are 1 to 3, and e"), ("99999999999999999999", "there is no move"),
        ("stirke", "'stirke' is no move and no command. Did you mean Strike at Gremlin Nob?"),
        ("dance", "'dance' is no move and no command"), ("!", "'!' is no move and no command"),
        ("b", "no move to undo"), ("reset", "no move to undo"), ("nn exec", "no line to play"),
        ("n many", "simulations are a number"), ("n -5", "simulations are a number"), ("hp", "hp 40 sets your HP"),
        ("hp 3 10", "there is no enemy 3"), ("hp 0", "HP are 1 to 999"), ("rng maybe", "rng is on or off"),
        ("do 9 Strike", "the draw pile has"), ("do Havoc", "Havoc"), ("save", "save needs a file"),
        ("load nowhere.toml", "nowhere.toml"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_in_one_line(line, message):
    fight = table()
    before = fight.session.state

    with pytest.raises(UsageError, match=message) as told:
        fight.do(line)
    assert "\n" not in str(told.value)
    assert fight.session.state == before


def test_moves_are_taken_back_and_hp_can_be_set():
    fight = table()
    start = fight.position()
    fight.do("bash")
    fight.do("e")

    assert fight.do("b") != start
    fight.do("strike")
    assert fight.do("reset") == start
    assert "You 20/75 HP" in fight.do("hp 20")
    assert "Gremlin Nob 31 HP" in fight.do("hp 1 31")
    assert "You 68/75 HP" in fight.do("reset")


def test_figures_of_every_move():
    lines = table().do("n 50").splitlines()

    assert lines[0].split() == ["visits", "prior", "value", "lost", "move"]
    rows = [line.split() for line in lines[1:5]]
    assert sum(int(row[0]) for row in rows) == 49
    assert sum(int(row[1]) for row in rows) == pytest.approx(100, abs=2)
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines[1:5]]
    for visits, _, value, lost, _ in cells:  # a move of few visits has no number
        assert ((value == "-"), (lost == "-")) == ((int(visits) < 10),) * 2
    assert sorted(cell[4] for cell in cells) == [
        "Bash at Gremlin Nob",
        "Defend",
        "Strike at Gremlin Nob",
        "end the turn",
    ]
    assert "playouts" in " ".join(lines)


def test_the_best_line_is_told_and_played():
    fight = table()
    told = fight.do("nn 100")

    assert told.endswith(". nn exec plays it.")
    played = fight.do("nn exec")
    assert played.startswith("> ")
    assert played.splitlines()[0].count(",") == told.count("(") - 1


def test_the_next_cards_can_be_set():
    fight = table()
    assert fight.do("a") == "Draw pile: 3 Strike, 3 Defend"

    assert "(next: Defend, Strike)" in fight.do("do defend, strike")
    assert "(next" not in fight.do("do")


def test_the_hand_and_the_intent_are_asked_for():
    fight = table("Jaw Worm", seed=1)
    pile = fight.session.view.piles[1]
    first = int(np.flatnonzero(pile)[0])  # six cards are left, and all but one of this kind are drawn
    names = {fight.session.game.rules.kinds[kind].name: int(n) - (kind == first) for kind, n in enumerate(pile) if n}
    hand = ", ".join(f"{n} {name}" for name, n in names.items() if n)
    asked = table("Jaw Worm", seed=1, answers=("bellow", hand))
    asked.do("rng off")

    assert "intends Bellow" in asked.do("e")
    assert asked.do("a") == f"Draw pile: {fight.session.game.rules.kinds[first].name}"


def test_a_hand_that_cannot_be_is_asked_for_again():
    fight = table("Cultist", seed=1, answers=("4 bash", "", "havoc", "", ""))
    fight.do("rng off")

    assert "Hand: " in fight.do("e")


def test_a_position_is_saved_and_gone_on_from(tmp_path):
    fight, file = table(), tmp_path / "fight.toml"
    fight.do("e")
    here = fight.position()
    fight.do(f"save {file}")

    assert read_fight(file).state is not None
    with pytest.raises(UsageError, match="exists"):
        fight.do(f"save {file}")
    fight.do("reset")
    assert fight.do(f"load {file}") == here


def test_a_fight_that_is_over_says_so():
    fight = table("Cultist", hp=5, max_hp=5)
    while not fight.session.over:
        fight.do("e")

    assert fight.position().splitlines() == ["The fight is over: you are dead.", OVER]
    for line in ("e", "1", "n", "nn"):
        with pytest.raises(UsageError, match=r"over|cannot be played"):
            fight.do(line)


def test_a_choice_lists_the_cards():
    fight = table("Cultist", deck={"Burning Pact": 1, "Strike": 2, "Defend": 2})
    shown = fight.do("burning")

    assert "Exhaust a card." in shown
    assert "1 Strike   2 Defend" in shown
    assert fight.do("strike").startswith("> Strike")


def test_what_is_small_enough_is_solved_when_it_is_asked(monkeypatch):
    # Two Strikes win, one a turn, and the Cultist only chants in its first turn: 20 HP are left, plus 6 of Burning
    # Blood. Waiting a turn costs 6 HP, because Ritual has not acted yet.
    options = {"deck": {"Strike": 1, "Wound": 4}, "hp": 20, "enemy_hp": (12,)}
    fight = table("Cultist", budget=FightSearchOptions(20, solve_below=100), **options)
    exact = fight.do("exact")

    assert exact.splitlines()[1:3] == [" 26.000    0.0 %  Strike at Cultist", " 20.000    0.0 %  end the turn"]
    assert fight.do("n") == exact == table("Cultist", **options).do("exact")
    assert "visits" in fight.do("n 20")
    assert fight.do("nn") == "Strike at Cultist (26.00), end the turn (26.00). Exact values; nn exec plays it."
    asked = ["exact", "n", "hint", "nn", "HINT", "n 20", "nn exec", "e", "i"]
    assert [fight.asks_solver(line) for line in asked] == [True] * 5 + [False] * 4
    assert not table("Cultist", **options).asks_solver("n")
    fight.session.fight = replace(fight.session.fight, payoff=Payoff("guaranteed"))
    assert fight.do("exact") == exact.replace("optimal play afterwards", "the HP that no draw can undercut")

    monkeypatch.setattr("evodom.sessions.fight.MAX_CHANCE_NODES", 10)
    with pytest.raises(UsageError, match="too large for the solver"):
        table().do("exact")
