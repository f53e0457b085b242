"""Tasks: one at a time in a process; stopped, gone on with, kept over a restart; of one server or two."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from evodom.cli.advise import advise
from evodom.cli.tournament import tournament
from evodom.dominion.kingdom import FIRST_GAME
from evodom.errors import UsageError
from evodom.learning.training import Training
from evodom.matches.entrants import find_answer
from evodom.tasks import Workers
from evodom.web import jobs, tasks
from evodom.web.site import Conflict, Missing, Site
from evodom.web.task import AdviceAsked, ReportAsked, Task, TournamentAsked, read_task, save, tasks_folder
from evodom.web.tasks import SiteTasks
from tests.advice.small import shrink
from tests.cli.test_advise import SMALL
from tests.poisoned import executed, poison

from .served import Served

IDLE = "json.tool"
"""A program that waits for the end of stdin, as the process of a task does."""

PATIENCE = 180.0
"""Seconds: the first search on a machine is compiled."""


ASKED = AdviceAsked([*FIRST_GAME.cards], seed=3)


def until(served, name, holds):
    """Return a task once something holds of it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        task = served.get(f"/api/tasks/{name}").json
        if holds(task):
            return task
        time.sleep(0.05)
    raise AssertionError(f"it did not happen: {task['state']}, {task['progress']}, {task['why']}")


def ask(served, **more):
    answer = served.post(
        "/api/ask", {"cards": ["Chapel", "Witch"], "generations": 1, "learned_games": 20_000, "seed": 1} | more
    )
    assert answer.status == 200, answer.text
    return answer.json["name"]


