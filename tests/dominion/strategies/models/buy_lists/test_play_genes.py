"""Genes of the play of buy lists: their strategy files, and their effect on games."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.cards import BASIC, COPPER
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.models.buy_lists import genetics
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.language import parse_rules
from evodom.dominion.strategies.models.buy_lists.model import MODEL
from evodom.dominion.strategies.play_genes import MAX_GENES, PLAY_GENES, change_play
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.options import Options
from evodom.matches.venue import Venue
from tests.dominion.strategies.drawn import rng
from tests.effort import effort

KINGDOM = Kingdom(("Chapel", "Council Room", "Sentry", "Witch"))
OPTIONS = Options(model="buy-list", kingdom=KINGDOM)
LIST = "Province", "Gold", "Chapel if count_in_deck(Chapel) < 1", "Witch if count_in_deck(Witch) < 2", "Silver"
CHAPEL, WITCH = len(BASIC), len(BASIC) + 3


def genome(**genes):
    """Return LIST with some genes: a number, or numbers by pile."""
    one = genetics.genome_of([rule for text in LIST for rule in parse_rules(text)], KINGDOM)
    for key, value in genes.items():
        for pile, number in value.items() if isinstance(value, dict) else [((), value)]:
            one[key][(0, pile) if pile != () else 0] = number
    return one


def record_of(one):
    return MODEL.reachable(strategies_of(one, OPTIONS)[0], KINGDOM)


def numbers_up_to(key):
    n = st.integers(0, MAX_GENES[key])
    shape = PLAY_GENES[key].shape
    return st.dictionaries(st.integers(0, min(len(KINGDOM.piles), *shape) - 1), n, max_size=4) if shape else n


@given(st.fixed_dictionaries({key: numbers_up_to(key) for key in PLAY_GENES}))
@settings(deadline=None, max_examples=effort(50, 5, 5))
def test_a_genome_is_the_record_of_its_strategy_file(genes):
    record = record_of(genome(**genes))
    text = dump_strategy(record, KINGDOM, name="x")
    is_default = {key: not (any(genes[key].values()) if PLAY_GENES[key].shape else genes[key]) for key in PLAY_GENES}

    assert parse_strategy(text).record(KINGDOM) == record
    assert {key: f"{key} =" not in text and f"[{key}]" not in text for key in PLAY_GENES} == is_default


def test_without_explicit_genes_a_list_has_the_default_play():
    assert record_of(genome()) == buy_list_strategy(BuyList(LIST, endgame_check=True), KINGDOM)
    assert not any(genetics.random_genomes(50, OPTIONS, rng())[key].any() for key in PLAY_GENES)


@pytest.mark.parametrize(
    ("genes", "field", "words"),
    [
        ({"trash_below": 1}, {"trash_below": 1}, "where trashing is optional, trash cards up to the value of Curse"),
        ({"coin_floor": 1}, {"coin_floor": 0}, "keep $0 in the deck when Treasures are trashed"),
        ({"deck_value": {COPPER: 4}}, {"deck_value": {"Copper": 25}}, "when trashing, keep Copper rather than Gold"),
        ({"play": {WITCH: 11, CHAPEL: 1}}, {"play": {"Chapel": 1, "Witch": 41}}, "play Chapel before Witch"),
    ],
)
def test_a_gene_is_a_field_of_the_list_and_changes_games(genes, field, words):
    changed, default = record_of(genome(**genes)), record_of(genome())
    games = [
        Venue(KINGDOM, 2).play(
            np.array([one, default]), np.tile(np.arange(2, dtype=np.int32), (20, 1)), np.arange(20, dtype=np.uint64)
        )
        for one in (changed, default)
    ]

    assert changed == buy_list_strategy(BuyList(LIST, endgame_check=True, **field), KINGDOM)
    assert "; ".join(MODEL.describe_buys(changed, KINGDOM).notes) == words
    assert games[0].tobytes() != games[1].tobytes()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"play": {"Chapel": 30}}, ""),
        ({"play": {"Witch": 40}}, "play Witch after Chapel"),
        ({"hand_value": {"Chapel": 3}}, "discard Chapel first"),
        (
            {"hand_value": {"Chapel": 18, "Gold": 45}},
            "when discarding, keep Gold rather than Silver; when discarding, keep Chapel rather than Copper",
        ),
        ({"discard_to": 5}, "where discarding is optional, discard nothing"),
        ({"discard_to": 15}, "where discarding is optional, discard cards up to the value of Copper"),
        (
            {"option_values": {"coins": 2, "harm": 0, "gains": 0}},
            "among the options of a card, weigh coins more; among the options of a card, weigh gains and harm less",
        ),
    ],
)
def test_notes_say_what_changes_in_play_and_no_numbers(fields, words):
    strategy = buy_list_strategy(BuyList(LIST, **fields), KINGDOM)

    assert "; ".join(MODEL.describe_buys(strategy, KINGDOM).notes) == words


@pytest.mark.parametrize(
    ("bought", "fields"),
    [
        ("", {"discard_to", "hand_value"}),
        ("Smithy", {"discard_to", "hand_value"}),
        ("Smithy,Village", {"discard_to", "hand_value", "play"}),
        ("Chapel", {"discard_to", "hand_value", "trash_below", "coin_floor", "deck_value"}),
    ],
)
def test_only_fields_of_choices_that_a_list_makes_change(bought, fields):
    """An Attack of others lets every player discard. A list has two Actions for an order, and a card that trashes."""
    options = Options(model="buy-list", kingdom=Kingdom(("Chapel", "Militia", "Smithy", "Village")))
    cards = [card for card in bought.split(",") if card]
    lists = np.repeat(genetics.genome_of([rule for card in cards for rule in parse_rules(card)], options.kingdom), 500)

    change_play(lists, genetics.cards_of(lists), options, rng())

    assert {key for key in PLAY_GENES if lists[key].any()} == fields
    assert {options.kingdom.names[pile] for pile in np.flatnonzero(lists["hand_value"].any(axis=0))} == {
        "Copper", "Estate", *cards
    }  # fmt: skip
    assert {options.kingdom.names[pile] for pile in np.flatnonzero(lists["play"].any(axis=0))} <= {*cards}


def test_children_and_merged_lists_have_the_genes_of_their_parents():
    first, second = genome(coin_floor=3), genome(trash_below=2, play={WITCH: 1})
    fitter, other = (Options(model="buy-list", kingdom=KINGDOM, fitter_bias=bias) for bias in (1.0, 0.0))

    assert genetics.cross(first, second, fitter, rng()) == first
    assert genetics.cross(first, second, other, rng()) == second
    assert genetics.merge(genome(), np.concatenate([first, second])) == genome(
        coin_floor=3, trash_below=2, play={WITCH: 1}
    )


def test_an_explicit_play_value_is_a_part_of_a_list():
    parts, default = (
        genetics.without_one_part(genome(coin_floor=3, play={WITCH: 1}), OPTIONS),
        genetics.without_one_part(genome(), OPTIONS),
    )

    assert len(parts) == len(default) + 2
    assert {one.tobytes() for one in parts} >= {genome(coin_floor=3).tobytes(), genome(play={WITCH: 1}).tobytes()}
