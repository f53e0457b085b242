"""Matches of simple strategies against the published results of other engines (tests/data/published_matches.json)."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.record import STRATEGY
from evodom.matches.simulate import play_games
from evodom.tasks import Workers
from tests.oracles.published import figures, main, read_results
from tests.oracles.published.play import Sampling

FILE = Path(__file__).parents[1] / "data" / "published_matches.json"
KNOWN = read_results(FILE)
N_GAMES = 10_000

FEW = (
    "BM v BM",
    "SmithyBMU v BMU",
    "DoubleWitch v BMU",
    "WorkshopGardens v BMU",
    "BureaucratGardens v BMU",
    "ChapelWitch v BMU",
    "BM+1Bandit v BM",
    "BM+1Cellar v BM",
    "BM+1Sentry v BM",
    "DoubleWitch v BMU v BMU v BMU",
)


@pytest.fixture(scope="module")
def sampling():
    with ThreadPoolExecutor(2) as executor:
        yield Sampling(N_GAMES, seed=2024, workers=Workers(executor, 2))


@pytest.mark.full
@pytest.mark.parametrize("name", [*FEW, "solitaire", "opening"])
def test_matches_come_out_as_published(name, sampling):
    found = list(figures(KNOWN, sampling, only=(name,)))

    assert len(found) >= 10
    assert [str(figure) for figure in found if not figure.holds] == []


def test_the_command_tells_each_figure_and_fails_where_one_is_out(capsys, tmp_path):
    arguments = ["--games", "2000", "--only", "BMU v BM", "--jobs", "1"]

    assert main([str(FILE), *arguments]) == 0
    assert "ok   BMU v BM, with endgame check: wins of BMU (1) (%): 8" in capsys.readouterr().out

    wrong = tmp_path / "wrong.json"
    wrong.write_text(FILE.read_text().replace("81.23", "71.23"))

    assert main([str(wrong), *arguments]) == 1
    assert "FAIL BMU v BM, with endgame check: wins of BMU (1) (%): 8" in capsys.readouterr().out


@pytest.mark.full
def test_four_big_money_players_take_the_published_rounds_and_points():
    strategies = np.zeros(4, STRATEGY)
    for seat in range(4):
        strategies[seat] = baseline("big-money", FIRST_GAME)
    tables = np.tile(np.arange(4, dtype=np.int32), (N_GAMES, 1))
    seeds = np.random.SeedSequence(2024).generate_state(N_GAMES, np.uint64)
    results = play_games(FIRST_GAME.rules(4), strategies, tables, seeds)

    assert results["turns"][:, 0].mean() == pytest.approx(15.4, abs=0.1)
    assert results["vp"][:, :4].mean() == pytest.approx(25.0, abs=0.1)
