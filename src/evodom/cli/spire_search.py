"""`evodom spire search` and `pick`: what a fight is worth by search, and which card helps most."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import (
    chosen_seed,
    is_terminal,
    jobs_option,
    json_option,
    quiet_option,
    seed_option,
    warm_up_fights,
)
from evodom.cli.spire_fight import describe, fight_options
from evodom.cli.spire_network import check_known, fight_and_network, network_option
from evodom.errors import UsageError

if TYPE_CHECKING:
    from evodom.intervals import IntervalEstimate, Share
    from evodom.spire.fights import Fight
    from evodom.spire.search.estimates import Estimate

F = TypeVar("F", bound=Callable[..., Any])

SKIP = "skip"

_EFFORT = (
    click.option("--games", type=click.IntRange(2, 1_000_000), default=100, show_default=True, help="Fights played."),
    click.option(
        "--simulations", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Simulations a move."
    ),
)


def effort_options(function: F) -> F:
    """Add the options that say how much is searched."""
    for option in reversed(_EFFORT):
        function = option(function)
    return function


@click.command("search", short_help="Tell what a fight of act 1 costs, by search: any deck, any enemy.")
@fight_options
@network_option
@effort_options
@seed_option
@jobs_option
@quiet_option
@json_option
def search_command(
    as_json: bool, quiet: bool, games: int, simulations: int, seed: int | None, jobs: int, **given: Any
) -> None:
    """Play a fight many times, every move found by tree search, and tell the HP that are left and the chance to die.

    It answers every fight of act 1, with any deck, relics and potions. Good play is a lower bound of the best: what
    `evodom spire solve` proves is at least as high.
    """
    from evodom.spire.search.estimates import estimate
    from evodom.spire.search.player import Budget

    fight, network = fight_and_network(given)
    warm_up_fights(quiet=quiet)
    begin = time.perf_counter()
    number = chosen_seed(seed)
    with playing(games, quiet=quiet) as progress:
        found = estimate(fight, games, Budget(simulations, network=network), number, jobs, progress)
    seconds = time.perf_counter() - begin
    if as_json:
        click.echo(json.dumps(figures_of(fight, found) | {"simulations": simulations, "seed": number}, indent=2))
    else:
        click.echo(_text(fight, found, simulations, seconds))


@click.command("pick", short_help="Tell which card helps most in a fight, or whether to skip.")
@click.argument("cards")
@fight_options
@network_option
@effort_options
@click.option("--upgrade", is_flag=True, help="CARDS are upgraded in the deck instead of added to it.")
@seed_option
@jobs_option
@quiet_option
@json_option
def pick_command(
    cards: str,
    as_json: bool,
    quiet: bool,
    games: int,
    simulations: int,
    seed: int | None,
    jobs: int,
    upgrade: bool,
    **given: Any,
) -> None:
    """Play the same fights with each of some cards added to the deck, and tell what each is worth.

    CARDS are the cards to choose among, and perhaps skip: "Pommel Strike, Shrug It Off, skip". All play the same fights
    with the same luck, as far as the decks allow, so that differences are clearer than the figures themselves. With
    --upgrade the choice is which card of the deck to upgrade.
    """
    from evodom.spire.search.estimates import estimate
    from evodom.spire.search.player import Budget

    key = given["network"]
    fight, network = fight_and_network(given)
    choices = choices_of(fight, cards, upgrade=upgrade)
    if network is not None:
        for other in choices.values():
            check_known(key, network, other)
    warm_up_fights(quiet=quiet)
    number = chosen_seed(seed)
    found: dict[str, Estimate] = {}
    with playing(games * len(choices), quiet=quiet) as progress:
        for name, other in choices.items():
            found[name] = estimate(other, games, Budget(simulations, network=network), number, jobs, progress)
    if as_json:
        figures = {name: figures_of(choices[name], one) for name, one in found.items()}
        click.echo(json.dumps({"choices": figures, "simulations": simulations, "seed": number}, indent=2))
    else:
        click.echo(_pick_text(fight, found))


@contextmanager
def playing(n: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show on stderr how many fights are played, if it is a terminal; yield the function that counts them."""
    from tqdm import tqdm

    with tqdm(total=n, unit=" fights", leave=False, disable=quiet or not is_terminal(sys.stderr)) as bar:

        def count(some: int) -> None:
            bar.update(some)

        yield count


