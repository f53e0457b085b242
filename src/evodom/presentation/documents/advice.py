"""The document of advice: what to buy, what to expect, which cards matter, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evodom.advice.ablation import (
    BETTER_WITHOUT,
    MIN_OWNED,
    NEEDED,
    NO_MATTER,
    TRAP,
    UNCLEAR,
    WORTH_TRYING,
    Trial,
    with_verdicts,
)
from evodom.advice.runs import KEY_SUFFIX_OF_MODEL
from evodom.dominion.cards import BASIC
from evodom.dominion.kingdom import CUSTOM
from evodom.presentation import document as doc
from evodom.presentation.charts import Bar, BarChart, estimate_bar
from evodom.presentation.documents.common import BIG_MONEY, copies
from evodom.presentation.documents.learned import buy_tables, deck_text, opening_rows, other_habits
from evodom.presentation.format import counted, joined, percent, with_interval

if TYPE_CHECKING:
    from evodom.advice.finding import Advice

MOST_SEARCHES = 2
"""Maximum number of other searches on one screen: the nearest."""

MOST_SHOWN = 3
"""Maximum number of needed cards, and of traps, on one screen."""

MOST_IN_DECK = 8
"""Maximum number of cards of a deck on one screen."""

MOST_RANKED = 6
"""Maximum number of places of the tournament on one screen."""

ONE_COLUMN = 5
"""A list of more lines is set in two columns on one screen."""

FEWEST = 0.05
"""Minimum mean number of copies in the final deck for a card in the chart."""

SCREEN = 24
"""Lines of a terminal."""

BASIC_COLOURS = {card.name: card.name.lower() for card in BASIC}

VERDICTS = {
    NEEDED: ("needed", "c2"),
    TRAP: ("a trap", "c1"),
    WORTH_TRYING: ("worth trying", "c0"),
    BETTER_WITHOUT: ("better without", "c0"),
    NO_MATTER: ("no difference", "c7"),
    UNCLEAR: ("unclear", "c7"),
}
"""The name of each verdict on a card, and the colour of its bar."""

KEY_CARDS = (
    ("Needs", "without it", NEEDED),
    ("Trap", "with one", TRAP),
    ("Try", "with one", WORTH_TRYING),
    ("Try", "without it", BETTER_WITHOUT),
)
"""The verdicts on one screen: label, change to the deck, verdict."""

CONDITIONS = (" once ", " until ", " from ", " while ", " if ")

Question = Mapping[str, Any]
"""The question as JSON (`advice.search.summary_of`), and commands to repeat it, play against the answer and list it."""


def advice_document(asked: Question, advice: Advice, seconds: float, *, full: bool = False) -> doc.Document:
    """Return the document of advice; without `full`, its text is made for one screen of SCREEN lines."""
    par, in_full = 1 / asked["players"], doc.Media.ALL if full else doc.Media.PAGE
    picks = doc.Section("Card by card", [*_cards(advice, par, in_full), *([] if full else _key_cards(advice))], "cards")
    trust = doc.Section("How far to trust it", _trust(asked, advice, par, full=full), "trust")
    return doc.Document(
        "",
        [
            doc.Section("What to expect", _expected(asked, advice, seconds, full=full), "expect"),
            doc.Section("To follow by hand", _list(advice, full=full), "list"),
            doc.Section("How to open", [_openings(advice)], "open", doc.Media.PAGE),
            doc.Section("The deck at the end", _decks(advice), "deck", doc.Media.PAGE),
            *((picks, trust) if full else (trust, picks)),
            doc.Section("What the learned player does", _habits(advice), "habits", in_full),
            doc.Section("How it was found", _origin(asked, advice, seconds), "made"),
        ],
    )


def _origin_text(asked: Question, seconds: float) -> str:
    return (
        f"the best of {asked['learned_games']:,} games of learning and "
        f"{counted(asked['generations'], 'generation')} of each model, {seconds:.0f} s"
    )


def _expected(asked: Question, advice: Advice, seconds: float, *, full: bool) -> Iterator[doc.Block]:
    """Yield the best player found, its opening, its deck and its win rates."""
    players, kingdom = asked["players"], asked["kingdom"]
    cards = (f"{card}*" if card in kingdom["drawn"] else card for card in kingdom["cards"])
    name = ", ".join(cards) if kingdom["name"] == CUSTOM else kingdom["name"]
    drawn = " (* drawn)" if kingdom["drawn"] else ""
    yield doc.Paragraph(f"{name}{drawn}, {players} players: {_origin_text(asked, seconds)}", media=doc.Media.TEXT)
    learned, others = advice.followed is not None, copies(players - 1, BIG_MONEY)
    best = "a learned player" if learned else "the list below"
    beaten = f"; {shown(advice.hardest.name)} beats it" if is_beaten(asked, advice) else ""
    yield doc.Facts(
        {
            "Best": f"{best}, {shown(advice.name)}{beaten}",
            "Open": "; ".join(map(" ".join, opening_rows(advice.openings))),
            "Deck": "; ".join(filter(None, (deck_text(advice.deck, None if full else MOST_IN_DECK), _greens(advice)))),
            "Wins": f"{with_interval(advice.against_big_money)} % against {others}, "
            f"{with_interval(advice.against_runner_up)} % against the runner-up, {shown(advice.runner_up)} "
            f"(par {percent(1 / players, 0)}, 95 % intervals)",
        },
        media=doc.Media.TEXT,
    )
    nearest = " The list below is the nearest to it that people can follow." * learned
    yield doc.Paragraph(
        f"The best player found is {best}, {shown(advice.name)}.{nearest}", "lede", media=doc.Media.PAGE
    )
    wins = {
        f"against {others}": advice.against_big_money,
        f"against the runner-up, {shown(advice.runner_up)}": advice.against_runner_up,
    } | ({f"the list below, against {others}": advice.plan_against_big_money} if learned else {})
    yield doc.Tiles([doc.Tile(name, doc.percent_column("wins"), share) for name, share in wins.items()])
    note = f"Win rates in per cent; chance level {percent(1 / players, 0)}. 95 % intervals of {asked['games']:,} games."
    yield doc.Paragraph(note, "note", media=doc.Media.PAGE)


def _greens(advice: Advice) -> str:
    """Return when a learned player buys its first Province and Duchy."""
    turns = advice.habits.greens_from if advice.habits else {}
    return joined(f"{name} on turn {turns[name]:.0f}" for name in ("Province", "Duchy") if name in turns)


def _list(advice: Advice, *, full: bool) -> Iterator[doc.Block]:
    """Yield the list that people can follow, and its win rates."""
    wins = f"wins {with_interval(advice.plan_against_big_money)} % against big-money"
    if advice.followed is not None:
        wins += f", {with_interval(advice.followed)} % against the learned player"
    lists = [(order.when, [_condition_apart(line) for line in order.lines]) for order in advice.wording.lists]
    yield doc.Paragraph(f"To follow by hand, buy the first that you can (a number: own no more); {wins}")
    yield doc.OrderedLists(lists, two_columns=not full and len(lists) == 1 and len(lists[0][1]) > ONE_COLUMN)
    if advice.wording.notes:
        yield doc.Facts({"Limit": "; ".join(advice.wording.notes)})


def _condition_apart(line: str) -> tuple[str, str]:
    """Return the card of a line, and its condition."""
    for word in CONDITIONS:
        card, found, rest = line.partition(word)
        if found:
            return card, f"{word.strip()} {rest}"
    return line, ""


def _openings(advice: Advice) -> doc.DataTable:
    rows = [(coins.replace("/", " then "), cards) for coins, cards in opening_rows(advice.openings)]
    return doc.DataTable([doc.text_column("coins"), doc.text_column("buy")], rows)


def _decks(advice: Advice) -> Iterator[doc.Chart]:
    """Yield the cards of the answer at the end, and those of the runner-up."""
    note = "; ".join(filter(None, ("Cards owned on average", _greens(advice)))) + "."
    yield doc.Chart(f"The answer, {shown(advice.name)}", note, _amounts(advice.deck))
    note = "The next best whose deck differs in three cards or more."
    yield doc.Chart(f"The runner-up, {shown(advice.runner_up)}", note, _amounts(advice.runner_up_deck))


def _amounts(deck: Mapping[str, float]) -> BarChart:
    rows = sorted(((n, card) for card, n in deck.items() if n >= FEWEST), reverse=True)
    return BarChart([Bar(card, n, colour=BASIC_COLOURS.get(card, "c0")) for n, card in rows], is_percent=False)


# Cards.


def _cards(advice: Advice, par: float, in_full: doc.Media) -> Iterator[doc.Block]:
    """Yield the win rate with each kingdom card changed."""
    bars = [
        estimate_bar(f"{_change(trial).split()[0]} {trial.card}", trial.wins, colour=VERDICTS[trial.verdict][1])
        for trial in advice.trials
    ]
    note = (
        "The answer without a card that it buys, or with one that it does not, against itself as it is. A bar that "
        "ends left of par says that the change makes it worse."
    )
    chart = doc.Chart("Changed by one card, wins in per cent", note, BarChart(bars, par))
    columns = [
        doc.text_column("card"),
        doc.text_column("verdict"),
        doc.text_column("changed"),
        doc.percent_column("wins, %", key="win"),
        doc.DataColumn("owned", key="owned"),
        doc.text_column("bought by"),
    ]
    rows = [
        (trial.card, _verdict(trial), _change(trial), trial.wins, trial.owned, _buyer(trial)) for trial in advice.trials
    ]
    title = f"Changed by one card, wins against itself (par {percent(par, 0)}); owned at the end"
    yield doc.Beside([chart, doc.DataTable(columns, rows, title, "cards", media=in_full)], media=in_full)


def _change(trial: Trial) -> str:
    return "without it" if trial.owned >= MIN_OWNED else "with one"


def _verdict(trial: Trial) -> str:
    """Return the verdict on a card; one that does not look good is no trap."""
    return VERDICTS[trial.verdict][0] if trial.looks_good or trial.verdict != TRAP else "makes it worse"


def _buyer(trial: Trial) -> str:
    """Return the strategy that bought a trap."""
    names = [name for name in trial.bought_by if ":" not in name] or list(trial.bought_by)
    return shown(names[0]) if trial.verdict == TRAP and names else ""


def _key_cards(advice: Advice) -> Iterator[doc.Block]:
    """Yield the cards that are needed, the traps and the unclear ones, for one screen."""
    found: dict[str, list[str]] = {}
    for term, change, verdict in KEY_CARDS:
        for trial in with_verdicts(advice.trials, (verdict,))[:MOST_SHOWN]:
            cards, wins = found.setdefault(term, []), f"{percent(trial.wins.share)} %"
            # How it was changed is said once, unless it varies.
            cards.append(f"{trial.card} ({wins} {change})" if term == "Try" or not cards else f"{trial.card} ({wins})")
    rows = {term: joined(cards) for term, cards in found.items()}
    unclear = joined(trial.card for trial in advice.trials if trial.verdict == UNCLEAR)
    rows |= {"Unclear": f"{unclear} (searches differ)"} if unclear else {}
    yield doc.Facts(rows, media=doc.Media.TEXT, drop_order=1)


# Trust.


def _trust(asked: Question, advice: Advice, par: float, *, full: bool) -> Iterator[doc.Block]:
    """Yield the win rates against the hardest opponent, other searches and the best response."""
    bars = [
        estimate_bar(shown(advice.hardest.name), advice.hardest.wins, colour="c1"),
        *(estimate_bar(opponent.name, opponent.wins, colour="c4") for opponent in advice.own),
        *(estimate_bar(shown(opponent.name), opponent.wins) for opponent in advice.searches),
    ]
    legend = [("the hardest opponent", "c1"), ("the best of another search", "c0")]
    legend += [("yours", "c4")] * bool(advice.own)
    note = "Wins of the answer against each. Searches that found something as good end near par."
    yield doc.Chart("Against those who might be better, %", note, BarChart(bars, par, legend=legend), is_separate=True)
    rows = checks(asked, advice, full=full)
    for term, text in rows.items():
        yield doc.Facts({term: text}, term_width=max(map(len, rows)), drop_order=3 * (term == "Agree"))


def checks(asked: Question, advice: Advice, *, full: bool = False) -> dict[str, str]:
    """Return how far the answer can be trusted: the hardest opponent, the other searches, the best response."""
    met = advice.hardest
    below = ", below par" * is_beaten(asked, advice)
    rows = {"Hardest": f"against {shown(met.name)} it wins {with_interval(met.wins)} %{below}"}
    if advice.own:
        rows["Yours"] = "; ".join(f"against {each.name} it wins {with_interval(each.wins)} %" for each in advice.own)
    if advice.searches:
        others = advice.searches if full else sorted(advice.searches, key=lambda met: met.wins.share)[:MOST_SEARCHES]
        rows["Agree"] = "against other searches it wins " + joined(
            f"{percent(each.wins.share)} % ({shown(each.name)})" for each in others
        )
    if advice.reply:
        became = ": better in all, and now the answer" if advice.reply.taken else ""
        rows["Attacked"] = (
            f"the best response of {advice.reply.n_games:,} games wins {with_interval(advice.reply.wins)} %{became}"
        )
    return rows


def is_beaten(asked: Question, advice: Advice) -> bool:
    """Return whether the answer's win rate against the hardest opponent is below par."""
    return bool(advice.hardest.wins.high < 1 / asked["players"])


