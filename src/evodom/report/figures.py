"""The figures of the page: what each picture shows, with its caption."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from evodom.dominion.cards import BASIC
from evodom.presentation.charts import AreaChart, Bar, BarChart, HeatMap, LineChart, Series
from evodom.presentation.format import NO_BREAK_HYPHEN
from evodom.report.findings import MET, told_of_met
from evodom.reports.census import STAGES, ByTurn
from evodom.reports.evolved import Report

SHOWN_BUYS = 0.03
"""Cards bought less often than this in every turn are left out of the picture."""

SHOWN_CARDS = 0.25
"""Cards of which a deck never holds so many are left out of the picture."""

SHOWN_PURCHASES = 0.05
"""Cards of which so many are bought in no generation are left out of the picture."""

N_COLOURS = 10


def figure(title: str, note: str, picture: str, legend: Sequence[tuple[str, str]] = (), *, single: bool = False) -> str:
    """Return a picture with its caption and a legend of (name, CSS class of its colour)."""
    keys = "".join(f'<li class="{colour}"><i></i>{escape(name)}</li>' for name, colour in legend)
    listed = f'<ul class="legend">{keys}</ul>' if keys else ""
    kind = ' class="single"' if single else ""
    return f"<figure{kind}><figcaption><b>{escape(title)}</b>{escape(note)}</figcaption>{picture}{listed}</figure>"


def grid(*figures: str) -> str:
    """Return figures side by side where there is room."""
    return f'<div class="grid">{"".join(figures)}</div>'


def card_colours(kingdom: Sequence[str]) -> dict[str, str]:
    """Return the CSS class of each card's colour."""
    basic = {card.name: card.name.lower() for card in BASIC}
    return basic | {name: f"c{index % N_COLOURS}" for index, name in enumerate(kingdom)}


def stacked(
    title: str,
    note: str,
    xs: Sequence[int],
    shown: Sequence[tuple[str, Sequence[float]]],
    axis: tuple[str, Mapping[str, str]],
) -> str:
    """Draw numbers of cards on top of each other; ``axis`` has the name of what is below, and the colours."""
    unit, colours = axis
    series = [Series(name, colours[name], counts) for name, counts in shown]
    if not series:
        return figure(title, f"{note} There is nothing to show.", "")
    return figure(
        title, note, AreaChart(xs, series, (unit, "cards")).svg(title), [(one.name, one.colour) for one in series]
    )


@dataclass(frozen=True)
class TurnFigures:
    """The pictures of one player's cards, turn by turn; ``colours`` are CSS classes by card."""

    turns: ByTurn
    colours: Mapping[str, str]

    def bought(self) -> str:
        """Draw what it buys in each turn."""
        note = "Cards bought in each turn by the champion, on average."
        return self._by_card("What it buys, and when", note, self.turns.bought, SHOWN_BUYS)

    def played(self) -> str:
        """Draw the Actions and Treasures it has in play."""
        note = "Cards in play at the champion's first buy of a turn, on average."
        return self._by_card("What it plays", note, self.turns.played, 2 * SHOWN_BUYS)

    def deck(self) -> str:
        """Draw its deck over the turns."""
        note = "Cards the champion owns at the end of each turn, on average."
        return self._by_card("Its deck", note, self.turns.deck, SHOWN_CARDS)

    def _by_card(self, title: str, note: str, values: dict[str, list[float]], least: float) -> str:
        shown = [(name, counts) for name, counts in values.items() if max(counts) >= least]
        return stacked(title, note, range(1, self.turns.n_turns + 1), shown, ("turn", self.colours))


