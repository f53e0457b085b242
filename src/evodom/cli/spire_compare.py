"""`evodom spire compare` and `evodom spire pick`: two searches in the same fights, or several decks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evodom.cli.common import (
    chosen_seed,
    data_dir_option,
    jobs_option,
    json_option,
    quiet_option,
    seed_option,
    warm_up_fights,
)
from evodom.cli.spire_fight import fight_of, fight_options
from evodom.cli.spire_network import (
    check_known,
    fight_and_network,
    fight_argument,
    name_fight,
    name_of,
    named_network,
    names_enemies,
    names_training,
    network_option,
    told,
    trained,
)
from evodom.cli.spire_search import effort_options, figures_of, hp_text, playing, potions_used, share_text
from evodom.errors import UsageError
from evodom.learning.fights import ACT

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.play.estimates import Estimate
    from evodom.spire.play.network import NetworkEvaluator
    from evodom.statistics import IntervalEstimate


PLAYOUTS = "playouts"


@click.command("compare", short_help="Compare two networks, or a network and playouts, in the same fights.")
@click.argument("first")
@click.argument("second")
@fight_options
@click.option("--games", type=click.IntRange(2, 1_000_000), default=1000, show_default=True, help="Fights played.")
@click.option(
    "--simulations", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Simulations a move."
)
@seed_option
@jobs_option
@data_dir_option
@quiet_option
@json_option
def compare_command(
    first: str,
    second: str,
    as_json: bool,
    quiet: bool,
    data_dir: Path | None,
    games: int,
    simulations: int,
    seed: int | None,
    jobs: int,
    **given: Any,
) -> None:
    """Play the same fights with the same luck by two ways of searching, and tell the difference.

    FIRST and SECOND are keys of trainings, `playouts` for the search without a network, or `act1` for the network of
    act 1 that comes with evodom. If no fight is given, it is the one that FIRST was trained for, or else SECOND.
    """
    from evodom.spire.play.estimates import estimate
    from evodom.spire.play.searcher import FightSearchOptions
    from evodom.statistics import mean_interval

    if first == second:
        raise UsageError(f"{first} is compared with itself. Name two.")
    fight, networks = _entrants(first, second, data_dir, given)
    warm_up_fights(quiet=quiet)
    number = chosen_seed(seed)
    found: dict[str, Estimate] = {}
    with playing(games * 2, quiet=quiet) as progress:
        for name, network in networks.items():
            found[name] = estimate(
                fight, games, FightSearchOptions(simulations, network=network), number, jobs, progress
            )
    difference = mean_interval(found[first].values - found[second].values)
    if as_json:
        figures = {name: figures_of(fight, one) for name, one in found.items()}
        interval = {"mean": difference.value, "low": difference.low, "high": difference.high}
        page = {"entrants": figures, "difference": interval, "simulations": simulations, "seed": number}
        click.echo(json.dumps(page, indent=2))
        return
    click.echo(f"{fight.text}, the same {games:,} fights for both, {simulations:,} simulations a move:")
    width = max(map(len, found))
    for name, one in found.items():
        click.echo(f"{name:<{width}}  {hp_text(one.hp)} HP left, {share_text(one.death)} lost")
    click.echo(
        f"{first} - {second}: {difference.value:+.2f} ({difference.low:+.2f} to {difference.high:+.2f}); "
        "in brackets 95 %."
    )


def _entrants(
    first: str, second: str, data_dir: Path | None, given: dict[str, Any]
) -> tuple[Fight, dict[str, NetworkEvaluator | None]]:
    """Return the fight, and the network of each entrant."""
    of_trainings = {name: trained(name, data_dir) for name in (first, second) if name not in (PLAYOUTS, ACT)}
    fight = fight_of(given, next((fights[0] for fights, _ in of_trainings.values()), None))
    for name, (_, network) in of_trainings.items():
        check_known(name, network, fight)
    others: dict[str, NetworkEvaluator | None] = {PLAYOUTS: None} | (
        {ACT: named_network()} if ACT in (first, second) else {}
    )
    return fight, {name: of_trainings[name][1] if name in of_trainings else others[name] for name in (first, second)}


SKIP, REST = "skip", "rest"


@click.command("pick", short_help="Tell which card helps most in a fight, or whether to skip, upgrade or rest.")
@click.argument("cards", required=False, metavar="[CARDS]")
@fight_argument
@fight_options
@network_option
@effort_options
@click.option("--upgrade", is_flag=True, help="CARDS are upgraded in the deck instead of added to it.")
@click.option("--rest", is_flag=True, help="To rest is a choice too: 30 % of your maximum of HP. CARDS are upgraded.")
@seed_option
@jobs_option
@quiet_option
@json_option
def pick_command(
    cards: str | None,
    name: str | None,
    as_json: bool,
    quiet: bool,
    games: int,
    simulations: int,
    seed: int | None,
    jobs: int,
    upgrade: bool,
    rest: bool,
    **given: Any,
) -> None:
    """Play the same fights with each of some cards added to the deck, and tell what each is worth.

    CARDS are the cards to choose among, and perhaps skip: "Pommel Strike, Shrug It Off, skip". All play the same fights
    with the same luck, as far as the decks allow, so that differences are clearer than the figures themselves. With
    --upgrade the choice is which card of the deck to upgrade, with --rest it is that or a rest; without CARDS it is
    among all that can be upgraded.

    FIGHT is a file, an encounter or enemies, such as nob or "3 louses", or the key of a training (run:KEY).
    """
    from evodom.spire.play.estimates import estimate
    from evodom.spire.play.searcher import FightSearchOptions

    if (upgrade or rest) and name is None and cards is not None and _is_fight(cards, given["data_dir"]):
        cards, name = None, cards
    name_fight(given, name)
    key = given["network"]
    fight, network = fight_and_network(given)
    choices = choices_of(fight, cards, upgrade=upgrade, rest=rest)
    for other in choices.values():
        check_known(key, network, other)
    warm_up_fights(quiet=quiet)
    number = chosen_seed(seed)
    found: dict[str, Estimate] = {}
    with playing(games * len(choices), quiet=quiet) as progress:
        for choice, other in choices.items():
            found[choice] = estimate(
                other, games, FightSearchOptions(simulations, network=network), number, jobs, progress
            )
    if as_json:
        facts = {"simulations": simulations, "seed": number, "network": name_of(network, key)}
        click.echo(json.dumps(_page(choices, found) | facts, indent=2))
    else:
        click.echo(_text(fight, found, told(network, key)))


def _is_fight(text: str, data_dir: Path | None) -> bool:
    """Return True if a text names a fight and no cards: --upgrade and --rest need no CARDS before FIGHT."""
    from evodom.spire.fights.names import find_card

    try:
        for word in text.split(","):
            if word.strip().casefold() not in (SKIP, REST):
                find_card(word)
        return False
    except UsageError:
        pass
    return text.endswith(".toml") or names_enemies(text) or names_training(text, data_dir)


def choices_of(fight: Fight, text: str | None, *, upgrade: bool = False, rest: bool = False) -> dict[str, Fight]:
    """Return the fights to compare, by the name of the choice."""
    from evodom.spire.fights.choices import rested, upgradable, upgraded, with_card, with_upgrade
    from evodom.spire.fights.names import find_card

    if upgrade and rest:
        raise UsageError("--rest has the upgrades among its choices. Leave --upgrade out.")
    if text is None and not (upgrade or rest):
        raise UsageError('name the cards to choose among: "Cleave, Anger, skip". Only --upgrade and --rest need none.')
    found: dict[str, Fight] = {REST: rested(fight)} if rest else {}
    for word in upgradable(fight) if text is None else [word.strip() for word in text.split(",")]:
        if word.casefold() == SKIP:
            found[SKIP] = fight
        elif rest and word.casefold() == REST:
            continue
        elif upgrade or rest:
            name = find_card(word)
            found[upgraded(name) or name] = with_upgrade(fight, name)
        else:
            found[find_card(word)] = with_card(fight, find_card(word))
    if len(found) < 2:
        what = "the deck" if text is None else repr(text)
        raise UsageError(f'there is nothing to choose among in {what}. Give two or more: "Cleave, Anger, skip"')
    return found


def _ranked(found: dict[str, Estimate]) -> list[str]:
    """Return the names of the choices, the best first."""
    return sorted(found, key=lambda name: -found[name].value.value)


def _difference(one: Estimate, other: Estimate) -> IntervalEstimate:
    """Return how much more one choice pays than another, fight by fight."""
    from evodom.statistics import mean_interval

    return mean_interval(one.values - other.values)


def _text(fight: Fight, found: dict[str, Estimate], note: str) -> str:
    """Return the choices, the best first, each with its difference to the best; and a note, if there is one."""
    best, *others = _ranked(found)
    width = max(map(len, found))
    lines = [f"{fight.text}, the same {len(found[best].results)} fights for each:"]
    for name in (best, *others):
        one = found[name]
        line = f"{name:<{width}}  {one.hp.value:5.1f} HP left, {share_text(one.death)} lost"
        if fight.setup.potions:
            line += f", {potions_used(one):.1f} potions used"
        if name != best:
            difference = _difference(one, found[best])
            line += f"; {difference.value:+.2f} ({difference.low:+.2f} to {difference.high:+.2f})"
        lines.append(line)
    second = others[0]
    verdict = best if _difference(found[best], found[second]).low > 0 else f"{best}, but {second} may be as good"
    lines += [note] if note else []
    return "\n".join([*lines, f"Best: {verdict}. Differences are to the best, in brackets 95 %."])


def _page(choices: dict[str, Fight], found: dict[str, Estimate]) -> dict[str, Any]:
    """Return the choices, the best first, for programs."""
    ranked = _ranked(found)
    best = found[ranked[0]]
    told = {}
    for name in ranked:
        one = _difference(found[name], best)
        difference = {"mean": one.value, "low": one.low, "high": one.high}
        told[name] = figures_of(choices[name], found[name]) | {"difference": difference}
    return {"choices": told, "best": ranked[0]}
