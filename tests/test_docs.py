"""The documentation: examples run, and what it names is there."""

import doctest
import re
import runpy
from fnmatch import fnmatch
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

import evodom
from evodom.cli import COMMANDS, cli
from evodom.dominion import cards
from evodom.dominion.cards import KINGDOM_CARDS, is_dropped
from evodom.dominion.effects import deck, effect, hand, supply
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import BASELINES, baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.columns import MAX_CONDITIONS, MAX_RULES, MAX_TERMS
from evodom.dominion.strategies.models.buy_lists.language import QUANTITIES
from evodom.dominion.strategies.models.preferences.model import FIELDS
from evodom.dominion.strategies.play.card_values import CARD_VALUES
from evodom.dominion.strategies.play.menu_weights import OPTION_VALUES
from evodom.environments.extras import MissingExtra
from evodom.matches import Purpose, Tally, Venue, load_agent, standing
from evodom.terminal.parser import COMMANDS as TYPED
from tests import conftest

ROOT = Path(__file__).parent.parent
PACKAGE = Path(evodom.__file__).parent
README = (ROOT / "README.md").read_text()
CONF = runpy.run_path(str(ROOT / "docs" / "conf.py"))
CARD_TABLE = CONF["card_table"]()
AGENTS = (ROOT / "docs" / "guide" / "agents.md").read_text()
STRATEGIES = (ROOT / "docs" / "reference" / "strategy-files.md").read_text()
MODULES = (effect, hand, supply, deck)


@pytest.mark.parametrize(
    "module",
    [
        "evodom.api.contests",
        "evodom.distribution",
        "evodom.dominion.contract",
        "evodom.dominion.game",
        "evodom.dominion.small",
        "evodom.evolution.algorithm",
        "evodom.matches.venue",
        "evodom.risk",
        "evodom.tasks",
    ],
)
def test_examples_in_docstrings_run(module):
    failed, attempted = doctest.testmod(import_module(module))

    assert attempted > 0
    assert failed == 0


def test_the_python_example_of_the_readme_runs(capsys):
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL)

    exec(example[1], {})

    assert "Treasures: which of Copper do you play?" in capsys.readouterr().out


@pytest.mark.parametrize(("number", "name"), [(0, "agent"), (1, "Drawing"), (3, "agent")])
def test_the_agents_of_the_documentation_play(tmp_path, number, name):
    file = tmp_path / "mine.py"
    file.write_text(re.findall(r"```python\n(.*?)```", AGENTS, re.DOTALL)[number])
    lineup = [load_agent(f"{file}:{name}"), baseline("random", FIRST_GAME)]
    venue = Venue(FIRST_GAME, 2, seed=1)

    tally = Tally.of(venue.table(lineup, 10, venue.stream(Purpose.TABLE)))

    assert standing(tally.games, 0).win.share > 0.8


def test_the_readme_names_every_command():
    assert all(f"`evodom {name}" in README for name in COMMANDS)


def test_ci_finds_exactly_one_test_command_in_the_readme():
    commands = [line for line in README.splitlines() if re.search(r"python3 -m venv .*pytest", line)]

    assert len(commands) == 1


def test_the_test_command_of_the_readme_says_that_it_compiles(monkeypatch):
    lines, seen = [], []
    terminal = SimpleNamespace(write_line=lines.append)
    config = SimpleNamespace(
        args_source=pytest.Config.ArgsSource.TESTPATHS,
        option=SimpleNamespace(numprocesses=2, collectonly=False),
        pluginmanager=SimpleNamespace(get_plugin=lambda name: terminal),
    )
    monkeypatch.setattr(conftest, "COMPILED", True)
    monkeypatch.setattr(conftest, "groups_to_compile", lambda *names: names)
    monkeypatch.setattr(conftest, "compile_groups", lambda *tasks: seen.extend(lines))

    conftest.pytest_sessionstart(SimpleNamespace(config=config))

    assert seen == ["Compiling all kernels, once for this version ..."]


def test_the_page_about_the_terminal_names_every_command():
    page = (ROOT / "docs" / "guide" / "terminal.md").read_text()

    assert set(TYPED) <= set(re.findall(r"`([a-z]+)(?: CARD)?`", page))


