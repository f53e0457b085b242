"""Runs that strangers have crafted, with every checksum right: each is refused in one line, on import and on use."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from evodom.errors import EvodomError, RunError
from evodom.evolution.emitters import ORIGIN
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on
from evodom.matches.entrants import check_run, settings_of, strongest
from evodom.reports.evolved import read_report_data
from evodom.runs import Run, RunStore
from evodom.runs.file import _checksum
from evodom.runs.lifecycle import RunMonitor
from tests.crafted import changed, execute, generations, resave, save_evolved, save_learned

MODELS = ("graded", "classic", "buy-list")


def refusal(path, *uses) -> str:
    """Return the one line in which a run is refused; by import, and by all that uses it."""
    messages = []
    for use in (lambda run: RunStore(path.parent.parent).import_file(path, "copy", check=check_run), *uses):
        with pytest.raises(EvodomError) as refused, RunStore(path.parent.parent).open(path.stem) as run:
            use(run)
        messages.append(str(refused.value))
        assert "\n" not in messages[-1]
        assert len(messages[-1]) < 2100
    assert [*RunStore(path.parent.parent)] == [path.stem]
    return messages[0]


def use(run: Run) -> None:
    """Use a run in all ways that begin without a game."""
    settings_of(run)
    strongest(run, 2)


def go_on(run: Run) -> None:
    carry_on(run, None, RunMonitor(should_stop=lambda: True))


def test_valid_runs_are_imported(tmp_path, store):
    for model in MODELS:
        path = save_evolved(tmp_path, "evolved", model=model)
        store.import_file(path, f"copy-{model}", check=check_run)
        with store.open(f"copy-{model}") as run:
            assert len(strongest(run, 2)) == 2
            assert read_report_data(run).lineage is not None
        path.unlink()
    assert store.import_file(save_learned(tmp_path), "copy", check=check_run) == "copy"


GENES = [
    ("buy-list", "pile", 70), ("buy-list", "at_most", 100), ("buy-list", "kind", 16), ("buy-list", "argument", 17),
    ("buy-list", "bound", 100), ("graded", "early_shape", 30_000), ("graded", "late_shape", -1),
    ("graded", "early_order", 3), ("graded", "class_order", [0, 1, 1]), ("graded", "coin_floor", 10),
    ("graded", "hand_value", 7), ("graded", "switch_on", 3), ("graded", "limits", 200), ("graded", "early_pass", 18),
    ("graded", "terminals", 6), ("graded", "terminal_per", 6), ("graded", "switch", 101),
    ("classic", "early_shape", 30_000), ("classic", "late_order", 17),
]  # fmt: skip


def test_genes_out_of_bounds_or_of_other_types_are_refused(tmp_path):
    for model in MODELS:
        path = save_evolved(tmp_path, model, model)
        valid = path.read_bytes()
        for _, gene, value in (each for each in GENES if each[0] == model):
            resave(path, changed(gene, value))
            message = refusal(path, use, go_on, read_report_data)
            assert message.startswith(f"run '{model}', generation 2: its genomes are damaged: ")
            assert gene in message
            path.write_bytes(valid)
        wider = [(name, "<f8", kind.shape) for name, (kind, _) in generations(model)[0].genomes.dtype.fields.items()]
        resave(path, lambda last, wider=wider: replace(last, genomes=last.genomes.astype(wider)))
        assert "its genomes have the fields of another version" in refusal(path, use, go_on)
        path.unlink()


OTHER_GENERATIONS = {
    "no permutation": (lambda last: replace(last, ranking=last.ranking * 0), "its ranking does not have every"),
    "a rank of nobody": (lambda last: replace(last, ranking=last.ranking + 1), "its ranking does not have every"),
    "a smaller population": (
        lambda last: replace(last, genomes=last.genomes[:4], ranking=np.arange(4, dtype=np.int32), columns={}),
        "it has 4 strategies, and the run 8",
    ),
    "nobody": (
        lambda last: replace(last, genomes=last.genomes[:0], ranking=last.ranking[:0], columns={}),
        "it has 0 strategies",
    ),
}


def test_a_ranking_or_a_population_of_another_size_is_refused(tmp_path):
    path = save_evolved(tmp_path)
    valid = path.read_bytes()
    for change, message in OTHER_GENERATIONS.values():
        resave(path, change)
        assert message in refusal(path, use, go_on, read_report_data)
        path.write_bytes(valid)


SUMMARIES = [
    {"best_points": "many"}, {"best_points": True}, {"games": 2.0}, {"games": -1}, {"rounds": None},
    {"winner_vp": [1]}, {"diversity": {}}, {"cut": "0"}, {"held_out_wins": "all"}, {"held_out_wins": 1.5},
    {"search_games": 1.0}, {"search_rounds": -1}, {"search_accepted": "3"}, {"search_gain": None},
    {"lines": {"0": {"cell": "1"}}}, {"lines": {"8": {}}}, {"changes": {"move pile": {"gain": "1"}}},
    {"lines": {"0": {"payoffs": {"big-money": [2.0, 1.0]}}}}, {"lines": {"0": {}}, "mixture": {"0": 0.5}},
    {"mixture": {"0": 1.0}}, {"mixture": [1.0]},
]  # fmt: skip


def test_a_summary_with_other_types_or_without_a_figure_is_refused(tmp_path):
    path = save_evolved(tmp_path)
    valid = path.read_bytes()
    for entries in SUMMARIES:
        resave(path, lambda last, entries=entries: replace(last, summary=last.summary | entries))
        assert re.search("run 'demo', (summary of )?generation 2: ", refusal(path, use, go_on, read_report_data)), (
            entries
        )
        path.write_bytes(valid)
    for name in ("best_points", "games", "rounds", "winner_vp"):
        resave(
            path, lambda last, name=name: replace(last, summary={k: last.summary[k] for k in last.summary if k != name})
        )
        assert f"summary of generation 2: {name} is missing" in refusal(path, go_on, read_report_data)
        path.write_bytes(valid)


def origin(kind, parent, other):
    return {"origins": np.array([(kind, parent, other)] * 8, ORIGIN)}


NEW = origin("new", -1, -1)
COLUMNS = [
    {}, {"origins": np.zeros(8)}, origin("child", 99, 0), origin("child", 0, -2), origin("\x1b[2J", 0, 0),
    NEW | {"cells": np.full(8, 18), "shares": np.ones(8)}, NEW | {"cells": np.zeros(8, int), "shares": np.full(8, 2.0)},
    NEW | {"cells": np.zeros(8, int), "shares": np.full(8, np.nan)}, NEW | {"cells": np.zeros(8, int)},
]  # fmt: skip


def test_columns_with_other_types_or_values_are_refused(tmp_path):
    path = save_evolved(tmp_path)
    valid = path.read_bytes()
    for columns in COLUMNS:
        resave(path, lambda last, columns=columns: replace(last, columns=columns))
        message = refusal(path, use, go_on, read_report_data)
        assert message == "run 'demo', generation 2: its columns are not those of a run of evolution."
        path.write_bytes(valid)


KNOWN = Options(n_strategies=8, n_generations=9).to_json()

SETTINGS = {
    "players 4.0": KNOWN | {"players": 4.0}, "players true": KNOWN | {"players": True},
    "games as text": KNOWN | {"games": "4"}, "an unknown setting": KNOWN | {"gamus": 4},
    "a renamed setting": {{"games": "gamus"}.get(name, name): value for name, value in KNOWN.items()},
    "a missing setting": {name: value for name, value in KNOWN.items() if name != "games"},
    "no model": {name: value for name, value in KNOWN.items() if name != "model"},
    "a model of no name": KNOWN | {"model": ["graded"]}, "another penalty": KNOWN | {"vp_penalty": "nan"},
    "a negative penalty": KNOWN | {"vp_penalty": "-inf"}, "rivals that are no names": KNOWN | {"rivals": [1]},
    "many rivals": KNOWN | {"rivals": ["big-money"] * 100_000}, "many guests": KNOWN | {"guests": ["{}"] * 65},
    "a rival nobody knows": KNOWN | {"rivals": ["./evil.py"]},
    "a rival that does not fit": KNOWN | {"rivals": ["witch-moat"]},
    "players beyond the bounds": KNOWN | {"players": 9},
    "a card of a missing set": KNOWN | {"kingdom": ["Chariot Race"]},
    "a kingdom of numbers": KNOWN | {"kingdom": [1, 2]}, "a kingdom of lists": KNOWN | {"kingdom": [["Moat"]]},
    "a large number": KNOWN | {"players": 2**60}, "a large penalty": KNOWN | {"vp_penalty": 2**63},
    "a share of text": KNOWN | {"parent_share": "0.5"}, "a table": [], "nothing": None,
}  # fmt: skip


def test_settings_that_are_not_ours_are_refused(tmp_path):
    path = save_evolved(tmp_path)
    for name, options in SETTINGS.items():
        resave(path, options=options)
        message = refusal(path, use, go_on, read_report_data)
        assert message.startswith("run 'demo' has settings this version cannot use: "), name


PROVENANCE = {
    "created": [[], 2**60, "\x1b[2J", None, True, [2030], "2030-01-01"],
    "versions": [
        [], {"numpy": 2}, {"numpy": "\x1b[2J"}, {"numpy": ""}, {"x" * 99: "1"}, dict.fromkeys(map(str, range(99)), "1"),
    ],
    "seed": [-1, True, 7.0, "7", None, [7]],
}  # fmt: skip


@pytest.mark.parametrize("save", [save_evolved, save_learned])
def test_a_provenance_of_other_types_is_refused(tmp_path, save):
    path = save(tmp_path)
    for name, values in PROVENANCE.items():
        valid = path.read_bytes()
        for value in values:
            resave(path, **{name: value})
            uses = (go_on, read_report_data) if save is save_evolved else ()
            pattern = rf"run 'demo': .*{name}\b.* is .*\. Allowed: .*\. Delete the run, or"
            assert re.match(pattern, refusal(path, *uses)), value
        path.write_bytes(valid)


NO_JSON = [10**310, 2**64, -(2**63) - 1, float("nan"), float("inf"), "\ud800"]


@pytest.mark.parametrize("place", ["seed", "created", "options", "summary"])
def test_what_no_file_of_ours_holds_is_refused_wherever_it_is(tmp_path, place):
    path = save_evolved(tmp_path)
    valid = path.read_bytes()
    for value in NO_JSON:
        if place == "summary":
            resave(path, lambda last, value=value: replace(last, summary=last.summary | {"best_points": value}))
        else:
            resave(path, **{place: KNOWN | {"vp_penalty": value} if place == "options" else value})
        assert f"{path} is damaged: " in refusal(path, go_on, read_report_data)
        path.write_bytes(valid)


def test_a_checkpoint_with_equal_starts_or_a_summary_of_other_types_is_refused(tmp_path):
    path = save_learned(tmp_path)
    valid = path.read_bytes()
    summaries = ({"shares": []}, {"shares": [float(2)]}, {"games": True}, {"starts": 2}, {"games": 2**60})
    changes = [changed("start", 1)]
    changes += [lambda last, one=one: replace(last, summary=last.summary | one) for one in summaries]
    for change in changes:
        resave(path, change)
        told = "holds networks that this version cannot play" if change is changes[0] else "summary of generation 0"
        assert told in refusal(path, use)
        path.write_bytes(valid)


# The file.

FILES = {
    "a column more": "ALTER TABLE generation ADD COLUMN more INTEGER",
    "a table more": "CREATE TABLE more (a)",
    "a view": "CREATE VIEW more AS SELECT * FROM run",
    "a trigger": "CREATE TRIGGER more AFTER INSERT ON run BEGIN DELETE FROM generation; END",
    "a row more": "INSERT INTO run VALUES ('', 'more', '1')",
    "two rows of meta": "ALTER TABLE run RENAME TO old; CREATE TABLE run (part TEXT, name TEXT, value TEXT); "
    "INSERT INTO run SELECT * FROM old UNION ALL SELECT * FROM old; DROP TABLE old",
    "an invalid part": "INSERT INTO run VALUES ('2', 'key', 'demo:2')",
    "a part of bytes": "INSERT INTO run VALUES (x'6d', 'key', 'demo:more')",
    "an index more": "CREATE INDEX more ON generation (checksum)",
    "no meta": "DELETE FROM run WHERE name = 'meta'",
    "no key": "DELETE FROM run WHERE name = 'key'",
    "no checksum": "DELETE FROM run WHERE name = 'checksum'",
    "another key": "UPDATE run SET value = 'other' WHERE name = 'key'",
    "meta of bytes": "UPDATE run SET value = x'7b7d' WHERE name = 'meta'",
    "meta in no encoding": "UPDATE run SET value = CAST(x'7bff{}7d' AS TEXT) WHERE name = 'meta'".replace("{}", "7b7d"),
    "a number far off": "UPDATE generation SET number = 1000000000 WHERE number = 2",
    "a negative number": "UPDATE generation SET number = -1 WHERE number = 0",
    "a summary of bytes": "UPDATE generation SET summary = CAST(summary AS BLOB)",
    "a summary that is a number": "UPDATE generation SET summary = 7",
    "genomes that are text": "UPDATE generation SET genomes = 'x'",
    "a checksum that is text": "UPDATE generation SET checksum = 'x'",
}


def test_a_file_with_other_tables_rows_or_types_is_refused(tmp_path):
    path = save_evolved(tmp_path)
    valid = path.read_bytes()
    for name, statement in FILES.items():
        execute(path, *statement.split("; ") if name == "two rows of meta" else [statement])
        assert str(path) in refusal(path, use, go_on, read_report_data), name
        path.write_bytes(valid)


def test_a_part_without_meta_is_refused(tmp_path, store):
    path = save_evolved(tmp_path)
    execute(path, "INSERT INTO run VALUES ('graded', 'key', 'demo:graded')")

    with pytest.raises(RunError, match="its settings are missing"):
        store.import_file(path, "copy", check=check_run)
    (listed,) = store.infos()
    assert "its settings are missing" in listed.problem


def test_meta_that_is_no_plain_json_is_refused(tmp_path):
    path = save_evolved(tmp_path)
    deep, long = '{"a": ' * 300 + "1" + "}" * 300, '{"a": 1' + "0" * 5000 + "}"
    for text in ("[" * 100_000, deep, '{"seed": NaN}', long, "[]", "{"):
        entries = {"meta": text, "checksum": _checksum("demo", text)}
        execute(path, *(f"UPDATE run SET value = '{value}' WHERE name = '{name}'" for name, value in entries.items()))
        assert "is damaged" in refusal(path, use)


def test_an_error_of_sqlite_that_holds_braces_is_told_as_it_is(tmp_path, store):
    path = save_evolved(tmp_path)
    execute(path, "UPDATE run SET value = CAST(x'7b307d7b3a3e39393939393939397dff' AS TEXT)")

    assert "{0}{:>99999999}" in refusal(path, use)
    (listed,) = store.infos()
    assert listed.problem
    assert len(listed.problem) < 2100


# Checksums.


def test_a_changed_byte_of_meta_never_goes_unnoticed(tmp_path, store):
    path = save_evolved(tmp_path)
    content = path.read_bytes()
    with store.open("demo") as run:
        text = json.dumps(run.meta).encode()
    start = content.index(text)
    for place in range(start, start + len(text), 9):
        path.write_bytes(content[:place] + bytes([content[place] ^ 2]) + content[place + 1 :])
        with pytest.raises(RunError), store.open("demo") as run:
            assert run.meta
