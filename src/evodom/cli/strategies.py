"""`evodom strategies`: list the baselines, or print a strategy as an editable file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import click

from evodom.api.progress import ensure_compiled, progress, workers
from evodom.cli.options import (
    Colonies,
    CommonArguments,
    DrawArguments,
    EntrantName,
    chosen_entrants,
    chosen_kingdom,
    is_drawing,
    kingdom_option,
    takes,
)
from evodom.dominion.cards import BASIC
from evodom.dominion.strategies.registry import model_of, model_with_files
from evodom.errors import UsageError
from evodom.matches.names import parse_player
from evodom.options import OptionStruct, option
from evodom.presentation.format import joined, percent, share_text
from evodom.presentation.text import table_lines

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom
    from evodom.dominion.strategies.describe import BuyOrders
    from evodom.dominion.strategies.record import Strategy
    from evodom.matches.entrants import Entrants
    from evodom.runs import RunStore


class StrategyOptions(OptionStruct, frozen=True, kw_only=True):
    """Options: the kingdom, and the form of the printed strategy."""

    kingdom: Annotated[str | None, kingdom_option("that of the runs, else First Game")] = None
    colonies: Colonies = "auto"
    raw: Annotated[bool, option("--raw", "Print a strategy of a run unchanged, with all parameters.")] = False

    @property
    def draw(self) -> DrawArguments:
        """The option of Platinum and Colony."""
        return DrawArguments(colonies=self.colonies)


@click.command()
@click.argument("name", type=EntrantName(), required=False, metavar="[STRATEGY]")
@takes(StrategyOptions, "options")
@takes(CommonArguments, "common")
def strategies(name: str | None, options: StrategyOptions, common: CommonArguments) -> None:
    """List the baselines and their purchases, or print STRATEGY as a strategy file.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline or a strategy file. To edit a strategy and compare it with the original: evodom strategies demo > mine.toml
    and evodom match mine.toml demo

    For an answer of evodom advise, print its buy list for play by hand.

    A strategy of a run is printed as a shortened list with its measured win rate against the original; --raw prints the
    original.
    """
    if name is None and options.raw:
        raise UsageError("--raw applies to a strategy of a run. Name it: evodom strategies demo --raw")
    if name is None:
        _print_list(options, as_json=common.as_json)
    else:
        _print_strategy(name, options, common)


def _print_list(options: StrategyOptions, *, as_json: bool) -> None:
    from evodom.cli.cards import width
    from evodom.dominion.strategies.baselines import BASELINES, BUY_LIST_BASELINES, baseline_buy_list, fitting_baselines

    asked = options.kingdom is not None or is_drawing(options.draw)
    chosen = chosen_kingdom(options.kingdom, options.draw, seed=0) if asked else None
    names = fitting_baselines(chosen) if chosen else BASELINES
    basic = {card.name for card in BASIC}
    wants = {name: baseline_buy_list(name).cards if name in BUY_LIST_BASELINES else () for name in names}
    if as_json:
        rules = {name: list(baseline_buy_list(name).buy) if name in BUY_LIST_BASELINES else [] for name in names}
        needed = {name: [card for card in cards if card not in basic] for name, cards in wants.items()}
        click.echo(json.dumps([{"name": name, "needs": needed[name], "buy": rules[name]} for name in names], indent=2))
        return
    rows = [(name, joined(cards) or "anything, at random") for name, cards in wants.items()]
    head = ("strategy", "buys the first affordable card of")
    click.echo("\n".join(table_lines([head, *rows], left=(0, 1), width=width())))
    click.echo("\nPrint the rules as a file: evodom strategies big-money")


def _print_strategy(name: str, options: StrategyOptions, common: CommonArguments) -> None:
    from evodom.dominion.strategies.files import dump_strategy, load_strategy
    from evodom.matches.entrants import find_entrants, own_kingdom

    store = common.store
    if not options.raw and (listed := _list_of_answer(name, store)):
        _print_text(*listed, as_json=common.as_json)
        return
    own = None if options.kingdom is not None or is_drawing(options.draw) else own_kingdom(name)
    if own:
        chosen = find_entrants([name], store=store, kingdom=own)
    else:
        chosen = chosen_entrants([name], options.draw, store=store, kingdom=options.kingdom, seed=0)
    (entrant,) = chosen.entrants
    if entrant.origin == ("baseline", "random"):
        raise UsageError("random has no rules that a strategy file could hold. Name another strategy.")
    if chosen.has_agents:
        raise UsageError(f"{name} is a Python agent and has no rules that a strategy file could hold. Name a strategy.")
    model_with_files(model_of(entrant.record).name)
    record, comment = entrant.record, _comment(chosen)
    if entrant.origin[0] == "run" and not options.raw:
        record, description = _readable(chosen, common)
        comment = f"{comment}\n{description}"
    called = load_strategy(name).name if entrant.origin[0] == "file" else entrant.name
    text = dump_strategy(record, chosen.kingdom, name=called, comment=comment)
    _print_text(called, chosen.kingdom, text, as_json=common.as_json)


def _print_text(name: str, kingdom: Kingdom, text: str, *, as_json: bool) -> None:
    """Print a strategy file, or the same in JSON."""
    if as_json:
        facts = {"name": name, "kingdom": {"name": kingdom.name, "cards": list(kingdom.cards)}}
        click.echo(json.dumps(facts | {"toml": text}, indent=2))
    else:
        click.echo(text, nl=False)


def _list_of_answer(word: str, store: RunStore) -> tuple[str, Kingdom, str] | None:
    """Return the name, the kingdom and the file of the list that belongs to an answer of advice.

    ``word`` is the answer, its list or one of its networks; None for another strategy. Raises UsageError for an answer
    that has no list.
    """
    from evodom.advice.answer import EVOLVED
    from evodom.matches.entrants import find_answer, list_of

    found = parse_player(word).in_run
    answer = find_answer(found.file, store) if found and found.part not in EVOLVED else None
    if answer is None:
        return None
    text = list_file(list_of(answer), answer.key, answer.kingdom, answer.players)
    return name_of_list(answer.key), answer.kingdom, text


def name_of_list(answer: str) -> str:
    """Return the name of the list that belongs to an answer of advice."""
    return f"{answer} list"


def list_file(record: Strategy, answer: str, kingdom: Kingdom, players: int, command: str = "") -> str:
    """Return the strategy file of the list that belongs to an answer. ``command`` repeats the search."""
    from evodom.dominion.strategies.describe import describe_buys
    from evodom.dominion.strategies.files import dump_strategy

    record = model_of(record).reachable(record, kingdom)
    head = [f"Buy list for play by hand, of the answer '{answer}', for {players} players."]
    head += [f"Advice of: {command}"] if command else []
    comment = "\n".join([*head, _kingdom_lines(kingdom), *_buying(record, describe_buys(record, kingdom))])
    return dump_strategy(record, kingdom, name=name_of_list(answer), comment=comment)


def _kingdom_lines(kingdom: Kingdom) -> str:
    """Return a kingdom as lines of a comment: its cards, and the option that selects it."""
    from evodom.presentation.documents.advice_facts import kingdom_argument

    return f"Kingdom: {', '.join(kingdom.cards)}\nIts option: --kingdom {kingdom_argument(kingdom)}"


def _buying(record: Any, wording: BuyOrders) -> list[str]:
    """Return the purchases of a strategy as text."""
    lines = []
    buys = (
        "Preferences, best first" if model_of(record).is_stochastic else "Buys the first affordable card of this list"
    )
    for order in wording.lists:
        lines += ["", f"{buys}{f', {order.when}' if order.when else ''}:"]
        lines += [f"  {line}" for line in order.lines]
    return [*lines, *(["", *wording.notes] if wording.notes else [""])]


def _comment(chosen: Entrants) -> str:
    """Return the comment for a strategy file that says which run it comes from; empty if from none."""
    origin, *where = chosen.entrants[0].origin
    if origin != "run":
        return ""
    key, generation, rank = where
    return (
        f"Number {rank} of generation {generation} of run '{key}', evolved for {chosen.made_for[key]} players.\n"
        f"{_kingdom_lines(chosen.kingdom)}"
    )


def _readable(chosen: Entrants, common: CommonArguments) -> tuple[Any, str]:
    """Return a single strategy in readable form, and a comment with its description and its strength."""
    from evodom.advice.readable import BIG_MONEY, GAMES, readable
    from evodom.dominion.kingdom import engine_groups
    from evodom.dominion.strategies.describe import describe_buys
    from evodom.matches.seating import Use
    from evodom.matches.venue import Venue

    ensure_compiled(*engine_groups(chosen.kingdom), quiet=common.quiet)
    (entrant,) = chosen.entrants
    players = chosen.players or 2
    with workers(common.jobs) as threads, progress(None, quiet=common.quiet) as on_games:
        venue = Venue(chosen.kingdom, players, common.seed or 0, Use.ADVICE, threads, on_games)
        found = readable(venue, entrant.record)
    record = model_of(found.record).reachable(found.record, chosen.kingdom)
    raw = f"The original: evodom strategies {entrant.name} --raw"
    lines = _buying(record, describe_buys(record, chosen.kingdom))
    if found.against_original is None or found.before is None or found.after is None:
        return record, "\n".join([*lines, f"Not shortened. {raw}"])
    n = "" if players == 2 else f"{players - 1} copies of "
    lines += [
        f"Shortened. Win rate against {n}the original: {share_text(found.against_original)}; the chance level is "
        f"{percent(1 / players)} %.",
        f"Win rate against {n}{BIG_MONEY}: {share_text(found.after)}; of the original {share_text(found.before)}.",
        f"{GAMES} games each. {raw}",
    ]
    return record, "\n".join(lines)
