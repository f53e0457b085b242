"""Preferences in words: the cards in the order in which they are preferred, and what else is asked for."""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION_CLASS_NAMES, NONTERMINAL, PROVINCE
from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.columns import ALWAYS, EARLY, LATE, SWITCH_GAINS, SWITCH_PROVINCES
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.preferences.select import BUY_SAMPLES
from evodom.dominion.strategies.traits import Traits
from evodom.dominion.strategies.wording import BuyOrder, Wording, counted, end_near

LEAST_WEIGHT = 0.25
"""A card that weighs less than this share of what to pass weighs is left out of its order: it is hardly ever bought."""

MOST_CARDS = 12
"""No kingdom pile has more cards: a limit beyond it is none."""

GRADED_BUYING = "At each buy it draws one of the cards it can afford and wants, by its weights, or passes."
CLASSIC_BUYING = (
    f"At each buy it thinks of up to {BUY_SAMPLES} different cards, drawn by its weights, and buys the first that it "
    "can afford."
)
ENDING = "A buy that would end the game is made only to win or to tie."


def traits(strategy: Strategy, kingdom: Kingdom, owned: Collection[str]) -> Traits:
    """Return what preferences ask for, play first, keep and trash, of the cards they own.

    What they prefer is not among it: what comes of weights shows in what is bought.
    """
    piles = [pile for pile, name in enumerate(kingdom.names) if name in owned]
    limits = [f"{strategy.limits[pile]} {kingdom.names[pile]}" for pile in piles if strategy.limits[pile] < MOST_CARDS]
    only = _conditions_in_words(strategy, kingdom, piles)
    facts = {"at most": ", ".join(limits)} if limits else {}
    facts |= {"only": "; ".join(only)} if only else {}
    classes = _classes(strategy, kingdom, piles)
    facts |= {"plays first": "; then ".join(classes)} if len(classes) > 1 else {}
    facts |= _worths(strategy, kingdom, piles) if strategy.ranks_cards else {}
    return Traits(f"{GRADED_BUYING if strategy.graded else CLASSIC_BUYING} {ENDING}", facts=facts)


def _classes(strategy: Strategy, kingdom: Kingdom, piles: Sequence[int]) -> list[str]:
    """Return the Actions among some piles class by class, the one that is played first at the head."""
    actions = [card for card in (kingdom.piles[pile] for pile in piles) if Type.ACTION in card.types]
    classes = []
    for index in np.argsort(-strategy.class_weights, kind="stable"):
        cards = [card.name for card in actions if card.action_class == index]
        classes += [f"{ACTION_CLASS_NAMES[index]} ({', '.join(cards)})"] if cards else []
    return classes


def _worths(strategy: Strategy, kingdom: Kingdom, piles: Sequence[int]) -> dict[str, str]:
    """Return the order in which some piles are worth owning, and what of them is trashed if anything can be."""
    order = sorted(piles, key=lambda pile: -strategy.worth_owning[pile])
    ranks = {"worth owning": " > ".join(kingdom.names[pile] for pile in order)}
    if not any(kingdom.piles[pile].trashes for pile in piles):
        return ranks

    def trashed(phase: int) -> str:
        below: npt.NDArray[np.bool_] = strategy.worth_owning < strategy.trash_below[phase]
        return ", ".join(kingdom.names[pile] for pile in order if below[pile]) or "nothing"

    kept = {"keeps Treasures for": f"${strategy.coin_floor}"} if strategy.coin_floor else {}
    return {
        **ranks,
        "trashes early": trashed(EARLY),
        "trashes late": trashed(LATE),
        **kept,
    }


def in_words(strategy: Strategy, kingdom: Kingdom) -> Wording:
    """Return preferences in words: an order for each phase, or one if both are equal."""
    early, late = (_order_in_words(strategy, phase, kingdom) for phase in (EARLY, LATE))
    until, then = phases_in_words(strategy)
    orders = [BuyOrder("", early)] if early == late else [BuyOrder(until, early), BuyOrder(then, late)]
    return Wording(tuple(each for each in orders if each.lines), _terminals_in_words(strategy))


def _conditions_in_words(strategy: Strategy, kingdom: Kingdom, piles: Sequence[int]) -> tuple[str, ...]:
    """Return the conditions under which some piles are wanted if they are preferred, but for plain limits."""
    preferred = (strategy.weights.max(axis=0) > 0.0) & (strategy.from_left > 0)  # no turn begins with 0 gains left
    said = []
    for pile in piles:
        words = _wanted_in_words(strategy, pile, kingdom.names[pile])
        if preferred[pile] and " once " in words:
            said.append(words)
    has_terminals = any(
        Type.ACTION in card.types and card.action_class != NONTERMINAL
        for card in (kingdom.piles[pile] for pile in piles)
    )
    return (*said, *(_terminals_in_words(strategy) if has_terminals else ()))


def phases_in_words(strategy: Strategy) -> tuple[str, str]:
    """Return when the early preference holds, and when the late one does."""
    left = int(strategy.switch_left)
    if strategy.switch_on == SWITCH_PROVINCES:
        near = f"{counted(left, 'Province')} {'is' if left == 1 else 'are'} left"
    elif strategy.switch_on == SWITCH_GAINS:
        near = end_near(left)
    else:
        return f"until turn {int(strategy.switch)}", f"from turn {int(strategy.switch) + 1}"
    return f"until {near}", f"once {near}"


def preferred_piles(strategy: Strategy, phase: int, kingdom: Kingdom) -> list[int]:
    """Return the piles a phase prefers, the most preferred first; what is hardly or never bought is left out."""
    weights = strategy.weights[phase][: len(kingdom.piles)]
    least = LEAST_WEIGHT * float(strategy.pass_weights[phase])
    order = np.argsort(-weights, kind="stable")
    return [int(pile) for pile in order if weights[pile] > least and strategy.from_left[pile]]


def _terminals_in_words(strategy: Strategy) -> tuple[str, ...]:
    if strategy.terminals >= ALWAYS:
        return ()
    more = f", one more for each {strategy.terminal_per} cards" if strategy.terminal_per else ""
    return (f"terminal Actions: {strategy.terminals} at a time{more}, and one more for each Village",)


def _order_in_words(strategy: Strategy, phase: int, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the cards a phase prefers, the most preferred first; what is hardly bought is left out."""
    order = preferred_piles(strategy, phase, kingdom)
    return tuple(_wanted_in_words(strategy, pile, kingdom.names[pile]) for pile in order)


def _wanted_in_words(strategy: Strategy, pile: int, card: str) -> str:
    limit, left = int(strategy.limits[pile]), int(strategy.from_left[pile])
    said = [card if limit >= ALWAYS else f"{limit} {card}"]
    if left < ALWAYS:
        said.append(f"once {end_near(left)}")
    if pile == PROVINCE and strategy.province_coins > 0:
        said.append(f"once the deck has ${strategy.province_coins + 1}")
    return " ".join(said)
