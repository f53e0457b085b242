"""Train best responses to the best strategy: networks against this strategy, then against all known strategies.

A best response that wins more becomes the answer. Then a best response to the new answer is trained.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from evodom.advice.ablation import seconds_per_game
from evodom.advice.stages import Stages
from evodom.dominion.strategies.models.networks.model import softened
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.learning.training import train_best_response
from evodom.matches.agents import Entrant
from evodom.matches.seating import Purpose, Use
from evodom.matches.tournament import wins_against, wins_against_each
from evodom.matches.venue import Venue
from evodom.statistics import Share

MARGIN = 0.015
"""A best response becomes the answer if its win rate exceeds the answer's by this margin. Less may be luck."""

SELECTION_TIME = 4.0
"""Expected time of the selection, as a multiple of the time in which the counters were found."""

RESPONSE = "reply"
"""Name of an entrant that is a best response and became the answer. The key of its run ends with it."""


@dataclass(frozen=True)
class ResponseResult:
    """The result of the last best response.

    Attributes:
        n_games: number of games of its training.
        wins: its win rate against the previous answer.
        answer_holds: True if the previous answer stayed. If False, no best response to the new answer was trained.
        became_answer: True if any best response became the answer.
    """

    n_games: int
    wins: Share
    answer_holds: bool = True
    became_answer: bool = False


def find_best_response(
    venue: Venue, ranked: list[Entrant], stages: Stages
) -> tuple[list[Entrant], ResponseResult | None]:
    """Train best responses to the best strategy. Return all entrants, best first, and the last best response's result.

    Without a learned strategy or games of training the result is None.
    """
    best, stage = ranked[0].record, stages.response_to_list
    if was_learned(best):
        stage = stages.response_to_network
    seconds = stages.estimated_games * seconds_per_game(venue, best, stages.speed)
    limited = venue.within(venue.budget.reserving(seconds, stages.measuring_reserve.share)).part(stage.share)
    result: ResponseResult | None = None
    became_answer = False
    for number, part in enumerate(limited.divided([1.0] * stages.best_response.n)):
        if number and (result is None or result.answer_holds):
            break
        ranked, result = _respond(part, ranked, stages, number)
        became_answer |= result is not None and not result.answer_holds
    return ranked, result and replace(result, became_answer=became_answer)


def _respond(
    venue: Venue, ranked: list[Entrant], stages: Stages, number: int
) -> tuple[list[Entrant], ResponseResult | None]:
    """Train best response ``number``. Return all entrants, best first, and its result.

    Training begins with the best network, softened, and has two segments:

    1. The opponents are the best strategy and the strategies that beat it (counters).
    2. The opponents are all known strategies, because a counter to one strategy may lose to others.

    `_best_answer` selects the answer: the best strategy, or the network after one of the segments.
    """
    initial = next((entrant for entrant in ranked if was_learned(entrant.record)), None)
    if initial is None or not stages.best_response.training:
        return ranked, None
    games = stages.win_rates.games
    best, records = ranked[0], [entrant.record for entrant in ranked]
    comparing = venue.part(stages.counters.share)
    win_rates = wins_against_each(comparing, best.record, records[1:], stages.counters.games, Purpose.BEST_RESPONSE, 1)
    counters = [one for one, wins in zip(records[1:], win_rates, strict=True) if wins.high < 1.0 / venue.n_seats]
    reserve = SELECTION_TIME * comparing.budget.seconds_spent
    segments = venue.within(venue.budget.reserving(reserve, stages.selection_reserve.share)).divided([1.0, 1.0])
    path = (Purpose.BEST_RESPONSE, 10 + number) if number else (Purpose.BEST_RESPONSE,)
    segment = next(segments)
    first, n_first = _train(segment, softened(initial.record), [best.record, *counters], venue.stream(*path), stages)
    wins = wins_against(segment, first, best.record, games, *path)
    second, n_second = _train(next(segments), first, records, venue.stream(*path, 2), stages)
    place = _best_answer(venue.part(stages.selection.share), [best.record, first, second], records, stages)
    if place == 0:
        return ranked, ResponseResult(n_first, wins)
    others = [entrant for entrant in ranked if entrant.name != RESPONSE]
    if place == 1:
        return [_entrant(best, first), *others], ResponseResult(n_first, wins, answer_holds=False)
    wins = wins_against(venue, second, best.record, games, *path, 3)
    return [_entrant(best, second), *others], ResponseResult(n_first + n_second, wins, answer_holds=False)


def _entrant(best: Entrant, response: Strategy) -> Entrant:
    return Entrant(RESPONSE, (RESPONSE, best.name), response)


def _train(
    venue: Venue, initial: Strategy, rivals: Sequence[Strategy], stream: np.random.SeedSequence, stages: Stages
) -> tuple[Strategy, int]:
    """Train a network from ``initial`` against ``rivals``. Return the network and its number of games."""
    played, requested = 0, stages.best_response.training

    def on_games(n: int) -> None:
        nonlocal played
        played += n
        venue.on_games(n)

    limited = replace(venue.part(stages.segment.share), on_games=on_games)
    learned = train_best_response(limited, initial, rivals, requested, stream, stages.response_iteration)
    return learned, int(requested) if isfinite(requested) else played  # the last iteration may exceed the request


def _best_answer(venue: Venue, answers: Sequence[Strategy], known: Sequence[Strategy], stages: Stages) -> int:
    """Return the index of the best of ``answers``. The present answer is the first of ``answers`` and of ``known``.

    An answer is unbeaten if no interval of its win rates is below the chance level. Unbeaten answers come first, by
    their mean win rate against the finalists (the first of ``known``). The others follow, by their lowest win rate.
    MARGIN is added to the win rate of the present answer.
    """
    chance_level, final_venue = 1.0 / venue.n_seats, replace(venue, use=Use.ADVICE_FINAL)
    all_strategies = [*known, *answers[1:]]
    opponents = [[(place, one) for place, one in enumerate(all_strategies) if one is not answer] for answer in answers]
    venues = final_venue.divided([1.0] * sum(map(len, opponents)))
    games = stages.selection.games

    def score(number: int) -> tuple[bool, float]:
        win_rates = {
            place: wins_against(next(venues), answers[number], one, games, Purpose.BEST_RESPONSE, place)
            for place, one in opponents[number]
        }
        is_unbeaten = all(wins.high >= chance_level for wins in win_rates.values())
        finals = [
            win_rates[place].share if place in win_rates else chance_level
            for place in range(min(stages.finals.n, len(known)))
        ]
        share = float(np.mean(finals)) if is_unbeaten else min(wins.share for wins in win_rates.values())
        return is_unbeaten, share + MARGIN * (number == 0)

    return max(range(len(answers)), key=score)
