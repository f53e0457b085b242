"""Environments of several kingdoms: splits, the pool of kingdoms, observations by card, equal games for a seed."""

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from evodom.dominion.cards import SETS
from evodom.dominion.kingdom import KINGDOMS, Kingdom
from evodom.dominion.splits import N_HELD_OUT, RANDOM, TRAIN, draw_kingdom, held_out_kingdoms, is_held_out
from evodom.dominion.strategies.baselines import baseline
from evodom.environments import kingdoms
from evodom.environments.dominion import DominionEnv
from evodom.environments.kingdoms import KingdomPool
from evodom.environments.vector import DominionVectorEnv
from evodom.errors import UsageError
from evodom.jit.kernel import COMPILED
from evodom.matches.batch import IDLE, PLACE_NAMES, START, GameBatch
from evodom.matches.observations import MAX_TRAIT, TRAIT_NAMES, CardPlaces
from evodom.matches.policies import as_policy
from tests.effort import effort

NAME = "evodom.environments:evodom/Dominion-v1"
ALL = tuple(SETS)


@pytest.mark.parametrize("sets", [("Base",), ALL], ids=["one set", "all sets"])
def test_training_kingdoms_are_never_held_out(sets, monkeypatch):
    held_out, rng = held_out_kingdoms(sets), np.random.default_rng(1)
    assert len({one.cards for one in held_out}) == N_HELD_OUT
    assert sum(one.has_colony for one in held_out) == (0 if sets == ("Base",) else N_HELD_OUT // 2)
    assert all(is_held_out(one, sets) for one in held_out)
    assert tuple(KingdomPool("test", 1, sets=sets[::-1]).kingdoms.values()) == held_out
    drawn = [draw_kingdom(rng, sets) for _ in range(50)]
    assert any(one.has_colony for one in drawn) == (sets != ("Base",))
    held_out_cards = {frozenset(one.names[7:17]) for one in drawn}
    monkeypatch.setattr("evodom.dominion.splits._held_out_cards", lambda sets: held_out_cards)
    again = [draw_kingdom(np.random.default_rng(1), sets, split=split) for split in (RANDOM, TRAIN)]
    assert again[0] == drawn[0], "the same generator draws the same kingdom"
    assert again[1] not in drawn, "a held-out kingdom is drawn again"


class Batch:
    """Rows of games that start and end when a test says it, and the kingdoms that a pool loads."""

    def __init__(self, pool, n):
        self.pool, self.loaded = pool, []
        self.rows = GameBatch(Kingdom(()), np.full((n, 2), -1, np.int32), np.zeros(n, np.uint64)).rows
        self.rows.actions[:] = IDLE

    def start(self, *rows):
        self.rows.actions[list(rows)] = START
        self.pool.deal(self.rows, lambda slot, kingdom: self.loaded.append((slot, kingdom)))
        self.rows.actions[:] = IDLE
        return [int(self.pool.numbers[self.rows.kingdoms[row]]) for row in rows]


def test_a_kingdom_leaves_its_slot_after_its_games_when_none_is_in_progress(monkeypatch):
    monkeypatch.setattr(kingdoms, "GAMES_PER_KINGDOM", 4)
    batch = Batch(KingdomPool("train", 2), 2)
    assert batch.start(0, 1) == [0, 1]
    assert [batch.start(0), batch.start(1)] == [[0], [1]]
    assert batch.start(0) == [0], "kingdom 1 began with two of four games, and row 1 plays the last"
    assert batch.start(1) == [2], "slot 1 has no game in progress now"
    assert sorted(batch.pool.kingdoms) == [0, 1, 2], "infos of the last step name kingdom 1"
    assert [slot for slot, _ in batch.loaded] == [0, 1, 1]
    assert len({kingdom.cards for _, kingdom in batch.loaded}) == 3


def test_a_short_list_is_in_play_as_a_whole_and_a_long_one_in_turn(monkeypatch):
    monkeypatch.setattr(kingdoms, "MAX_SLOTS", 3)
    monkeypatch.setattr(kingdoms, "GAMES_PER_KINGDOM", 1)
    listed = list(KINGDOMS)[:5]
    short = Batch(KingdomPool(listed[:3], 4), 4)
    begun = short.start(0, 1, 2, 3) + short.start(0, 1)
    assert begun == [(begun[0] + number) % 3 for number in range(6)]
    assert len(short.loaded) == 3
    long = Batch(KingdomPool(listed, 4), 4)
    begun = set(long.start(0, 1, 2, 3))
    assert len(begun) == 3, "all three slots are in play"
    assert set(range(5)) - begun < set(long.start(0, 1, 2, 3))
    assert [long.pool.kingdoms[number].name for number in range(5)] == listed


def play(envs, n):
    """Play random steps and return the observations, the kingdoms and the sum of rewards."""
    observations, infos = envs.reset(seed=3)
    found, total = [infos["kingdom"].copy()], 0.0
    for _ in range(n):
        observations, rewards, _, _, infos = envs.step(envs.batch.sample_actions())
        found.append(infos["kingdom"].copy())
        total += rewards.sum()
    return {name: array.copy() for name, array in observations.items()}, np.array(found), total


@pytest.mark.parametrize("kingdom", ["train", ["First Game", "Big Money", "Pawn, Nobles, Watchtower, Colony"]])
def test_games_of_several_kingdoms_follow_from_the_seed(kingdom, monkeypatch):
    monkeypatch.setattr(kingdoms, "GAMES_PER_KINGDOM", 4)
    envs = DominionVectorEnv(32, kingdom, "network", observation="cards", sets=ALL, rewards="lead", copy=True)
    twin = DominionVectorEnv(32, kingdom, "network", observation="cards", sets=ALL, rewards="lead")
    n = effort(1200, 400, 3)
    (first, numbers, total), (second, again, same) = play(envs, n), play(twin, n)
    assert (numbers == again).all()
    assert total == same
    assert all((first[name] == second[name]).all() for name in first)
    assert numbers.max() >= effort(40, 32, 31) if kingdom == "train" else set(numbers[-1]) == {0, 1, 2}
    assert first["traits"].shape == envs.observation_space["traits"].shape
    places = CardPlaces(*(envs.kingdoms[number] for number in numbers[-1]))
    assert (first["traits"][:, :21] == places.traits[:, :21]).all(), "each row has the traits of its kingdom"
    assert play(envs, n)[2] == total, "a reset with the seed begins new draws"
    later = pickle.loads(pickle.dumps(envs))
    for _ in range(effort(200, 100, 2)):
        actions = envs.batch.sample_actions()
        assert (later.step(actions)[4]["kingdom"] == envs.step(actions)[4]["kingdom"]).all()


def test_the_traits_of_a_game_follow_from_its_kingdom_and_its_menu():
    envs = DominionVectorEnv(64, ["Pawn, Nobles, Watchtower", "Pawn, Courtier"], "random", observation="cards")
    observations, infos = envs.reset(seed=1)
    known = {}
    for _ in range(effort(1000, 400, 5)):
        for row, key in enumerate(zip(infos["kingdom"].tolist(), infos["menu"].tolist(), strict=True)):
            traits = observations["traits"][row]
            assert (known.setdefault(key, traits.copy()) == traits).all()
        observations, _, _, _, infos = envs.step(envs.batch.sample_actions())
    if COMPILED:
        assert len(known) == 7, "no menu, and those of three cards and of two"
        assert len({menu for _, menu in known}) == 5, "Pawn has the same number in both kingdoms"


def test_a_policy_of_cards_is_an_opponent_in_its_kingdom():
    seen = set()

    def draw(observations, masks):
        assert (observations["present"] >= masks).all()
        seen.update(map(bytes, observations["traits"][:, :20]))
        return masks.argmax(axis=1)

    listed = ["First Game", "Big Money", "Pawn, Nobles, Moat"]
    envs = DominionVectorEnv(9, listed, draw, observation="cards", sets=ALL)
    envs.reset(seed=1)
    for _ in range(20):
        envs.step(envs.batch.sample_actions())
    assert seen == {bytes(CardPlaces(kingdom).traits[0, :20]) for kingdom in envs.kingdoms.values()}


def test_a_single_environment_takes_another_kingdom_each_reset():
    env = gymnasium.make(NAME, kingdom="random", observation="cards", sets="Prosperity, Base", max_episode_steps=None)
    check_env(env.unwrapped, skip_render_check=True)
    seen = []
    for seed in (5, None, None, 5):
        observation, info = env.reset(seed=seed)
        assert observation in env.observation_space
        seen.append(env.unwrapped.kingdoms[info["kingdom"]])
        over = False
        while not over:
            observation, _, terminated, truncated, info = env.step(env.action_space.sample())
            over = terminated or truncated
        assert abs(observation["traits"]).max() < MAX_TRAIT
    assert seen[0] == seen[3]
    assert len({one.cards for one in seen}) == 3
    assert env.unwrapped.action_names == PLACE_NAMES


def test_the_last_observation_of_a_game_has_the_traits_of_its_kingdom():
    envs = DominionVectorEnv(
        8, ["First Game", "Big Money"], "random", observation="cards", autoreset_mode=AutoresetMode.SAME_STEP
    )
    _, infos = envs.reset(seed=1)
    n_final = 0
    for _ in range(effort(3000, 1500, 20)):
        before = infos["kingdom"].copy()
        observations, _, terminations, _, infos = envs.step(envs.batch.sample_actions())
        for row in np.flatnonzero(terminations):
            traits = CardPlaces(envs.kingdoms[before[row]]).traits[0]
            assert (infos["final_obs"][row]["traits"] == traits).all()
            assert infos["final_info"]["kingdom"][row] == before[row]
            n_final += 1
        n_piles = [len(envs.kingdoms[number].piles) for number in infos["kingdom"]]
        assert observations["present"][:, :20].sum(axis=1).tolist() == n_piles
    assert n_final > effort(10, 5, -1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kingdom": "train"}, "kingdom is .train.. Allowed: one kingdom; with observation"),
        ({"kingdom": ["First Game", "Big Money"]}, "Allowed: one kingdom; with observation"),
        ({"observation": "pixels"}, "observation is 'pixels'. Allowed: features, cards"),
        ({"observation": "cards", "kingdom": []}, "there are no kingdoms. Name one or more"),
        ({"observation": "cards", "kingdom": ["Chappel"]}, "no kingdom and no card named 'Chappel'"),
        (
            {"observation": "cards", "kingdom": "train", "opponents": "big-money-smithy"},
            "does not have. Fit",
        ),
        ({"observation": "cards", "kingdom": ["Smithy", "Moat"], "opponents": "big-money-smithy"}, "does not have"),
        (
            {"observation": "cards", "kingdom": "test", "opponents": baseline("big-money", Kingdom(("Moat",)))},
            "a strategy of one kingdom cannot play in another",
        ),
    ],
)
def test_bad_kingdoms_are_refused_in_one_line(arguments, message):
    for make in (DominionEnv, DominionVectorEnv):
        with pytest.raises(UsageError, match=message) as raised:
            make(**arguments)
        assert "\n" not in str(raised.value)


