"""The tables as CSV agree with the report."""

import csv

import pytest

from evodom.errors import RunError
from evodom.report.tables import tables, write_tables


@pytest.fixture
def read(report, tmp_path):
    write_tables(report, tmp_path / "new" / "folder")

    def table(name):
        with (tmp_path / "new" / "folder" / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    return table


def test_every_table_is_a_file_with_a_header(report, tmp_path):
    files = write_tables(report, tmp_path)

    assert [file.stem for file in files] == list(tables(report))
    for file in files:
        header, *rows = csv.reader(file.read_text().splitlines())
        assert all(name.isidentifier() for name in header)
        assert all(len(row) == len(header) for row in rows)


def test_win_rates_are_those_of_the_json(report, read):
    found = report.to_json()

    expected = [(one["baseline"], one["rank"], one["win"]["share"]) for one in found["baselines"]]
    assert [(row["baseline"], int(row["rank"]), float(row["win"])) for row in read("baselines")] == expected
    progress = [one["against_big_money"]["low"] for one in found["fitness"]]
    assert [float(row["big_money_win_low"]) for row in read("progress")] == progress


def test_turns_are_those_of_the_json(report, read):
    found = report.to_json()["turns"]

    assert [float(row["coins"]) for row in read("turns")] == [coins for one in found for coins in one["coins"]]
    for row in read("cards_by_turn"):
        bought = found[int(row["rank"]) - 1]["bought"].get(row["card"])
        assert float(row["bought"]) == (bought[int(row["turn"]) - 1] if bought else 0.0)


def test_the_hall_of_fame_is_that_of_the_json(report, read):
    found = report.to_json()["hall_of_fame"]["wins"]

    wins = [float(row["win"]) if row["win"] else None for row in read("hall_of_fame")]
    assert wins == [win for line in found for win in line]


def test_a_folder_that_cannot_be_made_is_one_clear_line(report, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"^cannot write tables to .*file.*Choose another folder\.$"):
        write_tables(report, tmp_path / "file")
