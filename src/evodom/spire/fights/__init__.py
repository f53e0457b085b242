"""Fights as people say and save them: names as they are typed, fights in files, and what a run of the game left.

`names` finds cards, relics, potions, enemies and encounters; `files` reads and writes a `Fight` as TOML; `states`
makes the record of a fight that has begun; `run_files` reads the `.run` files of the game.
"""

from typing import TYPE_CHECKING

from evodom._lazy import exports

if TYPE_CHECKING:
    from evodom.spire.fights.fight import EnemyState, Fight, FightState, Payoff
    from evodom.spire.fights.files import fight_from_toml, fight_to_toml, read_fight, write_fight
    from evodom.spire.fights.run_files import Run, read_run
    from evodom.spire.fights.states import fight_at, state_of

__all__ = [
    "EnemyState",
    "Fight",
    "FightState",
    "Payoff",
    "Run",
    "fight_at",
    "fight_from_toml",
    "fight_to_toml",
    "read_fight",
    "read_run",
    "state_of",
    "write_fight",
]

__getattr__ = exports(
    __name__,
    {
        "fight": ("EnemyState", "Fight", "FightState", "Payoff"),
        "files": ("fight_from_toml", "fight_to_toml", "read_fight", "write_fight"),
        "run_files": ("Run", "read_run"),
        "states": ("fight_at", "state_of"),
    },
)
