"""Write states, plans and piles in words, and read cards from words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from evodom.errors import UsageError
from evodom.spire.exact.board import Board, Combat, attack_damage
from evodom.spire.exact.fight import Fight, FightState, Over, PlayerTurn
from evodom.spire.exact.piles import Pile
from evodom.spire.exact.plans import Plan, Play
from evodom.spire.exact.statuses import BITE
from evodom.spire.exact.turn import play_on
from evodom.spire.fights.names import cards_from_text, cards_to_text
from evodom.spire.rows.effects import OP_BITE, OP_HIT
from evodom.spire.rows.enemies import enemy_row


def state_to_text(fight: Fight, state: FightState) -> str:
    """Write a state in a few lines: the player, each enemy with what it intends, and the piles."""
    if isinstance(state, Over):
        if state.late:
            return "The fight is over: not won in time, which counts as lost."
        return f"The fight is over: {state.hp} HP left." if state.hp else "The fight is over: you are dead."
    combat = state.combat
    you = [f"You {state.hp}/{fight.max_hp} HP", f"energy {combat.energy}"]
    you += [f"block {combat.block}"] if combat.block else []
    you += [f"{name} {amount}" for name, amount in combat.statuses]
    lines = [", ".join(you), *enemies_to_text(fight, combat)]
    if isinstance(state, PlayerTurn):
        lines.append(f"Hand: {pile_to_text(fight, state.hand)}")
    lines.append(f"Draw pile: {pile_to_text(fight, state.draw)}; discard pile: {pile_to_text(fight, state.discard)}")
    return "\n".join(lines)


def enemies_to_text(fight: Fight, combat: Combat) -> list[str]:
    """Write a line for every enemy, left to right: HP, block, what it intends and its statuses."""
    lines = []
    for place, enemy in enumerate(combat.enemies):
        parts = [f"{enemy_label(combat, place)} {enemy.hp} HP"]
        parts += [f"block {enemy.block}"] if enemy.block else []
        parts.append(f"intends {intent_to_text(fight, combat, place)}")
        parts += [f"{name} {amount}" for name, amount in enemy.statuses if name != BITE]
        lines.append(", ".join(parts))
    return lines


def enemy_label(combat: Combat, place: int) -> str:
    """Return the name of an enemy, numbered from the left where there are several."""
    name = combat.enemies[place].name
    return f"{name} {place + 1}" if len(combat.enemies) > 1 else name


def intent_to_text(fight: Fight, combat: Combat, place: int) -> str:
    """Return what an enemy is about to do, with the damage it would do now: "Beam (10)", "Attack (20)"."""
    board = Board(combat)
    enemy, you = board.enemies[place], board.player
    damage = []
    for effect in enemy_row(enemy.name, fight.setup.ascension).moves[enemy.move]:
        if effect.op in (OP_HIT, OP_BITE):
            base = effect.n if effect.op == OP_HIT else enemy.amount(BITE)
            times = f"x{effect.times}" if effect.times > 1 else ""
            damage.append(f"{attack_damage(enemy, you, base)}{times}")
    return enemy.move + (f" ({' + '.join(damage)})" if damage else "")


def pile_to_text(fight: Fight, pile: Pile) -> str:
    """Write a pile: "Bash, 2 Strike, Defend", or "none"."""
    return cards_to_text(fight.kinds.unpack(pile))


def plan_to_text(combat: Combat, plan: Plan) -> str:
    """Write a plan in words: "Bash, 2 Strike"; with several enemies also at which each card is aimed."""
    if not plan.plays:
        return "end the turn"
    parts = [(len(list(same)), part) for part, same in groupby(_plays_to_text(combat, plan.plays))]
    text = ", ".join(f"{n} {part}" if n > 1 else part for n, part in parts)
    return text + (", then see what comes" if plan.drawing or plan.exhausting else "")


def _plays_to_text(combat: Combat, plays: Iterable[Play]) -> Iterator[str]:
    """Yield each play in words; an enemy keeps its number when one to the left of it dies."""
    board = Board(combat)
    labels = {id(enemy): enemy_label(combat, place) for place, enemy in enumerate(board.enemies)}
    everyone = list(board.enemies)  # kept, so that no other object gets the identity of a dead one
    for play in plays:
        at = f" at {labels[id(board.enemies[play.target])]}" if play.card.targeted and len(everyone) > 1 else ""
        yield play.card.name + at + (f" exhausting {play.exhausted.name}" if play.exhausted else "")
        play_on(board, play.card, play.target)


def cards_of_fight(fight: Fight, text: str) -> Pile:
    """Read cards of this fight, "3 Strike, Defend" or as short as "3 s, d" while that is clear, into a pile."""
    found = cards_from_text(text, [card.name for card in fight.kinds.cards])
    if not found:
        raise UsageError(f"there are no cards in {text.strip()!r}. Write them as: 3 Strike, 2 Defend")
    return fight.kinds.pack(found)


def impossible_hand(fight: Fight, hand: Pile, hands: Sequence[Pile]) -> str:
    """Return why a hand is none of those that may be drawn, for a sentence that begins with "That is"."""
    kinds = fight.kinds
    n_cards, wanted = kinds.size(hand), kinds.size(hands[0])
    if n_cards != wanted:
        return f"a hand of {n_cards} card{'s' * (n_cards > 1)}, and {wanted} are drawn"
    counts = [kinds.unpack(one) for one in hands]
    least = kinds.pack({name: min(count[name] for count in counts) for name in kinds.units})
    most = kinds.pack({name: max(count[name] for count in counts) for name in kinds.units})
    certain = f", {pile_to_text(fight, least)} for certain" if least else ""
    return f"no hand that can be drawn: it comes from {pile_to_text(fight, most)}{certain}"
