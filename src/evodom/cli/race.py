"""`evodom race`: prove how few turns one player alone needs to some Provinces or victory points."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import click

from evodom.cli.common import solving
from evodom.cli.options import CommonArguments, takes
from evodom.errors import UsageError
from evodom.options import OptionStruct, option
from evodom.presentation.format import NO_BREAK, counted, joined, percent
from evodom.presentation.text import columns, paragraph

if TYPE_CHECKING:
    from evodom.dominion.solitaire import FirstBuys, Solitaire, SolitaireState
    from evodom.solve.cycles import Enclosure

MOST_CARDS = 60
MOST_STATES = 2_000_000

LEAST_SHARE = 0.001
"""The table of turns begins and ends with a turn on which the fastest play ends with at least this probability."""

MOST_LOSSES = 4
"""The number of the costliest choices of Big Money that are listed."""

LEAST_LOSS = 1e-7

LEAST_WIDTH = 1e-12
"""The narrowest proof that is claimed, because floats are rounded."""

MOST_OPENINGS = 8

MOST_RUNNERS = 2
"""The number of ways of playing with a column in the table of turns."""

MOST_TURNS = 24
"""The most lines of the table of turns, so that it stays on one screen."""

LATE = (3, 6, 9, 12, 15)
"""The points to go at which Duchies are tried before Gold."""


class RaceOptions(OptionStruct, frozen=True, kw_only=True):
    """The target of a race, the Supply and the first deck."""

    provinces: (
        Annotated[int, option("--provinces", "Race to so many Provinces.", ge=1, le=12, default_text="1")] | None
    ) = None
    vp: Annotated[int, option("--vp", "Race to so many victory points instead.", ge=1, le=120)] | None = None
    silvers: Annotated[int, option("--silvers", "Silvers in the Supply.", ge=0, le=MOST_CARDS)] = 8
    golds: Annotated[int, option("--golds", "Golds in the Supply.", ge=0, le=MOST_CARDS)] = 5
    coppers: Annotated[int, option("--coppers", "Coppers in the Supply.", ge=0, le=MOST_CARDS)] = 0
    duchies: Annotated[int, option("--duchies", "Duchies in the Supply.", ge=0, le=MOST_CARDS)] = 0
    estates: Annotated[int, option("--estates", "Estates in the Supply.", ge=0, le=MOST_CARDS)] = 0
    start_coppers: Annotated[int, option("--start-coppers", "Coppers to start with.", ge=0, le=MOST_CARDS)] = 7
    start_estates: Annotated[int, option("--start-estates", "Estates to start with.", ge=0, le=MOST_CARDS)] = 3
    max_states: Annotated[
        int,
        option("--max-states", "Give up beyond so many states; a million takes about 1 GiB and 2 minutes.", ge=1),
    ] = MOST_STATES


@click.command()
@takes(RaceOptions, "options")
@takes(CommonArguments, "common", "as_json", "quiet")
def race(options: RaceOptions, common: CommonArguments) -> None:
    """Prove the fewest turns, on average, in which one player alone can reach a target, and how near Big Money comes.

    The Supply has Provinces as needed and as many other cards as you say; there are no kingdom cards. Big Money buys a
    Province, else a Gold, else a Silver. In a race to victory points it is also tried with Duchies and Estates late.
    """
    from evodom.dominion.solitaire import Solitaire

    if options.provinces is not None and options.vp is not None:
        raise UsageError("a race has one target, got --provinces and --vp. Leave one of them out.")
    asked = Solitaire(
        {
            "Silver": options.silvers,
            "Gold": options.golds,
            "Copper": options.coppers,
            "Duchy": options.duchies,
            "Estate": options.estates,
        },
        provinces=options.provinces or 1,
        vp=options.vp,
        deck={"Copper": options.start_coppers, "Estate": options.start_estates},
    )
    with solving(quiet=common.quiet) as progress:
        found = _find(asked, options.max_states, progress)
    click.echo(json.dumps(_facts(found), indent=2) if common.as_json else _text(found))


@dataclass(frozen=True)
class _Runner:
    """A policy that was tried: its name, bounds of its expected turns, and the chance of each turn to be the last."""

    name: str
    low: float
    high: float
    turns: dict[int, float]


@dataclass(frozen=True)
class _Loss:
    """A choice of Big Money that costs turns: how often it is made in a game, and how many turns that costs."""

    to_go: int
    coins: int
    buys: str
    better: str
    visits: float
    turns: float


@dataclass(frozen=True)
class _RaceAnswer:
    race: Solitaire
    runners: list[_Runner]
    losses: list[_Loss]
    openings: list[FirstBuys]
    n_states: int
    seconds: float


def _find(race: Solitaire, max_states: int, progress: Callable[[int], None]) -> _RaceAnswer:
    """Solve the game, and evaluate Big Money and its variants."""
    from evodom.dominion.solitaire import BIG_MONEY, openings
    from evodom.solve import Limits, TooLarge, silent
    from evodom.solve.cycles import Unsettled, enclose, enclose_policy

    began = time.monotonic()
    limits = Limits(states=max_states)
    try:
        best = enclose(race, limits=limits, progress=progress)
    except TooLarge as error:
        raise TooLarge(f"{error}. For a race, --max-states sets the number of states.") from error
    seconds = time.monotonic() - began
    runners = [_runner("the fastest", best)]
    losses: list[_Loss] = []
    for name, policy in _rules(race):
        try:
            followed = enclose_policy(race, policy, limits=limits, progress=silent)
            runners.append(_runner(name, followed))
        except Unsettled:  # it may never get there, as Big Money with nothing but Duchies to buy
            continue
        losses = _losses(best, policy) if policy is BIG_MONEY else losses
    return _RaceAnswer(race, runners, losses, openings(race, best.policy), best.n_states, seconds)


def _rules(race: Solitaire) -> Iterator[tuple[str, Callable[[SolitaireState], str]]]:
    """Yield Big Money; in a race to points with Duchies also variants that prefer them late, by name."""
    from evodom.dominion.solitaire import BIG_MONEY, KINDS, duchy_late

    yield "Big Money", BIG_MONEY
    if race.vp is not None and race.first.left[KINDS.index("Duchy")]:
        for points in LATE:
            if points <= race.first.to_go:
                yield f"Duchies from {points} to go", duchy_late(points)


def _runner(name: str, enclosure: Enclosure[SolitaireState, str]) -> _Runner:
    low, high = enclosure.value
    return _Runner(name, -high, -low, {-turn: float(share) for turn, share in enclosure.results()})


def _losses(best: Enclosure[SolitaireState, str], policy: Callable[[SolitaireState], str]) -> list[_Loss]:
    """Return the choices that cost a policy turns, the costliest first; they add up to all it is slower by.

    A choice costs the difference between the best value and its own, times how often its state is visited (Kakade and
    Langford 2002).
    """
    from evodom.solve.forward import visits

    found: dict[tuple[int, int, str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for state, often in visits(best.game, policy, best.start).items():
        if state.coins is None:
            continue
        options = best.step(state)
        taken = next(option for option in options if option.action == policy(state))
        cost = options[0].value.middle - taken.value.middle
        if cost > best.tolerance:
            entry = found[state.to_go, state.coins, taken.action, options[0].action]
            entry[0] += often
            entry[1] += often * cost
    losses = [_Loss(*choice, *costs) for choice, costs in found.items()]
    return sorted(losses, key=lambda loss: -loss.turns)


def _facts(found: _RaceAnswer) -> dict[str, Any]:
    race, best = found.race, found.runners[0]
    return {
        "target": {"provinces": race.provinces} if race.vp is None else {"vp": race.vp},
        "start": dict(race.deck),
        "supply": dict(race.supply),
        "turns": {"low": best.low, "high": best.high},
        "states": found.n_states,
        "seconds": found.seconds,
        "policies": [
            {
                "name": runner.name,
                "turns": (runner.low + runner.high) / 2,
                "slower by": (runner.low + runner.high - best.low - best.high) / 2,
                "distribution": {str(turn): share for turn, share in sorted(runner.turns.items())},
            }
            for runner in found.runners
        ],
        "losses of Big Money": [asdict(loss) for loss in found.losses],
        "opening": [
            {"probability": float(one.probability), "coins": one.coins, "buys": one.buys} for one in found.openings
        ],
    }


def _text(found: _RaceAnswer) -> str:
    parts = [[_title(found.race)], _table(found), [_proof(found)], _openings(found), _losses_text(found), _turns(found)]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _title(race: Solitaire) -> str:
    target = counted(race.provinces, "Province") if race.vp is None else f"{race.vp} victory points"
    cards = joined(f"{n} {card}" for card, n in race.supply.items() if n)
    start = joined(f"{n} {card}" for card, n in race.deck.items() if n)
    return paragraph(f"Alone to {target}, from {start}; to buy: Provinces, {cards or 'nothing else'}").replace(
        NO_BREAK, " "
    )


def _table(found: _RaceAnswer) -> list[str]:
    best = found.runners[0]
    rows = [("", "turns", "slower by")]
    for runner in found.runners:
        behind = "" if runner is best else f"{max(0.0, runner.low - best.low):.6f}"
        rows.append((runner.name, f"{(runner.low + runner.high) / 2:.6f}", behind))
    return columns(rows)


def _proof(found: _RaceAnswer) -> str:
    best = found.runners[0]
    width = best.high - best.low
    return paragraph(
        f"Turns are what it takes on average. No way of playing is faster than the first line: proved to within "
        f"{max(width, LEAST_WIDTH):.0e} turns, over {found.n_states:,} states in {found.seconds:.1f} s."
    )


def _openings(found: _RaceAnswer) -> list[str]:
    lines = [f"  coins {'/'.join(map(str, one.coins))}  {', '.join(one.buys)}" for one in found.openings]
    return ["The fastest opening", *lines[:MOST_OPENINGS]]


def _losses_text(found: _RaceAnswer) -> list[str]:
    """Return the table of the choices that cost Big Money most."""
    listed = [loss for loss in found.losses if loss.turns >= LEAST_LOSS][:MOST_LOSSES]
    if not listed:
        return []
    rows = [("to go", "coins", "Big Money buys", "better", "in 1,000 races", "turns lost")] + [
        (str(one.to_go), str(one.coins), one.buys, one.better, f"{1000 * one.visits:.2f}", f"{one.turns:.6f}")
        for one in listed
    ]
    return ["Where Big Money is slower", *columns(rows, left=(2, 3))]


def _turns(found: _RaceAnswer) -> list[str]:
    shown = found.runners[:MOST_RUNNERS]
    likely = [turn for turn, share in shown[0].turns.items() if share >= LEAST_SHARE]
    turns = range(min(likely), max(likely) + 1)
    rows = [(str(turn), *(percent(runner.turns.get(turn, 0.0)) for runner in shown)) for turn in turns]
    return columns([("won on turn, %", *(runner.name for runner in shown)), *rows[:MOST_TURNS]])
