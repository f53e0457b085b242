"""Environments for reinforcement learning and game research: thin faces of the compiled games.

    dominion_v1     Dominion for several agents, by PettingZoo's interface
    dominion        Dominion for one agent against opponents of this package, by Gymnasium's; also many games in step
    spire           fights of Slay the Spire, by Gymnasium's interface
    open_spiel      Dominion as a game of OpenSpiel

Extras install the libraries: "rl" for PettingZoo and Gymnasium, "open-spiel" for OpenSpiel. The import of this package
registers ``evodom/Dominion-v1`` and ``evodom/SpireFight-v1`` with Gymnasium. `gymnasium.make` imports it for
``evodom.environments:evodom/Dominion-v1``.
"""

from contextlib import suppress


def _register() -> None:
    """Register the environments with Gymnasium."""
    from gymnasium.envs.registration import register

    register(
        "evodom/Dominion-v1",
        entry_point="evodom.environments.dominion:DominionEnv",
        vector_entry_point="evodom.environments.dominion:DominionVectorEnv",
    )
    register("evodom/SpireFight-v1", entry_point="evodom.environments.spire:SpireFightEnv")


with suppress(ModuleNotFoundError):  # OpenSpiel's game works without Gymnasium
    _register()
