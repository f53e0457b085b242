"""Fights as people say and save them: names as they are typed, fights in files, and what a run of the game left.

`fight` has a `Fight`, the choices between fights and the game's `.run` files; `names` finds cards, relics, potions,
enemies and encounters; `files` reads and writes a `Fight` as TOML; `states` has the state of a fight that has begun.
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