def choices_of(fight: Fight, text: str, *, upgrade: bool) -> dict[str, Fight]:
    """Return the fights to compare, by the name of the choice."""
    from evodom.spire.fights.naming import find_card
    from evodom.spire.rows.cards import ironclad

    if fight.state is not None:
        raise UsageError("a card cannot be picked in a fight that has begun. Leave [state] out of the file.")
    deck = Counter(fight.setup.deck if fight.setup.deck is not None else ironclad(fight.setup.ascension)[2])
    found: dict[str, Fight] = {}
    for word in (word.strip() for word in text.split(",")):
        if word.casefold() == SKIP:
            found[SKIP] = fight
            continue
        name = find_card(word)
        if upgrade:
            better = _upgraded(name, deck)
            found[better] = replace(fight, setup=replace(fight.setup, deck=deck - Counter([name]) + Counter([better])))
        else:
            found[name] = replace(fight, setup=replace(fight.setup, deck=deck + Counter([name])))
    if len(found) < 2:
        raise UsageError(f'there is nothing to choose among in {text!r}. Give two or more: "Cleave, Anger, skip"')
    return found


def _upgraded(name: str, deck: Counter[str]) -> str:
    """Return the name of the upgraded card of one in the deck."""
    from evodom.spire.rows.cards import CARDS

    if not deck[name]:
        raise UsageError(f"--upgrade upgrades a card of the deck, and it has no {name}.")
    if f"{name}+" not in CARDS:
        raise UsageError(f"{name} cannot be upgraded.")
    return f"{name}+"


def _text(fight: Fight, found: Estimate, simulations: int, seconds: float) -> str:
    """Return what a search found, for people."""
    from evodom.intervals import mean_interval

    n = len(found.results)
    searched = int(found.results["n_moves"].sum())
    lines = [f"{describe(fight)}: {hp_text(found.hp)} HP left, {share_text(found.death)} lost."]
    if fight.payoff.kind != "hp" or fight.payoff.potion or fight.payoff.gain:
        lines.append(f"The payoff is {_number(found.value)}.")
    names = list(dict.fromkeys(found.encounters))
    if len(names) > 1:
        width = max(map(len, names))
        for name in sorted(names):
            ours = [place for place, other in enumerate(found.encounters) if other == name]
            hp = mean_interval(found.results["hp"][ours].astype(float))
            lines.append(f"  {name:<{width}}  {hp.value:5.1f} HP in {len(ours)} fights")
    lines.append(
        f"{n} fights, {simulations:,} simulations a move, {1000 * seconds / max(searched, 1):.0f} ms each; "
        "in brackets 95 %."
    )
    return "\n".join(lines)


def _pick_text(fight: Fight, found: dict[str, Estimate]) -> str:
    """Return the choices, the best first, each with its difference to the best."""
    from evodom.intervals import mean_interval

    ranked = sorted(found, key=lambda name: -found[name].value.value)
    best = ranked[0]
    width = max(map(len, found))
    lines = [f"{describe(fight)}, the same {len(found[best].results)} fights for each:"]
    for name in ranked:
        one = found[name]
        line = f"{name:<{width}}  {one.hp.value:5.1f} HP left, {share_text(one.death)} lost"
        if name != best:
            difference = mean_interval(one.values - found[best].values)
            line += f"; {difference.value:+.2f} ({difference.low:+.2f} to {difference.high:+.2f})"
        lines.append(line)
    second = mean_interval(found[best].values - found[ranked[1]].values)
    verdict = best if second.low > 0 else f"{best}, but {ranked[1]} may be as good"
    return "\n".join([*lines, f"Best: {verdict}. Differences are to the best, in brackets 95 %."])


def hp_text(hp: IntervalEstimate) -> str:
    return f"{hp.value:.1f} ({hp.low:.1f} to {hp.high:.1f})"


def _number(value: IntervalEstimate) -> str:
    return f"{value.value:.3f} ({value.low:.3f} to {value.high:.3f})"


def share_text(share: Share) -> str:
    return f"{100 * share.share:.1f} % ({100 * share.low:.1f} to {100 * share.high:.1f})"


def figures_of(fight: Fight, found: Estimate) -> dict[str, Any]:
    """Return what a search found, for programs."""
    intervals = {name: (one.value, one.low, one.high) for name, one in (("hp", found.hp), ("value", found.value))}
    intervals["death"] = found.death.share, found.death.low, found.death.high
    return {
        "fight": describe(fight),
        "games": len(found.results),
        **{name: dict(zip(("mean", "low", "high"), one, strict=True)) for name, one in intervals.items()},
    }
