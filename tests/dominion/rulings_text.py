"""Rulings as text: the files in ``rulings/`` say a case in a few lines, read here into the format of `scenario`.

    Remodel may gain a card of the same cost
    P1: hand Remodel, Estate; deck Gold, Copper
    play Remodel: trash Estate; gain Estate
    => P1: discard Estate; deck Gold, Copper
    => actions 0; trash Estate

A file begins with a comment. A case is a title, the position, steps and expectations; an empty line ends it. Players
start with P1, a deck's top card comes first, and a player not mentioned has five Coppers and five Estates. The kingdom
is what the position names, if no line says it. ``turn:`` sets counters ("2 actions", "1 buy", "3 coins", "buy phase")
and the player ("P2"). A step after ``illegal`` must be refused. Decisions follow a colon: the player if it is not the
active one, the kind, and the cards, or yes, no.
"""

import re
from pathlib import Path
from typing import Any

from evodom.dominion.cards import BASIC, find_card

FOLDER = Path(__file__).parent / "rulings"
OPS = {"play": "play", "treasures": "play_treasures", "buy": "buy", "end turn": "end_turn"}
SECTIONS = ("supply", "kingdom", "trash", "turn")
NUMBERS = ("turns", "hand_size", "deck_size", "discard_size", "actions", "buys", "coins")
ZONES = ("hand", "deck", "discard", "in play", "set aside")
OTHER = {"hand": ["Copper"] * 5, "deck": ["Estate"] * 5}


def read_rulings() -> list[dict[str, Any]]:
    """Return all cases of the folder."""
    texts = [re.sub("^#.*", "", path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.txt"))]
    return [read_ruling(block) for text in texts for block in re.split(r"\n\s*\n", text.strip())]


def read_ruling(text: str) -> dict[str, Any]:
    """Return one case."""
    title, *lines = [line.strip() for line in text.strip().splitlines()]
    players: dict[int, dict[str, Any]] = {}
    case: dict[str, Any] = {"id": title, "setup": {}, "steps": [], "expect": {}}
    for line in lines:
        name, _, body = line.partition(":")
        if line.startswith("=> "):
            _read_expected(case["expect"], line.removeprefix("=> "))
        elif re.fullmatch(r"P\d", name):
            players[_seat(name)] = _read_parts(body)
        elif name in SECTIONS:
            case["setup"] |= _read_section(name, body.strip())
        else:
            case["steps"].append(_read_step(line, case["setup"].get("current", 0)))
    n_players = max([1, *players]) + 1
    case["setup"]["players"] = [players.get(seat, OTHER) for seat in range(n_players)]
    named = {card for player in players.values() for zone in player.values() if isinstance(zone, list) for card in zone}
    basic = {card.name for card in BASIC}
    case["setup"].setdefault("kingdom", sorted(named - basic))
    return case


def _read_section(name: str, body: str) -> dict[str, Any]:
    if name == "supply":
        return {"supply": _counts(body)}
    if name != "turn":
        return {name: _cards(body)}
    found: dict[str, Any] = {"turn": {}}
    for part in body.split(", "):
        first, _, last = part.partition(" ")
        if last == "phase":
            found["turn"]["phase"] = first
        elif last:
            found["turn"][last.removesuffix("s") + "s"] = int(first)
        else:
            found["current"] = _seat(part)
    return found


def _read_parts(body: str) -> dict[str, Any]:
    """Read "hand 2 Copper; in play Moat; turns 3"."""
    found: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in body.split(";"))):
        zone = next((zone for zone in ZONES if part == zone or part.startswith(f"{zone} ")), None)
        if zone:
            found[zone.replace(" ", "_")] = _cards(part.removeprefix(zone).strip())
        else:
            key, number = part.split()
            assert key in NUMBERS, part
            found[key] = int(number)
    return found


def _read_step(line: str, current: int) -> dict[str, Any]:
    text = line.removeprefix("illegal ")
    op = next(op for op in OPS if text == op or text.startswith((f"{op} ", f"{op}:")))
    what, _, answers = text.removeprefix(op).partition(":")
    step: dict[str, Any] = {"op": OPS[op]}
    if op == "treasures" and what.strip():
        step["cards"] = _cards(what)
    elif op in ("play", "buy"):
        [step["card"]] = _cards(what)
    if answers:
        step["decisions"] = [_read_decision(part.strip(), current) for part in answers.split(";")]
    if text != line:
        step["illegal"] = True
    return step


def _read_decision(text: str, current: int) -> dict[str, Any]:
    match = re.fullmatch(r"(?:(P\d) )?(\w+) (.+)", text)
    assert match, text
    decision: dict[str, Any] = {"player": _seat(match[1]) if match[1] else current, "kind": match[2]}
    if match[3] in ("yes", "no"):
        decision["answer"] = match[3] == "yes"
    elif match[2] == "sentry":
        parts = [part.strip().partition(" ") for part in match[3].split(",")]
        decision["answer"] = {key: _cards(cards.replace(" +", ",")) for key, _, cards in parts}
    else:
        cards = _cards(match[3])
        decision |= {"card": next(iter(cards), None)} if len(cards) < 2 else {"cards": cards}
    return decision


def _read_expected(expect: dict[str, Any], text: str) -> None:
    name, _, body = text.partition(":")
    if re.fullmatch(r"P\d", name):
        players = expect.setdefault("players", [])
        players += [{} for _ in range(_seat(name) + 1 - len(players))]
        players[_seat(name)] |= _read_parts(body)
        return
    for part in (part.strip() for part in text.split(";")):
        key, _, value = part.partition(" ")
        if key in ("over", "not"):
            expect["game_over"] = key == "over"
        elif key == "supply":
            expect["supply"] = expect.get("supply", {}) | _counts(value)
        elif key == "trash":
            expect["trash"] = _cards(value)
        elif key == "phase":
            expect["phase"] = value
        elif key == "scores":
            expect["scores"] = [int(number) for number in value.split()]
        elif key == "winners":
            expect["winners"] = [_seat(name) for name in value.split()]
        elif key == "current":
            expect["current"] = _seat(value)
        else:
            assert key in NUMBERS, part
            expect[key] = int(value)


def _cards(text: str) -> list[str]:
    """Read "2 Copper, Moat" as a list, "nothing" and "none" as an empty one."""
    found = []
    for item in (item.strip() for item in text.split(",")):
        match = re.fullmatch(r"(?:(\d+) )?(.+)", item)
        assert match, text
        if match[2] not in ("nothing", "none"):
            found += [find_card(match[2]).name] * int(match[1] or 1)
    return found


def _counts(text: str) -> dict[str, int]:
    """Read "0 Curse, 3 Copper" as numbers of cards."""
    return {find_card(name).name: int(n) for n, name in (item.strip().split(" ", 1) for item in text.split(","))}


def _seat(name: str) -> int:
    assert re.fullmatch(r"P\d", name), name
    return int(name[1:]) - 1
