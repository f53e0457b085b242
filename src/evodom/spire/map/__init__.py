"""Act maps: how the game makes them from a seed, the files they are kept in, and how they are drawn."""

from evodom.spire.map.act import ActMap, Edge, Node, Room

__all__ = ["ActMap", "Edge", "Node", "Room"]
