"""Jobs of the worker process: find advice, write a report, play a tournament."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock

from evodom.advice.search import AdviceProgress, answer, best_saved_opponent
from evodom.budget import Cancelled, Monitor
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import model_named, model_of
from evodom.entrants import find_entrants
from evodom.errors import EvodomError
from evodom.evolution.algorithm import champion_of
from evodom.evolution.options import Options
from evodom.evolution.runs import options_of as evolved_options
from evodom.jit.groups import compile_groups, groups_to_compile
from evodom.matches.seating import Use
from evodom.matches.tournament import play_round_robin
from evodom.matches.venue import Venue
from evodom.presentation.documents.advice import advice_document
from evodom.presentation.documents.advice_facts import repeat_command, summary_of
from evodom.presentation.documents.saved_run import FightsReport, ReportRequest, read_saved_run
from evodom.presentation.page import fragment, render
from evodom.reports import ATTACK_GAMES
from evodom.runs import Generation, Run
from evodom.tasks import Workers
from evodom.web.ask import make_question
from evodom.web.site import Json, command_line
from evodom.web.task import AdviceAsked, Asked, ReportAsked, TournamentAsked, WorkerEvent

EVERY_SECONDS = 0.25
"""Seconds between two progress events."""

COMPILING, PLAYING = "compiling", "playing"
"""Stages in addition to those of advice."""

DOMINION_GROUPS = ("games", "networks", "learning")
"""Groups of kernels that jobs of Dominion need."""

TOURNAMENT_GAMES = 20_000
"""Maximum number of games of a tournament."""


class EventWriter:
    """Writer of a task's events, usable from any thread. It limits the rate of progress events."""

    def __init__(self, write: Callable[[WorkerEvent], None]) -> None:
        self._write, self._lock = write, Lock()
        self._next: dict[str, float] = {}

    def now(self, event: WorkerEvent) -> None:
        """Write an event without delay."""
        with self._lock:
            self._write(event)

    def sometimes(self, what: str, event: Callable[[], WorkerEvent]) -> None:
        """Write an event unless one of the same kind was written within EVERY_SECONDS."""
        now = time.monotonic()
        with self._lock:
            if now < self._next.get(what, 0.0):
                return
            self._next[what] = now + EVERY_SECONDS
        self.now(event())


@dataclass(frozen=True)
class Desk:
    """Context of a job: the folder of runs, worker threads, the event writer and the stop flag."""

    root: Path
    workers: Workers
    events: EventWriter
    stop: Event

    def on_games(self, stage: str, total: int) -> Callable[[int], None]:
        """Return a callback for played games. It writes progress and raises Cancelled after a stop."""
        played = 0

        def on_played(n: int) -> None:
            nonlocal played
            played += n
            if self.stop.is_set():
                raise Cancelled("nothing was saved. A new request starts from the beginning")
            progress = {"stage": stage, "done": played, "total": total, "games": played}
            self.events.sometimes("games", lambda: {"progress": progress})

        return on_played


def find_advice(asked: AdviceAsked, desk: Desk) -> Json:
    """Find advice. Return its facts, its HTML for the page and its JSON."""
    question = make_question(asked, desk.root)
    _compile(desk, *DOMINION_GROUPS)
    news = _News(desk)
    monitor = Monitor(news.on_progress, desk.stop.is_set)
    found = answer(question, root=desk.root, workers=desk.workers, monitor=monitor)
    facts = summary_of(question, found) | {"command": command_line(desk.root, *repeat_command(question, found))}
    name, in_run = best_saved_opponent(question, found)
    name = question.request.key if name == found.name else name
    return {
        "facts": facts,
        "seconds": round(found.seconds, 1),
        "play": {"opponent": name, "in_run": in_run},
        "html": fragment(advice_document(facts, found.advice, found.seconds, full=True).sections),
        "answer": facts | found.advice.to_json(),
    }


