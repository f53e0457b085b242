"""Draw the charts of a report on a run of evolution, and build the tables that only its CSV files have."""

from collections.abc import Callable, Iterator, Sequence

from evodom.evolution.cells import AMOUNT_LABELS, TREASURE_LABELS
from evodom.presentation.charts import Bar, BarChart, HeatMap, LineChart, Series, estimate_bar, estimates
from evodom.presentation.document import Cell, Chart, DataColumn, DataTable, Media
from evodom.presentation.documents import common
from evodom.presentation.format import NO_BREAK_HYPHEN
from evodom.reports.evolved import Report
from evodom.reports.lineage import Lineage
from evodom.reports.measure import STAGES, ByTurn

MIN_PURCHASES = 0.05
"""Minimum mean number of purchases of a card in some generation. Other cards are left out."""

BAR_NOTE = "Whiskers: 95 % intervals (Wilson). Pale: shared wins. Dashed: chance level."


class EvolvedCharts:
    """The charts of one report."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._players: int = report.run["options"]["players"]
        self._chance = 1 / self._players
        self._colours = common.card_colours(report.run["options"]["kingdom"])

    def win_rates(self) -> Chart:
        """Return the win rates of the champions by generation, in text as sparklines."""
        found, others = self._report.champions, self._players - 1
        series = [
            estimates(
                f"against {common.copies(others, common.BIG_MONEY_NAME)}",
                "c0",
                [champion.against_big_money for champion in found],
            ),
            estimates(
                "against the best of generation 0", "c1", [champion.against_first_generation for champion in found]
            ),
        ]
        note = "Win rate of each generation's champion, %, with 95 % intervals. Dashed: chance level."
        axes = "generation", "%"
        drawing = LineChart([champion.generation for champion in found], series, axes, 100 * self._chance)
        return Chart("Win rate by generation", note, drawing, media=Media.SHOWN)

    def turns(self) -> Iterator[Chart]:
        """Yield the charts of the games of the best, turn by turn."""
        yield self._by_turn("Coins by turn", "At the first buy of each turn.", "coins", lambda player: player.coins)
        yield self._by_turn("Victory points by turn", "At the end of each turn.", "VP", lambda player: player.vp)
        yield from common.turn_charts(self._report.turns[0], self._colours)
        note = "In hand and in play at the first buy of each turn: five if no Action was played."
        yield self._by_turn("Cards by turn", note, "cards", lambda player: player.cards)

    def _by_turn(self, title: str, note: str, unit: str, values: Callable[[ByTurn], Sequence[float]]) -> Chart:
        turns = self._report.turns
        n = min(player.n_turns for player in turns)
        series = [Series(f"#{player.rank}", f"c{player.rank - 1}", values(player)[:n]) for player in turns]
        return Chart(title, note, LineChart(range(1, n + 1), series, ("turn", unit)))

    def others(self, training_note: str) -> Iterator[Chart]:
        """Yield charts: win rates by baseline, of the best strategies at one table, by seat, and the ends of games."""
        report, games, chance = self._report, self._report.best_games, self._chance
        rows = [
            estimate_bar(result.baseline + common.MET_MARK * result.met, result.win, tied=result.tied / 2)
            for result in report.baselines
            if result.rank == 1
        ]
        note = f"Win rate against {common.copies(self._players - 1, 'each baseline')}, %. {BAR_NOTE} {training_note}"
        yield Chart("Champion's win rate by baseline", note, BarChart(rows, chance))
        rows = [
            estimate_bar(f"#{entrant.rank}: {entrant.vp.mean:z.1f} VP", entrant.win, colour=f"c{entrant.rank - 1}")
            for entrant in games.entrants
        ]
        yield Chart(
            "The best strategies against each other", "Win rate at one table, %, and mean VP.", BarChart(rows, chance)
        )
        rows = [estimate_bar(f"seat {seat}", win, colour="c7") for seat, win in enumerate(games.seats, 1)]
        yield Chart("Win rate by seat", "In %. Each strategy has each seat equally often.", BarChart(rows, chance))
        rows = [Bar(common.ENDINGS[end], share, colour="c2") for end, share in games.ended.items()]
        note = "Share of the games of the best strategies, %. The turn limit is 100 turns for each player."
        yield Chart("How games end", note, BarChart(rows, scale=1.0))

    def progress(self) -> Iterator[Chart]:
        """Yield the charts over all generations: decks, diversity, purchases, length of games."""
        found = self._report.champions
        decks = {name: [champion.deck[name] for champion in found] for name in found[0].deck}
        caption = "Final deck by generation", "Mean final deck of each generation's champion against Big Money."
        generations = [champion.generation for champion in found]
        yield common.stacked(caption, generations, decks, "generation", self._colours, common.MIN_COPIES)
        note = "Mean difference between the preferences of two strategies, 0 to 1."
        yield self._summary("Diversity by generation", note, {"diversity": "diversity"})
        yield from self._purchases()
        note = "Mean length of each generation's games in rounds, and the winners' mean VP."
        yield self._summary("Length of games by generation", note, {"rounds": "rounds", "winner_vp": "winner's VP"})

    def _summary(self, title: str, note: str, fields: dict[str, str]) -> Chart:
        known = [summary for summary in self._report.generations if all(summary[field] is not None for field in fields)]
        if not known:
            return Chart(title, f"{note} This run has no such data.", None)
        series = [
            Series(name, f"c{index}", [float(summary[field]) for summary in known])
            for index, (field, name) in enumerate(fields.items())
        ]
        return Chart(title, note, LineChart([summary["generation"] for summary in known], series, ("generation", "")))

    def _purchases(self) -> Iterator[Chart]:
        """Yield the purchases of the best quarter of each generation, a chart for each stage of the game."""
        found = self._report.best_purchases
        columns = [str(purchases.generation) for purchases in found]
        note = "Mean buys per game, in games of the best quarter against each other."
        stages = [purchases.bought.by_stage for purchases in found]
        top = max(count for by_stage in stages for counts in by_stage.values() for count in counts.values())
        for stage in STAGES:
            by_stage = [purchases.bought.by_stage[stage.name] for purchases in found]
            by_card = {name: [counts[name] for counts in by_stage] for name in by_stage[0]}
            shown = {name: counts for name, counts in by_card.items() if max(counts) >= MIN_PURCHASES}
            if shown:
                values = list(shown.values())
                drawing = HeatMap(list(shown), columns, values, ("generation", "card"), top=top, unit="buys")
                yield Chart(f"Buys of the best quarter, {stage.when.replace('-', NO_BREAK_HYPHEN)}", note, drawing)

    def hall_of_fame(self) -> Chart:
        """Return the heat map of win rates between champions of different generations."""
        hall = self._report.hall_of_fame
        names = [str(generation) for generation in hall.generations]
        drawing = HeatMap(names, names, hall.wins, ("opponents' generation", "champion's generation"), 0, unit="%")
        return Chart("Champions of different generations", "Win rate of the row's champion.", drawing, is_separate=True)

    def archive(self) -> Chart:
        """Return the heat map of the strengths that the kinds of decks reached."""
        note = "Win rate against the training opponents."
        return Chart("Kinds of decks", note, archive_map(self._report.archive), is_separate=True)

    def lineage(self, lineage: Lineage) -> Iterator[Chart]:
        """Yield the ranks of the champion's ancestors, and their number by generation."""
        line = lineage.line[::-1]
        ranks = Series("rank", "c0", [float(ancestor.rank) for ancestor in line])
        drawing = LineChart([ancestor.generation for ancestor in line], [ranks], (lineage.unit, "rank"))
        yield Chart("Ranks of the champion's ancestors", "1 is the best of its generation.", drawing)
        if lineage.n_ancestors:
            xs = range(lineage.first, lineage.first + len(lineage.n_ancestors))
            counts = Series("ancestors", "c2", [float(n) for n in lineage.n_ancestors])
            note = "Number of strategies of each generation from which the champion descends."
            yield Chart("Ancestors by generation", note, LineChart(xs, [counts], ("generation", "strategies")))


