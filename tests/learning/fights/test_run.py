"""Saved trainings for fights: damaged runs are refused."""

import numpy as np
import pytest

from evodom.errors import RunError, UsageError
from evodom.learning.fights import ACT, RECIPES, FightOptions, Recipe, is_for_fights
from evodom.learning.fights.run import carry_on, fights_of, network_of, options_of, start
from evodom.learning.fights.training import FightTraining
from evodom.matches.entrants import check_run
from evodom.runs import Generation, RunStore, new_meta
from evodom.spire.play.estimates import estimate
from evodom.spire.play.network import FIRST_MOVE_OUTPUT, GAIN_OUTPUT
from evodom.spire.play.searcher import FightSearchOptions
from evodom.tasks import Workers
from tests.saved import contents

FIGHT = 'enemies = "Cultist"\nenemy_hp = [18]\nhp = 30\ndeck = "3 Strike, 3 Defend, Bash"\nrelics = []\n'
RECIPE = Recipe(window=2, rate=(0.01, 0.003), played_out=1)
OPTIONS = FightOptions((FIGHT,), iterations=4, games=12, simulations=12, width=16, recipe=RECIPE)
SEED = 3


def begun(root, key="tiny", options=OPTIONS):
    return start(key, options, SEED, store=RunStore(root))


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    with begun(root) as run:
        assert carry_on(run)
    return root


def test_every_iteration_is_saved(root):
    saved = contents(root, "tiny")

    assert [summary["games"] for *_, summary in saved] == [0, 12, 24, 36, 48]
    assert len({weights for weights, *_ in saved}) == 5
    assert all(summary["positions"] > 12 for *_, summary in saved[1:])
    with RunStore(root).open("tiny") as run:
        assert is_for_fights(run)
        assert options_of(run) == OPTIONS
        assert fights_of(run)[0].setup.hp == 30


def test_learning_raises_the_payoff(tmp_path):
    hard = 'enemies = "Jaw Worm"\nenemy_hp = [30]\nhp = 30\ndeck = "4 Strike, 4 Defend, Bash"\nrelics = []\n'
    options = FightOptions((hard,), iterations=4, games=40, simulations=16, width=16, recipe=RECIPE)
    with begun(tmp_path, "longer", options) as run:
        (fight,) = fights_of(run)
        carry_on(run, Workers(None, 2))
        before, after = (
            estimate(fight, 40, FightSearchOptions(4, network=network_of(run, n)), 1, 2).hp.value for n in (0, 4)
        )

    assert after > before + 5


def test_a_fight_without_choices_is_refused(tmp_path):
    options = FightOptions((FIGHT.replace("3 Strike, 3 Defend, Bash", "5 Wound"),), games=2, simulations=2)
    with begun(tmp_path, "idle", options) as run, pytest.raises(UsageError, match="never a choice"):
        carry_on(run)


def test_two_decks_have_one_network(tmp_path):
    other = FIGHT.replace("Bash", "Bash, Pommel Strike")
    options = FightOptions((FIGHT, other), iterations=1, games=6, simulations=6, width=8)
    with begun(tmp_path, "both", options) as run:
        carry_on(run)
        assert "piles hand Pommel Strike" in network_of(run).features.inputs
        assert len(fights_of(run)) == 2


def test_the_gain_output_of_the_act_network_is_0_if_wins_are_paid():
    def gain(fight):
        network = FightTraining(FightOptions((fight,), recipe=RECIPES[ACT], begin=ACT), SEED).first()
        last = network.weights[-(network.width + 1) * (FIRST_MOVE_OUTPUT + len(network.features.outputs)) :]
        return last.reshape(network.width + 1, -1)[:, GAIN_OUTPUT]

    assert gain(FIGHT).any()
    assert not gain(FIGHT + '[payoff]\nkind = "win"\n').any()


def test_invalid_settings_are_refused():
    for numbers in ({"iterations": 0}, {"games": 1}, {"simulations": 1}, {"width": 4}, {"width": 100_000}):
        with pytest.raises(UsageError, match="Allowed: "):
            FightOptions((FIGHT,), **numbers)


