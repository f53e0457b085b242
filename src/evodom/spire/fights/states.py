"""States of fights in progress: validation, and conversion to and from the engine's record.

Open it to add a field of `FightState`. `display` has the text of a state.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from evodom.distribution import Distribution, uniform
from evodom.errors import UsageError
from evodom.spire.content.cards import HAND_LIMIT
from evodom.spire.content.effects import PILES
from evodom.spire.content.enemies import DEFENSIVE, ELITE, SPLIT, enemy_kind, enemy_row, n_places, with_children
from evodom.spire.content.intents import Intent, Pattern
from evodom.spire.content.relics import RELICS
from evodom.spire.content.statuses import ENEMY_ONLY, PLAYER_ONLY, SHARED, STATUSES
from evodom.spire.engine import layout as at
from evodom.spire.engine.card_play import ATTACKED
from evodom.spire.engine.compiler import FightRules, Setup
from evodom.spire.engine.game import PEN_NIB, SpireFight, State
from evodom.spire.fights.fight import EnemyState, Fight, FightState

MAX_AMOUNT = 999
MAX_ENERGY = 99
MAY_BE_NEGATIVE = ("Strength", "Dexterity")
"""Statuses whose amount may be negative."""

WITHOUT_AMOUNT = ("No Draw", "Entangled", "Barricade", "Corruption", "Confused")
"""Statuses without an amount."""

IMPLIED_STATUSES = ("Splits", "Asleep")
"""Statuses that are not part of `EnemyState`: the enemy implies Splits, its intent implies Asleep."""

NEVER_OF_ENEMIES = ("Dexterity", "Frail", "Thorns")
"""Shared statuses that no enemy of act 1 can have."""

CARD_TYPES = ("Attack", "Skill", "Power", "Status", "Curse")
"""The types of cards, in the order of the engine."""

_PELLET_TYPES = 0b111
"""Bits of Attack, Skill and Power in a record's `types`. Orange Pellets acts when all are set, and clears them."""

PLAYER_STATUSES = (*SHARED, *PLAYER_ONLY)
ENEMY_STATUSES = tuple(name for name in (*SHARED, *ENEMY_ONLY) if name not in (*IMPLIED_STATUSES, *NEVER_OF_ENEMIES))

MAX_PEN_NIB = 9

MAX_OBSERVED = 3
"""Number of moves of an enemy in a game state: the intent and up to two moves before it."""

_MOVES_ASLEEP = ("Sleep", "Wake")

REQUIRED_STATUSES = (
    (("Red Louse", "Green Louse"), (), "Bite"),
    (("Hexaghost",), ("Divider",), "Divider"),
    (("The Guardian",), ("Charging Up", "Fierce Bash", "Vent Steam", "Whirlwind"), "Mode Shift"),
    (("The Guardian",), ("Roll Attack", "Twin Slam"), "Sharp Hide"),
    (("Lagavulin",), _MOVES_ASLEEP, "Metallicize"),
    (("Gremlin Nob",), ("Rush", "Skull Bash"), "Enrage"),
    (("Cultist",), ("Dark Strike",), "Ritual"),
)
"""Triples (enemies, intents, status): these enemies always have the status while they have one of these intents.

Empty intents mean all intents.
"""


def max_counters(rules: FightRules) -> dict[str, int]:
    """Return the relics with counters in this fight, each with the maximum of its counter.

    The maximum of a relic that is lifted is `max_lifts`. The counter of a relic that acts once is 0 before and 1 after
    it acts. Other counters return to 0 at `every`, when the relic acts.
    """
    found = {PEN_NIB: MAX_PEN_NIB} if rules.record.change[at.C_PEN_NIB] else {}
    for name, relic in zip(rules.setup.relics, rules.relics, strict=True):
        if name in rules.triggered_relics and (relic.once or relic.every > 1 or relic.max_lifts):
            found[name] = relic.max_lifts or (1 if relic.once else relic.every - 1)
    return found


def compile_rules(setup: Setup) -> FightRules:
    """Compile the rules of a fight. Raise UsageError if it is impossible or too large."""
    acting = [name for name in setup.relics if RELICS[name].when is not None]
    if len(acting) > at.N_RELICS:
        raise UsageError(f"relics has {len(acting)} that act in fights. Allowed: at most {at.N_RELICS}.")
    enemies = {name for group, _ in setup.enemies for name in group}
    if len(with_children(enemies)) >= at.N_ROWS:
        raise UsageError(f"enemies are of too many kinds for one fight. Allowed: at most {at.N_ROWS - 1}.")
    for group, _ in setup.enemies:
        if sum(map(n_places, group)) > at.MAX_ENEMIES:
            raise UsageError(f"enemies {', '.join(group)} need too many places. Allowed: {at.MAX_ENEMIES}; some split.")
        if setup.enemy_hp and len(setup.enemy_hp) != len(group):
            raise UsageError(f"enemy_hp has {len(setup.enemy_hp)} numbers. Allowed: {len(group)}, one for each enemy.")
    if setup.burning and any(enemy_kind(name) != ELITE for name in enemies):
        raise UsageError(f'burning is "{setup.burning}". Allowed: only where all enemies are elites.')
    return FightRules(setup)


