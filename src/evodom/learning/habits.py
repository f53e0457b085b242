"""Measure habits of a learned strategy in games against itself: its gains by turn, its trashing and its Actions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.effects.effect import Type
from evodom.dominion.engine.observation import COINS, LEAD, OWN_TURN, OWNED, TURN
from evodom.dominion.engine.rules import N_MODEL_PILES, PASS_NAME
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.induction import GainDecisions
from evodom.dominion.strategies.models.networks.layers import GAIN, N_OUTPUTS, PASS_OUTPUT, PLAY, TRASH, zero_weights
from evodom.dominion.strategies.models.networks.model import weights_of
from evodom.dominion.strategies.record import Strategy
from evodom.dominion.strategies.registry import was_learned
from evodom.learning.ppo import Learner, Rollouts
from evodom.learning.rollouts import write_logits
from evodom.matches.seating import generator
from evodom.matches.venue import Venue
from evodom.nn.optimiser import Adam

N_GAMES = 400


def self_play_games(
    venue: Venue, strategy: Strategy, sequence: np.random.SeedSequence, n_games: int = N_GAMES
) -> Rollouts:
    """Return games of a strategy against copies of itself, with all its decisions."""
    return teacher_games(venue, strategy, generator(sequence).integers(2**64, size=n_games, dtype=np.uint64))


def teacher_games(venue: Venue, strategy: Strategy, seeds: npt.NDArray[np.uint64]) -> Rollouts:
    """Return games of a strategy against copies of itself, one for each seed, with all its decisions."""
    learner = Learner(venue.kingdom, zero_weights(), Adam.of(zero_weights()), venue.workers)
    return learner.collect_demonstrations(Lineup.of([strategy]), np.zeros((len(seeds), venue.n_seats), np.int32), seeds)


STAGES = (("turns 1-4", 1, 4), ("turns 5-8", 5, 8), ("turns 9-12", 9, 12), ("turn 13 on", 13, 100))
"""Stages of a game in a table of buys: name, first and last turn."""


MAX_COINS = 9
"""Gains with more coins are counted as gains with this number of coins."""

MIN_OBSERVATIONS = 20
"""Minimum number of observations for a figure."""

MIN_SWING_OBSERVATIONS = 60  # Minimum number of gains for a `Swing`, both ahead and behind.
MIN_SWING = 0.15  # Minimum difference between the shares ahead and behind.

N_SWINGS = 4


@dataclass(frozen=True)
class Swing:
    """A card whose share of the gains differs between seats ahead and behind, with the same stage and coins."""

    stage: str
    coins: int
    card: str
    ahead: float
    behind: float


@dataclass(frozen=True)
class Habits:
    """Figures of a learned strategy in games against itself.

    Attributes:
        buys: by stage and coins (MAX_COINS includes more), each card's share of the gains on the seat's turn.
        trashed: mean number of copies of each card that are trashed per game and seat.
        played: each Action's share of the choices to play an Action.
        plays_first: Actions in order of preference.
        deck: mean number of each card in a deck at the end.
        greens_from: mean turn of the first buy of each Victory card.
        swings: the cards with the largest differences between seats ahead and behind.
    """

    buys: dict[str, dict[int, dict[str, float]]]
    trashed: dict[str, float]
    played: dict[str, float]
    plays_first: tuple[str, ...]
    deck: dict[str, float]
    greens_from: dict[str, float]
    swings: tuple[Swing, ...]


def habits(games: Rollouts, kingdom: Kingdom, n_seats: int) -> Habits:
    """Return the habits of a learned strategy in its games."""
    decisions = games.decisions
    gains = decisions[(decisions["kind"] == GAIN) & (decisions["features"][:, OWN_TURN] == 1)]
    buys: dict[str, dict[int, dict[str, float]]] = {}
    swings: list[Swing] = []
    for name, coins, part in _by_stage_and_coins(gains):
        buys.setdefault(name, {})
        if len(part) >= MIN_OBSERVATIONS:
            buys[name][coins] = _shares(part["action"], kingdom)
        swings += _swings(name, coins, part, kingdom)
    trashes = decisions[(decisions["kind"] == TRASH) & (decisions["action"] != PASS_OUTPUT)]
    plays = decisions[(decisions["kind"] == PLAY) & (decisions["action"] != PASS_OUTPUT)]
    seats = len(games.tables) * n_seats
    owned = games.results["owned"][:, :n_seats].mean(axis=(0, 1))
    return Habits(
        buys=buys,
        trashed=_by_name(trashes["action"], kingdom, seats),
        played=_shares(plays["action"], kingdom),
        plays_first=_plays_first(plays, kingdom),
        deck=kingdom.by_card(owned),
        greens_from=_first_turns(gains, kingdom),
        swings=tuple(sorted(swings, key=lambda one: -abs(one.behind - one.ahead))[:N_SWINGS]),
    )


def _by_stage_and_coins(gains: npt.NDArray[Any]) -> Iterator[tuple[str, int, npt.NDArray[Any]]]:
    """Yield the stage, the coins and the gains of each combination of stage and coins."""
    turns, coins = gains["features"][:, TURN], np.minimum(gains["features"][:, COINS], MAX_COINS)
    for name, first, last in STAGES:
        is_then = (turns >= first) & (turns <= last)
        for n in np.unique(coins[is_then]):
            yield name, int(n), gains[is_then & (coins == n)]


def _swings(stage: str, coins: int, gains: npt.NDArray[Any], kingdom: Kingdom) -> Iterator[Swing]:
    """Yield the cards whose shares of the gains ahead and behind differ by at least MIN_SWING."""
    lead = gains["features"][:, LEAD]
    ahead, behind = gains["action"][lead > 0], gains["action"][lead < 0]
    if min(len(ahead), len(behind)) < MIN_SWING_OBSERVATIONS:
        return
    shares = [_shares(chosen, kingdom) for chosen in (ahead, behind)]
    for card in dict.fromkeys((*shares[0], *shares[1])):
        leading, trailing = (share.get(card, 0.0) for share in shares)
        if abs(trailing - leading) >= MIN_SWING:
            yield Swing(stage, coins, card, leading, trailing)


def _plays_first(plays: npt.NDArray[Any], kingdom: Kingdom) -> tuple[str, ...]:
    """Return the Actions by how often they are chosen when another Action is legal too, highest first."""
    found = {}
    for pile in np.unique(plays["action"]):
        is_choice = plays["legal"] >> int(pile) & 1 == 1
        others = plays["legal"] & ~(1 << int(pile) | 1 << PASS_OUTPUT)
        choices_of_action = plays["action"][is_choice & (others != 0)]
        if len(choices_of_action) >= MIN_OBSERVATIONS:
            found[_name(int(pile), kingdom)] = float((choices_of_action == pile).mean())
    return tuple(sorted(found, key=lambda name: -found[name]))


def _shares(chosen: npt.NDArray[Any], kingdom: Kingdom) -> dict[str, float]:
    """Return the share of each choice by name, largest first."""
    return _by_name(chosen, kingdom, len(chosen))


def _by_name(chosen: npt.NDArray[Any], kingdom: Kingdom, divisor: int) -> dict[str, float]:
    """Return the count of each choice divided by ``divisor``, by name, most frequent first."""
    counts = np.bincount(chosen, minlength=N_MODEL_PILES + 1)
    order = [int(pile) for pile in np.argsort(-counts, kind="stable") if counts[pile]]
    return {_name(pile, kingdom): float(counts[pile] / divisor) for pile in order}


def _first_turns(gains: npt.NDArray[Any], kingdom: Kingdom) -> dict[str, float]:
    """Return the mean turn of the first buy of each Victory card, by name."""
    found = {}
    for pile in kingdom.piles_where(lambda card: Type.VICTORY in card.types):
        name = kingdom.names[pile]
        n_at_start = 3 if name == "Estate" else 0
        first = gains[(gains["action"] == pile) & (gains["features"][:, OWNED + pile] <= n_at_start)]
        if len(first):
            found[name] = float(first["features"][:, TURN].mean())
    return found


def _name(pile: int, kingdom: Kingdom) -> str:
    return PASS_NAME if pile == PASS_OUTPUT else kingdom.names[pile]


MAX_LOGIT_LOSS = 4.0
"""Logits are raised to at least the highest logit minus MAX_LOGIT_LOSS, before they become ratings."""


def gain_decisions(games: Rollouts, teacher: Strategy) -> GainDecisions:
    """Return the decisions to gain a card in games, rated by a teacher.

    The ratings of a network are each logit minus the highest logit, divided by MAX_LOGIT_LOSS, and at least -1. Any
    other teacher must have played the games: its choices are rated 1, all others 0.
    """
    decisions = games.decisions
    gains = decisions[decisions["kind"] == GAIN]
    legal = (gains["legal"][:, None] >> np.arange(N_OUTPUTS)) & 1 == 1
    if was_learned(teacher):
        values = np.zeros((len(gains), N_OUTPUTS), np.float32)
        write_logits(weights_of(teacher), gains, values)
        logits = np.where(legal, values.astype(np.float64), -np.inf)
        ratings = np.maximum(logits - logits.max(axis=1, keepdims=True), -MAX_LOGIT_LOSS) / MAX_LOGIT_LOSS
    else:
        ratings = np.zeros((len(gains), N_OUTPUTS))
        ratings[np.arange(len(gains)), gains["action"]] = 1.0
    return GainDecisions(gains["features"].astype(np.int64), legal[:, :N_MODEL_PILES], ratings)
