"""Preferences: cards are drawn from a distribution over the piles, one early in the game and another one late.

``--model graded`` and ``--model classic`` are two settings of it, which differ in the distributions there are
(`shapes.SPACES`).
"""

from evodom.dominion.strategies.model import SIMPLE_CHOICES, Edits, FileForm, Genetics, Model, Parts, Setting

GRADED = Setting(
    "graded",
    "preferences near a strict order among what can be had, and conditions under which cards are wanted",
)
CLASSIC = Setting(
    "classic",
    "three draws from flat preferences, as the original did, and simple choices",
    choices=SIMPLE_CHOICES,
    switch=(12, 12),
    meets_rivals=False,
)


def _load() -> Parts:
    from evodom.dominion.strategies.preferences import columns, edits, file, listed, words
    from evodom.dominion.strategies.preferences import genetics as genome
    from evodom.dominion.strategies.preferences import genetics as operators
    from evodom.dominion.strategies.preferences.select import select_preferred

    return Parts(
        columns=columns.COLUMNS,
        defaults=columns.DEFAULTS,
        select=select_preferred,
        is_sound=columns.is_sound,
        draws=True,
        told_apart_by=("weights",),
        traits=words.traits,
        in_words=words.in_words,
        genetics=Genetics(
            first=genome.first_genomes,
            random=genome.random_genomes,
            cross=operators.cross,
            mutate=operators.mutate,
            upgrade=genome.upgrade,
            encode=genome.encode,
            diversity=genome.diversity,
            early_green=genome.early_green,
        ),
        file=FileForm(file.KEYS, file.read, file.cards, file.encode, file.dump),
        edits=Edits(edits.without, edits.with_more, edits.simplified, listed.as_rules),
    )


PREFERENCES = Model("preferences", settings=(GRADED, CLASSIC), load=_load)
"""Strategies that draw what they buy and gain from an early and a late distribution."""
