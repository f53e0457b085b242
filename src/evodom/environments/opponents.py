"""Opponents in an environment's games: compiled strategies, policies, and leagues of both (`GameOpponents`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.lineup import LearnedStrategy
from evodom.dominion.strategies.record import Strategy
from evodom.errors import UsageError, short
from evodom.jit.kernel import kernel, random_float
from evodom.matches.agents import PythonAgent
from evodom.matches.entrants import find_entrants
from evodom.matches.observations import BY_CARD, FEATURES
from evodom.matches.policies import BatchPolicy, PolicyAgent, as_policy
from evodom.runs import RunStore

Opponent = str | Strategy | BatchPolicy | PolicyAgent
"""An opponent: a name of a strategy or a policy, a strategy, or a policy."""

ALLOWED = (
    "a name (baseline, run, strategy file, policy), a strategy, a function of observations and masks, a list of "
    "these, or a dict from these to shares"
)

MAX_SHARE = 1_000_000
"""Maximum share of an opponent in a league. Shares are relative."""

_STREAM = np.uint64(0x9FB21C651E98DF25)
"""Difference between a game's seed and the seed that draws its opponents."""


@dataclass(frozen=True, eq=False)
class GameOpponents:
    """The players of the other seats. ``named`` are the players as a user gave them.

    Without ``limits`` they take the seats in order, repeated to fill them. With ``limits`` they are a league: each seat
    of each game draws a player. ``limits`` are the cumulative shares, from above 0 to 1.
    """

    named: list[Any]
    players: tuple[Strategy | PolicyAgent, ...]
    limits: npt.NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls, given: Any, kingdom: Kingdom, *, n_seats: int = 2, scaled: bool = False, observation: str = FEATURES
    ) -> "GameOpponents":
        """Return the opponents that a user gave: an Opponent, a list in order of seats, or a dict of shares of games.

        Functions get observations of this kind, ``scaled`` if asked. Raises UsageError for an unknown name, for agents
        that play one game at a time, for bad shares, and for more opponents in order than ``n_seats`` - 1.
        """
        is_league = isinstance(given, Mapping)
        is_one = isinstance(given, str) or not isinstance(given, Sequence | Mapping)
        named: list[Any] = [given] if is_one else list(given)
        if not named:
            raise UsageError("there are no opponents. Name one or more, such as big-money.")
        players = tuple(player_in(one, kingdom, scaled=scaled, observation=observation) for one in named)
        if not is_league:
            if len(players) >= n_seats:
                raise UsageError(
                    f"{len(players)} opponents are named for {n_seats - 1} seat{'s' * (n_seats > 2)}. Name at most "
                    f"{n_seats - 1}, give players={len(players) + 1}, or a dict of shares."
                )
            return cls(named, players)
        shares = list(given.values())
        if not all(isinstance(share, (int, float, np.number)) and 0 < share <= MAX_SHARE for share in shares):
            raise UsageError(f"shares of opponents are {short(shares)}. Allowed: above 0, to {MAX_SHARE:,}.")
        limits = np.cumsum(np.array(shares, np.float64))
        return cls(named, players, limits / limits[-1])

    def draw(self, seeds: npt.NDArray[np.uint64], n_seats: int) -> npt.NDArray[np.int64]:
        """Return the players of ``n_seats`` other seats in games with these seeds, (n, n_seats)."""
        drawn = np.empty((len(seeds), n_seats), np.int64)
        if self.limits is None:
            drawn[:] = np.resize(np.arange(len(self.players)), n_seats)
        else:
            draw_players(seeds ^ _STREAM, self.limits, drawn)
        return drawn


@kernel
def draw_players(
    streams: npt.NDArray[np.uint64], limits: npt.NDArray[np.float64], drawn: npt.NDArray[np.int64]
) -> None:
    """Write a random player for each game and seat to ``drawn``, by cumulative shares."""
    for game in range(drawn.shape[0]):
        for seat in range(drawn.shape[1]):
            drawn[game, seat] = np.searchsorted(limits, random_float(streams, game), side="right")


def player_in(given: Any, kingdom: Kingdom, *, scaled: bool, observation: str = FEATURES) -> Strategy | PolicyAgent:
    """Return an opponent that a user gave as a player of a kingdom. Raise UsageError if there is none.

    A policy is fitted to the kingdom, unless the games are observed by card.
    """
    player = given
    if isinstance(given, str):
        (entrant,) = find_entrants([given], store=RunStore(), kingdom=kingdom).entrants
        if isinstance(entrant.strategy, PythonAgent) and not isinstance(entrant.strategy, PolicyAgent):
            raise UsageError(
                f"'{given}' answers one Decision at a time. Allowed: network, a baseline, a run, a list, a policy."
            )
        player = entrant.strategy if isinstance(entrant.strategy, PolicyAgent) else entrant.record
    elif callable(given) and not isinstance(given, PolicyAgent):
        name, scaled = getattr(given, "__name__", "policy"), getattr(given, "scaled", scaled)
        player = as_policy(given, name, scaled=scaled, observation=observation)
    if isinstance(player, PolicyAgent):
        if observation == BY_CARD != player.observation:
            raise UsageError(f"policy '{player.name}' takes features. Allowed here: policies of observations by card.")
        return player if observation == BY_CARD else player.fitted(kingdom)
    if isinstance(player, LearnedStrategy | np.void):
        return cast("Strategy", player)
    raise UsageError(f"opponents are {short(given)}. Allowed: {ALLOWED}.")
