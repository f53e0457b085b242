"""The run in progress, from a message of CommunicationMod or an autosave: the player, and the place on the map.

Open it to read another fact of the running game. An autosave has all encounters to come. They are hidden from the
player, so only the current one is read.
"""

from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from statistics import mean
from typing import Annotated

from msgspec import Meta, Struct, field

from evodom.errors import UsageError, errors_at
from evodom.files import read_text
from evodom.reading import convert
from evodom.spire.content.encounters import groups_of
from evodom.spire.content.relics import NEOWS_LAMENT, NEOWS_LAMENT_FIGHTS
from evodom.spire.content.rest_sites import RECALL
from evodom.spire.fights import ids, states
from evodom.spire.fights.game_states import POTION_SLOT, USED_UP, Cards, MaxHp, PotionEntry, RelicEntry
from evodom.spire.fights.run_files import MAX_LENGTH, Ids, RunFile, check_supported, deck_of
from evodom.spire.map.act import ActMap, Node, Room
from evodom.spire.map.files import MAX_BYTES, GamePlace, map_from_json
from evodom.spire.messages import game_state, parse_contents
from evodom.spire.route.event_rooms import PERCENT_BY_MISSES, GameChances
from evodom.spire.route.query import RouteQuery
from evodom.spire.route.simulation import TEA_SET

FLOORS = 17
"""Floors of an act: 15 rows, the boss and its chest."""

COMPLETE = "COMPLETE"
"""Phase of a room with nothing left to do."""

N_MONSTERS = {1: 16, 2: 15, 3: 15, 4: 3}
"""Number of monster encounters that the game draws at the start of each act."""

IRONCLAD = "IRONCLAD"
OTHER_STARTERS = ("_G", "_B", "_P")
"""Suffixes of the card ids in the starter decks of the other characters. An autosave does not name the character."""

_ROOMS = {room.value: room for room in Room}


class Screen(Struct, frozen=True):
    """The screen of a game state: rooms on the map screen, options at a rest site."""

    current_node: GamePlace | None = None
    next_nodes: list[GamePlace] | None = None
    rest_options: list[str] = []


class GameRun(Struct):
    """A game state outside its fight. An autosave has no screen, and potions and relics are names.

    Only autosaves have the fields after `screen_state`. The lists of monsters have the encounters that are left.
    """

    current_hp: MaxHp
    max_hp: MaxHp
    deck: Cards
    relics: Annotated[list[RelicEntry | str], Meta(max_length=MAX_LENGTH)] = []
    potions: Annotated[list[PotionEntry | str], Meta(max_length=MAX_LENGTH)] = []
    ascension_level: Annotated[int, Meta(ge=0, le=20)] = 0
    gold: int = 0
    act: Annotated[int, Meta(ge=1, le=4)] = 1
    act_boss: str = ""
    floor: int = 0
    room_type: str = ""
    room_phase: str = ""
    screen_state: Screen = Screen()
    character: str = field(default=IRONCLAD, name="class")
    post_combat: bool = False
    relic_counters: Annotated[list[int], Meta(max_length=MAX_LENGTH)] = []
    room_x: int | None = None
    room_y: int = 0
    monster_list: Ids = []
    elite_monster_list: Ids = []
    event_chances: Annotated[list[float], Meta(max_length=MAX_LENGTH)] = []
    is_final_act_on: bool = False
    has_ruby_key: bool = False


