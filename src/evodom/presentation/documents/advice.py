"""Build the document of advice: the best strategy, a list to follow by hand, key cards, and the checks of the result.

`evodom advise` prints it on one screen, or in full. The page of an answer shows it with charts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from evodom.advice import ablation
from evodom.advice.answer import BEST_RESPONSE, EVOLVED
from evodom.advice.best_response import RESPONSE
from evodom.dominion.cards import BASIC
from evodom.dominion.engine.rules import PASS_NAME
from evodom.dominion.log import turn_name
from evodom.dominion.strategies.registry import MODEL_PRESETS, model_of
from evodom.matches.names import NETWORK
from evodom.matches.tournament import NOTHING
from evodom.presentation import document as doc
from evodom.presentation.charts import Bar, BarChart, estimate_bar
from evodom.presentation.documents import common
from evodom.presentation.documents.beyond_list import MAX_CARDS_NAMED, beyond_list, short_search_note
from evodom.presentation.documents.learned import buy_tables, deck_text, opening_rows, other_habits
from evodom.presentation.format import NO_BREAK, counted, decimal, joined, percent, share_text
from evodom.runs import parse_name

if TYPE_CHECKING:
    from evodom.advice.figures import Advice, OpponentResult

MIN_COPIES = 0.05
"""Minimum mean number of copies in the final deck for a card in the chart."""

SCREEN_LINES = 24
"""Number of lines of a terminal."""

USER_LINES = 6
"""Number of further lines for each strategy of the user."""

BASIC_COLOURS = {card.name: card.name.lower() for card in BASIC}

VERDICTS = {
    ablation.NEEDED: ("needed", "c2"),
    ablation.HARMFUL: ("harmful", "c1"),
    ablation.WORTH_TRYING: ("worth trying", "c0"),
    ablation.BETTER_WITHOUT: ("better without", "c0"),
    ablation.NO_DIFFERENCE: ("no difference", "c7"),
    ablation.UNCLEAR: ("unclear", "c7"),
}
"""The name of each verdict on a card, and the colour of its bar."""

CARD_FACTS = (
    ("Key", "without it", ablation.NEEDED),
    ("Avoid", "with one", ablation.HARMFUL),
    ("Try", "with one", ablation.WORTH_TRYING),
    ("Try", "without it", ablation.BETTER_WITHOUT),
)
"""The facts about cards in a text of one screen: term, change of the list, verdict."""

ENGINE_CARDS = ("Throne Room", "King's Court", "Outpost", "Quarry", "Forge", "Mint", "City")
"""Cards that make a list of money lose (benchmarks/dominionsim.py), but let many Actions win."""

PILES = "empty_piles"
ENDS = {
    "provinces": "with the last Province",
    "colonies": "with the last Colony",
    PILES: "with empty piles",
    "cut": "at the limit of turns",
}
"""The ends of games in words, by their keys in a summary."""

MIN_END = 0.005
"""Minimum share of games of an ending that is named."""

KINDS = {
    **dict.fromkeys((NETWORK, BEST_RESPONSE), "neural network"),
    **{model: f"evolved {MODEL_PRESETS[model].noun}" for model in EVOLVED},
}
"""Kind of the strategies in each part of a saved answer."""

_BUY_LINE = re.compile(
    r"(?:(?P<limit>\d+) )?(?P<card>.+?)(?:,? (?P<condition>(?:once|until|from|while|before|if|one) .*))?"
)
"""A line of `BuyOrders`, such as "2 Duchy once 5 more cards can end the game"."""

_QUOTED = re.compile('"(.+?)"')

Question = Mapping[str, Any]
"""The question as JSON (`advice_facts.summary_of`). The command line adds the commands `command`, `play` and `list`."""


def advice_document(
    question: Question, advice: Advice, seconds: float, *, full: bool = False, sample: bool = False
) -> doc.Document:
    """Return the document of advice.

    With `full`, the text has all sections, otherwise only one screen. With `sample`, it has the sample game, too.
    """
    details = doc.Media.ALL if full else doc.Media.PAGE
    cards: list[doc.Block] = []
    if advice.plan_trials:
        cards += _card_table(question, advice.plan_trials, "the list", details)
    if advice.list_against_network is not None and advice.trials:
        cards += _card_table(question, advice.trials, "the network", details)
    return doc.Document(
        "",
        [
            doc.Section("What to expect", _expected(question, advice, full=full), "expect"),
            doc.Section("To follow by hand", _list(question, advice), "list"),
            doc.Section("How to open", _openings(advice), "open"),
            doc.Section("How to play the cards", _tips(advice), "play"),
            doc.Section("The costliest mistakes", _mistakes(advice, full=full), "mistakes"),
            doc.Section("A game with the list", _sample(advice), "game", doc.Media.ALL if sample else doc.Media.PAGE),
            doc.Section("The deck at the end", _decks(advice), "deck", doc.Media.PAGE),
            doc.Section("Card by card", [*cards, *([] if full else _card_facts(advice))], "cards"),
            doc.Section("How far to trust it", _checks(question, advice, full=full), "trust"),
            doc.Section("Your strategy", _reasons(advice), "yours"),
            doc.Section("What the network does", _habits(advice), "habits", details),
            doc.Section("How it was found", _origin(question, advice, seconds, full=full), "made"),
        ],
    )


def _fact(term: str, text: str, *, media: doc.Media = doc.Media.TEXT, drop_order: int = 0) -> doc.Facts:
    return doc.Facts({term: text}, term_width=len("Kingdom"), media=media, drop_order=drop_order)


def _fact_and_paragraph(term: str, text: str, on_page: str = "", *, drop_order: int = 0) -> list[doc.Block]:
    """Return a fact for text, and a paragraph for pages, by default with the same text."""
    return [_fact(term, text, drop_order=drop_order), doc.Paragraph(on_page or text, media=doc.Media.PAGE)]


def strategy_kind(name: str) -> str:
    """Return the kind of a strategy of a saved run, such as "neural network". Return other names unchanged."""
    found = parse_name(name)
    kinds = KINDS | {RESPONSE: "neural network", common.BIG_MONEY: common.BIG_MONEY_NAME}
    return kinds.get(found.part if found and found.part else name, name)


def ranked_kind(name: str) -> str:
    """Return the kind of a strategy with its rank in its run, so that equal kinds differ."""
    found = parse_name(name)
    return f"{KINDS[found.part]} {found.rank}" if found and found.part in KINDS else strategy_kind(name)


def _expected(question: Question, advice: Advice, *, full: bool) -> Iterator[doc.Block]:
    """Yield the best strategy, its win rates and its deck."""
    opponents = common.copies(question["players"] - 1, common.BIG_MONEY_NAME)
    is_network = advice.list_against_network is not None
    kind = "a neural network" if is_network else "the list below"
    beaten = _beaten(advice) if _is_beaten(question, advice) else ""
    other = f"the best different strategy ({strategy_kind(advice.runner_up)})"
    chance = f"chance level {_chance_level(question)}"
    yield doc.Paragraph(short_search_note(question, advice))
    kingdom = question["kingdom"]
    name = common.kingdom_text(kingdom["name"], kingdom["cards"], kingdom["drawn"])
    yield _fact("Kingdom", f"{name}. {common.N_WORDS[question['players']].capitalize()}{NO_BREAK}players.")
    yield _fact(
        "First" if beaten else "Best",
        f"{kind}. {beaten}Win rate {share_text(advice.against_big_money)} against {opponents}, "
        f"{share_text(advice.against_runner_up)} against {other}; {chance}.",
    )
    if full:
        deck = deck_text(advice.deck)
        yield _fact(
            "Deck",
            "; ".join(filter(None, (f"mean number of each card at the end: {deck}", _first_victory_buys(advice)))),
        )
    nearest = " The list below is the nearest strategy that people can follow." * is_network
    rank = "First in the ranking" if beaten else "The best strategy found"
    yield doc.Paragraph(f"{rank} is {kind}. {beaten}{nearest.strip()}".strip(), "lede", media=doc.Media.PAGE)
    wins = {f"against {opponents}": advice.against_big_money, f"against {other}": advice.against_runner_up}
    if advice.list_against_network is not None:
        wins |= {f"the list below, against {opponents}": advice.plan_against_big_money}
        wins |= {"the list below, against the network": advice.list_against_network}
    yield doc.Tiles([doc.Tile(name, doc.percent_column("wins"), share) for name, share in wins.items()])
    note = f"Win rates in per cent; {chance}. 95 % intervals of at most {question['games']:,} games."
    yield doc.Paragraph(note, "note", media=doc.Media.PAGE)


def _beaten(advice: Advice) -> str:
    """Return a sentence that names the opponent which beats the first in the ranking, with the win rate."""
    place = advice.ranking.index(advice.hardest.name) + 1
    return (
        f"It is not the best against all: it wins {percent(advice.hardest.wins.share, 0)} % against "
        f"{ranked_kind(advice.hardest.name)}, place {place} of the ranking. "
    )


def _subject(advice: Advice) -> str:
    """Return the answer as the subject of a sentence."""
    return "the list" if advice.list_against_network is None else "the network"


def _chance_level(question: Question) -> str:
    return f"{percent(1 / question['players'], 0)} %"


def _first_victory_buys(advice: Advice) -> str:
    """Return the mean turns of a network's first Province and Duchy; "" for other strategies."""
    turns = advice.habits.greens_from if advice.habits else {}
    return joined(f"first {name} on turn {turns[name]:.0f}" for name in ("Province", "Duchy") if name in turns)