def archive_map(archive: Sequence[Sequence[float | None]]) -> HeatMap:
    """Return the heat map of `strongest_by_cell`."""
    return HeatMap(AMOUNT_LABELS, TREASURE_LABELS, archive, ("Treasures without Coppers", "Actions"), 0, unit="%")


Rows = Iterator[Sequence[Cell]]


def evolved_tables(report: Report) -> list[DataTable]:
    """Return the tables of the CSV files. Shares are numbers from 0 to 1."""
    return [
        _table("progress", "generation big_money_win first_generation_win", _progress(report)),
        _table(
            "generations", " ".join(report.generations[0]), (list(summary.values()) for summary in report.generations)
        ),
        _table("purchases", "stage card count", _purchases(report)),
        _table("best_purchases", "generation stage card count", _best_purchases(report)),
        _table("final_decks", "generation card count", _decks(report)),
        _table("baselines", "baseline met rank win alone tied place vp others_vp", _baselines(report)),
        _table("endings", "ended_by share", iter(report.best_games.ended.items())),
        _table("turns", "rank turn reached coins cards vp", _turns(report)),
        _table("cards_by_turn", "rank turn card bought played owned", _cards(report)),
        _table("hall_of_fame", "champion_of against win", _hall_of_fame(report)),
        _table("lineage", "generation rank kind changed island", _lineage(report)),
    ]