@dataclass(frozen=True)
class CurrentRun:
    """A run in progress: a game state, and the map of its act."""

    game: GameRun
    act_map: ActMap

    def text(self) -> str:
        """Return the place, HP and gold in words."""
        game = self.game
        place = f"act {game.act}, floor {game.floor}, boss {game.act_boss}"
        return f"{place}; {game.current_hp} of {game.max_hp} HP, {game.gold} gold"

    def room(self) -> Room | None:
        """Return the kind of the current room, None for rooms that are not on the map."""
        return _ROOMS.get(self.game.room_type.rpartition(".")[2])

    def is_complete(self) -> bool:
        """Return whether nothing is left to do in the current room."""
        return self.game.room_phase == COMPLETE or self.game.post_combat

    def can_recall(self) -> bool:
        """Return whether the player can take the Ruby Key at a rest site."""
        game = self.game
        return RECALL in game.screen_state.rest_options or (game.is_final_act_on and not game.has_ruby_key)

    @property
    def relics(self) -> dict[str, int]:
        """Relics that affect fights or rest sites, with their counters. Used-up relics are left out."""
        saved = zip(self.game.relics, chain(self.game.relic_counters, repeat(-1)), strict=False)
        given = (RelicEntry(one, n) if isinstance(one, str) else one for one, n in saved)
        found = {name: one.counter for one in given for name in ids.supported_relics([one.id], [])[0]}
        return {name: counter for name, counter in found.items() if counter != USED_UP or name == TEA_SET}

    def is_rested(self) -> bool:
        """Return whether Ancient Tea Set acts in the next fight. Until then its counter is that of used-up relics."""
        return self.relics.get(TEA_SET) == USED_UP

    def here(self) -> Node | None:
        """Return the room of the player; None before the first room. Raise UsageError if a message has no room."""
        game = self.game
        if (place := game.screen_state.current_node) or game.room_x is not None:
            node = Node(place.x, place.y) if place else Node(game.room_x or 0, game.room_y)
            return node if node.y >= 0 else None
        if game.floor > FLOORS * (game.act - 1):
            raise UsageError("the message lacks your room. Open the map in the game, then save a message.")
        return None

    def next_rooms(self) -> tuple[Node, ...]:
        """Return the rooms that the player may enter next, or the current room while it is not complete.

        Raise UsageError if no room is left before the boss.
        """
        here, nexts = self.here(), self.game.screen_state.next_nodes
        found = self.act_map.starts if here is None else (here,)
        if nexts is not None:
            found = tuple(Node(place.x, place.y) for place in nexts)
        elif here and self.is_complete():
            found = self.act_map.successors.get(here, ())
        if not found or not set(found) <= self.act_map.rooms.keys():
            raise UsageError(f"no room is left before the boss of act {self.game.act}.")
        return found

    def n_monsters(self) -> int:
        """Return the number of monster rooms before `next_rooms`.

        An autosave has the number of earlier monster rooms. A message has only the counter of Neow's Lament, which
        counts fights. Without this counter, return the mean number of monster rooms on the paths, rounded.
        """
        if self.game.room_x is not None:
            is_won = self.is_complete() and self.room() is Room.MONSTER  # the list keeps it until the player leaves
            return max(0, N_MONSTERS[self.game.act] - len(self.game.monster_list)) + is_won
        if left := self.relics.get(NEOWS_LAMENT):
            return NEOWS_LAMENT_FIGHTS - left
        rooms, nexts, before = self.act_map.rooms, self.act_map.successors, dict[Node, float]()
        for node in rooms:
            found = [before[one] + (rooms[one] is Room.MONSTER) for one in before if node in nexts[one]]
            before[node] = mean(found or [0.0])
        return round(mean(before[node] for node in self.next_rooms()))

    def player(self, *, skip: bool = False) -> RunFile:
        """Return the player with the potions of the belt. Unsupported cards and relics are an error unless `skip`."""
        game, skipped = self.game, list[str]()
        if game.character != IRONCLAD or any(card.id.endswith(OTHER_STARTERS) for card in game.deck):
            raise UsageError(f"the run is of another character. Allowed: {IRONCLAD}.")
        belongings = game.relics, game.potions
        relics, potions = ([one if isinstance(one, str) else one.id for one in held] for held in belongings)
        _, idle = ids.supported_relics(relics, skipped)
        deck = deck_of([(card.id, card.upgrades) for card in game.deck], skipped, "deck")
        check_supported(skipped, skip=skip)
        held = ids.supported_potions([one for one in potions if one != POTION_SLOT], skipped)
        found = RunFile(
            deck, tuple(self.relics), game.current_hp, game.max_hp, game.ascension_level, tuple(held), idle=tuple(idle)
        )
        most = states.max_counters(states.compile_rules(found.setup(groups_of("Cultist"))))
        counters = {name: min(max(self.relics[name], 0), n) for name, n in most.items()}
        return replace(found, counters=counters, skipped=tuple(dict.fromkeys(skipped)))

    def chances(self, previous: Room | None) -> GameChances:
        """Return the game's chances of event rooms after a room, for a message those at the start of the act."""
        percents = [100 * chance for chance in (*self.game.event_chances[1:], 0, 0, 0)]
        pairs = zip(PERCENT_BY_MISSES.values(), percents, strict=False)
        gaps = ([abs(n - percent) for n in growth] for growth, percent in pairs)
        return GameChances(tuple(one.index(min(one)) for one in gaps), previous)

    def route_query(self, query: RouteQuery) -> RouteQuery:
        """Return ``query`` from the player's room on. The run sets HP, relics and deck size if the query has none."""
        first, here = self.next_rooms(), self.here()
        previous = None if here in first else self.room()
        part = self.act_map.reachable(first)
        rooms = {node: (node == here and self.room()) or room for node, room in part.rooms.items()}
        return replace(
            query,
            act_map=replace(part, rooms=rooms),  # an event room may have become another room
            hp=query.hp or self.game.current_hp,
            max_hp=query.max_hp or max(self.game.max_hp, query.hp or 0),
            relics=query.relics or tuple(self.relics),
            n_cards=query.n_cards or len(self.game.deck),
            n_monsters=self.n_monsters(),
            previous=previous,
            chances=self.chances(previous) if isinstance(query.chances, GameChances) else query.chances,
        )

    def encounter(self) -> str:
        """Return the fight of the current room, or the boss of the act. Raise UsageError outside act 1."""
        game = self.game
        if game.act != 1:
            raise UsageError(f"the run is in act {game.act}. Fights of act 1 are supported: name one.")
        left = {Room.MONSTER: game.monster_list, Room.ELITE: game.elite_monster_list}.get(self.room() or Room.BOSS)
        return left[0] if left and not self.is_complete() else game.act_boss


def read_current_run(path: Path) -> CurrentRun | None:
    """Read the run of a message or an autosave; None for another file with a map. Raise UsageError for other files."""
    text = read_text(path, "a run", "an autosave or JSON", MAX_BYTES)
    act_map = map_from_json(text, name=str(path))
    with errors_at(str(path)):
        if (state := game_state(parse_contents(text))) is None:
            return None
        game = convert(state, GameRun)
        if game.current_hp > game.max_hp:
            raise UsageError(f"{game.current_hp} HP are above the maximum, {game.max_hp}.")
    return CurrentRun(game, act_map)
