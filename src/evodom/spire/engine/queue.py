"""The queue of what is still to be done, and the relics that put something there.

Effects come to its back; where the game says so, to its front.
"""

from evodom.jit.kernel import kernel
from evodom.spire.engine.layout import (
    AIM,
    MORE,
    N_COLUMNS,
    N_QUEUE,
    OP,
    TIMES,
    TO,
    CompiledRules,
    FightRecord,
    N,
    QueuedEffect,
    X,
)


@kernel
def push(fight: FightRecord, op: int, n: int, times: int, to: int, x: int, more: int, aim: int) -> None:
    """Put an effect at the back of the queue."""
    place = fight.n_queue
    if place == N_QUEUE:
        fight.spilled += 1
    else:
        fight.n_queue = place + 1
        write(fight, place, QueuedEffect(op, n, times, to, x, more, aim))


@kernel
def push_front(fight: FightRecord, op: int, n: int, times: int, to: int, x: int, more: int, aim: int) -> None:
    """Put an effect at the front of the queue."""
    if fight.n_queue == N_QUEUE:
        fight.spilled += 1
    else:
        for place in range(fight.n_queue, 0, -1):
            for column in range(N_COLUMNS):
                fight.queue[place, column] = fight.queue[place - 1, column]
        fight.n_queue += 1
        write(fight, 0, QueuedEffect(op, n, times, to, x, more, aim))


@kernel
def write(fight: FightRecord, place: int, effect: QueuedEffect) -> None:
    """Write an effect into a row of the queue."""
    fight.queue[place, OP] = effect.op
    fight.queue[place, N] = effect.n
    fight.queue[place, TIMES] = effect.times
    fight.queue[place, TO] = effect.to
    fight.queue[place, X] = effect.x
    fight.queue[place, MORE] = effect.more
    fight.queue[place, AIM] = effect.aim


@kernel
def drop_first(fight: FightRecord) -> None:
    """Take the first effect out of the queue."""
    fight.n_queue -= 1
    for place in range(fight.n_queue):
        for column in range(N_COLUMNS):
            fight.queue[place, column] = fight.queue[place + 1, column]
    for column in range(N_COLUMNS):
        fight.queue[fight.n_queue, column] = 0


@kernel
def clear(fight: FightRecord) -> None:
    """Empty what is still to be done."""
    while fight.n_queue > 0:
        fight.n_queue -= 1
        for column in range(N_COLUMNS):
            fight.queue[fight.n_queue, column] = 0
    while fight.n_waiting > 0:
        fight.n_waiting -= 1
        for column in range(4):
            fight.waiting[fight.n_waiting, column] = 0
    fight.choosing = 0


@kernel
def push_lines(rules: CompiledRules, fight: FightRecord, first: int, n: int, aim: int, front: int) -> None:
    """Put lines into the queue, in their order."""
    for place in range(n):
        line = first + (n - 1 - place if front else place)
        op, amount, times = rules.lines[line, OP], rules.lines[line, N], rules.lines[line, TIMES]
        to, x, more = rules.lines[line, TO], rules.lines[line, X], rules.lines[line, MORE]
        if front:
            push_front(fight, op, amount, times, to, x, more, aim)
        else:
            push(fight, op, amount, times, to, x, more, aim)


@kernel
def trigger(rules: CompiledRules, fight: FightRecord, when: int, front: int) -> None:
    """Have the relics act that do so now. A relic with `every` 0 acts once a fight."""
    for relic in range(rules.n_relics):
        if rules.relic_when[relic] != when or (rules.relic_turn[relic] and rules.relic_turn[relic] != fight.turn):
            continue
        every = rules.relic_every[relic]
        if every != 1:
            if every == 0 and fight.counters[relic]:
                continue
            fight.counters[relic] += 1
            if fight.counters[relic] < every:
                continue
            fight.counters[relic] = 0 if every else 1
        push_lines(rules, fight, rules.relic_line[relic], rules.relic_lines[relic], 0, front)