def check_state(state: FightState, rules: FightRules) -> None:
    """Raise `UsageError` for an impossible state. The message begins with the key of the wrong value in the file."""
    if state.turn > (rules.setup.max_turns or state.turn):
        raise UsageError(f"turn is {state.turn}. Allowed: at most {rules.setup.max_turns}, the turns of the fight.")
    if (n := sum(state.hand.values())) > HAND_LIMIT:
        raise UsageError(f"hand has {n} cards. Allowed: at most {HAND_LIMIT}.")
    known = [card.name for card in rules.kinds]
    for pile in PILES:
        if unknown := [name for name in getattr(state, pile) if name not in known]:
            raise UsageError(f"{pile} has {unknown[0]}. Allowed: {', '.join(known)}.")
    if len(state.top) > at.N_TOP:
        raise UsageError(f"top has {len(state.top)} cards. Allowed: at most {at.N_TOP}.")
    if missing := Counter(state.top) - Counter(state.draw):
        raise UsageError(f"top has {next(iter(missing))} more often than draw. Allowed: cards of the draw pile.")
    if state.potions is not None and (missing := Counter(state.potions) - Counter(rules.potions)):
        allowed = ", ".join(rules.potions) or "none, the fight has no potions"
        raise UsageError(f"potions has {next(iter(missing))}. Allowed: {allowed}.")
    for number, enemy in enumerate(state.enemies):
        check_enemy(enemy, rules, f"enemies[{number}]")
    if not state.enemies or sum(n_places(enemy.name) for enemy in state.enemies) > at.MAX_ENEMIES:
        raise UsageError(
            f"enemies are {len(state.enemies)}. Allowed: 1 to {at.MAX_ENEMIES} places; a splitting enemy needs several."
        )


def check_enemy(enemy: EnemyState, rules: FightRules, where: str) -> None:
    """Raise UsageError for an enemy that cannot be in this fight."""
    if enemy.name not in rules.enemy_names[1:]:
        raise UsageError(f"{where}.name is {enemy.name}. Allowed: {', '.join(rules.enemy_names[1:])}.")
    if not 1 <= enemy.hp <= enemy.max_hp:
        raise UsageError(f"{where}.hp is {enemy.hp}. Allowed: 1 to {enemy.max_hp}, its max_hp.")
    histories = histories_of(enemy.name, rules)
    if enemy.intent not in histories:
        raise UsageError(f"{where}.intent is {enemy.intent!r}. Allowed: {', '.join(histories)}.")
    if enemy.history is not None and enemy.history not in histories[enemy.intent]:
        allowed = ", ".join(map(str, histories[enemy.intent]))
        raise UsageError(f"{where}.run is {enemy.history}. Allowed for {enemy.intent}: {allowed}.")
    for names, moves, status in REQUIRED_STATUSES:
        if enemy.name in names and (not moves or enemy.intent in moves) and not enemy.statuses.get(status):
            raise UsageError(f"{where}.statuses lacks {status}: {STATUSES[status].text}. {enemy.name} has it then.")
    if enemy.statuses.get("Mode Shift") and DEFENSIVE not in histories:
        raise UsageError(
            f"{where}.statuses has Mode Shift. Allowed for The Guardian only: {enemy.name} has no defence."
        )
    if SPLIT in histories:
        at_half = enemy.hp * 2 <= enemy.max_hp
        # A hit that leaves half of the HP or less causes a split. With Neow's Lament an enemy starts at 1 HP unhit.
        must_split = at_half and not rules.record.change[at.C_NEOWS_LAMENT]
        if (enemy.intent == SPLIT and not at_half) or (enemy.intent != SPLIT and must_split):
            raise UsageError(f"{where}.intent is {enemy.intent!r}. Allowed: {SPLIT} exactly at half of max_hp or less.")


def histories_of(name: str, rules: FightRules) -> dict[str, list[int]]:
    """Return the possible histories of each move of an enemy, sorted."""
    histories: dict[str, list[int]] = {}
    for move, history in rules.chains[rules.enemy_names.index(name)]:
        histories.setdefault(move, []).append(history)
    return {move: sorted(found) for move, found in histories.items()}


