"""Maps generated from seeds, compared with four known files, a second implementation and the rules of maps."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evodom.errors import UsageError
from evodom.spire.map import Edge, Node, Room, generate, map_to_json, unused_nodes
from evodom.spire.map.generate import GameRandom, parse_seed, seed_text
from tests.effort import effort
from tests.spire.map.reference import Stream, reference_map

MAPS = Path(__file__).parent.parent.parent / "data" / "maps"

SEEDS = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("seed", "act", "ascension"), [(0, 1, 0), (1, 3, 20), (673465884448, 1, 20), (673465884448, 2, 1)]
)
def test_known_maps_are_generated_byte_for_byte(seed, act, ascension):
    expected = (MAPS / f"{seed}{'' if ascension else '_A0'}_Act{act}.json").read_bytes()

    assert map_to_json(generate(seed, act, ascension=ascension)).encode() == expected


@settings(max_examples=effort(200, 20, 20))
@given(SEEDS, st.integers(1, 3), st.sampled_from([0, 1, 20]))
# Maps on which a path at the left edge is drawn again, one column further right.
@example(57, 3, 20)
@example(203, 2, 20)
@example(402, 1, 20)
# Seeds that wrap around or become 0 when the number of the act is added.
@example(2**63 - 1, 1, 20)
@example(2**63 - 1, 2, 20)
@example(2**63 - 1, 3, 20)
@example(-1, 1, 20)
@example(-200, 2, 20)
@example(-600, 3, 20)
def test_maps_equal_those_of_the_reference_algorithm(seed, act, ascension):
    """The reference algorithm keeps the rules of the game."""
    made = generate(seed, act, ascension=ascension)
    rooms, edges, burning = reference_map(seed, act, ascension)
    elite, buff = made.burning

    assert {(node.y, node.x): room.value for node, room in made.rooms.items()} == rooms
    assert [(*edge.source, *edge.destination) for edge in made.edges] == edges
    assert ((elite.y, elite.x), buff) == burning
    assert unused_nodes(made) == ()
    assert {node.y for node in made.starts} == {0}
    assert {node.y for node in made.ends} == {14}


def test_maps_of_the_highest_ascension_are_the_default():
    assert generate(5, 2) == generate(5, 2, ascension=20)


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


def test_known_states_of_the_generator():
    # 0xB456BCFC34C2CB2C is the last step of MurmurHash3 for 1, in its published implementations.
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
