"""Opponents of environments: policies answer in batches, leagues by share, snapshots, seats of learners, autoreset."""

from collections import Counter

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.environments.agent_games import AgentGames
from evodom.environments.dominion import DominionEnv
from evodom.environments.opponents import GameOpponents
from evodom.environments.vector import DominionVectorEnv
from evodom.errors import AgentError, UsageError
from evodom.matches import as_policy
from evodom.matches.batch import CALLER

WANTED = ("Province", "Gold", "Silver")
NUMBERS = [FIRST_GAME.pile(card) for card in WANTED]


def greedy(observations, masks):
    """Return the first legal action of Province, Gold, Silver, else the last legal one."""
    order = np.arange(masks.shape[1])
    order[NUMBERS] = 100, 99, 98
    return np.where(masks, order, -1).argmax(axis=1)


def drawn(envs, n_steps, choose=None):
    """Step with random legal actions, or those of a policy. Yield the results of each step."""
    for _ in range(n_steps):
        masks = envs.action_masks()
        actions = choose(None, masks) if choose else envs.batch.sample_actions()
        yield envs.step(actions)


def games_of(envs, n_steps, seed=3):
    """Return for each row the seat, the reward and the result of its finished games in order."""
    envs.reset(seed=seed)
    found = [[] for _ in range(envs.num_envs)]
    for _, rewards, terminations, truncations, infos in drawn(envs, n_steps):
        final = infos.get("final_info", infos)
        for row in np.flatnonzero(terminations | truncations):
            seat = int(final["seat"][row])
            assert final["rewards"][row, seat] == rewards[row]
            found[row].append((seat, *final["rewards"][row].tolist()))
    return found


def test_a_policy_plays_the_games_of_the_learner_with_the_same_choices():
    """Seats that a policy plays, and seats that the learner plays by the same policy, give the same games."""
    both, one = (DominionVectorEnv(6, opponents=opponents) for opponents in (None, greedy))
    both.reset(seed=4)
    results = {}
    for _, _, terminations, _, infos in drawn(both, 300, greedy):
        for row in np.flatnonzero(terminations):
            results.setdefault(int(row), infos["rewards"][row].tolist())
    one.reset(seed=4)
    found = {}
    for _, _, terminations, _, infos in drawn(one, 120, greedy):
        assert (one.batch.rows.tables[np.arange(6), infos["seat"]] == CALLER).all(), "a row waits for the learner"
        for row in np.flatnonzero(terminations):
            assert infos["seat"][row] == row % 2 or row in found
            found.setdefault(int(row), infos["rewards"][row].tolist())
    assert found == results
    assert len(found) == 6


def test_policies_answer_for_all_waiting_rows_in_one_call():
    calls = []

    def policy(observations, masks):
        calls.append(len(masks))
        assert observations.dtype == np.float32
        assert masks.any(axis=1).all()
        return masks.argmax(axis=1)

    envs = DominionVectorEnv(32, "Big Money", policy, scaled=True)
    envs.reset(seed=1)
    assert calls == [16], "the policy begins in every second row"
    envs.step(envs.batch.sample_actions())
    assert sum(calls) >= 32
    assert len(calls) < 12


def test_all_seats_are_learners_without_opponents():
    envs = DominionVectorEnv(8, opponents=None, rewards="points", players=3)
    _, infos = envs.reset(seed=1)
    assert (infos["seat"] == 0).all()
    seats, n_over = Counter(), 0
    for _, rewards, terminations, truncations, infos in drawn(envs, 1200, greedy):
        seats.update(infos["seat"].tolist())
        if len(rows := np.flatnonzero(terminations | truncations)):
            assert np.flatnonzero(infos["_rewards"]).tolist() == rows.tolist()
            assert (infos["rewards"][rows].sum(axis=1) == 3.0).all()
            assert (rewards[rows] == infos["rewards"][rows, infos["seat"][rows]]).all()
            n_over += len(rows)
    assert min(seats.values()) > 2000
    assert n_over > 20
    with pytest.raises(UsageError, match="opponents cannot be replaced by None, or added"):
        envs.set_opponents("big-money")


def test_a_single_game_has_the_same_opponents():
    env = DominionEnv(opponents=["big-money", greedy], players=3)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        assert info["seat"] == 1
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        over = terminated or truncated
    assert info["rewards"].sum() == pytest.approx(1.0)
    assert reward == info["rewards"][1]
    env = DominionEnv(opponents=None)
    env.reset(seed=1)
    assert env.step(env.action_names.index("pass"))[-1]["seat"] == 1


def test_a_league_is_drawn_by_shares_and_by_the_seed():
    league = {"big-money": 1, greedy: 2, "random": 1}
    games = AgentGames(FIRST_GAME, opponents=league, n=2000, players=3)
    games.batch.rows.seeds[:] = np.random.default_rng(1).integers(2**64, size=2000, dtype=np.uint64)
    players = GameOpponents.of(league, FIRST_GAME, n_seats=3).draw(games.batch.rows.seeds, 2)
    assert np.bincount(players.ravel()) / players.size == pytest.approx([0.25, 0.5, 0.25], abs=0.03)
    assert np.mean(players[:, 0] == players[:, 1]) == pytest.approx(0.375, abs=0.04), "each seat draws"

    def found(seed):
        return games_of(DominionVectorEnv(8, opponents=league), 150, seed)

    assert found(1) == found(1) != found(2)


