"""The process of a task: read an order from stdin, do its job, write events to stdout. Each is a line of JSON.

    {"progress": {"stage": "learning", "done": 2000, "total": 60000}, "samples": {"learning": [2.0, 51.5]}}
    {"state": "done", "result": {...}}

It saves its work and exits when stdin is closed, also because its server was killed. JOBS has the job of each request.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

from evodom.advice.search import AdviceProgress, best_saved_opponent, find_advice
from evodom.budget import Cancelled, Monitor
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.record import strategies_of
from evodom.dominion.strategies.registry import model_named, model_of
from evodom.errors import EvodomError
from evodom.evolution.options import Options
from evodom.evolution.ranking import HELD_OUT_WINS, champion_of
from evodom.evolution.runs import EVOLUTION, carry_on, options_of, start
from evodom.kernel_groups import compile_groups, groups_to_compile
from evodom.matches.entrants import find_entrants
from evodom.matches.seating import Use
from evodom.matches.tournament import play_round_robin
from evodom.matches.venue import Venue
from evodom.presentation.documents.advice import advice_document, ranked_kind
from evodom.presentation.documents.advice_facts import repeat_command, summary_of
from evodom.presentation.documents.saved_run import report_document
from evodom.presentation.page import fragment, render
from evodom.reading import convert
from evodom.reports import BEST_RESPONSE_GAMES
from evodom.reports.saved_run import ReportRequest, read_saved_run
from evodom.runs import Generation, Run, RunStore
from evodom.runs.lifecycle import RunMonitor
from evodom.tasks import Workers
from evodom.web import task
from evodom.web.ask import make_question
from evodom.web.site import Json, command_line

LAST_SECONDS = 20.0
"""Seconds to save the work after stdin is closed. Then the process exits."""

EVERY_SECONDS = 0.25
"""Seconds between two progress events of one kind."""

DOMINION_GROUPS = ("games", "expansions", "single games", "networks", "learning")
"""Groups of kernels that jobs of Dominion need."""

TOURNAMENT_GAMES = 20_000
"""Maximum number of games of a tournament."""


class Desk:
    """Context of a job: the folder of runs, worker threads, the stop flag. It writes events, from any thread."""

    def __init__(
        self, store: RunStore, workers: Workers, write: Callable[[task.WorkerEvent], None], stop: Event
    ) -> None:
        self.store, self.workers, self.stop = store, workers, stop
        self._write, self._lock = write, Lock()
        self._due: dict[Hashable, float] = {}

    def write(self, event: task.WorkerEvent) -> None:
        """Write an event."""
        with self._lock:
            self._write(event)

    def is_due(self, what: Hashable) -> bool:
        """Return True at most once in EVERY_SECONDS for events of one kind."""
        now = time.monotonic()
        if now < self._due.get(what, 0.0):
            return False
        self._due[what] = now + EVERY_SECONDS
        return True

    def compile(self, *names: str) -> None:
        """Compile the groups of kernels that the cache lacks, and report the stage."""
        if missing := groups_to_compile(*names):
            self.write({"progress": {"stage": "compiling"}})
            compile_groups(*missing)

    def on_games(self, total: int) -> Callable[[int], None]:
        """Return a callback for played games. It writes progress and raises Cancelled after a stop."""
        played = 0

        def on_played(n: int) -> None:
            nonlocal played
            played += n
            if self.stop.is_set():
                raise Cancelled("nothing was saved. A new request starts from the beginning")
            if self.is_due("games"):
                self.write({"progress": {"stage": "playing", "done": played, "total": total, "games": played}})

        return on_played


def answer_question(asked: task.AdviceAsked, desk: Desk) -> Json:
    """Find advice. Return its HTML for the page, and the opponent that plays its strategy."""
    question = make_question(asked, desk.store)
    desk.compile(*DOMINION_GROUPS, "search")
    monitor = Monitor(lambda progress: _write_progress(progress, desk), desk.stop.is_set)
    found = find_advice(question, store=desk.store, workers=desk.workers, monitor=monitor)
    facts = summary_of(question, found) | {"command": command_line(desk.store, *repeat_command(question, found))}
    name, _ = best_saved_opponent(question, found)
    return {"opponent": name, "html": fragment(advice_document(facts, found.advice, found.seconds, full=True).sections)}


def _write_progress(progress: AdviceProgress, desk: Desk) -> None:
    """Write the progress of a search, the learner's win rate, and the champion of a new generation."""
    if desk.is_due((progress.stage, progress.step)):
        event: task.WorkerEvent = {"progress": progress.to_json() | {"best": ranked_kind(progress.best)}}
        if progress.share is not None:
            event["samples"] = {"learning": [progress.done / 1000, 100 * progress.share, *progress.segment]}
        desk.write(event)
    if progress.newest:
        _write_generation(*progress.newest, desk)


def _write_generation(run: Run, generation: Generation, desk: Desk) -> None:
    """Write the champion's win rate against held-out baselines, and the champion if it is a list."""
    options = options_of(run)
    wins = generation.summary.get(HELD_OUT_WINS)
    if wins is not None:
        desk.write({"samples": {options.model: [generation.index + 1, 100 * wins]}})
    if not model_named(options.preset.model).is_stochastic and desk.is_due("plan"):
        desk.write({"progress": {"plan": _plan(options, generation)}})


