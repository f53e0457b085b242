"""Play matchups whose results are known from other engines, and compare. In a checkout:

    python -m tests.oracles.published FILE [--games 100000] [--only NAME] [--seed N] [--jobs N]

It prints a line for each figure, with the expected value and the tolerance. The exit code is 0 if all agree, 1 if a
figure differs, and 2 if the file cannot be used. ``--only`` names a strategy, a match ("BMU v BM"), "solitaire" or
"opening".

A file is JSON. ``strategies``: for each name a list of rules, ``{"card": "Duchy", "if": ["count_in_supply(Province) <=
4"]}``, in the language of `strategies.models.buy_lists.language`. ``matchups``: ``players`` and, for
``with_endgame_check`` and ``without_endgame_check``, ``win_pct`` and ``share_pct`` and ``mean_vp`` by player,
``seat_win_pct``, ``tie_pct``, ``mean_turns`` and ``sd_turns`` of the starting player, ``three_pile_pct``, and the
``games`` they come from. The Supply has the kingdom cards that the rules name. ``solitaire_turns_to_n_provinces`` and
``exact_opening_probabilities`` are checked if they are there.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from evodom.dominion.effects.ops import Ending
from evodom.errors import UsageError, one_line
from evodom.matches.results import Games
from evodom.tasks import Workers
from tests.oracles.published.file import BY_LIMIT, MEAN_COINS, NEITHER, KnownResults, Matchup, read_results
from tests.oracles.published.play import Floats, Sampling, draw_hands, play_alone, play_known_match

COMMAND = "python -m tests.oracles.published"
DEFAULT_GAMES = 100_000
MAX_GAMES = 10_000_000


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """A measured number and its expected value."""

    what: str
    measured: float
    expected: float
    tolerance: float

    @property
    def holds(self) -> bool:
        """True if it is within the tolerance."""
        return abs(self.measured - self.expected) <= self.tolerance

    def __str__(self) -> str:
        word = "ok  " if self.holds else "FAIL"
        figures = f"{self.measured:.3f}, expected {self.expected:.3f} +- {self.tolerance:.3f}"
        return f"{word} {one_line(self.what)}: {figures}"


def percentage(what: str, share: float, expected: float, n: int) -> FigureCheck:
    """Compare a share with a percentage: three standard errors, and 0.3 points for how well engines agree."""
    p = expected / 100
    return FigureCheck(f"{what} (%)", 100 * share, expected, 300 * sqrt(p * (1 - p) / n) + 0.3)


def mean(what: str, values: Floats, expected: float, *, sd: float, n_expected: int) -> FigureCheck:
    """Compare a mean: four standard errors of the difference, and a hundredth of the deviation."""
    error = sd * sqrt(1 / len(values) + 1 / n_expected)
    return FigureCheck(what, float(values.mean()), expected, 4 * error + 0.01 * sd + 0.001)


def deviation(what: str, values: Floats, expected: float) -> FigureCheck:
    """Compare a standard deviation: four standard errors, from the fourth moment, and a hundredth of it."""
    sd = float(values.std())
    fourth = float(((values - values.mean()) ** 4).mean())
    error = sqrt(max(fourth - sd**4, 0) / len(values)) / (2 * sd) if sd else 0.0
    return FigureCheck(what, sd, expected, 4 * error + 0.01 * expected + 0.001)


def match_figures(matchup: Matchup, played: Games, *, endgame_check: bool) -> Iterator[FigureCheck]:
    """Compare a match with all expected figures."""
    expected = matchup.expected[endgame_check]
    n, n_players = played.tables.shape
    shares, vps = played.by_player(played.win), played.by_player(played.vp).astype(float)
    turns = played.rounds.astype(float)  # the first player takes a turn in every round
    n_expected = expected.games
    title = f"{matchup.name}, {'with' if endgame_check else 'without'} endgame check"
    names = [f"{name} ({index})" for index, name in enumerate(matchup.players, 1)]
    for player, name in enumerate(names):
        if expected.win_pct:
            wins = float((shares[:, player] == 1).mean())
            yield percentage(f"{title}: wins of {name}", wins, expected.win_pct[player], n)
        if expected.share_pct:
            share = float(shares[:, player].mean())
            yield percentage(f"{title}: share of {name}", share, expected.share_pct[player], n)
    if expected.tie_pct is not None:
        ties = float((shares.max(axis=1) < 1).mean())
        yield percentage(f"{title}: ties", ties, expected.tie_pct, n)
    for seat in range(n_players if expected.seat_win_pct else 0):
        wins = float((played.win[:, seat] == 1).mean())
        yield percentage(f"{title}: wins of seat {seat + 1}", wins, expected.seat_win_pct[seat], n)
    for player, name in enumerate(names if expected.mean_vp else ()):
        vp = vps[:, player]
        yield mean(f"{title}: VP of {name}", vp, expected.mean_vp[player], sd=float(vp.std()), n_expected=n_expected)
    if expected.mean_turns is not None:
        sd = float(turns.std() if expected.sd_turns is None else expected.sd_turns)
        yield mean(f"{title}: turns", turns, expected.mean_turns, sd=sd, n_expected=n_expected)
    if expected.sd_turns is not None:
        yield deviation(f"{title}: standard deviation of turns", turns, expected.sd_turns)
    if expected.three_pile_pct is not None:
        share = float((played.ended == Ending.PILES).mean())
        yield percentage(f"{title}: ended on piles", share, expected.three_pile_pct, n)


def solitaire_figures(known: KnownResults, name: str, sampling: Sampling, nth: int) -> Iterator[FigureCheck]:
    """Compare the turns on which a strategy alone gains its Provinces."""
    turns = play_alone(known, name, sampling, nth)
    for n, expected in known.solitaire[name].items():
        # A game that ends on piles before has no turn for this Province.
        gained = turns[turns[:, n - 1] > 0, n - 1].astype(float)
        if len(gained) < 2:
            yield FigureCheck(f"solitaire {name}: turn of Province {n}", 0.0, expected.mean_turns, 0.0)
            continue
        what = f"solitaire {name}: turn of Province {n}"
        yield mean(what, gained, expected.mean_turns, sd=expected.sd, n_expected=len(gained))
        yield deviation(f"{what}, standard deviation", gained, expected.sd)


def opening_figures(known: KnownResults, name: str, sampling: Sampling, nth: int) -> Iterator[FigureCheck]:
    """Compare the coins of the hands of turns 3 and 4 after two purchases."""
    coins = np.sort(draw_hands(tuple(name.split("/")), sampling, 1 + nth), axis=1)
    worse, better = coins.T
    limits: dict[str, Callable[[int], Any]] = {
        BY_LIMIT[0]: lambda limit: better >= limit,
        BY_LIMIT[1]: lambda limit: worse >= limit,
    }
    for key, value in known.openings[name].items():
        what = f"opening {name}: {key}"
        if key in limits:
            for limit, p in value.items():
                yield percentage(f"{what} {limit}", float(limits[key](int(limit)).mean()), 100 * p, sampling.n_games)
        elif key.startswith(NEITHER):
            missed = better < int(key.removeprefix(NEITHER))
            yield percentage(what, float(missed.mean()), 100 * value, sampling.n_games)
        elif key.startswith(MEAN_COINS):
            total = coins.sum(axis=1).astype(float)
            yield mean(what, total, value, sd=float(total.std()), n_expected=sampling.n_games)


def split_figures(known: KnownResults, sampling: Sampling) -> Iterator[FigureCheck]:
    """Compare the probabilities of the coins of the first two hands."""
    coins = draw_hands((), sampling, 0)
    for pairs, p in known.splits.items():
        hit = np.zeros(len(coins), bool)
        for pair in pairs.split(" or "):
            first, second = (int(number) for number in pair.split("/"))
            hit |= (coins[:, 0] == first) & (coins[:, 1] == second)
        yield percentage(f"opening split {pairs}", float(hit.mean()), 100 * p, sampling.n_games)


def figures(known: KnownResults, sampling: Sampling, *, only: Sequence[str] = ()) -> Iterator[FigureCheck]:
    """Play and compare the results of a file: all, or those named by ``only``."""
    for nth, matchup in enumerate(known.matchups):
        if only and not {matchup.name, *matchup.players} & set(only):
            continue
        for check in matchup.expected:
            played = play_known_match(known, matchup.players, sampling, endgame_check=check, nth=nth)
            yield from match_figures(matchup, played, endgame_check=check)
    for nth, name in enumerate(known.solitaire):
        if not only or {"solitaire", name} & set(only):
            yield from solitaire_figures(known, name, sampling, nth)
    if not only or "opening" in only:
        for nth, name in enumerate(known.openings):
            yield from opening_figures(known, name, sampling, nth)
        yield from split_figures(known, sampling)


class _Arguments(argparse.ArgumentParser):
    """Arguments whose errors are one line, as everywhere in evodom."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(
            f"{message}. Usage: python -m tests.oracles.published FILE [--games N] [--only NAME] [--seed N] [--jobs N]"
        )


