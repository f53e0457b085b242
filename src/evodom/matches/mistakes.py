"""Find the costliest mistakes of a strategy against a network, measured like those in the review of a game.

1. Play games against copies of the network. Estimate the effect of each decision of the strategy with few playouts.
2. Search for the best choice in the positions with the largest losses. Of equal mistakes, keep the costliest.
3. Measure the costliest again with new playouts. Leave out a loss with 0 in its interval.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Self

import numpy as np
from msgspec import Meta

from evodom.dominion.effects.ops import Op, Zone
from evodom.dominion.engine.rules import PASS
from evodom.dominion.game import Consequence, Decision, DominionGame, verb_phrase
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.log import turn_name
from evodom.dominion.strategies.models.networks.model import network_strategy, weights_of
from evodom.dominion.strategies.models.networks.shipped import usable_weights
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.matches.agents import decisions_of_seat
from evodom.matches.playout_search import (
    DecisionPoint,
    PlayoutSearch,
    Verdict,
    decision_effects,
    find_verdict,
    measured_again,
)
from evodom.matches.seating import Purpose, generator
from evodom.matches.venue import Venue
from evodom.reading import Count, Proportion
from evodom.statistics import IntervalEstimate, half_width

N_GAMES = 6
"""Number of games in which mistakes are searched."""

SCREENING_PLAYOUTS = 600
"""Number of playouts per answer that estimate the effects of the decisions of a game."""

N_SEARCHED = 2
"""Number of positions of a game with a search for the best choice. They have the largest losses."""

MAX_MISTAKES = 3
"""Maximum number of mistakes that are shown."""

UNREVIEWED = (Op.PLAY_TREASURE, Op.OFFER_REACTION)
"""Operations whose decisions are not searched for mistakes."""


@dataclass(frozen=True)
class AskedChoice:
    """A decision of a player. ``coins`` are the coins of a buy, None for other decisions.

    ``number`` is the number of earlier choices of all persons at the table. ``hand`` and ``in_play`` are the player's.
    """

    turn: int
    turn_name: str
    title: str
    coins: int | None
    verb: str
    answers: tuple[Consequence, ...]
    number: int = 0
    hand: dict[str, int] = field(default_factory=dict)
    in_play: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, game: DominionGame, decision: Decision, number: int = 0) -> Self:
        """Return the pending decision of a game."""
        state, seat, effect = game.state, decision.seat, decision.effect
        turn = int(state.turns[seat])
        name = turn_name(turn, is_extra=bool(state.is_extra))
        coins = int(state.coins) if effect.op == Op.BUY else None
        cards = (dict(game.cards(zone + seat)) for zone in (Zone.HAND, Zone.IN_PLAY))
        return cls(turn, name, decision.title, coins, effect.verb, decision.consequences, number, *cards)

    def name(self, choice: int) -> str:
        """Return the name of an answer: a card, an option or "pass"."""
        return self._answer(choice).name

    def text(self, choice: int) -> str:
        """Return the text of an answer: a card's name for a buy, the text of an option, otherwise with the verb."""
        answer = self._answer(choice)
        if answer.pile == PASS or self.coins is not None:
            name = "nothing" if answer.pile == PASS else answer.name
            return name if self.coins is not None else verb_phrase(self.verb, name)
        return answer.text

    def _answer(self, choice: int) -> Consequence:
        return next(answer for answer in self.answers if answer.pile == choice)


Words = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
"""A text without control characters."""


@dataclass(frozen=True)
class Mistake:
    """A choice and a better choice, both as text.

    ``share`` is the win probability after ``choice``, ``best_share`` after ``best``. ``lost`` is their difference.
    ``coins`` are those of a buy, None for other decisions.
    """

    turn: Words
    title: Words
    coins: Count | None
    hand: dict[Words, Count]
    in_play: dict[Words, Count]
    choice: Words
    best: Words
    share: Proportion
    best_share: Proportion
    lost: IntervalEstimate

    @classmethod
    def of(cls, asked: AskedChoice, verdict: Verdict) -> Self:
        """Return the mistake of a verdict on a decision."""
        half, lost = half_width(verdict.error), verdict.lost
        return cls(
            turn=asked.turn_name,
            title=asked.title,
            coins=asked.coins,
            hand=asked.hand,
            in_play=asked.in_play,
            choice=asked.text(verdict.choice),
            best=asked.text(verdict.best),
            share=verdict.share,
            best_share=verdict.best_share,
            lost=IntervalEstimate(lost, lost - half, lost + half),
        )


def rival_network(strategy: Strategy, kingdom: Kingdom) -> Strategy | None:
    """Return a strategy that is a network, otherwise the shipped network. Return None if that cannot be used."""
    if was_learned(strategy):
        return strategy
    weights = usable_weights(kingdom)
    return None if weights is None else network_strategy(weights, kingdom)


def costliest_mistakes(
    venue: Venue, strategy: Strategy, network: Strategy, n_games: int = N_GAMES
) -> tuple[Mistake, ...]:
    """Return up to MAX_MISTAKES different mistakes of a strategy in games against a network, the costliest first.

    In playouts the network plays for all seats. Mistakes with the same choice and the same better choice count as one.
    The last games are left out if the venue's budget is spent.
    """
    search = PlayoutSearch(venue.rules, weights_of(network), venue.workers)
    rng = generator(venue.stream(Purpose.MISTAKES))
    costliest: dict[tuple[str, str], tuple[Verdict, DecisionPoint, AskedChoice]] = {}
    for number, _ in enumerate(venue.budget.portions(n_games, 1, 1)):
        venue.on_games(0)
        played = list(_decisions(venue, strategy, network, number, int(rng.integers(2**64, dtype=np.uint64))))
        effects, _ = decision_effects(search, [moment for moment, _ in played], None, rng, SCREENING_PLAYOUTS)
        for place in np.argsort(effects, kind="stable")[:N_SEARCHED]:
            moment, asked = played[place]
            verdict = find_verdict(search, int(place), moment, rng)
            pair = asked.name(verdict.choice), asked.name(verdict.best)
            if verdict.lost > (costliest[pair][0].lost if pair in costliest else 0.0):
                costliest[pair] = verdict, moment, asked
    chosen = sorted(costliest.values(), key=lambda one: -one[0].lost)[:MAX_MISTAKES]
    found = [Mistake.of(asked, measured_again(search, verdict, moment, rng)) for verdict, moment, asked in chosen]
    return tuple(sorted((one for one in found if one.lost.low > 0), key=lambda one: -one.lost.value))


def _decisions(
    venue: Venue, strategy: Strategy, network: Strategy, number: int, seed: int
) -> Iterator[tuple[DecisionPoint, AskedChoice]]:
    """Play a game. Yield the strategy's decisions. The number of the game gives the strategy's seat."""
    game = DominionGame(venue.kingdom, venue.n_seats, seed=seed, log=False)
    game.play_treasures_automatically(*range(venue.n_seats))
    seat = number % venue.n_seats
    players = [strategy if each == seat else network for each in range(venue.n_seats)]
    for decision, choice in decisions_of_seat(game, players, seat):
        if decision.effect.op not in UNREVIEWED:
            yield DecisionPoint(game.state.copy(), choice.pile), AskedChoice.of(game, decision)
