"""Columns of the hypernetwork: traits of cards, enemies and moves, and the columns of each feature.

Open it to change the features of fights. Traits are derived from the rows. A feature of a fight ("piles hand
Strike", "hp 2", "Bash at enemy 2") is a weighted sum of columns. Each card and enemy also has a column for properties
that its traits lack.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from evodom.nn.hypernetwork import Traits
from evodom.spire.content import effects as e
from evodom.spire.content.cards import CARDS, COLOURLESS, SpireCard
from evodom.spire.content.enemies import ENEMIES, MAX_ASCENSION, enemy_row
from evodom.spire.content.intents import Intent
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.content.statuses import ENEMY_ONLY, SHARED, STATUSES
from evodom.spire.engine.compiler import BURNING_MARKS
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import MAX_ENEMIES, N_FIGHTERS, N_SHARED
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION


@lru_cache(maxsize=1024)
def card_traits(card: SpireCard) -> Traits:
    """Return the traits of a card."""
    base = card.name.partition("+")[0].partition(" (")[0]
    found = {"any card": 1.0, card.kind: 1.0, f"costs {card.cost}": 1.0, f"is {base}": 1.0}
    found["upgraded"] = float("+" in card.name)
    found["last damage"], found["status left"] = card.end_turn_damage / 4, float(bool(card.end_turn_status))
    found["drawn energy"], found["exhaust energy"] = card.energy_when_drawn, card.energy_when_exhausted / 2
    for name, flag in (
        ("exhausts", card.exhausts),
        ("ethereal", card.ethereal),
        ("innate", card.innate),
        ("needs_attacks", card.needs_only_attacks),
        ("last_loss", card.end_turn_hp_loss),
        ("limit", card.max_cards_per_turn),
        ("pain", card.hp_loss_per_other_card),
    ):
        found[name] = float(bool(flag))
    _add(found, card.effects)
    return {name: amount for name, amount in found.items() if amount}


@lru_cache(maxsize=4096)
def move_traits(enemy: str, move: str, ascension: int) -> Traits:
    """Return the traits of an enemy's move."""
    found: Traits = {}
    _add(found, enemy_row(enemy, ascension).moves.get(move, ()))
    return {name: amount for name, amount in found.items() if amount}


def _add(found: Traits, effects: Iterable[e.SpireEffect]) -> None:
    """Add the traits of effects."""
    for effect in effects:
        if effect.op in (e.OP_GIVE, e.OP_LOSE):
            what, amount = f"{'gets' if effect.to == e.SELF else 'gives'} {effect.name}", effect.n / 4
        elif effect.op == e.OP_CREATE:
            what, amount = f"creates {effect.name.rstrip('+')} {effect.pile}", effect.n / 2
        elif effect.op == e.OP_CHOOSE:
            what, amount = f"chooses {effect.to}", 1.0
        else:
            amount = (0 if effect.n == e.ANY_NUMBER else effect.n) * max(effect.times, 1) / 10
            what = f"amount {effect.op}"
            found[f"does {effect.op}"] = 1.0
        found[what] = found.get(what, 0.0) + amount
        if effect.op in (e.OP_HIT, e.OP_BITE, e.OP_DIVIDE):
            found["hits"] = found.get("hits", 0.0) + effect.times / 4
        if effect.to in (e.ENEMIES, e.RANDOM):
            found[f"to {effect.to}"] = 1.0


@lru_cache(maxsize=1)
def trait_names() -> tuple[str, ...]:
    """Return the names of the traits of cards."""
    return tuple(dict.fromkeys(name for card in TRAINED_CARDS for name in card_traits(CARDS[card])))


@lru_cache(maxsize=1)
def move_trait_names() -> tuple[str, ...]:
    """Return the names of the traits of enemies' moves."""
    found = (
        move_traits(enemy, move, ascension)
        for enemy in ENEMIES
        for ascension in (0, MAX_ASCENSION)
        for move in enemy_row(enemy, ascension).moves
    )
    return tuple(dict.fromkeys(name for traits in found for name in traits))


