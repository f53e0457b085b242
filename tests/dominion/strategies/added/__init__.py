"""A strategy model of the tests: a ladder, an order of piles whose first affordable one is bought."""

from evodom.dominion.strategies.base import ModelEntry, ModelPreset

ENTRY = ModelEntry(
    "ladder", __name__, (ModelPreset("ladder", "ladder", "ladder", "an order of the cards to buy", in_advice=True),),
    "LadderColumns",
)  # fmt: skip