def shown(name: str) -> str:
    """Return the short name of a strategy: "buy-list:1" for the first of the run of buy lists."""
    key, _, rank = name.rpartition(":")
    for model, end in KEY_SUFFIX_OF_MODEL.items():
        if key.endswith(end):
            return f"{model}:{rank}"
    return name


def _habits(advice: Advice) -> list[doc.Block]:
    if advice.habits is None:
        return []
    rest = doc.Facts(other_habits(advice.habits))
    return [doc.Folded("What it buys, by stage and coins", [doc.Beside(buy_tables(advice.habits)), rest])]


def _origin(asked: Question, advice: Advice, seconds: float) -> Iterator[doc.Block]:
    """Yield how the answer was found, and the commands: play against it, list it, repeat it."""
    ranking = ", ".join(map(shown, advice.ranking[:MOST_RANKED]))
    yield doc.Paragraph(f"It is {_origin_text(asked, seconds)}. The tournament ended: {ranking}.", media=doc.Media.PAGE)
    if advice.followed is None and advice.changes:
        yield doc.Paragraph(f"Found as {shown(advice.name)}, changed: {', '.join(advice.changes)}.", drop_order=2)
    if "play" in asked:
        opponent = "it" if asked["plays_answer"] else "the best that is saved"
        yield doc.Command(f"Play against {opponent}", asked["play"], media=doc.Media.TEXT)
        listed = f"{asked['list']} > mine.toml (or --export FILE)" if asked.get("list") else "repeat with --export FILE"
        yield doc.Code(f"The list as a file: {listed}", media=doc.Media.TEXT)
    yield doc.Command("As much by counts" if "minutes" in asked else "Repeat", asked["command"])
