"""Generation of act maps from the seed of a run, with the game's seeds and random numbers.

Open it to check the algorithm, which docs/guide/maps.md describes. Maps equal those of the game (PC version 2),
including the effects of its bugs. Random numbers are those of libGDX's RandomXS128: xorshift128+ (Vigna 2017, "Further
scramblings of Marsaglia's xorshift generators"), initialised with the MurmurHash3 finalizer.
"""

import re
from collections.abc import Sequence

from evodom.errors import UsageError, short
from evodom.spire.map.act import ActMap, Edge, Node, Room

SEED_DIGITS = "0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
"""Digits of seeds in base 35. The letter O is absent and read as 0."""

MAX_SEED_LENGTH = 13
"""Number of digits of the largest seed. The game accepts no more digits."""

TEXT_PREFIX = "text:"
"""Prefix of a base-35 seed that has only decimal digits."""

MASK_64 = (1 << 64) - 1
SIGN_BIT = 1 << 63


def parse_seed(text: str) -> int:
    """Return a seed as a signed 64-bit integer.

    `text` is a decimal number such as -5 or 673465884448, or the game's notation in base 35 such as AGCK93XT. Decimal
    digits alone are a decimal number: write "text:1234" for 1234 in base 35. Values in base 35 above 64 bits wrap
    around, as in the game. Raise UsageError for other texts.
    """
    word = text.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,40}", word):
        value = int(word)
        if not -SIGN_BIT <= value <= MASK_64:
            raise UsageError(f"a seed is a number from {-SIGN_BIT} to {MASK_64}, got {short(value)}.")
        return signed(value)
    is_marked = word.lower().startswith(TEXT_PREFIX)
    digits = (word[len(TEXT_PREFIX) :] if is_marked else word).strip().upper().replace("O", "0")
    # Some letters of other scripts become ASCII letters in upper case.
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
    """Return a seed in the game's notation: seed_text(673465884448) is "AGCK93XT"."""
    value, digits = seed & MASK_64, ""
    while value:
        value, digit = divmod(value, 35)
        digits = SEED_DIGITS[digit] + digits
    return digits or "0"


def signed(value: int) -> int:
    """Return the signed 64-bit integer equal to `value` modulo 2**64."""
    return ((value + SIGN_BIT) & MASK_64) - SIGN_BIT


class GameRandom:
    """Random number generator of the game. `seed` is a signed or unsigned 64-bit integer."""

    def __init__(self, seed: int) -> None:
        self._first = _murmur_finalizer(seed & MASK_64 or SIGN_BIT)
        self._second = _murmur_finalizer(self._first)

    def next_bits(self) -> int:
        """Return the next 64 random bits."""
        first, second = self._first, self._second
        first ^= first << 23 & MASK_64
        first ^= second ^ first >> 17 ^ second >> 26
        self._first, self._second = second, first
        return first + second & MASK_64

    def below(self, n: int) -> int:
        """Return a uniform integer from 0 to n - 1."""
        while True:
            bits = self.next_bits() >> 1
            value = bits % n
            if bits - value + n <= SIGN_BIT:  # else `bits` lies in the last, incomplete run of n numbers
                return value

    def between(self, low: int, high: int) -> int:
        """Return a uniform integer from `low` to `high`, inclusive."""
        return low + self.below(high - low + 1)

    def shuffle(self, items: list[int]) -> None:
        """Shuffle a list in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def _murmur_finalizer(word: int) -> int:
    """Return the 64-bit finalizer of MurmurHash3."""
    word ^= word >> 33
    word = word * 0xFF51AFD7ED558CCD & MASK_64
    word ^= word >> 33
    word = word * 0xC4CEB9FE1A85EC53 & MASK_64
    return word ^ word >> 33


WIDTH, HEIGHT = 7, 15
N_PATHS = 6

SEED_OFFSETS = {1: 1, 2: 200, 3: 600}
"""Number added to the seed of the run, by act."""
ACTS = (*SEED_OFFSETS, 4)
MAX_ASCENSION = 20

BURNING_BUFFS = ("Strength", "Max HP", "Metallicize", "Regenerate")
"""Buffs of a burning elite, in the game's order."""

