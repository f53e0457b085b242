"""A hypernetwork: a linear map from the weights of one general network to those of a kingdom's network.

Each weight of a pile is a product of the general network's weights with the embedding of the pile's card
(`card_embeddings`), which has the card's traits. Similar cards share weights, and every kingdom has a network without
training. Gradients use the transpose of the map.

Traits are computed from the card's own row. An addition to TRAITS or CARD_COLUMNS makes all saved networks
unusable. Another order of CARD_COLUMNS must not happen: the fingerprint does not include it.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import ACTION as ACTION_TYPE
from evodom.dominion.cards import ATTACK, BASIC, REACTION, TERMINAL, TERMINAL_DRAW, TREASURE, VICTORY
from evodom.dominion.cards import CARDS as ALL_CARDS
from evodom.dominion.cards.model import Card
from evodom.dominion.engine.effects import CHOSEN, Counted, Effect, Requirement
from evodom.dominion.engine.observation import FIRST_SCALAR, N_BLOCKS, SCALARS
from evodom.dominion.engine.ops import ChoiceSize, Op, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.networks.layers import (
    CRITIC_UNITS,
    FIRST_CRITIC_UNIT,
    FIRST_OUTPUT,
    HIDDEN,
    N_KINDS,
    N_OUTPUTS,
    PASS_OUTPUT,
    VALUE_COLUMN,
    WIDTH,
    Weights,
    network_arrays,
    zero_weights,
)
from evodom.errors import UsageError

TRAITS = (
    "any card", "cost", "Action", "Treasure", "Victory", "Attack", "Reaction", "terminal", "draws only", "coins",
    "bonus for a Treasure", "cards", "Actions", "Buys", "points", "points for others", "draws up to",
    "draws for discards", "discards own", "discards for empty piles", "looks at the deck", "sorts the discard pile",
    "puts onto the deck", "trashes from hand", "must trash", "trashes Copper", "trades", "trades by", "trashes itself",
    "gains up to", "gains to hand", "gains a card worth", "plays another", "plays again", "attacks the hand",
    "gives Curses", "trashes others' Treasures", "topdecks others' cards", "gives others cards",
)  # fmt: skip
"""Traits of a card, numbers of about 0 to 1."""

PASSING = "passing"
SHARED_COLUMNS = (*TRAITS, *(card.name for card in BASIC), PASSING)
N_SHARED_COLUMNS = len(SHARED_COLUMNS)
"""Columns of an embedding in every kingdom: the traits, one for each basic card, and passing."""

CARD_COLUMNS = (
    "Cellar", "Chapel", "Moat", "Chancellor", "Harbinger", "Merchant", "Vassal", "Village", "Woodcutter", "Workshop",
    "Bureaucrat", "Feast", "Gardens", "Militia", "Moneylender", "Poacher", "Remodel", "Smithy", "Spy", "Thief",
    "Throne Room", "Bandit", "Council Room", "Festival", "Laboratory", "Library", "Market", "Mine", "Sentry", "Witch",
    "Adventurer", "Artisan",
)  # fmt: skip
"""Cards of the training. Each has a column."""

_OWN = {name: N_SHARED_COLUMNS + place for place, name in enumerate(CARD_COLUMNS)}
EMBEDDING_SIZE = N_SHARED_COLUMNS + len(CARD_COLUMNS)

Kind = tuple[bool, Op, ChoiceSize, Counted | None, Requirement | None, Zone, Zone]
"""A kind of Effect: whether other players resolve it, operation, size, count, condition, source and target."""

Embeddings = npt.NDArray[np.float32]


def card_embeddings(kingdom: Kingdom) -> Embeddings:
    """Return the embeddings of a kingdom's piles and, last, of passing: (n_piles + 1, EMBEDDING_SIZE) float32."""
    check_known(kingdom)
    found = np.zeros((len(kingdom.piles) + 1, EMBEDDING_SIZE), np.float32)
    for pile, card in enumerate(kingdom.piles):
        for name, value in traits_of(card).items():
            found[pile, SHARED_COLUMNS.index(name)] = value
        if card in BASIC:
            found[pile, SHARED_COLUMNS.index(card.name)] = 1.0
        elif card.name in _OWN:
            found[pile, _OWN[card.name]] = 1.0
    found[-1, SHARED_COLUMNS.index(PASSING)] = 1.0
    return found