@lru_cache(maxsize=1)
def intent_names() -> tuple[str, ...]:
    """Return the names of all intents of all enemies."""
    both = (
        f"{enemy} {move} {run}" for enemy in ENEMIES for at in (0, MAX_ASCENSION) for move, run in _intents(enemy, at)
    )
    return tuple(dict.fromkeys(both))


def _intents(enemy: str, ascension: int) -> Iterator[Intent]:
    """Yield the intents of an enemy."""
    row = enemy_row(enemy, ascension)
    to_do = [intent for intent, _ in row.pattern.first()]
    to_do += [row.pattern.intent_of(move) for move in (row.interrupt_move, row.move_when_alone) if move]
    seen: set[Intent] = set()
    while to_do:
        intent = to_do.pop()
        if intent not in seen:
            seen.add(intent)
            yield intent
            if not (row.children and intent[0] == row.interrupt_move):
                to_do += [after for after, _ in row.pattern.following(*intent)]


TOP = "top"
"""Prefix of the columns for known cards on top of the draw pile."""

WITHOUT_COLUMN = frozenset(
    (
        "Face of Cleric", "Mutagenic Strength", "Red Mask", "Mark of the Bloom", "Runic Dome", "Necronomicurse",
        "Shackled", "No Block", "Magnetism", "Mayhem", "Panache", "Panache cards", "Sadistic Nature",
        "Bomb in 1 turn", "Bomb in 2 turns", "Bomb in 3 turns",
        "Dead Branch", "Enchiridion", "Mummified Hand", "Snecko Eye", "Toolbox", "Confused",
        "Infernal Blade", "Infernal Blade+", "Attack Potion", "Colorless Potion", "Liquid Memories", "Power Potion",
        "Skill Potion", "Snecko Oil",
    )
)  # fmt: skip
"""Relics, potions, cards and statuses that the shipped network was not trained with, besides the colourless cards."""

TRAINED_CARDS = tuple(name for name, card in CARDS.items() if card.rarity != COLOURLESS and name not in WITHOUT_COLUMN)
_TRAINED_POTIONS = tuple(name for name in POTIONS if name not in WITHOUT_COLUMN)

_NAMES = tuple(STATUSES)
_AMOUNT_SCALES = {"hp": 1 / 50, "max_hp": 1 / 75, "block": 1 / 15}
_STATUS_SCALES = {
    "Mode Shift": 1 / 30, "Curl Up": 1 / 10, "Bite": 1 / 6, "Divider": 1 / 6, "Metallicize": 1 / 6, "Strength": 1 / 5,
    "Regenerate": 1 / 5, "Plated Armor": 1 / 5, "Combust": 1 / 8, "Flame Barrier": 1 / 5, "Fire Breathing": 1 / 8,
    "Next Turn Block": 1 / 10,
}  # fmt: skip
_STATUS_SCALE, _CARD_SCALE = 1 / 3, 1 / 2
_PLAYER_SCALES = {"turn": 1 / 8, "energy": 1 / 3, "used": 1 / 2, "gained": 1 / 5, "skull": 1.0, "tail": 1.0,
              "pen_nib": 1 / 9, "played": 1 / 5, "n_buried": 1 / 2, "n_top": 1 / 2, "choose_n": 1 / 2, "chosen": 1 / 2,
              "hp 0": 1 / 40, "max_hp 0": 1 / 75, "block 0": 1 / 15}  # fmt: skip
_SINGLE_SCALES = {"incoming damage": 1 / 20, "unblocked damage": 1 / 20, **_PLAYER_SCALES}
_SINGLE_SCALES |= {f"n_cards {pile}": 1 / 8 for pile in range(len(e.PILES))}
"""Inputs that are a column themselves, with their scale factors."""

_CHOICES = tuple(f"{name} = {value}" for name, n in (("choosing", 8), ("choose_pile", 4)) for value in range(1, n))
"""Further such inputs in fights with choices of cards: the purpose of the choice, and its pile."""

