"""The map of an act: rooms on a grid, and the ways that lead up from one row to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple


class Room(StrEnum):
    """What a node of a map is, by the name its class has in the game."""

    MONSTER = "MonsterRoom"
    ELITE = "MonsterRoomElite"
    EVENT = "EventRoom"
    SHOP = "ShopRoom"
    REST = "RestRoom"
    TREASURE = "TreasureRoom"
    BOSS = "MonsterRoomBoss"

    @property
    def letter(self) -> str:
        """The letter of the game's legend."""
        return LETTERS[self]


LETTERS = {
    Room.MONSTER: "M",
    Room.ELITE: "E",
    Room.EVENT: "?",
    Room.SHOP: "$",
    Room.REST: "R",
    Room.TREASURE: "T",
    Room.BOSS: "B",
}


class Node(NamedTuple):
    """A place on the grid: column 0 to 6 from the left, row 0 to 14 from the bottom."""

    x: int
    y: int

    @property
    def floor(self) -> int:
        """The floor of the act as the game counts them: the lowest is 1."""
        return self.y + 1

    @property
    def name(self) -> str:
        """The place as people are told it, column,floor: "3,5"."""
        return f"{self.x},{self.floor}"


class Edge(NamedTuple):
    """A way from a node to one of the row above."""

    source: Node
    destination: Node


@dataclass(frozen=True)
class ActMap:
    """The map of an act: its rooms, in order of (y, x), and its edges, in order of (source y, source x, destination x).

    A path begins in any node of the lowest row and ends in one of the highest. `burning` is the elite that carries the
    emerald key, with its buff, where it is known.
    """

    rooms: Mapping[Node, Room]
    edges: tuple[Edge, ...]
    burning: tuple[Node, str] | None = None

    @cached_property
    def following(self) -> dict[Node, tuple[Node, ...]]:
        """The nodes each node leads to, from left to right."""
        found: dict[Node, list[Node]] = {node: [] for node in self.rooms}
        for source, destination in self.edges:
            found[source].append(destination)
        return {node: tuple(sorted(nodes)) for node, nodes in found.items()}

    @cached_property
    def starts(self) -> tuple[Node, ...]:
        """The nodes of the lowest row."""
        lowest = min(node.y for node in self.rooms)
        return tuple(node for node in self.rooms if node.y == lowest)

    @cached_property
    def ends(self) -> tuple[Node, ...]:
        """The nodes of the highest row."""
        highest = max(node.y for node in self.rooms)
        return tuple(node for node in self.rooms if node.y == highest)