def check_known(kingdom: Kingdom) -> None:
    """Raise UsageError for a card with a kind of Effect that no card of the training has: no trait describes it."""
    for card in kingdom.piles:
        for kind, effect in _kinds(card.effects):
            if kind not in _known_kinds():
                what = f"'{effect.text}'" if effect.text else f"an effect of the kind {effect.op.name}"
                raise UsageError(f"it was not trained with cards that do what {card.name} does: {what}")


@cache
def _known_kinds() -> frozenset[Kind]:
    cards = (*BASIC, *(ALL_CARDS[name] for name in CARD_COLUMNS if name in ALL_CARDS))
    return frozenset(kind for card in cards for kind, _ in _kinds(card.effects))


def _kinds(effects: Iterable[Effect], *, by_others: bool = False) -> Iterator[tuple[Kind, Effect]]:
    for effect in effects:
        if effect.op == Op.EACH_PLAYER:
            yield from _kinds(effect.inner, by_others=True)
        else:
            condition = None if effect.if_chosen else effect.condition
            kind = (by_others, effect.op, effect.size, effect.per, condition, effect.source, effect.target)
            yield kind, effect


@lru_cache
def traits_of(card: Card) -> dict[str, float]:
    """Return the traits of a card by name. Traits of 0 may be missing."""
    traits = {
        "any card": 1.0,
        "cost": card.cost / 5,
        "Action": float(ACTION_TYPE in card.types),
        "Treasure": float(TREASURE in card.types),
        "Victory": float(VICTORY in card.types),
        "Attack": float(ATTACK in card.types),
        "Reaction": float(REACTION in card.types),
        "points": card.vp / 6,
        "points for others": float(card.vp_per is not None),
    }
    if ACTION_TYPE in card.types:
        traits["terminal"] = float(card.action_class in (TERMINAL, TERMINAL_DRAW))
        traits["draws only"] = float(card.action_class == TERMINAL_DRAW)
    for name, value in _traits_of_effects(card.effects):
        traits[name] = traits.get(name, 0.0) + value
    return traits


def _traits_of_effects(effects: tuple[Effect, ...], *, by_others: bool = False) -> Iterator[tuple[str, float]]:
    """Yield the traits of effects as (name, value). ``by_others`` is for effects that other players resolve."""
    for place, effect in enumerate(effects):
        if effect.op == Op.EACH_PLAYER:
            yield from _traits_of_effects(effect.inner, by_others=True)
        elif by_others:
            yield from _traits_of_attack(effect)
        elif effect.op == Op.CHOOSE:
            following = effects[place + 1] if place + 1 < len(effects) else None
            yield from _traits_of_choice(effect, following)
        else:
            yield from _traits_of_plain_effect(effect)


def _traits_of_plain_effect(effect: Effect) -> Iterator[tuple[str, float]]:
    """Yield the traits of an effect without a choice."""
    plain = {
        Op.COINS: ("coins", effect.n / 2),
        Op.BONUS: ("bonus for a Treasure", 1.0),
        Op.CARDS: ("draws for discards", 1.0) if effect.per == CHOSEN else ("cards", effect.n / 3),
        Op.ACTIONS: ("Actions", effect.n / 2),
        Op.BUYS: ("Buys", float(effect.n)),
        Op.DRAW_UP_TO: ("draws up to", effect.n / 7),
        Op.REVEAL: ("looks at the deck", effect.n / 2),
        Op.REVEAL_UNTIL: ("cards", effect.n / 3),
        Op.PLAY_CHOSEN: ("plays again", effect.n - 1.0),
        Op.TRASH_THIS: ("trashes itself", 1.0),
    }
    if effect.op in plain:
        yield plain[effect.op]
    elif effect.op == Op.GAIN:
        yield "gains a card worth", ALL_CARDS[effect.name].cost / 6


