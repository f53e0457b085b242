"""Genes of the play of a buy list: fields of its strategy file that can replace the default play values.

A gene is 0 for the default, else the place of a number among those of its field in PLAY_GENES, counted from 1. Fields
with a table by card have a gene for each pile.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from evodom.dominion.cards import COPPER, ESTATE
from evodom.dominion.engine.effects import Type, with_inner
from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.buy_lists.rules import PLAY_NO_CURSES
from evodom.dominion.strategies.record import DECK, HAND, PLAY

if TYPE_CHECKING:
    from evodom.dominion.strategies.breeding import Breeding


class PlayGene(NamedTuple):
    """The numbers of a field.

    With a ``target`` the field matters in kingdoms that have a card with a choice of cards for this zone. For a table
    by card, ``computed`` is the row of the column `computed`.
    """

    numbers: tuple[int, ...]
    target: Zone | None = None
    computed: int | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the genes: one for each pile in a table by card."""
        return () if self.computed is None else (N_MODEL_PILES,)


PLAY_GENES: Mapping[str, PlayGene] = {
    "trash_below": PlayGene((1, 10, 21, 25), Zone.TRASH),
    "coin_floor": PlayGene((0, 2, 3, 4, 5, 6, 7, 8, 10), Zone.TRASH),
    "discard_to": PlayGene((5, 10, 15, 20, 25), Zone.DISCARD),
    "deck_value": PlayGene((3, 12, 18, 25, 45), Zone.TRASH, DECK),
    "hand_value": PlayGene((3, 9, 12, 18, 25, 45), Zone.DISCARD, HAND),
    "play": PlayGene(tuple(range(1, 42, 4)), computed=PLAY),
}
"""The fields of a strategy file with genes. Their numbers are between and beyond the default values of cards."""

PLAY_FIELDS = [(key, "u1", gene.shape) for key, gene in PLAY_GENES.items()]
"""The fields of a genome."""

LARGEST = {key: len(gene.numbers) for key, gene in PLAY_GENES.items()}
"""The greatest value of each gene."""


def encode_play(genomes: Genomes, strategies: Strategies) -> None:
    """Write the explicit numbers of genomes into records with default play, as `BuyList.encode` does."""
    for key, gene in PLAY_GENES.items():
        chosen, column = genomes[key] > 0, strategies[key]
        if not chosen.any():
            continue
        numbers = np.array((0, *gene.numbers))[genomes[key]]
        # A number counts in both phases, and in all tables of the order of play.
        rows = (len(genomes),) + (1,) * (column.ndim - chosen.ndim) + chosen.shape[1:]
        column[...] = np.where(chosen.reshape(rows), numbers.reshape(rows), column)
        if gene.computed is not None:
            strategies["computed"][:, gene.computed] &= ~(chosen @ (1 << np.arange(N_MODEL_PILES)))
        if gene.computed == PLAY:
            column[:, PLAY_NO_CURSES][chosen] = 0


def searched_fields(kingdom: Kingdom) -> list[str]:
    """Return the fields that matter in a kingdom."""
    effects = [effect for card in kingdom.piles for effect in with_inner(card.effects)]
    targets = {None, *(effect.target for effect in effects if effect.op == Op.CHOOSE)}
    return [key for key, gene in PLAY_GENES.items() if gene.target in targets]


def change_play(genomes: Genomes, breeding: "Breeding", rng: np.random.Generator) -> None:
    """Redraw one gene of the play of each list: 0 or a number, of a card of the list, Copper or Estate.

    The order of play changes for Actions of the list. A list without Actions may stay unchanged.
    """
    piles = np.arange(N_MODEL_PILES)
    is_used = genomes["at_most"] > 0
    owned = ((genomes["pile"][..., None] == piles) & is_used[..., None]).any(axis=1) | np.isin(piles, (COPPER, ESTATE))
    actions = np.isin(piles, breeding.kingdom.piles_where(lambda card: Type.ACTION in card.types))
    fields = searched_fields(breeding.kingdom)
    chosen = rng.integers(len(fields), size=len(genomes))
    for number, key in enumerate(fields):
        rows = np.flatnonzero(chosen == number)
        drawn = rng.integers(LARGEST[key] + 1, size=len(rows))
        if PLAY_GENES[key].computed is None:
            genomes[key][rows] = drawn
            continue
        weights = (owned & actions if key == "play" else owned)[rows] * rng.random((len(rows), N_MODEL_PILES))
        some = weights.any(axis=1)
        genomes[key][rows[some], weights.argmax(axis=1)[some]] = drawn[some]