def _list(question: Question, advice: Advice) -> Iterator[doc.Block]:
    """Yield the list that people can follow, and its win rates."""
    opponents = common.copies(question["players"] - 1, common.BIG_MONEY_NAME)
    wins = [f"{share_text(advice.plan_against_big_money)} against {opponents}"]
    wins += [f"{percent(advice.plan_rival.wins.share, 0)} % against {ranked_kind(advice.plan_rival.name)}"]
    if advice.list_against_network is not None:
        wins += [f"{percent(advice.list_against_network.share, 0)} % against the network"]
    named = f", {strategy_kind(advice.plan_name)}," if advice.plan_name else ""
    buying = "Buy the first card you can:"
    if model_of(advice.plan).is_stochastic:
        buying = "It draws each buy at random, by weight. Its preferences, the most likely card first:"
    how = f"list{named} wins {joined(wins)}. {buying}"
    yield from _fact_and_paragraph("By hand", f"this {how}", f"This {how}")
    lists = [(order.when, [_buy(line) for line in order.lines]) for order in advice.wording.lists]
    yield doc.OrderedLists(lists, indent=8)
    if advice.wording.notes:
        yield _fact("Note", "; ".join(advice.wording.notes), media=doc.Media.ALL)
    yield from _fact_and_paragraph("Plan", course_text(advice))
    if text := " ".join(beyond_list(question, advice)):
        yield from _fact_and_paragraph("Network", f"{text} More: --full.", text)


