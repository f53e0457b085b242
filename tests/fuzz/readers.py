"""All that evodom reads from files, as functions of bytes: each returns, or raises an EvodomError of one short line."""

import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evodom.cli.compare import read_settings
from evodom.cli.options import CommonArguments
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.models.buy_lists.language import format_rule, parse_rules
from evodom.errors import MAX_LINE_LENGTH, EvodomError, RunError, one_line
from evodom.learning.run import is_learned
from evodom.matches.agents import read_guest
from evodom.matches.entrants import check_run, find_entrants, strongest
from evodom.reports.evolved import read_report_data
from evodom.runs import Run, RunStore
from evodom.runs.file import SCHEMA, _checksum
from evodom.sessions.content import read_game
from evodom.sessions.fight import read_fight_session
from evodom.sessions.files import checksum
from evodom.spire.current_run import read_current_run
from evodom.spire.fights.files import fight_from_json, fight_from_toml, fight_to_toml
from evodom.spire.fights.names import cards_from_text, find_enemies
from evodom.spire.fights.run_files import read_run
from evodom.spire.map.files import map_from_json, map_to_json
from evodom.spire.play.searcher import FightSearchOptions
from evodom.spire.route import RISK
from evodom.spire.route.parsing import RoutePreferences, read_preferences
from evodom.spire.route.query import RouteQuery
from evodom.terminal.parser import parse
from evodom.web.guard import is_ours
from evodom.web.task import read_task
from tests.oracles.published import figures, read_results
from tests.oracles.published.play import Sampling

CORPUS = Path(__file__).parents[1] / "data" / "fuzz"

Read = Callable[[bytes, Path], object]
"""Reads the content of a file; where it needs a file, it writes one into a folder."""


@dataclass(frozen=True)
class Reader:
    """One reader, with its corpus: files that it reads, and files that it once read wrongly."""

    name: str
    read: Read

    @property
    def corpus(self) -> list[Path]:
        """The files to begin with, by name."""
        return sorted((CORPUS / self.name).iterdir())

    def is_read(self, content: bytes) -> bool:
        """Read a content and return True, or False if it was refused as it should be; else an error is raised."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                self.read(content, Path(folder))
            except EvodomError as error:
                line = str(error)
                assert line
                assert line.isprintable()
                assert len(line) <= MAX_LINE_LENGTH
                return False
        return True


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _file(content: bytes, folder: Path) -> Path:
    path = folder / "file"
    path.write_bytes(content)
    return path


def _strategy(content: bytes, folder: Path) -> None:
    record = parse_strategy(_text(content)).record(FIRST_GAME)
    dump = dump_strategy(record, FIRST_GAME, name="x")
    assert parse_strategy(dump).record(FIRST_GAME).tobytes() == record.tobytes()


def _rule(content: bytes, folder: Path) -> None:
    for rule in parse_rules(_text(content)):
        assert parse_rules(format_rule(rule)) == (rule,)


def _kingdom(content: bytes, folder: Path) -> None:
    assert len(parse_kingdom(_text(content)).kingdom_piles) == 10


def _results(content: bytes, folder: Path) -> None:
    for figure in figures(read_results(_file(content, folder)), Sampling(2, 1, None)):
        assert str(figure).isprintable()


def _fight(content: bytes, folder: Path) -> None:
    written = fight_to_toml(fight_from_toml(_text(content)))
    assert fight_to_toml(fight_from_toml(written)) == written


def _game_state(content: bytes, folder: Path) -> None:
    fight = fight_from_json(_text(content)).fight
    assert fight_from_toml(fight_to_toml(fight)).state == fight.state


def _map(content: bytes, folder: Path) -> None:
    found = map_from_json(_text(content))
    assert map_from_json(map_to_json(found)) == found


def _current_run(content: bytes, folder: Path) -> None:
    if run := read_current_run(_file(content, folder)):
        run.player(skip=True)
        assert run.route_query(RouteQuery(run.act_map, RoutePreferences(RISK))).act_map.starts == run.next_rooms()


def _signed(content: bytes) -> bytes:
    """Return the JSON object of a file with its checksum made right; anything else as it is."""
    with suppress(ValueError, RecursionError):
        saved = json.loads(content)
        if isinstance(saved, dict):
            return json.dumps(saved | {"checksum": checksum(saved)}).encode()
    return content


def _game(content: bytes, folder: Path) -> None:
    """Read a saved game, whose checksum is made right."""
    match = read_game(_file(_signed(content), folder))
    assert all(text.isprintable() for text in (*match.setup.names, match.setup.command))


def _page_fight(content: bytes, folder: Path) -> None:
    """Read a saved fight, whose checksum is made right."""
    session = read_fight_session(_file(_signed(content), folder), FightSearchOptions(1))
    assert all(text.isprintable() for text in (session.title, session.stage, *session.log))


def _run(content: bytes, folder: Path) -> None:
    """Read a run out of its file."""
    RunStore(folder).import_file(_file(content, folder), "copy", check=check_run)


def _crafted_run(content: bytes, folder: Path) -> None:
    """Read a run that is said in JSON, with every checksum right: {"meta": ..., "rows": [...]}."""
    try:
        said = json.loads(content)
        rows = [[*row[:3], bytes.fromhex(row[3])] for row in said["rows"]]
        meta = json.dumps(said["meta"])
    except (ValueError, TypeError, LookupError, RecursionError):
        return
    path = folder / "runs" / "demo.sqlite"
    path.parent.mkdir()
    try:
        write_run(path, "demo", meta, rows)
    except (sqlite3.Error, TypeError, AttributeError, OverflowError, UnicodeEncodeError):
        return
    RunStore(folder).import_file(path, "copy", check=check_run)
    with RunStore(folder).open("demo") as run:
        strongest(run, 2)
        if not is_learned(run):
            read_report_data(run)


def write_run(path: Path, key: str, meta: str, rows: list[list[Any]]) -> None:
    """Write a run, whose generations are rows (number, summary, dtype, genomes), with its checksums."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in SCHEMA:
            connection.execute(statement)
        entries = {"key": key, "meta": meta, "checksum": str(_checksum(key, meta))}
        connection.executemany("INSERT INTO run VALUES ('', ?, ?)", entries.items())
        full = [[*row, _checksum(*row[1:])] for row in rows]
        connection.executemany("INSERT INTO generation VALUES ('', ?, ?, ?, ?, ?)", full)


