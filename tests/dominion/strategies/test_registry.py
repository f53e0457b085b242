"""The registry of models: each model has all its parts, and `select` calls its kernel."""

import numpy as np
import pytest

from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies import registry
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.breeding import Breeding
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.record import blank_strategies, strategies_of
from evodom.dominion.strategies.select import select
from evodom.errors import UsageError
from evodom.jit.kernel import COMPILED
from evodom.matches.probe import probe_buys
from tests.learning.reference import random_weights

POSITION = "P1: hand 2 Copper, Militia, Smithy, Village; deck 5 Copper, Estate"

WITHOUT_SETTINGS = {
    "random": baseline("random", FIRST_GAME),
    "network": network_strategy(random_weights(np.random.default_rng(1)), FIRST_GAME),
}
"""A strategy of each model without genetics."""


def drawn(setting: str, n: int = 4) -> np.ndarray:
    """Return random strategies of a value of --model."""
    breeding = Breeding(model=setting)
    return strategies_of(registry.genetics_of(setting).random_genomes(n, breeding, np.random.default_rng(1)), breeding)


@pytest.mark.uncompiled
@pytest.mark.skipif(COMPILED, reason="each of these kernels would be compiled once more, as an entry")
@pytest.mark.parametrize("model", registry.MODELS)
def test_select_calls_the_kernel_of_the_model(model):
    settings = [name for name, setting in registry.MODEL_PRESETS.items() if setting.model == model]
    strategy = drawn(settings[0])[0] if settings else WITHOUT_SETTINGS[model]
    first, second = (DominionGame.from_position(POSITION, seed=5) for _ in range(2))
    lineup = Lineup.of([strategy]).arrays
    answers = [int(select(first.rules, first.state, lineup, 0)) for _ in range(30)]
    one = lineup.records[0], lineup.networks[0]
    own = [int(registry.model_named(model).select(second.rules, second.state, *one)) for _ in range(30)]
    assert answers == own


@pytest.mark.parametrize("setting", registry.MODEL_PRESETS)
def test_every_preset_breeds_sound_strategies_that_can_be_written(setting):
    breeding = Breeding(model=setting)
    genetics, rng = registry.genetics_of(setting), np.random.default_rng(2)
    parents = genetics.first_genomes(16, breeding, rng)

    children = genetics.mutate(genetics.cross(parents[:8], parents[8:], breeding, rng), breeding, rng)

    genetics.check_genomes(children, breeding)
    assert 0.0 < genetics.diversity(parents) <= 1.0
    for strategy in strategies_of(children, breeding):
        assert registry.is_sound(strategy)
        text = dump_strategy(strategy, FIRST_GAME, name="x")
        assert dump_strategy(parse_strategy(text).record(FIRST_GAME), FIRST_GAME, name="x") == text
        assert describe_buys(strategy, FIRST_GAME).lists


@pytest.mark.parametrize("setting", registry.MODEL_PRESETS)
def test_without_card_and_with_card_change_the_buys(setting):
    strategy = drawn(setting)[0]

    without = registry.editable_model(strategy).without_card(strategy, "Smithy", FIRST_GAME)
    more = registry.editable_model(strategy).with_card(strategy, "Smithy", 2, FIRST_GAME)

    def bought(changed):
        opening, *_ = probe_buys(changed, FIRST_GAME, 2, n_games=4)
        return max(buys.probabilities.get("Smithy", 0.0) for buys in opening.buys)

    assert bought(without) == 0.0
    assert bought(more) > 0.3


def test_the_random_player_cannot_be_changed_or_bred():
    strategy = baseline("random", FIRST_GAME)

    with pytest.raises(UsageError, match="a random strategy cannot be changed"):
        registry.editable_model(strategy).without_card(strategy, "Smithy", FIRST_GAME)
    assert registry.model_of(strategy).genetics is None


def test_models_are_registered_by_name_and_a_record_without_one_is_not_sound():
    assert [registry.model_of(blank_strategies(1, name)[0]).name for name in registry.MODELS] == list(registry.MODELS)
    assert [registry.model_named(name).name for name in registry.MODELS] == list(registry.MODELS)
    assert registry.model_index("buy-list") == registry.MODELS.index("buy-list")
    with pytest.raises(KeyError):
        registry.model_named("menu")

    strategy = blank_strategies(1, "random")[0]
    assert registry.is_sound(strategy)
    for kind in (-1, len(registry.MODELS)):
        strategy.kind = kind
        assert not registry.is_sound(strategy)
