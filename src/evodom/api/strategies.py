"""Strategies by name, and their choices in states: `find_strategy`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from evodom.dominion.engine.state import State
from evodom.dominion.game import Agent
from evodom.dominion.kingdom import Kingdom, as_kingdom
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.files import dump_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import Strategy, check_kingdom
from evodom.dominion.strategies.registry import was_learned
from evodom.dominion.strategies.select import select
from evodom.errors import UsageError
from evodom.matches.agents import Entrant, PythonAgent, user_code
from evodom.matches.entrants import Entrants, find_entrants
from evodom.matches.loading import as_agent
from evodom.matches.policies import BatchPolicy
from evodom.runs import RunStore


@dataclass(frozen=True, eq=False)
class NamedStrategy:
    """A strategy for one kingdom: a baseline, the champion of a run, a network or a list.

    Attributes:
        name: the name of the strategy.
        record: its record, for `evodom.matches`.
        kingdom: the kingdom.
        players: the number of players of a state for `choose`.
        made_for: the number of players of the strategy's saved run, else None. Tables have this size by default.
    """

    name: str
    record: Strategy
    kingdom: Kingdom
    players: int = 2
    made_for: int | None = None

    def choose(self, state: State) -> int:
        """Return the action for the pending Decision of a state of `Dominion(kingdom, players)`.

        The state does not change. A random choice depends on the state's random streams. This method is an
        `evodom.games.Policy`.
        """
        return int(select(self.kingdom.rules(self.players), state.copy(), self._lineup.arrays, 0))

    @cached_property
    def _lineup(self) -> Lineup:
        return Lineup.of([self.record])

    @property
    def toml(self) -> str:
        """The strategy as a strategy file. Raises UsageError for networks and the random player."""
        return dump_strategy(self.record, self.kingdom, name=self.name)

    def __repr__(self) -> str:
        return f"<NamedStrategy {self.name}: {self.buys()}>"

    def buys(self) -> str:
        """Return the purchases in words, in one line."""
        if was_learned(self.record):
            return "a network"
        orders = describe_buys(self.record, self.kingdom).lists
        return "; ".join(f"{order.when}: " * bool(order.when) + ", ".join(order.lines) for order in orders)


Contestant = str | NamedStrategy | Agent | BatchPolicy
"""A player: a name as on the command line, a strategy, or a function (an agent or a policy)."""


def find_strategy(name: str, kingdom: Kingdom | str | None = None, players: int | None = None) -> NamedStrategy:
    """Return the strategy of a name: a baseline, a run's champion, ``network``, or the path of a strategy file.

    ``kingdom`` is a Kingdom or a text as for ``--kingdom``. By default the kingdom and the number of players are those
    of the run, else First Game and 2. Raises UsageError for an unknown name, and for agents in Python.
    """
    found = find_entrants(
        [name], store=RunStore(), kingdom=None if kingdom is None else as_kingdom(kingdom), agents=False
    )
    (entrant,) = found.entrants
    if isinstance(entrant.strategy, PythonAgent):
        raise UsageError(f"'{name}' searches while it plays and has no record. Allowed: network, and other strategies.")
    return NamedStrategy(name, entrant.record, found.kingdom, players or found.players or 2, found.players)


def entrants_of(players: Sequence[Contestant], kingdom: Kingdom | str | None) -> Entrants:
    """Return the entrants. A function is an agent; with the attribute ``takes_observations`` it is a policy."""
    words = [player for player in players if isinstance(player, str)]
    given = [player.kingdom for player in players if isinstance(player, NamedStrategy)]
    chosen = next(iter(given), None) if kingdom is None else as_kingdom(kingdom)
    found = find_entrants(words, store=RunStore(), kingdom=chosen)
    named, entrants = iter(found.entrants), list[Entrant]()
    for number, player in enumerate(players):
        if isinstance(player, str):
            entrants.append(next(named))
        elif isinstance(player, NamedStrategy):
            check_kingdom(player.record, found.kingdom.fingerprint)
            entrants.append(Entrant(player.name, ("strategy", str(id(player.record))), player.record))
        else:
            with user_code(f"agent {number + 1} cannot be used", kind=UsageError):
                name = str(getattr(player, "__name__", f"agent {number + 1}"))
            entrants.append(Entrant(name, ("python", str(id(player))), as_agent(player, name)))
    for number, entrant in enumerate(entrants):
        same = [one for one in entrants[:number] if one.name == entrant.name and one.origin != entrant.origin]
        if same:
            entrants[number] = replace(entrant, name=f"{entrant.name} {len(same) + 1}")
    made_for = {one.name: one.made_for for one in players if isinstance(one, NamedStrategy) and one.made_for}
    return Entrants(tuple(entrants), found.kingdom, found.made_for | made_for)
