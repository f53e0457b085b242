"""Sentences and charts of several reports: training opponents, best responses, cards by turn."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from evodom.dominion.cards import BASIC, CARDS
from evodom.dominion.cards import counted as counted_cards
from evodom.dominion.kingdom import CUSTOM
from evodom.dominion.strategies.describe import plural
from evodom.matches.mistakes import Mistake
from evodom.presentation.charts import AreaChart, Series
from evodom.presentation.document import Block, Chart, OrderedLists, Paragraph, Tile, percent_column
from evodom.presentation.format import counted, joined, mistake_text, percent, share_text
from evodom.reports.cached import BestResponse
from evodom.reports.measure import STAGES, ByTurn
from evodom.statistics import Share

MET_MARK = " *"
"""Suffix of the name of a baseline that was a training opponent."""

BIG_MONEY = "big-money"
BIG_MONEY_NAME = "Big Money"
"""The baseline's name in sentences."""

SHIPPED = "the shipped network"

N_WORDS = ("no", "one", "two", "three", "four", "five", "six")

MIN_BUYS = 0.03
"""Minimum mean number of purchases of a card in some turn. Other cards are left out of the chart."""

MIN_COPIES = 0.25
"""Minimum mean number of copies of a card in some deck. Other cards are left out of the chart."""

MIN_OFTEN = 0.3
"""Minimum mean number per game of a card that a sentence names for a stage of the game."""

MAX_OFTEN = 4
"""Maximum number of cards that a sentence names for a stage of the game."""


def subtitle_of(kingdom: str, players: int) -> str:
    """Return the line above the title of a report."""
    return f"evodom report · {'custom kingdom' if kingdom in ('', CUSTOM) else kingdom} · {counted(players, 'player')}"


ENDINGS = {"provinces": "last Province", "colonies": "last Colony", "empty_piles": "empty piles", "cut": "turn limit"}
"""Words for the endings of games in JSON."""


def copies(n: int, name: str) -> str:
    """Return the opponents in all other seats: "three copies of big-money"."""
    return name if n == 1 else f"{N_WORDS[n]} copies of {name}"


def end_shares(ended: Mapping[str, float]) -> str:
    """Return the shares of the endings of games as text."""
    return ", ".join(f"{ENDINGS[end]} {percent(share)} %" for end, share in ended.items())


def kingdom_text(name: str, cards: Sequence[str], drawn: Collection[str]) -> str:
    """Return the name of a kingdom. Without a name, return its requested cards and then its drawn cards."""
    if name != CUSTOM:
        return name
    requested, random = ([card for card in cards if (card in drawn) == is_drawn] for is_drawn in (False, True))
    return "; ".join([joined(requested)] * bool(requested) + [f"drawn: {joined(random)}"] * bool(random))


def training_note(opponents: Sequence[str], *, is_any_met: bool) -> str:
    """Return a note on whether baselines of a report were training opponents, and the names of these opponents."""
    listed = f" Training opponents: {', '.join(opponents)}." if opponents else ""
    if not is_any_met:
        return f"None of these baselines was a training opponent.{listed}"
    return f"{MET_MARK.strip()} was a training opponent: this win rate is no independent test.{listed}"


def strongest_of(wins: Mapping[str, Share]) -> tuple[str, Share]:
    """Return the baseline against which the win rate is lowest, and this win rate."""
    return min(wins.items(), key=lambda item: item[1].share)


def n_beaten(wins: Mapping[str, Share], n_players: int) -> int:
    """Return the number of baselines against which the interval of the win rate lies above the chance level."""
    return sum(share.low > 1 / n_players for share in wins.values())


def strength_sentences(
    wins: Mapping[str, Share], n_players: int, best_response: BestResponse | None = None, subject: str = "It"
) -> Iterator[str]:
    """Yield the win rates of a champion: against Big Money, the strongest baseline and all baselines.

    `wins` are the win rates by baseline, Big Money among them. The last sentence is the win rate of the network that
    was trained to beat the champion.
    """
    chance, (strongest, least) = percent(1 / n_players, 0), strongest_of(wins)
    yield f"{subject} wins {share_text(wins[BIG_MONEY])} of its games against {copies(n_players - 1, BIG_MONEY_NAME)}."
    if strongest != BIG_MONEY:
        yield f"It wins least against {copies(n_players - 1, strongest)}, the strongest baseline: {share_text(least)}."
    yield (
        f"{N_WORDS[n_players].capitalize()} equal players win {chance} % each, the chance level. The 95 % interval "
        f"lies above {chance} % against {n_beaten(wins, n_players)} of {counted(len(wins), 'baseline')}."
    )
    if best_response is not None:
        yield (
            f"A network trained for {best_response.n_games:,} games to beat the champion wins "
            f"{share_text(best_response.wins)}. The closer to {chance} %, the harder the champion is to beat."
        )


