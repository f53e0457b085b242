"""Observe games by card: the same arrays and the same actions in every kingdom, for one policy of all kingdoms.

An observation has N_PLACES places: a place for each pile, one for "pass", and one for each option of a menu. A place
has the features of its pile and the traits of its card or option. Actions are places.
"""

from functools import cache, cached_property
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import CARDS, Card
from evodom.dominion.contract import Dominion
from evodom.dominion.effects.effect import with_inner
from evodom.dominion.effects.ops import Op
from evodom.dominion.engine.compiler import list_effects
from evodom.dominion.engine.observation import FIRST_SCALAR, N_FEATURES, N_PILE_PARTS, PENDING, SCALES
from evodom.dominion.engine.rules import N_MODEL_PILES, N_OPTIONS
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.models.networks.hypernetwork import N_SHARED_COLUMNS, card_embeddings, embeddings_of
from evodom.dominion.strategies.models.networks.traits import SHARED_COLUMNS, options_of
from evodom.matches.batch import PLACE_ANSWERS
from evodom.nn.hypernetwork import Traits

FEATURES, BY_CARD = OBSERVATIONS = ("features", "cards")
"""Kinds of observations: FEATURES of one kingdom with numbered piles, BY_CARD of any kingdom, by place."""

PASS_PLACE = N_MODEL_PILES
FIRST_OPTION_PLACE = PASS_PLACE + 1
N_PLACES = len(PLACE_ANSWERS)
"""Places 0 to N_MODEL_PILES - 1 are piles, then come PASS_PLACE and the options."""

TRAIT_NAMES = SHARED_COLUMNS
N_TRAITS = N_SHARED_COLUMNS
"""Traits of a place: those that all cards share. The shipped network has further columns for single cards."""

MAX_TRAIT = 10.0
"""Bound of the absolute value of a trait. Most are between 0 and 1."""

N_SCALARS = N_FEATURES - FIRST_SCALAR

Floats = npt.NDArray[np.float32]
Features = npt.NDArray[np.int8]
Masks = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.signedinteger]


class PlaceObservations(NamedTuple):
    """Observations of n games.

    Attributes:
        state: (n, N_SCALARS) float32, the features without a pile, scaled.
        piles: (n, N_PLACES, N_PILE_PARTS) float32: owned, owns any, in hand, effect is pending, scaled.
        traits: (n, N_PLACES, N_TRAITS) float32, of the card or the option of each place.
        present: (n, N_PLACES) int8, 1 for piles of the kingdom, passing, and the options of the pending menu.
    """

    state: Floats
    piles: Floats
    traits: Floats
    present: npt.NDArray[np.int8]

    @classmethod
    def zeros(cls, n: int) -> "PlaceObservations":
        """Return observations of zeros."""
        shapes = ((N_SCALARS,), (N_PLACES, N_PILE_PARTS), (N_PLACES, N_TRAITS))
        state, piles, traits = (np.zeros((n, *shape), np.float32) for shape in shapes)
        return cls(state, piles, traits, np.zeros((n, N_PLACES), np.int8))


def _options_of(card: Card) -> list[Traits]:
    """Return the traits of the options of a card, by place. Places in a deck differ in their height."""
    if any(effect.op == Op.PLACE for _, effect in list_effects((card,))):
        return [
            {"places in the deck": 1.0, "puts onto the deck": 1 - number / (N_OPTIONS - 1)}
            for number in range(N_OPTIONS)
        ]
    return options_of(card)


@cache
def _menus() -> tuple[dict[str, int], Floats]:
    """Return the number of each card with a menu, and the traits of the menus: (n, N_OPTIONS, N_TRAITS).

    Menu 0 has no options.
    """
    options = {name: found for name, card in CARDS.items() if (found := _options_of(card))}
    menus = np.zeros((len(options) + 1, N_OPTIONS, N_TRAITS), np.float32)
    for number, traits in enumerate(options.values(), 1):
        menus[number, : len(traits)] = embeddings_of(traits)[:, :N_TRAITS]
    return {name: number for number, name in enumerate(options, 1)}, menus


