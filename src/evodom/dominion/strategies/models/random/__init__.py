"""The random player: any legal choice, all equally likely."""

from evodom.dominion.strategies.base import RANDOM, ModelEntry

ENTRY = ModelEntry(RANDOM, __name__)
