"""Environments of Dominion: the checkers of Gymnasium and PettingZoo, rewards, seats, hidden cards, bad input."""

import copy
import pickle
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test, state_test

from evodom.dominion.engine.observation import SCALES
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.environments import dominion_v1
from evodom.environments.agent_games import REWARDS, features
from evodom.environments.dominion import DominionEnv
from evodom.environments.extras import MissingExtra, importing
from evodom.environments.pictures import HEIGHT, WIDTH
from evodom.environments.spire import SpireFightEnv
from evodom.environments.vector import DominionVectorEnv
from evodom.errors import UsageError

NAME = "evodom.environments:evodom/Dominion-v1"


def play(env, seed, choose):
    """Play an episode and return the rewards of its steps, the last info and whether it was cut."""
    observation, info = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        observation, reward, terminated, truncated, info = env.step(choose(env, info["action_mask"]))
        rewards.append(reward)
        over = terminated or truncated
        assert observation in env.observation_space
    return rewards, info, truncated


def big_money(env, mask):
    """Return the first legal action of Province, Gold, Silver, else the last legal one."""
    names = env.unwrapped.action_names
    wanted = [names.index(card) for card in ("Province", "Gold", "Silver")]
    return next((number for number in wanted if mask[number]), int(np.flatnonzero(mask)[-1]))


@pytest.mark.parametrize(
    "arguments",
    [{}, {"kingdom": "Big Money", "opponents": ["big-money", "random"], "players": 4, "scaled": True, "sets": "Base"}],
    ids=["default", "four players, scaled"],
)
def test_gymnasium_accepts_the_environment(arguments):
    check_env(gymnasium.make(NAME, **arguments).unwrapped, skip_render_check=True)


def test_an_episode_pays_its_result_at_the_end_and_the_agent_has_each_seat_in_turn():
    env = gymnasium.make(NAME, opponents="random", rewards="lead", max_episode_steps=None).unwrapped
    seats = []
    for seed in (3, None, None):
        rewards, info, truncated = play(env, seed, big_money)
        seats.append(info["seat"])
        assert rewards[-1] > 10
        assert not any(rewards[:-1])
        assert not truncated
    assert seats == [1, 0, 1], "the remainder of the seed, then the next"
    with pytest.raises(UsageError, match=r"no game is in progress. Call reset"):
        env.step(0)
    env.reset(options={"seat": 1})
    assert env.batch.rows.seats[0] == 1
    for action in (-1, -2, 99, -(2**62), -(2**62) - 1):
        with pytest.raises(UsageError, match=rf"action {action} is not legal"):
            env.step(action)
    for action in (1.0, [1, 2]):
        with pytest.raises(UsageError, match=r"actions are (float|int)64 of shape"):
            env.step(action)
    for seat in (2, 1.0, "0"):
        with pytest.raises(UsageError, match=rf"seat is {seat!r}. Allowed: 0 to 1"):
            env.reset(options={"seat": seat})


def test_the_same_seed_gives_the_same_games():
    def episode(seed):
        env = DominionEnv(opponents=["big-money-smithy"], players=3)
        return play(env, seed, big_money)[1]["action_mask"].tolist(), env.batch.state(0).tobytes()

    assert episode(5) == episode(5) != episode(6)


@pytest.mark.parametrize(("illegal", "expected"), [("raise", None), ("lose", -1.0)])
def test_an_illegal_action(illegal, expected):
    env = DominionEnv(illegal=illegal)
    env.reset(seed=1)
    province = env.action_names.index("Province")
    if expected is None:
        with pytest.raises(UsageError, match=rf"action {province} is not legal. Allowed: 0 \(Copper\), .*\(pass\)"):
            env.step(province)
        assert env.action_masks().any(), "the game goes on"
    else:
        assert env.step(province)[1:4] == (expected, True, False)
        assert env.reset()[1]["action_mask"].any()


def test_rewards_of_results():
    results = np.zeros(2, [("vp", "i4", 6), ("win", "f8", 6), ("points", "f8", 6)])
    results["vp"][:, :3] = [[30, 20, 30], [5, 9, -2]]
    assert REWARDS["lead"](results, 3).tolist() == [[0, -10, 0], [-4, 4, -11]]


def test_observations_are_named_and_bounded():
    named = features(FIRST_GAME)
    env = DominionEnv(scaled=True)
    assert len({one.name for one in named}) == len(named) == env.observation_space.shape[0]
    assert named[0].name == "owned: Copper"
    observation, _ = env.reset(seed=1)
    plain, _ = DominionEnv().reset(seed=1)
    assert observation == pytest.approx(plain * SCALES)
    assert plain[[one.name for one in named].index("owned: Copper")] == 7