@pytest.mark.cards
def test_the_site_has_the_row_of_every_card():
    rows = dict(re.findall(r"^\| \*?([A-Z][A-Za-z' ]+?)\*? \| \d+ \| `.*?` \| (?:`(.*?)`)? ?\|", CARD_TABLE, re.M))

    ordered = [sorted(each.cards, key=lambda card: (card.cost, card.name)) for each in cards.SETS.values()]
    assert list(rows) == [card.name for row in ordered for card in row]
    names = {name: word for module in MODULES for name, word in vars(module).items()}
    for card in KINGDOM_CARDS:
        said = f"({rows[card.name]},)" if rows[card.name] else "()"
        constants = vars(import_module(f"evodom.dominion.cards.{card.card_set.lower()}"))
        assert eval(said.replace("\\|", "|"), {**names, **constants}) == card.effects, card.name


@pytest.mark.cards
def test_the_first_edition_is_in_italics():
    italics = set(re.findall(r"^\| \*(.+?)\*", CARD_TABLE, re.MULTILINE))

    assert italics == {card.name for card in KINGDOM_CARDS if is_dropped(card)}


@pytest.mark.parametrize("example", re.findall(r"```toml\n(.*?)```", STRATEGIES, re.DOTALL))
def test_the_strategy_files_of_the_documentation_load(example):
    assert parse_strategy(example).record(FIRST_GAME).kind > 0


FOUR_WAYS = (ROOT / "docs" / "guide" / "four-ways.md").read_text()


@pytest.mark.parametrize("example", re.findall(r"```toml\n(.*?)```", FOUR_WAYS, re.DOTALL))
def test_the_lists_of_the_page_on_four_ways_load_in_its_kingdom(example):
    (cards,) = re.findall(r"^K=\"(.*?)\"$", FOUR_WAYS, re.MULTILINE)

    assert parse_strategy(example).record(parse_kingdom(cards)).kind > 0


LISTS, REST = STRATEGIES.split("### Menus")
MENUS, PREFERENCES = REST.split("## Preferences")


def test_the_documentation_names_every_quantity_and_field_of_a_buy_list():
    named = set(re.findall(r"^\| `\[?(\w+)[\](]?.*?`", LISTS, re.MULTILINE)) - {"A"}

    assert named == {*QUANTITIES, *BuyList.__dataclass_fields__} - {"buy"}


def test_the_documentation_names_every_weight_of_menu_entries_with_its_default():
    named = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", MENUS, re.MULTILINE)

    assert {name: float(default) for name, default in named} == OPTION_VALUES


def test_the_documentation_describes_and_measures_every_baseline():
    page = (ROOT / "docs" / "reference" / "baselines.md").read_text()
    tables = re.findall(r"(?:^\| .*\n)+", page.replace("|---", "| ---"), re.M)
    described, measured = (re.findall(r"^\| `([\w-]+)`", table, re.M) for table in tables[:2])

    assert [*BASELINES] == described
    assert [*BASELINES] == measured


def test_the_documentation_has_the_limits_of_buy_lists():
    assert f"{MAX_RULES} rules, {MAX_CONDITIONS} conditions and {MAX_TERMS} terms" in LISTS


def test_the_site_has_the_default_values_of_cards():
    rows = CONF["card_values_table"]().splitlines()[2:]

    assert {row.split(" | ")[0].removeprefix("| ") for row in rows} == set(CARD_VALUES)
    assert "| Witch | 18 | 40 | `play_without_curses` 33 |" in rows
    assert "| Curse |  | 10 | `deck_value` 0 |" in rows


def test_the_documentation_names_every_field_of_preferences():
    named = set(re.findall(r"`\[?(\w+)\]?`", " ".join(re.findall(r"^\| (`.*?) \|", PREFERENCES, re.MULTILINE))))

    assert named == {field.key for field in FIELDS}


def test_the_examples_of_exact_answers_run(capsys):
    for example in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "guide" / "solve.md").read_text(), re.DOTALL):
        exec(example, {})

    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["1/6 7 35/6 (5, 7, 9)", "161/36", "('Strike', 'Defend')"]
    chance, advice, results, given_away, paid = lines[3:]
    assert 0 < float(chance) < 1
    assert advice.startswith("throw (ActionValue(action='throw'")
    assert results.startswith("Distribution({")
    assert float(given_away) >= 0
    assert paid in {"(0,)", "(1,)"}


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
WALKS = CONTRIBUTING.split("## Three walks through the code")[1]


def test_the_files_that_the_walks_through_the_code_pass_are_there():
    sources = [path.as_posix() for path in PACKAGE.rglob("*.py")]

    files = set(re.findall(r"`([a-z_/]+\.py)`", WALKS))

    assert len(files) > 15
    assert [file for file in files if not any(source.endswith(f"/{file}") for source in sources)] == []