def dearest(observations, masks):
    """Return the legal place with the dearest card."""
    return np.where(masks, observations["traits"][:, :, TRAIT_NAMES.index("cost")], -1.0).argmax(axis=1)


def winner(env, steps, choose):
    """Return the win rate of an agent in an environment of many games."""
    observations, infos = env.reset(seed=1)
    wins = games = 0.0
    for _ in range(steps):
        observations, rewards, terminations, _, infos = env.step(choose(observations, infos["action_mask"]))
        wins, games = wins + rewards.sum(), games + terminations.sum()
    return wins / games


@pytest.mark.parametrize("arguments", [{"kingdom": "random", "sets": ALL}, {"kingdom": "First Game"}], ids=str)
def test_opponents_that_observe_by_card_play_all_kingdoms(arguments):
    env, steps = DominionVectorEnv(16, opponents=dearest, observation="cards", **arguments), effort(600, 300, 300)
    assert 0.2 < winner(env, steps, dearest_or_first) < 0.8
    env.set_opponents({"random": 1.0})
    assert winner(env, steps, dearest_or_first) > 0.9


def dearest_or_first(observations, masks):
    """Return the actions of `dearest`, 0 for finished games."""
    return np.where(masks.any(axis=1), dearest(observations, masks), 0)


def test_a_policy_of_features_is_no_opponent_in_observations_by_card():
    policy = as_policy(lambda observations, masks: masks.astype(float), "mine")
    with pytest.raises(
        UsageError, match=r"policy 'mine' takes features. Allowed here: policies of observations by card"
    ):
        DominionVectorEnv(2, opponents=policy, observation="cards")


def test_a_policy_by_card_is_an_opponent_in_games_observed_by_features():
    policy = as_policy(dearest, "mine", observation="cards")
    env = DominionVectorEnv(16, "Big Money", opponents=policy)
    assert winner(env, effort(400, 200, 200), lambda observations, masks: masks.argmax(axis=1)) < 0.1


def test_each_seed_begins_a_list_of_kingdoms_at_another():
    env = DominionEnv("Test", observation="cards")
    found = [env.reset(seed=seed)[1]["kingdom"] for seed in range(30)]
    assert len(set(found)) > 10
    assert found == [env.reset(seed=seed)[1]["kingdom"] for seed in range(30)]