def test_vector_games_equal_single_games():
    envs = gymnasium.make_vec(NAME, num_envs=3, opponents="big-money", copy=True)
    assert isinstance(envs, DominionVectorEnv)
    observations, infos = envs.reset(seed=2)
    singles = [DominionEnv(opponents="big-money") for _ in range(3)]
    seeds = envs.batch.rows.seeds.copy()
    for row, env in enumerate(singles):
        env.reset(seed=1, options={"seat": row % 2})
        env.batch.start_all(seeds[row : row + 1])
        env.batch.step()
        assert (env.batch.rows.observations[0] == observations[row]).all()
    finished, restarted = np.zeros(3, bool), 0
    for _ in range(200):
        actions = envs.action_space.sample()
        before = finished.copy()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        restarted += before.sum()
        for row, env in enumerate(singles):
            if finished[row]:
                continue
            observed, reward, terminated, truncated, info = env.step(actions[row])
            assert (observed == observations[row]).all()
            assert (info["action_mask"] == infos["action_mask"][row]).all()
            assert (reward, terminated, truncated) == (rewards[row], terminations[row], truncations[row])
            finished[row] = terminated or truncated
    assert finished.all()
    assert restarted, "a finished game starts again"


def test_a_refused_step_changes_no_game():
    twins = [DominionVectorEnv(3, opponents="random", copy=True) for _ in range(2)]
    for envs in twins:
        envs.reset(seed=1)
    n_finished = 0
    while n_finished < 3:
        actions = twins[0].batch.sample_actions()
        _, (_, _, over, *_) = (envs.step(actions) for envs in twins)
        n_finished += over.sum()
        for wrong in (np.full(3, 99), np.full(3, -1), np.full(3, -(2**62)), actions[:2], actions + 0.5):
            if not (over.all() and len(wrong) == 3):
                with pytest.raises(UsageError, match="Allowed"):
                    twins[0].step(wrong)
        assert (twins[0].batch.rows.seeds == twins[1].batch.rows.seeds).all()
    actions = twins[0].batch.sample_actions()
    (*played, _), (*expected, _) = (envs.step(actions) for envs in twins)
    assert all((one == other).all() for one, other in zip(played, expected, strict=True))


@pytest.mark.parametrize(("mode", "is_over"), [("NextStep", True), ("SameStep", False)])
def test_vector_games_end_at_illegal_actions_if_asked(mode, is_over):
    envs = DominionVectorEnv(2, illegal="lose", autoreset_mode=mode)
    with pytest.raises(UsageError, match="no game is in progress"):
        envs.step([0, 0])
    envs.reset(seed=1)
    province, passing = (envs.action_names.index(name) for name in ("Province", "pass"))
    _, rewards, terminations, _, infos = envs.step([province, passing])
    assert rewards.tolist() == [-1, 0]
    assert terminations.tolist() == [True, False]
    assert infos["action_mask"].any(axis=1).tolist() == [not is_over, True]
    assert infos.get("_final_obs", terminations).tolist() == [True, False]
    _, rewards, terminations, _, infos = envs.step([0, passing])
    assert rewards.tolist() == [0, 0]
    assert infos["action_mask"].any(axis=1).all()


def test_pettingzoo_accepts_the_environment(capsys):
    with pytest.warns(UserWarning, match="Observation"):  # a dict with a mask, as in all of PettingZoo's board games
        api_test(dominion_v1.env(players=3), num_cycles=300)
    seed_test(dominion_v1.env, num_cycles=100)
    parallel_api_test(dominion_v1.parallel_env(players=3), num_cycles=300)
    render_test(dominion_v1.env)
    capsys.readouterr()


def test_agents_of_pettingzoo_share_the_win():
    env = dominion_v1.env(illegal="lose", rewards="points", players=3)
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        assert set(observation["observation"]) != {0}
        env.step(None if terminated or truncated else big_money(env, observation["action_mask"]))
    assert sum(total.values()) == 3.0


@pytest.mark.parametrize("action", ["Province", -1, 99, -(2**62)])
def test_an_illegal_action_of_an_agent_ends_the_game_if_asked(action):
    env = dominion_v1.env(illegal="lose", players=3)
    env.reset(seed=1)
    loser, refusing = env.agent_selection, dominion_v1.env(players=3)
    refusing.reset(seed=1)
    number = env.action_names.index(action) if isinstance(action, str) else action
    with pytest.raises(UsageError, match=rf"action {number} is not legal. Allowed: 0 \(Copper\)"):
        refusing.step(number)
    env.step(number)
    found = {}
    for agent in env.agent_iter():
        observation, *found[agent], _ = env.last()
        assert not observation["action_mask"].any()
        env.step(None)
    assert found == {agent: [-1.0 * (agent == loser), True, False] for agent in env.possible_agents}
    env.reset()
    assert env.last()[0]["action_mask"].any()


