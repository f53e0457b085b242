"""Maps made from seeds: the four known files, the algorithm told word for word, and the rules of every map."""

import random
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.errors import UsageError
from evodom.spire.map import Edge, Node, Room, generate, map_to_json, unused_nodes
from evodom.spire.map.generate import GameRandom, parse_seed, seed_text
from tests.spire.map.reference import Stream, reference_map

MAPS = Path(__file__).parent.parent.parent / "data" / "maps"

SEEDS = st.integers(-(2**63), 2**63 - 1)
MADE = st.builds(generate, SEEDS, st.integers(1, 3), ascension=st.sampled_from([0, 1, 20]))


@pytest.mark.parametrize(
    ("seed", "act", "ascension"), [(0, 1, 0), (1, 3, 20), (673465884448, 1, 20), (673465884448, 2, 1)]
)
def test_known_maps_are_generated_byte_for_byte(seed, act, ascension):
    expected = (MAPS / f"{seed}{'' if ascension else '_A0'}_Act{act}.json").read_bytes()

    assert map_to_json(generate(seed, act, ascension=ascension)).encode() == expected


def test_maps_equal_those_of_the_reference_algorithm():
    rng = random.Random(1)
    asked = [(rng.randrange(-(2**63), 2**63), rng.randint(1, 3), rng.choice([0, 1, 20])) for _ in range(200)]
    # Maps on which a path at the left edge is drawn anew and goes one step in.
    asked += [(57, 3, 20), (203, 2, 20), (402, 1, 20)]
    # Seeds that wrap around or become 0 with what is added for the act.
    asked += [(2**63 - 1, act, 20) for act in (1, 2, 3)] + [(-1, 1, 20), (-200, 2, 20), (-600, 3, 20)]

    for seed, act, ascension in asked:
        made = generate(seed, act, ascension=ascension)
        rooms, edges, burning = reference_map(seed, act, ascension)
        elite, buff = made.burning
        assert {(node.y, node.x): room.value for node, room in made.rooms.items()} == rooms, (seed, act, ascension)
        assert [(*edge.source, *edge.destination) for edge in made.edges] == edges, (seed, act, ascension)
        assert ((elite.y, elite.x), buff) == burning, (seed, act, ascension)


@settings(max_examples=80)
@given(MADE)
def test_maps_keep_the_rules_of_the_game(made):
    assert unused_nodes(made) == ()
    assert {node.y for node in made.starts} == {0}
    assert {node.y for node in made.ends} == {14}
    assert 2 <= len(made.starts) <= 6
    for source, to in made.edges:
        assert to.y == source.y + 1
        assert abs(to.x - source.x) <= 1
        if made.rooms[to] in (Room.REST, Room.SHOP, Room.ELITE, Room.TREASURE):
            assert made.rooms[source] is not made.rooms[to]
    for (one, to), (other, other_to) in combinations(made.edges, 2):
        if one.y == other.y and one.x < other.x:
            assert to.x <= other_to.x  # ways do not cross
    for node, room in made.rooms.items():
        if node.y in (0, 8, 14):
            assert room is {0: Room.MONSTER, 8: Room.TREASURE, 14: Room.REST}[node.y]
            continue
        assert room is not Room.TREASURE
        assert not (room in (Room.REST, Room.ELITE) and node.y < 5)
        assert not (room is Room.REST and node.y == 13)
    for nodes in made.successors.values():
        for one, other in combinations(nodes, 2):
            # Where nothing else may be, a room becomes a monster's, whatever its siblings are.
            if one.y not in (8, 14) and made.rooms[one] is not Room.MONSTER:
                assert made.rooms[one] is not made.rooms[other]
    reached = [to for source, to in made.edges if source.y == 0]
    assert len(reached) == len(set(reached))  # no two starts lead to one room
    node, buff = made.burning
    assert made.rooms[node] is Room.ELITE
    assert buff in ("Strength", "Max HP", "Metallicize", "Regenerate")


@given(SEEDS, st.integers(1, 3), st.sampled_from([(0, 80), (1, 128), (20, 128)]))
def test_numbers_of_rooms_do_not_exceed_their_shares(seed, act, ascension_and_elites):
    ascension, elites = ascension_and_elites
    made = generate(seed, act, ascension=ascension)
    counts = Counter(room for node, room in made.rooms.items() if node.y not in (0, 8, 14))
    n_counted = sum(node.y != 13 for node in made.rooms)

    for room, share in {Room.SHOP: 50, Room.REST: 120, Room.ELITE: elites, Room.EVENT: 220}.items():
        assert counts[room] <= (n_counted * share + 500) // 1000


