"""Build the document of a comparison of settings: final win rates, tests of differences, learning curves."""

from collections.abc import Iterator
from itertools import groupby

from evodom.comparison.result import Comparison
from evodom.dominion.kingdom import CUSTOM
from evodom.presentation import document as doc
from evodom.presentation.charts import LineChart, estimates
from evodom.presentation.documents.common import copies, in_words
from evodom.presentation.format import counted, interval, percent

SIGNIFICANT = 0.05
"""Adjusted p values below this count as a difference."""

UNITS = {"evolve": "generation", "train": "checkpoint"}
"""Unit of the learning curves of each command."""


def comparison_document(result: Comparison) -> doc.Document:
    """Return the document of a comparison."""
    plan, players = result.plan, result.plan.runs[0].options.players
    kingdoms = plan.kingdoms
    where = f"{len(kingdoms)} kingdoms" if len(kingdoms) > 1 else kingdoms[0].name
    n_settings = counted(len(plan.settings), "setting")
    title = f"{result.key}: {n_settings} of evodom {plan.command}, {counted(len(plan.seeds), 'seed')}"
    judges = in_words(list(dict.fromkeys(name for run in plan.runs for name in run.judges)))
    facts = {
        "kingdom": "ten cards without a name" if where == CUSTOM else where,
        "players": str(players),
        "seeds": ", ".join(map(str, plan.seeds)),
        "opponents": f"{judges}, which no setting trains against",
        "games": f"{plan.games} at each point of a curve, against {copies(players - 1, 'each opponent')}",
    }
    return doc.Document(
        title,
        [
            doc.Section("", [doc.Facts(facts)]),
            doc.Section("Final win rates", [_settings(result), _verdict(result), _runs(result)]),
            doc.Section("Differences", [_differences(result), _tested(result)]),
            doc.Section("Learning curves", [*_curves(result), _curves_csv(result)]),
        ],
        subtitle="evodom compare",
    )


def _settings(result: Comparison) -> doc.DataTable:
    wins = doc.percent_column("wins, %", key="wins")
    columns = doc.columns("setting", wins, *map(doc.percent_column, ("lowest", "highest")))
    rows = [(each.name, each.wins, min(each.finals), max(each.finals)) for each in result.settings]
    title = "Mean over seeds of the final win rate, with Student's 95 % interval, and the range of the seeds"
    return doc.DataTable(columns, rows, title, name="settings")


def _verdict(result: Comparison) -> doc.Paragraph:
    best, *others = result.settings
    first = next(each for each in result.differences if each.better == best.name and each.other == others[0].name)
    end = "the difference is significant" if first.adjusted_p < SIGNIFICANT else "no significant difference"
    points = f"{percent(first.wins.value)} points ({interval(percent(first.wins.low), percent(first.wins.high))})"
    return doc.Paragraph(f"{first.better} wins {points} more than {first.other}; p = {first.adjusted_p:.3g}: {end}.")


def _runs(result: Comparison) -> doc.DataTable:
    columns = doc.columns("setting", "seed", doc.percent_column("wins"))
    seeds = result.plan.seeds
    rows = [
        (each.name, str(seed), wins) for each in result.settings for seed, wins in zip(seeds, each.finals, strict=True)
    ]
    return doc.DataTable(columns, rows, name="runs", media=doc.Media.PAGE | doc.Media.CSV)


def _differences(result: Comparison) -> doc.DataTable:
    p_values = [doc.DataColumn(name, 3) for name in ("p", "adjusted p")]
    columns = doc.columns("better", "than", doc.percent_column("points"), *p_values)
    rows = [(each.better, each.other, each.wins, each.p, each.adjusted_p) for each in result.differences]
    return doc.DataTable(columns, rows, name="differences")


def _tested(result: Comparison) -> doc.Paragraph:
    n = len(result.plan.seeds)
    holm = " Adjusted p values are those of Holm (1979)." if len(result.differences) > 1 else ""
    return doc.Paragraph(
        "Differences are paired over seeds, in points, with Student's 95 % interval. p is that of the exact sign-flip "
        f"permutation test (Fisher 1935). With {n} seeds it is at least {2 / 2**n:.3g}.{holm}",
        "note",
    )


def _curves(result: Comparison) -> Iterator[doc.Chart]:
    """Yield a chart for each group of settings whose curves have the same generations."""
    unit = UNITS[result.plan.command]
    colours = {setting.name: f"c{number}" for number, setting in enumerate(result.settings)}
    by_length = sorted(result.settings, key=lambda setting: setting.generations)
    for generations, settings in groupby(by_length, key=lambda setting: setting.generations):
        series = [estimates(each.name, colours[each.name], each.curve) for each in settings]
        yield doc.Chart(
            f"Win rate by {unit}",
            "Means over seeds in per cent, with bands of Student's 95 % interval.",
            LineChart(generations, series, (unit, "wins, %"), 100 / result.plan.runs[0].options.players),
            is_separate=True,
            media=doc.Media.SHOWN,
        )


def _curves_csv(result: Comparison) -> doc.DataTable:
    columns = doc.columns("setting", *map(doc.DataColumn, (UNITS[result.plan.command], "wins")))
    rows = [
        (each.name, generation, wins)
        for each in result.settings
        for generation, wins in zip(each.generations, each.curve, strict=True)
    ]
    return doc.DataTable(columns, rows, name="curves", media=doc.Media.CSV)