_IRRELEVANT_TO_ENEMIES = {"Dexterity", "Frail", "Shifts", "Stolen", *WITHOUT_COLUMN}
_ENEMY_STATUSES = tuple(name for name in (*SHARED, *ENEMY_ONLY) if name not in _IRRELEVANT_TO_ENEMIES)
_PLAYER_STATUSES = tuple(name for name in _NAMES if name not in ENEMY_ONLY and name not in WITHOUT_COLUMN)
_ENEMY_COLUMNS = (*_AMOUNT_SCALES, *_ENEMY_STATUSES)

_RELICS = tuple(name for name in RELICS if name not in WITHOUT_COLUMN)
_TRIGGERED_RELICS = tuple(name for name in _RELICS if RELICS[name].when is not None)

SCALES = (_AMOUNT_SCALES, _STATUS_SCALES, _STATUS_SCALE, _CARD_SCALE, _PLAYER_SCALES)
"""Scale factors of inputs."""

BIAS, ASCENSION = "bias", "ascension"
GAIN, DEATH, END_MOVE = "gain", "death", "end"


@lru_cache(maxsize=1)
def input_columns() -> dict[str, int]:
    """Return the place of each column of the inputs."""
    return {name: place for place, name in enumerate(_input_columns())}


def _input_columns() -> Iterator[str]:
    yield from (BIAS, ASCENSION, *_SINGLE_SCALES, *_CHOICES)
    yield from (f"player {name}" for name in _PLAYER_STATUSES)
    yield from (f"potion {name}" for name in _TRAINED_POTIONS)
    yield from (f"counter {name}" for name in _TRIGGERED_RELICS)
    yield from (f"relic {name}" for name in _RELICS)
    yield from (f"burning {mark}" for mark in BURNING_MARKS if mark)
    yield from (f"enemy {name}" for name in _ENEMY_COLUMNS)
    yield from (f"enemy is {name}" for name in ENEMIES)
    yield from (f"intends {name}" for name in intent_names())
    yield from (f"intends {name}" for name in move_trait_names())
    for place in range(1, MAX_ENEMIES + 1):
        yield from (f"enemy {place} {name}" for name in _ENEMY_COLUMNS)
        yield from (f"enemy {place} is {name}" for name in ENEMIES)
        yield from (f"{place} intends {name}" for name in move_trait_names())
    for where in (*e.PILES, TOP):
        yield from (f"{where} {name}" for name in trait_names())


@lru_cache(maxsize=1)
def output_columns() -> dict[str, int]:
    """Return the place of each column of the outputs."""
    names = [GAIN, DEATH, END_MOVE]
    names += [f"play {name}" for name in trait_names()]
    names += [f"choose {name}" for name in trait_names()]
    names += [f"use {name}" for name in _TRAINED_POTIONS]
    names += [f"{what}at {place}" for what in ("", "damage ", "Vulnerable ", "Weak ", "potion ")
              for place in range(1, MAX_ENEMIES + 1)]  # fmt: skip
    return {name: place for place, name in enumerate(names)}


def static_columns(game: SpireFight) -> Traits:
    """Return the constant columns of a fight: relics, ascension, mark of a burning elite."""
    setup = game.setup
    found = {BIAS: 1.0, ASCENSION: (20 - setup.ascension) / 20}
    found |= {f"relic {name}": 1.0 for name in setup.relics if name not in WITHOUT_COLUMN}
    if setup.burning:
        found[f"burning {setup.burning}"] = 1.0
    return found


InputSpec = tuple[str, float, Traits]
"""An input: its name, its scale, and its columns."""


def inputs_of(game: SpireFight) -> list[InputSpec]:
    """Return the inputs of a fight, in a fixed order."""
    chosen = dict.fromkeys(_CHOICES, 1.0) if chooses(game) else {}
    found: list[InputSpec] = [(name, scale, {name: 1.0}) for name, scale in {**_SINGLE_SCALES, **chosen}.items()]
    found += [_player_status(name) for name in _PLAYER_STATUSES]
    found += [
        (f"potions {name} {place}", 1.0, {f"potion {name}": 1.0}) for place, name in enumerate(game.rules.potions)
    ]
    found += [
        (f"counters {name} {place}", 1 / 5, {f"counter {name}": 1.0})
        for place, name in enumerate(game.rules.triggered_relics)
        if name not in WITHOUT_COLUMN
    ]
    for place in range(1, n_places(game) + 1):
        found += _enemy_inputs(game, place)
    for card in game.rules.kinds:
        found += [(f"piles {pile} {card.name}", _CARD_SCALE, _at(pile, card)) for pile in e.PILES]
    tops = 2 if chosen else 0
    found += [(f"top {place} = {card.name}", 1.0, _at(TOP, card)) for place in range(tops) for card in game.rules.kinds]
    return found


