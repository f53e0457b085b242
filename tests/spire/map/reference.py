"""A second implementation of the generation of maps: slow, complete, and close to the description of the algorithm.

It shares no code with evodom. It uses NumPy's 64-bit words instead of masks, searches all rows for a common ancestor,
and rounds floats instead of whole numbers.
"""

from math import floor

import numpy as np

COLUMNS, ROWS = 7, 15
SEED_OFFSETS = {1: 1, 2: 200, 3: 600}
BURNING_BUFFS = ("Strength", "Max HP", "Metallicize", "Regenerate")


class Stream:
    """RandomXS128 of libGDX."""

    def __init__(self, seed):
        word = np.uint64(seed % 2**64)
        self.a = self._mix(word if word else np.uint64(2**63))
        self.b = self._mix(self.a)

    @staticmethod
    def _mix(x):
        with np.errstate(over="ignore"):
            for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
                x = (x ^ (x >> np.uint64(33))) * np.uint64(factor)
            return x ^ (x >> np.uint64(33))

    def next_bits(self):
        s1, s0 = self.a, self.b
        self.a = s0
        s1 = s1 ^ (s1 << np.uint64(23))
        self.b = s1 ^ s0 ^ (s1 >> np.uint64(17)) ^ (s0 >> np.uint64(26))
        with np.errstate(over="ignore"):
            return int(self.b + s0)

    def range(self, low, high):
        n = high - low + 1
        while True:
            bits = self.next_bits() >> 1
            if bits - bits % n + n - 1 < 2**63:
                return low + bits % n


class Place:
    """A place on the grid."""

    def __init__(self, x, y):
        self.x, self.y = x, y
        self.edges = {}
        self.parents = []
        self.room = None

    def siblings(self):
        return [other for parent in self.parents for other in parent.edges.values() if other is not self]


def reference_map(seed, act, ascension):
    """Return (rooms by (y, x), edges, burning elite with its buff)."""
    stream = Stream(seed + SEED_OFFSETS[act])
    grid = [[Place(x, y) for x in range(COLUMNS)] for y in range(ROWS)]
    lay_paths(grid, stream)
    reached = set()
    for place in grid[0]:
        for x in sorted(place.edges):
            if x in reached:
                del place.edges[x]
            reached.add(x)
    give_rooms(grid, stream, ascension)
    places = [place for row in grid for place in row if place.edges or (place.y == ROWS - 1 and place.parents)]
    rooms = {(place.y, place.x): place.room for place in places}
    edges = [(place.x, place.y, x, place.y + 1) for place in places for x in sorted(place.edges)]
    elites = [key for key, room in rooms.items() if room == "MonsterRoomElite"]
    burning = (elites[stream.range(0, len(elites) - 1)], BURNING_BUFFS[stream.range(0, 3)]) if elites else None
    return rooms, edges, burning


def lay_paths(grid, stream):
    starts = []
    for path in range(6):
        x = stream.range(0, 6)
        while path == 1 and x == starts[0]:
            x = stream.range(0, 6)
        starts.append(x)
        for y in range(ROWS - 1):
            here = grid[y][x]
            x = next_column(grid, here, stream)
            here.edges[x] = grid[y + 1][x]
            grid[y + 1][x].parents.append(here)


def next_column(grid, here, stream):
    x, y = here.x, here.y
    to = x + stream.range(*((0, 1) if x == 0 else (-1, 0) if x == 6 else (-1, 1)))
    for parent in grid[y + 1][to].parents:
        if parent is here:
            continue
        ancestor = common_ancestor(parent, here, y)
        if ancestor is None or y + 1 - ancestor.y >= 3:
            continue
        if to > x:
            to = x + stream.range(-1, 0)
            to = x if to < 0 else to
        elif to == x:
            to = x + stream.range(-1, 1)
            to = x - 1 if to > 6 else x + 1 if to < 0 else to
        else:
            to = x + stream.range(0, 1)
            to = x if to > 6 else to
    if x > 0 and grid[y][x - 1].edges:
        to = max(to, *grid[y][x - 1].edges)
    if x < 6 and grid[y][x + 1].edges:
        to = min(to, *grid[y][x + 1].edges)
    return to


def common_ancestor(parent, current, y):
    left, right = (parent, current) if parent.x < y else (current, parent)
    row = y
    while row >= 0 and row >= y - 5:
        if not left.parents or not right.parents:
            return None
        left = max(left.parents, key=lambda place: place.x)
        right = min(right.parents, key=lambda place: place.x)
        if left is right:
            return left
        row -= 1
    return None


def give_rooms(grid, stream, ascension):
    for y, room in {0: "MonsterRoom", 8: "TreasureRoom", 14: "RestRoom"}.items():
        for place in grid[y]:
            place.room = room
    count = sum(bool(place.edges) for row in grid for place in row if place.y != 13)
    count += sum(bool(place.parents) for place in grid[14])
    bucket = []
    elites = 0.08 * 1.6 if ascension else 0.08
    for room, share in (("ShopRoom", 0.05), ("RestRoom", 0.12), ("MonsterRoomElite", elites), ("EventRoom", 0.22)):
        bucket += [room] * floor(count * share + 0.5 + 1e-9)
    waiting = [place for row in grid for place in row if place.edges and place.room is None]
    bucket += ["MonsterRoom"] * (len(waiting) - len(bucket))
    for i in range(len(bucket), 1, -1):
        other = stream.range(0, i - 1)
        bucket[other], bucket[i - 1] = bucket[i - 1], bucket[other]
    for place in waiting:
        for room in bucket:
            if may_be(place, room):
                place.room = room
                bucket.remove(room)
                break
    for place in waiting:
        place.room = place.room or "MonsterRoom"


def may_be(place, room):
    if room in ("RestRoom", "MonsterRoomElite") and place.y <= 4:
        return False
    if room == "RestRoom" and place.y >= 13:
        return False
    once = ("RestRoom", "TreasureRoom", "ShopRoom", "MonsterRoomElite")
    if room in once and any(parent.room == room for parent in place.parents):
        return False
    return all(sibling.room != room for sibling in place.siblings())
