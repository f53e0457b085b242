"""`evodom spire train` and `compare`, and networks in `search`, `pick` and `play`."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner

from evodom.cli import cli
from evodom.cli.spire import spire
from evodom.errors import RunError
from evodom.learning.fights.run import fights_of, network_of, summaries_of
from evodom.runs import Generation, RunStore
from evodom.spire.embedding.hypernetwork import shipped
from evodom.spire.engine.game import SpireFight
from tests.learning.fights.test_run import FIGHT
from tests.learning.fights.test_run import root as root

FEW_GAMES = shlex.split("--iterations 2 --iteration-games 6 --simulations 6 --evaluation-games 4 --seed 1")
TINY = ("--network", "none", "--width", "8", *FEW_GAMES)
FEW = ("--games", "4", "--simulations", "6", "--seed", "1", "--quiet")


def run(root, *arguments, command=spire, answers=""):
    return CliRunner().invoke(command, arguments, input=answers, env={"EVODOM_DATA_DIR": str(root)})


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "fight.toml"
    file.write_text(FIGHT)
    return str(file)


def test_a_network_is_trained_saved_and_judged(tmp_path, file):
    result = run(tmp_path, "train", "demo", "--fight", file, "--optimum", "27", *TINY)

    assert result.exit_code == 0, result.output
    first, second, third, last = result.stdout.splitlines()
    assert re.fullmatch(r"demo: 2 iterations, 12 games in [\d.]+ s, seed 1\.", first)
    assert second.startswith("Cultist, ascension 20, 30 of 75 HP: ")
    assert " % of the optimum" in second
    assert third.startswith("4 evaluation games, 6 simulations per move")
    assert last == "Next: evodom spire play demo, or: evodom spire search --network demo"
    lines = [line for line in result.stderr.splitlines() if "games/s" in line]
    assert len(lines) == 2
    assert "losses" in lines[0]


def test_a_training_for_programs_stops_and_goes_on(tmp_path, file):
    whole = json.loads(run(tmp_path, "train", "demo", "--fight", file, *TINY, "--json", "--quiet").stdout)
    again = json.loads(
        run(tmp_path, "train", "demo", "--resume", "--evaluation-games", "4", "--json", "--quiet").stdout
    )

    assert (whole["seed"], whole["games"], len(whole["iterations"])) == (1, 12, 2)
    assert {**whole, "seconds": 0} == {**again, "seconds": 0}


def test_a_training_whose_last_checkpoint_has_no_figures_is_refused_in_one_line(root, tmp_path, store):
    with RunStore(root).open("tiny") as whole:
        meta, first, second = whole.meta, whole.generation(0), whole.generation(1)
    broken = Generation(1, second.genomes, second.ranking, {})
    store.create("demo", meta, [first, broken]).close()

    result = run(tmp_path, "train", "demo", "--resume")

    assert isinstance(result.exception, RunError)
    assert "games is missing" in str(result.exception)
    with store.open("demo") as read, pytest.raises(RunError, match="games is missing"):
        summaries_of(read)


def test_several_decks_are_trained_at_once(tmp_path, store, file):
    result = run(tmp_path, "train", "demo", "--fight", file, "--pick", "Anger, skip", *TINY)

    assert result.exit_code == 0, result.output
    assert len([line for line in result.stdout.splitlines() if line.startswith("Cultist")]) == 2
    picked = run(tmp_path, "pick", "Anger, skip", "--network", "demo", *FEW)
    assert picked.stdout.splitlines()[-1].startswith("Best: ")
    with store.open("demo") as saved:
        assert "Anger at enemy 1" in network_of(saved).features.outputs


def test_a_training_begins_as_the_network_of_act_1(tmp_path, store, file):
    result = run(tmp_path, "train", "demo", "--fight", file, *FEW_GAMES, "--quiet")

    assert result.exit_code == 0, result.output
    with store.open("demo") as saved:
        fight = fights_of(saved)[0]
        (setup,) = (setup for _, _, setup in fight.encounter_setups())
        act = shipped().for_fight(SpireFight(setup))
        assert network_of(saved, 0).features == act.features
        assert (network_of(saved, 0).weights == act.weights).all()
        assert (network_of(saved).weights != act.weights).any()


def test_enemies_that_come_in_hundreds_of_groups_are_saved_by_their_name(tmp_path, store):
    assert run(tmp_path, "train", "gang", "--enemy", "gremlin gang", *TINY, "--quiet").exit_code == 0

    with store.open("gang") as saved:
        assert [list(fight.encounter_names()) for fight in fights_of(saved)] == [[("Gremlin Gang", 1)]]


def test_a_network_searches_its_own_fight_or_another(root):
    own = run(root, "search", "--network", "tiny", *FEW)
    other = run(root, "search", "--network", "tiny", "--player-hp", "20", *FEW)

    assert own.stdout.startswith("Cultist, ascension 20, 30 of 75 HP: ")
    assert other.stdout.startswith("Cultist, ascension 20, 20 of 75 HP: ")


def test_a_key_is_played(root):
    result = run(root, "play", "tiny", "--seed", "3", "--quiet", answers="n 10\ne\nq\n")

    assert result.exit_code == 0
    assert "Cultist 18 HP" in result.stdout
    assert "visits" in result.stdout
    assert "the network's estimate" in result.stdout


def test_a_name_of_enemies_means_them_whatever_a_training_is_called(tmp_path, file):
    trained = run(tmp_path, "train", "nob", "--fight", file, *TINY)
    plain = run(tmp_path, "play", "nob", "--seed", "3", "--quiet", answers="q\n").stdout
    own = run(tmp_path, "play", "run:nob", "--seed", "3", "--quiet", answers="q\n").stdout
    searched = run(tmp_path, "search", "run:nob", *FEW).stdout

    assert "Next: evodom spire play run:nob, or: " in trained.stdout
    assert "Gremlin Nob" in plain
    assert "68/75" in plain
    assert "Gremlin Nob" not in own
    assert "Cultist 18 HP" in own
    assert searched.startswith("Cultist, ")


def test_a_network_is_compared_with_playouts(root):
    page = json.loads(run(root, "compare", "tiny", "none", *FEW, "--json").stdout)
    text = run(root, "compare", "tiny", "none", *FEW).stdout.splitlines()

    means = [page["entrants"][name]["value"]["mean"] for name in ("tiny", "none")]
    assert page["difference"]["mean"] == pytest.approx(means[0] - means[1])
    assert text[0].endswith(", 4 equal fights each, 6 simulations per move:")
    assert text[-1].startswith("tiny - none: ")


def test_runs_lists_and_shows_a_training(root):
    assert "tiny" in run(root, "runs", command=cli).stdout
    shown = run(root, "runs", "show", "tiny", command=cli)
    assert shown.exit_code == 0
    assert "loss_moves" in shown.stdout
