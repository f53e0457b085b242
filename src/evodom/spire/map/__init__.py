"""Act maps: how the game makes them from a seed, the files they are kept in, and how they are drawn."""

from evodom.spire.map.act import ActMap, Edge, Node, Room
from evodom.spire.map.generate import generate
from evodom.spire.map.seeds import parse_seed, seed_text

__all__ = ["ActMap", "Edge", "Node", "Room", "generate", "parse_seed", "seed_text"]
