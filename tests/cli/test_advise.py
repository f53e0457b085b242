"""`evodom advise`: what it answers, saves and refuses."""

import json
import re
import shlex
import shutil
import signal
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from evodom.advice import search
from evodom.advice.figures import LossReasons, OpponentResult
from evodom.advice.runs import Request
from evodom.advice.sample import BuyDifference
from evodom.advice.search import Question
from evodom.cli.advise import AdviceOptions, _request, _users, advise
from evodom.cli.strategies import strategies
from evodom.dominion.kingdom import FIRST_GAME, parse_kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import dump_strategy, load_strategy
from evodom.errors import EvodomError
from evodom.learning.training import Training
from evodom.matches.agents import Entrant
from evodom.matches.entrants import find_entrants
from evodom.presentation.documents.advice import _reasons, check_sentences, strategy_kind
from evodom.presentation.documents.advice_facts import play_command
from evodom.runs import Run, RunStore
from evodom.statistics import IntervalEstimate, Share
from tests.advice.small import shrink
from tests.cli.program import once
from tests.crafted import save_evolved
from tests.learning.small import KINGDOM
from tests.networks import spoil_shipped_network
from tests.sessions.helpers import Killed
from tests.test_transcripts import BLOCK, ROOT

DIFFERING = ("seconds", "command", "play", "list")
SMALL = shlex.split("--training-games 2000 --nstrat 8 --evaluation-games 100 --seed 4 --ngen 2")
WITCHES = "chapel,witch,village,smithy,moat,gardens,laboratory,festival,militia,remodel"


@pytest.fixture(autouse=True)
def fewer(monkeypatch):
    shrink(monkeypatch)


@pytest.fixture
def invoke(tmp_path):
    return lambda *words, root=tmp_path: CliRunner().invoke(advise, [*words, "--data-dir", str(root), "--quiet"])


