"""Agents written in Python at a table: they play game by game, through the friendly layer, and see only their seat.

An agent is a callable that gets a View and a Decision and returns one of the Decision's Consequences, or its name.
Those of evodom that think get the game itself, from which they redeal before they look.
Games with one run in the calling thread, with the seeds that compiled strategies would have, and come to the same
RESULT records.
"""

import sysconfig
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

import evodom
from evodom.dominion.engine.rules import PASS
from evodom.dominion.engine.turn import enact
from evodom.dominion.game import PASS_NAME, Agent, Consequence, DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.select import select
from evodom.errors import AgentError
from evodom.matches.batch import RESULT, note_result
from evodom.matches.streams import agent_generator
from evodom.matches.workers import Workers

Thinker = Callable[[DominionGame, Workers | None], str]
"""Returns the name of its choice; it looks at nothing in the game that its seat cannot know."""

MakeAgent = Callable[[Kingdom, int, np.random.Generator], Agent | Thinker]

PACKAGE = Path(evodom.__file__).parent
"""What a user's own code is not in."""


@dataclass(frozen=True, eq=False)
class PythonAgent:
    """An agent written in Python, by the name it was asked for; ``make`` gives a new one for each game and seat.

    Its Treasures are played for it, unless it ``chooses_treasures``. It finds "" for the tops of the
    discard piles unless it ``sees_discard_tops``: to follow them makes a game five times slower.
    """

    name: str
    make: MakeAgent
    source: str = ""
    """Where it was loaded from, wherever one is: its file's whole path, or its module."""
    chooses_treasures: bool = False
    sees_discard_tops: bool = False
    thinks: bool = False
    """It is a Thinker. What it answers depends on a clock, so that a game played again takes its answers as they were.
    """

    def seat(self, kingdom: Kingdom, seat: int, game_seed: int, workers: Workers | None = None) -> "SeatedAgent":
        """Return the agent for one game and seat, with random numbers that follow from both.

        ``workers`` are the threads that one that thinks may use.
        """
        rng = agent_generator(game_seed, seat)
        try:
            return SeatedAgent(self.name, self.make(kingdom, seat, rng), thinks=self.thinks, workers=workers)
        except Exception as error:
            raise AgentError(f"agent '{self.name}' could not be made: {error_text(error)}.") from error


@dataclass(frozen=True)
class SeatedAgent:
    """An agent in one game. It gives the same answers as the user's own, checked."""

    name: str
    agent: Any
    """An Agent, or a Thinker."""
    thinks: bool = False
    workers: Workers | None = None

    def __call__(self, game: DominionGame) -> Consequence:
        """Return the choice for the pending Decision of its seat.

        Raises AgentError, in one line, if it fails or the choice is not allowed.
        """
        decision = game.decision
        assert decision is not None
        try:
            answer = self.agent(game, self.workers) if self.thinks else self.agent(game.view(decision.seat), decision)
        except Exception as error:
            raise AgentError(f"agent '{self.name}' failed: {error_text(error)}. Asked: {decision.prompt}") from error
        name = answer.name if isinstance(answer, Consequence) else answer
        for allowed in decision.consequences:
            if isinstance(name, str) and allowed.name.casefold() == name.casefold():
                return allowed
        raise AgentError(
            f"agent '{self.name}' answered {_short(answer)}. Asked: {decision.prompt} "
            f"Allowed: {', '.join(allowed.name for allowed in decision.consequences)}."
        )


def play_game(kingdom: Kingdom, seated: Sequence[Any], seed: int, workers: Workers | None = None) -> Any:
    """Play one game of PythonAgents and strategies' records, a seat each in turn order, and return its RESULT.

    Compiled strategies alone come to the same as `play_games` with this seed. ``workers`` are for those that think.
    """
    python = {seat: player for seat, player in enumerate(seated) if isinstance(player, PythonAgent)}
    agents = {seat: player.seat(kingdom, seat, seed, workers) for seat, player in python.items()}
    game = DominionGame(kingdom, len(seated), seed=seed, log=follows_discards(seated))
    game.play_treasures_automatically(*set(range(len(seated))) - choosers(seated))
    while not game.is_over:
        seat = int(game.state.decider)
        pile = agents[seat](game).pile if seat in agents else select(game.rules, game.state, seated[seat])
        if game.log:
            game.enact(PASS_NAME if pile == PASS else game.piles[pile].name)
        else:
            enact(game.rules, game.state, pile)
    results = np.zeros(1, RESULT)
    note_result(game.rules, game.state, results[0])
    return results[0]


def error_text(error: BaseException) -> str:
    """Return an exception in words, with the line of the user's code it comes from: "ValueError: ... (mine.py:12)"."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    what = text.splitlines()[0] if text.strip() else ""
    where = _where(error)
    return f"{type(error).__name__}{f': {what}' if what else ''}{f' ({where})' if where else ''}".rstrip(".")


def _where(error: BaseException) -> str:
    """Return the file and line of an exception: the innermost of the user's own code, "" if there is none."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_from_here(error.filename)}:{error.lineno}"
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(_traceback(error))]
    libraries = PACKAGE, Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))
    own = [
        (file, line)
        for file, line in frames
        if not file.startswith("<") and not any(Path(file).is_relative_to(folder) for folder in libraries)
    ]
    return f"{_from_here(own[-1][0])}:{own[-1][1]}" if own else ""


def _from_here(file: str) -> str:
    """Return the path of a file as seen from the working folder, if it lies in it."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else file


def _traceback(error: BaseException) -> TracebackType | None:
    return error.__traceback__


def follows_discards(seated: Sequence[Any]) -> bool:
    """Tell whether an agent is to see the tops of the discard piles."""
    return any(isinstance(one, PythonAgent) and one.sees_discard_tops for one in seated)


def choosers(seated: Sequence[Any]) -> set[int]:
    """Return the seats of the agents that choose which Treasures they play."""
    return {seat for seat, one in enumerate(seated) if isinstance(one, PythonAgent) and one.chooses_treasures}


def _short(answer: object) -> str:
    text = repr(answer.name if isinstance(answer, Consequence) else answer)
    return text if len(text) <= 60 else f"{text[:57]}..."