class _News:
    """Writer of a search's progress and of the best list so far."""

    def __init__(self, desk: Desk) -> None:
        self._events = desk.events
        self._shown = ("", "")

    def on_progress(self, progress: AdviceProgress) -> None:
        """Write the progress and the learner's current win rate."""
        event: WorkerEvent = {"progress": progress.to_json()}
        if progress.share is not None:
            event["samples"] = {"learning": [progress.done / 1000, 100 * progress.share, *progress.segment]}
        if (progress.stage, progress.step) != self._shown:
            self._shown = progress.stage, progress.step
            self._events.now(event)
        else:
            self._events.sometimes("progress", lambda: event)
        if progress.newest:
            self._on_generation(*progress.newest)

    def _on_generation(self, run: Run, generation: Generation) -> None:
        """Write the champion's win rate against its training opponents, and the champion if it is a list."""
        options = evolved_options(run)
        wins = generation.summary.get("race_wins")
        if wins is not None:
            self._events.now({"samples": {options.model: [generation.index + 1, 100 * wins]}})
        if not model_named(options.preset.model).is_stochastic:
            self._events.sometimes("plan", lambda: {"progress": {"plan": _plan(options, generation)}})


def _plan(options: Options, generation: Generation) -> Json:
    """Return the champion of a generation as the lines of a list."""
    champion = strategies_of(champion_of(generation), options)[0]
    lists = describe_buys(model_of(champion).reachable(champion, options.kingdom), options.kingdom).lists
    return {
        "generation": generation.index + 1,
        "lines": [line for order in lists for line in order.lines],
    }


def write_report(asked: ReportAsked, desk: Desk) -> Json:
    """Return the report of a run as one HTML page, equal to the output of `evodom report --html`."""
    key, games = asked.key, asked.games
    _compile(desk, *DOMINION_GROUPS)

    def command(seed: int) -> str:
        return command_line(desk.root, "evodom", "report", key, "--evaluation-games", str(games), "--seed", str(seed))

    prepared = read_saved_run(ReportRequest(key, desk.root, games, ATTACK_GAMES, command))
    if isinstance(prepared, FightsReport):  # cannot be stopped in the middle
        _compile(desk, "fights", "solver")
        return {"page": render(prepared.measure(desk.workers.n).document)}
    return {"page": render(prepared.measure(desk.workers, desk.on_games(PLAYING, prepared.n_games)).document)}


def play_tournament(asked: TournamentAsked, desk: Desk) -> Json:
    """Play a round robin until the order is clear. Return its command, kingdom and result."""
    _compile(desk, *DOMINION_GROUPS)
    entered = find_entrants(asked.entrants, root=desk.root, kingdom=None, agents=False)
    if entered.has_searching_agents:
        raise EvodomError("a network with search plays tournaments only on the command line: evodom tournament")
    players = asked.players
    venue = Venue(
        entered.kingdom,
        players,
        asked.seed,
        Use.TOURNAMENT,
        desk.workers,
        desk.on_games(PLAYING, TOURNAMENT_GAMES),
    )
    result = play_round_robin(venue, entered.entrants, most_games=TOURNAMENT_GAMES)
    words = ("--players", str(players), "--max-games", str(TOURNAMENT_GAMES), "--seed", str(asked.seed))
    return {
        "command": command_line(desk.root, "evodom", "tournament", *asked.entrants, *words),
        "kingdom": {"name": entered.kingdom.name, "cards": list(entered.kingdom.cards)},
        "result": result.to_json(),
    }


def _compile(desk: Desk, *names: str) -> None:
    """Compile the groups of kernels that the cache lacks, and report the stage."""
    if missing := groups_to_compile(*names):
        desk.events.now({"progress": {"stage": COMPILING}})
        compile_groups(*missing)


def do_task(asked: Asked, desk: Desk) -> Json:
    """Run the job of a task and return its result."""
    if isinstance(asked, AdviceAsked):
        return find_advice(asked, desk)
    return write_report(asked, desk) if isinstance(asked, ReportAsked) else play_tournament(asked, desk)
