"""Fights as user input: names, TOML files, `.run` files of the game, and fights in progress.

fight   `Fight` and its parts, the fights after a choice of a card, `.run` files
names   cards, relics, potions, enemies and encounters by parts of their names
files   a `Fight` as a TOML file
states  a fight in progress: validation, conversion to the engine's record, text
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.spire.fights.fight import (
        EnemyState as EnemyState,
        Fight as Fight,
        FightState as FightState,
        Payoff as Payoff,
        RunFile as RunFile,
        read_run as read_run,
    )
    from evodom.spire.fights.files import (
        fight_from_toml as fight_from_toml,
        fight_to_toml as fight_to_toml,
        read_fight as read_fight,
        write_fight as write_fight,
    )
    from evodom.spire.fights.states import fight_from_state as fight_from_state, state_from_fight as state_from_fight


__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "fight": "EnemyState Fight FightState Payoff RunFile read_run",
        "files": "fight_from_toml fight_to_toml read_fight write_fight",
        "states": "fight_from_state state_from_fight",
    },
)
