"""Fights in TOML files: read with every field checked, and written so that they read the same again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from evodom.distribution import Distribution, certain, weighted
from evodom.errors import RunError, UsageError
from evodom.files import parse_toml, read_text, replace_text
from evodom.spire.engine import layout as at
from evodom.spire.engine.game import MARKS
from evodom.spire.engine.rules import FightRules, Setup
from evodom.spire.fights import states
from evodom.spire.fights.fields import MAX_BYTES, Table, decimal, kind, plain, under, whole
from evodom.spire.fights.fight import BOTH, HP, POTION_PRICE, WIN, EnemyState, Fight, FightState, Payoff
from evodom.spire.fights.names import (
    NONE,
    cards_from_text,
    cards_to_text,
    counted,
    find,
    find_card,
    find_enemies,
    find_enemy,
    find_potion,
    find_relic,
    letters,
    parts_of_enemies,
)
from evodom.spire.rows import encounters as pools
from evodom.spire.rows.cards import ironclad
from evodom.spire.rows.enemies import ELITE, MAX_ASCENSION, enemy_kind
from evodom.spire.rows.relics import RELICS

KEYS = (
    "enemies", "enemy_hp", "ascension", "hp", "max_hp", "deck", "relics", "counters", "potions", "burning", "turns",
    "payoff", "state",
)  # fmt: skip
STATE_KEYS = (
    "turn", "energy", "block", "statuses", "hand", "draw", "discard", "exhaust", "top", "potions", "played", "enemies",
)  # fmt: skip
ENEMY_KEYS = ("name", "hp", "max_hp", "block", "intent", "run", "statuses")
PAYOFF_KEYS = ("kind", "potion", "gain")

ACTS = {"weak": pools.WEAK, "strong": pools.STRONG, "elites": pools.ELITE, "bosses": pools.BOSS}
"""What `enemies.act` may be."""

MAX_HP = 999
MAX_TURNS = 999
MAX_WEIGHT = 1000
MAX_ENCOUNTERS = 50
ROLLED = "rolled"
"""HP of an enemy that are not known."""

_ENEMIES = 'an encounter or enemies such as "Gremlin Nob" or "Red Louse, Green Louse", or a table of them with weights'
_CARDS = 'cards such as "Bash, 2 Strike" or "none"'
_STATUSES = "a table of statuses such as { Strength = 2 }"


# Reading.


def read_fight(path: Path | str) -> Fight:
    """Read a fight from a TOML file. Raises UsageError, in one line, for a file that is no fight."""
    return fight_from_toml(read_text(path, "a fight", "TOML", MAX_BYTES), name=str(path))


def fight_from_toml(text: str, *, name: str = "the fight") -> Fight:
    """Read a fight from TOML; `name` is what errors call it. Raises UsageError, in one line, for what is no fight."""
    content = parse_toml(text, name, _number)
    with under(name):
        return _fight(Table(content, KEYS))


def _number(text: str) -> Decimal:
    """Read a number exactly; one that is far too large or small is none."""
    try:
        return Decimal(text)
    except ArithmeticError:
        return Decimal("nan")


def _fight(table: Table) -> Fight:
    encounters = _encounters(table)
    setup = _setup(table, encounters)
    payoff = _payoff(Table(table.content.get("payoff", {}), PAYOFF_KEYS, "payoff."))
    fight = Fight(setup, payoff, encounters=encounters)
    rules = [_compiled(part) for _, _, part in fight.parts()]
    if "counters" in table:
        known = {name: most for one in rules for name, most in states.counters_of(one).items()}
        fight = replace(fight, setup=replace(setup, counters=_counters(table, known)))
    if "state" not in table:
        return fight
    if len(rules) > 1:
        raise UsageError(f"state needs a single encounter. Got {len(rules)} in enemies; allowed: one.")
    state = _state(Table(table.content["state"], STATE_KEYS, "state."), rules[0])
    with under("state"):
        states.check_state(state, rules[0])
    return replace(fight, state=state)


def _compiled(setup: Setup) -> FightRules:
    """Compile a fight, which finds what of it cannot be; UsageError for one that is too large."""
    acting = [name for name in setup.relics if RELICS[name].when is not None]
    if len(acting) > at.N_RELICS:
        raise UsageError(f"relics has {len(acting)} that act in fights. Allowed: at most {at.N_RELICS}.")
    names = {name for group, _ in setup.enemies for name in group}
    if len(states.with_children(names)) >= at.N_ROWS:
        raise UsageError(f"enemies may be of too many kinds in one fight. Allowed: at most {at.N_ROWS - 1}.")
    for group, _ in setup.enemies:
        if sum(map(states.width, group)) > at.MAX_ENEMIES:
            raise UsageError(
                f"enemies {', '.join(group)} do not fit. Allowed: {at.MAX_ENEMIES} places; what splits needs several."
            )
        if setup.enemy_hp and len(setup.enemy_hp) != len(group):
            raise UsageError(f"enemy_hp has {len(setup.enemy_hp)} numbers. Allowed: {len(group)}, one for each enemy.")
    if setup.burning and any(enemy_kind(name) != ELITE for name in names):
        raise UsageError(f'burning is "{setup.burning}". Allowed: only where all enemies are elites.')
    return FightRules(setup)


def _setup(table: Table, encounters: Distribution[str]) -> Setup:
    given: dict[str, Any] = {"enemies": encounters.bind(find_enemies).merge()}
    for key, field, least, most in (
        ("ascension", "ascension", 0, MAX_ASCENSION),
        ("hp", "hp", 1, MAX_HP),
        ("max_hp", "max_hp", 1, MAX_HP),
        ("turns", "max_turns", 1, MAX_TURNS),
    ):
        if key in table:
            given[field] = table.whole(key, least, most)
    if "deck" in table:
        given["deck"] = dict(table.named("deck", _CARDS, cards_from_text))
    if "relics" in table:
        given["relics"] = table.named("relics", 'relics such as "Burning Blood, Vajra"', _relics)
    if "potions" in table:
        given["potions"] = table.named("potions", 'potions such as "Fire Potion"', _potions)
    if "burning" in table:
        given["burning"] = table.choice("burning", MARKS[1:])
    if "enemy_hp" in table:
        given["enemy_hp"] = _enemy_hp(table.content["enemy_hp"], encounters)
    setup = Setup(**given)
    most = setup.max_hp or ironclad(setup.ascension)[1]
    if setup.hp is not None and setup.hp > most:
        raise UsageError(f"hp is {setup.hp}. Allowed: 1 to {most}, max_hp.")
    if setup.deck is not None and not setup.deck:
        raise UsageError("deck has no cards. Allowed: at least one card.")
    return setup


def _encounters(table: Table) -> Distribution[str]:
    """Read what may be met: a text, a table with weights, or a pool of the act."""
    content = table.need("enemies", _ENEMIES)
    if not isinstance(content, dict):
        return certain(table.named("enemies", _ENEMIES, _canonical))
    if "act" in content:
        pool = ACTS[Table(content, ("act",), "enemies.").choice("act", ACTS)]
        return pools.of_pool(pool)
    if not 1 <= len(content) <= MAX_ENCOUNTERS:
        raise UsageError(f"enemies has {len(content)} encounters. Allowed: 1 to {MAX_ENCOUNTERS}, or act.")
    weights: dict[str, Fraction] = {}
    for key, weight in content.items():
        with under("enemies"):
            name = _canonical(key)
        if name in weights:
            raise UsageError(f"enemies has {name} twice. Leave one of them out.")
        weights[name] = Fraction(decimal(weight, f"enemies.{plain(key)}", 0, MAX_WEIGHT))
        if not weights[name]:
            raise UsageError(f"enemies.{plain(key)} is 0. Allowed: a weight above 0.")
    return weighted(weights)


def _canonical(text: str) -> str:
    """Return a text of enemies with their full names."""
    find_enemies(text)
    return ", ".join(parts_of_enemies(text))


def _relics(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))) if letters(text) != NONE else ():
        name = find_relic(part)
        if name in found:
            raise UsageError(f"{name} stands twice. Leave one of them out.")
        found.append(name)
    return tuple(found)


def _potions(text: str) -> tuple[str, ...]:
    found = [name for n, what in counted(text) for name in [find_potion(what)] * n]
    if len(found) > at.N_POTIONS:
        raise UsageError(f"{len(found)} potions. Allowed: at most {at.N_POTIONS}.")
    return tuple(found)


def _enemy_hp(value: Any, encounters: Distribution[str]) -> tuple[int | None, ...]:
    if len(encounters) > 1:
        raise UsageError("enemy_hp needs a single encounter in enemies. Leave it out, or name one.")
    if not isinstance(value, list) or len(value) > at.MAX_ENEMIES:
        raise UsageError(f'enemy_hp is {kind(value)}. Allowed: a list of HP, "{ROLLED}" for one that is not known.')
    return tuple(None if hp == ROLLED else whole(hp, f"enemy_hp[{place}]", 1, MAX_HP) for place, hp in enumerate(value))


def _counters(table: Table, known: Mapping[str, int]) -> dict[str, int]:
    """Read the counters of relics, each with the highest number that it may have."""
    allowed = ", ".join(f"{name} 0 to {most}" for name, most in known.items()) or "none, no relic of the fight counts"
    found: dict[str, int] = {}
    for key, value in table.amounts("counters", f"a table of relics that count: {allowed}").items():
        with under("counters"):
            name = find_relic(key)
        if name not in known:
            raise UsageError(f"counters.{plain(key)} is no relic of the fight that counts. Allowed: {allowed}.")
        if name in found:
            raise UsageError(f"counters has {name} twice. Leave one of them out.")
        found[name] = whole(value, f"counters.{plain(key)}", 0, known[name])
    return found


def _payoff(table: Table) -> Payoff:
    given = {key: table.number(key, 0, MAX_HP) for key in ("potion", "gain") if key in table}
    return Payoff(table.choice("kind", (HP, WIN, BOTH)) if "kind" in table else HP, **{"potion": POTION_PRICE, **given})


def _state(table: Table, rules: FightRules) -> FightState:
    """Read a state; `check_state` says whether it can be."""
    names = [card.name for card in rules.kinds]
    piles: dict[str, Any] = {}
    for key in ("hand", "draw", "discard", "exhaust"):
        if key in table or key != "exhaust":
            piles[key] = dict(table.named(key, _CARDS, lambda text: cards_from_text(text, names)))
    given: dict[str, Any] = {"energy": table.whole("energy", 0, states.MAX_ENERGY)}
    if "turn" in table:
        given["turn"] = table.whole("turn", 1, MAX_TURNS)
    if "block" in table:
        given["block"] = table.whole("block", 0, states.MAX_AMOUNT)
    if "statuses" in table:
        given["statuses"] = _statuses(table, states.PLAYER_STATUSES)
    if "top" in table:
        given["top"] = table.named("top", _CARDS, lambda text: _ordered(text, names))
    if "potions" in table:
        given["potions"] = table.named("potions", "the potions that are left", _potions)
    if "played" in table:
        given["played"] = table.named("played", 'types of cards such as "Attack, 2 Skill"', _types)
    enemies = table.need("enemies", "[[state.enemies]], one for each enemy")
    if not isinstance(enemies, list) or len(enemies) > at.MAX_ENEMIES:
        raise UsageError(f"state.enemies is {kind(enemies)}. Allowed: 1 to {at.MAX_ENEMIES} of [[state.enemies]].")
    found = tuple(_enemy(one, f"state.enemies[{place}].", rules) for place, one in enumerate(enemies))
    return FightState(enemies=found, **piles, **given)


def _enemy(content: Any, where: str, rules: FightRules) -> EnemyState:
    table = Table(content, ENEMY_KEYS, where)
    name = table.named("name", ", ".join(rules.rows[1:]), lambda text: find_enemy(text, rules.rows[1:]))
    runs = states.runs_of(name, rules)
    moves = {letters(move): move for move in reversed(runs)}.values()  # the first of moves with the same letters
    intent = table.named("intent", ", ".join(runs), lambda text: text if text in runs else find(text, moves, "move"))
    max_hp = table.whole("max_hp", 1, MAX_HP)
    return EnemyState(
        name=name,
        hp=table.whole("hp", 1, MAX_HP),
        max_hp=max_hp,
        intent=intent,
        run=table.whole("run", -1, MAX_TURNS) if "run" in table else None,
        block=table.whole("block", 0, states.MAX_AMOUNT) if "block" in table else 0,
        statuses=_statuses(table, states.ENEMY_STATUSES) if "statuses" in table else {},
    )


def _statuses(table: Table, names: tuple[str, ...]) -> dict[str, int]:
    """Read amounts of statuses; those of 0 are left out."""
    found: dict[str, int] = {}
    for key, value in table.amounts("statuses", _STATUSES).items():
        with under(f"{table.where}statuses"):
            name = find(key, names, "status")
        if name in found:
            raise UsageError(f"{table.where}statuses has {name} twice. Leave one of them out.")
        most = 1 if name in states.FLAGS else states.MAX_AMOUNT
        least = -states.MAX_AMOUNT if name in states.SIGNED else 0
        found[name] = whole(value, f"{table.where}statuses.{plain(key)}", least, most)
    return {name: amount for name, amount in found.items() if amount}


def _ordered(text: str, names: list[str]) -> tuple[str, ...]:
    return tuple(name for n, what in counted(text) for name in [find_card(what, names)] * n)


def _types(text: str) -> tuple[str, ...]:
    found = [name for n, what in counted(text) for name in [find(what, states.TYPES, "type of card")] * n]
    if len(found) > states.MAX_ENERGY:
        raise UsageError(f"{len(found)} cards. Allowed: at most {states.MAX_ENERGY} in a turn.")
    return tuple(found)


# Writing.


def write_fight(fight: Fight, path: Path) -> None:
    """Write a fight to a TOML file, in one step; raises RunError if that cannot be done."""
    try:
        replace_text(path, fight_to_toml(fight))
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}. Choose another file.") from error


def fight_to_toml(fight: Fight) -> str:
    """Write a fight as TOML that reads the same again."""
    setup, named = fight.setup, fight.named()
    lines = [] if len(named) > 1 else [f"enemies = {_text(next(iter(named))[0])}"]
    lines += [f"{key} = {value}" for key, value in _setup_values(setup) if value is not None]
    if len(named) > 1:
        lines += ["", "[enemies]", *_weights(named)]
    lines += ["", "[payoff]", f"kind = {_text(fight.payoff.kind)}"]
    lines += [f"potion = {fight.payoff.potion!r}", f"gain = {fight.payoff.gain!r}"]
    if fight.state is not None:
        lines += ["", *_state_lines(fight.state)]
    return "\n".join(lines) + "\n"


def _setup_values(setup: Setup) -> Iterator[tuple[str, Any]]:
    yield "enemy_hp", _list(setup.enemy_hp) if setup.enemy_hp else None
    yield "ascension", setup.ascension
    yield "hp", setup.hp
    yield "max_hp", setup.max_hp
    yield "deck", None if setup.deck is None else _text(cards_to_text(setup.deck))
    yield "relics", _list(setup.relics)
    yield "counters", _inline(setup.counters) if setup.counters else None
    yield "potions", _list(setup.potions)
    yield "burning", _text(setup.burning) if setup.burning else None
    yield "turns", setup.max_turns


def _weights(named: Distribution[str]) -> Iterator[str]:
    """Write encounters with their weights; where these are too large they were decimals."""
    pairs = named.merge().pairs
    large = max(weight for _, weight in pairs) > MAX_WEIGHT
    for name, weight in pairs:
        yield f"{_text(name)} = {Decimal(weight) / 1000 if large else weight}"


def _state_lines(state: FightState) -> Iterator[str]:
    yield "[state]"
    yield f"turn = {state.turn}"
    yield f"energy = {state.energy}"
    yield f"block = {state.block}"
    yield f"statuses = {_inline(state.statuses)}"
    for key in ("hand", "draw", "discard", "exhaust"):
        yield f"{key} = {_text(cards_to_text(getattr(state, key)))}"
    yield f"top = {_list(state.top)}"
    if state.potions is not None:
        yield f"potions = {_list(state.potions)}"
    yield f"played = {_list(state.played)}"
    for enemy in state.enemies:
        yield from ("", "[[state.enemies]]", f"name = {_text(enemy.name)}")
        yield from (f"hp = {enemy.hp}", f"max_hp = {enemy.max_hp}", f"block = {enemy.block}")
        yield f"intent = {_text(enemy.intent)}"
        if enemy.run is not None:
            yield f"run = {enemy.run}"
        yield f"statuses = {_inline(enemy.statuses)}"


def _text(words: str) -> str:
    """Return a text as TOML writes it."""
    return json.dumps(words, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(values: tuple[Any, ...]) -> str:
    written = (str(one) if isinstance(one, int) else _text(ROLLED if one is None else one) for one in values)
    return f"[{', '.join(written)}]"


def _inline(amounts: Mapping[str, int]) -> str:
    """Write a table of amounts in one line."""
    return "{ " + ", ".join(f"{_text(name)} = {amount}" for name, amount in amounts.items()) + " }" if amounts else "{}"
