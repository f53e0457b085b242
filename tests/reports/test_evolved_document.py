"""The report on a run of evolution as a document: text, page and CSV."""

import csv
import re
import shlex
from dataclasses import replace
from math import inf

import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.evolution.algorithm import SEARCH_FIGURES
from evodom.evolution.archive import Archive
from evodom.evolution.proposals import Success
from evodom.matches.probe import BuyProbabilities, Buys
from evodom.presentation import page, text
from evodom.presentation.csv_tables import tables, write_tables
from evodom.presentation.documents.evolved import evolved_document
from evodom.reports.evolved import ChangeResult, profile, search_gains
from evodom.reports.lineage import Ancestor, Lineage
from evodom.reports.mixture import MixedLine
from tests.dominion.helpers import preference, weighing
from tests.presentation.rendered import check, one_line
from tests.web.browser import needs_browser, page_at

SECTIONS = ("plays", "turns", "others", "progress", "hall", "lineage", "game", "strategies", "settings")


def render(report, **how):
    """Return a report as text."""
    return text.render(evolved_document(report), **how)


@pytest.fixture(scope="module")
def with_lineage(report):
    line = [Ancestor(4, 1, "elite", []), Ancestor(3, 2, "child", ["switch"]), Ancestor(2, 5, "new", [])]
    return replace(report, lineage=Lineage(line, [1, 2, 2, 1, 1]))


@pytest.fixture(scope="module")
def html(with_lineage):
    return page.render(evolved_document(with_lineage))


def test_text_page_and_csv_have_the_same_numbers(with_lineage):
    shown, html = check(evolved_document(with_lineage))

    assert "chance level is 25.0 %" in one_line(shown)
    assert shown.endswith(": evodom report demo --evaluation-games 100 --seed 3")
    assert not shown.isascii()
    assert render(with_lineage, block_characters=False).isascii()
    assert re.findall(r'<section id="([a-z]+)"', html) == re.findall(r'<a href="#([a-z]+)"', html) == list(SECTIONS)


def test_every_chart_has_a_caption_and_a_name(html):
    n = html.count("<svg")
    assert n >= 18
    assert html.count('role="img" aria-label="') == n
    assert html.count("<figcaption") == html.count("<figure") >= n
    assert not re.search(r"url\(|@import|://", html)
    assert len(html.encode()) < 2_000_000


def test_a_run_without_origins_has_no_section_on_lineage(report):
    assert 'id="lineage"' not in page.render(evolved_document(replace(report, lineage=None)))


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"n_generations": 1, "players": 2}, ("1 generation of 8 strategies", "chance level is 50.0 %")),
        ({"model": "classic", "players": 6}, ("after turn 12", "chance level is 16.7 %")),
    ],
)
def test_any_run_has_a_document(saved_entries, report_on, options, facts):
    shown, _ = check(evolved_document(report_on(saved_entries(**{"n_generations": 2} | options), games=20)))
    assert all(fact in one_line(shown) for fact in facts)


def test_steps_of_the_lineage_are_counted_by_kind(with_lineage):
    shown, html = check(evolved_document(with_lineage))

    for kind, how in (
        ("elite", "unchanged"),
        ("child", "of two parents"),
        ("new", "random, of the grammar, or an imitation"),
    ):
        assert f"{kind} 1 ({how})" in one_line(shown)
    assert "Steps by kind" in html
    assert with_lineage.to_json()["lineage"]["steps"] == {"elite": 1, "child": 1, "new": 1}


def test_the_gain_of_local_search_is_shown(report):
    summaries = [one.summary for one in report.champions[1:]]
    search = report.search

    # One round in each generation after the first.
    assert (search.rounds, len(summaries)) == (4, 4)
    assert search.games == sum(one["search_games"] for one in summaries)
    assert search.accepted == sum(one["search_accepted"] for one in summaries)
    for given, expected in (
        (search, f"Local search played 4 rounds in {search.games:,} games"),
        (
            replace(search, accepted=3, mean_gain=0.125),
            "accepted 3 changes. An accepted change gained 12.5 % of the wins",
        ),
        (replace(search, accepted=0, mean_gain=None), "and accepted no change."),
    ):
        shown, _ = check(evolved_document(replace(report, search=given)))
        assert expected in one_line(shown)
    assert report.to_json()["search"]["rounds"] == 4
    assert "Local search" not in render(replace(report, search=None))
    assert search_gains([{"best_points": 1.0}]) is None
    assert search_gains([dict.fromkeys(SEARCH_FIGURES, 4), dict.fromkeys(SEARCH_FIGURES, 2)]).mean_gain == 1.0
    changes = {"move rule": Success(1.0, 0.0), "drop card": Success(3.0, 0.006), "take card": Success()}
    found = search_gains([dict.fromkeys(SEARCH_FIGURES, 1) | Archive(successes=changes).to_json()])
    assert found.changes == [ChangeResult("drop card", 0.75, pytest.approx(0.2)), ChangeResult("move rule", 0.25, 0.0)]


