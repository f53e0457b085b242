"""Build the documents of `evodom benchmark`: the result of an entrant, and the list of the suite's kingdoms."""

from collections.abc import Iterator, Sequence

from evodom.benchmark import OPPONENTS, PLAYERS, BenchmarkResult, Suite
from evodom.presentation import document as doc
from evodom.presentation.format import counted, percent, share_text, short_name


def benchmark_document(result: BenchmarkResult) -> doc.Document:
    """Return the mean win rate, and the table by group of kingdoms, number of players and opponent."""
    n, total = len(result.kingdoms), len(result.suite.kingdoms)
    played = f"{total} kingdoms" if n == total else f"{n} of {total} kingdoms"
    title = f"{short_name(result.name)}, suite {result.suite.version}: {played}, {result.wins.n_games:,} games"
    chance = percent(sum(1 / players for players in PLAYERS) / len(PLAYERS))
    levels = ", ".join(f"{percent(1 / players, 0)} % with {players} players" for players in PLAYERS)
    wins = (doc.percent_column(name.removesuffix(" list")) for name in (*OPPONENTS, "all"))
    columns = doc.columns("kingdoms", doc.DataColumn("players"), *wins)
    main = [
        doc.Paragraph(title),
        doc.Paragraph(f"Wins {share_text(result.wins)} on average; chance level {chance} %."),
        doc.DataTable(columns, list(_rows(result)), name="benchmark"),
        doc.Paragraph(
            "Win rates in %, with 95 % intervals in the last column. The other seats have copies of one opponent; a "
            f"win shared by k players counts 1/k. The chance level is {levels}.",
            "note",
        ),
    ]
    if result.not_played:
        name, reason = next(iter(result.not_played.items()))
        main.append(doc.Paragraph(f"Not played: {', '.join(result.not_played)}. {name}: {reason}", "note"))
    return doc.Document("", [doc.Section("", main)])


def _rows(result: BenchmarkResult) -> Iterator[Sequence[doc.Cell]]:
    groups: dict[str, Sequence[str]] = {group: [group] for group in result.suite.groups} | {"all": result.suite.groups}
    for label, names in groups.items():
        n = len({cell.kingdom for cell in result.cells if cell.group in names})
        for players in PLAYERS if n else ():
            shares = [result.share(names, [players], [name]) for name in OPPONENTS]
            yield (
                f"{label} ({n})",
                players,
                *(share.share for share in shares),
                result.share(names, [players], OPPONENTS),
            )


def suite_document(suite: Suite) -> doc.Document:
    """Return the list of the suite's kingdoms."""
    rows = {each.name: each.cards for each in suite.kingdoms}
    title = f"Suite {suite.version}: {counted(len(rows), 'kingdom')}"
    return doc.Document("", [doc.Section("", [doc.Paragraph(title), doc.Facts(rows)])])
