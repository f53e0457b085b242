"""`evodom spire search`, `pick` and `compare`: play a fight many times by search, with several decks or networks."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

import click

from evodom.api.progress import ensure_compiled, progress
from evodom.cli.options import CommonArguments, takes
from evodom.cli.spire.fights import (
    SMALL_GRAPH,
    FightArguments,
    SearchArguments,
    SolveBelow,
    check_known,
    current_run,
    fight_and_network,
    fight_argument,
    fight_of,
    find_network,
    heal_note,
    name_fight,
    name_fight_or_training,
    name_of,
    names_enemies,
    names_training,
    network_note,
    note_left_out,
    takes_fight,
    takes_sampled_fight,
)
from evodom.cli.spire.solve import SizeReport, payoff_to_text, pays_hp
from evodom.errors import UsageError
from evodom.options import OptionStruct, chosen_seed, option
from evodom.presentation.format import interval_json, mean_text, share_text

if TYPE_CHECKING:
    from evodom.runs import RunStore
    from evodom.spire.fights import Fight
    from evodom.spire.play.estimates import Estimate
    from evodom.spire.play.network import NetworkEvaluator
    from evodom.spire.play.searcher import FightSearchOptions
    from evodom.spire.solver.answer import SolvedFight


class SampleOptions(OptionStruct, frozen=True, kw_only=True):
    """Number of fights and search effort."""

    games: Annotated[int, option("--games", "Number of fights.", ge=2, le=1_000_000)] = 100
    simulations: Annotated[int, option("--simulations", "Simulations per move.", ge=1, le=1_000_000)] = 1000


class SingleSearchOptions(SampleOptions, frozen=True, kw_only=True):
    """Number of fights, and the search of each move."""

    gumbel: Annotated[
        int, option("--gumbel", "Number of root moves for Gumbel sequential halving; 0 uses PUCT.", ge=0, le=100)
    ] = 0
    solve_below: SolveBelow | None = None


@click.command("search")
@fight_argument
@takes_fight
@takes(SingleSearchOptions, "effort")
@takes(SearchArguments, "common")
def search_command(
    name: str | None, asked: FightArguments, effort: SingleSearchOptions, common: SearchArguments
) -> None:
    """Play a fight many times by tree search and print the HP left and the probability of death.

    FIGHT is a file, an encounter or enemies, such as nob or "3 louses", or the key of a training (run:KEY).

    Every fight of act 1 is supported, with any deck, relics and potions. A small fight is solved instead, and the
    answer is exact. Otherwise the expected result is a lower bound of the optimal value.
    """
    from evodom.spire.play.searcher import FightSearchOptions
    from evodom.spire.solver.solve import solve_if_small

    asked, key = name_fight_or_training(name, asked, common.network, common.store)
    fight, network = fight_and_network(asked, key, common.store)
    note_left_out(fight)
    ensure_compiled("fights", quiet=common.quiet)
    limit = SMALL_GRAPH if effort.solve_below is None else effort.solve_below
    if limit:
        ensure_compiled("solver", quiet=common.quiet)
        report = None if common.quiet else SizeReport(None, "Search instead: --solve-below 0")
        if solved := solve_if_small(fight, limit, report):
            page = _solved_json(fight, solved)
            click.echo(json.dumps(page, indent=2) if common.as_json else _solved_text(fight, solved))
            return
    fight.payoff.check_searchable(fight.setup.max_turns)
    begin = time.perf_counter()
    seed = chosen_seed(common.seed)
    options = FightSearchOptions(
        effort.simulations, network=network, gumbel=effort.gumbel, solve_below=effort.solve_below or 0
    )
    (found,) = estimates({"": (fight, options)}, effort.games, seed, common).values()
    seconds = time.perf_counter() - begin
    if common.as_json:
        facts = {"simulations": effort.simulations, "seed": seed, "network": name_of(network, key)}
        click.echo(json.dumps(figures_of(fight, found) | facts, indent=2))
    else:
        lines = [_search_text(fight, found, effort.simulations, seconds), network_note(network, key)]
        click.echo("\n".join(filter(None, lines)))


def estimates(
    fights: dict[str, tuple[Fight, FightSearchOptions]], n_games: int, seed: int, common: CommonArguments
) -> dict[str, Estimate]:
    """Estimate fights, by name, with the same random numbers; show the progress."""
    from evodom.spire.play.estimates import estimate

    with progress(n_games * len(fights), quiet=common.quiet, unit="fights") as on_fights:
        return {
            name: estimate(fight, n_games, options, seed, common.jobs, on_fights)
            for name, (fight, options) in fights.items()
        }


def _search_text(fight: Fight, found: Estimate, simulations: int, seconds: float) -> str:
    """Return the result of a search as text."""
    n = len(found.results)
    searched = int(found.results["n_moves"].sum())
    lines = [f"{fight.text}: {mean_text(found.hp)} HP left, {share_text(found.death)} lost.", heal_note(fight)]
    if not pays_hp(fight):
        lines.append(f"Value: {found.value.value:z.3f} ({found.value.low:z.3f} to {found.value.high:z.3f}).")
    if n_potions := len(fight.setup.potions):
        lines.append(
            f"Potions used: {found.potions_used:.2f} of {n_potions} per fight, at {fight.payoff.potion:g} HP each "
            "(--potion-price)."
        )
    if len(by_encounter := found.hp_by_encounter) > 1:
        width = max(map(len, by_encounter))
        for name, hp in by_encounter.items():
            lines.append(f"  {name:<{width}}  {hp.value:5.1f} HP in {found.encounters.count(name)} fights")
    lines.append(
        f"{n} fights, {simulations:,} simulations per move, {1000 * seconds / max(searched, 1):.0f} ms per move; "
        "95 % intervals in brackets."
    )
    return "\n".join(lines)


def _solved_text(fight: Fight, found: SolvedFight) -> str:
    """Return the exact solution of a fight as text."""
    hp, death = found.results.mean(), 100 * found.results.death
    lines = [f"{fight.text}: {hp:.3f} HP left, {death:.1f} % lost.", heal_note(fight)]
    if not pays_hp(fight):
        lost = "; no play excludes death" if found.is_worst_case and not (found.value or fight.setup.potions) else ""
        lines.append(f"Value: {found.value:.3f} ({payoff_to_text(fight)}{lost}).")
    if found.turns is not None:
        lines.append(f"Turns ended: {found.turns:.3f}, the fewest of the optimal plays.")
    lines.append(f"Exact: the solver's optimal play ({found.effort.chance_nodes:,} draws; --solve-below 0 searches).")
    return "\n".join(lines)


def _solved_json(fight: Fight, found: SolvedFight) -> dict[str, Any]:
    """Return the exact solution of a fight as JSON, with the fields of an estimate. Nothing was played or searched."""
    figures = {"hp": found.results.mean(), "value": found.value, "death": found.results.death}
    facts: dict[str, Any] = {"fight": fight.text, "exact": True, "games": 0, "simulations": 0}
    facts |= {"turns_ended": found.turns, "potion_price": fight.payoff.potion}
    facts |= {name: dict.fromkeys(("mean", "low", "high"), value) for name, value in figures.items()}
    return facts | dict.fromkeys(("potions_used", "seed", "network"))


def figures_of(fight: Fight, found: Estimate) -> dict[str, Any]:
    """Return an estimate as JSON."""
    return {
        "fight": fight.text,
        "exact": False,
        "games": len(found.results),
        "potions_used": found.potions_used,
        "potion_price": fight.payoff.potion,
        "hp": interval_json(found.hp),
        "value": interval_json(found.value),
        "death": interval_json(found.death),
    }


class CompareOptions(SampleOptions, frozen=True, kw_only=True):
    """Number of fights and search effort."""

    games: Annotated[int, option("--games", "Number of fights.", ge=2, le=1_000_000)] = 1000
    simulations: Annotated[int, option("--simulations", "Simulations per move.", ge=1, le=1_000_000)] = 100


class PickOptions(SampleOptions, frozen=True, kw_only=True):
    """Options of `evodom spire pick`: the kind of choice, and the search effort."""

    upgrade: Annotated[bool, option("--upgrade", "Upgrade CARDS in the deck instead of adding them.")] = False
    rest: Annotated[
        bool, option("--rest", "Compare the options of a rest site: rest, upgrade CARDS, and those of relics.")
    ] = False


@click.command("compare")
@click.argument("first")
@click.argument("second")
@fight_argument
@takes_sampled_fight
@takes(CompareOptions, "effort")
@takes(CommonArguments, "common")
def compare_command(
    first: str, second: str, name: str | None, asked: FightArguments, effort: CompareOptions, common: CommonArguments
) -> None:
    """Play the same fights with two networks, or with and without a network, and print the difference.

    FIRST and SECOND are keys of trainings, `act1` for the shipped network of act 1, or `none` for search without a
    network. FIGHT is a file, an encounter or enemies. Without it, the fight of FIRST's training is used, or else of
    SECOND's. Both searches play with the same random numbers.
    """
    from evodom.spire.play.searcher import FightSearchOptions

    if first == second:
        raise UsageError(f"{first} is compared with itself. Name two different networks.")
    fight, networks = _entrants(first, second, common.store, name_fight(name, asked))
    ensure_compiled("fights", quiet=common.quiet)
    seed = chosen_seed(common.seed)
    searches = {
        name: (fight, FightSearchOptions(effort.simulations, network=network)) for name, network in networks.items()
    }
    found = estimates(searches, effort.games, seed, common)
    difference = found[first].minus(found[second])
    if common.as_json:
        figures = {name: figures_of(fight, one) for name, one in found.items()}
        interval = interval_json(difference)
        facts = {"simulations": effort.simulations, "seed": seed}
        click.echo(json.dumps({"entrants": figures, "difference": interval} | facts, indent=2))
        return
    click.echo(f"{fight.text}, {effort.games:,} equal fights each, {effort.simulations:,} simulations per move:")
    width = max(map(len, found))
    for name, one in found.items():
        click.echo(f"{name:<{width}}  {mean_text(one.hp)} HP left, {share_text(one.death)} lost")
    click.echo(
        f"{first} - {second}: {difference.value:+z.2f} ({difference.low:+z.2f} to {difference.high:+z.2f}); "
        "95 % intervals in brackets."
    )


def _entrants(
    first: str, second: str, store: RunStore, asked: FightArguments
) -> tuple[Fight, dict[str, NetworkEvaluator | None]]:
    """Return the fight, and the network of each entrant."""
    found = {name: find_network(name, store) for name in (first, second)}
    fight = fight_of(asked, next((base for base, _ in found.values() if base), None))
    for name, (_, network) in found.items():
        check_known(name, network, fight)
    return fight, {name: network for name, (_, network) in found.items()}


@click.command("pick")
@click.argument("cards", required=False, metavar="[CARDS]")
@fight_argument
@takes_sampled_fight
@takes(PickOptions, "options")
@takes(SearchArguments, "common")
def pick_command(
    cards: str | None, name: str | None, asked: FightArguments, options: PickOptions, common: SearchArguments
) -> None:
    """Play the same fights with each of CARDS added to the deck, and print the value of each card.

    CARDS are the choices, with or without skip: "Pommel Strike, Shrug It Off, skip". All choices play the same fights
    with the same random numbers, as far as the decks allow. Differences are therefore more exact than the values. With
    --upgrade, CARDS are upgraded in the deck. --rest adds the other options of a rest site: rest, lift (Girya), and
    "remove NAME" (Peace Pipe) or "recall" among CARDS. Without CARDS, all changes of the deck are compared.

    FIGHT is a file, an encounter or enemies, such as nob or "3 louses", or the key of a training (run:KEY).
    """
    from evodom.spire.fights.what_if import enter_rest_site, fights_by_choice, rest_site_of
    from evodom.spire.map import Room
    from evodom.spire.play.searcher import FightSearchOptions

    changes_deck = options.upgrade or options.rest
    if changes_deck and name is None and cards is not None and _is_fight(cards, common.store):
        cards, name = None, cards
    asked, key = name_fight_or_training(name, asked, common.network, common.store)
    fight, network = fight_and_network(asked, key, common.store)
    notes = list(rest_site_of(fight).notes) if options.rest else []
    run = current_run(asked.save_file) if asked.save_file else None
    if options.rest and not (run and run.room() is Room.REST):  # an autosave has the HP after entering
        fight = enter_rest_site(fight)
    recall = run is not None and run.can_recall()
    choices = fights_by_choice(fight, cards, upgrade=options.upgrade, rest=options.rest, can_recall=recall)
    note_left_out(*choices.values())
    for other in choices.values():
        check_known(key, network, other)
    ensure_compiled("fights", quiet=common.quiet)
    seed = chosen_seed(common.seed)
    search = FightSearchOptions(options.simulations, network=network)
    found = estimates({choice: (other, search) for choice, other in choices.items()}, options.games, seed, common)
    if common.as_json:
        facts = {"simulations": options.simulations, "seed": seed, "network": name_of(network, key)}
        click.echo(json.dumps(_pick_json(choices, found) | facts | {"notes": notes}, indent=2))
    else:
        click.echo(_pick_text(fight, found, [*notes, network_note(network, key)]))


def _is_fight(text: str, store: RunStore) -> bool:
    """Return True if a text names a fight and no cards: --upgrade and --rest need no CARDS before FIGHT."""
    from evodom.spire.fights.what_if import is_choice_text

    return not is_choice_text(text) and (text.endswith(".toml") or names_enemies(text) or names_training(text, store))


def _pick_text(fight: Fight, found: dict[str, Estimate], notes: list[str]) -> str:
    """Return the choices, the best first, each with its difference to the best, and the notes."""
    from evodom.spire.play.estimates import ranked

    best, *others = ranked(found)
    width = max(map(len, found))
    lines = [f"{fight.text}, {len(found[best].results)} equal fights each:"]
    for name in (best, *others):
        one = found[name]
        line = f"{name:<{width}}  {one.hp.value:5.1f} HP left, {share_text(one.death)} lost"
        if fight.setup.potions:
            line += f", {one.potions_used:.1f} potions used"
        if name != best:
            difference = one.minus(found[best])
            line += f"; {difference.value:+z.2f} ({difference.low:+z.2f} to {difference.high:+z.2f})"
        lines.append(line)
    second = others[0]
    verdict = best if found[best].minus(found[second]).low > 0 else f"{best}, not significantly better than {second}"
    lines += [heal_note(fight), *filter(None, notes)]
    return "\n".join([*lines, f"Best: {verdict}. Differences are to the best, with 95 % intervals."])


def _pick_json(choices: dict[str, Fight], found: dict[str, Estimate]) -> dict[str, Any]:
    """Return the choices as JSON, the best first."""
    from evodom.spire.play.estimates import ranked

    names = ranked(found)
    differences = {name: {"difference": interval_json(found[name].minus(found[names[0]]))} for name in names}
    page = {name: figures_of(choices[name], found[name]) | difference for name, difference in differences.items()}
    return {"choices": page, "best": names[0]}
