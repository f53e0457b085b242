"""Build the document of a run of learning.

`opening_rows`, `buy_tables`, `other_habits` and `deck_text` describe a learned strategy. Advice shows them too.
"""

from collections.abc import Iterator, Mapping, Sequence

from evodom.dominion.kingdom import CUSTOM
from evodom.learning.habits import MAX_COINS, Habits, Swing
from evodom.matches.tournament import OpeningBuys
from evodom.presentation import document as doc
from evodom.presentation.charts import BarChart, LineChart, Series, estimate_bar
from evodom.presentation.documents import common
from evodom.presentation.format import decimal, joined, percent
from evodom.reports.learned import LearnedReport
from evodom.reports.measure import ByTurn
from evodom.statistics import Share

TRAINING_LISTS = "built-in buy lists"
"""Name of the default training opponents, in addition to self-play and named opponents."""

MIN_COINS = 2
"""Minimum number of coins of a shown buy. Fewer coins allow no choice."""

MAX_CHOICES = 4
"""Maximum number of shown buys for a number of coins."""

MIN_SHARE = 0.005
"""Minimum share of a shown buy."""

MIN_TRASHED = 0.05
"""Minimum mean number of trashed copies per game of a shown card."""

DECK_TURNS = (4, 8, 12, 16, 20)
"""Turns after which the deck is shown, in addition to the last turn that is reached often enough."""

MIN_COPIES = 0.5
"""Minimum mean number of copies of a card shown for a deck."""


def learned_document(report: LearnedReport) -> doc.Document:
    """Return the document of a run of learning."""
    options = report.options
    players, kingdom = options.players, options.kingdom
    judges = {name + common.MET_MARK * (name in report.met): share for name, share in report.judges.items()}
    note = common.training_note((TRAINING_LISTS, *options.rivals), is_any_met=bool(report.met))
    bars = BarChart([estimate_bar(*judge) for judge in judges.items()], reference=1 / players)
    charts = common.turn_charts(report.turns, common.card_colours(kingdom.cards))
    return doc.Document(
        f"The strategy of run {report.key}",
        [
            doc.Section("Win rates against baselines", _judges(judges, players, note)),
            doc.Section("How it opens", [doc.DataTable(doc.columns("coins", "buys"), opening_rows(report.openings))]),
            doc.Section("What it buys", [doc.Beside(buy_tables(report.habits))]),
            doc.Section("Turn by turn", charts, media=doc.Media.PAGE),
            doc.Section("Its deck by turn", [doc.DataTable(doc.columns("turn", "deck"), _decks(report.turns))]),
            doc.Section("Other habits", [doc.Facts(other_habits(report.habits))]),
            doc.Section("How it learned", _training(report)),
            doc.Section("", [doc.Command("Repeat", report.command)]),
        ],
        common.subtitle_of(kingdom.name, players),
        [
            doc.Paragraph(common.playing_sentence(report.turns, report.habits.trashed), "lede"),
            doc.Paragraph(" ".join(_sentences(report))),
            doc.Tiles(list(_tiles(report))),
            doc.Chart("Win rate by baseline", f"Win rate against copies of each baseline, %. {note}", bars),
        ],
    )


def _sentences(report: LearnedReport) -> Iterator[str]:
    """Yield the facts of the training: number of games, win rates, deck, best response."""
    options = report.options
    name = options.kingdom.name if options.kingdom.name != CUSTOM else ", ".join(options.kingdom.cards)
    yield (
        f"Run {report.key} is a network trained in {report.stages[-1].games:,} games: {name}, {options.players} "
        f"players, seed {report.seed}."
    )
    yield from common.strength_sentences(report.judges, options.players, report.best_response)
    yield f"Its mean final deck is {deck_text(report.habits.deck)}."


def _tiles(report: LearnedReport) -> Iterator[doc.Tile]:
    (hardest, least), others = common.strongest_of(report.judges), report.options.players - 1
    yield common.win_tile(common.copies(others, common.BIG_MONEY_NAME), report.judges[common.BIG_MONEY])
    if hardest != common.BIG_MONEY:
        yield common.win_tile(f"{common.copies(others, hardest)}, the strongest baseline", least)
    yield from common.best_response_tiles(report.best_response)


def _judges(judges: Mapping[str, Share], players: int, note: str) -> list[doc.Block]:
    title = f"Win rate by baseline, % (chance level {percent(1 / players, 0)}; 95 % intervals)"
    columns = doc.columns("baseline", doc.percent_column("wins, %", key="win"))
    return [doc.DataTable(columns, list(judges.items()), title, "baselines"), doc.Paragraph(note)]