def likely_intents(name: str, rules: FightRules, observed: Sequence[Container[str] | None], turn: int) -> list[Intent]:
    """Return the possible intents of an enemy whose last moves were observed, the most likely first.

    Of several intents with the same next moves, only the most likely is listed. `observed` are one to three sets of
    possible moves; None allows any move. The last set is the intent's.

    1. The enemy has had a move in each turn. Fewer than three sets are all its moves. More sets than turns are an
       artefact: the game notes two entries for each turn that Lagavulin sleeps.
    2. If that is impossible, for instance after a stun or a split, use as many of the last sets as possible.
    """
    pattern, intents = enemy_row(name, rules.setup.ascension).pattern, rules.chains[rules.enemy_names.index(name)]
    free = [None] * (turn - len(observed)) if len(observed) == MAX_OBSERVED else []
    found = _filtered(pattern, pattern.first(), [*free, *observed[-turn:]])
    for first in range(len(observed)):
        moves = observed[first]
        start = [intent for intent in sorted(intents) if moves is None or intent[0] in moves]
        if found is None and start:
            found = _filtered(pattern, uniform(start), observed[first:])
    if found is None:
        raise UsageError(f"no enemy moves like this: {observed}.")
    best: dict[object, Intent] = {}
    for intent, _ in sorted(found, key=lambda pair: -pair[1]):
        best.setdefault((intent[0], frozenset(pattern.following(*intent).to_float())), intent)
    return list(best.values())


def _filtered(
    pattern: Pattern, start: Distribution[Intent], observed: Sequence[Container[str] | None]
) -> Distribution[Intent] | None:
    """Return the distribution of the last intent, given the observed moves (None: any move). None if impossible."""
    found = start.to_float()
    for step, moves in enumerate(observed):
        if step:
            found = found.bind(lambda intent: pattern.following(*intent)).merge()
        if moves is not None:
            if not any(intent[0] in moves for intent, _ in found):
                return None
            found = found.given(lambda intent, moves=moves: intent[0] in moves)  # type: ignore[misc]
    return found


def state_from_fight(fight: Fight, game: SpireFight) -> State:
    """Return the state of a fight in progress as the bytes of a record of `layout.FIGHT`.

    Raise UsageError if the fight has no state, or an impossible one.
    """
    state, rules = fight.state, game.rules
    if state is None:
        raise UsageError("the fight is not in progress: a state is needed. Add [state] to its file.")
    check_state(state, rules)
    record = cast(at.FightRecord, np.zeros(1, at.FIGHT)[0])
    record.hp[0], record.max_hp[0] = rules.hp, rules.max_hp
    record.block[0], record.energy, record.is_player_turn = state.block, state.energy, 1
    record.turn = min(state.turn, int(rules.record.last_turn) + 1)
    for name, amount in state.statuses.items():
        _put_status(record, 0, name, amount)
    _put_cards(record, state, rules)
    _put_potions_and_counters(record, state, rules)
    place = 1
    for enemy in state.enemies:
        _put_enemy(record, place, enemy, rules)
        place += n_places(enemy.name)
    if rules.record.change[at.C_RED_SKULL]:
        record.skull = rules.hp * 2 <= rules.max_hp
    return record.tobytes()


def _put_status(record: at.FightRecord, fighter: int, name: str, amount: int) -> None:
    place = at.STATUS_INDEX[name]
    if place < at.N_SHARED:
        record.status[fighter, place] = amount
    else:
        record.powers[place - at.N_SHARED] = amount


def _put_cards(record: at.FightRecord, state: FightState, rules: FightRules) -> None:
    """Write the piles and the cards played this turn."""
    for number, pile in enumerate(PILES):
        for name, n in getattr(state, pile).items():
            record.piles[number, rules.kind(name)] = n
            record.n_cards[number] += n
    for place, name in enumerate(reversed(state.top)):
        record.top[place] = rules.kind(name)
    record.n_top = len(state.top)
    if rules.record.counts_cards:
        record.played = len(state.played)
        # `engine.card_play` does the same. Orange Pellets acts after all three types, and clears them.
        for card_type in state.played:
            record.types |= 1 << CARD_TYPES.index(card_type) | (ATTACKED if card_type == "Attack" else 0)
            if rules.record.change[at.C_ORANGE_PELLETS] and record.types & _PELLET_TYPES == _PELLET_TYPES:
                record.types &= ~_PELLET_TYPES


def _put_potions_and_counters(record: at.FightRecord, state: FightState, rules: FightRules) -> None:
    """Write the remaining potions and the counters of relics."""
    left = Counter(rules.potions if state.potions is None else state.potions)
    for place, name in enumerate(rules.potions):
        record.potions[place] = left[name] > 0
        left[name] -= 1
    record.used = len(rules.potions) - int(record.potions.sum())
    counters = rules.setup.counters
    record.counters[: len(rules.triggered_relics)] = rules.counts(counters)
    record.pen_nib = counters.get(PEN_NIB, 0)