def _table(name: str, columns: str, rows: Rows) -> DataTable:
    return DataTable([DataColumn(column) for column in columns.split()], list(rows), name=name, media=Media.CSV)


def _progress(report: Report) -> Rows:
    for champion in report.champions:
        yield champion.generation, champion.against_big_money, champion.against_first_generation


def _purchases(report: Report) -> Rows:
    for stage, counts in report.purchases.by_stage.items():
        yield from ((stage, card, count) for card, count in counts.items())


def _best_purchases(report: Report) -> Rows:
    for purchases in report.best_purchases:
        for stage, counts in purchases.bought.by_stage.items():
            yield from ((purchases.generation, stage, card, count) for card, count in counts.items())


def _decks(report: Report) -> Rows:
    for champion in report.champions:
        yield from ((champion.generation, card, count) for card, count in champion.deck.items())


def _baselines(report: Report) -> Rows:
    for result in report.baselines:
        figures = result.alone, result.tied, result.place, result.vp, result.others_vp
        yield result.baseline, int(result.met), result.rank, result.win, *figures


def _turns(report: Report) -> Rows:
    for player in report.turns:
        for at in range(player.n_turns):
            yield player.rank, at + 1, player.reached[at], player.coins[at], player.cards[at], player.vp[at]


def _cards(report: Report) -> Rows:
    for player in report.turns:
        none = [0.0] * player.n_turns
        for card in sorted({*player.bought, *player.played, *player.deck}):
            columns = (counts.get(card, none) for counts in (player.bought, player.played, player.deck))
            yield from ((player.rank, turn, card, *n) for turn, n in enumerate(zip(*columns, strict=True), 1))


def _hall_of_fame(report: Report) -> Rows:
    hall = report.hall_of_fame
    for mine, line in zip(hall.generations, hall.wins, strict=True):
        yield from ((mine, other, win) for other, win in zip(hall.generations, line, strict=True))


def _lineage(report: Report) -> Rows:
    for ancestor in report.lineage.line if report.lineage else []:
        yield ancestor.generation, ancestor.rank, ancestor.kind, "; ".join(ancestor.changed), ancestor.island
