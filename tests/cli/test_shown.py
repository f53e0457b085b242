"""The text that commands print: facts of each, in lines of at most 80 columns."""

import shlex

import pytest

from tests.cli.program import run_program

SHOWN = r"""
cards --edition 1 | Feast* & Copper & \n* in the first edition only\n & -Sentry
cards --edition 2 | Sentry & Copper & -Feast & -first edition only
cards | Feast* & Copper & \n* in the first edition only\n & -Moat*
cards THRONE-ROOM | card      Throne Room\n & cost      $4\n & types     Action\n & edition   first and second\n
cards throne room | kingdoms  Size Distortion, Sleight of Hand, Silver & class     nonterminal (strategies order
cards Province | \nVP        6\n & -\nedition & -\nclass
cards Curse | \nVP        -1\n & -\nedition & -\nclass
cards Gardens | \nVP        1 for every 10 cards\n & \nedition & -\nclass
cards Copper | \nkingdoms  all: every Supply has it\n & -\nedition & -\nclass
cards Colony | \nVP        10\n & -\nedition & -\nclass
cards Bridge | \nset       Intrigue\n & -\nedition & \nclass
cards Poacher | \nedition   second\n & \nclass
cards Feast | \nedition   first\n & \nclass
cards Smithy | \nclass     terminal draw (strategies order their Actions by class)\n & \nedition
cards Corsair | \nclass     terminal (strategies order their Actions by class)\n & -\nedition
kingdoms Moat --seed 1 | A kingdom without a name\n & * drawn with seed 1\n & Moat   & -Moat*
kingdoms deck top | Deck Top\n & \nIts cards: Artisan, Bureaucrat, & \nVillage & -drawn
kingdoms Deck-Top | \nEvolve in it: evodom evolve demo --kingdom deck-top\n
risk odds 20 20 | Risk: 20 attackers (one stays behind) against 20 defenders\n
risk odds 20 20 | 57.75 % & attackers      20  15.2   4.8
risk odds 20 20 | For 80 %, 25 attackers are needed: they have 81.86 %.
risk odds 3 3 --exact | Exactly: 692225/3359232\n
risk odds 5 0 | : 100.00 %
risk odds 1 3 | : 0.00 %
risk odds 20 --chain 5,3,2 | against 5+3+2 defenders
risk stop 12 8 | unit 1, territory 3, defender 0.5 & Attack: this gains 0.04 more
risk stop 20 20 | Stop now. & \n   20  never\n
tournament random big-money --games 100 | Compare neighbours by the mark ~
tournament random big-money --match-games 100 --format elimination | -Compare neighbours
tournament big-money big-money-militia --games 20 | After 20 games no significant difference (95 % confidence): big-
tournament big-money big-money-militia --games 20 | \n1~  big-money
match random big-money big-money --games 300 | Match in First Game: 300 games of 3, seed 1\n & x2    66.7  100.0
match random big-money big-money --games 300 | Win rate by seat & ended by  last Province
match random big-money --games 100 --kingdom witch,random | Match: 100 games of 2, seed 1\n\nKingdom: Witch; drawn:
match random big-money --games 100 --kingdom witch,random | -copies together
match random big-money --players 3 --games 100 | x2           two copies together\n & -x3
"""
"""Commands, and parts of their text. Those after a minus are not in it. Contests have seed 1."""


def cases():
    """Yield the words and the facts of each line of the table."""
    for line in SHOWN.strip().splitlines():
        words, _, facts = line.partition(" | ")
        yield words, [fact.replace(r"\n", "\n") for fact in facts.split(" & ")]


@pytest.mark.parametrize(("words", "facts"), list(cases()))
def test_text_has_its_facts(tmp_path, words, facts):
    more = "--seed 1 --quiet" if words.startswith(("match", "tournament")) else ""
    result = run_program(*shlex.split(f"{words} {more}"), EVODOM_DATA_DIR=str(tmp_path), COLUMNS="80")

    assert (result.exit_code, result.stderr) == (0, "")
    text = f"\n{result.stdout}\n{' '.join(result.stdout.split())}"
    assert [fact for fact in facts if (fact.removeprefix("-") in text) == fact.startswith("-")] == []
    assert max(map(len, result.stdout.split("Repeat:")[0].split("Its cards:")[0].splitlines())) <= 80