def test_the_kinds_of_decks_are_shown_with_the_win_rates_that_they_reached(report):
    archive: list[list[float | None]] = [[None] * 6 for _ in range(3)]
    archive[0][4], archive[2][1] = 0.412, 0.573
    shown, html = check(evolved_document(replace(report, archive=archive)))

    assert "Kinds of decks by Actions and Treasures" in shown
    row = next(line for line in shown.splitlines() if line.strip().startswith("8+"))
    assert "57" in row
    assert "<svg" in html[html.index("Kinds of decks") :]
    assert "Kinds of decks" not in render(replace(report, archive=[]))


def test_the_mixture_is_shown_with_weights_decks_and_win_rates(report):
    shown, _ = check(evolved_document(replace(report, mixture=[MixedLine(3, 0.25, "0-3", "8+", 0.588)])))
    assert "The mixture demo:mixture" in shown
    assert next(line for line in shown.splitlines() if "demo:3" in line).split()[1:] == ["25.0", "0-3", "8+", "58.8"]


def test_settings_say_what_a_run_began_with(report):
    assert "start decks of a grammar, imitations of the shipped network" in one_line(render(report))
    options = report.run["options"] | {"start": "random"}
    assert "start random strategies" in one_line(render(replace(report, run=report.run | {"options": options})))


# CSV


