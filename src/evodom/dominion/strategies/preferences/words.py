"""Preferences in words: the cards in the order in which they are preferred, and what else is asked for."""

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION_CLASS_NAMES, PROVINCE
from evodom.dominion.engine.effects import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.columns import ALWAYS, EARLY, LATE, SWITCH_GAINS, SWITCH_PROVINCES
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.preferences.select import BUY_SAMPLES
from evodom.dominion.strategies.traits import Traits
from evodom.dominion.strategies.wording import BuyOrder, Wording, counted

LEAST_WEIGHT = 0.25
"""A card that weighs less than this share of what to pass weighs is left out of its order: it is hardly ever bought."""

UNMENTIONED = 2e-9
"""A weight of no more than this is one that classic shapes give to all types they do not mention."""

SHOWN = 0.005
"""Cards with less than this share of the weights are left out of the weights."""

MOST_CARDS = 12
"""No kingdom pile has more cards: a limit beyond it is none."""

GRADED_BUYING = "At each buy it draws one of the cards it can afford and wants, by its weights, or passes."
CLASSIC_BUYING = (
    f"At each buy it thinks of up to {BUY_SAMPLES} different cards, drawn by its weights, and buys the first that it "
    "can afford."
)
ENDING = "A buy that would end the game is made only to win or to tie."


def traits(strategy: Strategy, kingdom: Kingdom) -> Traits:
    """Return what preferences prefer early and late, ask for, play first, keep and trash."""
    until, then = phases_in_words(strategy)
    facts = {
        "prefers early": f"{until}: {_order(strategy, EARLY, kingdom)}",
        "prefers late": f"{then}: {_order(strategy, LATE, kingdom)}",
        "weights early": _weights(strategy, EARLY, kingdom),
        "weights late": _weights(strategy, LATE, kingdom),
    }
    limits = [f"{n} {name}" for name, n in zip(kingdom.names, strategy.limits, strict=False) if n < MOST_CARDS]
    only = conditions_in_words(strategy, kingdom)
    facts |= {"at most": ", ".join(limits)} if limits else {}
    facts |= {"only": "; ".join(only)} if only else {}
    facts["plays first"] = "; then ".join(_classes(strategy, kingdom)) or "no Actions"
    facts |= _worths(strategy, kingdom) if strategy.ranks_cards else {}
    return Traits(f"{GRADED_BUYING if strategy.graded else CLASSIC_BUYING} {ENDING}", facts=facts)


def _order(strategy: Strategy, phase: int, kingdom: Kingdom) -> str:
    """Return the cards that a phase prefers at all, the most preferred first."""
    weights = strategy.weights[phase][: len(kingdom.piles)]
    least = 0.0 if strategy.graded else UNMENTIONED
    return " > ".join(kingdom.names[pile] for pile in np.argsort(-weights, kind="stable") if weights[pile] > least)


def _weights(strategy: Strategy, phase: int, kingdom: Kingdom) -> str:
    """Return the weights of a phase in per cent, the greatest first and to pass last."""
    weights = strategy.weights[phase][: len(kingdom.piles)]
    named = [(kingdom.names[pile], weights[pile]) for pile in np.argsort(-weights, kind="stable")]
    named.append(("pass", strategy.pass_weights[phase]))
    return ", ".join(f"{name} {100 * weight:.0f} %" for name, weight in named if weight >= SHOWN)


def _classes(strategy: Strategy, kingdom: Kingdom) -> list[str]:
    """Return the Actions of the kingdom class by class, the one that is played first at the head."""
    classes = []
    for index in np.argsort(-strategy.class_weights, kind="stable"):
        cards = [card.name for card in kingdom.piles if Type.ACTION in card.types and card.action_class == index]
        classes += [f"{ACTION_CLASS_NAMES[index]} ({', '.join(cards)})"] if cards else []
    return classes


def _worths(strategy: Strategy, kingdom: Kingdom) -> dict[str, str]:
    """Return what is kept and what is trashed, as facts."""
    order = sorted(range(len(kingdom.piles)), key=lambda pile: -strategy.worth_owning[pile])

    def trashed(phase: int) -> str:
        below: npt.NDArray[np.bool_] = strategy.worth_owning < strategy.trash_below[phase]
        return ", ".join(kingdom.names[pile] for pile in order if below[pile]) or "nothing"

    kept = {"keeps Treasures for": f"${strategy.coin_floor}"} if strategy.coin_floor else {}
    return {
        "worth owning": " > ".join(kingdom.names[pile] for pile in order),
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


def conditions_in_words(strategy: Strategy, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the conditions under which preferred cards are wanted, but for plain limits."""
    preferred = strategy.weights.max(axis=0) > 0.0
    said = []
    for pile, card in enumerate(kingdom.piles):
        words = _wanted_in_words(strategy, pile, card.name)
        if preferred[pile] and " once " in words:
            said.append(words)
    return (*said, *_terminals_in_words(strategy))


def phases_in_words(strategy: Strategy) -> tuple[str, str]:
    """Return when the early preference holds, and when the late one does."""
    left = int(strategy.switch_left)
    if strategy.switch_on == SWITCH_PROVINCES:
        near = f"{counted(left, 'Province')} {'is' if left == 1 else 'are'} left"
    elif strategy.switch_on == SWITCH_GAINS:
        near = f"{counted(left, 'gain')} can end the game"
    else:
        return f"until turn {int(strategy.switch)}", f"from turn {int(strategy.switch) + 1}"
    return f"until {near}", f"once {near}"


def _terminals_in_words(strategy: Strategy) -> tuple[str, ...]:
    if strategy.terminals >= ALWAYS:
        return ()
    more = f", one more for each {strategy.terminal_per} cards" if strategy.terminal_per else ""
    return (f"terminal Actions: {strategy.terminals} at a time{more}, and one more for each Village",)


def _order_in_words(strategy: Strategy, phase: int, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the cards a phase prefers, the most preferred first; what is hardly bought is left out."""
    piles = kingdom.piles
    weights = strategy.weights[phase][: len(piles)]
    least = LEAST_WEIGHT * float(strategy.pass_weights[phase])
    order = [int(pile) for pile in np.argsort(-weights, kind="stable") if weights[pile] > least]
    return tuple(_wanted_in_words(strategy, pile, piles[pile].name) for pile in order)


def _wanted_in_words(strategy: Strategy, pile: int, card: str) -> str:
    limit, left = int(strategy.limits[pile]), int(strategy.from_left[pile])
    said = [card if limit >= ALWAYS else f"{limit} {card}"]
    if left < ALWAYS:
        said.append(f"once {counted(left, 'gain')} can end the game")
    if pile == PROVINCE and strategy.province_coins > 0:
        said.append(f"once the deck has ${strategy.province_coins + 1}")
    return " ".join(said)
