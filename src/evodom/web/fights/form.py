"""The form of a fight: what a page says, in names as people type them, made a fight."""

import json
from typing import Any

from evodom.spire.fights import Fight, fight_from_toml
from evodom.web.exchange import number, text

Json = dict[str, Any]

LARGEST_SEED = 2**53 - 1

TEXTS = {"enemies": "Cultist", "deck": "", "relics": "", "potions": ""}
NUMBERS = {"ascension": (0, 20), "hp": (1, 999), "max_hp": (1, 999)}
FIELDS = (*TEXTS, *NUMBERS, "payoff", "seed")


def fight_of_form(form: Json) -> Fight:
    """Return the fight that a form describes, in names as people type them; raises UsageError, in one line."""
    lines = []
    for name, usual in TEXTS.items():
        words = text(form, name, usual, longest=600).strip() or usual
        if words:
            lines.append(f"{name} = {json.dumps(words)}")
    for name, (least, most) in NUMBERS.items():
        if form.get(name) is not None:
            lines.append(f"{name} = {number(form, name, least, most)}")
    payoff = text(form, "payoff", "hp")
    lines += ["[payoff]", f"kind = {json.dumps(payoff)}"]
    return fight_from_toml("\n".join(lines).replace("\x7f", ""), name="the fight")