def _player_status(name: str) -> InputSpec:
    place = _NAMES.index(name)
    word = f"status 0 {name}" if place < N_SHARED else f"powers {name}"
    return word, _STATUS_SCALES.get(name, _STATUS_SCALE), {f"player {name}": 1.0}


def _at(where: str, card: SpireCard) -> Traits:
    return {f"{where} {name}": amount for name, amount in card_traits(card).items()}


def _enemy_inputs(game: SpireFight, place: int) -> Iterator[InputSpec]:
    """Yield the inputs of the enemy at a place."""
    for name, scale in _AMOUNT_SCALES.items():
        yield f"{name} {place}", scale, {f"enemy {name}": 1.0, f"enemy {place} {name}": 1.0}
    for name in _ENEMY_STATUSES:
        columns = {f"enemy {name}": 1.0, f"enemy {place} {name}": 1.0}
        yield f"status {place} {name}", _STATUS_SCALES.get(name, _STATUS_SCALE), columns
    for name in game.rules.enemy_names[1:]:
        yield f"row {place} = {name}", 1.0, {f"enemy is {name}": 1.0, f"enemy {place} is {name}": 1.0}
    for row, chain in game.rules.chains.items():
        enemy = game.rules.enemy_names[row]
        for move, run in chain:
            columns = {f"intends {enemy} {move} {run}": 1.0}
            for name, amount in move_traits(enemy, move, game.setup.ascension).items():
                columns |= {f"intends {name}": amount, f"{place} intends {name}": amount}
            yield f"intent {place} = {enemy} {move} {run}", 1.0, columns


def n_places(game: SpireFight) -> int:
    """Return the number of enemy places that a fight may use, including places for splits."""
    rules = game.rules
    return max(place + int(rules.row_widths[row]) for group in rules.groups for place, row in enumerate(group) if row)


def chooses(game: SpireFight) -> bool:
    """Return whether a choice of cards may occur."""
    rules = game.rules
    effects = [effect for card in rules.kinds for effect in card.effects]
    effects += [effect for relic in rules.relics for effect in relic.effects]
    effects += [effect for some in rules.potion_effects for effect in some]
    return any(effect.op in (e.OP_CHOOSE, e.OP_OFFER) for effect in effects)


def moves_of(game: SpireFight) -> Iterator[tuple[int, Traits]]:
    """Yield the possible moves of a fight, each with its columns."""
    yield END, {END_MOVE: 1.0}
    targets = range(1, n_places(game) + 1)
    for kind, card in enumerate(game.rules.kinds):
        traits = card_traits(card)
        played = {f"play {name}": amount for name, amount in traits.items()}
        for place in targets if card.targeted else (0,):
            yield FIRST_CARD + N_FIGHTERS * kind + place, played | (_aimed(traits, place) if place else {})
    for potion, name in enumerate(game.rules.potions):
        used = {f"use {name}": 1.0}
        for place in targets if POTIONS[name].targeted else (0,):
            yield FIRST_POTION + N_FIGHTERS * potion + place, used | ({f"potion at {place}": 1.0} if place else {})
    if chooses(game):
        for kind, card in enumerate(game.rules.kinds):
            yield FIRST_CHOICE + kind, {f"choose {name}": amount for name, amount in card_traits(card).items()}


def _aimed(traits: Traits, place: int) -> Traits:
    """Return the columns of the target of a card."""
    found = {f"at {place}": 1.0, f"damage at {place}": traits.get("amount 1", 0.0)}
    found |= {f"{name} at {place}": traits.get(f"gives {name}", 0.0) for name in ("Vulnerable", "Weak")}
    return found
