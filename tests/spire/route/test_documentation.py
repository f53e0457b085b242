"""The examples of docs/routes.md run, and say what the code says."""

import re
from pathlib import Path

from evodom.spire.map import Room
from evodom.spire.route import RANK, RISK
from evodom.spire.route.tables import read_preferences

PAGE = (Path(__file__).parents[3] / "docs" / "routes.md").read_text()


def test_the_python_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

    exec(example, {})

    values, *bounds = capsys.readouterr().out.splitlines()
    assert values.startswith("[")
    assert bounds == ["0 1/4 265", "1/4 2/3 1225/4", "2/3 1 1175/3"]


def test_the_taste_file_loads(tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "taste.toml"
    file.write_text(example)

    preferences = read_preferences(file)

    assert preferences.table.after
    assert preferences.hp
    assert preferences.events


def test_the_tables_are_those_of_the_code():
    head, *rows = re.findall(r"^\| (.*) \|$", PAGE, re.MULTILINE)
    rooms = [Room[name.strip().upper()] for name in head.split("|")[1:]]
    told = {cells[0].strip("` "): cells[1:] for cells in (row.split("|") for row in rows if "---" not in row)}

    for name, table in {"rank": RANK.value, "risk`, value": RISK.value, "risk`, risk": RISK.risk}.items():
        assert [int(cell) for cell in told[name]] == [table.get(room, 0) for room in rooms]
