"""Fights as user input: names, TOML files, `.run` files of the game, and fights in progress.

fight      `Fight` and its parts
what_if    the fight after a card is added or upgraded, or after a rest site
names      cards, relics, potions, enemies and encounters by parts of their names
files      a `Fight` as a TOML file
game_states  the fight of a running game, as CommunicationMod writes it
ids        ids of the game's cards, relics, potions, monsters, moves and powers
run_files  `.run` files of the game
states     a fight in progress: validation, conversion to the engine's record, text
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.spire.fights.fight import (
        EnemyState as EnemyState,
        Fight as Fight,
        FightState as FightState,
        Payoff as Payoff,
    )
    from evodom.spire.fights.files import (
        fight_from_fields as fight_from_fields,
        fight_from_toml as fight_from_toml,
        fight_to_toml as fight_to_toml,
        read_fight as read_fight,
        write_fight as write_fight,
    )
    from evodom.spire.fights.run_files import RunFile as RunFile, read_run as read_run
    from evodom.spire.fights.states import fight_from_state as fight_from_state, state_from_fight as state_from_fight


__getattr__, __dir__ = attach(__name__)
