"""Maps in files: JSON as sts_map_oracle writes it, byte for byte, and maps that people made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from evodom.errors import EvodomError, UsageError
from evodom.files import parse_json, replace_text
from evodom.spire.map.act import ActMap, Edge, Node, Room
from evodom.spire.map.generate import HEIGHT, WIDTH

LIMITS = {"x": WIDTH - 1, "y": HEIGHT - 1}
"""The highest column and row, by the last letter of a key."""
EDGE_KEYS = ("src_x", "src_y", "dst_x", "dst_y")
MAX_BYTES = 1_000_000
"""The longest file that can be a map: one with all possible rooms and edges has 35,000 characters."""
NEXT_STEP = "`evodom spire map SEED --json` prints a map as it has to be."


def map_to_json(act_map: ActMap) -> str:
    """Write a map as sts_map_oracle does: edges, then nodes, without spaces or a line break at the end."""
    edges = [dict(zip(EDGE_KEYS, (*edge.source, *edge.destination), strict=True)) for edge in act_map.edges]
    nodes = [{"x": node.x, "y": node.y, "class": room.value} for node, room in act_map.rooms.items()]
    return json.dumps({"edges": edges, "nodes": nodes}, separators=(",", ":"))


def file_name(seed: int, act: int, *, ascension: int) -> str:
    """Return the name of a map's file; at ascension 0, where the map is another, it says so."""
    return f"{seed}{'' if ascension else '_A0'}_Act{act}.json"


def save_map(act_map: ActMap, path: Path) -> None:
    """Write a map into a file. Raises EvodomError if the file cannot be written."""
    try:
        replace_text(path, map_to_json(act_map))
    except OSError as error:
        raise EvodomError(f"cannot write {path}: {error.strerror or error}. Choose another folder.") from error


