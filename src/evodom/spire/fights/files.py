"""Fights in TOML files: validated reading, and writing that preserves all values. Game states in JSON are read too.

Open it to add a field to the file format. docs/reference/fight-files.md describes the format.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from evodom.distribution import Distribution, certain, weighted
from evodom.errors import UsageError, errors_at, one_line
from evodom.files import parse_json, parse_toml, read_text, toml_value, write_output
from evodom.reading import convert
from evodom.spire.content import encounters as pools
from evodom.spire.content.cards import MAX_HP, ironclad
from evodom.spire.content.effects import PILES
from evodom.spire.content.enemies import MAX_ASCENSION
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import BURNING_MARKS, FightRules, Setup
from evodom.spire.fights import names, states
from evodom.spire.fights.fight import POTION_PRICE, EnemyState, Fight, FightState, Payoff
from evodom.spire.fights.game_states import GameFight, fight_from_game
from evodom.spire.messages import game_state

T = TypeVar("T")

POOLS_OF_ACT = {"weak": pools.WEAK, "strong": pools.STRONG, "elites": pools.ELITE, "bosses": pools.BOSS}
"""Pools of the act by the allowed values of `enemies.act`."""

MAX_BYTES = 200_000
"""Maximum size of a file."""
MAX_TURNS = 999
MAX_WEIGHT = 1000
MAX_ENCOUNTERS = 50
ROLLED_HP = "rolled"
"""Value in `enemy_hp` for an enemy whose HP are rolled."""

NameList = str | list[str]
"""Names, separated by commas or as a list."""
Cards = Annotated[NameList, Meta(extra={"allowed": 'cards such as "Bash, 2 Strike" or "none"'})]
Relics = Annotated[NameList, Meta(extra={"allowed": 'relics such as "Burning Blood, Vajra"'})]
Potions = Annotated[NameList | None, Meta(extra={"allowed": 'potions such as "Fire Potion"'})]
Enemies = Annotated[
    str | list[str] | dict[str, object],
    Meta(
        extra={"allowed": 'enemies such as "Gremlin Nob" or "Red Louse, Green Louse", or a table of them with weights'}
    ),
]
Hp = Annotated[int, Meta(ge=1, le=MAX_HP)]
PlayerHp = Annotated[Hp | None, Meta(extra={"allowed": f"a whole number from 1 to {MAX_HP}"})]
EnemyHp = Annotated[list[Hp | Literal["rolled"]], Meta(max_length=at.MAX_ENEMIES)]
Turns = Annotated[int, Meta(ge=1, le=MAX_TURNS)]
Counts = Annotated[dict[str, int], Meta(extra={"allowed": "a table of names such as { Strength = 2 }"})]
Amount = Annotated[int, Meta(ge=0, le=states.MAX_AMOUNT)]
Price = Annotated[float, Meta(ge=0, le=MAX_HP)]
Weights = Annotated[
    dict[str, Annotated[float, Meta(gt=0, le=MAX_WEIGHT)]],
    Meta(
        min_length=1,
        max_length=MAX_ENCOUNTERS,
        extra={"allowed": f"1 to {MAX_ENCOUNTERS} encounters with weights, or act"},
    ),
]


class PayoffTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The table [payoff] of a file."""

    kind: Literal["hp", "win", "both", "guaranteed"] = "hp"
    potion: Price = POTION_PRICE
    gain: Price = 0.0
    tie: Literal["hp", "turns"] | None = None


class EnemyTable(Struct, forbid_unknown_fields=True):
    """A table [[state.enemies]] of a file."""

    name: NameList
    hp: Hp
    max_hp: Hp
    intent: NameList
    block: Amount = 0
    run: Annotated[int, Meta(ge=-1, le=MAX_TURNS)] | None = None
    statuses: Counts = {}


class StateTable(Struct, forbid_unknown_fields=True, kw_only=True):
    """The table [state] of a file."""

    turn: Turns = 1
    energy: Annotated[int, Meta(ge=0, le=states.MAX_ENERGY, extra={"allowed": f"0 to {states.MAX_ENERGY}"})]
    block: Amount = 0
    statuses: Counts = {}
    hand: Cards
    draw: Cards
    discard: Cards
    exhaust: Cards = ""
    top: Cards = ""
    potions: Potions = None
    played: Annotated[NameList, Meta(extra={"allowed": 'types of cards such as "Attack, 2 Skill"'})] = ""
    enemies: Annotated[
        list[EnemyTable],
        Meta(max_length=at.MAX_ENEMIES, extra={"allowed": f"1 to {at.MAX_ENEMIES} of [[state.enemies]]"}),
    ]