def test_new_opponents_play_the_games_that_start_later():
    calls = Counter()

    def named(name):
        def policy(observations, masks):
            calls[name] += len(masks)
            return greedy(observations, masks)

        return policy

    envs = DominionVectorEnv(16, "Big Money", {named("old"): 1, "random": 1})
    envs.reset(seed=1)
    list(drawn(envs, 5))
    before, tables = calls["old"], envs.batch.rows.tables < CALLER
    envs.set_opponents([named("new")])
    assert (tables == (envs.batch.rows.tables < CALLER)).all(), "games in progress keep their opponents"
    list(drawn(envs, 5))
    assert calls["old"] > before
    assert not calls["new"]
    finished = np.zeros(16, bool)
    while not finished.all():
        list(drawn(envs, 1))
        finished |= envs.batch.rows.ended
    list(drawn(envs, 1))
    before = calls["old"]
    list(drawn(envs, 20))
    assert calls["old"] == before
    assert calls["new"]
    envs.set_opponents("big-money")
    assert len(envs.games._players) == 2, "a player of no game is dropped"


def test_both_modes_of_autoreset_play_the_same_games():
    league = {"big-money": 1, greedy: 1}
    following, same = (
        DominionVectorEnv(5, opponents=league, rewards="lead", autoreset_mode=mode, scaled=True)
        for mode in (AutoresetMode.NEXT_STEP, "SameStep")
    )
    assert same.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert DominionVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    for one, other in zip(games_of(following, 400), games_of(same, 400), strict=True):
        assert len(one) > 2
        assert one == other[: len(one)]


def test_the_last_observation_of_a_game_is_kept_in_the_same_step():
    envs = gymnasium.make_vec(
        "evodom.environments:evodom/Dominion-v1",
        num_envs=4,
        kingdom="Big Money",
        autoreset_mode="SameStep",
        scaled=True,
    )
    recorded = RecordEpisodeStatistics(envs)
    recorded.reset(seed=1)
    lengths, n_games = np.zeros(4, int), 0
    for _ in range(300):
        observations, _, terminations, truncations, infos = recorded.step(greedy(None, envs.unwrapped.action_masks()))
        lengths += 1
        assert infos["action_mask"].any(axis=1).all(), "no game is over after a step"
        for row in np.flatnonzero(terminations | truncations):
            assert infos["_final_obs"][row]
            assert infos["final_obs"][row] in envs.single_observation_space
            assert (infos["final_obs"][row] != observations[row]).any()
            assert not infos["final_info"]["action_mask"][row].any()
            assert infos["episode"]["l"][row] == lengths[row]
            lengths[row], n_games = 0, n_games + 1
    assert n_games == recorded.episode_count > 20


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        (3, "opponents are 3. Allowed: a name .*, a function .*, or a dict from these to shares"),
        ({"big-money": 0}, r"shares of opponents are \[0\]. Allowed: above 0, to 1,000,000"),
        ({"big-money": "x"}, r"shares of opponents are \['x'\]"),
        ({}, "there are no opponents"),
        ([greedy, greedy], "2 opponents are named for 1 seat. .* players=3, or a dict of shares"),
        ({greedy: 1, "./none.py": 1}, "there is no file none.py"),
    ],
)
def test_bad_opponents_are_refused_in_one_line(opponents, message):
    with pytest.raises(UsageError, match=message):
        DominionVectorEnv(2, opponents=opponents)


def test_policies_can_be_files_and_players_of_matches(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def agent(observations, masks):\n    return masks.argmax(axis=1)\nagent.takes_observations = True\n"
    )
    named, wrapped = (
        games_of(DominionVectorEnv(4, opponents=one), 150)
        for one in (str(tmp_path / "mine.py"), as_policy(lambda _, masks: masks.argmax(axis=1), "first"))
    )
    assert named == wrapped
    assert any(named)
    strategy = DominionVectorEnv(4, opponents=[baseline("big-money", FIRST_GAME)])
    assert games_of(strategy, 150) == games_of(DominionVectorEnv(4, opponents="big-money"), 150)


def test_refused_opponents_leave_the_games_as_they_are():
    kingdoms = {"kingdom": ["Smithy, Moat", "Big Money"], "observation": "cards"}
    for arguments, refused in (({}, baseline("big-money", Kingdom(("Moat",)))), (kingdoms, "big-money-smithy")):
        envs, twin = (DominionVectorEnv(4, opponents={"big-money": 1, "random": 1}, **arguments) for _ in range(2))
        for one in (envs, twin):
            one.reset(seed=1)
        with pytest.raises(UsageError):
            envs.set_opponents(refused)
        for _ in range(60):
            actions = envs.batch.sample_actions()
            assert (twin.batch.sample_actions() == actions).all()
            for one in (envs, twin):
                one.step(actions)


def test_a_policy_that_fails_ends_all_games():
    fails = []

    def once(observations, masks):
        if fails:
            raise RuntimeError(fails.pop())
        return masks.argmax(axis=1)

    single, many = DominionEnv("Big Money", once), DominionVectorEnv(2, "Big Money", once)
    passing = single.action_names.index("pass")
    for env, action in ((single, passing), (many, [passing] * 2)):
        env.reset(seed=2)
        fails.append("broken")
        with pytest.raises(AgentError, match="broken"):
            env.step(action)
        with pytest.raises(UsageError, match="no game is in progress"):
            env.step(action)
        env.reset(seed=2)
        env.step(action)


def test_an_illegal_action_that_ends_a_game_has_rewards_of_all_seats():
    single = DominionEnv(illegal="lose", players=3)
    single.reset(seed=1)
    assert single.step(99)[4]["rewards"].tolist() == [0, -1, 0]
    envs = DominionVectorEnv(2, illegal="lose")
    envs.reset(seed=1)
    _, rewards, _, _, infos = envs.step([99, envs.action_names.index("pass")])
    assert rewards.tolist() == [-1, 0]
    assert infos["rewards"].tolist() == [[-1, 0], [0, 0]]
    assert infos["_rewards"].tolist() == [True, False]