def course_text(advice: Advice) -> str:
    """Return a sentence with the endings of the list's games and the most important line out of the order of costs."""
    course = advice.course
    piles = f" ({', '.join(list(course.piles)[:MAX_CARDS_NAMED])})" if course.piles else ""
    ends = [
        f"{percent(share, 0)} % {ENDS[key]}{piles * (key == PILES)}"
        for key, share in sorted(course.games.ended.items(), key=lambda item: -item[1])
        if share >= MIN_END
    ]
    text = f"Its games end on turn {decimal(course.games.rounds, 0)} on average, {', '.join(ends)}"
    if order := course.unexpected:
        wins = f"{percent(order.wins.share, 0)} % against this list"
        text += f"; it buys {order.card} before {order.before}: in the other order it wins {wins}"
    return f"{text}."


def _buy(line: str) -> tuple[str, str]:
    """Return the card of a line, and its limit and condition."""
    found = _BUY_LINE.fullmatch(line)
    if found is None:
        return line, ""
    limit = {None: "", "0": "(never)"}.get(found["limit"], f"(at most {found['limit']})")
    return found["card"], " ".join(filter(None, (limit, found["condition"])))


def _openings(advice: Advice) -> list[doc.Block]:
    """Return the list's buys of the first two turns, by coins."""
    rows = opening_rows(advice.plan_openings)
    text = ". With ".join(f"{coins}: {cards}" for coins, cards in rows)
    table = doc.DataTable(doc.columns("coins", "buy"), rows, media=doc.Media.PAGE)
    return [_fact("Opening", f"with {text}.", drop_order=5), table]