def test_one_runs_and_others_are_refused_and_it_can_be_stopped_gone_on_with_and_deleted(tmp_path, store, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", "tests.web.small_work")
    with Served(tmp_path) as served:
        name = ask(served, overwrite=True)
        working = until(served, name, lambda task: task["progress"].get("stage") == "learning")
        assert working["progress"]["total"] > working["progress"]["done"] > 0
        assert served.post(f"/api/tasks/{name}/delete", {}).json == {"error": "this task is running. Stop it first."}
        refused = served.post("/api/ask", {"cards": ["Moat"], "minutes": 3, "seed": 1})
        assert (refused.status, refused.json["error"]) == (
            409,
            f"the advice '{working['title']}' is running. Wait for its end, or stop it on its page",
        )

        served.post(f"/api/tasks/{name}/stop", {})
        stopped = until(served, name, lambda task: task["state"] == "stopped")
        assert "of the learned networks is saved" in stopped["why"]
        assert stopped["asked"]["overwrite"] is False
        assert served.post(f"/api/tasks/{name}/go-on", {}).json["state"] == "running"
        served.post(f"/api/tasks/{name}/stop", {})
        until(served, name, lambda task: task["state"] == "stopped")
        assert len([*store]) == 1
        assert served.post(f"/api/tasks/{name}/delete", {}).status == 200
        assert served.get(f"/api/tasks/{name}").status == 404
        assert served.get("/api/tasks").json["tasks"] == []


def test_a_server_that_stops_ends_what_works_and_the_next_one_tells_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", IDLE)
    poison(tmp_path)
    monkeypatch.chdir(tmp_path)
    with Served(tmp_path) as served:
        name = ask(served)
        until(served, name, lambda task: task["state"] == "running")
        kept = served.site.part(SiteTasks)
        while (process := kept._process) is None:
            time.sleep(0.01)
    assert process.returncode is not None
    assert executed(tmp_path) is None

    with Served(tmp_path) as again:
        task = again.get(f"/api/tasks/{name}").json
        assert task["state"] == "stopped"
        assert task["why"]


def refusals(served, name):
    """Return the answers to the requests that change tasks."""
    changes = [(f"/api/tasks/{name}/{what}", {}) for what in ("stop", "go-on", "delete")]
    asked = ("/api/ask", {"cards": ["Moat"], "seed": 1, "generations": 1})
    return [served.post(path, body) for path, body in (asked, *changes)]


def test_a_second_server_shows_the_tasks_of_the_first_and_refuses_changes_until_it_has_ended(
    tmp_path, store, monkeypatch
):
    monkeypatch.setattr(tasks, "WORK", IDLE)
    first, name = SiteTasks(Site(store)), "0" * 16
    save(Task(name, "Chapel", ASKED), tmp_path)
    file = tasks_folder(tmp_path) / f"{name}.json"
    before = file.read_bytes()

    with Served(tmp_path) as served:
        (task,) = served.get("/api/tasks").json["tasks"]
        assert (task["state"], task["why"], task["progress"]) == ("running", "", {"elsewhere": True})
        why = (
            f"another evodom serve (process {os.getpid()}) runs the tasks of {tmp_path}. Use its page, or end it and "
            "try again"
        )
        assert [(one.status, one.json) for one in refusals(served, name)] == [(409, {"error": why})] * 4
        assert file.read_bytes() == before

        first.close()
        assert read_task(file).asked == ASKED
        (task,) = served.get("/api/tasks").json["tasks"]
        assert (task["state"], task["why"]) == ("stopped", "evodom serve was stopped before this finished")
        assert served.post(f"/api/tasks/{name}/go-on", {}).json["state"] == "running"


def test_the_tasks_of_a_killed_server_belong_to_the_next(tmp_path, store, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", IDLE)
    code = (
        "import sys; from evodom.runs import RunStore; from evodom.web.tasks import SiteTasks; "
        "from evodom.web.site import Site; "
        "kept = SiteTasks(Site(RunStore(sys.argv[1]))); print('owned', flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], **pipes) as first:
        assert first.stdout.readline() == b"owned\n"
        second = SiteTasks(Site(store))
        with pytest.raises(Conflict, match=rf"\(process {first.pid}\)"):
            second.delete("0" * 16)
        first.kill()
    with pytest.raises(Missing):
        second.delete("0" * 16)
    second.close()


def test_damaged_tasks_are_listed_as_damaged_and_skipped(tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", IDLE)
    save(Task("0" * 16, "Chapel", ASKED, "stopped"), tmp_path)
    folder = tasks_folder(tmp_path)
    good = json.loads((folder / f"{'0' * 16}.json").read_text())
    fields = {"1": "cards", "2": "kind"}
    damaged = {
        name: good | {"asked": {key: value for key, value in good["asked"].items() if key != field}}
        for name, field in fields.items()
    }
    others = ({"format": 9}, {"started": "yesterday"}, {"state": "waiting"}, {"asked": {"kind": "tournament"}})
    damaged |= {name: good | change for name, change in zip("3567", others, strict=True)}
    for name, text in {"4": "{", **{name: json.dumps(one) for name, one in damaged.items()}}.items():
        (folder / f"{name * 16}.json").write_text(text)
    (folder / f"{'8' * 16}.json").mkdir()
    os.mkfifo(folder / f"{'9' * 16}.json")
    before = {path.name for path in folder.iterdir()}
    (folder / "notes.json").write_text("{}")

    with Served(tmp_path) as served:
        told = served.get("/api/tasks").json
        assert [task["name"] for task in told["tasks"]] == ["0" * 16]
        assert len(told["damaged"]) == 9
        why = {Path(one["file"]).name[0]: one["why"] for one in told["damaged"]}
        assert why["1"] == "this task is damaged: cards of asked is missing."
        assert why["3"].startswith("this is a task of format 9, written by evodom ")
        assert "started is 'yesterday'. Allowed: a date and time with a time zone." in why["5"]
        assert "state is 'waiting'. Allowed: one of done, failed, running, stopped." in why["6"]
        assert all(one and "\n" not in one for one in why.values())
        assert served.get(f"/api/tasks/{'1' * 16}").status == 404
        assert served.post("/api/ask", {"cards": ["Moat"], "seed": 1, "generations": 1}).status == 200
        assert served.get("/api/runs").status == served.post("/api/ask/draw", {"cards": [], "seed": 1}).status == 200
        (folder / f"{'3' * 16}.json").unlink()
        assert len(served.get("/api/tasks").json["damaged"]) == 8

    assert before - {path.name for path in folder.iterdir()} == {f"{'3' * 16}.json"}


def test_a_tournament_of_a_page_is_that_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", IDLE)
    monkeypatch.setattr(jobs, "TOURNAMENT_GAMES", 2000)
    entrants, events = ["big-money", "random", "smithy-ultimate"], []
    with Served(tmp_path) as served:
        name = served.post("/api/tournaments", {"entrants": entrants, "seed": 4}).json["name"]
        asked = served.site.part(SiteTasks).task(name).asked
    jobs.work(jobs.task.TaskOrder(asked, str(tmp_path), 1), events.append, Event())
    result = json.loads(json.dumps(events[-1]["result"]))

    words = [*entrants, "--players", "2", "--max-games", "2000", "--seed", "4", "--json", "--quiet"]
    told = json.loads(CliRunner().invoke(tournament, words).stdout)
    assert result["result"]["standings"] == told["standings"]
    assert result["result"]["order_clear"] is True


def test_a_tournament_of_a_task_file_does_not_run_the_code_that_it_names(tmp_path, store, monkeypatch):
    harmful, ran = tmp_path / "harmful.py", tmp_path / "ran"
    harmful.write_text(f"open({str(ran)!r}, 'w')\n")
    monkeypatch.setattr(jobs.Desk, "compile", lambda desk, *groups: None)
    desk = jobs.Desk(store, Workers(None, 1), lambda event: None, Event())

    with pytest.raises(UsageError, match="is an agent in Python"):
        jobs.play_tournament(TournamentAsked(["random", str(harmful)], 2, 1), desk)
    assert not ran.exists()


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Return the events of a search for advice that is done in this process, and its advice."""
    shrink(monkeypatch)
    answers, events, find = [], [], jobs.find_advice
    monkeypatch.setattr(
        jobs, "find_advice", lambda *args, **kwargs: answers.append(find(*args, **kwargs)) or answers[0]
    )
    cards = [*FIRST_GAME.cards]
    asked = AdviceAsked(cards, learned_games=2000, strategies=8, games=100, seed=4, generations=2)
    jobs.work(jobs.task.TaskOrder(asked, str(tmp_path), 1), events.append, Event())
    return events, answers[0].advice.to_json()


def test_the_answer_of_a_page_is_that_of_the_command_line(found, tmp_path, store, monkeypatch):
    # The command finds the runs of the page, and only measures again.
    monkeypatch.setattr(Training, "following", pytest.fail)
    arguments = [*SMALL, "--json", "--jobs", "1", "--data-dir", str(tmp_path), "--quiet"]
    told = json.loads(CliRunner().invoke(advise, arguments).stdout)

    (*before, last), found_advice = found
    assert last["state"] == "done", last
    assert last["result"]["opponent"] == told["play"].split()[3] == find_answer("first-game", store).key
    shown = json.loads(json.dumps(found_advice))
    assert shown == {key: told[key] for key in shown}

    stages = [event["progress"]["stage"] for event in before if "stage" in event.get("progress", {})]
    assert [stage for stage in dict.fromkeys(stages) if stage != "compiling"] == ["learning", "evolving", "measuring"]
    steps = [event["progress"].get("step") for event in before if event.get("progress", {}).get("step")]
    assert list(dict.fromkeys(steps)) == ["tournament", "best_response", "list", "figures"]
    plans = [event["progress"]["plan"] for event in before if "plan" in event.get("progress", {})]
    assert plans
    assert all(plan["lines"] for plan in plans)

    html = last["result"]["html"]
    for line in told["wording"]["lists"][0]["lines"]:
        assert re.sub(r"^\d+ |,? (once|until|from|while|before|if|one for every) .*", "", line) in html
    for title in ("What to expect", "To follow by hand", "How to open", "Card by card", "How far to trust it"):
        assert title in html
    assert "<script" not in html
    assert "style=" not in html


def test_what_fails_is_told_in_one_line(tmp_path):
    events = []

    jobs.work(jobs.task.TaskOrder(ReportAsked("nowhere", 1000), str(tmp_path), 1), events.append, Event())

    (event,) = [event for event in events if "state" in event]
    assert event["state"] == "failed"
    assert event["why"].startswith("no run named 'nowhere'")


def test_only_so_many_are_kept(tmp_path, store, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", IDLE)
    monkeypatch.setattr(tasks, "MAX_TASKS", 1)
    kept = SiteTasks(Site(store))
    task = kept.add("ten cards", ASKED)
    with pytest.raises(Conflict, match="the advice 'ten cards' is running"):
        kept.add("ten cards", ASKED)

    kept.close()
    assert (task.state, task.why) == ("stopped", "stopped")
    again = SiteTasks(Site(store))
    with pytest.raises(UsageError, match="1 answers are kept"):
        again.add("ten cards", ASKED)
    assert again.go_on(task.name).state == "running"
    again.close()
    assert read_task(tasks_folder(tmp_path) / f"{task.name}.json").state == "stopped"
