"""Dominion in OpenSpiel: its random simulations, hidden cards, its information-set search."""

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: it has no wheel for this platform")

from open_spiel.python.algorithms import exploitability  # noqa: E402
from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver  # noqa: E402
from open_spiel.python.algorithms.ismcts import ISMCTSBot  # noqa: E402
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator  # noqa: E402
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver  # noqa: E402

import evodom.environments.open_spiel  # noqa: E402, F401
from evodom.dominion.effects.ops import Zone  # noqa: E402
from evodom.dominion.engine.rules import N_PILES  # noqa: E402
from evodom.errors import UsageError  # noqa: E402
from tests.effort import effort  # noqa: E402

SMALL = "supply=2 Province;Gold;Smithy,deck=3 Copper;2 Silver,turns=2"
RECALLED = f"evodom_dominion(perfect_recall=True,{SMALL})"
ATTACKS = "evodom_dominion(players=3,kingdom=Militia;Witch;Spy;Bureaucrat;Steward,sets=Base;Intrigue,seed=2)"


def started(game, seed):
    """Return a game, or the game of a name, at its first Decision and the generator that drew its seed."""
    rng = np.random.RandomState(seed)
    state = (pyspiel.load_game(game) if isinstance(game, str) else game).new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    return state, rng


@pytest.mark.parametrize("name", ["evodom_dominion", RECALLED, pytest.param(ATTACKS, marks=pytest.mark.full)])
def test_random_simulations_of_open_spiel_pass(name, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=effort(2, 1, 1), serialize=True, verbose=False)
    capfd.readouterr()


def test_information_sets_hide_what_a_seat_may_not_see():
    state, rng = started(ATTACKS, 1)
    n_changed = 0
    for _ in range(60):
        if state.is_terminal():
            break
        for seat in range(3):
            twin = state.resample_from_infostate(seat, rng.random_sample)
            assert twin.observation_string(seat) == state.observation_string(seat)
            assert twin.legal_actions() == state.legal_actions() or seat != state.current_player()
            n_changed += twin.state.tobytes() != state.state.tobytes()
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert n_changed > 60


