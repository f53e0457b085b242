"""Learned strategies: a small neural network a kind of decision says what each choice is worth in this state."""

from evodom.dominion.strategies.model import Edits, Model, Parts


def _load() -> Parts:
    from evodom.dominion.strategies.networks import edits, words
    from evodom.dominion.strategies.networks.policy import select_by_network

    return Parts(
        columns=(("network", "<u8"),),
        select=select_by_network,
        traits=words.traits,
        in_words=words.in_words,
        is_sound=lambda strategy: int(strategy["network"]) == 0,
        draws=True,
        learned=True,
        told_apart_by=("network",),
        edits=Edits(edits.without, edits.with_more, edits.simplified, edits.as_rules),
    )


NETWORKS = Model("network", settings=(), load=_load)
"""Strategies whose preferences depend on the state; `evodom.learning` trains them."""
