"""Weights of options: in strategy files, as genes of both evolved models, and their effect on choices."""

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.model import MODEL as LISTS
from evodom.dominion.strategies.play.menu_weights import GENE_WEIGHTS, OPTION_NAMES, OPTION_VALUES
from evodom.dominion.strategies.record import strategies_of
from evodom.evolution.options import Options
from tests.dominion.helpers import after, kingdom_of, the_choice

pytestmark = pytest.mark.uncompiled

KINGDOM = Kingdom(("Smithy", "Steward", "Torturer", "Village"))


@pytest.mark.parametrize(
    ("position", "played", "weights", "chosen"),
    [
        ("P1: hand Steward, 2 Estate, 2 Copper; deck 3 Copper, 2 Estate", "Steward", {"trashing": 0}, "coins"),
        (
            "P1: hand Steward, 2 Estate, 2 Copper; deck 3 Copper, 2 Estate", "Steward", {"trashing": 0, "coins": 0},
            "cards",
        ),
        ("P1: hand Nobles, Smithy, Copper; deck 5 Copper", "Nobles", {"actions": 0}, "cards"),
        ("P1: hand Courtier, Gold, Copper", "Courtier | Gold", {"gains": 5}, "gold"),
        ("P1: hand Courtier, 4 Gold, Copper", "Courtier | Gold", {"gains": 0, "buys": 2}, "buys"),
        ("P1: hand Torturer; deck 5 Copper | P2: hand 2 Copper, 3 Gold", "Torturer", {"discards": 3}, "curse"),
        ("P1: hand Torturer; deck 5 Copper | P2: hand 5 Gold", "Torturer", {"curses": 10}, "discard"),
        ("P1: hand Minion, 2 Gold, Estate; deck 5 Copper | P2: hand 5 Gold", "Minion", {"harm": 20}, "discard"),
        ("P1: hand Minion, 2 Gold, Estate; deck 5 Copper | P2: hand 4 Gold", "Minion", {"harm": 20}, "coins"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("head", ['buy = ["Province", "Gold", "Silver"]', 'model = "preferences"'])
def test_a_weight_decides_between_options(head, position, played, weights, chosen):
    numbers = "".join(f"{name} = {n}\n" for name, n in weights.items())
    early = "[early]\nProvince = 9\nGold = 3\nSilver = 1\n" if "preferences" in head else ""
    kingdom = kingdom_of(position)
    strategy = parse_strategy(f"{head}\n{early}[option_values]\n{numbers}").record(kingdom)

    assert the_choice(after(position, *played.split(" | "), kingdom=kingdom), strategy, 1) == chosen


@pytest.mark.parametrize(("buy", "chosen"), [("Village", ["gain", "Village"]), ("Gold", ["trash", "Lurker"])])
def test_a_list_gains_only_wanted_cards_from_the_trash(buy, chosen):
    position = "P1: hand Lurker | trash: Village, Nobles"
    strategy = buy_list_strategy(BuyList((buy,)), kingdom_of(position))
    option = the_choice(after(position, "Lurker", kingdom=kingdom_of(position)), strategy)

    assert [option, the_choice(after(position, "Lurker", option, kingdom=kingdom_of(position)), strategy)] == chosen


def test_weights_are_written_to_files_and_in_words_unless_they_are_defaults():
    strategy = buy_list_strategy(BuyList(("Gold",), option_values={"coins": 2, "harm": 0.25}), KINGDOM)

    assert "[option_values]\ncoins = 2.0\nharm = 0.25\n" in dump_strategy(strategy, KINGDOM, name="x")
    assert LISTS.describe_buys(strategy, KINGDOM).notes == (
        "among the options of a card, weigh coins more",
        "among the options of a card, weigh harm less",
    )
    assert "option_values" not in dump_strategy(buy_list_strategy(BuyList(("Gold",)), KINGDOM), KINGDOM, name="x")


@pytest.mark.parametrize("model", ["graded", "buy-list"])
def test_weights_of_the_cards_of_a_genome_are_genes(model):
    """Steward is in the decks. Its player chooses; a Torturer of any deck lets opponents choose."""
    options = Options(model=model, kingdom=KINGDOM, worth_mutation=1.0)
    rng = np.random.default_rng(1)
    genomes = options.genetics.random_genomes(200, options, rng)
    assert not genomes["option_values"].any()

    for _ in range(30):
        options.genetics.mutate(genomes, options, rng)
    options.genetics.check_genomes(genomes, options)

    changed = {name for name, n in zip(OPTION_NAMES, genomes["option_values"].any(axis=0), strict=True) if n}
    assert changed == {"coins", "cards", "trashing", "discards", "curses"}
    found = strategies_of(genomes, options)["option_values"]
    expected = np.array((0, *GENE_WEIGHTS))[genomes["option_values"]]
    expected = np.where(genomes["option_values"] > 0, expected, tuple(OPTION_VALUES.values()))
    assert (found == expected).all()
    best = genomes[genomes["option_values"].any(axis=1).argmax()][None]
    n = np.count_nonzero(best["option_values"])
    parts = options.genetics.without_one_part(best, options)["option_values"]
    assert (np.count_nonzero(parts, axis=1) == n - 1).sum() == n


@pytest.mark.parametrize("model", ["graded", "buy-list"])
def test_kingdoms_without_options_have_no_such_genes(model):
    options = Options(model=model, kingdom=FIRST_GAME, worth_mutation=1.0)
    genomes = options.genetics.random_genomes(50, options, np.random.default_rng(1))
    options.genetics.mutate(genomes, options, np.random.default_rng(2))

    assert "option_values" not in genomes.dtype.names or not genomes["option_values"].any()
