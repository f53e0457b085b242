"""Preferences: cards are drawn from a distribution over the piles, one early in the game and another late."""

from evodom.dominion.strategies.base import PREFERENCES, SIMPLE_CHOICES, ModelEntry, ModelPreset

ENTRY = ModelEntry(
    PREFERENCES,
    __name__,
    (
        ModelPreset(
            "graded",
            PREFERENCES,
            "preferences",
            "preferences near a strict order among what can be had, and conditions under which cards are wanted",
            in_advice=True,
        ),
        ModelPreset(
            "classic",
            PREFERENCES,
            "preferences",
            "three draws from flat preferences, as the original did, and simple choices",
            choices=SIMPLE_CHOICES,
            switch=(12, 12),
            meets_rivals=False,
        ),
    ),
    "PreferenceColumns",
)