def test_the_names_that_the_walks_through_the_code_pass_are_defined():
    code = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))

    names = set(re.findall(r"`(?:[A-Za-z_]+\.)?([A-Za-z_]+)(?:\([^`]*\))?`", WALKS))
    defined = {"".join(found) for found in re.findall(r"\b(?:def|class) (\w+)|\b(\w+)\s*[:=]|\(\"(\w+)\"", code)}
    missing = sorted(names - defined)

    assert len(names) > 40
    assert missing == []


GUIDE = (ROOT / "docs" / "guide" / "python.md").read_text()
ENVIRONMENTS = "".join((ROOT / "docs" / "guide" / page).read_text() for page in ("environments.md", "open-spiel.md"))


EXAMPLES = re.findall(r"```python\n(.*?)```\n+(?:```\n(.*?)```)?", GUIDE + ENVIRONMENTS, re.DOTALL)
LONG = ("play_match", "carry_on", "ExternalSamplingSolver")
NO_SB3 = pytest.mark.skipif(find_spec("sb3_contrib") is None, reason="sb3-contrib and PyTorch are too large")


def marks_of(example):
    """Return the marks of an example: it takes long, or needs a library that is no dependency."""
    return [pytest.mark.full] * any(name in example for name in LONG) + [NO_SB3] * ("sb3_contrib" in example)


@pytest.mark.parametrize(("example", "output"), [pytest.param(*each, marks=marks_of(each[0])) for each in EXAMPLES])
def test_the_examples_of_the_guide_print_what_it_shows(capsys, tmp_path, monkeypatch, example, output):
    monkeypatch.chdir(tmp_path)  # one writes a file
    exec(example, {})

    assert capsys.readouterr().out == output


@pytest.mark.parametrize("page", ["maps.md", "risk.md"])
def test_the_python_example_of_a_page_prints_its_comments(capsys, page):
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "guide" / page).read_text(), re.DOTALL)

    exec(example, {})

    assert capsys.readouterr().out.splitlines() == re.findall(r"  # (.*)", example)


def test_the_players_of_the_first_example_of_the_guide_end_the_game():
    assert re.search(r"```\n\(\d+, \d+\) Provinces\n", GUIDE)


DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
GUIDES = [name for name in DOCUMENTS if name.startswith(("README", "docs/index", "docs/guide/"))]
FILES = [path.as_posix() for path in ROOT.rglob("*") if ".venv" not in path.parts]


def code_of(text: str) -> list[str]:
    """Return the lines of code blocks and the inline code of a document."""
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    indented = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    return ["", *"\n".join(blocks).replace("\\\n", " ").splitlines(), *indented, *re.findall(r"`([^`\n]+)`", text)]


def commands_of(group: click.Group, words: tuple[str, ...] = ("evodom",)) -> dict[tuple[str, ...], click.Command]:
    """Return all commands by their words."""
    context, found = click.Context(group), {words: group}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        below = commands_of(command, (*words, name)) if isinstance(command, click.Group) else {(*words, name): command}
        found |= below
    return found


def options_of(command: click.Command) -> set[str]:
    """Return the options that the help of a command shows."""
    options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    return {name for each in options for name in (*each.opts, *each.secondary_opts)} | {"-h", "--help"}


EVODOM = commands_of(cli)
OTHER_OPTIONS = set(
    re.findall(r"\"(--[a-z-]+)\"", "\n".join(path.read_text() for path in (ROOT / "benchmarks").glob("*.py")))
) | set(re.findall(r"--[a-z-]+", "--nworkers --nthreads --numprocesses --durations --minutes --editable --port"))


def test_the_commands_of_the_documents_exist_with_their_options():
    unknown = []
    for name, line in ((name, line) for name, text in DOCUMENTS.items() for line in code_of(text)):
        for words in re.findall(r"(?:^|[ $/])evodom ((?!is |import )[a-z]+(?: [^|`#&>(]*)?)", line):
            parts = ("evodom", *words.split())
            command = next((EVODOM[parts[:n]] for n in (3, 2) if parts[:n] in EVODOM), None)
            given = {part.split("=")[0].rstrip(",:;.)") for part in parts if part.startswith("--")}
            allowed = options_of(command) if command else set()
            unknown += [(name, words, option) for option in sorted(given - allowed)]
            is_group = isinstance(command, click.Group) and parts[2:3] and re.fullmatch("[a-z]+", parts[2])
            unknown += [(name, words)] if command is None or is_group else []

    assert unknown == []


def test_the_options_of_the_documents_exist():
    options = set().union(*map(options_of, EVODOM.values())) | OTHER_OPTIONS
    named = {
        (name, option)
        for name, text in DOCUMENTS.items()
        for code in re.findall(r"`([^`\n]+)`", text)
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code)
        if not code.startswith((".venv", "python", "pip", "dask", "pytest"))
    }

    assert sorted((name, option) for name, option in named if option not in options) == []


