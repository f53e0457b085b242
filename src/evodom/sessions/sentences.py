"""Sentences on a game and its review that the terminal and the page share."""

from collections import Counter

from evodom.dominion import log
from evodom.dominion.engine.rules import ENDING_CARDS
from evodom.dominion.game import DominionGame, View
from evodom.matches.playout_search import Verdict
from evodom.sessions.dominion import PERSON, GameSetup
from evodom.sessions.review import Review

MAX_MISTAKES = 3
"""Maximum number of mistakes in a review without `full`: the costliest."""

CAUSES_NOTE = (
    "Mistakes are compared with the best choice found. Good choices and opponents' decisions are compared with the "
    "average choice of the network. Luck is the rest."
)
"""Explanation of the causes in a review."""

OPPONENTS_TITLE = "Choices of the opponents in your place (no advice):"
"""Title above the choices of the strategies in a hint."""

CHANCES_NOTE = (
    "Win probabilities with 95 % intervals, if all players continue like the shipped network. Within a rank each "
    "interval overlaps that of the first choice."
)
"""Meaning of the win probabilities and ranks of a hint."""


def end_warning(view: View, piles_to_end: int) -> str:
    """Return a warning if one more card or one more empty pile ends the game, otherwise ""."""
    empty = [name for name, left in view.supply.items() if not left]
    last = (card for card in ENDING_CARDS if view.supply.get(card) == 1)
    sentences = [f"The last {card}: whoever takes it ends the game." for card in last]
    if len(empty) == piles_to_end - 1:
        piles = f"{len(empty)} piles are empty ({', '.join(empty)})"
        sentences.append(f"{piles}: one more ends the game.")
    return " ".join(sentences)


def bought(game: DominionGame) -> list[Counter[str]]:
    """Return the purchases of each player so far."""
    counts = [Counter[str]() for _ in range(game.n_players)]
    for event in game.events:
        if event.kind == log.EventKind.BUY:
            counts[event.seat].update(event.cards)
    return counts


def headline(game: DominionGame, setup: GameSetup) -> str:
    """Return a sentence with the reason of the end and the winners, or with the turn if the game is not over."""
    if not game.is_over:
        return f"The game is not over (turn {max(game.state.turns)}). Current standings:"
    how = {
        "Provinces": "the Provinces are gone",
        "Colonies": "the Colonies are gone",
        "empty piles": f"{game.rules.piles_to_end} piles are empty",
        "cut": "the turn limit was reached",
    }[game.end]
    winners = [setup.players[seat].name for place, seat in game.standings if place == 1]
    return f"The game is over: {how}. {_winners(winners)}"


def _winners(names: list[str]) -> str:
    if len(names) == 1:
        return "You win!" if names == [PERSON] else f"{names[0]} wins."
    names = sorted(names, key=lambda name: name != PERSON)
    return f"{', '.join(names[:-1])} and {names[-1]} share the win."


def review_summary(found: Review) -> str:
    """Return the number of mistakes among the reviewed choices, and their total cost, as a sentence."""
    n = len(found.verdicts)
    if not found.mistakes:
        return f"None of {n} choices was a mistake, by playouts with the shipped network."
    n_lost = len(found.mistakes)
    sum_, margin = found.causes["your mistakes"]
    return (
        f"{n_lost} of {n} choices {'was a mistake' if n_lost == 1 else 'were mistakes'}, by playouts with the shipped "
        f"network. Compared with the best choices found, the win probability lost {points(-sum_, margin)}. "
        "± is a 95 % interval."
    )


def costliest_mistakes(found: Review) -> list[Verdict]:
    """Return all mistakes, the costliest first."""
    return sorted(found.mistakes, key=lambda verdict: -verdict.lost)


def points(share: float, margin: float) -> str:
    return f"{100 * share:.1f} ± {100 * margin:.1f} points"