def _tips(advice: Advice) -> Iterator[doc.Block]:
    """Yield the tips, each with the win rate of the opposite."""
    if not advice.tips:
        return
    lines = [f"{tip.text} (the opposite wins {percent(tip.opposite.share, 0)} %)" for tip in advice.tips]
    yield from _fact_and_paragraph("Play", ". ".join(lines) + ".", drop_order=2)


def _mistakes(advice: Advice, *, full: bool) -> Iterator[doc.Block]:
    """Yield the list's costliest mistakes. A text of one screen has only the first."""
    network = common.SHIPPED if advice.list_against_network is None else "the network"
    for block in common.mistake_blocks(advice.mistakes, "the list", network):
        yield replace(block, media=doc.Media.ALL if full else doc.Media.PAGE)
    if advice.mistakes and not full:
        yield _fact("Mistake", f"{common.mistake_sentence(advice.mistakes[0])} More: --full.", drop_order=4)


def _sample(advice: Advice) -> Iterator[doc.Block]:
    """Yield a game of the list: each turn, and the lines of the list that were followed."""
    if advice.sample is None:
        return
    game = advice.sample
    yield doc.Paragraph(
        f"A game of median length, the list in the first seat. It ends on {game.end}, {joined(map(str, game.scores))} "
        "points. A number in brackets is the line of the list that was followed."
    )
    turns = []
    for turn in game.turns:
        lines = f" [{', '.join(map(str, turn.lines))}]" if turn.lines else ""
        text = (turn.text.partition(": ")[2] or turn.text).removeprefix("extra turn; ")
        turns.append(f"{turn_name(turn.number, is_extra=turn.is_extra):>2}  {text}{lines}")
    yield doc.Code("\n".join(turns))


def _decks(advice: Advice) -> Iterator[doc.Chart]:
    """Yield the final cards of the best strategy, and those of the runner-up."""
    note = "; ".join(filter(None, ("Mean number of each card", _first_victory_buys(advice)))) + "."
    yield doc.Chart(f"First in the ranking: {strategy_kind(advice.name)}", note, _amounts(advice.deck))
    note = "The next in the ranking whose deck differs in three cards or more."
    yield doc.Chart(f"The runner-up: {strategy_kind(advice.runner_up)}", note, _amounts(advice.runner_up_deck))


def _amounts(deck: Mapping[str, float]) -> BarChart:
    rows = sorted(((n, card) for card, n in deck.items() if n >= MIN_COPIES), reverse=True)
    return BarChart([Bar(card, n, colour=BASIC_COLOURS.get(card, "c0")) for n, card in rows], is_percent=False)


# Cards.


def _card_table(
    question: Question, trials: Sequence[ablation.Trial], whose: str, media: doc.Media
) -> Iterator[doc.Block]:
    """Yield the win rate of the list or of the network with each kingdom card added or removed."""
    bars = [
        estimate_bar(f"{_change(trial).split()[0]} {trial.card}", trial.wins, colour=VERDICTS[trial.verdict][1])
        for trial in trials
    ]
    note = (
        f"{whose.capitalize()} with one card removed or added, against copies of its unchanged self. A change with a "
        "win rate below the chance level makes it worse."
    )
    chart = doc.Chart(
        f"Win rate of {whose} after a change of one card, %", note, BarChart(bars, 1 / question["players"])
    )
    wins, owned = doc.percent_column("wins, %", key="win"), doc.DataColumn("owned")
    columns = doc.columns("card", "verdict", "changed", wins, owned, "bought by")
    rows = [
        (trial.card, VERDICTS[trial.verdict][0], _change(trial), trial.wins, trial.owned, _buyer(trial))
        for trial in trials
    ]
    level = _chance_level(question)
    title = (
        f"{whose.capitalize()}: wins against its unchanged self (chance level {level}, least effect "
        f"{percent(ablation.MIN_EFFECT / question['players'])} points); copies owned at the end"
    )
    file = "cards" if whose == "the list" else "network_cards"
    yield doc.Beside([chart, doc.DataTable(columns, rows, title, file, media=media)], media=media)


