"""Islands: separate within a round, ranked together after it, independent of executors and interruptions."""

from concurrent.futures import Executor, Future
from dataclasses import replace as replaced
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from evodom.dominion.strategies.record import strategies_of
from evodom.errors import RunError, UsageError
from evodom.evolution import Archive, Evolution, Options, RankedPopulation, evaluate
from evodom.evolution.archive import Line
from evodom.evolution.emitters import ORIGINS, Emitted
from evodom.evolution.history import games_of
from evodom.evolution.islands import N_BEST, Archipelago, _first_descent, evolve_island, n_migrants
from evodom.evolution.proposals import KEPT_SHARE
from evodom.evolution.ranking import copies_last
from evodom.evolution.runs import carry_on, champions, check_run, extend, history_of
from evodom.matches.seating import island_seed
from evodom.tasks import Tasks, pack, unpack
from tests.evolution.conftest import evolve
from tests.saved import ROUND_GAMES, SHORT_ROUND, contents

OPTIONS = Options(
    n_strategies=8,
    islands=3,
    migrate_every=2,
    n_generations=4,
    games=1,
    race=4,
    rivals=("big-money",),
    players=2,
    search_rounds=1,
)


class Twice(Executor):
    """Runs each job twice, and loses the first result of the last one."""

    n_losses = 1

    def submit(self, fn, /, *arguments, **options):
        future = Future()
        fn(*arguments)
        if self.n_losses:
            self.n_losses -= 1
            future.set_exception(ConnectionError())
        else:
            future.set_result(fn(*arguments))
        return future


def evolved(root, workers, options=OPTIONS, *, key="demo", stop_after=None):
    """Evolve a run and return all that it saved."""
    evolve(root, workers, options, key=key, stop_after=stop_after)
    return contents(root, key)


def test_a_round_is_saved_with_all_islands_and_one_ranking(tmp_path, store, workers):
    assert len(evolved(tmp_path, workers)) == 2
    with store.open("demo") as run:
        check_run(run)
        for generation in run:
            assert sorted(generation.ranking) == list(range(24))
            assert len(generation.summary["islands"]) == 3
            assert generation.summary["island_games"] > 0
            assert games_of(generation.summary) > generation.summary["island_games"]
        assert len(champions(run, 4)) == 4
        rows = history_of(run)
    assert [row["generation"] for row in rows] == [OPTIONS.migrate_every, 2 * OPTIONS.migrate_every]
    assert all(0 < row["mean"] < row["best"] <= 1 for row in rows)


def test_the_result_does_not_depend_on_executors_or_interruptions(tmp_path, store, workers):
    options = replace(OPTIONS, n_generations=6)
    whole = evolved(tmp_path, workers, options, key="whole")
    assert evolved(tmp_path, replaced(workers, tasks=Tasks(Twice())), options, key="twice") == whole

    evolved(tmp_path, workers, options, key="parts", stop_after=1)
    with store.open("parts", write=True) as run:
        assert run.n_generations == 2
        assert carry_on(run, workers)
    assert contents(tmp_path, "parts") == whole


def test_an_extended_run_equals_a_longer_one(tmp_path, store, workers):
    evolved(tmp_path, workers, replace(OPTIONS, n_generations=2), key="short")
    with store.open("short", write=True) as run:
        extend(run, 4)
        carry_on(run, workers)
        with pytest.raises(UsageError, match=r"--ngen is 2, and run 'short' has 4 generations\. Allowed: 4"):
            extend(run, 2)

    assert contents(tmp_path, "short") == evolved(tmp_path, workers)


def test_an_island_is_an_evolution_with_its_own_seed():
    facts = {"options": OPTIONS.to_json(), "seed": island_seed(1, 2), "n_before": 0}
    _, arrays = unpack(evolve_island(pack(facts)))

    evolution = Evolution(OPTIONS, island_seed(1, 2))
    evolution.tell(RankedPopulation.of(evaluate(evolution)))
    last = evaluate(evolution)
    assert arrays["genomes"].tobytes() == last.genomes[last.ranking].tobytes()