@pytest.mark.parametrize("call", ["observe", "action_space", "observation_space"])
def test_an_unknown_agent_is_refused(call):
    env = dominion_v1.env()
    env.reset(seed=1)
    with pytest.raises(UsageError, match=r"agent is 'zz'. Allowed: player_0, player_1"):
        getattr(env, call)("zz")


@pytest.mark.filterwarnings("ignore::UserWarning")  # state_test warns of the dtype int8
def test_the_state_of_pettingzoo_has_all_observations():
    env, parallel = dominion_v1.env(players=3, scaled=True), dominion_v1.parallel_env(players=3)
    env.reset(seed=1)
    assert env.state() in env.state_space
    assert (env.state() == [env.observe(agent)["observation"] for agent in env.agents]).all()
    state_test(*(make(illegal="lose") for make in (dominion_v1.env, dominion_v1.parallel_env)))  # it samples any action
    observations, infos = parallel.reset(seed=1)
    assert (parallel.state() == [one["observation"] for one in observations.values()]).all()
    active = parallel.unwrapped.agent_selection
    assert {info["active_agent"] for info in infos.values()} == {active}
    assert [agent for agent, one in observations.items() if one["action_mask"].any()] == [active]


def test_observations_do_not_depend_on_hidden_cards():
    env = dominion_v1.raw_env(kingdom="Militia, Witch, Spy, Bureaucrat, Library", players=3, seed=1)
    rng, game, rows = np.random.default_rng(1), env.games.game, env.batch.rows
    env.reset(seed=1)
    for _ in range(150):
        if rows.ended[0]:
            env.reset()
        state = env.batch.state(0)
        for seat, agent in enumerate(env.possible_agents):
            observed = env.observe(agent)["observation"]
            env.batch._games[0] = game.redeal(state, seat, rng)
            if seat != rows.seats[0]:
                assert (env.observe(agent)["observation"] == observed).all()
            env.batch._games[0] = state
        env.step(int(rng.choice(np.flatnonzero(rows.masks[0]))))


def test_environments_are_pickled_with_their_games():
    for env in (DominionEnv(), DominionVectorEnv(2), dominion_v1.raw_env()):
        env.reset(seed=1)
        twin = pickle.loads(pickle.dumps(env))
        passing = env.action_names.index("pass")
        for one in (env, twin):
            one.step([passing] * 2 if isinstance(one, DominionVectorEnv) else passing)
        assert (twin.batch.rows.observations == env.batch.rows.observations).all()
        assert twin.batch.state(0).tobytes() == env.batch.state(0).tobytes()


@pytest.mark.parametrize("make", [DominionEnv, DominionVectorEnv, dominion_v1.env, dominion_v1.parallel_env])
def test_unknown_options_of_a_reset_are_refused(make):
    allowed = "seat" if make is DominionEnv else "none"
    with pytest.raises(UsageError, match=rf"options are {{'seet': 1}}. Allowed: {allowed}"):
        make().reset(options={"seet": 1})


@pytest.mark.parametrize("n", [1.5, 0, "2"])
def test_the_number_of_games_is_a_whole_number(n):
    with pytest.raises(UsageError, match=r"num_envs is .*\. Allowed: whole numbers from 1"):
        DominionVectorEnv(n)
    assert DominionVectorEnv(np.int64(2), players=np.int64(3)).games.n_seats == 3