def _change(trial: ablation.Trial) -> str:
    return "without it" if trial.owned >= ablation.MIN_OWNED else "with one"


def _buyer(trial: ablation.Trial) -> str:
    """Return the name of a strategy that buys a harmful card, if possible a baseline; "" for other verdicts."""
    names = [name for name in trial.bought_by if ":" not in name] or list(trial.bought_by)
    return strategy_kind(names[0]) if trial.verdict == ablation.HARMFUL and names else ""


def _card_facts(advice: Advice) -> Iterator[doc.Block]:
    """Yield the facts about cards in a text of one screen: CARD_FACTS."""
    facts: dict[str, list[str]] = {}
    listed = {_buy(line)[0] for order in advice.wording.lists for line in order.lines}
    for term, change, verdict in CARD_FACTS:
        found = ablation.select_trials(advice.plan_trials, (verdict,))
        for trial in [one for one in found if verdict != ablation.HARMFUL or one.card not in listed][:MAX_CARDS_NAMED]:
            cards, wins = facts.setdefault(term, []), f"{percent(trial.wins.share, 0)} %"
            # Only the first card explains the number.
            explained = f"the list wins {wins} {change}" if not cards else f"{wins} {change}"
            if verdict == ablation.HARMFUL and trial.card in ENGINE_CARDS:
                explained = wins = f"{explained}; it needs an engine"
            cards.append(f"{trial.card} ({explained if term == 'Try' or not cards else wins})")
    orders = {"Try": 1, "Avoid": 2, "Key": 3}
    for term, cards in facts.items():
        yield _fact(term, joined(cards), drop_order=orders[term])


# Checks.


def _checks(question: Question, advice: Advice, *, full: bool) -> Iterator[doc.Block]:
    """Yield the win rates against the strongest opponent, the other searches and the best response."""
    bars = [
        estimate_bar(ranked_kind(advice.hardest.name), advice.hardest.wins, colour="c1"),
        *(
            estimate_bar(opponent.name, opponent.wins, colour="c4")
            for opponent in _others(advice, advice.user_opponents)
        ),
        *(estimate_bar(ranked_kind(opponent.name), opponent.wins) for opponent in _others(advice, advice.searches)),
    ]
    legend = [("the strongest opponent", "c1"), ("the best of another search", "c0")]
    legend += [("yours", "c4")] * bool(advice.user_opponents)
    note = "A search that found an equally good strategy has a bar near the chance level."
    chart = BarChart(bars, 1 / question["players"], legend=legend)
    yield doc.Chart(f"Win rate of {_subject(advice)}, by opponent, %", note, chart, is_separate=True)
    sentences = list(check_sentences(question, advice, full=full))
    page_sentences = sentences if full else check_sentences(question, advice, full=True)
    yield from _fact_and_paragraph("Checked", " ".join(sentences), " ".join(page_sentences))


def check_sentences(question: Question, advice: Advice, *, full: bool) -> Iterator[str]:
    """Yield the win rates of the checks: best response, the user's opponents, strongest opponent, other searches.

    Without `full` the other searches are left out. The strongest opponent is left out, too, if another sentence names
    it and it does not win.
    """
    response, hardest, subject = advice.best_response, advice.hardest, _subject(advice)
    the_answer = subject.capitalize()
    if response and response.answer_holds:
        yield f"A network trained for {response.n_games:,} games to beat {subject} wins {share_text(response.wins)}."
    elif response:
        yield f"{the_answer} was trained for {response.n_games:,} games to beat the best strategy before it,"
        yield f"and wins {share_text(response.wins)} against that strategy. No network was trained to beat {subject}:"
        yield "more minutes do that."
    for opponent in advice.user_opponents:
        yield f"{the_answer} wins {share_text(opponent.wins)} against {opponent.name}."
    below = ", below the chance level" * _is_beaten(question, advice)
    if below or full or hardest.name not in (advice.runner_up, *(opponent.name for opponent in advice.user_opponents)):
        wins, name = share_text(hardest.wins), ranked_kind(hardest.name)
        yield f"{the_answer} wins {wins} against its strongest opponent, {name}{below}."
    if full and (searches := _others(advice, advice.searches)):
        others = (f"{percent(one.wins.share, 0)} % ({ranked_kind(one.name)})" for one in searches)
        yield f"{the_answer} wins {joined(others)} against the best strategies of the other searches."


