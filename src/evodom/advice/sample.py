"""Play a sample game with a plan. Record the plays and buys of each turn, and the lines of the list for its buys."""

from dataclasses import dataclass

from evodom.dominion import log
from evodom.dominion.engine.rules import PASS_NAME
from evodom.dominion.game import DominionGame
from evodom.dominion.strategies.models.buy_lists.buying import rule_holds
from evodom.dominion.strategies.models.buy_lists.columns import PILE
from evodom.dominion.strategies.record import Strategy
from evodom.matches.seating import Purpose
from evodom.matches.tournament import buys_of_first_seat
from evodom.matches.venue import Venue

N_GAMES = 21
"""Number of games that are played. A game of median length is the sample."""


@dataclass(frozen=True)
class SampleTurn:
    """A turn of the plan: a line of text, and the numbers, from 1, of the lines of the list that caused the buys.

    An extra turn has the number of the turn before it. No line causes a buy that wins or ties the game.
    """

    number: int
    is_extra: bool
    text: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class SampleOfPlan:
    """A game of the plan against copies of the answer: the plan's turns, the scores (the plan first), and the end."""

    turns: tuple[SampleTurn, ...]
    scores: tuple[int, ...]
    end: str


def sample_of_plan(venue: Venue, plan: Strategy, answer: Strategy) -> SampleOfPlan:
    """Return a game of median length. The plan has the first turn. A plan that is no buy list has no lines."""
    game, players = _sample_game(venue, plan, answer)
    followed: dict[tuple[int, bool], list[int]] = {}
    for buy in buys_of_first_seat(game, players):
        line = _line_of(game, plan, venue.kingdom.pile(buy)) if buy != PASS_NAME else None
        followed.setdefault(_turn(game), []).extend([line] if line else [])
    turns = [turn for turn in log.turns(game.events) if turn.seat == 0]
    names = player_names(venue.n_seats)
    return SampleOfPlan(
        tuple(
            SampleTurn(
                turn.number,
                turn.is_extra,
                log.turn_line(turn, names, None),
                tuple(followed.get((turn.number, turn.is_extra), ())),
            )
            for turn in turns
        ),
        tuple(int(score) for score in game.scores),
        game.end,
    )


@dataclass(frozen=True)
class BuyDifference:
    """A turn and its coins, the plan's buy, and another strategy's buy."""

    turn: int
    is_extra: bool
    coins: int
    of_plan: str
    of_other: str


def first_difference(venue: Venue, plan: Strategy, answer: Strategy, other: Strategy) -> BuyDifference | None:
    """Return the plan's first buy in the sample game where another strategy buys otherwise, None if all are equal."""
    game, players = _sample_game(venue, plan, answer)
    for buy in buys_of_first_seat(game, players):
        other_buy = game.copy().strategy_choice(other).name
        if other_buy != buy:
            return BuyDifference(*_turn(game), int(game.state.coins), buy, other_buy)
    return None


def _turn(game: DominionGame) -> tuple[int, bool]:
    """Return the number of the first seat's turn, and whether it is an extra turn."""
    return int(game.state.turns[0]), bool(game.state.is_extra)


def _sample_game(venue: Venue, plan: Strategy, answer: Strategy) -> tuple[DominionGame, list[Strategy]]:
    """Return the beginning of a game of median length, and its players."""
    players = [plan, *([answer] * (venue.n_seats - 1))]
    seed = venue.median_game(players, N_GAMES, venue.stream(Purpose.SAMPLE))
    game = DominionGame(venue.kingdom, venue.n_seats, seed=seed)
    game.play_treasures_automatically(*range(venue.n_seats))
    return game, players


def player_names(n_seats: int) -> tuple[str, ...]:
    """Return the names of the players in a sample game. Opponents have numbers if there is more than one."""
    opponents = [f"opponent {number}" for number in range(1, n_seats)] if n_seats > 2 else ["the opponent"]
    return ("the list", *opponents)


def _line_of(game: DominionGame, plan: Strategy, pile: int) -> int | None:
    """Return the number, from 1, of the list's first line for a pile that holds in the game's state, or None."""
    for number in range(int(plan["buy_lists"].n_rules)):
        if plan["buy_lists"].rules[number, PILE] == pile and rule_holds(game.rules, game.state, plan, number):
            return number + 1
    return None
