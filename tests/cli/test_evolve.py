"""`evodom evolve`, also with islands: what it saves, prints and refuses, and how it stops."""

import json
import shlex
import shutil
import signal
from functools import partial

import numpy as np
import pytest
from tqdm import tqdm

from evodom.api.run_progress import EvolutionBar
from evodom.cli.report import ReportOptions
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.models.networks.shipped import shipped_weights
from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.evolution.runs import options_of
from evodom.learning.training import SAVED_START, TrainOptions
from evodom.presentation.documents.common import strength_sentences
from evodom.reports import DEFAULT_GAMES
from evodom.reports.cached import SAVED_MATCHES, BestResponse
from evodom.reports.evolved import measured_baselines
from evodom.runs import Generation, RunStore, new_meta
from evodom.statistics import Share
from tests.cli.program import run_program
from tests.crafted import SETTINGS, resave, save_evolved
from tests.saved import FEW_GAMES, contents


@pytest.fixture
def evodom(tmp_path):
    """Run the program with a data directory of its own."""
    return partial(run_program, EVODOM_DATA_DIR=str(tmp_path))


SMALLEST = ("--ngen", "2", "--nstrat", "8", "--players", "2", "--halving-games", "1", "--seed", "1")
SMALL = (*SMALLEST, "--search-rounds", "1")
CHEAP = ("--players", "2", "--start", "random", "--search-rounds", "0", "--halving-games", "0")


def test_evolve_saves_a_run_says_what_to_do_next_and_overwrites_only_when_asked(evodom, tmp_path):
    result = evodom("evolve", "demo", *SMALL)
    saved = contents(tmp_path)

    assert result.exit_code == 0
    assert "demo: 2 generations" in result.stdout
    assert "evodom play demo" in result.stdout
    assert len(saved) == 2

    refused = evodom("evolve", "demo", *SMALL[:-1], "2")
    assert refused.exit_code == 2
    assert "run 'demo' exists (2 generations)" in refused.stderr
    assert contents(tmp_path) == saved

    assert evodom("evolve", "demo", *SMALL[:-1], "2", "-o").exit_code == 0
    assert len(contents(tmp_path)) == 2
    assert contents(tmp_path) != saved


def test_a_seed_draws_the_kingdom_that_the_run_keeps_and_tells_with_the_given_data_folder(evodom, tmp_path):
    asked = ("--kingdom", "Feast", "--first-edition", "--seed", "9", "--data-dir", str(tmp_path / "own"))
    result = evodom("evolve", "demo", "--ngen", "1", "--nstrat", "8", *CHEAP, *asked)

    assert result.stdout.startswith("demo: 1 generation in")
    assert f"evodom play demo --data-dir {tmp_path / 'own'}" in result.stdout
    with RunStore(tmp_path / "own").open("demo") as run:
        options = options_of(run)
    assert options.kingdom == parse_kingdom("Feast", seed=9, first_edition=True)
    assert f"Kingdom: {', '.join(options.kingdom.cards)}\n" in result.stdout
    shown = json.loads(evodom("kingdoms", "Feast", "--first-edition", "--seed", "9", "--json").stdout)
    assert {card["name"] for card in shown["cards"]} == set(options.kingdom.cards)


@pytest.mark.parametrize(
    ("given", "saved"),
    [
        ((), ("graded", "evolved", 6, 25)),
        (("--model", "classic"), ("classic", "simple", 12, 12)),
        (("--model", "classic", "--choices", "evolved"), ("classic", "evolved", 12, 12)),
    ],
)
def test_the_model_and_the_choices_asked_for_are_saved_with_the_run(evodom, store, given, saved):
    evodom("evolve", "demo", "--ngen", "1", "--nstrat", "8", *CHEAP, *given)

    with store.open("demo") as run:
        options = options_of(run)
    assert (options.model, options.choices, options.switch_low, options.switch_high) == saved


def test_ctrl_c_saves_says_how_to_go_on_and_exits_with_130(evodom, tmp_path, monkeypatch, capfd):
    asked = ("--ngen", "3", *SMALL[2:])
    evodom("evolve", "whole", *asked, "--jobs", "1")
    with monkeypatch.context() as patch:
        patch.setattr(EvolutionBar, "on_generation", pressed)
        stopped = evodom("evolve", "demo", *asked, "--jobs", "2")

    assert (stopped.exit_code, stopped.stdout) == (130, "")
    assert "after generation 2; all are saved. Continue with: evodom evolve demo --resume" in stopped.stderr
    assert "Stopping after this generation." in capfd.readouterr().err
    assert len(contents(tmp_path)) == 2
    assert evodom("evolve", "demo", "--resume").exit_code == 0
    assert contents(tmp_path) == contents(tmp_path, "whole")


def pressed(progress, generation):
    """Press Ctrl-C when the second generation is saved."""
    if generation.index == 1:
        signal.raise_signal(signal.SIGINT)


