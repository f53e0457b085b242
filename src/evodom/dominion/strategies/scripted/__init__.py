"""Scripted players: those that neither breed nor have anything to say. There is one, which answers at random."""

from evodom.dominion.strategies.model import Model, Parts


def _load() -> Parts:
    from evodom.dominion.strategies.scripted.random_player import in_words, select_random, traits

    return Parts(columns=(), select=select_random, traits=traits, in_words=in_words, draws=True)


RANDOM_PLAYER = Model("random", settings=(), load=_load)
"""The player who answers every Decision at random."""
