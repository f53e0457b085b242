"""Policies as players: batches and single games agree, the results are those of an equal agent, bad answers."""

import base64
import json
import logging
import sys

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import AgentError, EvodomError, UsageError
from evodom.matches import Entrant, Venue, as_agent, as_policy, load_agent, play_match, policy_files
from evodom.matches.agents import play_game
from evodom.matches.entrants import find_entrants
from evodom.matches.observations import BY_CARD, FEATURES, N_PLACES, PlaceObservations
from evodom.matches.policy_files import Loaded, load_policy, metadata_of
from evodom.runs import RunStore
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

def load(path, extra_files):
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


# Observations by card.

OTHER = Kingdom(("Chapel", "Steward", "Wharf", "Colony"))


def big_money_by_card(observations, masks):
    """Return the places of Province, Gold or Silver, which have the same numbers in all kingdoms, or the last place."""
    assert {*observations} == {*PlaceObservations._fields}
    assert all(len(array) == len(masks) for array in observations.values())
    assert (masks <= observations["present"].astype(bool)).all()
    wanted = masks[:, NUMBERS]
    last = N_PLACES - 1 - masks[:, ::-1].argmax(axis=1)
    return np.where(wanted.any(axis=1), np.array(NUMBERS)[wanted.argmax(axis=1)], last)


big_money_by_card.takes_observations = "cards"


def test_a_policy_of_cards_plays_the_games_of_an_equal_policy_of_features():
    policy = as_agent(big_money_by_card, "cards")
    results = results_with(policy)
    assert (results == results_with(as_policy(big_money, "features"))).all()
    assert play_game(FIRST_GAME, [policy, baseline("big-money-smithy", FIRST_GAME)], 0) == results[0]


def test_a_policy_of_cards_plays_in_kingdoms_with_other_actions():
    results = Venue(OTHER, 2).play([as_agent(big_money_by_card, "cards"), baseline("random", OTHER)], TABLES, SEEDS)
    assert np.where(TABLES[:, 0] == 0, results["win"][:, 0], results["win"][:, 1]).mean() > 0.9


def test_a_place_without_an_action_is_refused():
    act = as_policy(lambda observations, masks: np.full(len(masks), N_PLACES - 1), "mine", observation=BY_CARD)
    with pytest.raises(AgentError, match=r"returned action 42. Legal there: 0, "):
        results_with(act)


@pytest.mark.parametrize("kind", ["card", 1, None])
def test_an_unknown_kind_of_observations_is_refused(kind):
    def act(observations, masks):
        return masks

    act.takes_observations = kind
    with pytest.raises(UsageError, match=r"'mine': takes_observations is .*\. Allowed: True, 'features', 'cards'"):
        as_agent(act, "mine")


# Files and their metadata. The libraries that read the files are replaced, except in the tests of `environments`.


@pytest.fixture
def policy_file(tmp_path, monkeypatch):
    """Return a function that writes a file of a policy with the given inputs and metadata."""
    written = {}
    monkeypatch.setattr(policy_files, "_load_torch", lambda path: written[path.name])

    def write(metadata="", *, act=big_money, shapes=(("n", 1),), name="mine.pt2"):
        path = tmp_path / name
        path.touch()
        written[name] = Loaded(act, shapes, metadata)
        return path

    return write


def test_a_file_with_metadata_plays_in_its_kingdom_only(policy_file, tmp_path):
    word, other = str(policy_file(metadata_of(FEATURES, FIRST_GAME))), Kingdom(FIRST_GAME.cards[:9])
    found = find_entrants([word, "big-money"], store=RunStore(tmp_path / "runs"))
    policy = found.entrants[0].strategy
    assert found.kingdom == policy.made_for == FIRST_GAME
    assert (results_with(policy)["win"] == results_with(as_policy(big_money, "mine"))["win"]).all()
    with pytest.raises(UsageError, match=r"policy '.*mine.pt2' was made in First Game, not in the kingdom asked for"):
        find_entrants([word], store=RunStore(tmp_path / "runs"), kingdom=other)
    with pytest.raises(UsageError, match=r"was made for another kingdom: Cellar, .*, Workshop. Play there, or export"):
        Venue(other, 2).play([policy, baseline("big-money", other)], TABLES[:2], SEEDS[:2])
    with pytest.raises(UsageError, match="was made for another kingdom"):
        play_game(other, [policy, baseline("big-money", other)], 0)


def test_the_kind_of_observations_is_in_the_metadata_or_follows_from_the_number_of_inputs(policy_file):
    inputs = [("n", size) for size in range(4)]
    for metadata, shapes, expected in (
        (metadata_of(BY_CARD, FIRST_GAME), inputs[:1], BY_CARD),
        (metadata_of(FEATURES, FIRST_GAME), inputs, FEATURES),
        ("", inputs, BY_CARD),
        ("", inputs[:2], FEATURES),
    ):
        found = load_policy(policy_file(metadata, shapes=shapes))
        assert (found.observation, found.scaled) == (expected, True)
        assert found.made_for == (FIRST_GAME if metadata and expected == FEATURES else None)


def test_a_fixed_number_of_observations_is_refused_with_the_remedy(policy_file):
    with pytest.raises(UsageError, match=r"mine.pt2 takes exactly 2 observations in one call. Write it with evodom\."):
        load_policy(policy_file(shapes=[("n", 1), (2, 1)]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("{", "mine.pt2 has damaged metadata: "),
        ("[]", "mine.pt2: "),
        ({"format": 99}, "mine.pt2 is a policy of format 99, written by evodom "),
        ({"rules": "other"}, "mine.pt2 is a policy of rules 'other'"),
        ({"observation": "pixels"}, "observation is 'pixels'"),
        ({"cards": ["Chappel"]}, "Chappel"),
        ({"more": 1}, "more"),
    ],
)
def test_damaged_metadata_is_refused_in_one_line(policy_file, changes, message):
    text = changes
    if isinstance(changes, dict):
        text = json.dumps(json.loads(metadata_of(FEATURES, FIRST_GAME)) | changes)
    with pytest.raises(EvodomError, match=message) as refused:
        load_policy(policy_file(text))
    assert "\n" not in str(refused.value)
