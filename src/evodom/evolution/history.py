"""How much of its history a run keeps: every summary, and every genome of some generations.

Of a long run nobody asks for the hundredth best of generation 4321, and its genomes would be nearly the whole file. The
newest generations stay whole, for breeding, lineages and a look at what changed; so does every so many-th one, for what
reports count along the way. Of all others the champion stays: for curves, for the hall of fame, and to be played. The
rule follows from numbers alone, so that a run that was stopped and resumed ends with the same file.
"""

import numpy as np

from evodom.store import Generation

ORIGINS = "origins"
"""The entry of a summary that says where each genome comes from."""

NEWEST_WHOLE = 200
"""So many of the newest generations stay whole."""

EVERY_WHOLE = 100
"""Of the generations before them, those whose number this divides."""


def is_whole(index: int, n_saved: int) -> bool:
    """Tell whether a generation stays whole in a run that has ``n_saved``."""
    return index % EVERY_WHOLE == 0 or index >= n_saved - NEWEST_WHOLE


def thinned_by(n_before: int, n_after: int) -> list[int]:
    """Return the generations of which only the champion stays when a run grows to ``n_after`` generations."""
    old = range(max(0, n_before - NEWEST_WHOLE), max(0, n_after - NEWEST_WHOLE))
    return [index for index in old if not is_whole(index, n_after)]


def thinned(generation: Generation) -> Generation:
    """Return a generation with the genome of its champion alone, and without the origins of all."""
    summary = {name: value for name, value in generation.summary.items() if name != ORIGINS}
    champion = generation.ranking[:1]
    return Generation(generation.index, generation.genomes[champion], np.zeros_like(champion), summary)