def said_run(path: Path) -> str:
    """Return a run's file as the JSON that `_crafted_run` reads."""
    with Run.open_file(path) as run:
        meta = run.meta
        tables = [(each.index, json.dumps(each.summary), *each.to_table()) for each in run]
        rows = [[*row[:3], row[3].hex()] for row in tables]
    return json.dumps({"meta": meta, "rows": rows}, indent=1)


def _guest(content: bytes, folder: Path) -> None:
    try:
        read_guest(_text(content), FIRST_GAME)
    except ValueError as error:  # who reads a run's settings says which run it is
        raise RunError(f"run 'x' has settings this version cannot use: {error}") from error


def _message(content: bytes, folder: Path) -> None:
    """Show a text in an error, such as a request's header Host."""
    is_ours(_text(content), "127.0.0.1")
    line = one_line(_text(content))
    assert line.isprintable()
    assert len(line) <= MAX_LINE_LENGTH


def _settings(content: bytes, folder: Path) -> None:
    """Read a file of settings for `evodom compare`. The command line checks the options of each."""
    found, commands = read_settings(_file(content, folder), CommonArguments(data_dir=folder))
    for command in commands.values():
        command.new("run", found.seeds[0])


READERS = (
    Reader("strategy", _strategy), Reader("settings", _settings), Reader("guest", _guest), Reader("rule", _rule),
    Reader("kingdom", _kingdom), Reader("results", _results), Reader("fight", _fight),
    Reader("game-state", _game_state), Reader("current-run", _current_run),
    Reader("spire-run", lambda content, folder: read_run(_file(content, folder), skip=True)), Reader("map", _map),
    Reader("taste", lambda content, folder: read_preferences(_file(content, folder))), Reader("game", _game),
    Reader("page-fight", _page_fight), Reader("task", lambda content, folder: read_task(_file(content, folder))),
    Reader("run", _run), Reader("crafted-run", _crafted_run), Reader("message", _message),
    Reader("cards", lambda content, folder: cards_from_text(_text(content))),
    Reader("enemies", lambda content, folder: find_enemies(_text(content))),
    Reader("position", lambda content, folder: DominionGame.from_position(_text(content))),
    Reader("line", lambda content, folder: parse(_text(content), FIRST_GAME.names, FIRST_GAME.names)),
    Reader("entrant", lambda content, folder: find_entrants([_text(content)], store=RunStore(folder))),
)  # fmt: skip
"""All readers; the corpus of each is a folder of its name."""
