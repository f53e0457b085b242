"""Kernels of the phases of a fight: its start, the player's turns, the enemies' moves, the end of a round.

Open it to change the time or the order of effects.
"""

from typing import Any

from evodom.jit.kernel import kernel
from evodom.spire.content import effects as e
from evodom.spire.content.cards import COLOURLESS, ENERGY, HAND_SIZE, POOLS
from evodom.spire.content.relics import AT_FIRST_DRAW, AT_HAND_DRAWN, AT_START, AT_START_FRONT, AT_TURN, AT_TURN_END
from evodom.spire.engine import combat, piles
from evodom.spire.engine import layout as at
from evodom.spire.engine.card_play import ATTACKED, queue_turn_end_cards
from evodom.spire.engine.chance import INTENT, ROLLED_HP, ROLLED_STATUS, draw_outcome, draw_uniform
from evodom.spire.engine.layout import CompiledRules, Dice, FightRecord, Numbers
from evodom.spire.engine.resolve import begin_enemy_turn, resolve_queue

NO_MARK, MARK_STRENGTH, MARK_HP, MARK_METALLICIZE, MARK_REGENERATE = range(5)
"""Marks of a burning elite."""

COLOURLESS_POOL = list(POOLS).index(COLOURLESS)
"""Number of the pool of Magnetism."""

MAX_PLAYED_POCKETWATCH = 3
"""Maximum number of cards played in a turn after which Pocketwatch acts."""


@kernel
def add_enemy(rules: CompiledRules, fight: FightRecord, enemy: int, row: int, known_hp: Numbers, dice: Dice) -> None:
    """Add an enemy to the fight: set its HP (rolled if `known_hp` is 0), statuses and first intent."""
    fight.row[enemy] = row
    least, most = rules.enemy_hp[row, 0], rules.enemy_hp[row, 1]
    hp = known_hp if known_hp else least + draw_uniform(dice, most - least + 1, ROLLED_HP, enemy)
    fight.hp[enemy] = fight.max_hp[enemy] = hp
    fight.block[enemy] = rules.enemy_block[row]
    for status in range(at.N_SHARED):
        fight.status[enemy, status] = rules.status[row, status]
    for roll in range(2):
        if rules.random_statuses[row, roll, 0] != at.NONE:
            span = rules.random_statuses[row, roll, 2] - rules.random_statuses[row, roll, 1] + 1
            more = draw_uniform(dice, span, ROLLED_STATUS, enemy + at.N_FIGHTERS * roll)
            fight.status[enemy, rules.random_statuses[row, roll, 0]] = rules.random_statuses[row, roll, 1] + more
    fight.status[enemy, at.STRENGTH] += rules.change[at.C_PHILOSOPHERS_STONE]
    fight.intent[enemy] = next_intent(rules, rules.opening[row], enemy, dice)


@kernel
def apply_burning_mark(rules: CompiledRules, fight: FightRecord, enemy: int, mark: int) -> None:
    """Give an enemy the bonus of a burning elite of act 1."""
    if mark == MARK_STRENGTH:
        fight.status[enemy, at.STRENGTH] += 2
    elif mark == MARK_HP:
        more = (fight.max_hp[enemy] + 2) // 4
        fight.max_hp[enemy] += more
        fight.hp[enemy] += more
    elif mark == MARK_METALLICIZE:
        fight.status[enemy, at.METALLICIZE] += 4
    elif mark == MARK_REGENERATE:
        fight.status[enemy, at.REGENERATE] += 3


@kernel
def apply_enemy_relics(rules: CompiledRules, fight: FightRecord, enemy: int) -> None:
    """Reduce an enemy's HP by Preserved Insect and Neow's Lament."""
    if rules.elite[fight.row[enemy]] and rules.change[at.C_PRESERVED_INSECT]:
        fight.hp[enemy] = fight.max_hp[enemy] * 3 // 4
    if rules.change[at.C_NEOWS_LAMENT]:
        fight.hp[enemy] = 1


@kernel
def next_intent(rules: CompiledRules, intent: int, enemy: int, dice: Dice) -> Any:
    """Return the successor of an enemy's intent."""
    n = rules.n_following[intent]
    if n == 1:
        return rules.following[intent, 0]
    for place in range(n):
        dice.scratch[place] = rules.weights[intent, place]
    return rules.following[intent, draw_outcome(dice, n, INTENT, enemy + at.N_FIGHTERS * intent)]


