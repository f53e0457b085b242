"""What the pages of runs show: the store as it is, also of runs that another process writes, and reports."""

import base64
import hashlib
import re
from threading import Event

import pytest
from click.testing import CliRunner

from evodom.advice.answer import PARTS
from evodom.cli.report import report
from evodom.dominion.kingdom import FIRST_GAME
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, start
from evodom.learning.fights import FightOptions
from evodom.learning.fights.run import carry_on as go_on_training
from evodom.learning.fights.run import start as train_fights
from evodom.presentation import page
from evodom.presentation.document import Document
from evodom.runs import RunStore
from evodom.web import jobs, new_session, tasks
from evodom.web.runs import _report_policy, listed, seen
from evodom.web.task import DONE, EvolutionAsked, ReportAsked, Task, save
from tests.saved import save_answer

from .served import Served

FIGHT = 'enemies = "Cultist"\nenemy_hp = [18]\nhp = 30\ndeck = "3 Strike, 3 Defend, Bash"\nrelics = []\n'
TINY = FightOptions((FIGHT,), iterations=2, games=12, simulations=12, width=16)

SMALL = {
    "kingdom": FIRST_GAME, "model": "buy-list", "n_strategies": 8, "n_generations": 3, "players": 2, "race": 1,
    "search_rounds": 1,
}  # fmt: skip


def begun(root, workers, **options):
    return start("demo", Options(**SMALL | options), 1, store=RunStore(root), workers=workers)


def test_a_run_that_is_written_is_told_with_how_far_it_is_and_shown_with_its_best_list(tmp_path, store, workers):
    with begun(tmp_path, workers) as run:
        (told,) = listed(store)
        assert (told["active"], told["done"], told["goal"], told["unit"]) == (True, 1, 3, "generation")
        assert (told["kind"], told["model"], told["kingdom"]["name"]) == ("evolved", "buy-list", "First Game")
        assert store.has_writer("demo")
        carry_on(run, workers)
    before = (tmp_path / "runs" / "demo.sqlite").read_bytes()

    told = seen("demo", store)

    assert told["done"] == 3
    assert told["course"].count("<svg") == 3
    assert "style=" not in told["course"]
    (order,) = told["plan"]["lists"]
    assert any("Province" in line or "Gold" in line or "Silver" in line for line in order["lines"])
    assert not any(line.startswith("0 ") for line in order["lines"])
    assert told["plan"]["draws"] is False
    assert listed(store)[0]["active"] is False
    assert (tmp_path / "runs" / "demo.sqlite").read_bytes() == before


def test_a_champion_that_draws_at_random_is_not_shown_as_a_list(tmp_path, store, workers):
    with begun(tmp_path, workers, model="graded"):
        assert seen("demo", store)["plan"]["draws"] is True


def test_a_file_that_is_no_run_and_settings_of_a_stranger_are_told_and_break_nothing(tmp_path, store, workers):
    with begun(tmp_path, workers) as run:
        run.set_meta(options={"kingdom": ["<b>", 3], "players": "x", "model": ["<script>"], "n_generations": "many"})
    (tmp_path / "runs" / "broken.sqlite").write_text("no run")

    broken, demo = sorted(listed(store), key=lambda run: run["key"])

    assert "is not an evodom run" in broken["problem"] or "broken" in broken["problem"]
    assert (demo["kingdom"], demo["players"], demo["goal"]) == (None, None, None)
    told = seen("demo", store)
    assert told["plan"] is None
    assert told["note"]


def test_a_report_is_shown_under_a_policy_that_lets_nothing_run():
    html = page.render(Document("evodom", []))
    style = re.search("<style>(.*?)</style>", html, re.DOTALL)[1]

    policy = _report_policy(html)

    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; frame-ancestors 'self'; sandbox"
    )


def test_the_report_of_a_page_is_that_of_the_command_line(tmp_path, workers, monkeypatch):
    monkeypatch.setattr("evodom.web.jobs.BEST_RESPONSE_GAMES", 48)
    with begun(tmp_path, workers) as run:
        carry_on(run, workers)
    events = []
    jobs.work(jobs.task.TaskOrder(ReportAsked("demo", 1000), str(tmp_path), 1), events.append, Event())

    assert events[-1]["state"] == "done", events[-1]
    file = tmp_path / "report.html"
    words = ["--html", str(file), "--data-dir", str(tmp_path), "--quiet", "--evaluation-games", "1000"]
    assert CliRunner().invoke(report, ["demo", *words, "--best-response-games", "48"]).exit_code == 0
    assert events[-1]["result"]["page"] == file.read_text(encoding="utf-8").replace(" --best-response-games 48", "")


