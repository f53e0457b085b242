"""Policies as players: batches and single games agree, the results are those of an equal agent, bad answers."""

import base64
import logging
import sys

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import AgentError, UsageError
from evodom.matches import Entrant, Venue, as_agent, as_policy, load_agent, play_match
from evodom.matches.agents import play_game
from tests.effort import effort

WANTED = ("Province", "Gold", "Silver")
NUMBERS = [FIRST_GAME.pile(card) for card in WANTED]
N_ACTIONS = FIRST_GAME.n_columns + 1


def big_money(observations, masks):
    """Return logits that prefer Province, Gold, Silver, then the last legal action."""
    logits = np.tile(np.arange(N_ACTIONS, dtype=np.float32), (len(masks), 1))
    for place, number in enumerate(NUMBERS):
        logits[:, number] = 100 - place
    return logits


def greedy(view, decision):
    """Choose like `big_money`."""
    answers = [answer.name for answer in decision.consequences]
    return next((card for card in WANTED if card in answers), answers[-1])


N_GAMES = effort(60, 18, 18)
TABLES = np.array([[0, 1], [1, 0]] * (N_GAMES // 2), np.int32)
SEEDS = np.arange(N_GAMES, dtype=np.uint64)


def results_with(player):
    """Return the results of games against a baseline."""
    return Venue(FIRST_GAME, 2).play([player, baseline("big-money-smithy", FIRST_GAME)], TABLES, SEEDS)


def test_a_policy_plays_the_games_of_an_equal_agent():
    policy = as_policy(big_money, "policy")
    results = results_with(policy)
    assert (results == results_with(as_agent(greedy, "greedy"))).all()
    assert 0 < results["win"].mean() < 1
    seated = [policy, baseline("big-money-smithy", FIRST_GAME)]
    assert play_game(FIRST_GAME, seated, 0) == results[0]


def test_policies_agents_and_strategies_share_a_match():
    players = {
        "policy": as_policy(big_money, "policy"),
        "agent": as_agent(greedy, "agent"),
        "big-money": baseline("big-money", FIRST_GAME),
    }
    entrants = [Entrant(name, (name,), player) for name, player in players.items()]
    found = play_match(Venue(FIRST_GAME, 3, seed=1), entrants, n_games=60)
    wins = {row.name: row.win.share for row in found.standings}
    assert sum(wins.values()) == pytest.approx(1)
    assert min(wins.values()) > 0.1


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda observations, masks: np.zeros((len(masks), 3)), r"returned float64 of shape \(\d+, 3\). Expected: "),
        (lambda observations, masks: np.zeros(len(masks)), r"returned float64 of shape .* Expected: action numbers"),
        (lambda observations, masks: np.full(masks.shape, np.nan), "returned NaN as the logit of a legal action"),
        (lambda observations, masks: np.full(len(masks), 5), "returned action 5. Legal there: 0, "),
        (lambda observations, masks: np.full(len(masks), -1), "returned action -1. Legal there: 0, "),
        (lambda observations, masks: np.full(len(masks), -(2**62)), f"returned action {-(2**62)}. Legal there: 0, "),
        (lambda observations, masks: 1 / 0, "failed: ZeroDivisionError"),
    ],
)
def test_bad_answers_are_refused_in_one_line(act, message):
    with pytest.raises(AgentError, match=message):
        results_with(as_policy(act, "mine"))


def test_a_policy_cannot_change_its_inputs():
    def act(observations, masks):
        observations[:] = 0
        masks[:] = True
        return np.full(len(masks), NUMBERS[0])

    with pytest.raises(AgentError, match="Legal there"):
        results_with(as_policy(act, "mine"))


def test_a_policy_is_loaded_by_its_attribute(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import numpy as np\n\n\ndef agent(observations, masks):\n    assert observations.dtype == np.float32\n"
        "    return masks.astype(float)\n\n\nagent.takes_observations = agent.scaled = True\n"
    )
    loaded = load_agent(str(file))
    assert loaded.scaled
    assert results_with(loaded)["win"][:, 0].mean() < 0.6


def test_files_of_policies(tmp_path):
    with pytest.raises(UsageError, match=r"there is no file no.onnx. Name a policy"):
        load_agent("no.onnx")
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"nothing")
    with pytest.raises(UsageError, match="cannot be read as ONNX"):
        load_agent(str(bad))


NOISY_TORCH = """
import logging, sys, types, warnings
from tests.effort import effort

sys.stderr.handler = logging.StreamHandler(sys.stderr)
logging.getLogger("torch").addHandler(sys.stderr.handler)

def load(path):
    warnings.warn("an old pickle")
    logging.getLogger("torch").warning("Ran into the following error %s", "when deserializing")
    if path.read_bytes():
        raise SystemExit(0)
    raise RuntimeError("not a ZIP archive\\nmore")

export = types.SimpleNamespace(load=load)
"""


def test_a_damaged_file_of_pytorch_is_refused_without_its_log(tmp_path, monkeypatch, capfd):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    (tmp_path / "torch.py").write_text(NOISY_TORCH)
    for content, message in {b"": "RuntimeError: not a ZIP archive", b"x": "SystemExit: 0"}.items():
        file = tmp_path / "bad.pt2"
        file.write_bytes(content)
        with pytest.raises(UsageError, match=rf"bad\.pt2 cannot be read as PyTorch: {message} \(") as refused:
            load_agent(str(file))
        assert "\n" not in str(refused.value)
    sys.modules.pop("torch")
    logging.getLogger("torch").handlers.clear()
    assert capfd.readouterr() == ("", "")
    logging.getLogger("torch").warning("logged again")
    assert logging.root.manager.disable == 0


IMPOSSIBLE_RESHAPE = base64.b64decode(
    "CAg6YAoSCgF4CgFzEgF5IgdSZXNoYXBlEgFnKhkIAhAHQgFzShALAAAAAAAAAP//////////WhUKAXgSEAoOCAESCgoDEgFuCgMSAWZiFQoBeRIQ"
    "Cg4IARIKCgMSAW4KAxIBYUIECgAQDQ=="
)
"""A model of ONNX that reshapes its input to 11 rows."""


def test_a_model_of_onnx_that_fails_prints_no_log(tmp_path, capfd):
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    file = tmp_path / "run.onnx"
    file.write_bytes(IMPOSSIBLE_RESHAPE)
    with pytest.raises(AgentError, match=r"run\.onnx' failed: .*requested shape:\{11,-1\}") as failed:
        results_with(load_agent(str(file)))
    assert "\n" not in str(failed.value)
    assert capfd.readouterr() == ("", "")


def test_a_kingdom_with_other_actions_is_refused_by_shape():
    small = Kingdom(("Chapel", "Steward"))
    venue = Venue(small, 2)
    policy = as_policy(lambda observations, masks: np.zeros((len(masks), N_ACTIONS)), "mine")
    with pytest.raises(AgentError, match=r"Expected: .* or logits, floats of shape \(\d+, 21\)"):
        venue.play([policy, baseline("big-money", small)], TABLES[:2], SEEDS[:2])
