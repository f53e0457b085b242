"""`evodom spire route --deck`: what fights cost with a deck, found by search before the route is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evodom.cli.common import chosen_seed, jobs_option, seed_option, warm_up_fights
from evodom.cli.spire_network import shipped_network
from evodom.cli.spire_search import hp_text, playing, share_text
from evodom.errors import UsageError
from evodom.spire.map.act import Room
from evodom.spire.route.rules import HpChanges
from evodom.spire.route.tables import room_name

if TYPE_CHECKING:
    from evodom.spire.fights import Fight
    from evodom.spire.route.costs import Cost

F = TypeVar("F", bound=Callable[..., Any])

GAMES, SIMULATIONS = 100, 1000
"""The default."""

_OPTIONS = (
    click.option(
        "--deck",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="What fights cost is found by search, with the deck and HP of a fight in a TOML file (act 1).",
    ),
    click.option(
        "--games", type=click.IntRange(2, 1_000_000), help=f"With --deck: fights of each kind.  [default: {GAMES}]"
    ),
    click.option(
        "--simulations",
        type=click.IntRange(1, 1_000_000),
        help=f"With --deck: simulations a move.  [default: {SIMULATIONS:,}]",
    ),
    seed_option,
    jobs_option,
)


@dataclass(frozen=True)
class DeckCosts:
    """What fights cost with a deck, and how that was found; `hp` are those that every fight began with."""

    costs: Mapping[Room | str, Cost]
    hp: int
    max_hp: int
    games: int
    simulations: int
    seed: int

    @property
    def changes(self) -> HpChanges:
        """How many HP the fights change, on average."""
        from evodom.spire.route.costs import changes_of

        return changes_of(self.costs)

    def survival(self, rooms: tuple[Room, ...]) -> tuple[float, float]:
        """Return the chances to win all fights of a route, and the boss's too."""
        from evodom.spire.route.costs import survival

        return survival(self.costs, rooms), survival(self.costs, (*rooms, Room.BOSS))


def deck_options(function: F) -> F:
    """Add the options of searched fights."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def check_deck_options(given: dict[str, Any], act: int | None) -> None:
    """Raise UsageError for options that have no effect together."""
    for option in ("games", "simulations", "seed"):
        if given[option] is not None and given["deck"] is None:
            raise UsageError(f"--{option} is for searched fights. Say with what deck: --deck FILE")
    if given["deck"] is not None and act not in (None, 1):
        raise UsageError(f"--deck searches the fights of act 1, and this is act {act}. Leave one of them out.")


def fight_of_deck(given: dict[str, Any], ascension: int | None) -> Fight | None:
    """Return the fight of --deck, changed by what else is given; None without it."""
    from evodom.spire.fights import read_fight

    if given["deck"] is None:
        return None
    fight = read_fight(given["deck"])
    changes = {"hp": given["hp"], "max_hp": given["max_hp"], "ascension": ascension}
    setup = replace(fight.setup, **{name: value for name, value in changes.items() if value is not None})
    hp, max_hp, _ = setup.player()
    if hp > max_hp:
        raise UsageError(f"--hp is at most the maximum of HP, {max_hp}, got {hp}. Another is --max-hp.")
    return replace(fight, setup=setup)


def search_costs(fight: Fight, given: dict[str, Any], *, quiet: bool) -> DeckCosts:
    """Play the fights of the act, with progress on stderr."""
    from evodom.spire.route.costs import KINDS, fight_costs
    from evodom.spire.search.player import Budget

    games, simulations = given["games"] or GAMES, given["simulations"] or SIMULATIONS
    number = chosen_seed(given["seed"])
    warm_up_fights(quiet=quiet)
    budget = Budget(simulations, network=shipped_network())
    with playing(games * len(KINDS), quiet=quiet) as progress:
        costs = fight_costs(fight, games, budget, number, given["jobs"], progress)
    return DeckCosts(costs, *fight.setup.player()[:2], games, simulations, number)


def costs_text(found: DeckCosts, rooms: tuple[Room, ...], changes: HpChanges) -> str:
    """Return what fights cost, and how likely a route is to win all of its fights."""
    names = [room_name(room) for room in found.costs]
    width = max(map(len, names))
    lines = [f"What fights cost with this deck, begun with {found.hp} HP:"]
    for name, cost in zip(names, found.costs.values(), strict=True):
        lines.append(f"  {name:<{width}}  {hp_text(cost.hp)} HP, {share_text(cost.death)} lost")
        if name in ("elite", "boss"):
            lines.append(f"  {'':<{width}}  {', '.join(f'{one} {hp:.0f}' for one, hp in cost.each.items())}")
    alone, boss = found.survival(rooms)
    again = ", ".join(f"{room_name(room)}={n}" for room, n in changes.items())
    return "\n".join(
        [
            *lines,
            f"{found.games} fights each, {found.simulations:,} simulations a move, seed {found.seed}; "
            "in brackets 95 %.",
            f"If each began with {found.hp} HP, all fights of the route would be won in {100 * alone:.0f} %, and the",
            f"boss's too in {100 * boss:.0f} %. The same costs again, without search:",
            f'  --hp {found.hp} --max-hp {found.max_hp} --hp-changes "{again}"',
        ]
    )


def short_costs(found: DeckCosts) -> str:
    """Return what fights cost in one line, for an error."""
    parts = [
        f"{room_name(room)} {cost.hp.value:.0f} HP, {100 * cost.death.share:.0f} % lost"
        for room, cost in found.costs.items()
    ]
    return f"Fights with this deck cost: {'; '.join(parts)}"


def costs_json(found: DeckCosts, rooms: tuple[Room, ...]) -> dict[str, Any]:
    """Return what fights cost, for programs."""
    alone, boss = found.survival(rooms)
    return {
        "hp": found.hp,
        "games": found.games,
        "simulations": found.simulations,
        "seed": found.seed,
        "costs": {
            room_name(room): {
                "hp": {"mean": cost.hp.value, "low": cost.hp.low, "high": cost.hp.high},
                "lost": {"mean": cost.death.share, "low": cost.death.low, "high": cost.death.high},
                "encounters": dict(cost.each),
            }
            for room, cost in found.costs.items()
        },
        "won": alone,
        "won_with_boss": boss,
    }