def test_a_training_for_fights_has_its_course_and_its_report(tmp_path, store):
    with train_fights("tiny", TINY, 3, store=store) as run:
        go_on_training(run)

    told = seen("tiny", store)
    assert (told["kind"], told["done"], told["goal"], told["fights"]) == ("fights", 2, 2, "1 fight")
    events = []
    jobs.work(jobs.task.TaskOrder(ReportAsked("tiny", 1000), str(tmp_path), 1), events.append, Event())
    assert events[-1]["state"] == "done", events[-1]
    assert "Cultist" in events[-1]["result"]["page"]


def test_a_run_of_a_page_is_stopped_and_continued_with_the_result_of_one_without_a_stop(tmp_path, monkeypatch):
    few = property(lambda self: Options(**SMALL))
    monkeypatch.setattr(EvolutionAsked, "options", few)
    asked, stop, ends = EvolutionAsked("demo", generations=3, seed=1), Event(), []

    def work(folder, write):
        events = []
        jobs.work(jobs.task.TaskOrder(asked, str(folder), 1), lambda event: (events.append(event), write(event)), stop)
        ends.append(events[-1])

    work(tmp_path / "one", lambda event: event.get("progress", {}).get("done") == 2 and stop.set())
    stop.clear()
    for folder in ("one", "other"):
        work(tmp_path / folder, lambda event: None)

    assert ends[0] == {"state": "stopped", "why": "2 of 3 generations are saved"}
    assert ends[1:] == [{"state": "done", "result": {"key": "demo"}}] * 2
    one, other = (RunStore(tmp_path / folder).open("demo").last() for folder in ("one", "other"))
    assert (one.index, one.genomes.tobytes()) == (2, other.genomes.tobytes())
    asked.seed = 2
    work(tmp_path / "one", lambda event: None)
    assert (ends[-1]["state"], ends[-1]["why"][:26]) == ("failed", "run 'demo' has another see")


def test_a_run_is_started_under_a_free_key_and_replaces_the_tasks_of_complete_ones(tmp_path, workers, monkeypatch):
    monkeypatch.setattr(tasks, "WORK", "json.tool")  # waits for the end of its input
    begun(tmp_path, workers).close()
    save(Task("d" * 16, "demo", EvolutionAsked("demo"), DONE), tmp_path)
    asked = {"key": "new", "kingdom": "First Game", "players": 3}
    with Served(tmp_path) as served:
        assert [task["title"] for task in served.get("/api/tasks?kind=evolution").json["tasks"]] == ["demo"]
        assert served.post("/api/runs", asked).status == 200
        titles = [task["title"] for task in served.get("/api/tasks?kind=evolution").json["tasks"]]
        assert titles == ["new in First Game"]


@pytest.mark.parametrize("key", ["nowhere", "..%2F..%2Fetc", "a.sqlite", "%00"])
def test_a_run_that_is_not_there_is_no_path(served, key):
    assert served.get(f"/api/runs/{key}").status in (400, 404)
    assert served.post(f"/api/runs/{key}/report", {}).status in (400, 404)


def test_the_style_of_pictures_is_that_of_reports_in_the_colours_of_the_page(served):
    answer = served.get("/pictures.css")
    assert answer.headers["content-type"].startswith("text/css")
    assert "svg .bar{fill:var(--c)}" in answer.text
    assert "--card: var(--surface)" in served.get("/static/app.css").text


def test_an_answer_is_one_entry_with_parts_and_one_opponent(tmp_path, store):
    save_answer(tmp_path)

    (told,) = listed(store)
    assert (told["key"], told["kind"], told["players"]) == ("first-game", "answer", 2)
    titles = ("its network", "its preferences", "its buy lists", "its best response")
    assert told["parts"] == [
        {"key": f"first-game:{part}", "title": title} for part, title in zip(PARTS, titles, strict=True)
    ]
    assert seen("first-game", store)["course"] == ""
    assert [seen(f"first-game:{part}", store)["kind"] for part in PARTS] == ["learned", *["evolved"] * 2, "learned"]
    (offered,) = new_session.saved_opponents(store)
    assert (offered["key"], offered["kingdom"]) == ("first-game", "First Game")
