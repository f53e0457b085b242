"""Write a fight in words: the player, the enemies and what they intend, the piles, and the moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from evodom.spire.engine import layout as at
from evodom.spire.engine.combat import attack_damage
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import FightRecord
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION
from evodom.spire.engine.statuses import BITE, DIVIDER
from evodom.spire.rows.effects import OP_BITE, OP_DIVIDE, OP_HIT
from evodom.spire.rows.statuses import STATUSES

_NAMES = tuple(STATUSES)
_SILENT = frozenset(("Bite", "Divider", "Splits", "Shifts", "Stolen"))
"""Statuses that are not shown: an intent tells them, or they are how an enemy is."""

_CHOICES = (
    "Exhaust a card",
    "Put a card on top of the draw pile",
    "Take a card into your hand",
    "Upgrade a card",
    "Copy a card",
    "Discard cards, to draw as many",
)
"""What is asked, by what becomes of the chosen card."""


def state_to_text(game: SpireFight, state: State) -> str:
    """Write a state in a few lines."""
    fight = game.view(state)
    if fight.over != at.PLAYING:
        return _end_to_text(game, state)
    you = [f"You {fight.hp[0]}/{fight.max_hp[0]} HP", f"energy {fight.energy}"]
    you += [f"block {fight.block[0]}"] if fight.block[0] else []
    you += [f"{name} {n}" for name, n in statuses_of(fight, 0)]
    lines = [", ".join(you)]
    lines += [enemy_to_text(game, fight, enemy) for enemy in range(1, at.N_FIGHTERS) if fight.hp[enemy] > 0]
    lines.append(f"Hand: {pile_to_text(game, fight, at.HAND)}")
    to_draw = f"{fight.n_cards[at.DRAW]} card{'' if fight.n_cards[at.DRAW] == 1 else 's'}"
    lines.append(
        f"Draw pile: {to_draw}{_top_to_text(game, fight)}; discard pile: {fight.n_cards[at.DISCARD]}; "
        f"exhausted: {fight.n_cards[at.EXHAUST]}"
    )
    potions = [name for name, here in zip(game.rules.potions, fight.potions, strict=False) if here]
    if potions:
        lines.append(f"Potions: {', '.join(potions)}")
    if fight.choosing:
        lines.append(f"{choice_to_text(fight)}.")
    return "\n".join(lines)


def choice_to_text(fight: FightRecord) -> str:
    """Return what is asked: "Exhaust a card"; "" where a card is to be played."""
    return _CHOICES[fight.choosing - 1] if fight.choosing else ""


def statuses_of(fight: FightRecord, who: int) -> list[tuple[str, int]]:
    """Return the statuses of a fighter that are shown, with their amounts."""
    found = [(_NAMES[place], int(n)) for place, n in enumerate(fight.status[who]) if n]
    if who == 0:
        found += [(_NAMES[at.N_SHARED + place], int(n)) for place, n in enumerate(fight.powers) if n]
    return [(name, n) for name, n in found if name not in _SILENT]


def enemy_to_text(game: SpireFight, fight: FightRecord, enemy: int) -> str:
    """Write an enemy in a line: its place, HP, block, what it intends and its statuses."""
    parts = [f"{enemy}  {game.rules.rows[fight.row[enemy]]} {fight.hp[enemy]} HP"]
    parts += [f"block {fight.block[enemy]}"] if fight.block[enemy] else []
    parts.append(f"intends {intent_to_text(game, fight, enemy)}")
    return ", ".join(parts + [f"{name} {n}" for name, n in statuses_of(fight, enemy)])


def intent_to_text(game: SpireFight, fight: FightRecord, enemy: int) -> str:
    """Return what an enemy is about to do, with the damage it would do now: "Beam (10)", "Divider (7 x 6)"."""
    name, damage = intent_of(game, fight, enemy)
    return f"{name} ({damage})" if damage else name


def intent_of(game: SpireFight, fight: FightRecord, enemy: int) -> tuple[str, str]:
    """Return the name of an enemy's next move and its damage as of now: "Divider" and "7 x 6"; "" for no damage."""
    rules, intent = game.record, int(fight.intent[enemy])
    first, damage = int(rules.intent_line[intent]), []
    for line in rules.lines[first : first + int(rules.intent_lines[intent])]:
        base = {OP_HIT: line[at.N], OP_BITE: fight.status[enemy, BITE], OP_DIVIDE: fight.status[enemy, DIVIDER]}
        if line[at.OP] in base:
            n = attack_damage(rules, fight, enemy, 0, int(base[line[at.OP]]), 1)
            damage.append(f"{n} x {line[at.TIMES]}" if line[at.TIMES] > 1 else str(n))
    return game.rules.intents[intent].strip(), ", ".join(damage)


def pile_to_text(game: SpireFight, fight: FightRecord, pile: int) -> str:
    """Write the cards of a pile: "3 Strike, Defend"."""
    counts = [(int(n), game.rules.kinds[kind].name) for kind, n in enumerate(fight.piles[pile]) if n]
    return ", ".join(f"{n} {name}" if n > 1 else name for n, name in counts) or "none"


def move_to_text(game: SpireFight, state: State, move: int) -> str:
    """Return a move in words: "Bash at Cultist", "Fire Potion at 2 Sentry", "exhaust Defend", "end the turn"."""
    fight = game.view(state)
    if move == END:
        return "done" if fight.choosing else "end the turn"
    if move >= FIRST_CHOICE:
        return game.rules.kinds[move - FIRST_CHOICE].name
    potion = move >= FIRST_POTION
    what, enemy = divmod(move - (FIRST_POTION if potion else FIRST_CARD), at.N_FIGHTERS)
    name = game.rules.potions[what] if potion else game.rules.kinds[what].name
    if not enemy:
        return name
    several = sum(hp > 0 for hp in fight.hp[1:]) > 1
    return f"{name} at {f'{enemy} ' if several else ''}{game.rules.rows[fight.row[enemy]]}"


def plan_to_text(game: SpireFight, state: State, plan: Sequence[int]) -> str:
    """Write moves up to the next random event or the end of the turn: "Bash, 2 Strike", "end the turn"."""
    words: list[str] = []
    alone = sum(hp > 0 for hp in game.view(state).hp[1:]) == 1
    for move in plan[:-1]:
        words.append(move_to_text(game, state, move))
        ((state, _),) = game.outcomes(state, move).pairs
    ends = plan[-1] == END and not game.view(state).choosing
    words += [] if ends else [move_to_text(game, state, plan[-1])]
    if alone:
        words = [word.partition(" at ")[0] for word in words]
    text = ", ".join(f"{n} {word}" if (n := len(list(same))) > 1 else word for word, same in groupby(words))
    reveals = not ends and len(game.outcomes(state, plan[-1])) > 1
    return (text or "end the turn") + (", then see what comes" if reveals else "")


def _top_to_text(game: SpireFight, fight: FightRecord) -> str:
    """Write the known cards on top of the draw pile, the next one first."""
    known = [game.rules.kinds[fight.top[place]].name for place in range(fight.n_top - 1, -1, -1)]
    return f" (next: {', '.join(known)})" if known else ""


def _end_to_text(game: SpireFight, state: State) -> str:
    fight, (hp,) = game.view(state), game.returns(state)
    if fight.over == at.LOST:
        return "The fight is over: you are dead."
    if fight.over == at.LATE:
        return "The fight is over: not won in time, which counts as lost."
    return f"The fight is over: you have {'fled' if fight.over == at.FLED else 'won'}, {hp} HP left."
