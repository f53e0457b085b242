"""The map of an act, generated from the seed of a run as the game does it, and the game's seeds and random numbers.

Everything follows the game (PC version 2), its mistakes included; comments say where they are made. docs/guide/maps.md
describes the whole algorithm. The random numbers are those of libGDX's RandomXS128: xorshift128+ (Vigna 2017, "Further
scramblings of Marsaglia's xorshift generators") on two words that MurmurHash3's last step makes of the seed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from evodom.errors import UsageError, short
from evodom.spire.map.act import ActMap, Edge, Node, Room

SEED_DIGITS = "0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
"""The digits of the game's seeds, base 35: the letter O is left out, and read as 0."""

MAX_SEED_LENGTH = 13
"""The characters of the largest seed; more cannot be typed into the game either."""

TEXT_PREFIX = "text:"
"""The prefix of a seed of figures only that is meant as the game's text."""

MASK = (1 << 64) - 1
SIGN = 1 << 63


def parse_seed(text: str) -> int:
    """Read a seed: a number such as -5 or 673465884448, or the game's text such as AGCK93XT.

    Figures alone are a number; "text:1234" is the text 1234. Returns a signed 64-bit integer; larger numbers wrap
    around, as in the game. Raises UsageError for anything else.
    """
    word = text.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,40}", word):
        return _from_number(int(word))
    is_marked = word.lower().startswith(TEXT_PREFIX)
    digits = (word[len(TEXT_PREFIX) :] if is_marked else word).strip().upper().replace("O", "0")
    # Some letters of other scripts become letters of the game when they are made capitals.
    if not text.isascii() or not digits or not set(digits) <= set(SEED_DIGITS) or len(digits) > MAX_SEED_LENGTH:
        raise UsageError(
            f"a seed is a number such as -5, or up to {MAX_SEED_LENGTH} digits and letters as in the game, such as "
            f"AGCK93XT, got {short(text)}."
        )
    value = 0
    for digit in digits:
        value = 35 * value + SEED_DIGITS.index(digit)
    return signed(value)


def seed_text(seed: int) -> str:
    """Return a seed as the game shows it: seed_text(673465884448) is "AGCK93XT"."""
    value, digits = seed & MASK, ""
    while value:
        value, digit = divmod(value, 35)
        digits = SEED_DIGITS[digit] + digits
    return digits or "0"


def signed(value: int) -> int:
    """Return the signed 64-bit integer that is equal to `value` modulo 2**64."""
    return ((value + SIGN) & MASK) - SIGN


def _from_number(value: int) -> int:
    """Return a seed given as a number; from 2**63 on it stands for the negative number of the same bits."""
    if not -SIGN <= value <= MASK:
        raise UsageError(f"a seed is a number from {-SIGN} to {MASK}, got {short(value)}.")
    return signed(value)