def searched(state, seed):
    """Return two decisions of OpenSpiel's search from a state."""
    rng = np.random.RandomState(seed)
    bot = ISMCTSBot(
        game=state.get_game(),
        evaluator=RandomRolloutEvaluator(1, rng),
        uct_c=1.0,
        max_simulations=20,
        random_state=rng,
        use_observation_string=True,
    )
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    policies = []
    for _ in range(2):
        policy, action = bot.step_with_policy(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        policies.append(policy)
    return policies


def test_information_set_search_of_open_spiel_is_legal_and_repeats_with_its_seed():
    state, _ = started(f"evodom_dominion({SMALL})", 3)
    first, second, other = (searched(state.clone(), seed) for seed in (1, 1, 2))
    assert first == second != other


@pytest.mark.parametrize("solver", [ExternalSamplingSolver, OutcomeSamplingSolver, pyspiel.ExternalSamplingMCCFRSolver])
def test_solvers_for_information_states_are_refused_without_perfect_recall(solver):
    state, _ = started("evodom_dominion", 1)
    for read in (state.information_state_string, state.information_state_tensor):
        with pytest.raises((UsageError, RuntimeError), match="perfect_recall=True"):
            read(0)
    assert not state.get_game().get_type().provides_information_state_string
    built = solver(state.get_game())
    with pytest.raises((UsageError, RuntimeError), match="perfect_recall=True"):
        (built.run_iteration if hasattr(built, "run_iteration") else built.iteration)()


def visited(state, chance=1.0, acted=((), ())):
    """Yield all states below a state, with the probability of random play and each player's earlier decisions."""
    yield state, chance, acted
    player = state.current_player()
    if state.is_terminal():
        return
    outcomes = dict(state.chance_outcomes()) if player < 0 else dict.fromkeys(state.legal_actions())
    for action, probability in outcomes.items():
        share = 1 / len(outcomes) if probability is None else probability
        decisions = list(acted)
        if player >= 0:
            decisions[player] += ((state.information_state_string(player), action),)
        yield from visited(state.child(action), chance * share, tuple(decisions))


def test_information_states_have_perfect_recall_and_hide_the_draws_of_others():
    memories, n_decisions = {}, 0
    for state, _, acted in visited(pyspiel.load_game(RECALLED).new_initial_state()):
        player = state.current_player()
        if state.is_chance_node():
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
            drawing = state.position.draws[0].seat
            if state.state.active != drawing:
                after = [state.child(action) for action in state.legal_actions()]
                for n_pending in (0, 1):
                    views = {
                        child.seen[1 - drawing]
                        for child in after
                        if sum(draw.seat == drawing for draw in child.position.draws) == n_pending
                    }
                    assert len(views) <= 1
        elif not state.is_terminal():
            n_decisions += 1
            memory = (player, state.legal_actions(), acted[player])
            assert memories.setdefault(state.information_state_string(player), memory) == memory
    assert 50 < len(memories) < n_decisions / 2  # other histories differ in hidden draws


def test_explicit_draws_have_the_distribution_of_the_engine():
    values = np.zeros(2)
    for state, chance, _ in visited(pyspiel.load_game(RECALLED).new_initial_state()):
        values += chance * np.array(state.returns())
    seeded, games = pyspiel.load_game(f"evodom_dominion({SMALL})"), np.zeros(2)
    n = effort(10_000, 500, 100)
    for seed in range(n):
        state, rng = started(seeded, seed)
        while not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
        games += state.returns()
    assert values.sum() == pytest.approx(1)
    assert abs(games[0] / n - values[0]) < 4 * 0.5 / n**0.5


ALL_KINDS = "Militia;Secret Passage;Sentry;Cutpurse;Haven;Native Village;Bishop;Vault;Spy;Swindler"


def test_explicit_draws_keep_all_cards_and_hide_hands():
    game = pyspiel.load_game(f"evodom_dominion(perfect_recall=True,players=3,kingdom={ALL_KINDS})")
    rng, state, n_draws = np.random.RandomState(4), game.new_initial_state(), 0
    for _ in range(effort(2_000, 400, 200)):
        if state.is_terminal():
            break
        record, draws = state.state, state.position.draws
        known = sum(np.bincount(record.known[seat, : record.n_known[seat]], minlength=N_PILES) for seat in range(3))
        cards = record.cards.sum(axis=0) + known
        assert (cards == record.owned.sum(axis=0) + record.cards[Zone.SUPPLY] + record.cards[Zone.TRASH]).all()
        outcomes = dict(state.chance_outcomes()) if draws else dict.fromkeys(state.legal_actions(), 1)
        before, n_draws = state.seen, n_draws + len(draws)
        chances = np.array([*outcomes.values()]) / sum(outcomes.values())
        state.apply_action(int(rng.choice([*outcomes], p=chances)))
        if draws and state.position.draws:
            assert all(draws[0].seen_by >> seat & 1 or state.seen[seat] == before[seat] for seat in range(3))
    assert n_draws > 20


def test_regret_minimisation_approaches_an_equilibrium_of_a_small_game():
    game = pyspiel.load_game(RECALLED)
    np.random.seed(1)  # noqa: NPY002 - OpenSpiel's solver draws from it
    solver = ExternalSamplingSolver(game)
    losses = []
    for n in (1, 100):
        for _ in range(n):
            solver.iteration()
        losses.append(exploitability.exploitability(game, solver.average_policy()))
    assert losses[1] < 0.03 < losses[0]


def test_illegal_actions_are_refused():
    state, _ = started("evodom_dominion", 1)
    for action in (5, 99, -2):
        with pytest.raises((UsageError, RuntimeError), match=rf"action {action} is not legal. Allowed: 0 \(Copper\)"):
            state.apply_action(action)
    begun = pyspiel.load_game("evodom_dominion").new_initial_state()
    with pytest.raises((UsageError, RuntimeError), match=r"action 300 is not legal"):
        begun.apply_action(300)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kingdom=Chappel", "Did you mean Chapel"),
        ("sets=Bace", "no set named 'Bace'"),
        ("players=9", "players is 9. Allowed: 2 to 6"),
        ("seed=-1", "seed is -1. Allowed: a whole number from 0 to"),
        ("supply=2 Gold", "supply is '2 Gold'. Allowed: sizes of piles with Province"),
        ("supply=Province,turns=0", "turns is 0. Allowed: 1 to 100"),
        ("supply=Province,deck=3 Coper", "Did you mean Copper"),
        ("turns=3", "turns is 3 without supply. Allowed: kingdom, sets"),
        ("supply=Province,kingdom=Big Money", "kingdom is 'Big Money' with supply. Allowed: kingdom, sets"),
        ("kingdom=Library,perfect_recall=True", "Library draws until it finds a card"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(arguments, message):
    with pytest.raises((UsageError, RuntimeError), match=message):
        pyspiel.load_game(f"evodom_dominion({arguments})")
