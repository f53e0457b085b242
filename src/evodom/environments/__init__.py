"""Environments for reinforcement learning and game research: standard interfaces to the compiled games.

    dominion        Gymnasium: Dominion for one agent against opponents of this package
    vector          Gymnasium: many games of Dominion in step
    dominion_v1     PettingZoo: Dominion for two to six agents
    spire           Gymnasium: fights of Slay the Spire
    open_spiel      OpenSpiel: Dominion
    exporting       policy files of trained PyTorch modules: `export`

PettingZoo puts the version into the module's name, ``dominion_v1``. Gymnasium puts it into ``evodom/Dominion-v1``.

Extras install the libraries: "rl" for PettingZoo, Gymnasium and Pillow, "open-spiel" for OpenSpiel. The import of this
package registers ``evodom/Dominion-v1`` and ``evodom/SpireFight-v1`` with Gymnasium. `gymnasium.make` imports it for
``evodom.environments:evodom/Dominion-v1``.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.environments.exporting import export as export


__getattr__, __dir__ = attach(__name__)


def _register() -> None:
    """Register the environments with Gymnasium."""
    from gymnasium.envs.registration import register

    register(
        "evodom/Dominion-v1",
        entry_point="evodom.environments.dominion:DominionEnv",
        vector_entry_point="evodom.environments.vector:DominionVectorEnv",
    )
    register("evodom/SpireFight-v1", entry_point="evodom.environments.spire:SpireFightEnv")


with suppress(ModuleNotFoundError):  # OpenSpiel's game works without Gymnasium
    _register()