def _put_enemy(record: at.FightRecord, place: int, enemy: EnemyState, rules: FightRules) -> None:
    row = rules.enemy_names.index(enemy.name)
    record.row[place], record.hp[place], record.max_hp[place] = row, enemy.hp, enemy.max_hp
    record.block[place] = enemy.block
    history = histories_of(enemy.name, rules)[enemy.intent][0] if enemy.history is None else enemy.history
    record.intent[place] = rules.chains[row][enemy.intent, history]
    splits = "Splits" in enemy_row(enemy.name, rules.setup.ascension).statuses
    for name, amount in {**enemy.statuses, "Splits": splits, "Asleep": enemy.intent in _MOVES_ASLEEP}.items():
        _put_status(record, place, name, int(amount))


def fight_from_state(fight: Fight, game: SpireFight, state: State) -> Fight:
    """Return a fight in a state of its game. HP and counters are in its setup, the rest in its state.

    Two facts of the state are lost: which cards of the draw pile cannot be drawn next or are at its bottom, and how
    many maximum HP the player has gained.

    Raises:
        UsageError: if the fight is over or a choice of cards is pending.
    """
    record, rules = game.view(state), game.rules
    if record.over or record.choosing:
        raise UsageError(
            f"the fight {'is over' if record.over else 'has a pending choice'}; only states between moves are saved."
        )
    counters = dict(zip(rules.triggered_relics, map(int, record.counters), strict=False))
    counters[PEN_NIB] = int(record.pen_nib)
    known = {name: counters[name] for name in max_counters(rules) if counters.get(name)}
    constant = {name: n for name, n in fight.setup.counters.items() if RELICS[name].max_lifts}
    setup = replace(fight.setup, hp=int(record.hp[0]), max_hp=int(record.max_hp[0]), counters=known | constant)
    found = FightState(
        turn=int(record.turn),
        energy=int(record.energy),
        block=int(record.block[0]),
        statuses=statuses_in(record, 0),
        top=known_top(record, rules),
        potions=potions_left(record, rules),
        played=_played(record),
        enemies=tuple(_enemy(record, place, rules) for place in range(1, at.N_FIGHTERS) if record.hp[place] > 0),
        **{name: cards_in(pile, rules) for name, pile in zip(PILES, record.piles, strict=True)},
    )
    return replace(fight, setup=setup, state=found)


def cards_in(pile: at.Numbers, rules: FightRules) -> dict[str, int]:
    """Return the counts of the cards in a pile."""
    return {card.name: int(n) for card, n in zip(rules.kinds, pile, strict=False) if n}


def statuses_in(record: at.FightRecord, fighter: int, hidden: Container[str] = IMPLIED_STATUSES) -> dict[str, int]:
    """Return the statuses of a fighter with their amounts, except the statuses in `hidden`."""
    amounts = [*record.status[fighter], *(record.powers if fighter == 0 else ())]
    named = zip(STATUSES, amounts, strict=False)
    return {name: int(amount) for name, amount in named if amount and name not in hidden}


def known_top(record: at.FightRecord, rules: FightRules) -> tuple[str, ...]:
    """Return the known cards on top of the draw pile, the next one first."""
    return tuple(rules.kinds[record.top[place]].name for place in range(record.n_top - 1, -1, -1))


def potions_left(record: at.FightRecord, rules: FightRules) -> tuple[str, ...]:
    """Return the potions that are not used."""
    return tuple(name for name, left in zip(rules.potions, record.potions, strict=False) if left)


def _played(record: at.FightRecord) -> tuple[str, ...]:
    """Return possible types of the cards played this turn.

    The record has the number of cards and the set of their types. The order and the number of each type are unknown.
    """
    n_played = int(record.played)
    known = [card_type for bit, card_type in enumerate(CARD_TYPES) if record.types & 1 << bit]
    if "Attack" in known or not record.types & ATTACKED:
        return tuple(known + known[-1:] * (n_played - len(known)))
    # Orange Pellets has cleared the types after Attacks, a Skill and a Power; `known` are the types played since then.
    n_attacks = n_played - len(("Skill", "Power")) - len(known)
    return (*["Attack"] * n_attacks, "Skill", "Power", *known)


def _enemy(record: at.FightRecord, place: int, rules: FightRules) -> EnemyState:
    row = int(record.row[place])
    chain: Mapping[tuple[str, int], int] = rules.chains[row]
    move, history = next(intent for intent, number in chain.items() if number == record.intent[place])
    return EnemyState(
        name=rules.enemy_names[row],
        hp=int(record.hp[place]),
        max_hp=int(record.max_hp[place]),
        intent=move,
        history=history,
        block=int(record.block[place]),
        statuses=statuses_in(record, place),
    )