def _plan(options: Options, generation: Generation) -> Json:
    """Return the champion of a generation as the lines of a list."""
    champion = strategies_of(champion_of(generation), options)[0]
    lists = describe_buys(model_of(champion).reachable(champion, options.kingdom), options.kingdom).lists
    return {"generation": generation.index + 1, "lines": [line for order in lists for line in order.lines]}


def evolve(asked: task.EvolutionAsked, desk: Desk) -> Json:
    """Evolve a run to its last generation. Continue the saved run if its seed and settings are those of the request."""
    desk.compile(*DOMINION_GROUPS, "imitation")

    def report(n_done: int) -> None:
        desk.write({"progress": {"stage": "evolving", "done": n_done, "total": asked.generations}})

    report(0)
    if asked.key in desk.store:
        run = desk.store.open(asked.key, write=True)
    else:
        run = start(asked.key, asked.options, asked.seed, store=desk.store, workers=desk.workers)
    with run:
        if (options_of(run), run.provenance().seed) != (EVOLUTION.with_defaults(asked.options), asked.seed):
            raise EvodomError(f"run '{asked.key}' has another seed or other settings. Remove this task")
        report(run.n_generations)
        monitor = RunMonitor(on_generation=lambda one: report(one.index + 1), should_stop=desk.stop.is_set)
        if not carry_on(run, desk.workers, monitor):
            raise Cancelled(f"{run.n_generations} of {asked.generations} generations are saved")
    return {"key": asked.key}


def write_report(asked: task.ReportAsked, desk: Desk) -> Json:
    """Return the report of a run as one HTML page, equal to the output of `evodom report --html`."""
    key, games = asked.key, asked.games

    def command(seed: int) -> str:
        return command_line(desk.store, "evodom", "report", key, "--evaluation-games", str(games), "--seed", str(seed))

    prepared = read_saved_run(ReportRequest(key, desk.store, games, BEST_RESPONSE_GAMES, command))
    desk.compile(*prepared.groups)
    return {"page": render(report_document(prepared.measure(desk.workers, desk.on_games(prepared.n_games))))}


def play_tournament(asked: task.TournamentAsked, desk: Desk) -> Json:
    """Play a round robin until the order is clear. Return its command, kingdom and result."""
    desk.compile(*DOMINION_GROUPS)
    entered = find_entrants(asked.entrants, store=desk.store, agents=False, files=False)
    kingdom, on_games = entered.kingdom, desk.on_games(TOURNAMENT_GAMES)
    players = asked.players or entered.players or 2
    venue = Venue(kingdom, players, asked.seed, Use.TOURNAMENT, desk.workers, on_games)
    result = play_round_robin(venue, entered.entrants, most_games=TOURNAMENT_GAMES)
    words = ("--players", str(players), "--max-games", str(TOURNAMENT_GAMES), "--seed", str(asked.seed))
    return {
        "command": command_line(desk.store, "evodom", "tournament", *asked.entrants, *words),
        "kingdom": {"name": kingdom.name, "cards": list(kingdom.cards)},
        "note": entered.size_note(players, "tournament"),
        "result": result.to_json(),
    }


JOBS: Mapping[type[task.Asked], Callable[[Any, Desk], Json]] = {
    task.AdviceAsked: answer_question,
    task.EvolutionAsked: evolve,
    task.ReportAsked: write_report,
    task.TournamentAsked: play_tournament,
}


def work(order: task.TaskOrder, write: Callable[[task.WorkerEvent], None], stop: Event) -> None:
    """Do a task. Write an event with its result, or with the reason of a stop or failure."""
    try:
        if stop.is_set():
            raise Cancelled("stopped before the start")
        with ThreadPoolExecutor(order.jobs) as executor:
            desk = Desk(RunStore(order.root), Workers(executor, order.jobs), write, stop)
            result = JOBS[type(order.asked)](order.asked, desk)
        write({"state": task.DONE, "result": result})
    except Cancelled as stopped:
        write({"state": task.STOPPED, "why": str(stopped)})
    except EvodomError as error:
        write({"state": task.FAILED, "why": str(error)})
    except Exception as error:  # the page shows it: there is no terminal
        write({"state": task.FAILED, "why": f"internal error in evodom: {type(error).__name__}: {error}"})


def main() -> None:
    """Read an order from stdin, do its task, and exit."""
    with suppress(OSError, AttributeError):
        os.nice(10)  # so that games on the server get the processor first
    out = sys.stdout
    sys.stdout = sys.stderr  # other code's prints must not mix with events

    def write(event: task.WorkerEvent) -> None:
        out.write(json.dumps(event, allow_nan=False) + "\n")
        out.flush()

    line = sys.stdin.readline()
    if not line:
        return
    stop = Event()
    Thread(target=_watch_input, args=(stop,), daemon=True).start()
    with suppress(BrokenPipeError):
        work(convert(json.loads(line), task.TaskOrder), write, stop)
    with suppress(OSError):
        out.close()
    os._exit(0)  # a normal exit would wait for the thread that reads stdin


def _watch_input(stop: Event) -> None:
    """Set ``stop`` at the end of stdin. Exit after LAST_SECONDS if the task is not done."""
    with suppress(OSError, ValueError):
        while sys.stdin.read(1):
            pass
    stop.set()
    time.sleep(LAST_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
