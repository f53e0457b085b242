"""Act maps: how the game makes them from a seed, the files they are kept in, and how they are drawn."""

from evodom.spire.map.act import ActMap, Edge, Node, Room
from evodom.spire.map.act import draw_map
from evodom.spire.map.files import file_name, map_from_json, map_to_json, read_map, save_map, unused
from evodom.spire.map.generate import generate
from evodom.spire.map.generate import parse_seed, seed_text

__all__ = [
    "ActMap",
    "Edge",
    "Node",
    "Room",
    "draw_map",
    "file_name",
    "generate",
    "map_from_json",
    "map_to_json",
    "parse_seed",
    "read_map",
    "save_map",
    "seed_text",
    "unused",
]