class ActTable(Struct, forbid_unknown_fields=True):
    """The table [enemies] of a file whose enemies are a pool of the act: `act = "elites"`."""

    act: Literal["weak", "strong", "elites", "bosses"]


class FightFile(Struct, forbid_unknown_fields=True):
    """The contents of a file."""

    enemies: Enemies
    enemy_hp: EnemyHp = []
    ascension: Annotated[int, Meta(ge=0, le=MAX_ASCENSION)] = MAX_ASCENSION
    hp: PlayerHp = None
    max_hp: PlayerHp = None
    deck: Annotated[Cards | None, Meta(extra={"allowed": 'cards such as "Bash, 2 Strike"'})] = None
    relics: Relics = "Burning Blood"
    counters: Counts = {}
    potions: Potions = ""
    burning: Annotated[
        Literal["Strength", "HP", "Metallicize", "Regenerate"] | None,
        Meta(extra={"allowed": ", ".join(BURNING_MARKS[1:])}),
    ] = None
    turns: Annotated[Turns | None, Meta(extra={"allowed": f"a whole number from 1 to {MAX_TURNS}"})] = None
    payoff: PayoffTable = PayoffTable()
    state: Annotated[StateTable | None, Meta(extra={"allowed": "a table of a fight in progress"})] = None


def read_fight(path: Path | str, *, skip: bool = False, note: Callable[[str], None] | None = None) -> Fight:
    """Read a fight from a TOML file, or from CommunicationMod's JSON. Raise UsageError if it is invalid.

    Unsupported parts of a game state are an error, unless `skip` is true. `note` is called with
    each line of `GameFight.notes`.
    """
    text = read_text(path, "a fight", "TOML or JSON", MAX_BYTES)
    if not text.lstrip().startswith("{"):
        return fight_from_toml(text, name=str(path))
    found = fight_from_json(text, name=str(path), skip=skip)
    for line in found.notes() if note else ():
        note(line)  # type: ignore[misc]
    return found.fight


def fight_from_json(text: str, *, name: str = "the fight", skip: bool = False) -> GameFight:
    """Read a fight from CommunicationMod's JSON: a message, or its game state. Raise UsageError if it is invalid."""
    try:
        contents = parse_json(text)
    except ValueError as error:
        raise UsageError(f"{name} is not JSON: {one_line(error, 200)}.") from error
    with errors_at(name):
        state = game_state(contents)
        if state is None:
            raise UsageError("no game state of CommunicationMod: it has no game_state. A fight file is TOML.")
        return fight_from_game(state, skip=skip)


def fight_from_toml(text: str, *, name: str = "the fight") -> Fight:
    """Read a fight from TOML. `name` is its name in error messages. Raise UsageError if it is invalid."""
    return fight_from_fields(parse_toml(text, name), name=name)


def fight_from_fields(fields: Mapping[str, object], *, name: str = "the fight") -> Fight:
    """Return the fight of the fields of a fight file. Raise UsageError if they are invalid."""
    with errors_at(name):
        return _fight(convert(fields, FightFile))


def _fight(file: FightFile) -> Fight:
    encounters = _encounters(file.enemies)
    setup = _setup(file, encounters)
    potion, gain = (float(_decimal(getattr(file.payoff, key), f"payoff.{key}")) for key in ("potion", "gain"))
    fight = Fight(setup, Payoff(file.payoff.kind, potion, gain, file.payoff.tie), encounters=encounters)
    rules = [states.compile_rules(part) for _, _, part in fight.encounter_setups()]
    if file.counters:
        known = {name: most for one in rules for name, most in states.max_counters(one).items()}
        fight = replace(fight, setup=replace(setup, counters=_counters(file.counters, known)))
    if file.state is None:
        return fight
    if len(rules) > 1:
        raise UsageError(f"state needs a single encounter. Got {len(rules)} in enemies; allowed: one.")
    state = _state(file.state, rules[0])
    with errors_at("state"):
        states.check_state(state, rules[0])
    return replace(fight, state=state)


def _setup(file: FightFile, encounters: Distribution[str]) -> Setup:
    if file.enemy_hp and len(encounters) > 1:
        raise UsageError("enemy_hp needs a single encounter in enemies. Leave it out, or name one.")
    max_hp = file.max_hp or ironclad(file.ascension)[1]
    if file.hp is not None and file.hp > max_hp:
        raise UsageError(f"hp is {file.hp}. Allowed: 1 to {max_hp}, max_hp.")
    deck = None if file.deck is None else dict(_parse_at("deck", file.deck, names.cards_from_text))
    if deck is not None and not deck:
        raise UsageError("deck has no cards. Allowed: at least one card.")
    return Setup(
        enemies=encounters.bind(names.find_enemies).merge(),
        ascension=file.ascension,
        deck=deck,
        hp=file.hp,
        max_hp=file.max_hp,
        relics=_parse_at("relics", file.relics, _relics),
        potions=_parse_at("potions", file.potions or "", _potions),
        enemy_hp=tuple(None if isinstance(hp, str) else hp for hp in file.enemy_hp),
        max_turns=file.turns,
        burning=file.burning or "",
    )