def test_the_paths_of_the_documents_exist():
    named = {
        (name, path)
        for name, text in DOCUMENTS.items()
        for path in re.findall(r"`((?:[\w.*-]+/)+[\w.*-]*\.(?:py|toml|md|txt|json|npz|yml))`", text)
        if not path.startswith("./") and "NAME" not in path
    }
    missing = [(name, path) for name, path in sorted(named) if not any(fnmatch(file, f"*/{path}") for file in FILES)]

    assert len(named) > 30
    assert missing == []


def test_the_dotted_names_of_the_documents_can_be_imported():
    named = {
        (name, dotted) for name, text in DOCUMENTS.items() for dotted in re.findall(r"`(evodom(?:\.\w+)+)[`(]", text)
    }
    missing = [(name, dotted) for name, dotted in sorted(named) if not can_be_imported(dotted)]

    assert len(named) > 10
    assert missing == []


def can_be_imported(dotted: str) -> bool:
    """Return whether a dotted name is a module, or an attribute of a module or of a class."""
    parts = dotted.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        except MissingExtra:  # a library that is not among those of the tests
            file = Path(evodom.__file__).parent.joinpath(*parts[1:n]).with_suffix(".py")
            if not file.is_file():
                continue
            source = file.read_text("utf-8")
            return all(re.search(rf"^(class|def) {part}\b", source, re.MULTILINE) for part in parts[n:])
        for part in parts[n:]:
            if not hasattr(found, part) and part not in getattr(found, "__annotations__", ()):
                return False
            found = getattr(found, part, None)
        return True
    return False


API = (ROOT / "docs" / "reference" / "api.md").read_text()


def test_the_python_interface_lists_all_names_that_examples_import():
    public = set(re.findall(r"auto(?:class|function):: (\S+)", API))
    for name in re.findall(r"automodule:: (\S+)\n(?!   :no-members)", API):
        module = import_module(name)
        public |= {f"{name}.{each}" for each in getattr(module, "__all__", vars(module))}
    public |= {f"evodom.{name}" for name in evodom.__all__}
    examples = "\n".join(re.findall(r"```python\n(.*?)```", "".join(DOCUMENTS[name] for name in GUIDES), re.DOTALL))
    imported = {
        f"{module}.{name}"
        for module, names in re.findall(r"^from (evodom[\w.]*) import (.*)$", examples, re.MULTILINE)
        for name in names.split(", ")
    }

    assert [name for name in evodom.__all__ if f"`{name}`" not in API] == []
    assert len(imported) > 30
    with_extras = {"dominion_v1", "sb3.VecEnv", "vector.DominionVectorEnv"}  # they need further libraries
    assert imported - public == {f"evodom.environments.{name}" for name in with_extras}


def anchors_of(text: str) -> set[str]:
    """Return the anchors of a document's headings."""
    titles = re.findall(
        r"^#+ (.*)$", re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_links_of_the_documents_lead_somewhere():
    broken = []
    for name, target in ((name, to) for name, text in DOCUMENTS.items() for to in re.findall(r"\]\(([^)\s]+)\)", text)):
        path, _, anchor = target.partition("#")
        file = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        is_there = path.startswith("http") or (file.exists() and (not anchor or anchor in anchors_of(file.read_text())))
        broken += [] if is_there else [(name, target)]

    assert broken == []


def test_every_page_is_in_the_table_of_contents():
    listed = re.findall(
        r"^((?:guide|reference|results)/[\w-]+|contributing|changelog)$", DOCUMENTS["docs/index.md"], re.M
    )
    pages = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")}

    assert {*listed, "index"} == pages


def test_the_site_shows_the_docstring_of_a_property_with_a_colon_as_it_is_written():
    napoleon = pytest.importorskip("sphinx.ext.napoleon")
    handlers = [(500, napoleon._process_docstring)]
    app = SimpleNamespace(
        config=napoleon.Config(),
        connect=lambda event, handler, priority=500: (
            handlers.append((priority, handler)) if event == "autodoc-process-docstring" else None
        ),
    )
    CONF["setup"](app)
    shown = {}
    for what in ("property", "function"):
        lines = ["Return the figures: wins by seat.", "", "Raises:", "    ValueError: none."]
        for _, handler in sorted(handlers, key=lambda pair: pair[0]):
            handler(app, what, "evodom.x", None, None, lines)
        shown[what] = "\n".join(lines)

    assert shown["property"].startswith("Return the figures: wins by seat.\n")
    assert ":raises ValueError: none." in shown["function"]