@pytest.fixture
def read(report, tmp_path):
    files = write_tables(evolved_document(report), tmp_path / "new" / "folder")
    assert [file.stem for file in files] == list(tables(evolved_document(report)))

    def table(name):
        with (tmp_path / "new" / "folder" / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    return table


def test_tables_have_the_names_and_columns_that_they_always_had(report):
    headers = {name: csv_text.splitlines()[0] for name, csv_text in tables(evolved_document(report)).items()}
    assert headers == {
        "progress": "generation,big_money_win,big_money_win_low,big_money_win_high,first_generation_win,"
        "first_generation_win_low,first_generation_win_high",
        "generations": "generation,held_out_wins,best_points,rounds,winner_vp,ended_on_piles,cut,diversity",
        "purchases": "stage,card,count",
        "best_purchases": "generation,stage,card,count",
        "final_decks": "generation,card,count",
        "baselines": "baseline,met,rank,win,win_low,win_high,alone,tied,place,vp,others_vp",
        "table": "rank,win,win_low,win_high,vp_mean,vp_p5,vp_p50,vp_p95",
        "seats": "seat,win,win_low,win_high",
        "endings": "ended_by,share",
        "turns": "rank,turn,reached,coins,cards,vp",
        "cards_by_turn": "rank,turn,card,bought,played,owned",
        "hall_of_fame": "champion_of,against,win",
        "lineage": "generation,rank,kind,changed,island",
    }


def test_win_rates_are_those_of_the_json(report, read):
    found = report.to_json()

    expected = [(one["baseline"], one["rank"], one["win"]["share"]) for one in found["baselines"]]
    assert [(row["baseline"], int(row["rank"]), float(row["win"])) for row in read("baselines")] == expected
    progress = [one["against_big_money"]["low"] for one in found["champions"]]
    assert [float(row["big_money_win_low"]) for row in read("progress")] == progress


def test_turns_are_those_of_the_json(report, read):
    found = report.to_json()["turns"]

    assert [float(row["coins"]) for row in read("turns")] == [coins for one in found for coins in one["coins"]]
    for row in read("cards_by_turn"):
        bought = found[int(row["rank"]) - 1]["bought"].get(row["card"])
        assert float(row["bought"]) == (bought[int(row["turn"]) - 1] if bought else 0.0)


# Text


def test_the_longest_names_and_numbers_fit_too(report):
    options = report.run["options"] | {"vp_penalty": inf, "switch_low": 10, "switch_high": 30}
    text = render(replace(report, run=report.run | {"key": "k" * 64, "options": options}, seed=2**63 - 1))
    assert "k" * 64 in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_quoted_word_of_the_last_command_is_never_broken(report):
    words = ["evodom", "report", "k" * 64, "--data-dir", "/my  runs/" + "of a day " * 9]
    broken = render(replace(report, command=shlex.join(words))).split("Repeat:\n")[1]
    assert shlex.split(broken.replace("\\\n", "")) == words


def test_a_run_stopped_early_says_so(report):
    options = report.run["options"] | {"n_generations": 50}
    assert "5 of 50 generations" in render(replace(report, run=report.run | {"options": options}))


def test_coins_that_buy_the_same_share_a_line(report):
    buys = Buys(0, 1, {"pass": 1.0}), Buys(2, 2, {"Moat": 0.001, "pass": 0.999}), Buys(3, None, {"Silver": 1.0})
    answers = [BuyProbabilities("opening", "on the first turn", 40, list(buys))]
    text = render(replace(report, champion=replace(report.champion, answers=answers)))
    assert "coins  buys\n$0-2   pass 100\n$3+    Silver 100\n" in text


# The champion of each model

KINGDOM = Kingdom(("Chapel", "Smithy", "Village"))
WANTS = {"Province": 0.5, "Gold": 0.3, "Smithy": 0.12, "Silver": 0.08}
ORDER = "Province > Gold > Duchy > Smithy > Village > Chapel > Silver > Copper > Estate > Curse"


def champion_text(report, strategy, owned=KINGDOM.names):
    """Return the section on the champion, its lines joined."""
    text = render(replace(report, champion=profile(strategy, KINGDOM, 2, owned)))
    return " ".join(text[text.index("How it plays") : text.index("Turn by turn")].split())


def graded_text(report, owned=KINGDOM.names, **options):
    return champion_text(report, weighing(ORDER, WANTS, kingdom=KINGDOM, **options), owned)


def test_a_graded_champion_draws_among_what_it_can_afford(report):
    text = graded_text(report)
    assert "draws each buy by its weights, among passing and the cards that it can afford" in text


def test_a_champion_is_described_by_its_purchases_and_not_by_its_weights(report):
    text = graded_text(report)
    silver = report.purchases.by_stage["opening"]["Silver"]
    assert f"Silver {silver:.1f} " in text
    assert "weights early" not in text
    assert "prefers" not in text


def test_limits_orders_and_trash_lists_leave_out_cards_that_are_never_owned(report):
    options = {"limits": {"Smithy": 2, "Village": 1}, "trash": (1, 3), "floor": 5}
    text = graded_text(report, ("Province", "Gold", "Smithy", "Estate", "Copper"), **options)
    assert "at most 2 Smithy deck values Province > Gold > Smithy > Copper > Estate The" in text
    assert "Village" not in text.split("at most")[1].split("On the first turn")[0]
    text = graded_text(report, ("Chapel", "Smithy", "Copper", "Estate"), **options)
    assert "trashes early nothing trashes late Copper, Estate keeps Treasures for $5" in text


def test_a_baseline_met_in_evolution_is_marked(report):
    assert " *" not in render(report)
    met = [replace(one, met=one.baseline == "smithy-duchies") for one in report.baselines]
    text = render(replace(report, baselines=met))
    assert "smithy-duchies *" in text
    assert "* was a training opponent" in one_line(text)


def test_progress_has_wins_against_held_out_baselines_or_points(report):
    wins = report.champions[-1].summary["held_out_wins"]
    line = next(line for line in render(report).splitlines() if line.startswith("  4  "))
    assert f"{100 * wins:.1f}" in line.split()
    plain = [
        replace(one, summary={k: v for k, v in one.summary.items() if k != "held_out_wins"}) for one in report.champions
    ]
    text = render(replace(report, champions=plain))
    assert "points  rounds" in text
    assert f"{report.champions[-1].summary['best_points']:.2f}" in text


def test_purchases_of_a_champion_are_those_after_its_limit_is_reached(report):
    text = graded_text(report, limits={"Smithy": 1})
    opening, middle = text[text.index("On the first turn") :].split("On the eighth turn")
    assert 50 <= max(map(int, re.findall(r"Smithy (\d+)", opening))) <= 70
    assert max(map(int, re.findall(r"Smithy (\d+)", middle)), default=0) < 30


def test_a_champion_that_ranks_cards_has_lists_of_kept_and_trashed_cards(report):
    text = graded_text(report, trash=(1, 3), floor=5)
    assert "trashes early Curse trashes late Copper, Estate, Curse keeps Treasures for $5" in text
    assert "deck values Province > Gold > Duchy > Smithy" in text
    assert "trashes early nothing trashes late nothing" in graded_text(report)


def test_a_classic_champion_draws_three_cards_and_has_no_limits_or_card_values(report):
    text = champion_text(report, preference(WANTS, kingdom=KINGDOM))
    assert "draws up to 3 different cards" in text
    for word in ("at most", "deck values", "trash", "keeps"):
        assert word not in text


def test_the_class_of_actions_played_first_comes_first(report):
    text = champion_text(report, preference(WANTS, kingdom=KINGDOM, classes=(0.1, 0.9, 0.0)))
    assert "plays first terminal draw (Smithy); then nonterminal (Village); then terminal (Chapel)" in text


def test_a_champion_that_follows_rules_has_them_in_order(report):
    text = champion_text(report, baseline("big-money-smithy", KINGDOM))
    assert "the first rule that it can afford" in text
    assert "1 Province 2 Duchy if count_in_supply(Province) <= 4" in text


def test_the_report_on_a_graded_run_is_of_a_graded_champion(report):
    text = render(report)
    assert "deck values" in text
    assert "an evolved turn from 6 to 25" in one_line(text)


# In a browser


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_in_a_browser_the_page_is_as_wide_as_the_screen_and_no_wider(html, width, chromium):
    with page_at(chromium, "about:blank", width=width) as page:
        page.set_content(html)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        root, main, pictures = (page.locator(part) for part in ("html", "main", "svg"))

        assert root.evaluate("(each) => each.scrollWidth") == main.evaluate("(each) => each.clientWidth") == width
        assert pictures.count() == html.count("<svg")