class GameRandom:
    """The stream of random numbers of a seed: a signed or unsigned 64-bit integer."""

    def __init__(self, seed: int) -> None:
        self._first = _murmur_finalizer(seed & MASK or SIGN)
        self._second = _murmur_finalizer(self._first)

    def next_bits(self) -> int:
        """Return the next 64 bits."""
        first, second = self._first, self._second
        first ^= first << 23 & MASK
        first ^= second ^ first >> 17 ^ second >> 26
        self._first, self._second = second, first
        return first + second & MASK

    def below(self, n: int) -> int:
        """Return an integer from 0 to n - 1; every one is as likely as the others."""
        while True:
            bits = self.next_bits() >> 1
            value = bits % n
            if bits - value + n <= SIGN:  # else `bits` lies in the last, incomplete run of n numbers
                return value

    def between(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def shuffle(self, items: list[int]) -> None:
        """Shuffle a list in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _murmur_finalizer(word: int) -> int:
    """Return the result of the last step of MurmurHash3 on 64 bits."""
    word ^= word >> 33
    word = word * 0xFF51AFD7ED558CCD & MASK
    word ^= word >> 33
    word = word * 0xC4CEB9FE1A85EC53 & MASK
    return word ^ word >> 33


WIDTH, HEIGHT = 7, 15
N_PATHS = 6

SEED_OFFSETS = {1: 1, 2: 200, 3: 600}
"""The number added to the seed of the run, by act."""
ACTS = (*SEED_OFFSETS, 4)
MAX_ASCENSION = 20

BURNING_BUFFS = ("Strength", "Max HP", "Metallicize", "Regenerate")
"""The buffs a burning elite may have, in the game's order."""

KINDS = (Room.MONSTER, Room.ELITE, Room.EVENT, Room.SHOP, Room.REST, Room.TREASURE)
MONSTER, ELITE, EVENT, SHOP, REST, TREASURE = (1 << kind for kind in range(len(KINDS)))
"""The kind of a room as a bit, so that one number holds all kinds it must not be; 0 while it is undecided."""
ROOMS = {1 << kind: room for kind, room in enumerate(KINDS)}

FIXED = {0: MONSTER, 8: TREASURE, 14: REST}
"""The rows that have rooms of one kind."""
ROOMS_PER_THOUSAND = ((SHOP, 50), (REST, 120), (ELITE, 80), (EVENT, 220))
"""How many rooms in a thousand are of a kind, in the order in which the game counts them out; the rest are monsters."""
ASCENSION_ELITES_PER_THOUSAND = 128
"""The share of elites from ascension 1 on."""
NOT_LOW, LAST_LOW_ROW = REST | ELITE, 4
NOT_HIGH, FIRST_HIGH_ROW = REST, 13
NOT_IN_A_ROW = REST | TREASURE | SHOP | ELITE
"""Rooms that may not come right after a room of the same kind."""

NODES = tuple(tuple(Node(x, y) for x in range(WIDTH)) for y in range(HEIGHT))
EDGES = {
    (x, y, to): Edge(NODES[y][x], NODES[y + 1][to])
    for y in range(HEIGHT - 1)
    for x in range(WIDTH)
    for to in range(max(x - 1, 0), min(x + 2, WIDTH))
}
"""All edges a map may have. They are made once, because making them takes most of the time of a map."""

ACT_4 = ActMap(
    {Node(3, 0): Room.REST, Node(3, 1): Room.SHOP, Node(3, 2): Room.ELITE, Node(3, 3): Room.BOSS},
    tuple(Edge(Node(3, y), Node(3, y + 1)) for y in range(3)),
)
"""Act 4, which is the same in every run; its elite are the Shield and the Spear."""

Targets = list[list[list[int]]]
"""[row][column]: the columns of the row above that a node leads to, ascending."""
Parents = list[list[list[int]]]
"""[row][column]: the columns of the row below from which a node was reached, as it was reached, repeats included."""
RoomKinds = list[list[int]]
"""[row][column]: the kind of the room, as a bit."""


def generate(seed: int, act: int = 1, *, ascension: int = MAX_ASCENSION) -> ActMap:
    """Make the map of an act from the seed of a run, with its burning elite.

    `seed` is a signed or unsigned 64-bit integer (`parse_seed` reads the game's text). From ascension 1 on there are
    more elites; that is all an ascension changes. Raises UsageError for an act or an ascension that is not in the game.
    """
    if act not in ACTS:
        raise UsageError(f"there are acts 1 to 4, got {act}.")
    if not 0 <= ascension <= MAX_ASCENSION:
        raise UsageError(f"an ascension is a number from 0 to {MAX_ASCENSION}, got {ascension}.")
    if act not in SEED_OFFSETS:
        return ACT_4
    rng = GameRandom(seed + SEED_OFFSETS[act])
    targets, parents = _draw_paths(rng)
    _drop_duplicate_first_edges(targets[0])
    kinds = _assign_rooms(rng, targets, parents, ASCENSION_ELITES_PER_THOUSAND if ascension else None)
    rooms = {
        node: ROOMS[kind]
        for nodes, row in zip(NODES, kinds, strict=True)
        for node, kind in zip(nodes, row, strict=True)
        if kind
    }
    edges = tuple([EDGES[x, y, to] for y, row in enumerate(targets) for x, columns in enumerate(row) for to in columns])
    return ActMap(rooms, edges, _burning(rng, rooms))


def _draw_paths(rng: GameRandom) -> tuple[Targets, Parents]:
    """Lay six paths from the lowest row to the highest."""
    targets: Targets = [[[] for _ in range(WIDTH)] for _ in range(HEIGHT)]
    parents: Parents = [[[] for _ in range(WIDTH)] for _ in range(HEIGHT)]
    first = -1
    for path in range(N_PATHS):
        x = rng.below(WIDTH)
        while path == 1 and x == first:
            x = rng.below(WIDTH)
        if path == 0:
            first = x
        for y in range(HEIGHT - 1):
            to = _next_column(rng, x, y, parents)
            to = _without_crossing(x, to, targets[y])
            if to not in targets[y][x]:
                targets[y][x].append(to)
                targets[y][x].sort()
            parents[y + 1][to].append(x)
            x = to
    return targets, parents


def _next_column(rng: GameRandom, x: int, y: int, parents: Parents) -> int:
    """Draw the column a path goes to from (x, y); draw again if the way would close a short loop.

    The game goes on looking at the parents of the node it drew first, also after it has drawn another.
    """
    low, high = (0 if x == 0 else -1), (0 if x == WIDTH - 1 else 1)
    to = x + rng.between(low, high)
    for parent in parents[y + 1][to]:
        if parent == x or not _share_a_parent(parent, x, y, parents[y]):
            continue
        if to > x:
            to = max(x + rng.between(-1, 0), 0)
        elif to < x:
            to = min(x + rng.between(0, 1), WIDTH - 1)
        else:
            to = x + rng.between(-1, 1)
            to = {-1: 1, WIDTH: WIDTH - 2}.get(to, to)  # from an edge of the map, one step in
    return to


def _share_a_parent(parent: int, current: int, y: int, parents: list[list[int]]) -> bool:
    """Tell whether the game sees that two nodes of row `y` come from one node of the row below.

    It looks further down too, but only a loop of fewer than three rows makes it draw again, and such a loop begins in
    the row below. The game means to go down from the left node by its rightmost parent and from the right node by its
    leftmost, but it takes for the left node the one whose column is less than the number of the row.
    """
    left, right = (parent, current) if parent < y else (current, parent)
    if not parents[left] or not parents[right]:
        return False
    return max(parents[left]) == min(parents[right])


def _without_crossing(x: int, to: int, targets: list[list[int]]) -> int:
    """Return the column to go to, changed if the way would cross a way of a neighbour in the row."""
    if x > 0 and targets[x - 1]:
        to = max(to, targets[x - 1][-1])
    if x < WIDTH - 1 and targets[x + 1]:
        to = min(to, targets[x + 1][0])
    return to


def _drop_duplicate_first_edges(targets: list[list[int]]) -> None:
    """Keep only the leftmost way from the lowest row to each node; a start without a way left is no node.

    The game leaves the dropped ones among the parents of the node they led to.
    """
    reached: set[int] = set()
    for columns in targets:
        columns[:] = [to for to in columns if to not in reached]
        reached.update(columns)


def _assign_rooms(rng: GameRandom, targets: Targets, parents: Parents, elites: int | None) -> RoomKinds:
    """Choose the rooms: those of the fixed rows, then for each other room the first of a shuffled list that fits."""
    kinds = [[0] * WIDTH for _ in range(HEIGHT)]
    for y, kind in FIXED.items():
        there = parents[y] if y == HEIGHT - 1 else targets[y]
        kinds[y] = [kind if links else 0 for links in there]
    open_rows = [y for y in range(HEIGHT - 1) if y not in FIXED]
    bucket = _shuffled_kinds(rng, targets, kinds, open_rows, elites)
    for y in open_rows:
        for x, columns in enumerate(targets[y]):
            if not columns:
                continue
            forbidden = _forbidden_kinds(x, y, targets, parents, kinds)
            for place, kind in enumerate(bucket):
                if not kind & forbidden:
                    kinds[y][x] = kind
                    del bucket[place]
                    break
    for y in open_rows:
        kinds[y] = [kind or (MONSTER if columns else 0) for kind, columns in zip(kinds[y], targets[y], strict=True)]
    return kinds


def _shuffled_kinds(
    rng: GameRandom, targets: Targets, kinds: RoomKinds, open_rows: Sequence[int], elites: int | None
) -> list[int]:
    """Return the shuffled list of what the rooms of the open rows may become.

    The shares are those of all rooms without row 13, which the game forgets, rounded half up.
    """
    n_rooms = sum(1 for y, row in enumerate(targets) for columns in row if columns and y != HEIGHT - 2) + sum(
        map(bool, kinds[-1])
    )
    n_open = sum(1 for y in open_rows for columns in targets[y] if columns)
    bucket: list[int] = []
    for kind, share in ROOMS_PER_THOUSAND:
        bucket += [kind] * ((n_rooms * (elites if elites and kind == ELITE else share) + 500) // 1000)
    bucket += [MONSTER] * (n_open - len(bucket))
    rng.shuffle(bucket)
    return bucket


def _forbidden_kinds(x: int, y: int, targets: Targets, parents: Parents, kinds: RoomKinds) -> int:
    """Return the bits of the kinds that the room at (x, y) must not be, by its row, its parents and its siblings.

    Siblings are the other nodes that its parents lead to. In row 1 a start whose way to this node was dropped is still
    a parent, so that its other nodes count too.
    """
    forbidden = (NOT_LOW if y <= LAST_LOW_ROW else 0) | (NOT_HIGH if y >= FIRST_HIGH_ROW else 0)
    for parent in parents[y][x]:
        forbidden |= kinds[y - 1][parent] & NOT_IN_A_ROW
        for sibling in targets[y - 1][parent]:
            if sibling != x:
                forbidden |= kinds[y][sibling]
    return forbidden


def _burning(rng: GameRandom, rooms: dict[Node, Room]) -> tuple[Node, str] | None:
    """Draw the burning elite and its buff; None on a map without elites."""
    elites = [node for node, room in rooms.items() if room is Room.ELITE]
    if not elites:
        return None
    elite = elites[rng.below(len(elites))]
    return elite, BURNING_BUFFS[rng.below(len(BURNING_BUFFS))]
