"""What several documents say: baselines met in training, best responses, cards turn by turn."""

from collections.abc import Mapping, Sequence

from evodom.dominion.cards import BASIC
from evodom.dominion.kingdom import CUSTOM, Kingdom
from evodom.presentation.charts import AreaChart, Series
from evodom.presentation.document import Chart
from evodom.presentation.format import counted, percent, with_interval
from evodom.reports.cached import Attack
from evodom.reports.measure import ByTurn

MET_MARK = " *"
"""Follows the name of a baseline that was met in evolution, or in training."""

BIG_MONEY = "big-money"

SHOWN_BUYS = 0.03
"""Cards bought less often than this in every turn are left out of the chart."""

SHOWN_CARDS = 0.25
"""Cards with fewer copies than this in every deck are left out of the chart."""

N_COLOURS = 10


def subtitle_of(kingdom: str, players: int) -> str:
    """Return the line above the title of a report."""
    return f"evodom report · {'custom kingdom' if kingdom in ('', CUSTOM) else kingdom} · {counted(players, 'player')}"


def copies(n: int, name: str) -> str:
    """Return the opponents in all other seats: "3 big-money"."""
    return name if n == 1 else f"{n} {name}"


def kingdom_name(kingdom: Kingdom) -> str:
    """Return the name of a kingdom for a title."""
    return "a kingdom without a name" if kingdom.name == CUSTOM else kingdom.name


def training_note(where: str, rivals: Sequence[str], *, is_any: bool) -> str:
    """Return whether any baselines of a report were met in evolution, or in training, and the names of the rivals."""
    listed = f" Rivals: {', '.join(rivals)}." if rivals else ""
    if not is_any:
        return f"None of them was met in {where}.{listed}"
    return f"Marked with {MET_MARK.strip()}: a rival in {where}, no independent judge.{listed}"


def best_response_sentence(found: Attack, n_players: int) -> str:
    """Return the result of the network that was trained to beat a champion."""
    return (
        f"A network trained against it for {found.n_games:,} games wins {with_interval(found.wins)} % "
        f"(chance level {percent(1 / n_players, 0)} %)."
    )


def card_colours(kingdom: Sequence[str]) -> dict[str, str]:
    """Return the CSS class of each card's colour."""
    basic = {card.name: card.name.lower() for card in BASIC}
    return basic | {name: f"c{index % N_COLOURS}" for index, name in enumerate(kingdom)}


def stacked(
    caption: tuple[str, str],
    xs: Sequence[int],
    counts: Mapping[str, Sequence[float]],
    unit: str,
    colours: Mapping[str, str],
    least: float,
) -> Chart:
    """Return the stacked chart of numbers of cards. Cards that never reach `least` are left out.

    `caption` is the title and the note, `unit` the name of the axis.
    """
    title, note = caption
    series = [Series(name, colours[name], values) for name, values in counts.items() if max(values) >= least]
    drawing = AreaChart(xs, series, (unit, "cards")) if series else None
    return Chart(title, note if series else f"{note} There is nothing to show.", drawing)


def turn_charts(turns: ByTurn, colours: Mapping[str, str]) -> list[Chart]:
    """Return the charts of a champion's cards: bought, owned and played in each turn."""
    shown = (
        ("What it buys, and when", "Cards bought in each turn by the champion", turns.bought, SHOWN_BUYS),
        ("Its deck", "Cards the champion owns at the end of each turn", turns.deck, SHOWN_CARDS),
        ("What it plays", "Cards in play at the champion's first buy of a turn", turns.played, 2 * SHOWN_BUYS),
    )
    xs = range(1, turns.n_turns + 1)
    return [
        stacked((title, f"{note}, on average."), xs, counts, "turn", colours, least)
        for title, note, counts, least in shown
    ]
