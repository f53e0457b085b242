"""The origin of each genome: how it was made, and from which parents."""

KINDS = ELITE, IMPROVED, CLONE, CHILD, NEW = "elite", "improved", "clone", "child", "new"
"""Kinds of genomes: an unchanged copy, a copy improved by local search, a mutated copy, a child of two parents, and a
new genome. New genomes are random, decks of a grammar, or imitations.
"""

NO_PARENT = -1

ORIGINS = "origins"
"""Entry of a summary with the origin of each genome."""

Origin = tuple[str, int, int]
"""Origin of a genome: its kind, and the indices of its two parents in the generation before, or NO_PARENT."""