def test_only_ascension_1_changes_rooms():
    ways = [generate(5, 2, ascension=ascension).edges for ascension in (0, 1, 20)]

    assert ways[0] == ways[1] == ways[2]
    assert generate(5, 2, ascension=1) == generate(5, 2, ascension=20) == generate(5, 2)
    assert generate(5, 2, ascension=0) != generate(5, 2)


def test_signed_and_unsigned_seeds_are_the_same():
    assert generate(-5) == generate(2**64 - 5)
    assert generate(-5) != generate(5)


def test_act_4_is_the_same_in_every_run():
    made = generate(123, 4)

    assert made == generate(-7, 4, ascension=0)
    assert made.rooms == {Node(3, y): room for y, room in enumerate((Room.REST, Room.SHOP, Room.ELITE, Room.BOSS))}
    assert made.edges == tuple(Edge(Node(3, y), Node(3, y + 1)) for y in range(3))


@pytest.mark.parametrize(
    ("act", "ascension", "message"),
    [(0, 20, "there are acts 1 to 4, got 0"), (5, 20, "got 5"), (1, -1, "from 0 to 20, got -1"), (1, 21, "got 21")],
)
def test_invalid_acts_and_ascensions_are_refused(act, ascension, message):
    with pytest.raises(UsageError, match=message):
        generate(1, act, ascension=ascension)


SEED_TEXTS = {
    "673465884448": 673465884448, "AGCK93XT": 673465884448, " agck93xt ": 673465884448, "-5": -5, "+5": 5, "0": 0,
    "A": 10, "P": 24, "Z": 34, "A0": 350, "AO": 350, "ao": 350, "text:10": 35, "TEXT: 1O": 35, "10": 10,
    str(2**63): -(2**63), str(2**64 - 1): -1, str(-(2**63)): -(2**63), "5G24A25UXKXFG": 0, "5G24A25UXKXFF": -1,
}  # fmt: skip


def test_a_seed_is_a_number_or_the_games_text():
    assert {text: parse_seed(text) for text in SEED_TEXTS} == SEED_TEXTS


@given(SEEDS)
def test_seed_text_round_trips(seed):
    text = seed_text(seed)

    assert parse_seed(f"text:{text}") == seed
    assert set(text) <= set("0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ")
    assert len(text) <= 13


@pytest.mark.parametrize(
    "text", ["", "  ", "text:", "AG-K", "1.5", "٣", "AGÇK", "ß", "Z" * 14, "9" * 20, "-9223372036854775809", "9" * 5000]
)
def test_invalid_seeds_raise_one_line_errors(text):
    with pytest.raises(UsageError, match="a seed is a number") as error:
        parse_seed(text)

    assert re.fullmatch(".{,199}", str(error.value))


@pytest.mark.parametrize("seed", [1, 0, -5, 673465884449, 2**63 - 1, -(2**63)])
def test_the_generator_equals_the_reference(seed):
    stream, reference = GameRandom(seed), Stream(seed)

    assert [stream.next_bits() for _ in range(200)] == [reference.next_bits() for _ in range(200)]


def test_known_states_of_the_generator():
    # 0xB456BCFC34C2CB2C is what the last step of MurmurHash3 makes of 1, as its published implementations do.
    stream = GameRandom(1)

    assert (stream._first, stream._second) == (0xB456BCFC34C2CB2C, Stream(1).b)
    assert GameRandom(0).next_bits() == GameRandom(2**63).next_bits() == GameRandom(-(2**63)).next_bits()


def test_below_rejects_the_incomplete_last_block(monkeypatch):
    words = iter([2**64 - 1, 2**64 - 2, 2 * 3 * 10**18])
    stream = GameRandom(1)
    monkeypatch.setattr(stream, "next_bits", lambda: next(words))

    # 2**63 - 1 is 7 modulo 10: 2**63 - 8 to 2**63 - 1 belong to no complete run of ten.
    assert stream.below(10) == 0
    assert next(words, None) is None