def _training(report: LearnedReport) -> list[doc.Block]:
    """Return the win rate of the best start against the training opponents, by checkpoint."""
    columns = [doc.DataColumn("games"), doc.percent_column("wins, %", 0, key="win"), doc.DataColumn("starts")]
    rows = [(checkpoint.games, checkpoint.share, checkpoint.n_starts) for checkpoint in report.stages]
    rivals = ", ".join((TRAINING_LISTS, *report.options.rivals))
    wins = Series("win rate", "c0", [100 * checkpoint.share for checkpoint in report.stages])
    games, chance = [checkpoint.games / 1000 for checkpoint in report.stages], 100 / report.options.players
    chart = LineChart(games, [wins], ("thousand games", "wins, %"), chance)
    note = f"Win rate of the best start against the training opponents ({rivals}), %."
    table = doc.DataTable(columns, rows, "Best start against the training opponents", "training")
    return [table, doc.Chart("Win rate by checkpoint", note, chart, is_separate=True)]


def buy_tables(habits: Habits) -> list[doc.DataTable]:
    """Return the buys of a learned strategy by coins, a table for each stage of the game."""
    found = {
        stage: [(_coins(coins), _shares_text(bought)) for coins, bought in by_coins.items() if coins >= MIN_COINS]
        for stage, by_coins in habits.buys.items()
    }
    columns = doc.columns("coins", "bought, %")
    return [doc.DataTable(columns, rows, stage) for stage, rows in found.items() if rows]


def _coins(coins: int) -> str:
    return f"${coins}+" if coins == MAX_COINS else f"${coins}"


def other_habits(habits: Habits) -> dict[str, str]:
    """Return the other habits in words, by their subject."""
    found = {
        "Trashed per game": joined(f"{decimal(n, 1)} {name}" for name, n in habits.trashed.items() if n >= MIN_TRASHED),
        "Actions in order": joined(habits.plays_first),
        "Victory cards": joined(f"first {name} on turn {turn:.0f}" for name, turn in habits.greens_from.items()),
        "When behind": "; ".join(map(_swing, habits.swings)) or "the same buys as when ahead",
    }
    return {subject: text or "nothing" for subject, text in found.items()}


def _swing(swing: Swing) -> str:
    """Return a sentence on a card that is bought more or less often when behind."""
    much = "more" if swing.behind > swing.ahead else "less"
    return (
        f"{much} {swing.card} with {_coins(swing.coins)}, {swing.stage} ({percent(swing.behind, 0)} % instead of "
        f"{percent(swing.ahead, 0)} %)"
    )


def opening_rows(openings: Sequence[OpeningBuys]) -> list[tuple[str, str]]:
    """Return the coins of the first two turns and the buys with them: ("$4 and $3", "Bureaucrat, Silver").

    If the order of the hands matters, each order has a row: "$4, then $3".
    """
    rows = []
    for opening, other in zip(openings[::2], openings[1::2], strict=True):
        differ = sorted(opening.buys) != sorted(other.buys)
        shown, between = ((opening, other), ", then") if differ else ((opening,), " and")
        rows += [(f"${each.coins[0]}{between} ${each.coins[1]}", _buys_of(each)) for each in shown]
    return rows


def _buys_of(opening: OpeningBuys) -> str:
    text = f"{opening.buys[0]}, {opening.buys[1]}"
    return text if opening.share > 0.995 else f"{text} ({percent(opening.share, 0)} %)"


def _decks(turns: ByTurn) -> list[tuple[str, str]]:
    """Return the mean deck after the turns DECK_TURNS and the last one."""
    shown = [turn for turn in DECK_TURNS if turn < turns.n_turns] + [turns.n_turns]
    return [(str(turn), deck_text({name: counts[turn - 1] for name, counts in turns.deck.items()})) for turn in shown]


def _shares_text(bought: Mapping[str, float]) -> str:
    """Return the largest shares of choices: "70 Chapel, 30 pass"."""
    shown = [(name, share) for name, share in list(bought.items())[:MAX_CHOICES] if share >= MIN_SHARE]
    return joined(f"{percent(share, 0)} {name}" for name, share in shown)


def deck_text(deck: Mapping[str, float]) -> str:
    """Return the cards of a deck, the most frequent first: "7.5 Copper, 3.0 Gold"."""
    order = sorted(deck.items(), key=lambda item: -item[1])
    return joined(f"{decimal(n, 1)} {name}" for name, n in order if n >= MIN_COPIES)