def test_a_strategy_object_can_be_an_opponent():
    env = DominionEnv(FIRST_GAME, baseline("big-money", FIRST_GAME), rewards="win")
    assert play(env, 1, lambda env, mask: env.action_space.sample())[0][-1] == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kingdom": "Chappel"}, "no kingdom and no card named 'Chappel'. Did you mean Chapel"),
        ({"opponents": "big-mony"}, "'big-mony' names no strategy.*Did you mean big-money"),
        ({"opponents": []}, "there are no opponents"),
        ({"opponents": "network:1s"}, "'network:1s' answers one Decision at a time. Allowed: .* a policy"),
        ({"opponents": "./mine.py"}, "there is no file mine.py"),
        ({"players": 7}, "players is 7. Allowed: whole numbers from 2 to 6"),
        ({"players": "2"}, "players is '2'. Allowed: whole numbers from 2 to 6"),
        ({"kingdom": None}, "kingdom is missing. Allowed: a Kingdom, or a text"),
        ({"seed": -1}, "seed is -1. Allowed: a whole number from 0"),
        ({"sets": "Intrige"}, "no set named 'Intrige'. Did you mean Intrigue"),
        ({"opponents": ["big-money", "random"]}, "2 opponents are named for 1 seat. .* players=3"),
        ({"opponent": "big-money"}, "'opponent' is no argument. Further arguments are: players, sets, seed"),
        ({"rewards": "gold"}, "rewards is 'gold'. Allowed: win, points, lead"),
        ({"illegal": "x"}, "illegal is 'x'. Allowed: raise, lose"),
        ({"players": 2.0}, r"players is 2\.0. Allowed: whole numbers from 2 to 6"),
        ({"sets": 5}, "sets is 5. Allowed: one or more of Base, .*, as a text or a list"),
        ({"sets": [5]}, r"sets is \[5\]. Allowed: one or more of Base, .*, as a text or a list"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(arguments, message):
    with pytest.raises(UsageError, match=message):
        DominionEnv(**arguments)


def test_a_missing_library_is_named_with_the_command_that_installs_it():
    expected = r'PettingZoo is not installed. Install it: pip install "evodom\[rl\]"'
    with pytest.raises(MissingExtra, match=expected), importing("PettingZoo", "rl"):
        import no_such_library
    expected = r"SB3 is not installed. Install it: pip install stable-baselines3 sb3-contrib\.$"
    with pytest.raises(MissingExtra, match=expected), importing("SB3", packages="stable-baselines3 sb3-contrib"):
        import no_such_library  # noqa: F401


def test_a_copied_action_space_is_small_and_independent_of_the_game():
    for env in (DominionEnv(), DominionVectorEnv(3)):
        env.reset(seed=1)
        for copied in (pickle.loads(pickle.dumps(env.action_space)), copy.deepcopy(env.action_space)):
            assert copied == env.action_space
            assert len(pickle.dumps(copied)) < 1000
            copied.seed(1)
            drawn = np.unique([copied.sample() for _ in range(400)])
            assert len(drawn) == len(env.action_names), "also illegal actions"
        twin = copy.deepcopy(env)
        for _ in range(30):
            twin.step(twin.action_space.sample())
        env.step(env.action_space.sample())


@pytest.mark.parametrize("dtype", [np.bool_, np.int8])
def test_a_sample_takes_the_mask_of_the_game(dtype):
    env, envs = DominionEnv(), DominionVectorEnv(3)
    for one in (env, envs):
        _, info = one.reset(seed=1)
        for _ in range(50):
            mask = info["action_mask"].astype(dtype)
            *_, info = one.step(one.action_space.sample(mask=mask))
    only = np.zeros((3, len(envs.action_names)), dtype)
    only[np.arange(3), [1, 0, 2]] = 1
    assert envs.action_space.sample(mask=only).tolist() == [1, 0, 2]
    with pytest.raises(UsageError, match=r"the mask has the shape \(2, 18\). Allowed: \(3, 18\)"):
        envs.action_space.sample(mask=only[:2])


def test_a_picture_shows_the_hand_and_the_supply():
    env = gymnasium.make(NAME, render_mode="rgb_array").unwrapped
    pictures = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        pictures.append(env.render())
    assert pictures[0].shape == (HEIGHT, WIDTH, 3)
    assert (pictures[0] == pictures[1]).all()
    assert (pictures[0] != pictures[2]).any()
    env.step(env.action_names.index("Silver") if env.action_masks()[1] else env.action_names.index("Copper"))
    assert (env.render() != pictures[2]).any()
    agents = dominion_v1.env(render_mode="rgb_array", players=6, kingdom="King's Court, Bishop, Wharf")
    agents.reset(seed=1)
    assert agents.render().shape == (HEIGHT, WIDTH, 3)


def test_gymnasium_records_a_video(tmp_path):
    pytest.importorskip("moviepy")
    env = gymnasium.make(NAME, render_mode="rgb_array")
    env = gymnasium.wrappers.RecordVideo(env, str(tmp_path / "videos"), name_prefix="game")
    play(env, 1, lambda env, mask: env.action_space.sample(mask=mask))
    env.close()
    assert (tmp_path / "videos" / "game-episode-0.mp4").stat().st_size > 10_000


@pytest.mark.parametrize("make", [DominionEnv, dominion_v1.raw_env])
def test_an_unsupported_render_mode_counts_as_none(make):
    with pytest.warns(UserWarning, match="render_mode is 'svg' and counts as None. Allowed: ansi, human, rgb_array"):
        env = make(render_mode="svg")
    env.reset(seed=1)
    assert env.render() is None


@pytest.mark.parametrize("seed", [-1, 1.5, "x", True, 2**70])
def test_seeds_of_all_environments_are_checked_by_one_function(seed):
    envs = DominionEnv(), DominionVectorEnv(2), dominion_v1.raw_env(), SpireFightEnv()
    for start in [env.reset for env in envs] + [partial(DominionEnv, "random", observation="cards")]:
        with pytest.raises(UsageError, match=r"seed is .*\. Allowed: a whole number"):
            start(seed=seed)
    assert envs[0].reset(seed=np.int64(3))[1]["seat"] == 1
