"""The report as text: what a player reads, within 80 columns."""

import re
import shlex
from dataclasses import replace
from math import inf

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.probe import Answer, Buys
from evodom.report.text import render
from evodom.reports.evolved import portrait
from tests.dominion.helpers import preference, weighing


def test_no_line_is_longer_than_80_columns(report):
    assert max(map(len, render(report).splitlines())) <= 80


def test_the_longest_names_and_numbers_fit_too(saved_entries, report_on):
    entries = saved_entries("k" * 64, n_generations=1, vp_penalty=inf, switch_low=10, switch_high=30)
    text = render(report_on(entries, games=20, seed=2**63 - 1))
    assert max(map(len, text.splitlines())) <= 80


def test_the_last_line_reproduces_the_report(report):
    assert render(report).splitlines()[-1] == "Reproduce this with: evodom report demo --games 100 --seed 3"


def test_a_long_last_command_is_broken_as_a_shell_allows(report):
    command = f"evodom report {'k' * 64} --games 1000000 --seed 123"
    text = render(replace(report, command=command))
    broken = text.split("Reproduce this with:\n")[1]
    assert broken.replace("\\\n", "").split() == command.split()


def test_a_quoted_word_of_the_last_command_is_never_broken(report):
    words = ["evodom", "report", "k" * 64, "--data-dir", "/my  runs/" + "of a day " * 9]
    broken = render(replace(report, command=shlex.join(words))).split("Reproduce this with:\n")[1]
    assert shlex.split(broken.replace("\\\n", "")) == words


def test_par_is_told(report):
    assert "With 4 players, par is 25.0 %." in " ".join(render(report).split())


def test_without_block_characters_the_text_is_ascii(report):
    assert not render(report).isascii()
    assert render(report, blocks=False).isascii()


def test_a_run_of_one_generation_has_a_report(saved_entries, report_on):
    text = render(report_on(saved_entries(n_generations=1), games=20))
    assert "1 generation of 8 strategies" in text


def test_a_run_stopped_early_says_so(saved_entries, report_on):
    entries = saved_entries(n_generations=2)
    entries.facts["options"]["n_generations"] = 50
    assert "2 of 50 generations" in render(report_on(entries, games=20))


def with_answer(report, *buys):
    answers = [Answer("opening", "on the first turn", 40, list(buys))]
    return replace(report, champion=replace(report.champion, answers=answers))


def test_coins_that_buy_the_same_share_a_line(report):
    buys = Buys(0, 1, {"pass": 1.0}), Buys(2, 2, {"Moat": 0.001, "pass": 0.999}), Buys(3, None, {"Silver": 1.0})
    text = render(with_answer(report, *buys))
    assert "On the first turn (%, 40 times each)\n  with $0-2  pass 100\n  with $3+   Silver 100\n" in text


# The champion of each model

KINGDOM = Kingdom(("Chapel", "Smithy", "Village"))
WANTS = {"Province": 0.5, "Gold": 0.3, "Smithy": 0.12, "Silver": 0.08}
ORDER = "Province > Gold > Duchy > Smithy > Village > Chapel > Silver > Copper > Estate > Curse"


def champion_text(report, strategy, owned=KINGDOM.names):
    """Return the section on the champion, its lines joined."""
    text = render(replace(report, champion=portrait(strategy, KINGDOM, 2, owned)))
    return " ".join(text[text.index("The champion") : text.index("Win rates of")].split())


def graded_text(report, owned=KINGDOM.names, **options):
    return champion_text(report, weighing(ORDER, WANTS, kingdom=KINGDOM, **options), owned)


def test_a_graded_champion_draws_among_what_it_can_afford(report):
    text = graded_text(report)
    assert "it draws one of the cards it can afford and wants, by its weights, or passes." in text
    assert "thinks of" not in text


def test_a_champion_is_told_by_what_it_bought_and_not_by_its_weights(report):
    text = graded_text(report)
    assert "buys turns 1-2 turns 3-6 turns 7-12 turn 13 on in all" in text
    silver = report.purchases.by_stage["opening"]["Silver"]
    assert f"Silver {silver:.1f} " in text
    assert "weights early" not in text
    assert "prefers" not in text


