"""Settings of the documentation site: `sphinx-build -W --keep-going docs site`, after `pip install ".[docs]"`."""

import ast
import re
from importlib import import_module
from pathlib import Path

import evodom
from evodom.dominion.cards import SETS, is_dropped
from evodom.dominion.strategies.play.card_values import CARD_VALUES

project = "evodom"
author = "The evodom contributors"
copyright = author  # noqa: A001  # the name that Sphinx expects
version = release = evodom.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_click"]
root_doc = "index"

myst_heading_anchors = 3

suppress_warnings = ["ref.python"]  # several classes have an attribute of the same name

html_theme = "furo"
html_title = f"evodom {version}"
html_show_sourcelink = False

default_role = "code"  # docstrings write names in single backticks
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"


WITHOUT_TYPE = ("attribute", "data", "property")
"""Kinds of members whose docstrings have no type before a colon, as napoleon expects."""

written = {}
"""Docstrings by name, as they were before napoleon."""


def keep_docstring(app, what, name, obj, options, lines):
    """Keep the docstring of a member from napoleon."""
    if what in WITHOUT_TYPE:
        written[name] = lines[:]


def docstring_to_rst(app, what, name, obj, options, lines):
    """Let a plural s follow a name in backticks, and a list follow a line of text."""
    lines[:] = written.pop(name, lines)
    text = "\n".join(re.sub(r"(?<=\w`)(?=\w)", r"\\ ", line) for line in lines)
    lines[:] = re.sub(r"(?m)^(?!\s*- )(.*\S)\n(?=- )", r"\1\n\n", text).split("\n")


def help_to_rst(app, context, lines):
    """Escape asterisks: help texts have no emphasis."""
    lines[:] = [line if line.lstrip().startswith("..") else line.replace("*", r"\*") for line in lines]


def card_table():
    """Return the table of all kingdom cards with the text of their rows: set by set, by cost and name."""
    lines = ["Cards of the first edition only are in italics.", ""]
    lines += ["| card | cost | types | Effects | other columns |", "|---|---|---|---|---|"]
    for name, card_set in SETS.items():
        module = ast.parse(Path(import_module(f"evodom.dominion.cards.{name.lower()}").__file__).read_text("utf-8"))
        calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Card"]
        rows = {ast.literal_eval(call.args[0]): call for call in calls}
        for card in sorted(card_set.cards, key=lambda card: (card.cost, card.name)):
            types, *effects = rows[card.name].args[2:]
            if effects:
                effects = effects[0].elts if isinstance(effects[0], ast.Tuple) else [ast.Starred(effects[0])]
            columns = ([types], effects, rows[card.name].keywords)
            texts = [", ".join(map(ast.unparse, column)).replace("|", r"\|") for column in columns]
            title = f"*{card.name}*" if is_dropped(card) else card.name
            cells = [title, str(card.cost), *(f"`{text}`" if text else "" for text in texts)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def card_values_table():
    """Return the table of the default values of cards, in the order of play."""
    lines = ["| card | `play` | `hand_value` | other |", "|---|---|---|---|"]
    rows = sorted(CARD_VALUES.items(), key=lambda row: (row[1].play is None, row[1].play, -row[1].hand))
    for name, values in rows:
        others = {
            "play_with_spare_actions": values.play_with_spare_actions,
            "play_without_curses": values.play_without_curses,
            "deck_value": values.deck,
            "deck_value_if_wanted": values.deck_if_wanted,
        }
        other = ", ".join(f"`{field}` {n}" for field, n in others.items() if n is not None)
        lines.append(f"| {name} | {'' if values.play is None else values.play} | {values.hand} | {other} |")
    return "\n".join(lines)


def add_tables(app, docname, source):
    """Write the generated tables at their places in a document."""
    source[0] = source[0].replace("<!-- table of cards -->", card_table())
    source[0] = source[0].replace("<!-- table of card values -->", card_values_table())


def setup(app):
    app.connect("source-read", add_tables)
    app.connect("autodoc-process-docstring", keep_docstring, priority=400)  # napoleon has 500
    app.connect("autodoc-process-docstring", docstring_to_rst, priority=600)
    for part in ("description", "options", "arguments", "epilog"):
        app.connect(f"sphinx-click-process-{part}", help_to_rst)