def _others(advice: Advice, results: Sequence[OpponentResult]) -> list[OpponentResult]:
    """Return the results without those against the strongest opponent."""
    return [one for one in results if one.name != advice.hardest.name]


def _is_beaten(question: Question, advice: Advice) -> bool:
    """Return whether the win rate against the strongest opponent is significantly below the chance level."""
    return bool(advice.hardest.wins.high < 1 / question["players"])


def _reasons(advice: Advice) -> Iterator[doc.Block]:
    """Yield the reasons why each strategy of the user loses: its first differing buy, and the best changes."""
    answer = _subject(advice)
    for one in advice.reasons:
        text = f"In the sample game {one.name} buys the same as the list."
        if found := one.difference:
            buys = [NOTHING if name == PASS_NAME else name for name in (found.of_plan, found.of_other)]
            turn = turn_name(found.turn, is_extra=found.is_extra)
            text = f"Sample game, turn {turn}, ${found.coins}: the list buys {buys[0]}, {one.name} {buys[1]}."
        if one.gains:
            changes = (
                f"{_QUOTED.sub(_listed, words)} (+{percent(gain.value)} points, "
                f"{percent(gain.low)} to {percent(gain.high)})"
                for words, gain in one.gains.items()
            )
            text += f" It gains most against {answer} if you {'; or '.join(changes)}."
        elif one.gains is not None:
            text += f" No change of one line was found that gains against {answer}."
        yield _fact("Yours", text, media=doc.Media.SHOWN)


def _listed(line: re.Match[str]) -> str:
    """Return a quoted line in the form of the printed list."""
    return f'"{" ".join(filter(None, _buy(line[1])))}"'


def _habits(advice: Advice) -> list[doc.Block]:
    if advice.habits is None:
        return []
    rest = doc.Facts(other_habits(advice.habits))
    return [doc.Folded("Buys by stage of the game and coins", [doc.Beside(buy_tables(advice.habits)), rest])]


def _origin(question: Question, advice: Advice, seconds: float, *, full: bool) -> Iterator[doc.Block]:
    """Yield the effort of the search, and commands: play against the answer, save the list, repeat the search."""
    effort = (
        f"Found in {seconds:.0f} s by training networks for {question['learned_games']:,} games and evolving "
        f"{counted(question['generations'], 'generation')} of preferences and of buy lists."
    )
    ranking = ", ".join(map(ranked_kind, advice.ranking[:6]))
    media = doc.Media.ALL if full else doc.Media.PAGE
    yield doc.Paragraph(f"{effort} Ranking of the tournament: {ranking}.", media=media)
    if advice.list_against_network is None and advice.changes:
        changes = ", ".join(advice.changes)
        yield doc.Paragraph(f"Changes that improved {strategy_kind(advice.name)}: {changes}.", drop_order=3)
    if "play" in question:
        opponent = "it" if question["plays_answer"] else "the best saved strategy"
        yield doc.Command(f"Play against {opponent}", question["play"], media=doc.Media.TEXT)
        command = f"{question['list']} > mine.toml (or --export FILE)" if question.get("list") else "--export FILE"
        yield doc.Code(f"Save the list as a file: {command}", media=doc.Media.TEXT)
    if "command" in question:
        title = "Same effort without a time limit" if "minutes" in question else "Repeat"
        yield doc.Command(title, question["command"])