@kernel
def move_enemies(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Execute the enemies' moves, left to right. Enemies created by a split this round do not move."""
    movers = 0
    for enemy in range(1, at.N_FIGHTERS):
        if combat.is_alive(fight, enemy):
            movers |= 1 << enemy
    for enemy in range(1, at.N_FIGHTERS):
        if movers & (1 << enemy) and combat.is_alive(fight, enemy) and fight.over == at.PLAYING:
            intent = fight.intent[enemy]
            first, row = rules.intent_effect[intent], fight.row[enemy]
            for index in range(first, first + rules.intent_n_effects[intent]):
                if fight.over == at.PLAYING and (combat.is_alive(fight, enemy) or combat.n_living_enemies(fight) > 0):
                    _resolve_move_effect(rules, fight, enemy, index, dice)
            resolve_queue(rules, fight, dice)
            if combat.is_alive(fight, enemy) and fight.row[enemy] == row and fight.intent[enemy] == intent:
                if rules.move_when_alone[row] != at.NONE and combat.n_living_enemies(fight) == 1:
                    fight.intent[enemy] = rules.move_when_alone[row]
                else:
                    fight.intent[enemy] = next_intent(rules, intent, enemy, dice)


@kernel
def _resolve_move_effect(rules: CompiledRules, fight: FightRecord, enemy: int, index: int, dice: Dice) -> None:
    """Resolve one effect of an enemy's move."""
    op, n, times = rules.effects[index, at.OP], rules.effects[index, at.N], rules.effects[index, at.TIMES]
    to, item, more = rules.effects[index, at.TO], rules.effects[index, at.ITEM], rules.effects[index, at.MORE]
    if op in (e.OP_HIT, e.OP_BITE, e.OP_DIVIDE):
        base = n if op == e.OP_HIT else fight.status[enemy, at.BITE if op == e.OP_BITE else at.DIVIDER]
        if combat.is_alive(fight, enemy):
            damage = combat.attack_damage(rules, fight, enemy, at.PLAYER, base, 1)
            for _ in range(times):
                if combat.is_alive(fight, enemy) and fight.over == at.PLAYING:
                    combat.hit_player(rules, fight, enemy, damage)
    elif op == e.OP_GIVE:
        combat.give_status(rules, fight, enemy if to == e.SELF else at.PLAYER, item, n)
    elif op == e.OP_LOSE:
        fight.status[enemy, item] -= min(rules.status[fight.row[enemy], item], fight.status[enemy, item])
    elif op == e.OP_PLAIN_BLOCK:
        if combat.is_alive(fight, enemy):
            fight.block[enemy] += n
    elif op == e.OP_CREATE:
        for _ in range(n):
            piles.put(fight, item, at.DISCARD)
    elif op == e.OP_UPGRADE_COPIES:
        piles.transform_cards(fight, item, more, at.DRAW)
    elif combat.is_alive(fight, enemy):
        _resolve_special_effect(rules, fight, enemy, op, n, dice)


@kernel
def _resolve_special_effect(rules: CompiledRules, fight: FightRecord, enemy: int, op: int, n: int, dice: Dice) -> None:
    """Resolve an effect that only a certain kind of enemy has."""
    if op == e.OP_STEAL:
        fight.status[enemy, at.STOLEN] += n
    elif op == e.OP_ESCAPE:
        combat.remove_enemy(fight, enemy)
    elif op == e.OP_PROTECT:
        other = combat.random_enemy(fight, dice, enemy)
        fight.block[enemy if other == at.NONE else other] += n
    elif op == e.OP_SPLIT:
        _split(rules, fight, enemy, dice)
    elif op == e.OP_ACTIVATE:
        fight.status[enemy, at.DIVIDER] = fight.hp[at.PLAYER] // 12 + 1
    elif op == e.OP_ATTACK_MODE:
        fight.status[enemy, at.SHARP_HIDE] = 0
        fight.status[enemy, at.SHIFTS] += 1
        fight.status[enemy, at.MODE_SHIFT] = n + 10 * fight.status[enemy, at.SHIFTS]
        fight.block[enemy] = 0


@kernel
def _split(rules: CompiledRules, fight: FightRecord, enemy: int, dice: Dice) -> None:
    """Replace an enemy by its two children. The second is placed so that the first can split too."""
    hp, row = fight.hp[enemy], fight.row[enemy]
    combat.remove_enemy(fight, enemy)
    first, second = rules.children[row, 0], rules.children[row, 1]
    width = 2 if rules.children[first, 0] else 1
    add_enemy(rules, fight, enemy, first, hp, dice)
    add_enemy(rules, fight, enemy + width, second, hp, dice)


@kernel
def begin(rules: CompiledRules, fight: FightRecord, mark: int, dice: Dice) -> None:
    """Begin a fight prepared by `moves.start_fight`, up to the player's first decision."""
    fight.hp[at.PLAYER], fight.max_hp[at.PLAYER] = rules.hp, rules.max_hp
    fight.is_player_turn = 1
    for enemy in range(1, at.N_FIGHTERS):
        if fight.row[enemy]:
            add_enemy(rules, fight, enemy, fight.row[enemy], fight.max_hp[enemy], dice)
            apply_burning_mark(rules, fight, enemy, mark)
            apply_enemy_relics(rules, fight, enemy)
    for potion in range(rules.n_potions):
        fight.potions[potion] = 1
    _fill_draw_pile(rules, fight)
    _start_turn(rules, fight, dice)


@kernel
def _fill_draw_pile(rules: CompiledRules, fight: FightRecord) -> None:
    """Put the deck into the draw pile, innate cards on top. More than five innate cards enlarge the first draw."""
    n_innate = 0
    for kind in range(rules.n_kinds):
        for _ in range(rules.deck[kind]):
            if rules.innate[kind]:
                n_innate += 1
                piles.put_on_top(fight, kind)
            else:
                piles.put(fight, kind, at.DRAW)
    fight.powers[at.NEXT_DRAW] = max(n_innate - HAND_SIZE - rules.change[at.C_HAND_SIZE], 0)


# Turns.


@kernel
def _start_turn(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Start a turn of the player, up to the first decision."""
    first = fight.turn == 0
    fight.turn = min(fight.turn + 1, rules.last_turn + 1)
    fight.is_player_turn = 1
    if fight.powers[at.BARRICADE] == 0:
        lost = rules.change[at.C_CALIPERS] if rules.change[at.C_CALIPERS] else fight.block[at.PLAYER]
        fight.block[at.PLAYER] = max(fight.block[at.PLAYER] - lost, 0)
    kept = fight.energy if rules.change[at.C_ICE_CREAM] else 0
    fight.energy = ENERGY + rules.change[at.C_ENERGY] + kept
    n_more = 0
    if first:
        piles.trigger(rules, fight, AT_FIRST_DRAW, False)
        piles.push(fight, e.OP_DRAW, HAND_SIZE + rules.change[at.C_HAND_SIZE], 1, e.SELF, 0, 0, 0)
        piles.trigger(rules, fight, AT_START_FRONT, True)
        piles.trigger(rules, fight, AT_START, False)
        if rules.change[at.C_RED_SKULL]:  # it reads the HP after the heals of other relics
            piles.push(fight, e.OP_RED_SKULL, 0, 1, e.SELF, 0, 0, 0)
        piles.trigger(rules, fight, AT_TURN, False)
    else:
        if rules.change[at.C_ART_OF_WAR] and not fight.types & ATTACKED:
            fight.energy += 1
        piles.trigger(rules, fight, AT_TURN, False)
        fight.energy += fight.powers[at.BERSERK]
        if fight.powers[at.MAGNETISM] > 0:
            piles.push(fight, e.OP_MAKE, fight.powers[at.MAGNETISM], 0, e.SELF, COLOURLESS_POOL, at.HAND, 0)
        if fight.powers[at.NEXT_BLOCK] > 0:
            piles.push(fight, e.OP_PLAIN_BLOCK, fight.powers[at.NEXT_BLOCK], 1, e.SELF, 0, 0, 0)
        fight.powers[at.NEXT_BLOCK] = 0
        fight.powers[at.FLAME_BARRIER] = 0
        piles.push(fight, e.OP_DRAW, HAND_SIZE + rules.change[at.C_HAND_SIZE], 1, e.SELF, 0, 0, 0)
        if fight.played <= MAX_PLAYED_POCKETWATCH:
            n_more = rules.change[at.C_POCKETWATCH]
    fight.played = 0
    fight.types = 0
    fight.powers[at.PANACHE_CARDS] = 0
    for relic in range(rules.n_relics):
        if rules.relic_every[relic] > 1 and not rules.relic_kept[relic]:
            fight.counters[relic] = 0
    _push_after_draw(rules, fight, n_more)
    resolve_queue(rules, fight, dice)


@kernel
def _push_after_draw(rules: CompiledRules, fight: FightRecord, n_more: int) -> None:
    """Push the effects that follow the draw of the hand. Pocketwatch draws `n_more` cards."""
    first = 0
    if n_more:
        first = rules.before_pocketwatch
        piles.trigger_some(rules, fight, AT_HAND_DRAWN, 0, first, False)
        piles.push(fight, e.OP_DRAW, n_more, 1, e.SELF, 0, 0, 0)
    piles.trigger_some(rules, fight, AT_HAND_DRAWN, first, rules.n_relics, False)
    if fight.powers[at.NEXT_DRAW] > 0:
        piles.push(fight, e.OP_DRAW, fight.powers[at.NEXT_DRAW], 1, e.SELF, 0, 0, 0)
        fight.powers[at.NEXT_DRAW] = 0
    if fight.powers[at.DEMON_FORM] > 0:
        piles.push(fight, e.OP_GIVE, fight.powers[at.DEMON_FORM], 1, e.SELF, at.STRENGTH, 0, 0)
    if fight.powers[at.BRUTALITY] > 0:
        piles.push(fight, e.OP_DRAW, fight.powers[at.BRUTALITY], 1, e.SELF, 0, 0, 0)
        piles.push(fight, e.OP_LOSE_HP, fight.powers[at.BRUTALITY], 1, e.SELF, 0, 0, 0)
    if fight.powers[at.MAYHEM] > 0:
        piles.push(fight, e.OP_PLAY_TOP, fight.powers[at.MAYHEM], 1, e.SELF, 0, 0, 0)


@kernel
def end_turn(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """End the player's turn, move the enemies, and start the next turn."""
    fight.is_player_turn = 0
    _push_turn_end_block(rules, fight)
    queue_turn_end_cards(rules, fight)
    resolve_queue(rules, fight, dice)
    if fight.over == at.PLAYING:
        _push_turn_end_powers(fight)
        piles.revert_costs(rules, fight)
        _discard_and_end_turn(rules, fight, dice)
        move_enemies(rules, fight, dice)
        if max(fight.n_cards[at.DRAW], fight.n_cards[at.DISCARD], fight.n_cards[at.EXHAUST]) > at.MAX_COUNT:
            fight.n_overflows += piles.has_wrapped_counts(fight)
    fight.is_enemy_turn = 0
    if fight.over == at.PLAYING:
        if rules.max_turns and fight.turn == rules.max_turns:
            fight.over = at.LATE
            return
        _end_round(rules, fight)
        _start_turn(rules, fight, dice)


@kernel
def _discard_and_end_turn(rules: CompiledRules, fight: FightRecord, dice: Dice) -> None:
    """Discard the hand after the queued effects. After the effects that this queues, begin the enemies' turn.

    In the majority of turns the queue is empty. Then call the functions without the queue, for speed.
    """
    if fight.n_queue > 0:
        piles.push(fight, e.OP_DISCARD_HAND, 0, 1, e.SELF, 0, 0, 0)
        piles.push(fight, e.OP_END_TURN, False, 1, e.SELF, 0, 0, 0)
        resolve_queue(rules, fight, dice)
        return
    piles.discard_hand(rules, fight)
    if fight.n_queue > 0:
        piles.push(fight, e.OP_END_TURN, True, 1, e.SELF, 0, 0, 0)
        resolve_queue(rules, fight, dice)
    else:
        begin_enemy_turn(fight)


@kernel
def _push_turn_end_block(rules: CompiledRules, fight: FightRecord) -> None:
    """Push the effects of relics, then the block of powers. Both precede the cards that act in hand."""
    if rules.change[at.C_TURN_END_BLOCK] and fight.block[at.PLAYER] == 0:
        piles.push_front(fight, e.OP_PLAIN_BLOCK, rules.change[at.C_TURN_END_BLOCK], 1, e.SELF, 0, 0, 0)
    piles.trigger(rules, fight, AT_TURN_END, False)
    for status in (at.METALLICIZE, at.PLATED):
        if fight.status[at.PLAYER, status] > 0:
            piles.push(fight, e.OP_PLAIN_BLOCK, fight.status[at.PLAYER, status], 1, e.SELF, 0, 0, 0)


@kernel
def _push_turn_end_powers(fight: FightRecord) -> None:
    """Push the player's powers that act at the end of the turn, and the end of powers that last one turn.

    Regen is pushed to the front. In the original game the other powers act in the order in which the player gained
    them. This order is not recorded: here Combust, which stays, precedes the powers that last one turn.
    """
    if fight.powers[at.COMBUST] > 0:
        piles.push(fight, e.OP_LOSE_HP, fight.powers[at.COMBUST_COST], 1, e.SELF, 0, 0, 0)
        piles.push(fight, e.OP_DAMAGE, fight.powers[at.COMBUST], 1, e.ENEMIES, 0, 0, 0)
    if fight.powers[at.BOMB_1] > 0:
        piles.push(fight, e.OP_DAMAGE, fight.powers[at.BOMB_1], 1, e.ENEMIES, 0, 0, 0)
    fight.powers[at.BOMB_1], fight.powers[at.BOMB_2] = fight.powers[at.BOMB_2], fight.powers[at.BOMB_3]
    fight.powers[at.BOMB_3] = 0
    if fight.status[at.PLAYER, at.RITUAL] > 0:
        piles.push(fight, e.OP_GIVE, fight.status[at.PLAYER, at.RITUAL], 1, e.SELF, at.STRENGTH, 0, 0)
    for power, status in ((at.STRENGTH_DOWN, at.STRENGTH), (at.DEXTERITY_DOWN, at.DEXTERITY)):
        if fight.powers[power] > 0:
            piles.push(fight, e.OP_GIVE, -fight.powers[power], 1, e.SELF, status, 0, 0)
            piles.push(fight, e.OP_LOSE, 0, 1, e.SELF, at.N_SHARED + power, 0, 0)
    for power in at.ENDING_POWERS:
        if fight.powers[power] > 0:
            piles.push(fight, e.OP_LOSE, 0, 1, e.SELF, at.N_SHARED + power, 0, 0)
    if fight.powers[at.REGEN] > 0:
        piles.push_front(fight, e.OP_HEAL, fight.powers[at.REGEN], 1, e.SELF, 0, 0, 0)
        fight.powers[at.REGEN] -= 1


@kernel
def _end_round(rules: CompiledRules, fight: FightRecord) -> None:
    """End the round: give the enemies block and healing, then let statuses fade."""
    for enemy in range(1, at.N_FIGHTERS):
        if combat.is_alive(fight, enemy):
            fight.block[enemy] += fight.status[enemy, at.METALLICIZE] + fight.status[enemy, at.PLATED]
            fight.hp[enemy] = min(fight.hp[enemy] + fight.status[enemy, at.REGENERATE], fight.max_hp[enemy])
            if fight.status[enemy, at.SHACKLED] > 0:
                fight.status[enemy, at.STRENGTH] += fight.status[enemy, at.SHACKLED]
                fight.status[enemy, at.SHACKLED] = 0
    for power in at.FADING_POWERS:
        fight.powers[power] = max(fight.powers[power] - 1, 0)
    for fighter in range(at.N_FIGHTERS):
        if fighter != at.PLAYER and fight.row[fighter] == 0:
            continue
        is_new = fight.new_statuses[fighter]
        if fighter != at.PLAYER and fight.status[fighter, at.RITUAL] > 0 and not is_new & (1 << at.RITUAL):
            fight.status[fighter, at.STRENGTH] += fight.status[fighter, at.RITUAL]
        for status in at.FADING:
            if fight.status[fighter, status] > 0 and not is_new & (1 << status):
                fight.status[fighter, status] -= 1
        fight.new_statuses[fighter] = 0
