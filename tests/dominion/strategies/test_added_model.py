"""An added model is a folder and a line of the registry: it is played, evolved, saved, described and in advice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = '''
"""Add the line to the registry as an edit would, and use the model."""

import sys
from importlib.util import find_spec, module_from_spec
from pathlib import Path

name = "evodom.dominion.strategies.registry"
spec = find_spec(name)
line = '"evodom.dominion.strategies.models.networks",'
text = spec.loader.get_source(name)
assert line in text
registry = sys.modules[name] = module_from_spec(spec)
exec(compile(text.replace(line, line + '"tests.dominion.strategies.added",'), spec.origin, "exec"), vars(registry))

import numpy as np

from evodom.advice.answer import EVOLVED
from evodom.cli import cli
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.describe import describe_buys
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.record import STRATEGY, strategies_of
from evodom.evolution import Evolution, Options, RankedPopulation
from evodom.matches.simulate import play_games
from evodom.presentation.documents.advice import KINDS

assert STRATEGY.names[-1] == "added"
assert EVOLVED == ("graded", "buy-list", "ladder")
assert KINDS["ladder"] == "evolved ladder"

evolution = Evolution(Options(model="ladder", n_strategies=8, start="random"), seed=3)
first = evolution.ask()
evolution.tell(RankedPopulation(np.arange(8)))
bred = evolution.ask()
assert bred.dtype.names == ("order",)
assert len(bred) == 8
assert (bred != first).any()
champion = strategies_of(bred, evolution.options)[0]

text = dump_strategy(champion, FIRST_GAME, name="bred")
assert dump_strategy(parse_strategy(text).record(FIRST_GAME), FIRST_GAME, name="bred") == text
assert describe_buys(champion, FIRST_GAME).lists[0].lines == parse_strategy(text).content.cards

ladder = parse_strategy('ladder = ["Province", "Gold", "Silver"]').record(FIRST_GAME)
players = np.array([ladder, baseline("random", FIRST_GAME)], STRATEGY)
tables, seeds = np.array([[0, 1]], np.int32), np.zeros(1, np.uint64)
results = play_games(FIRST_GAME.rules(2), players, tables, seeds)
assert results["win"][0, :2].tolist() == [1, 0]
bought = [card for card, n in zip(FIRST_GAME.names, results["owned"][0, 0]) if n and card not in ("Curse", "Copper")]
assert set(bought) == {"Estate", "Silver", "Gold", "Province"}
file = Path(sys.argv[1], "bred.toml")
file.write_text(text)
sys.exit(cli(["strategies", str(file)]))
'''


@pytest.mark.full
def test_an_added_model_is_played_evolved_saved_and_described(tmp_path):
    root = Path(__file__).parents[3]
    environment = os.environ | {"PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", RUN, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)

    assert done.returncode == 0, done.stderr
    assert 'model = "ladder"' in done.stdout
