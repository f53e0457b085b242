"""Define the genes of the play of cards. They replace default play values, as fields of a strategy file do.

A gene is 0 for the default. Gene n stands for the n-th number of its field in PLAY_GENES. Fields with a table by card
have a gene for each pile. The weights of options have genes only in kingdoms with options.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import COPPER, ESTATE
from evodom.dominion.effects.effect import Type, own_effects, with_inner
from evodom.dominion.effects.ops import Op, Zone
from evodom.dominion.engine.rules import N_MODEL_PILES
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.base import Genomes, Strategies
from evodom.dominion.strategies.play.menu_weights import GENE_WEIGHTS, OPTION_NAMES, has_options, weights_that_matter
from evodom.dominion.strategies.record import DECK_ROW, HAND_ROW, PLAY_NO_CURSES, PLAY_ROW

if TYPE_CHECKING:
    from evodom.dominion.strategies.breeding import Breeding


class PlayGene(NamedTuple):
    """The numbers of a field, and the shape of its genes.

    The field affects choices of cards that move to the zone ``target``. For a table by card, ``computed`` is the row of
    the column `computed`.
    """

    numbers: tuple[float, ...]
    target: Zone | None = None
    computed: int | None = None
    shape: tuple[int, ...] = ()


PLAY_GENES: Mapping[str, PlayGene] = {
    "trash_below": PlayGene((1, 10, 21, 25), Zone.TRASH),
    "coin_floor": PlayGene((0, 2, 3, 4, 5, 6, 7, 8, 10), Zone.TRASH),
    "discard_to": PlayGene((5, 10, 15, 20, 25), Zone.DISCARD),
    "deck_value": PlayGene((3, 12, 18, 25, 45), Zone.TRASH, DECK_ROW, (N_MODEL_PILES,)),
    "hand_value": PlayGene((3, 9, 12, 18, 25, 45), Zone.DISCARD, HAND_ROW, (N_MODEL_PILES,)),
    "play": PlayGene(tuple(range(1, 42, 4)), None, PLAY_ROW, (N_MODEL_PILES,)),
    "option_values": PlayGene(GENE_WEIGHTS, shape=(len(OPTION_NAMES),)),
}
"""The fields with genes. Their numbers are below, between and above the default values of cards."""

PLAY_FIELDS = [(key, "u1", gene.shape) for key, gene in PLAY_GENES.items()]
"""The fields of a genome."""

MAX_GENES = {key: len(gene.numbers) for key, gene in PLAY_GENES.items()}
"""Maximum of each gene."""


def genes_of(kingdom: Kingdom) -> list[str]:
    """Return the fields of PLAY_GENES that can differ from the defaults in a kingdom."""
    return [key for key in PLAY_GENES if key != "option_values" or has_options(kingdom)]


def present_genes(genomes: Genomes) -> dict[str, PlayGene]:
    """Return the fields of PLAY_GENES that genomes have."""
    return {key: gene for key, gene in PLAY_GENES.items() if key in (genomes.dtype.names or ())}


def genes_in_use(genome: Genomes) -> list[tuple[str, tuple[int, ...], int]]:
    """Return each gene of the play of the only genome that is not the default, as `Gene` with the default."""
    return [(key, tuple(place), 0) for key in present_genes(genome) for place in np.argwhere(genome[key][0]).tolist()]


def encode_play(genomes: Genomes, strategies: Strategies) -> None:
    """Write the genes that are not 0 into records with the default play, as `BuyList.encode` does.

    A genome can lack some of the genes.
    """
    for key, gene in present_genes(genomes).items():
        chosen, column = genomes[key] > 0, strategies[key]
        if not chosen.any():
            continue
        numbers = np.array((0, *gene.numbers))[genomes[key]]
        # A number applies to both phases, and to all tables of the order of play.
        rows = (len(genomes),) + (1,) * (column.ndim - chosen.ndim) + chosen.shape[1:]
        column[...] = np.where(chosen.reshape(rows), numbers.reshape(rows), column)
        if gene.computed is not None:
            strategies["computed"][:, gene.computed] &= ~(chosen @ (1 << np.arange(N_MODEL_PILES)))
        if gene.computed == PLAY_ROW:
            column[:, PLAY_NO_CURSES][chosen] = 0


def fields_that_matter(kingdom: Kingdom, owned: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which fields of `genes_of` matter to the lists that own cards of some piles, (n, n_fields).

    A field matters if a card of the list has a choice of cards for the field's target. For a choice that other players
    make, the card can also be elsewhere in the kingdom. The order of play matters to lists with two Actions, weights to
    lists with options.
    """
    genes = {key: PLAY_GENES[key] for key in genes_of(kingdom)}
    own, of_all = np.zeros((2, N_MODEL_PILES, len(genes)), bool)
    for pile, card in enumerate(kingdom.piles):
        of_owner = own_effects(card.effects)
        for effect in with_inner(card.effects):
            if effect.op == Op.CHOOSE:
                table = own if effect in of_owner else of_all
                table[pile] |= [gene.target == effect.target for gene in genes.values()]
    found: npt.NDArray[np.bool_] = (owned @ own) | of_all.any(axis=0)
    found |= np.array([key == "play" for key in genes]) & ((owned & _actions(kingdom)).sum(axis=1) > 1)[:, None]
    if "option_values" in genes:
        found[:, -1] = weights_that_matter(kingdom, owned).any(axis=1)
    return found


def _actions(kingdom: Kingdom) -> npt.NDArray[np.bool_]:
    return np.isin(np.arange(N_MODEL_PILES), kingdom.piles_where(lambda card: Type.ACTION in card.types))


def change_play(genomes: Genomes, owned: npt.NDArray[np.bool_], breeding: "Breeding", rng: np.random.Generator) -> None:
    """Redraw one gene of each genome that matters to its cards: 0 or a number. ``owned`` is (n, N_MODEL_PILES).

    The gene belongs to an owned card, Copper or Estate. In the order of play it belongs to an owned Action, among
    weights to an option of an owned card. If no field matters, the genome stays unchanged.
    """
    names = genes_of(breeding.kingdom)
    owned = owned | np.isin(np.arange(N_MODEL_PILES), (COPPER, ESTATE))
    matters = fields_that_matter(breeding.kingdom, owned) & [key in (genomes.dtype.names or ()) for key in names]
    chosen = np.where(matters.any(axis=1), (matters * rng.random(matters.shape)).argmax(axis=1), -1)
    for number, key in enumerate(names):
        rows = np.flatnonzero(chosen == number)
        drawn = rng.integers(MAX_GENES[key] + 1, size=len(rows))
        if not len(rows):
            continue
        if not PLAY_GENES[key].shape:
            genomes[key][rows] = drawn
            continue
        if key == "option_values":
            places = weights_that_matter(breeding.kingdom, owned[rows])
        else:
            places = (owned & _actions(breeding.kingdom) if key == "play" else owned)[rows]
        genomes[key][rows, (places * rng.random(places.shape)).argmax(axis=1)] = drawn