def facts(result):
    """Return the answer without the fields that differ between equal answers."""
    return {name: value for name, value in json.loads(result.stdout).items() if name not in DIFFERING}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return a data folder, the answer to SMALL with a further generation as text, and then to SMALL as JSON."""
    root = tmp_path_factory.mktemp("asked")
    common = ["--data-dir", str(root), "--quiet"]
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch)
        longer = CliRunner().invoke(advise, [*SMALL[:-1], "3", "--kingdom", "first-game", *common])
        exported = ["--export", str(root / "best.toml")]
        result = CliRunner().invoke(advise, [*SMALL, "--json", "--jobs", "1", *exported, *common])
    assert facts(result)["list_against_network"], "the answer is no learned one, which has more to tell"
    return root, longer, result


@pytest.fixture
def before(answers, tmp_path):
    """Return that answer, and have a copy of that data folder in `tmp_path`."""
    root, _, result = answers
    shutil.copytree(root, tmp_path, dirs_exist_ok=True)
    return facts(result)


def check_form(lines):
    """Check that lines are a screen, with terms of this order."""
    assert len(lines) <= 24
    # Commands are as long as they are: a shell takes one line only.
    assert max(len(line) for line in lines if ": evodom " not in line) <= 80
    terms = [line.split("  ")[0] for line in lines if re.match(r"\w[\w ]{,7}  ", line)]
    order = "Kingdom,Best,First,By hand,Note,Plan,Network,Opening,Play,Mistake,Key,Avoid,Try,Checked,Yours"
    assert re.search(",(.*,)?".join(terms), order)


def test_documents_show_a_screen_of_this_form():
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in ("docs/guide/advise.md", "README.md"))
    blocks = [block[2] for text in texts for block in BLOCK.finditer(text)]
    whole, beginning = (block.splitlines()[1:] for block in blocks if block.startswith("$ evodom advise"))

    check_form(whole)
    assert beginning[:-1] == whole[: len(beginning) - 1]


def check_screen(result, kingdom):
    """Check that an answer in text has all its parts, on one screen."""
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    check_form(lines)
    terms = ("The search was short: ", "Kingdom", "Best", "By hand", "Plan", "Opening", "Checked")
    for part in (*terms, "Big Money", "with $4", "$5", "evodom play --opponent", "mine.toml", "--export FILE"):
        assert part in result.stdout
    assert lines[-1].startswith(f"Repeat: evodom advise --kingdom {kingdom}")


# What is best in the first of them is a list, in the second a learned player.
@pytest.mark.full
def test_the_answer_is_one_screen_with_as_many_games_as_usual(invoke, monkeypatch):
    monkeypatch.undo()  # of `fewer`

    check_screen(invoke(*SMALL, "--kingdom", WITCHES), "chapel,festival,")


def test_the_command_it_tells_has_the_options_of_the_question(answers):
    root, _, result = answers
    words = shlex.split(json.loads(result.stdout)["command"])[2:]

    told, given = (advise.make_context("advise", [*each]) for each in (words, [*SMALL, "--data-dir", str(root)]))

    assert told.params == given.params | {"kingdom": "first-game"}


def test_the_answer_is_one_screen_with_its_list_as_a_file(answers):
    root, longer, _ = answers
    check_screen(longer, "first-game")
    file = root / "best.toml"

    (option,) = (line for line in file.read_text().splitlines() if line.startswith("# Its option: "))
    *_, kingdom = option.split()
    assert kingdom == "first-game"
    assert load_strategy(file).record(parse_kingdom(kingdom)).kind > 0
    assert load_strategy(file).name == "first-game list"


def test_the_list_that_belongs_to_an_answer_is_written_by_its_name(invoke, before, tmp_path, monkeypatch):
    monkeypatch.setenv("EVODOM_DATA_DIR", str(tmp_path))
    assert before["answer"] == "first-game"
    file = tmp_path / "list.toml"
    for word in ("first-game", "first-game:list", "first-game:network:1"):
        told = CliRunner().invoke(strategies, [word])
        assert told.exit_code == 0, told.output
        file.write_text(told.stdout)
        assert load_strategy(file).name == "first-game list"
    assert all(line.removeprefix("0 ") in told.stdout for line in before["wording"]["lists"][0]["lines"])


def test_the_answer_is_an_opponent_by_its_name(before, store):
    (entrant,) = find_entrants(["first-game"], store=store).entrants
    response = before["best_response"]["became_answer"]

    assert entrant.name == "first-game"
    assert entrant.origin[1] == ("first-game:best-response" if response else "first-game:network")


@pytest.mark.full
def test_at_tables_of_more_the_others_are_copies_and_a_key_of_ones_own_is_that_of_the_runs(invoke, store):
    cards = ",".join(KINGDOM.cards).lower()
    result = invoke(*SMALL, "--kingdom", cards, "--players", "3", "--key", "mine")

    check_screen(result, cards)
    shown = " ".join(result.stdout.split())
    assert "chance level 33 %" in shown
    assert "two copies of Big Money" in shown
    assert [*store] == ["mine"]


@pytest.fixture
def mine(tmp_path):
    """Return a strategy file that plays well: no strategy of two generations is as good."""
    file = tmp_path / "mine.toml"
    file.write_text(dump_strategy(baseline("smithy-ultimate", FIRST_GAME), FIRST_GAME, name="a name of its own"))
    return str(file)


def test_an_opponent_of_ones_own_plays_and_is_called_as_it_was_typed(invoke, before, mine, monkeypatch):
    monkeypatch.setattr(search, "find_advice", once(search.find_advice))
    words = (*SMALL, "--against", mine, "--against", "big-money")
    found = json.loads(invoke(*words, "--json").stdout)

    assert f"--against {mine} --against big-money" in found["command"]
    assert [one["name"] for one in found["user_opponents"]] == [mine, "big-money"]
    assert found["user_opponents"][1]["wins"] == found["against_big_money"]
    assert mine in found["ranking"]
    assert found["ranking"].count("big-money") == 1
    assert before["user_opponents"] == []
    assert [one["name"] for one in found["reasons"]] == [mine, "big-money"]
    assert found["reasons"][1]["difference"]["coins"] in range(9)
    lines = invoke(*words).stdout.splitlines()
    assert len(lines) <= 24 + 2 * 6
    assert any(line.startswith("Yours    ") for line in lines)


def test_checks_have_the_win_rates_against_the_strongest_opponent_and_the_users_own():
    behind, level = Share(0.4, 0.38, 0.42, 2000), Share(0.5, 0.48, 0.52, 2000)
    own = (OpponentResult("mine.toml", behind), OpponentResult("demo", level))
    advice = SimpleNamespace(
        hardest=own[0],
        user_opponents=own,
        searches=(),
        best_response=None,
        runner_up="demo",
        list_against_network=level,
    )

    *users, strongest = check_sentences({"players": 2}, advice, full=False)

    assert [("40.0 % (38.0 to 42.0)" in one, "mine.toml" in one) for one in users] == [(True, True), (False, False)]
    assert all(sentence.startswith("The network wins ") for sentence in (*users, strongest))
    assert "mine.toml" in strongest
    assert "below the chance level" in strongest
    advice.hardest, advice.user_opponents = own[1], ()
    assert list(check_sentences({"players": 2}, advice, full=False)) == []
    (strongest,) = check_sentences({"players": 2}, advice, full=True)
    assert "50.0 % (48.0 to 52.0)" in strongest


def test_reasons_are_the_first_other_buy_and_the_changes_in_the_form_of_the_list():
    gains = {
        'add "2 Witch" above "Gold"': IntervalEstimate(0.081, 0.062, 0.1),
        'remove "Cellar"': IntervalEstimate(0.02, 0.01, 0.03),
    }
    found = (
        LossReasons("mine.toml", BuyDifference(3, False, 5, "Witch", "pass"), gains),
        LossReasons("its-equal", None, {}),
        LossReasons("demo", None, None),
    )

    first, equal, other = (
        block.rows["Yours"] for block in _reasons(SimpleNamespace(reasons=found, list_against_network=None))
    )

    assert first == (
        "Sample game, turn 3, $5: the list buys Witch, mine.toml nothing. It gains most against the list if you "
        'add "Witch (at most 2)" above "Gold" (+8.1 points, 6.2 to 10.0); or remove "Cellar" (+2.0 points, 1.0 to 3.0).'
    )
    assert equal.endswith("No change of one line was found that gains against the list.")
    assert other == "In the sample game demo buys the same as the list."


@pytest.mark.parametrize(
    ("ranking", "response", "command"),
    [
        (("big-money", "reply"), None, "play --opponent big-money --kingdom first-game"),
        (("reply", "ask:network@3:2"), None, "play --opponent ask:network@3:2"),
        (("reply", "ask:network@3:2"), "ask:best-response", "play --opponent ask:best-response:1"),
        (("my:list.toml",), None, "play --opponent my:list.toml --kingdom first-game"),
    ],
)
def test_what_to_play_against_is_something_that_play_finds(ranking, response, command):
    own = Entrant("my:list.toml", ("file", "my:list.toml"), baseline("big-money", FIRST_GAME))
    question = Question(Request(FIRST_GAME, 2, "ask", 8), 1, users=(own,))
    found = SimpleNamespace(advice=SimpleNamespace(ranking=ranking), response=response, name=None)

    assert " ".join(play_command(question, found)) == f"evodom {command}"
    found.name = "first-game"
    assert " ".join(play_command(question, found)) == (
        f"evodom {command}" if ranking == ("my:list.toml",) else "evodom play --opponent first-game"
    )


def test_another_seed_needs_overwrite_and_ctrl_c_saves_and_says_how_to_go_on(invoke, before, store, monkeypatch):
    assert "answer 'first-game' was found with seed 4, and --seed is 5" in str(invoke(*SMALL, "--seed", "5").exception)
    following = Training.following

    def pressed(self, saved, monitor):
        signal.raise_signal(signal.SIGINT)
        return following(self, saved, monitor)

    monkeypatch.setattr(Training, "following", pressed)
    result = invoke(*SMALL, "--seed", "5", "--overwrite")

    assert (result.exit_code, result.stdout) == (130, "")
    assert "evodom advise --kingdom first-game" in result.stderr
    with store.open("first-game") as run:
        assert (run.meta["seed"], run.part("network").meta["seed"], run.parts) == (5, 5, ["network"])


@pytest.mark.parametrize("n_writes", [pytest.param(2, marks=pytest.mark.full), 5])
def test_a_search_killed_while_it_learns_or_evolves_continues_to_an_equal_answer(
    invoke, answers, store, monkeypatch, n_writes
):
    append, writes = Run.append, iter(range(n_writes))

    def append_or_die(self, generations, **changes):
        if next(writes, None) is None:
            raise Killed
        append(self, generations, **changes)

    monkeypatch.setattr(Run, "append", append_or_die)
    with pytest.raises(Killed):
        invoke(*SMALL)
    monkeypatch.setattr(Run, "append", append)
    with store.open("first-game") as run:
        assert ("graded" in run.parts) == (n_writes > 4)

    words = shlex.split(json.loads(answers[2].stdout)["command"])[2:]
    assert facts(invoke(*words, "--jobs", "3", "--json")) == facts(answers[2])


def test_strategies_of_the_runs_are_named_by_their_kind():
    names = ("first-game:buy-list:2", "a:graded:1", "a:network@3:2", "big-money", "smithy-duchies")

    kinds = ["evolved buy list", "evolved preferences", "neural network", "Big Money", "smithy-duchies"]
    assert list(map(strategy_kind, names)) == kinds


def test_a_network_that_cannot_be_used_is_noted_before_anything_is_played(monkeypatch, tmp_path):
    def stop(*groups, quiet):
        raise EvodomError("stopped here")

    spoil_shipped_network(monkeypatch)
    monkeypatch.setattr("evodom.api.advice.ensure_compiled", stop)

    result = CliRunner().invoke(advise, ["--data-dir", str(tmp_path)])

    assert str(result.exception) == "stopped here"
    assert "Note: the network of all kingdoms cannot be used: general.npz is a network of rules" in result.stderr


def test_advice_against_a_run_is_for_its_kingdom_and_number_of_players(tmp_path):
    store = RunStore(tmp_path)
    save_evolved(tmp_path)
    users = _users(("demo", "big-money"), store, None)
    for asked, players in ((None, 4), (3, 3)):
        request = _request(users, AdviceOptions(players=asked))
        assert (request.kingdom.name, request.players) == ("First Game", players)
    assert users.size_note(3, "advice") == "demo was made for 4 players; this advice has 3."
    assert _request(_users((), store, None), AdviceOptions()).players == 2
