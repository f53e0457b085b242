"""Act maps: generation from a seed, JSON files, and a drawing as text."""

from evodom.spire.map.act import ActMap as ActMap, Edge as Edge, Node as Node, Room as Room
from evodom.spire.map.act import draw_map as draw_map
from evodom.spire.map.files import map_from_json as map_from_json, map_to_json as map_to_json
from evodom.spire.map.files import read_map as read_map, unused_nodes as unused_nodes
from evodom.spire.map.generate import generate as generate
from evodom.spire.map.generate import parse_seed as parse_seed, seed_text as seed_text