def test_the_best_of_an_island_migrate_to_the_next_in_a_circle(workers):
    archipelago = Archipelago(OPTIONS, 1)
    first = next(archipelago.rounds(workers))
    _, third = archipelago._job(0)[1], archipelago._job(2)[1]
    arrays = archipelago._job(0)[1]

    lines = Archive.of(first.summary).lines
    best_line_of_the_last = next(place for place in first.ranking.tolist() if place >= 16 and place in lines)
    assert n_migrants(OPTIONS) == 1
    assert arrays["migrants"].tobytes() == first.genomes[best_line_of_the_last].tobytes()
    facts = archipelago._job(0)[0]
    assert Archive.of(facts["migrants"]).lines == {best_line_of_the_last: lines[best_line_of_the_last]}
    own = [place for place in first.ranking.tolist() if place >= 16]
    assert third["genomes"].tobytes() == first.genomes[own].tobytes()
    assert Archive.of(archipelago._job(2)[0]).lines == {
        own.index(number): line for number, line in lines.items() if number >= 16
    }


def test_origins_refer_to_the_previous_round(tmp_path, store, workers):
    """An elite is its ancestor, unchanged; migrants come from the island before; only new ones have no ancestor."""
    evolved(tmp_path, workers, replace(OPTIONS, migrate_every=1, n_generations=5, search_rounds=0))
    came_over = 0
    with store.open("demo") as run:
        check_run(run)
        rounds = list(run)
    assert rounds[0].columns[ORIGINS].tolist() == [("new", -1, -1)] * 24
    for before, after in pairwise(rounds):
        own = after.genomes.reshape(3, 8)
        for place, (kind, ancestor, other) in enumerate(after.columns[ORIGINS].tolist()):
            assert other == -1
            assert (kind == "new") == (ancestor == -1)
            if kind == "elite":
                assert after.genomes[place].tobytes() == before.genomes[ancestor].tobytes()
            if kind != "new":
                assert ancestor // 8 in (place // 8, (place // 8 - 1) % 3)
                came_over += ancestor // 8 != place // 8
        for island in range(3):
            best_next_door = before.ranking[before.ranking // 8 == (island - 1) % 3][: n_migrants(OPTIONS)]
            assert {before.genomes[one].tobytes() for one in best_next_door} <= {one.tobytes() for one in own[island]}
    assert came_over == 4 * 3 * n_migrants(OPTIONS)


def test_an_ancestor_is_followed_through_all_generations_of_a_round():
    """The line that the task returns is what the origins of its generations say, one after the other."""
    first = next_round({"n_before": 0}, OPTIONS)[1]["genomes"]
    options = replace(OPTIONS, migrate_every=3, n_generations=6)
    facts = {"options": options.to_json(), "seed": island_seed(1, 2), "n_before": 3, "migrants": {}}
    arrays = {"genomes": first, "migrants": first[3:4], "hall": first[:0], ORIGINS: Emitted.of(first, "elite").origins}
    found = unpack(evolve_island(pack(facts, **arrays)))[1]

    evolution = Evolution(options, facts["seed"], first, 2, updates_hall=False)
    evolution.tell(RankedPopulation(np.arange(8)))
    evolution.add_migrants(first[3:4], [])
    steps = []
    for _ in range(3):
        last = evaluate(evolution)
        steps.append(evolution.origins)
        evolution.tell(RankedPopulation.of(last))
    for place, (kind, ancestor, _) in enumerate(found[ORIGINS].tolist()):
        number, kinds = int(last.ranking[place]), []
        for origins in reversed(steps[1:]):
            own, parent, _ = origins[number].tolist()
            kinds.append(own)
            number = parent
            if own == "new":
                break
        else:
            own, parent, _ = steps[0][number].tolist()
            kinds.append("elite" if number == 7 else own)
            number = 8 if number == 7 else parent
        expected = "new" if number == -1 else max(kinds, key=("elite", "improved", "clone", "child").index)
        assert (kind, ancestor) == (expected, number)


def test_an_improved_migrant_keeps_its_ancestor():
    evolution = Evolution(OPTIONS, 1)
    migrant, other = evolution.ask()[:1].copy(), evolution.ask()[1:2].copy()
    evolution.add_migrants(migrant, [Line(5)])
    size = len(evolution.ask())
    assert evolution.archive.lines == {size - 1: Line(5)}
    assert _first_descent(evolution.origins)[-1] == ("elite", size)

    evolution.replace_genome(size - 1, other)

    assert _first_descent(evolution.origins)[-1] == ("improved", size)
    assert _first_descent(evolution.origins)[0] == ("new", -1)


def next_round(facts, options):
    return unpack(evolve_island(pack({"options": options.to_json(), "seed": island_seed(1, 2)} | facts)))


def test_migrants_replace_new_genomes():
    evolution = Evolution(replace(OPTIONS, n_strategies=32, islands=1, n_generations=2), 1)
    migrant = Evolution(evolution.options, 2).ask()[:1]
    before = evolution.ask().copy()

    evolution.add_migrants(migrant, [])

    assert evolution.ask()[-1].tobytes() == migrant[0].tobytes()
    assert evolution.ask()[:-1].tobytes() == before[:-1].tobytes()


def test_all_islands_share_the_hall_of_fame(workers):
    archipelago = Archipelago(replace(OPTIONS, hall=2), 1)
    rounds = archipelago.rounds(workers)
    found = [next(rounds) for _ in range(3)]

    for island in range(3):
        hall = archipelago._job(island)[1]["hall"]
        assert hall.tobytes() == b"".join(each.genomes[each.ranking[0]].tobytes() for each in found[1:])


def test_the_best_of_each_island_are_ranked_first(workers):
    generation = next(Archipelago(OPTIONS, 1).rounds(workers))
    strategies = strategies_of(generation.genomes, OPTIONS)
    best = [first + copies_last(strategies[first : first + 8])[:N_BEST] for first in (0, 8, 16)]

    assert set(generation.ranking[: 3 * N_BEST]) == set(np.concatenate(best))


def test_a_round_with_a_wrong_number_of_genomes_is_refused(tmp_path, store, workers):
    evolved(tmp_path, workers, replace(OPTIONS, n_generations=2))
    with store.open("demo", write=True) as run:
        run.set_meta(options=run.meta["options"] | {"islands": 2})
        with pytest.raises(RunError, match="it has 24 strategies, and the run 16"):
            check_run(run)


def test_a_round_has_the_sums_of_the_local_search_of_all_islands(workers):
    options = replace(OPTIONS, migrate_every=4, n_generations=4, search_rounds=9)
    rounds = Archipelago(options, 1).rounds(workers)
    generation, following = next(rounds), next(rounds)

    # No line is searched in the first generation.
    games = options.search_rounds * ROUND_GAMES
    assert 3 * 3 * games <= generation.summary["search_games"] < 3 * 4 * games <= following.summary["search_games"]
    assert 0 <= generation.summary["search_accepted"] <= generation.summary["search_rounds"]
    assert games_of(generation.summary) > generation.summary["island_games"] + generation.summary["search_games"] > 0
    before, after = (sum(one["trials"] for one in each.summary["changes"].values()) for each in (generation, following))
    # Of islands, the mean counts.
    max_trials = 2 * SHORT_ROUND[0].n_candidates
    assert 0 < before < max_trials * generation.summary["search_rounds"] / 3
    assert before < after < max_trials / (1 - KEPT_SHARE)
    assert "improved" in following.columns[ORIGINS]["kind"]