def test_the_end_of_evolution_agrees_with_the_report(evodom, store):
    result = evodom("evolve", "demo", *SMALL, "--training-baselines", "big-money, smithy-ultimate")
    with store.open("demo") as run:
        assert options_of(run).rivals == ("big-money", "smithy-ultimate")
        n_saved = len(SAVED_MATCHES.read(run))
    resumed = evodom("evolve", "demo", "--resume", "--json", "--quiet")
    told = json.loads(resumed.stdout)
    asked = ("report", "demo", "--best-response-games", "0", "--evaluation-games", str(FEW_GAMES))
    report = json.loads(evodom(*asked, "--json").stdout)
    text = " ".join(evodom(*asked).stdout.split())

    wins = {one["baseline"]: one["win"] for one in report["baselines"] if one["rank"] == 1}
    assert (resumed.stderr, told["key"], told["seed"], told["generations"]) == ("", "demo", 1, 2)
    assert ReportOptions().games == DEFAULT_GAMES
    assert told["baselines"] == wins
    assert told["strongest_baseline"] == min(wins, key=lambda name: wins[name]["share"])
    assert told["baselines_beaten"] == sum(share["low"] > 0.5 for share in wins.values())
    begins, ends = result.stdout.index("wins "), result.stdout.index(" Games in the last generation")
    strength = result.stdout[begins:ends]
    assert strength in text
    assert strength.startswith(f"wins {100 * wins['big-money']['share']:.1f} % (")
    assert n_saved == len(wins) == len(measured_baselines(FIRST_GAME, 2))


def test_only_intervals_above_the_chance_level_count_as_beaten():
    wins = {"big-money": Share(0.3, 0.26, 0.34, 400), "smithy": Share(0.28, 0.24, 0.32, 400)}
    wins |= {"random": Share(0.99, 0.97, 1.0, 400), "duke": Share(0.2, 0.17, 0.24, 400)}
    response = BestResponse(20_000, Share(0.278, 0.264, 0.292, 4000))

    text = " ".join(strength_sentences(wins, 4, response, "The champion"))

    assert text == (
        "The champion wins 30.0 % (26.0 to 34.0) of its games against three copies of Big Money. It wins least against "
        "three copies of duke, the strongest baseline: 20.0 % (17.0 to 24.0). Four equal players win 25 % each, the "
        "chance level. The 95 % interval lies above 25 % against 2 of 4 baselines. A network trained for 20,000 games "
        "to beat the champion wins 27.8 % (26.4 to 29.2). The closer to 25 %, the harder the champion is to beat."
    )


def test_a_learned_run_and_the_network_are_rivals_of_the_race_whatever_becomes_of_them(evodom, tmp_path, store):
    weights = shipped_weights(FIRST_GAME)
    member = np.zeros(1, SAVED_START)
    member["weights"] = weights / 2
    told = {"games": 0, "shares": [0.5], "starts": [0]}
    options = TrainOptions(players=2, n_starts=1)
    meta = {"kind": "train"} | new_meta(options.to_json(), 1, options.kingdom.rules_fingerprint)
    store.create("learned", meta, [Generation(0, member, np.zeros(1, np.int32), told)]).close()
    asked = "--nstrat 8 --seed 1 --players 2 --halving-games 1 --search-rounds 0"
    asked += " --training-opponent network --training-opponent learned"

    whole = evodom("evolve", "whole", "--ngen", "2", *asked.split())
    assert evodom("evolve", "parts", "--ngen", "1", *asked.split()).exit_code == 0
    store.delete("learned")

    assert whole.exit_code == 0, whole.output
    assert evodom("evolve", "parts", "--ngen", "2", "--resume", "--jobs", "2").exit_code == 0
    assert contents(tmp_path, "parts") == contents(tmp_path, "whole")
    with store.open("parts") as run:
        assert options_of(run).rivals[-2:] == ("network", "learned")


def test_progress_has_the_mean_wins_of_the_last_champions_and_the_kinds_of_decks(monkeypatch):
    told = []
    monkeypatch.setattr("tqdm.tqdm.set_postfix_str", lambda bar, text, refresh: told.append(text))
    moments = iter([0.0, 1.0, 2.0, 3.0])
    monkeypatch.setattr("evodom.api.run_progress.time.perf_counter", lambda: next(moments))

    with tqdm(total=2, leave=False) as shown:
        bar = EvolutionBar(shown, Options(n_generations=2), str)
        lines = {"0": {"cell": 4}, "1": {"cell": 4}, "2": {"cell": 5}}
        for summary in (
            {"games": 100, "race_games": 900, "best_points": 1.5},
            {"games": 600, "best_points": 1.5, "held_out_wins": 0.43},
            {"games": 1400, "best_points": 1.5, "held_out_wins": 0.53, "lines": lines},
        ):
            bar.on_generation(Generation(0, None, None, summary))

    assert told == [
        "1,000 games/s, champion scores 1.50 points",
        "800 games/s, champion wins 43 %",
        "1,000 games/s, champion wins 48 %, 2 kinds of decks",
    ]