def _traits_of_choice(effect: Effect, following: Effect | None) -> Iterator[tuple[str, float]]:
    """Yield the traits of a choice."""
    if effect.source == Zone.SUPPLY:
        if effect.extra_cost is None:
            yield "gains up to", (effect.max_cost or 0) / 5
        else:
            yield "trades", 1.0
            yield "trades by", effect.extra_cost / 3
        if effect.target == Zone.HAND:
            yield "gains to hand", 1.0
    elif effect.target == Zone.TRASH:
        if effect.name == "Copper":
            yield "trashes Copper", 1.0
        elif following is None or following.extra_cost is None:
            yield "trashes from hand", (2 if effect.source == Zone.REVEALED else effect.n) / 4
        if not effect.optional and effect.source == Zone.HAND:
            yield "must trash", 1.0
    elif effect.target == Zone.DISCARD and effect.source == Zone.HAND:
        yield ("discards for empty piles" if effect.per else "discards own"), 1.0
    elif effect.target == Zone.DISCARD and effect.source == Zone.REVEALED and effect.size == ChoiceSize.ANY:
        yield "discards own", 0.5
    elif effect.target == Zone.DECK_TOP:
        yield ("sorts the discard pile" if effect.source == Zone.DISCARD else "puts onto the deck"), 1.0
    elif effect.target == Zone.IN_PLAY and not effect.only_this:
        yield "plays another", 1.0


def _traits_of_attack(effect: Effect) -> Iterator[tuple[str, float]]:
    """Yield the traits of an effect that other players resolve."""
    if effect.op == Op.CARDS:
        yield "gives others cards", effect.n / 2
    elif effect.op == Op.GAIN:
        yield "gives Curses", 1.0
    elif effect.op == Op.CHOOSE and effect.size == ChoiceSize.DOWN_TO:
        yield "attacks the hand", 1.0
    elif effect.op == Op.CHOOSE and effect.target == Zone.TRASH:
        yield "trashes others' Treasures", 1.0
    elif effect.op == Op.CHOOSE and effect.target == Zone.DECK_TOP:
        yield "topdecks others' cards", 1.0


_UNITS = np.r_[0:HIDDEN, FIRST_CRITIC_UNIT : VALUE_COLUMN + 1]
"""Indices of a row that are not outputs: the hidden units, the critic's units and its value."""

GENERAL = np.dtype(
    [
        # Contribution of a card owned, in hand or pending to the units, by block.
        ("cards", "<f4", (N_KINDS, N_BLOCKS, EMBEDDING_SIZE, len(_UNITS))),
        # Contribution of such a card to the logit of each card, and a further contribution to that of its own pile.
        ("pairs", "<f4", (N_KINDS, N_BLOCKS, N_SHARED_COLUMNS, N_SHARED_COLUMNS)),
        ("same", "<f4", (N_KINDS, N_BLOCKS, EMBEDDING_SIZE)),
        # Contribution of each single feature to the units and to the logit of a card.
        ("singles", "<f4", (N_KINDS, len(SCALARS), len(_UNITS))),
        ("worths", "<f4", (N_KINDS, len(SCALARS), EMBEDDING_SIZE)),
        # Contribution of each unit to the logit of a card, and to the value.
        ("outputs", "<f4", (N_KINDS, HIDDEN, EMBEDDING_SIZE)),
        ("critic", "<f4", (N_KINDS, CRITIC_UNITS)),
    ]
)
"""The weights of a general network. The field names are part of its fingerprint."""