class CardPlaces:
    """The places of one or several kingdoms, by the number of the kingdom.

    ``traits`` (n_kingdoms, N_PLACES, N_TRAITS) and ``present`` (n_kingdoms, N_PLACES) are those without a pending menu.
    ``menus`` (n_kingdoms, N_MODEL_PILES + 1) has the menu of each pile and, last, that of a card which asks at an
    event. ``serials`` (n_kingdoms,) change each time a kingdom is replaced.
    """

    def __init__(self, *kingdoms: Kingdom) -> None:
        n = len(kingdoms)
        self.kingdoms = list(kingdoms)
        self.traits = np.zeros((n, N_PLACES, N_TRAITS), np.float32)
        self.present = np.zeros((n, N_PLACES), np.int8)
        self.menus = np.zeros((n, N_MODEL_PILES + 1), np.int64)
        self.serials, self._next_serial = np.zeros(n, np.int64), count(1)
        for number, kingdom in enumerate(kingdoms):
            self.replace(number, kingdom)

    def replace(self, number: int, kingdom: Kingdom) -> None:
        """Replace a kingdom by another."""
        embeddings, numbers = card_embeddings(kingdom)[:, :N_TRAITS], _menus()[0]
        piles = [*range(len(kingdom.piles)), PASS_PLACE]
        self.kingdoms[number] = kingdom
        self.traits[number], self.present[number], self.menus[number] = 0, 0, 0
        self.traits[number, piles], self.present[number, piles] = embeddings, 1
        for pile, card in enumerate(kingdom.piles):
            if card.name in numbers:
                # The feature "effect is pending" covers the Effects of a play. Watchtower asks at an event.
                asks_at_play = any(effect.op in (Op.OPTIONS, Op.PLACE) for effect in with_inner(card.program))
                self.menus[number, pile if asks_at_play else N_MODEL_PILES] = numbers[card.name]
        self.serials[number] = next(self._next_serial)

    def observations(self, features: Features, masks: Masks, kingdoms: Numbers | int = 0) -> PlaceObservations:
        """Return the observations of n games.

        ``features`` (n, N_FEATURES) are unscaled, ``masks`` (n, N_PLACES) the legal places. ``kingdoms`` has the number
        of each game's kingdom.
        """
        return PlaceRows(self, len(features)).update(features, masks, kingdoms)

    @cached_property
    def actions(self) -> Numbers:
        """The places of the action numbers of the first kingdom, (n_actions,)."""
        return np.searchsorted(PLACE_ANSWERS, np.array(Dominion(self.kingdoms[0]).all_actions, np.int64))

    def masks(self, masks: Masks) -> Masks:
        """Return the legal places, (n, N_PLACES), for legal actions by number in the first kingdom, (n, n_actions)."""
        found = np.zeros((len(masks), N_PLACES), np.bool_)
        found[:, self.actions] = masks
        return found

    def numbers(self, places: Numbers) -> Numbers:
        """Return the action numbers of places in the first kingdom. The number of a place without an action is -1."""
        numbers = np.full(N_PLACES, -1, np.int64)
        numbers[self.actions] = np.arange(len(self.actions))
        return numbers[places]


class PlaceRows:
    """The observations of n games in step. An update writes only the traits that have changed.

    ``menus`` (n,) are the numbers of the pending menus, 0 without a menu. They do not depend on the kingdom. The traits
    of a game follow from the kingdom and the menu.
    """

    def __init__(self, places: CardPlaces, n: int) -> None:
        self.places = places
        self.observations = PlaceObservations.zeros(n)
        self._serials, self.menus = np.zeros(n, np.int64), np.zeros(n, np.int64)

    def update(self, features: Features, masks: Masks, kingdoms: Numbers | int = 0) -> PlaceObservations:
        """Write the observations and return them, the same arrays in each call. `CardPlaces` has the arguments."""
        places, found = self.places, self.observations
        kingdoms = np.broadcast_to(kingdoms, len(features))
        scaled = features * SCALES
        by_pile = scaled[:, :FIRST_SCALAR].reshape(-1, N_PILE_PARTS, N_MODEL_PILES)
        found.state[:] = scaled[:, FIRST_SCALAR:]
        found.piles[:, :N_MODEL_PILES] = by_pile.transpose(0, 2, 1)
        serials = places.serials[kingdoms]
        new = np.flatnonzero(serials != self._serials)
        found.traits[new], found.present[new] = places.traits[kingdoms[new]], places.present[kingdoms[new]]
        is_pending = features[:, PENDING:FIRST_SCALAR] != 0
        pile = np.where(is_pending.any(axis=1), is_pending.argmax(axis=1), N_MODEL_PILES)
        menus = np.where(masks[:, FIRST_OPTION_PLACE:].any(axis=1), places.menus[kingdoms, pile], 0)
        changed = np.flatnonzero(menus != np.where(serials == self._serials, self.menus, 0))
        options = _menus()[1][menus[changed]]
        found.traits[changed, FIRST_OPTION_PLACE:] = options
        found.present[changed, FIRST_OPTION_PLACE:] = options.any(axis=2)
        self._serials, self.menus = serials, menus
        return found
