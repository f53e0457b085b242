"""Learned strategies: a small neural network for each kind of decision rates the choices in a state."""

from evodom.dominion.strategies.base import NETWORK, ModelEntry

ENTRY = ModelEntry(NETWORK, __name__)