ROOM_KINDS = (Room.MONSTER, Room.ELITE, Room.EVENT, Room.SHOP, Room.REST, Room.TREASURE)
MONSTER, ELITE, EVENT, SHOP, REST, TREASURE = (1 << kind for kind in range(len(ROOM_KINDS)))
"""Kinds of rooms as bits; 0 is an undecided room. A mask is a set of kinds."""
ROOM_OF_KIND = {1 << kind: room for kind, room in enumerate(ROOM_KINDS)}

KIND_OF_ROW = {0: MONSTER, 8: TREASURE, 14: REST}
"""Rows whose rooms all have one kind."""
ROOMS_PER_THOUSAND = ((SHOP, 50), (REST, 120), (ELITE, 80), (EVENT, 220))
"""Rooms of each kind per thousand, in the game's order. The other rooms have monsters."""
ASCENSION_ELITES_PER_THOUSAND = 128
"""Elites per thousand rooms from ascension 1 on."""
NOT_LOW, LAST_LOW_ROW = REST | ELITE, 4
NOT_HIGH, FIRST_HIGH_ROW = REST, 13
NOT_REPEATED = REST | TREASURE | SHOP | ELITE
"""Forbidden kinds: in rows up to LAST_LOW_ROW, in rows from FIRST_HIGH_ROW on, and directly after the same kind."""

NODES = tuple(tuple(Node(x, y) for x in range(WIDTH)) for y in range(HEIGHT))
EDGES = {
    (x, y, to): Edge(NODES[y][x], NODES[y + 1][to])
    for y in range(HEIGHT - 1)
    for x in range(WIDTH)
    for to in range(max(x - 1, 0), min(x + 2, WIDTH))
}
"""All possible edges, by (x, y, x of the destination). All maps share them for speed."""

ACT_4 = ActMap(
    {Node(3, 0): Room.REST, Node(3, 1): Room.SHOP, Node(3, 2): Room.ELITE, Node(3, 3): Room.BOSS},
    tuple(Edge(Node(3, y), Node(3, y + 1)) for y in range(3)),
)
"""Map of act 4, equal in all runs. Its elite is Shield and Spear."""

Targets = list[list[list[int]]]
"""[row][column]: columns of the successors of a node, ascending."""
Parents = list[list[list[int]]]
"""[row][column]: columns of the predecessors of a node, in the order of the paths, with repetitions."""
RoomKinds = list[list[int]]
"""[row][column]: kind of the room as a bit."""


def generate(seed: int, act: int = 1, *, ascension: int = MAX_ASCENSION) -> ActMap:
    """Return the map of an act, with its burning elite.

    `seed` is the seed of the run, a signed or unsigned 64-bit integer (`parse_seed` reads the game's text). Ascensions
    from 1 on have more elites and no other differences. Raise UsageError for an invalid act or ascension.
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
        node: ROOM_OF_KIND[kind]
        for nodes, row in zip(NODES, kinds, strict=True)
        for node, kind in zip(nodes, row, strict=True)
        if kind
    }
    edges = tuple([EDGES[x, y, to] for y, row in enumerate(targets) for x, columns in enumerate(row) for to in columns])
    return ActMap(rooms, edges, _burning(rng, rooms))


def _draw_paths(rng: GameRandom) -> tuple[Targets, Parents]:
    """Draw N_PATHS paths from the lowest row to the highest."""
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
    """Draw the next column of a path at (x, y). Draw again if the edge would close a short cycle.

    Bug of the game: it checks only the parents of the first drawn column. After a new draw of the column it continues
    with the same parents.
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
            to = {-1: 1, WIDTH: WIDTH - 2}.get(to, to)  # a column outside the map becomes one inside
    return to


def _share_a_parent(parent: int, current: int, y: int, parents: list[list[int]]) -> bool:
    """Return whether the game detects a common parent of the nodes in columns `parent` and `current` of row `y`.

    The game compares the rightmost parent of the left node with the leftmost parent of the right node. Bug of the game:
    to find the left node, it compares the column `parent` with the row `y` instead of the column `current`.

    The game also searches older ancestors, with no effect: it only forbids cycles of fewer than three rows.
    """
    left, right = (parent, current) if parent < y else (current, parent)
    if not parents[left] or not parents[right]:
        return False
    return max(parents[left]) == min(parents[right])


