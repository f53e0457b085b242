"""`evodom strategies`: list the baselines, or print one strategy as a file that can be read and changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from evodom.cli.common import ensure_compiled, progress, workers
from evodom.cli.options import CommonArguments, EntrantName, chosen_entrants, chosen_kingdom, kingdom_option, takes
from evodom.errors import UsageError
from evodom.options import OptionStruct, option

if TYPE_CHECKING:
    from evodom.dominion.kingdom import Kingdom
    from evodom.dominion.strategies.describe import BuyOrders
    from evodom.entrants import Entrants


class StrategyOptions(OptionStruct, frozen=True, kw_only=True):
    """Where a strategy plays, and how it is printed."""

    kingdom: Annotated[str | None, kingdom_option("that of the runs, else First Game")] = None
    raw: Annotated[bool, option("--raw", "Print a strategy of a run as it was evolved, with all its numbers.")] = False


@click.command()
@click.argument("name", type=EntrantName(), required=False, metavar="[STRATEGY]")
@takes(StrategyOptions, "options")
@takes(CommonArguments, "common")
def strategies(name: str | None, options: StrategyOptions, common: CommonArguments) -> None:
    """List the baselines and their purchases, or print one STRATEGY as the text of a file.

    A STRATEGY is the champion of a run (demo), its second best (demo:2), the champion of a generation (demo@50), a
    baseline or a strategy file. evodom strategies demo > mine.toml writes a file to read, to change, and to name where
    strategies meet: evodom match mine.toml demo

    Of an answer of evodom advise it prints the list to follow by hand.

    A strategy of a run is printed as a shortened list, which was measured to play as well; --raw prints it as it was
    evolved.
    """
    if name is None and options.raw:
        raise UsageError("--raw is for a strategy of a run. Name one: evodom strategies demo --raw")
    if name is None:
        _print_list(options.kingdom, as_json=common.as_json)
    else:
        _print_strategy(name, options, common)


def _print_list(kingdom: str | None, *, as_json: bool) -> None:
    from evodom.cli.cards import wrapped
    from evodom.dominion.cards import BASIC
    from evodom.dominion.strategies.baselines import BASELINES, BUY_LIST_BASELINES, baseline_buy_list, fitting_baselines
    from evodom.presentation.format import joined

    chosen = None if kingdom is None else chosen_kingdom(kingdom, seed=0, first_edition=False)
    names = fitting_baselines(chosen) if chosen else BASELINES
    basic = {card.name for card in BASIC}
    wants = {name: baseline_buy_list(name).cards if name in BUY_LIST_BASELINES else () for name in names}
    if as_json:
        rules = {name: list(baseline_buy_list(name).buy) if name in BUY_LIST_BASELINES else [] for name in names}
        needed = {name: [card for card in cards if card not in basic] for name, cards in wants.items()}
        click.echo(json.dumps([{"name": name, "needs": needed[name], "buy": rules[name]} for name in names], indent=2))
        return
    rows = [(name, joined(cards) or "anything, at random") for name, cards in wants.items()]
    click.echo("\n".join(wrapped([("strategy", "buys the first it may and can"), *rows])))
    click.echo("\nTheir rules, as a file: evodom strategies big-money")


def _print_strategy(name: str, options: StrategyOptions, common: CommonArguments) -> None:
    from evodom import runs as store
    from evodom.dominion.strategies.base import model_of, model_with_files
    from evodom.dominion.strategies.files import dump_strategy, load_strategy
    from evodom.entrants import find_entrants, own_kingdom

    root = store.data_dir(common.data_dir)
    if not options.raw and (listed := _list_of_answer(name, root)):
        _print_text(*listed, as_json=common.as_json)
        return
    own = own_kingdom(name) if options.kingdom is None else None
    if own:
        chosen = find_entrants([name], root=root, kingdom=own)
    else:
        chosen = chosen_entrants([name], root=root, kingdom=options.kingdom, seed=0)
    (entrant,) = chosen.entrants
    if entrant.origin == ("baseline", "random"):
        raise UsageError("random takes anything, and has no rules that a file could say. Name another strategy.")
    if chosen.has_agents:
        raise UsageError(f"{name} is an agent in Python: there are no rules that a strategy file could say.")
    model_with_files(model_of(entrant.record).name)
    record, comment = entrant.record, _comment(chosen)
    if entrant.origin[0] == "run" and not options.raw:
        record, told = _readable(chosen, common)
        comment = f"{comment}\n{told}"
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


def _list_of_answer(word: str, root: Path) -> tuple[str, Kingdom, str] | None:
    """Return the name, the kingdom and the file of the list that belongs to an answer of advice.

    ``word`` is the answer, its learner or its reply; None for another strategy. Raises UsageError for an answer of an
    earlier version, which has no list.
    """
    from evodom.answers import answer_of_learner_or_reply, find_answer
    from evodom.dominion.strategies.files import dump_strategy, parse_strategy

    answer = find_answer(word.removesuffix(":1"), root) or answer_of_learner_or_reply(word, root)
    if answer is None:
        return None
    if answer.plan is None:
        raise UsageError(
            f"no list is saved with the answer '{answer.name}'. Ask again: evodom advise --export FILE. Its own lists "
            f"are {answer.part_name('buy-list')} and {answer.part_name('graded')}."
        )
    name = f"{answer.name} list"
    record = parse_strategy(answer.plan, where=f"the list of the answer '{answer.name}'").record(answer.kingdom)
    comment = (
        f"The list to follow by hand of the answer '{answer.name}', for {answer.players} players.\n"
        f"Kingdom: {', '.join(answer.kingdom.cards)}\n{_in_words(record, answer.kingdom)}"
    )
    return name, answer.kingdom, dump_strategy(record, answer.kingdom, name=name, comment=comment)


def _in_words(record: Any, kingdom: Kingdom) -> str:
    """Return a list in words, as lines of a comment."""
    from evodom.dominion.strategies.describe import describe_buys

    return "\n".join(_buying(record, describe_buys(record, kingdom)))


def _buying(record: Any, wording: BuyOrders) -> list[str]:
    """Return the purchases of a strategy as text."""
    from evodom.dominion.strategies.base import model_of

    lines = []
    buys = "It prefers, best first" if model_of(record).is_stochastic else "It buys the first of these that it can"
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
        f"Kingdom: {', '.join(chosen.kingdom.cards)}"
    )


def _readable(chosen: Entrants, common: CommonArguments) -> tuple[Any, str]:
    """Return a single strategy in readable form, and a comment with its description and its strength."""
    from evodom.advice.buy_list import BIG_MONEY, GAMES, readable
    from evodom.matches.seating import Use
    from evodom.matches.venue import Venue
    from evodom.presentation.format import percent, share_text

    ensure_compiled("games", quiet=common.quiet)
    (entrant,) = chosen.entrants
    players = chosen.players or 2
    with workers(common.jobs) as threads, progress(None, quiet=common.quiet) as on_games:
        venue = Venue(chosen.kingdom, players, common.seed or 0, Use.ADVICE, threads, on_games)
        found = readable(venue, entrant.record)
    raw = f"As it was evolved: evodom strategies {entrant.name} --raw"
    lines = _buying(found.record, found.wording)
    if found.against_original is None or found.before is None or found.after is None:
        return found.record, "\n".join([*lines, f"Nothing could be left out. {raw}"])
    n = "" if players == 2 else f"{players - 1} copies of "
    lines += [
        f"Shortened, it wins {share_text(found.against_original)} against {n}the original, where equals win "
        f"{percent(1 / players)} %,",
        f"and {share_text(found.after)} against {n}{BIG_MONEY}, where the original wins {share_text(found.before)};",
        f"{GAMES} games each. {raw}",
    ]
    return found.record, "\n".join(lines)