def test_only_a_run_with_imitations_compiles_for_them(evodom, tmp_path, monkeypatch):
    def stop(*names, quiet):
        raise UsageError(" and ".join(names))

    resave(save_evolved(tmp_path), options=Options(**SETTINGS | {"start": "mixed"}).to_json())
    monkeypatch.setattr("evodom.api.progress.ensure_compiled", stop)

    for arguments, expected in (
        (("new", "--start", "random"), "games"),
        (("new", "--model", "classic"), "games"),
        (("new",), "games and imitation"),
        (("demo", "--resume"), "games and imitation"),
    ):
        assert evodom("evolve", *arguments).stderr == f"Error: {expected}\n"


def test_a_run_says_that_it_cannot_imitate_the_network(evodom, monkeypatch):
    monkeypatch.setattr(
        "evodom.dominion.strategies.models.networks.shipped.why_unusable", lambda: "the network is damaged"
    )

    assert "Note: the network is damaged" in evodom("evolve", "demo", *SMALLEST).stderr
    assert evodom("evolve", "demo", "-o", *SMALLEST, "--start", "random").stderr == ""


ISLANDS = shlex.split(
    "--islands 3 --migrate-every 2 --ngen 4 --nstrat 8 --players 2 --halving-games 1 --search-rounds 1 --seed 2"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a folder with a run of ISLANDS."""
    root = tmp_path_factory.mktemp("islands")
    result = in_folder(root, "evolve", "demo", *ISLANDS, "--jobs", "1")
    assert "demo: 4 generations on 3 islands in" in result.stdout
    return root


def in_folder(root, *arguments):
    return run_program(*arguments, EVODOM_DATA_DIR=str(root))


def test_it_says_how_many_islands_and_generations_there_were(root, tmp_path):
    shutil.copytree(root, tmp_path, dirs_exist_ok=True)
    result = in_folder(tmp_path, "evolve", "demo", "--resume", "--ngen", "6", "--jobs", "1")
    assert "demo: 6 generations on 3 islands, 2 of them new, in" in result.stdout

    facts = json.loads(in_folder(tmp_path, "evolve", "demo", "--resume", "--json", "--jobs", "1").stdout)
    assert (facts["generations"], facts["islands"]) == (6, 3)


def test_resuming_to_the_middle_of_a_round_is_refused_and_nothing_changes(root):
    result = in_folder(root, "evolve", "demo", "--resume", "--ngen", "5")

    assert result.exit_code == 2
    assert "--ngen 6" in result.stderr
    assert json.loads(in_folder(root, "runs", "show", "demo", "--json").stdout)["meta"]["options"]["n_generations"] == 4


def test_all_that_reads_runs_reads_islands(root, tmp_path):
    asked = ("report", "demo", "--evaluation-games", "1000", "--best-response-games", "0")
    page = in_folder(root, *asked)
    assert "After 4 generations the champion wins" in page.stdout
    assert "4 generations of 3 islands of 8 strategies" in " ".join(page.stdout.split())
    assert "island" in page.stdout
    assert in_folder(root, *asked, "--html", str(tmp_path / "page.html")).exit_code == 0

    assert 'name = "demo"' in in_folder(root, "strategies", "demo", "--raw").stdout
    match = in_folder(root, "match", "demo", "demo@0:24", "--games", "100")
    assert match.exit_code == 0, match.stderr
    assert "demo@0:24" in match.stdout
    assert "Allowed: demo:1 to demo:24" in in_folder(root, "match", "demo", "demo:25").stderr

    shown = in_folder(root, "runs", "show", "demo").stdout
    assert "rounds       2 of 2 generations each" in shown
    assert "Round" in shown
    assert in_folder(root, "runs").stdout.splitlines()[1].split()[:2] == ["demo", "4"]
    watched = in_folder(root, "play", "demo", "--watch", "--seed", "1", "--quiet")
    assert watched.exit_code == 0, watched.stderr


def test_the_bar_counts_generations_of_all_islands(monkeypatch):
    told: list[str] = []
    monkeypatch.setattr("tqdm.tqdm.set_postfix_str", lambda bar, text, refresh: told.append(text))
    moments = iter([0.0, 1.0])
    monkeypatch.setattr("evodom.api.run_progress.time.perf_counter", lambda: next(moments))
    options = Options(islands=2, migrate_every=5, n_generations=10)

    with tqdm(total=20, leave=False) as shown:
        bar = EvolutionBar(shown, options, str)
        bar.on_island(1)
        bar.on_island(0)
        bar.on_generation(Generation(0, None, None, {"games": 10, "island_games": 90, "held_out_wins": 0.5}))
        bar.on_island(0)
        assert shown.n == 15

    champion = "100 games/s, champion wins 50 %"
    assert told == ["1 of 2 islands", "2 of 2 islands", champion, f"1 of 2 islands, {champion}"]