def test_limits_orders_and_trash_lists_leave_out_cards_that_are_never_owned(report):
    options = {"limits": {"Smithy": 2, "Village": 1}, "trash": (1, 3), "floor": 5}
    text = graded_text(report, ("Province", "Gold", "Smithy", "Estate", "Copper"), **options)
    assert "at most 2 Smithy worth owning Province > Gold > Smithy > Copper > Estate What" in text
    assert "Village" not in text.split("What it would buy")[0]
    text = graded_text(report, ("Chapel", "Smithy", "Copper", "Estate"), **options)
    assert "trashes early nothing trashes late Copper, Estate keeps Treasures for $5" in text


def test_a_baseline_met_in_evolution_is_marked(report):
    assert "None of them was met in evolution." in render(report)
    met = [replace(one, met=one.baseline == "smithy-duchies") for one in report.baselines]
    text = render(replace(report, baselines=met))
    assert "smithy-duchies *" in text
    assert "Marked with *: a rival in evolution" in text


def test_progress_tells_wins_in_the_race_and_points_where_there_was_none(report):
    wins = report.fitness[-1].summary["race_wins"]
    line = next(line for line in render(report).splitlines() if line.startswith("4  "))
    assert f"{100 * wins:.1f}" in line.split()
    plain = [replace(one, summary={k: v for k, v in one.summary.items() if "race" not in k}) for one in report.fitness]
    text = render(replace(report, fitness=plain))
    assert "points  rounds" in text
    assert f"{report.fitness[-1].summary['best_points']:.2f}" in text


def test_a_champion_is_told_to_buy_what_it_buys_once_its_limit_is_reached(report):
    text = graded_text(report, limits={"Smithy": 1})
    opening, middle = text[text.index("On the first turn") :].split("On the eighth turn")
    assert 50 <= max(map(int, re.findall(r"Smithy (\d+)", opening))) <= 70
    assert max(map(int, re.findall(r"Smithy (\d+)", middle)), default=0) < 30


def test_limits_and_conditions_are_told(report):
    text = graded_text(report, limits={"Smithy": 2, "Village": 1})
    assert "at most 1 Village, 2 Smithy" in text
    assert "at most" not in graded_text(report)


def test_a_champion_that_ranks_cards_tells_what_it_keeps_and_trashes(report):
    text = graded_text(report, trash=(1, 3), floor=5)
    assert "trashes early Curse trashes late Copper, Estate, Curse keeps Treasures for $5" in text
    assert "worth owning Province > Gold > Duchy > Smithy" in text
    assert "trashes early nothing trashes late nothing" in graded_text(report)


def test_a_classic_champion_thinks_of_three_cards_and_has_neither_limits_nor_worths(report):
    text = champion_text(report, preference(WANTS, kingdom=KINGDOM))
    assert "it thinks of up to 3 different cards" in text
    for word in ("at most", "worth", "trash", "keeps"):
        assert word not in text


def test_the_class_of_actions_played_first_comes_first(report):
    text = champion_text(report, preference(WANTS, kingdom=KINGDOM, classes=(0.1, 0.9, 0.0)))
    assert "plays first terminal draw (Smithy); then nonterminal (Village); then terminal (Chapel)" in text


def test_a_champion_that_follows_rules_tells_them_in_order(report):
    text = champion_text(report, baseline("big-money-smithy", KINGDOM))
    assert "At each buy it takes the first that can be had and whose condition holds." in text
    assert "1. Province 2. Duchy if count_in_supply(Province) <= 4" in text


def test_the_report_on_a_classic_run_is_of_a_classic_champion(saved_entries, report_on):
    text = render(report_on(saved_entries(n_generations=1, model="classic"), games=20))
    assert "it thinks of up to 3 different cards" in " ".join(text.split())
    assert "worth owning" not in text
    assert "from early to late preferences after turn 12" in " ".join(text.split())


def test_the_report_on_a_graded_run_is_of_a_graded_champion(report):
    text = render(report)
    assert "worth owning" in text
    assert "evolved, between turns 6 and 25" in " ".join(text.split())
