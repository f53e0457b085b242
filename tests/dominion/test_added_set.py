"""An added set is one module, registered in one line: its cards are played, evolved, learned and advised about."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evodom.dominion.kingdom import parse_kingdom

SET = '''
"""Two cards of an invented set."""

from evodom.dominion.effects.hand import actions, buys, cards, coins
from evodom.dominion.cards.card import ACTION, Card, CardSet
from evodom.dominion.effects.supply import gain_costing_up_to
from evodom.dominion.effects.ops import Trigger

CALEDONIA = CardSet(
    "Caledonia",
    (
        Card("Drovers", 4, ACTION, (buys(1), coins(2)), on_event={Trigger.GAINED: (coins(2),)}),
        Card("Clachan", 6, ACTION, (cards(1), actions(2)), on_event={Trigger.GAINED: (gain_costing_up_to(5),)}),
    ),
    {},
)
'''

RUN = '''
"""Register the set as an edit of cards/__init__.py would, without another file for the kernels' cache, and run."""

import sys
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path

class Registered(SourceFileLoader):
    def get_code(self, name):
        text = self.get_source(name)
        head, sets, tail = text.partition("\\nSETS = ")
        assert ")}" in tail
        lines = f"\\n__path__.append({FOLDER!r})\\nfrom evodom.dominion.cards.caledonia import CALEDONIA"
        text = head + lines + sets + tail.replace(")}", ", CALEDONIA)}", 1)
        return compile(text, self.path, "exec")

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "evodom.dominion.cards":
            return None
        spec = PathFinder.find_spec(name, path)
        spec.loader = Registered(name, spec.origin)
        return spec

FOLDER, *words = sys.argv[1:]
sys.meta_path.insert(0, Finder)
if words:
    from evodom.cli import cli
    sys.exit(cli(words))

from evodom.dominion import cards
from evodom.dominion.cards import missing_card_text
from evodom.dominion.kingdom import FIRST_GAME, Kingdom, parse_kingdom
from evodom.dominion.game import DominionGame
from evodom.dominion.strategies.describe import describe_buys
from evodom.evolution.options import Options
from evodom.evolution.runs import carry_on, champions, start
from evodom.learning import usable_weights
from evodom.runs import RunStore
from tests.learning.small import trained

kingdom = Kingdom(("Clachan", "Drovers", "Moat"))
game = DominionGame.from_position("P1: hand Drovers", kingdom).enact("Drovers")
assert (game.state.buys, game.state.coins) == (2, 2), game.state
game = DominionGame.from_position("P1: | turn: P1, 2 buys, 6 coins, buy phase", kingdom)
game = game.enact("Clachan").enact("Drovers")
assert game.owned(0) == {"Clachan": 1, "Drovers": 1}
assert game.state.coins == 2, game.state
assert missing_card_text("Drovers") == ""
cards.missing_cards = lambda: {"lairds": ("Lairds", "Caledonia")}
assert missing_card_text("Lairds").startswith("Lairds is a card of Caledonia, of which evodom has other cards.")
assert usable_weights(FIRST_GAME) is not None

kingdom = Kingdom(("Clachan", "Drovers", "Moat"))
options = Options(n_strategies=8, n_generations=1, kingdom=kingdom)
with start("bred", options, 3, store=RunStore(FOLDER)) as run:
    carry_on(run)
    bought = [described for strategy in champions(run, 8) for described in describe_buys(strategy, kingdom).lists]
assert "Drovers" in str(bought) or "Clachan" in str(bought)
first, *_, last = trained("learned", Path(FOLDER), kingdom=kingdom, games=24, n_starts=1)
assert last[0] != first[0]
print(*parse_kingdom("random", seed=5).cards)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("set")
    (folder / "caledonia.py").write_text(SET)
    (folder / "run.py").write_text(RUN)
    return folder


def run(folder: Path, *words: str) -> str:
    command = [sys.executable, folder / "run.py", folder, *words]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.full
def test_cards_of_an_added_set_are_played_evolved_and_learned_and_change_no_seeded_draw(folder):
    assert run(folder).split("\n")[0] == " ".join(parse_kingdom("random", seed=5).cards)


@pytest.mark.full  # all but the report is tested above
def test_advice_evolves_and_trains_strategies_with_cards_of_an_added_set(folder, tmp_path):
    kingdom = "Clachan, Drovers, Moat, Village, Smithy, Market, Militia, Mine, Remodel, Workshop"
    small = ("--ngen", "1", "--training-games", "2000", "--evaluation-games", "100", "--seed", "1")

    advice = run(folder, "advise", *small, "--kingdom", kingdom, "--data-dir", str(tmp_path), "--quiet")

    assert "Drovers" in advice or "Clachan" in advice