def _without_crossing(x: int, to: int, targets: list[list[int]]) -> int:
    """Return the column `to`, limited so that the edge does not cross an edge of a neighbour."""
    if x > 0 and targets[x - 1]:
        to = max(to, targets[x - 1][-1])
    if x < WIDTH - 1 and targets[x + 1]:
        to = min(to, targets[x + 1][0])
    return to


def _drop_duplicate_first_edges(targets: list[list[int]]) -> None:
    """Keep only the leftmost edge from the lowest row to each node.

    Nodes that are left without edges get no room in `_assign_rooms`.

    Bug of the game: the source of a dropped edge still counts as a parent of its destination.
    """
    reached: set[int] = set()
    for columns in targets:
        columns[:] = [to for to in columns if to not in reached]
        reached.update(columns)


def _assign_rooms(rng: GameRandom, targets: Targets, parents: Parents, elites_per_thousand: int | None) -> RoomKinds:
    """Return the kinds of rooms.

    The rows of KIND_OF_ROW have one kind. Each other room takes the first kind of a shuffled list that is allowed
    there.
    """
    # A node has a room if it has an edge: to a higher row, or in the highest row from a lower row.
    has_room = [list(map(bool, row)) for row in (*targets[:-1], parents[-1])]
    kinds = [[0] * WIDTH for _ in range(HEIGHT)]
    for y, kind in KIND_OF_ROW.items():
        kinds[y] = [kind if exists else 0 for exists in has_room[y]]
    open_rows = [y for y in range(HEIGHT) if y not in KIND_OF_ROW]
    room_list = _shuffled_kinds(rng, list(map(sum, has_room)), open_rows, elites_per_thousand)
    for y in open_rows:
        for x, exists in enumerate(has_room[y]):
            if not exists:
                continue
            forbidden = _forbidden_kinds(x, y, targets, parents, kinds)
            for index, kind in enumerate(room_list):
                if not kind & forbidden:
                    kinds[y][x] = kind
                    del room_list[index]
                    break
    for y in open_rows:
        kinds[y] = [kind or (MONSTER if exists else 0) for kind, exists in zip(kinds[y], has_room[y], strict=True)]
    return kinds


def _shuffled_kinds(
    rng: GameRandom, n_by_row: Sequence[int], open_rows: Sequence[int], elites_per_thousand: int | None
) -> list[int]:
    """Return the shuffled kinds for the rooms of the open rows, given the number of rooms of each row.

    The number of each kind is its share of all rooms, rounded half up. Bug of the game: row 13 does not count.
    """
    n_rooms = sum(n_by_row) - n_by_row[HEIGHT - 2]
    n_open = sum(n_by_row[y] for y in open_rows)
    room_list: list[int] = []
    shares = dict(ROOMS_PER_THOUSAND)
    shares[ELITE] = elites_per_thousand or shares[ELITE]
    for kind, share in shares.items():
        room_list += [kind] * ((n_rooms * share + 500) // 1000)
    room_list += [MONSTER] * (n_open - len(room_list))
    rng.shuffle(room_list)
    return room_list


def _forbidden_kinds(x: int, y: int, targets: Targets, parents: Parents, kinds: RoomKinds) -> int:
    """Return the mask of the kinds that the row, the parents and the siblings of the room at (x, y) forbid.

    Siblings are the other successors of the parents. Parents include the sources of dropped edges.
    """
    forbidden = (NOT_LOW if y <= LAST_LOW_ROW else 0) | (NOT_HIGH if y >= FIRST_HIGH_ROW else 0)
    for parent in parents[y][x]:
        forbidden |= kinds[y - 1][parent] & NOT_REPEATED
        for sibling in targets[y - 1][parent]:
            if sibling != x:
                forbidden |= kinds[y][sibling]
    return forbidden


def _burning(rng: GameRandom, rooms: dict[Node, Room]) -> tuple[Node, str] | None:
    """Return a random elite and its buff; None without elites."""
    elites = [node for node, room in rooms.items() if room is Room.ELITE]
    if not elites:
        return None
    return elites[rng.below(len(elites))], BURNING_BUFFS[rng.below(len(BURNING_BUFFS))]