def _encounters(enemies: NameList | dict[str, object]) -> Distribution[str]:
    """Return the distribution of encounters.

    `enemies` is a text or a list ("Gremlin Nob"), a table of weights by encounter, or a table with the key `act`.
    """
    if not isinstance(enemies, dict):
        return certain(_parse_at("enemies", enemies, _full_names))
    with errors_at("enemies"):
        if "act" in enemies:
            return pools.encounters_of_pool(POOLS_OF_ACT[convert(enemies, ActTable).act])
        weights: dict[str, Fraction] = {}
        for key, weight in convert(enemies, Weights).items():
            name = _full_names(key)
            if name in weights:
                raise UsageError(f"{name} is listed twice. Leave one of them out.")
            weights[name] = Fraction(_decimal(weight, repr(key)))
        return weighted(weights)


def _parse_at(where: str, text: NameList, read: Callable[[str], T]) -> T:
    """Return `read(text)`. Errors begin with `where`."""
    with errors_at(where):
        return read(text if isinstance(text, str) else ", ".join(text))


def _decimal(number: float, where: str) -> Decimal:
    """Return a number as an exact decimal. Raise UsageError for more than three decimals."""
    exact = Decimal(repr(number))
    if exact != exact.quantize(Decimal("0.001")):
        raise UsageError(f"{where} is {number}. Allowed: at most three decimals.")
    return exact


def _full_names(text: str) -> str:
    """Return a list of enemies with full names, as text."""
    names.find_enemies(text)  # raises an error for too many enemies
    return ", ".join(names.enemy_names_in(text))


def _relics(text: str) -> tuple[str, ...]:
    found: list[str] = []
    parts = [] if names.normalise(text) == names.NONE else [part.strip() for part in text.split(",")]
    for part in filter(None, parts):
        name = names.find_relic(part)
        if name in found:
            raise UsageError(f"{name} is listed twice. Leave one of them out.")
        found.append(name)
    return tuple(found)


def _parse_names(text: str, find_name: Callable[[str], str]) -> tuple[str, ...]:
    """Return the names of a list such as "2 Fire Potion, Elixir", repeated by their counts."""
    return tuple(name for n, what in names.parse_counts(text) for name in [find_name(what)] * n)


def _potions(text: str) -> tuple[str, ...]:
    found = _parse_names(text, names.find_potion)
    if len(found) > at.N_POTIONS:
        raise UsageError(f"{len(found)} potions. Allowed: at most {at.N_POTIONS}.")
    return found


def _counters(counters: Mapping[str, int], known: Mapping[str, int]) -> dict[str, int]:
    """Return the counters of relics by name. `known` are their maxima."""
    listed = ", ".join(f"{name} 0 to {most}" for name, most in known.items())
    allowed = listed or "none, no relic of the fight has a counter"
    found: dict[str, int] = {}
    for key, value in counters.items():
        name = _parse_at("counters", key, names.find_relic)
        if name not in known:
            raise UsageError(f"counters.{key} is no relic of the fight with a counter. Allowed: {allowed}.")
        _add_amount(found, name, value, "counters", least=0, most=known[name])
    return found


def _add_amount(found: dict[str, int], name: str, value: int, where: str, *, least: int, most: int) -> None:
    """Add an amount of a table. Raise UsageError for a duplicate name or an amount out of bounds."""
    if name in found:
        raise UsageError(f"{where} has {name} twice. Leave one of them out.")
    if not least <= value <= most:
        raise UsageError(f"{where}.{name} is {value}. Allowed: {least} to {most}.")
    found[name] = value


def _state(file: StateTable, rules: FightRules) -> FightState:
    """Return the state of a file, without the checks of `check_state`."""
    known = [card.name for card in rules.kinds]
    piles = {
        pile: dict(_parse_at(f"state.{pile}", getattr(file, pile), lambda text: names.cards_from_text(text, known)))
        for pile in PILES
    }

    def card_types(text: str) -> tuple[str, ...]:
        return _parse_names(text, lambda one: names.find_name(one, states.CARD_TYPES, "type of card"))

    played = _parse_at("state.played", file.played, card_types)
    if len(played) > states.MAX_ENERGY:
        raise UsageError(f"state.played: {len(played)} cards. Allowed: at most {states.MAX_ENERGY} in a turn.")
    return FightState(
        turn=file.turn,
        energy=file.energy,
        block=file.block,
        statuses=_statuses(file.statuses, states.PLAYER_STATUSES, "state.statuses"),
        top=_parse_at("state.top", file.top, lambda text: _parse_names(text, lambda one: names.find_card(one, known))),
        potions=None if file.potions is None else _parse_at("state.potions", file.potions, _potions),
        played=played,
        enemies=tuple(_enemy(one, f"state.enemies[{place}]", rules) for place, one in enumerate(file.enemies)),
        **piles,
    )