def win_tile(opponents: str, wins: Share) -> Tile:
    """Return the tile with the win rate against ``opponents``."""
    return Tile(f"against {opponents}", percent_column("wins"), wins)


def best_response_tiles(found: BestResponse | None) -> list[Tile]:
    """Return the tile with the win rate of the network that was trained to beat a champion, if there is one."""
    if found is None:
        return []
    name = f"wins of a network trained to beat it, after {found.n_games:,} games"
    return [Tile(name, percent_column("wins"), found.wins)]


def card_colours(kingdom: Sequence[str]) -> dict[str, str]:
    """Return the CSS class of each card's colour."""
    basic = {card.name: card.name.lower() for card in BASIC}
    return basic | {name: f"c{index % 10}" for index, name in enumerate(kingdom)}


def stacked(
    caption: tuple[str, str],
    xs: Sequence[int],
    counts: Mapping[str, Sequence[float]],
    unit: str,
    colours: Mapping[str, str],
    least: float,
) -> Chart:
    """Return the stacked chart of numbers of cards. Cards that never reach `least` are left out.

    `caption` is the title and the note, `unit` the label of the x axis.
    """
    title, note = caption
    series = [Series(name, colours[name], values) for name, values in counts.items() if max(values) >= least]
    drawing = AreaChart(xs, series, (unit, "cards")) if series else None
    return Chart(title, note if series else f"{note} There is nothing to show.", drawing)


def playing_sentence(turns: ByTurn, trashed: Mapping[str, float]) -> str:
    """Return how to play like a champion: its most frequent buys by stage, and the cards that it trashes.

    The most expensive buy of a stage comes first. `trashed` are mean numbers of trashed copies per game, largest first.
    """
    parts = []
    for stage in STAGES:
        span = slice(stage.first - 1, stage.last)
        bought = {
            name: sum(n * reached for n, reached in zip(by_turn[span], turns.reached[span], strict=True))
            for name, by_turn in turns.bought.items()
        }
        often = sorted((name for name, n in bought.items() if n >= MIN_OFTEN), key=lambda name: -bought[name])
        by_cost = sorted(often[:MAX_OFTEN], key=lambda name: -CARDS[name].cost)
        if by_cost:
            preposition = "from" if stage is STAGES[-1] else "on"
            parts.append(f"{in_words(by_cost)} {preposition} {stage.when}")
    often_trashed = [plural(name) for name, n in trashed.items() if n >= MIN_OFTEN]
    trash = f" Trash {in_words(often_trashed[:MAX_OFTEN])}." if often_trashed else ""
    return f"To play like it, buy {'; '.join(parts)}.{trash}" if parts else ""


def in_words(names: Sequence[str]) -> str:
    """Return "Silver, Gold and Militia"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def turn_charts(turns: ByTurn, colours: Mapping[str, str]) -> list[Chart]:
    """Return the charts of a champion's cards: bought, owned and played in each turn."""
    shown = (
        ("Cards bought by turn", "Cards that the champion buys in each turn", turns.bought, MIN_BUYS),
        ("Deck by turn", "Cards that the champion owns at the end of each turn", turns.deck, MIN_COPIES),
        ("Cards played by turn", "Cards in play at the champion's first buy of each turn", turns.played, 2 * MIN_BUYS),
    )
    xs = range(1, turns.n_turns + 1)
    return [
        stacked((title, f"{note}, on average."), xs, counts, "turn", colours, least)
        for title, note, counts, least in shown
    ]


def mistake_sentence(mistake: Mistake) -> str:
    """Return a mistake with the interval of its loss."""
    lost = mistake.lost
    loss = f"{percent(lost.value)} points, {percent(lost.low)} to {percent(lost.high)}"
    return f"{mistake_text(mistake, loss)}."


def _situated(mistake: Mistake) -> tuple[str, str]:
    """Return the turn of a mistake, and the mistake with the player's cards."""
    turn, colon, text = mistake_sentence(mistake).partition(":")
    zones = {"In play": mistake.in_play, "In hand": mistake.hand}
    cards = (f" {zone}: {', '.join(counted_cards(held))}." for zone, held in zones.items() if held)
    return turn + colon, text.strip() + "".join(cards)


def mistake_blocks(mistakes: Sequence[Mistake] | None, player: str, network: str) -> Iterator[Block]:
    """Yield the costliest mistakes of a strategy against a network. Yield nothing if they were not measured."""
    if mistakes is None:
        return
    games = f"in games of {player} against {network}"
    if not mistakes:
        yield Paragraph(f"No significant mistake was found {games}.")
        return
    yield Paragraph(
        f"The costliest choices {games}, each with the best choice found. A percentage is the win probability if the "
        "network makes all further choices of all players. The loss has its 95 % interval, from new playouts."
    )
    yield OrderedLists([("", [_situated(mistake) for mistake in mistakes])])
