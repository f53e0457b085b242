"""Random streams: no two uses share one, whatever the seed."""

from itertools import combinations, product

import numpy as np

from evodom.matches.seating import (
    BREEDING,
    RANKING,
    Figure,
    Use,
    agent_generator,
    game_seeds,
    generation_stream,
    stream,
)


def test_all_uses_and_figures_and_generations_draw_different_numbers():
    seed = 5
    streams = [stream(seed, use, figure) for use, figure in product(Use, Figure)]
    streams += [stream(seed, use, Figure.ROUND, 1) for use in Use]
    for generation, use in product(range(10), (BREEDING, RANKING)):
        streams.append(generation_stream(seed, generation, use))
    # What ranks a generation spawns children: the tournament's rounds, and theirs.
    for generation in range(10):
        ranking = generation_stream(seed, generation, RANKING)
        for child in ranking.spawn(4):
            streams += [child, *child.spawn(4)]

    first = [int(one.generate_state(1, np.uint64)[0]) for one in streams]

    assert len(set(first)) == len(first)


def test_more_games_begin_with_the_same_seeds():
    few, many = (game_seeds(stream(1, Use.REPORT, Figure.TABLE), n) for n in (10, 1000))

    assert (many[:10] == few).all()
    assert len(set(many.tolist())) == 1000


def test_an_agents_numbers_follow_from_its_game_and_seat():
    drawn = {key: agent_generator(*key).integers(2**60) for key in product(range(3), range(3))}

    assert all(drawn[a] != drawn[b] for a, b in combinations(drawn, 2))
    assert drawn[1, 2] == agent_generator(1, 2).integers(2**60)
