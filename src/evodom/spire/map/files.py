"""Act maps as JSON: read and write the format of sts_map_oracle, check maps, and read files of the running game.

Open it to change the file format or its checks.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from evodom.errors import UsageError, errors_at
from evodom.files import read_text
from evodom.reading import convert
from evodom.spire.map.act import ActMap, Edge, Node, Room
from evodom.spire.map.generate import HEIGHT, WIDTH, generate, seed_text
from evodom.spire.messages import game_state, is_save, parse_contents

MAX_BYTES = 1_000_000
"""Maximum size of a file. A map with all possible rooms and edges has 35,000 characters."""

NEXT_STEP = "`evodom spire map SEED --json` prints a valid map."

Column = Annotated[int, Meta(ge=0, le=WIDTH - 1)]
Row = Annotated[int, Meta(ge=0, le=HEIGHT - 1)]

Symbol = Literal["M", "E", "?", "$", "R", "T"]
_ROOMS = {room.letter: room for room in Room}


class MapNode(Struct):
    """A node of a file. Unknown fields are ignored."""

    x: Column
    y: Row
    room: Room = field(name="class")


class MapEdge(Struct):
    """An edge of a file. Unknown fields are ignored."""

    src_x: Column
    src_y: Row
    dst_x: Column
    dst_y: Row


class MapFile(Struct):
    """The contents of a file. Unknown fields are ignored."""

    edges: list[MapEdge]
    nodes: Annotated[list[MapNode], Meta(min_length=1)]


class GamePlace(Struct):
    """Coordinates in a game state. The boss is above the last row. Game states may have unknown fields."""

    x: int
    y: int


class GameNode(Struct):
    """A node of the map in a game state."""

    x: Column
    y: Row
    symbol: Symbol
    children: list[GamePlace] = []


class GameMap(Struct):
    """A game state of CommunicationMod."""

    map: Annotated[list[GameNode], Meta(min_length=1)]


class SavedPath(Struct):
    """Fields of an autosave that determine the map, and the path so far."""

    seed: int
    act: int
    path_x: list[int]
    path_y: list[int]
    ascension_level: int = 0
    is_final_act_on: bool = False
    has_emerald_key: bool = False


def map_to_json(act_map: ActMap) -> str:
    """Return a map as JSON, as sts_map_oracle writes it: edges, then nodes, without spaces or a final newline."""
    edges = [MapEdge(*edge.source, *edge.destination) for edge in act_map.edges]
    nodes = [MapNode(*node, room) for node, room in act_map.rooms.items()]
    return msgspec.json.encode(MapFile(edges, nodes)).decode()


def read_map(path: Path) -> ActMap:
    """Read a map from a file. Raise UsageError as `map_from_json` does."""
    try:
        text = read_text(path, "a map", "JSON", MAX_BYTES)
    except UsageError as error:
        raise UsageError(f"{error} {NEXT_STEP}") from error
    return map_from_json(text, name=str(path))


def map_from_json(text: str, *, name: str = "the map", next_step: str = NEXT_STEP) -> ActMap:
    """Read a map from JSON. `name` is its name in error messages, `next_step` their last sentence.

    The JSON is a map, or a message of CommunicationMod. Neither marks the burning elite. An autosave gives the map of
    its seed.

    A map may be smaller than the game's. Edges may cross, and may lead to any column of the next row. Nodes and edges
    may be in any order. Nodes on no path are kept (`unused_nodes` returns them).

    Raises:
        UsageError: for invalid JSON, wrong types, unknown classes, coordinates outside the grid, duplicates, edges
            without their nodes or not to the next row, and maps without a path.
    """
    try:
        contents = parse_contents(text)
    except json.JSONDecodeError as error:
        problem = f"{error.msg}, line {error.lineno}; and no autosave (Base64)"
        raise UsageError(f"{name} is not JSON: {problem}. {next_step}") from error
    except ValueError as error:
        raise UsageError(f"{name} is not a map: {error}. {next_step}") from error
    with errors_at(name):
        state = game_state(contents)
        if state and is_save(state):
            return _map_of_save(convert(state, SavedPath))
    if state is None:
        file = convert(contents, MapFile, source=name, next_step=next_step)
    else:
        file = _map_of_game(convert(state, GameMap, source=name, next_step="Save a message of a run."))
    try:
        rooms = _rooms(file.nodes)
        act_map = ActMap(rooms, _edges(file.edges, rooms))
        _check_passable(act_map)
    except UsageError as error:
        raise UsageError(f"{name}: {error}. {next_step}") from error
    return act_map


def _map_of_save(save: SavedPath) -> ActMap:
    """Return the map of an autosave. Raise UsageError if it does not have the rooms of the saved path."""
    act_map = generate(save.seed, save.act, ascension=save.ascension_level)
    path = map(Node, save.path_x, save.path_y)
    if missing := [node for node in path if node not in act_map.rooms and node.y < HEIGHT]:
        raise UsageError(
            f"the map of seed {seed_text(save.seed)} has no room {missing[0].name} (column,floor) of the saved path. "
            "Runs with modifiers, such as daily climbs, are not supported."
        )
    has_burning = save.is_final_act_on and not save.has_emerald_key
    return act_map if has_burning else replace(act_map, burning=None)


def _map_of_game(game: GameMap) -> MapFile:
    """Return the map of a game state. Edges to the boss, above the last row of rooms, are left out."""
    last = max(node.y for node in game.map)
    return MapFile(
        [MapEdge(node.x, node.y, to.x, to.y) for node in game.map if node.y < last for to in node.children],
        [MapNode(node.x, node.y, _ROOMS[node.symbol]) for node in game.map],
    )


def unused_nodes(act_map: ActMap) -> tuple[Node, ...]:
    """Return the nodes that are on no path from the lowest row to the highest."""
    upside_down = ActMap(act_map.rooms, tuple(Edge(destination, source) for source, destination in act_map.edges))
    used = act_map.reachable(act_map.starts).rooms.keys() & upside_down.reachable(act_map.ends).rooms.keys()
    return tuple(node for node in act_map.rooms if node not in used)


def _rooms(items: Sequence[MapNode]) -> dict[Node, Room]:
    """Return the rooms by node, sorted by (y, x)."""
    rooms: dict[Node, Room] = {}
    for i, item in enumerate(items):
        node = Node(item.x, item.y)
        if node in rooms:
            raise UsageError(f"nodes[{i}] is at ({node.x}, {node.y}) like another node. Leave one of them out")
        rooms[node] = item.room
    return {node: rooms[node] for node in sorted(rooms, key=_by_row)}


def _edges(items: Sequence[MapEdge], rooms: Mapping[Node, Room]) -> tuple[Edge, ...]:
    """Return the edges, sorted as in `ActMap`."""
    edges: set[Edge] = set()
    for i, item in enumerate(items):
        edge = Edge(Node(item.src_x, item.src_y), Node(item.dst_x, item.dst_y))
        named = f"edges[{i}] from ({item.src_x}, {item.src_y}) to ({item.dst_x}, {item.dst_y})"
        if item.dst_y != item.src_y + 1:
            raise UsageError(f"{named} does not lead to the next row, which is row {item.src_y + 1}")
        if missing := [node for node in edge if node not in rooms]:
            raise UsageError(f"{named} has no node at ({missing[0].x}, {missing[0].y}). Add the node or drop the edge")
        if edge in edges:
            raise UsageError(f"{named} is listed twice. Leave one of them out")
        edges.add(edge)
    return tuple(sorted(edges, key=lambda edge: (_by_row(edge.source), edge.destination)))


def _check_passable(act_map: ActMap) -> None:
    if act_map.reachable(act_map.starts).rooms.keys().isdisjoint(act_map.ends):
        lowest, highest = act_map.starts[0].y, act_map.ends[0].y
        raise UsageError(f"no path leads from the lowest row, {lowest}, to the highest, {highest}. Add the edges")


def _by_row(node: Node) -> tuple[int, int]:
    return node.y, node.x