def _enemy(file: EnemyTable, where: str, rules: FightRules) -> EnemyState:
    name = _parse_at(f"{where}.name", file.name, lambda text: names.find_enemy(text, rules.enemy_names[1:]))
    histories = states.histories_of(name, rules)
    # Of moves with equal letters, such as Sear and Sear+, keep the first. The others need their exact names.
    moves = {names.normalise(move): move for move in reversed(histories)}.values()

    def find_move(text: str) -> str:
        return text if text in histories else names.find_name(text, moves, "move")

    return EnemyState(
        name=name,
        hp=file.hp,
        max_hp=file.max_hp,
        intent=_parse_at(f"{where}.intent", file.intent, find_move),
        history=file.run,
        block=file.block,
        statuses=_statuses(file.statuses, states.ENEMY_STATUSES, f"{where}.statuses"),
    )


def _statuses(statuses: Mapping[str, int], known: tuple[str, ...], where: str) -> dict[str, int]:
    """Return the amounts of statuses that are not 0."""
    found: dict[str, int] = {}
    for key, value in statuses.items():
        name = _parse_at(where, key, lambda text: names.find_name(text, known, "status"))
        least = -states.MAX_AMOUNT if name in states.MAY_BE_NEGATIVE else 0
        most = 1 if name in states.WITHOUT_AMOUNT else states.MAX_AMOUNT
        _add_amount(found, name, value, where, least=least, most=most)
    return {name: amount for name, amount in found.items() if amount}


def write_fight(fight: Fight, path: Path) -> None:
    """Write a fight to a TOML file, atomically. Raise RunError if that fails."""
    write_output(path, fight_to_toml(fight))


def fight_to_toml(fight: Fight) -> str:
    """Return a fight as TOML. `fight_from_toml` restores an equal fight."""
    setup, named = fight.setup, fight.encounter_names()
    lines = [] if len(named) > 1 else [f"enemies = {toml_value(next(iter(named))[0])}"]
    lines += _toml_lines(
        enemy_hp=[ROLLED_HP if hp is None else hp for hp in setup.enemy_hp] or None,
        ascension=setup.ascension,
        hp=setup.hp,
        max_hp=setup.max_hp,
        deck=None if setup.deck is None else names.cards_to_text(setup.deck),
        relics=setup.relics,
        counters=setup.counters or None,
        potions=setup.potions,
        burning=setup.burning or None,
        turns=setup.max_turns,
    )
    if len(named) > 1:
        lines += ["", "[enemies]", *_weight_lines(named)]
    lines += ["", "[payoff]", *_toml_lines(**asdict(fight.payoff))]
    if fight.state is not None:
        lines += ["", *_state_lines(fight.state)]
    return "\n".join(lines) + "\n"


def _toml_lines(**values: object) -> Iterator[str]:
    """Yield the line of each key whose value is not None."""
    return (f"{key} = {toml_value(value)}" for key, value in values.items() if value is not None)


def _weight_lines(named: Distribution[str]) -> Iterator[str]:
    """Yield the line of each encounter with its weight.

    A file may have weights up to MAX_WEIGHT with three decimals. Reading multiplies such weights by a common factor of
    up to 1000. So if a weight is too large for a file, divide all by 1000.
    """
    pairs = named.merge().pairs
    large = max(weight for _, weight in pairs) > MAX_WEIGHT
    for name, weight in pairs:
        yield f"{toml_value(name)} = {Decimal(weight) / 1000 if large else weight}"


def _state_lines(state: FightState) -> Iterator[str]:
    yield "[state]"
    yield from _toml_lines(turn=state.turn, energy=state.energy, block=state.block, statuses=state.statuses)
    yield from _toml_lines(**{pile: names.cards_to_text(getattr(state, pile)) for pile in PILES})
    yield from _toml_lines(top=state.top, potions=state.potions, played=state.played)
    for enemy in state.enemies:
        yield from ("", "[[state.enemies]]")
        yield from _toml_lines(name=enemy.name, hp=enemy.hp, max_hp=enemy.max_hp, block=enemy.block)
        yield from _toml_lines(intent=enemy.intent, run=enemy.history, statuses=enemy.statuses)