SAVED = {name: list(one) if isinstance(one, tuple) else one for name, one in OPTIONS.to_json().items()}


def with_recipe(**changes):
    recipe = {name: list(one) if isinstance(one, tuple) else one for name, one in SAVED["recipe"].items()}
    return {**SAVED, "recipe": recipe | changes}


def refusal(root, tmp_path, use, *, meta=None, changes=None, genomes=None):
    """Return the message for a run with other entries of its meta, of its summary, or with other networks."""
    with RunStore(root).open("tiny") as run:
        entries, first, last = run.meta | (meta or {}), run.generation(0), run.generation(1)
    genomes = last.genomes if genomes is None else genomes(last.genomes)
    broken = Generation(1, genomes, np.zeros(len(genomes), np.int32), last.summary | (changes or {}))
    with (
        RunStore(tmp_path).create("broken", entries, [first, broken], overwrite=True) as run,
        pytest.raises(RunError, match="run 'broken'") as error,
    ):
        use(run)
    assert "\n" not in str(error.value)
    return str(error.value)


def damaged(member, name, place, value):
    changed = member.copy()
    changed[name][0][place] = value
    return changed


DAMAGES = [
    lambda member: damaged(member, "weights", 5, np.nan),
    lambda member: damaged(member, "weights", 5, 1e30),
    lambda member: damaged(member, "mean", 5, np.inf),
    lambda member: damaged(member, "square", 5, -1.0),
    lambda member: np.zeros(1, [("weights", "<f4", (7,)), ("mean", "<f4", (7,)), ("square", "<f4", (7,))]),
    lambda member: np.concatenate([member, member]),
    lambda member: member.astype([(name, "<f8", member.dtype[name].shape) for name in member.dtype.names]),
]


def test_a_network_that_no_kernel_may_receive_is_refused(root, tmp_path):
    for damage in DAMAGES:
        message = refusal(root, tmp_path, network_of, genomes=damage)
        assert "holds a network this version cannot use" in message


SETTINGS = [
    {"features": None},
    {"features": {"inputs": ["energy"], "scales": [], "outputs": ["end"]}},
    {"features": {"inputs": ["energy"], "scales": [1e9], "outputs": ["end"]}},
    {"features": {"inputs": "energy", "scales": [1.0] * 6, "outputs": ["end"]}},
    {"features": {"inputs": ["energy"], "scales": [True], "outputs": ["end"]}},
    *({"options": options} for options in ({}, None, SAVED | {"luck": 3})),
    *({"options": SAVED | {"recipe": recipe}} for recipe in ({"luck": 3}, None)),
    *({"options": SAVED | {"games": games}} for games in ("12", True, 12.0, 10**9)),
    *({"options": SAVED | {"fights": fights}} for fights in (FIGHT, [3], [])),
    *({"options": with_recipe(rate=rate)} for rate in (0.01, [0.01])),
    *({"options": with_recipe(window=window)} for window in (0, 2.5)),
    {"options": with_recipe(shares=[1, 20, -1])},
    {"options": with_recipe(batch=True)},
    {"options": with_recipe(noise="0.25")},
]


def test_a_run_with_other_settings_or_figures_is_refused(root, tmp_path):
    for meta in SETTINGS:
        assert refusal(root, tmp_path, network_of, meta=meta)
    figures = [("games", True), ("games", -1), ("games", 12.0), ("value", "7"), ("deaths", None), ("straight", 3)]
    figures += [("straight", [1, 2]), ("straight", [1, 2, "3"]), ("loss_gain", None)]
    for name, value in figures:
        assert f": {name}" in refusal(root, tmp_path, check_run, changes={name: value})


def test_a_run_of_another_kind_is_refused(store):
    first = Generation(0, np.zeros(1, [("n", "<i4")]), np.zeros(1, np.int32), {})
    with (
        store.create("other", new_meta({}, 1, ""), [first]) as run,
        pytest.raises(UsageError, match="run 'other' is not one of fights"),
    ):
        network_of(run)