def main(arguments: Sequence[str]) -> int:
    """Play a file of known results, print a line for each figure and return the exit code."""
    try:
        options = _options(arguments)
        known = read_results(options.file)
        _check_only(known, options.only)
        return _run(known, options)
    except UsageError as error:
        print(f"matchups: {error}", file=sys.stderr)
        return UsageError.exit_code


def _run(known: KnownResults, options: argparse.Namespace) -> int:
    if known.not_compared:
        names = one_line(", ".join(known.not_compared))
        print(f"matchups: not compared, as nothing here measures it: {names}", file=sys.stderr)
    failed = total = 0
    with ThreadPoolExecutor(options.jobs) as executor:
        sampling = Sampling(options.games, options.seed, Workers(executor, options.jobs))
        for figure in figures(known, sampling, only=options.only):
            print(figure, flush=True)
            failed += not figure.holds
            total += 1
    print(f"{total - failed} of {total} figures agree.")
    return 1 if failed else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = _Arguments(prog=COMMAND, description="Play known results again and compare.")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--games", type=int, default=DEFAULT_GAMES, help="games a match (default %(default)s)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a strategy or a match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="threads (default: all cores)")
    options = parser.parse_args(arguments)
    for name, least, most in (("games", 2, MAX_GAMES), ("seed", 0, 2**64 - 1), ("jobs", 1, 1024)):
        if not least <= getattr(options, name) <= most:
            raise UsageError(f"--{name} is {getattr(options, name)}. Allowed: {least} to {most}.")
    return options


def _check_only(known: KnownResults, only: Sequence[str]) -> None:
    names = {"solitaire", "opening", *known.strategies, *(matchup.name for matchup in known.matchups)}
    for name in only:
        if name not in names:
            raise UsageError(f"--only {name} is nothing in the file. Known: {', '.join(known.strategies)}.")