class Figures:
    """The pictures of one report."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.players: int = report.run["options"]["players"]
        self.par = 1 / self.players
        self.colours = card_colours(report.run["options"]["kingdom"])
        self.champion = TurnFigures(report.turns[0], self.colours)

    # Turn by turn.

    def coins(self) -> str:
        """Draw the coins by turn of each strategy at the table."""
        return self._by_turn("Coins to buy with", "At the first buy of each turn.", "coins", lambda one: one.coins)

    def vp(self) -> str:
        """Draw the victory points by turn."""
        return self._by_turn("Victory points", "At the end of each turn.", "VP", lambda one: one.vp)

    def cards(self) -> str:
        """Draw how many cards a turn has."""
        note = "In hand and in play at the first buy: five, and what Actions drew beyond what they discarded."
        return self._by_turn("Cards in a turn", note, "cards", lambda one: one.cards)

    def _by_turn(self, title: str, note: str, unit: str, values: Callable[..., Sequence[float]]) -> str:
        n = min(one.n_turns for one in self.report.turns)
        series = [Series(f"#{one.rank}", f"c{one.rank - 1}", values(one)[:n]) for one in self.report.turns]
        picture = LineChart(range(1, n + 1), series, ("turn", unit)).svg(title)
        return figure(title, note, picture, [(one.name, one.colour) for one in series])

    # Against others.

    def baselines(self) -> str:
        """Draw how the champion does against the baselines."""
        rows = [
            Bar(one.baseline + MET * one.met, one.win.share, one.win.low, one.win.high, one.tied / 2)
            for one in self.report.baselines
            if one.rank == 1
        ]
        title = "The champion against baselines"
        note = f"Win rate with {self.players - 1} of each at its table, %. {told_of_met(self.report)}"
        return figure(title, note, BarChart(rows, par=self.par).svg(title))

    def entrants(self) -> str:
        """Draw how the best do against each other."""
        rows = [
            Bar(
                f"#{one.rank}: {one.vp.mean:.1f} VP",
                one.win.share,
                one.win.low,
                one.win.high,
                colour=f"c{one.rank - 1}",
            )
            for one in self.report.table.entrants
        ]
        return figure("The best against each other", "Win rate at one table, %, and mean VP.", self._bars(rows))

    def seats(self) -> str:
        """Draw the advantage of each seat."""
        rows = [
            Bar(f"seat {seat}", win.share, win.low, win.high, colour="c7")
            for seat, win in enumerate(self.report.table.seats, 1)
        ]
        return figure("What the seat is worth", "Win rate by seat, whoever sits there, %.", self._bars(rows))

    def _bars(self, rows: Sequence[Bar]) -> str:
        return BarChart(rows, par=self.par).svg("Win rates")

    def endings(self) -> str:
        """Draw how games end."""
        names = {"provinces": "Provinces", "empty_piles": "empty piles", "cut": "cut off"}
        rows = [Bar(names[end], share, share, share, colour="c2") for end, share in self.report.table.ended.items()]
        title = "How games end"
        return figure(
            title,
            "Share of the games of the best, %; cut off: after 100 turns each.",
            BarChart(rows, scale=1.0).svg(title),
        )

    # How it came about.

    def fitness(self) -> str:
        """Draw how strong the champions became."""
        found = self.report.fitness
        xs = [one.generation for one in found]
        kinds = {
            f"against {self.players - 1} Big Money": [one.against_big_money for one in found],
            "against the best of generation 0": [one.against_first_generation for one in found],
        }
        series = [
            Series(name, f"c{index}", *([100 * value for value in values] for values in _bands(shares)))
            for index, (name, shares) in enumerate(kinds.items())
        ]
        title = "Strength by generation"
        note = "Win rate of a generation's champion, %, with 95 % intervals; dashed: par."
        picture = LineChart(xs, series, ("generation", "%"), par=100 * self.par).svg(title)
        return figure(title, note, picture, [(one.name, one.colour) for one in series])

    def diversity(self) -> str:
        """Draw how different the strategies of each generation are."""
        return self._summary(
            "Diversity by generation", "How far strategies differ in what they prefer, 0 to 1.", "diversity"
        )

    def lengths(self) -> str:
        """Draw how long the games of each generation's tournament were, and what won them."""
        title, note = "Its tournaments", "Mean length of a generation's games in rounds, and the winners' VP."
        return self._summary(title, note, "rounds", "winner_vp")

    def _summary(self, title: str, note: str, *fields: str) -> str:
        known = [one for one in self.report.generations if all(one[field] is not None for field in fields)]
        if not known:
            return figure(title, f"{note} The run did not save it.", "")
        xs = [one["generation"] for one in known]
        names = {"winner_vp": "winner's VP"}
        series = [
            Series(names.get(field, field), f"c{index}", [float(one[field]) for one in known])
            for index, field in enumerate(fields)
        ]
        legend = [(one.name, one.colour) for one in series] if len(series) > 1 else []
        return figure(title, note, LineChart(xs, series, ("generation", "")).svg(title), legend)

    def decks(self) -> str:
        """Draw the champions' final decks by generation."""
        found = self.report.fitness
        counts = {name: [one.deck[name] for one in found] for name in found[0].deck}
        shown = [(name, values) for name, values in counts.items() if max(values) >= SHOWN_CARDS]
        note = "Mean final deck of a generation's champion against Big Money."
        return stacked(
            "The deck it builds", note, [one.generation for one in found], shown, ("generation", self.colours)
        )

    def purchases(self) -> list[str]:
        """Draw what the best quarter of each generation buys, a picture for each stage of the game."""
        found = self.report.best_purchases
        columns = [str(one.generation) for one in found]
        note = "Cards bought in a game, counted in games among themselves: the stronger the colour, the more."
        pictures = []
        for stage in STAGES:
            by_card = {
                name: [one.bought.by_stage[stage.name][name] for one in found]
                for name in found[0].bought.by_stage[stage.name]
            }
            shown = {name: counts for name, counts in by_card.items() if max(counts) >= SHOWN_PURCHASES}
            if shown:
                title = f"What the best quarter buys, {stage.when.replace('-', NO_BREAK_HYPHEN)}"
                values = list(shown.values())
                picture = HeatMap(list(shown), columns, values, ("generation", "card"), top=max(map(max, values))).svg(
                    title
                )
                pictures.append(figure(title, note, picture))
        return pictures

    # Hall of fame and lineage.

    def hall_of_fame(self) -> str:
        """Draw champions of some generations against each other."""
        hall = self.report.hall_of_fame
        names = [str(generation) for generation in hall.generations]
        title = "Champions against each other"
        axes = "generation of the others", "champion of generation"
        picture = HeatMap(names, names, hall.wins, axes, digits=0).svg(title)
        return figure(title, "Wins of the row's champion, %; the stronger the colour, the more.", picture, single=True)

    def line(self) -> str:
        """Draw where the champion's ancestors ranked."""
        lineage = self.report.lineage
        assert lineage is not None
        line = lineage.line[::-1]
        title = "Its line: where each ancestor ranked"
        series = [Series("rank", "c0", [float(one.rank) for one in line])]
        picture = LineChart([one.generation for one in line], series, (lineage.unit, "rank")).svg(title)
        return figure(title, "1 is the best of its generation.", picture)

    def ancestors(self) -> str:
        """Draw how many of each generation the champion descends from."""
        lineage = self.report.lineage
        assert lineage is not None
        title = "All its ancestors"
        xs = range(lineage.first, lineage.first + len(lineage.n_ancestors))
        series = [Series("ancestors", "c2", [float(n) for n in lineage.n_ancestors])]
        note = "Of how many strategies of each generation the champion is a descendant."
        return figure(title, note, LineChart(xs, series, ("generation", "strategies")).svg(title))


def _bands(shares: Sequence[object]) -> tuple[list[float], ...]:
    return tuple([float(getattr(one, name)) for one in shares] for name in ("share", "low", "high"))