def read_map(path: Path) -> ActMap:
    """Read a map from a file. Raises UsageError, in one line, if it is not a map or has no way through it."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}. Name a map's file or a seed.") from error
    if len(content) > MAX_BYTES:
        raise UsageError(f"{path} is too large for a map: more than {MAX_BYTES:,} bytes. {NEXT_STEP}")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no text in UTF-8. {NEXT_STEP}") from error
    return map_from_json(text, name=str(path))


def map_from_json(text: str, *, name: str = "the map") -> ActMap:
    """Read a map from JSON; `name` is what errors call it.

    A map may be smaller than the game's, its edges may cross and lead to any column of the next row, nodes and edges
    may come in any order, and nodes that no path uses are kept (`unused` finds them). Raises UsageError for text that
    is not JSON, wrong types, unknown classes, places off the grid, duplicates, edges without their nodes or not to the
    next row, and a map that no path leads through.
    """
    try:
        page = parse_json(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{name} is no JSON: {error.msg}, line {error.lineno}. {NEXT_STEP}") from error
    except ValueError as error:
        raise UsageError(f"{name} is no map: {error}. {NEXT_STEP}") from error
    try:
        if not isinstance(page, dict):
            raise UsageError(f"a map is an object with 'nodes' and 'edges', got {_kind(page)}")
        rooms = _rooms(_list(page, "nodes"))
        edges = _edges(_list(page, "edges"), rooms)
        found = ActMap(rooms, edges)
        _check_passable(found)
    except UsageError as error:
        raise UsageError(f"{name}: {error}{'' if str(error).endswith('?') else '.'} {NEXT_STEP}") from error
    return found


def unused(act_map: ActMap) -> tuple[Node, ...]:
    """Return the nodes that lie on no path from the lowest row to the highest."""
    backwards: dict[Node, list[Node]] = {node: [] for node in act_map.rooms}
    for source, destination in act_map.edges:
        backwards[destination].append(source)
    used = _reached(act_map.starts, act_map.following) & _reached(act_map.ends, backwards)
    return tuple(node for node in act_map.rooms if node not in used)


def _rooms(items: list[Any]) -> dict[Node, Room]:
    """Return the nodes with their rooms, by row and column."""
    rooms: dict[Node, Room] = {}
    for i, item in enumerate(items):
        x, y, room = _fields(item, f"nodes[{i}]", {"x": _place, "y": _place, "class": _room})
        if Node(x, y) in rooms:
            raise UsageError(f"nodes[{i}] is at ({x}, {y}), where another node is. Leave one of them out")
        rooms[Node(x, y)] = room
    if not rooms:
        raise UsageError("there are no nodes, and a path needs at least one")
    return {node: rooms[node] for node in sorted(rooms, key=_by_row)}


def _edges(items: list[Any], rooms: Mapping[Node, Room]) -> tuple[Edge, ...]:
    """Return the edges, by row and column."""
    edges: set[Edge] = set()
    for i, item in enumerate(items):
        x, y, to_x, to_y = _fields(item, f"edges[{i}]", dict.fromkeys(EDGE_KEYS, _place))
        edge = Edge(Node(x, y), Node(to_x, to_y))
        named = f"edges[{i}] from ({x}, {y}) to ({to_x}, {to_y})"
        if to_y != y + 1:
            raise UsageError(f"{named} does not lead to the next row, which is row {y + 1}")
        if missing := [node for node in edge if node not in rooms]:
            raise UsageError(f"{named} has no node at ({missing[0].x}, {missing[0].y}). Add the node or drop the edge")
        if edge in edges:
            raise UsageError(f"{named} is there twice. Leave one of them out")
        edges.add(edge)
    return tuple(sorted(edges, key=lambda edge: (_by_row(edge.source), edge.destination)))


def _check_passable(act_map: ActMap) -> None:
    if set(act_map.ends).isdisjoint(_reached(act_map.starts, act_map.following)):
        lowest, highest = act_map.starts[0].y, act_map.ends[0].y
        raise UsageError(f"no path leads from the lowest row, {lowest}, to the highest, {highest}. Add the edges")


def _reached(starts: Iterable[Node], following: Mapping[Node, Iterable[Node]]) -> set[Node]:
    """Return the nodes that can be reached from the given ones."""
    reached, waiting = set(starts), list(starts)
    while waiting:
        new = set(following[waiting.pop()]) - reached
        reached |= new
        waiting += new
    return reached


def _by_row(node: Node) -> tuple[int, int]:
    return node.y, node.x


def _list(page: dict[str, Any], key: str) -> list[Any]:
    """Return the list under a key."""
    if key not in page:
        raise UsageError(f"a map is an object with 'nodes' and 'edges', and there is no {key!r}")
    if not isinstance(page[key], list):
        raise UsageError(f"{key!r} is {_kind(page[key])}, and has to be a list")
    found: list[Any] = page[key]
    return found


def _fields(item: Any, where: str, wanted: Mapping[str, Callable[[Any, str, str], Any]]) -> list[Any]:
    """Return the values of an object, each read as it has to be."""
    if not isinstance(item, dict):
        raise UsageError(f"{where} is {_kind(item)}, and has to be an object with {', '.join(map(repr, wanted))}")
    if missing := [key for key in wanted if key not in item]:
        raise UsageError(f"{where} has no {missing[0]!r}")
    return [read(item[key], key, where) for key, read in wanted.items()]


def _place(value: Any, key: str, where: str) -> int:
    """Read a column or a row."""
    limit = LIMITS[key[-1]]
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(f"{key!r} of {where} is {_kind(value)}, and has to be a whole number from 0 to {limit}")
    if not 0 <= value <= limit:
        raise UsageError(f"{key!r} of {where} is {_short(value)}, and has to be from 0 to {limit}")
    return value


def _room(value: Any, key: str, where: str) -> Room:
    """Read the class of a room."""
    known = [room.value for room in Room]
    if isinstance(value, str) and value in known:
        return Room(value)
    got = _short(value) if isinstance(value, str) else _kind(value)
    close = get_close_matches(value, known, n=1, cutoff=0.5) if isinstance(value, str) else []
    hint = f". Did you mean {close[0]}?" if close else ""
    raise UsageError(f"{key!r} of {where} is {got}, and has to be one of {', '.join(known)}{hint}")


def _short(value: object) -> str:
    """Return a value as it was written, cut if it is too long for an error message."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _kind(value: Any) -> str:
    """Return what a JSON value is, in words."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    kinds = {int: "a number", float: f"the number {value}", str: f"the text {_short(value)}", list: "a list"}
    return kinds.get(type(value), "an object")