N_GENERAL = GENERAL.itemsize // 4


class CardHypernetwork:
    """Map between the general network and a kingdom's network: `weights` forward, `gradient` back."""

    def __init__(self, kingdom: Kingdom) -> None:
        described = card_embeddings(kingdom)
        self._piles = np.zeros((N_MODEL_PILES, EMBEDDING_SIZE), np.float32)
        self._piles[: len(described) - 1] = described[:-1]
        self._outputs: Embeddings = np.zeros((N_OUTPUTS, EMBEDDING_SIZE), np.float32)
        self._outputs[:N_MODEL_PILES] = self._piles
        self._outputs[PASS_OUTPUT] = described[-1]

    def weights(self, general: npt.NDArray[np.float32]) -> Weights:
        """Return the kingdom's network, (N_WEIGHTS,), from the general network, (N_GENERAL,).

        Sums use float64: after rounding to float32 they do not depend on the processor's order of addition.
        """
        source, found = general.view(GENERAL)[0], zero_weights()
        target = network_arrays(found)
        piles, outputs = self._piles.astype(float), self._outputs.astype(float)
        of_cards, singles = self._rows(target["inputs"])
        of_cards[..., _UNITS] = piles @ source["cards"]
        logit = piles[:, :N_SHARED_COLUMNS] @ source["pairs"] @ outputs[:, :N_SHARED_COLUMNS].T
        logit[..., np.arange(N_MODEL_PILES), np.arange(N_MODEL_PILES)] += source["same"] @ piles.T
        of_cards[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] = logit
        singles[..., _UNITS] = source["singles"]
        singles[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] = source["worths"] @ outputs.T
        target["inputs"][:, :FIRST_SCALAR] = of_cards.reshape(N_KINDS, FIRST_SCALAR, WIDTH)
        target["outputs"][:] = (source["outputs"] @ outputs.T).transpose(0, 2, 1)
        target["critic"][:] = source["critic"]
        return found

    def gradient(self, gradient: Weights) -> npt.NDArray[np.float32]:
        """Return the gradient with respect to the general network, given that of the kingdom's network."""
        given, found = network_arrays(gradient), np.zeros(N_GENERAL, np.float32)
        target = found.view(GENERAL)[0]
        piles, outputs = self._piles, self._outputs
        of_cards, singles = self._rows(given["inputs"])
        target["cards"][:] = piles.T @ of_cards[..., _UNITS]
        logit = of_cards[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT]
        target["pairs"][:] = piles[:, :N_SHARED_COLUMNS].T @ logit @ outputs[:, :N_SHARED_COLUMNS]
        target["same"][:] = logit[..., np.arange(N_MODEL_PILES), np.arange(N_MODEL_PILES)] @ piles
        target["singles"][:] = singles[..., _UNITS]
        target["worths"][:] = singles[..., FIRST_OUTPUT:FIRST_CRITIC_UNIT] @ outputs
        target["outputs"][:] = given["outputs"].transpose(0, 2, 1) @ outputs
        target["critic"][:] = given["critic"]
        return found

    @staticmethod
    def _rows(inputs: Embeddings) -> tuple[Any, Any]:
        """Return the rows of cards, (N_KINDS, N_BLOCKS, N_MODEL_PILES, WIDTH), and those of single features."""
        return inputs[:, :FIRST_SCALAR].reshape(N_KINDS, N_BLOCKS, N_MODEL_PILES, WIDTH), inputs[:, FIRST_SCALAR:]


def new_general(rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return a new general network with a uniform policy: its units differ, its outputs are 0."""
    general = np.zeros(N_GENERAL, np.float32)
    network = general.view(GENERAL)[0]
    without_value = slice(0, len(_UNITS) - 1)
    for name, scale in (("cards", 0.07), ("singles", 0.15)):
        shape = network[name][..., without_value].shape
        network[name][..., without_value] = rng.normal(0.0, scale, shape)
    return general
