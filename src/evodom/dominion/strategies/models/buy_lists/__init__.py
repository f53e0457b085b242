"""Buy lists: ordered rules. The first rule whose card is available and whose conditions hold is followed."""

from evodom.dominion.strategies.base import BUY_LIST, ModelEntry, ModelPreset

ENTRY = ModelEntry(
    BUY_LIST,
    __name__,
    (
        ModelPreset(
            "buy-list", BUY_LIST, "buy list", "an ordered list of what to buy, how many and when", in_advice=True
        ),
    ),
    "BuyListColumns",
)
