"""Improve the lines of a generation by local search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evodom.evolution.archive import next_line
from evodom.evolution.local_search import LONG_ROUND, SHORT_ROUND, prune, search_round
from evodom.evolution.ranking import Opponents
from evodom.matches.seating import SEARCHING, generation_stream
from evodom.matches.venue import Venue
from evodom.tasks import Workers

if TYPE_CHECKING:
    from evodom.evolution.algorithm import Evolution

HALL_EVERY = 10
"""The champion of every HALL_EVERY-th generation enters the hall of fame."""

LONG_COST = 3
"""Number of short rounds that cost as much as a long one."""

SEARCH_FIGURES = SEARCH_GAMES, *_ = ("search_games", "search_rounds", "search_accepted", "search_gain")
"""Keys of a summary: the games, rounds and accepted changes of local search, and the sum of the gains in win rate."""


def enters_hall(index: int) -> bool:
    """Return whether the champion of a generation enters the hall of fame."""
    return index % HALL_EVERY == HALL_EVERY - 1


def improve_lines(
    evolution: Evolution, opponents: Opponents, line_opponents: dict[int, int], workers: Workers | None
) -> dict[str, Any]:
    """Improve the lines of the current generation by local search and return SEARCH_FIGURES.

    Return {} without lines or opponents. ``line_opponents`` has the index of each line among the opponents: no line
    plays against itself. Prune the lines in generations whose champion enters the hall of fame.
    """
    options, lines = evolution.options, evolution.lines
    if not lines or len(opponents.strategies) < 2:  # one line and no other opponent
        return {}
    venue = Venue(options.kingdom, options.players, workers=workers)
    seeds = generation_stream(evolution.seed, evolution.index, SEARCHING)
    games = rounds = accepted = searched = 0
    gain = 0.0
    while searched < options.search_rounds:
        number = next_line(lines, searched, options.search_rounds)
        is_long = lines[number].is_long
        others = opponents.without(line_opponents[number])
        genome = evolution.ask()[number : number + 1]
        found = search_round(genome, others, options, venue, seeds.spawn(1)[0], LONG_ROUND if is_long else SHORT_ROUND)
        cost = LONG_COST if is_long else 1
        lines[number] = lines[number].after_round(found.gain if found.accepted else 0.0, cost)
        games, rounds, searched = games + found.n_games, rounds + 1, searched + cost
        if found.accepted:
            evolution.replace_genome(number, found.genome)
            accepted, gain = accepted + 1, gain + found.gain
    if enters_hall(evolution.index):
        for number in lines:
            others = opponents.without(line_opponents[number])
            pruned, n_games = prune(evolution.ask()[number : number + 1], others, options, venue, seeds.spawn(1)[0])
            evolution.replace_genome(number, pruned)
            games += n_games
    return dict(zip(SEARCH_FIGURES, (games, rounds, accepted, gain), strict=True))
