"""Text of fights in progress: the state, an enemy, a pile, a move, a plan.

Open it to change how a state is displayed.
"""

from collections.abc import Sequence
from itertools import groupby

from evodom.spire.content import effects
from evodom.spire.engine import layout as at
from evodom.spire.engine.combat import attack_damage
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION
from evodom.spire.fights.names import cards_to_text
from evodom.spire.fights.states import cards_in, known_top, potions_left, statuses_in

_HIDDEN_STATUSES = frozenset(("Bite", "Divider", "Splits", "Shifts", "Stolen"))
"""Statuses that are not displayed: the intent shows them, or they are constant."""

_QUESTIONS = {
    effects.TO_EXHAUST: "Exhaust a card",
    effects.TO_DRAW_TOP: "Put a card on top of the draw pile",
    effects.TO_HAND: "Take a card into your hand",
    effects.TO_UPGRADE: "Upgrade a card",
    effects.TO_COPY: "Copy a card",
    effects.TO_DISCARD_AND_DRAW: "Discard cards, to draw as many",
    effects.TO_HAND_FREE: "Take a card of the discard pile, which costs 0 this turn",
    effects.TO_ADD: "Choose a card",
    effects.TO_ADD_OR_SKIP: "Choose a card, or end the choice",
    effects.TO_DRAW_BOTTOM: "Put a card at the bottom of the draw pile",
    effects.TO_TAKE_ATTACK: "Take an Attack of the draw pile",
    effects.TO_TAKE_SKILL: "Take a Skill of the draw pile",
}
"""Questions, by purpose of the choice."""


def state_to_text(game: SpireFight, state: State) -> str:
    """Return a state as text of several lines."""
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
    top = known_top(fight, game.rules)
    known = f" (next: {', '.join(top)})" if top else ""
    lines.append(
        f"Draw pile: {to_draw}{known}; discard pile: {fight.n_cards[at.DISCARD]}; "
        f"exhausted: {fight.n_cards[at.EXHAUST]}"
    )
    if potions := potions_left(fight, game.rules):
        lines.append(f"Potions: {', '.join(potions)}")
    if fight.choosing:
        lines.append(f"{choice_to_text(fight)}.")
    return "\n".join(lines)


def choice_to_text(fight: at.FightRecord) -> str:
    """Return the question of the pending choice, such as "Exhaust a card", or ""."""
    return _QUESTIONS[fight.choosing - 1] if fight.choosing else ""


def statuses_of(fight: at.FightRecord, fighter: int) -> list[tuple[str, int]]:
    """Return the displayed statuses of a fighter with their amounts."""
    return list(statuses_in(fight, fighter, _HIDDEN_STATUSES).items())


def enemy_to_text(game: SpireFight, fight: at.FightRecord, enemy: int) -> str:
    """Return an enemy as one line: place, name, HP, block, intent and statuses."""
    parts = [f"{enemy}  {game.rules.enemy_names[fight.row[enemy]]} {fight.hp[enemy]} HP"]
    parts += [f"block {fight.block[enemy]}"] if fight.block[enemy] else []
    parts.append(f"intends {intent_to_text(game, fight, enemy)}")
    return ", ".join(parts + [f"{name} {n}" for name, n in statuses_of(fight, enemy)])


def intent_to_text(game: SpireFight, fight: at.FightRecord, enemy: int) -> str:
    """Return an enemy's next move with its current damage: "Beam (10)", "Divider (7 x 6)"."""
    name, damage = intent_of(game, fight, enemy)
    return f"{name} ({damage})" if damage else name


def intent_of(game: SpireFight, fight: at.FightRecord, enemy: int) -> tuple[str, str]:
    """Return the name of an enemy's next move and its current damage: ("Divider", "7 x 6"). "" is no damage."""
    compiled, intent = game.record, int(fight.intent[enemy])
    first, damage = int(compiled.intent_effect[intent]), []
    from_status = {effects.OP_BITE: fight.status[enemy, at.BITE], effects.OP_DIVIDE: fight.status[enemy, at.DIVIDER]}
    for effect in compiled.effects[first : first + int(compiled.intent_n_effects[intent])]:
        if effect[at.OP] == effects.OP_HIT or effect[at.OP] in from_status:
            base = from_status.get(effect[at.OP], effect[at.N])
            n = attack_damage(compiled, fight, enemy, 0, int(base), 1)
            damage.append(f"{n} x {effect[at.TIMES]}" if effect[at.TIMES] > 1 else str(n))
    return game.rules.intents[intent].strip(), ", ".join(damage)


def pile_to_text(game: SpireFight, fight: at.FightRecord, pile: int) -> str:
    """Return the cards of a pile: "3 Strike, Defend"."""
    return cards_to_text(cards_in(fight.piles[pile], game.rules))


def move_to_text(game: SpireFight, state: State, move: int) -> str:
    """Return a move as text: "Bash at Cultist", "Fire Potion at 2 Sentry", "Defend" for a choice, "end the turn"."""
    fight = game.view(state)
    if move == END:
        return "done" if fight.choosing else "end the turn"
    if move >= FIRST_CHOICE:
        return game.rules.kinds[move - FIRST_CHOICE].name
    potion = move >= FIRST_POTION
    index, enemy = divmod(move - (FIRST_POTION if potion else FIRST_CARD), at.N_FIGHTERS)
    name = game.rules.potions[index] if potion else game.rules.kinds[index].name
    if not enemy:
        return name
    several = sum(hp > 0 for hp in fight.hp[1:]) > 1
    return f"{name} at {f'{enemy} ' if several else ''}{game.rules.enemy_names[fight.row[enemy]]}"


def plan_to_text(game: SpireFight, state: State, plan: Sequence[int]) -> str:
    """Return a plan as text: "Bash, 2 Strike" or "end the turn". Its last move may have a random outcome.

    The text omits targets if there is a single enemy. It omits the end of the turn after other moves.
    """
    words: list[str] = []
    has_one_enemy = sum(hp > 0 for hp in game.view(state).hp[1:]) == 1
    for move in plan[:-1]:
        words.append(move_to_text(game, state, move))
        ((state, _),) = game.outcomes(state, move).pairs
    ends = plan[-1] == END and not game.view(state).choosing
    words += [] if ends else [move_to_text(game, state, plan[-1])]
    if has_one_enemy:
        words = [word.partition(" at ")[0] for word in words]
    text = ", ".join(f"{n} {word}" if (n := len(list(same))) > 1 else word for word, same in groupby(words))
    reveals = not ends and len(game.outcomes(state, plan[-1])) > 1
    return (text or "end the turn") + (", then decide again" if reveals else "")


def _end_to_text(game: SpireFight, state: State) -> str:
    fight, (hp,) = game.view(state), game.returns(state)
    if fight.over == at.LOST:
        return "The fight is over: you are dead."
    if fight.over == at.LATE:
        return "The fight is over: not won in time, which counts as lost."
    return f"The fight is over: you have {'fled' if fight.over == at.FLED else 'won'}, {hp} HP left."
