"""Run one task of a search thread: search a position, advance a fight to its next decision, or play it to its end."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evodom.jit.kernel import lean_kernel
from evodom.jit.records import Words, copy_words
from evodom.search.tree import NONE, SearchWorkspace, best_edge, clear, sample_edge, search
from evodom.spire.engine.layout import LATE, PLAYING, CompiledRules, Dice, FightRecord
from evodom.spire.engine.moves import legal, play
from evodom.spire.play.evaluation import payoff_if_won_now
from evodom.spire.play.network import observe
from evodom.spire.play.playouts import find_lethal_move

SEARCH, ADVANCE, PLAY = range(3)
"""Tasks: search a position, play a fight up to the next decision, or play it to its end."""

NOTE = np.dtype([("value", "<f8"), ("death", "<f8"), ("stands", "<f8"), ("best", "<i4"), ("move", "<i4")])
"""A searched position of a trajectory: its value, the probability to lose, the payoff if it were won as it stands,
whether the best move was played, and the move."""


class TrajectoryBuffers(NamedTuple):
    """Where a trajectory is written: features (n, inputs), shares of visits (n, outputs), and notes (n,) of NOTE."""

    seen: npt.NDArray[np.float32]
    tried: npt.NDArray[np.float32]
    notes: npt.NDArray[Any]


class FightInPlay(NamedTuple):
    """A fight that is played: its record, its words in row 0 of `position`, and its own chance.

    Chance in the fight is separate from that of the search, so that it is the same for every searcher.
    """

    record: FightRecord
    position: Words
    chance: Dice


@lean_kernel
def run_task(
    rules: CompiledRules,
    workspace: SearchWorkspace,
    buffers: TrajectoryBuffers,
    fight: FightInPlay,
    n_simulations: int,
    task: int,
) -> int:
    """Run a task with a fight.

    SEARCH   search it, and return its node
    ADVANCE  play it up to the next move that is to be searched
    PLAY     play it to its end by searching; return the number of moves that were searched

    A fight with more moves than `longest` is over. If the evaluator `finishes`, a lethal sequence without loss is
    played without a search. The trajectory is recorded as far as the buffers reach. One kernel runs all tasks, to
    halve the time to compile.
    """
    record, position, chance = fight
    if task == SEARCH:
        return search(rules, workspace, position, n_simulations)
    options, moves, n_searched, n_played = workspace.evaluator.options, workspace.search.actions, 0, 0
    if task == PLAY:
        clear(workspace)
    while record.over == PLAYING:
        if n_played == options.longest:
            record.over = LATE
            break
        n_played += 1
        n = legal(rules, record, moves)
        move, lethal = moves[0], NONE
        if n > 1 and options.finishes:
            copy_words(workspace.words, 0, position, 0)
            lethal = find_lethal_move(rules, workspace)
        if lethal != NONE:
            move = lethal
        elif n > 1 and task == ADVANCE:
            break
        elif n > 1:
            root = search(rules, workspace, position, n_simulations)
            edge = select_edge(workspace, buffers, root, n_searched)
            move = workspace.edges[edge].action
            n_searched += 1
        play(rules, record, move, chance)
    return n_searched


@lean_kernel
def select_edge(workspace: SearchWorkspace, buffers: TrajectoryBuffers, root: int, number: int) -> int:
    """Return the edge to play after a search, the best or a sampled one, and record it as number `number`."""
    nodes, edges, options = workspace.nodes, workspace.edges, workspace.evaluator.options
    best = workspace.search.chosen if workspace.search.chosen != NONE else best_edge(nodes, edges, root)
    edge = sample_edge(nodes, edges, root, workspace.chance) if options.samples else best
    if number < len(buffers.notes):
        evaluator, fight = workspace.evaluator, workspace.states[root]
        observe(fight, evaluator.numbers, root, evaluator.inputs, options.policy, buffers.seen[number])
        write_shares(workspace, root, buffers.tried[number])
        note = buffers.notes[number]
        note.value = nodes[root].value
        note.death = nodes[root].loss
        note.stands = payoff_if_won_now(fight, options.payoff)
        note.best = edge == best
        note.move = edges[edge].action
    return edge


@lean_kernel
def write_shares(workspace: SearchWorkspace, root: int, shares: npt.NDArray[np.float32]) -> None:
    """Write each move's share of the visits of a root into `shares`; -1 for moves that are not legal."""
    edges, first, n = workspace.edges, workspace.nodes[root].first, workspace.nodes[root].n
    total = 0
    for edge in range(first, first + n):
        total += edges[edge].visits
    total = max(total, 1)
    for place in range(len(shares)):
        shares[place] = np.float32(-1.0)
    for edge in range(first, first + n):
        place = workspace.evaluator.options.output[edges[edge].action]
        shares[place] = max(shares[place], np.float32(0.0)) + np.float32(edges[edge].visits / total)
