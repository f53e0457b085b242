"""Policies exported from PyTorch: they play in their kingdom or in all kingdoms; bad modules are refused."""

import re
from importlib.util import find_spec
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.environments import export
from evodom.environments.dominion import DominionEnv
from evodom.errors import AgentError, UsageError
from evodom.matches import Venue, load_agent
from evodom.matches.observations import BY_CARD, FEATURES, TRAIT_NAMES

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "agents.md").read_text()
OTHER = Kingdom(("Chapel", "Steward", "Wharf", "Colony"))
TABLES, SEEDS = np.array([[0, 1], [1, 0]], np.int32), np.arange(2, dtype=np.uint64)


class Dearest(torch.nn.Module):
    """Prefer the place with the dearest card."""

    def forward(self, state, piles, traits, present):
        return traits[:, :, TRAIT_NAMES.index("cost")] + 0 * present.sum() + 0 * state.sum() + 0 * piles.sum()


class Fixed(torch.nn.Module):
    """Return 7 logits."""

    def forward(self, observations):
        return observations[:, :7]


HAS_ONNX = all(map(find_spec, ("onnxscript", "onnxruntime")))
ENDINGS = [
    ".pt2",
    pytest.param(".onnx", marks=pytest.mark.skipif(not HAS_ONNX, reason="onnxscript or ONNX Runtime is not installed")),
]


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_exported_policy_of_features_plays_in_its_kingdom(tmp_path, ending):
    env, file = DominionEnv("First Game", scaled=True), tmp_path / f"mine{ending}"
    torch.manual_seed(1)
    network = torch.nn.Linear(*env.observation_space.shape, int(env.action_space.n))
    network.train()
    export(network, file, env)
    assert network.training
    policy = load_agent(str(file))
    assert (policy.observation, policy.made_for) == (FEATURES, FIRST_GAME)
    for n in (1, 5):
        given = np.random.default_rng(1).random((n, *env.observation_space.shape), np.float32)
        expected = network(torch.from_numpy(given)).detach().numpy()
        assert np.allclose(policy.policy(given, np.ones(expected.shape, np.bool_)), expected, atol=1e-5)
    assert Venue(FIRST_GAME, 2).play([policy, policy], TABLES, SEEDS)["win"].sum() == 2
    with pytest.raises(UsageError, match="was made for another kingdom"):
        Venue(OTHER, 2).play([policy, policy], TABLES, SEEDS)


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_exported_policy_of_cards_plays_in_all_kingdoms(tmp_path, ending):
    env = gymnasium.make_vec("evodom/Dominion-v1", num_envs=2, kingdom="random", observation="cards")
    file = tmp_path / f"mine{ending}"
    export(Dearest(), str(file), env)
    policy = load_agent(str(file))
    assert (policy.observation, policy.made_for) == (BY_CARD, None)
    for kingdom in (FIRST_GAME, OTHER):
        assert (Venue(kingdom, 2).play([policy, policy], TABLES, SEEDS)["turns"] < 100).all()


def test_the_example_of_the_guide_writes_a_policy(tmp_path, monkeypatch):
    (example,) = (code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "export(" in code)
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    assert load_agent("policy.pt2").made_for == FIRST_GAME


def test_what_cannot_be_exported_is_refused_in_one_line(tmp_path, capfd):
    env = DominionEnv("First Game", scaled=True)
    with pytest.raises(UsageError, match=r"env returns unscaled observations, .* Train with scaled=True"):
        export(Fixed(), tmp_path / "mine.pt2", DominionEnv("First Game"))
    with pytest.raises(UsageError, match=r"path is 'mine.pt'. Allowed: a name that ends in .onnx or .pt2"):
        export(Fixed(), "mine.pt", env)
    with pytest.raises(UsageError, match=r"env is 'First Game'. Allowed: an environment of gymnasium.make"):
        export(Fixed(), "mine.pt2", "First Game")
    with pytest.raises(AgentError, match=r"the module cannot be exported: AttributeError"):
        export(None, tmp_path / "mine.pt2", env)
    with pytest.raises(AgentError, match=r"returned float32 of shape \(1, 7\). Expected: .* floats of shape \(1, 18\)"):
        export(Fixed(), tmp_path / "mine.pt2", env)
    assert not [*tmp_path.iterdir()], "a file is written only if it can play"
    assert capfd.readouterr() == ("", "")


def test_a_fixed_number_of_observations_is_refused_when_the_file_is_loaded(tmp_path):
    file = tmp_path / "mine.pt2"
    torch.export.save(torch.export.export(Fixed(), (torch.zeros(3, 9),)), file)
    with pytest.raises(UsageError, match=r"takes exactly 3 observations in one call. Write it with evodom"):
        load_agent(str(file))
