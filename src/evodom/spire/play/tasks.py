"""Run one task of a search thread: search a position, advance a fight to its next decision, or play it to its end."""

from typing import Any

import numpy as np

from evodom.jit.kernel import lean_kernel
from evodom.jit.records import copy_words
from evodom.spire.engine.layout import LATE, NONE, PLAYING
from evodom.spire.engine.moves import legal, play
from evodom.spire.play.evaluation import payoff_if_won_now
from evodom.spire.play.network import observe
from evodom.spire.play.playouts import find_lethal_move
from evodom.spire.play.simulate import search
from evodom.spire.play.tree import best_edge, clear, sample_edge

SEARCH, ADVANCE, PLAY = range(3)
"""What `work` does: search a position, play a fight up to the next decision, or play it to its end."""


@lean_kernel
def run_task(
    rules: Any, room: Any, notebook: Any, fight: Any, position: Any, n_simulations: Any, task: Any, luck: Any
) -> Any:
    """Do a task with a fight, whose words are row 0 of `position`.

    SEARCH   search it, and return its node
    ADVANCE  play it up to the next move that is to be searched
    PLAY     play it to its end by searching; return the number of moves that were searched

    A fight of more moves than the tree allows is over. The fight itself has dice of its own, `luck`: what chance does
    in it is the same for whoever plays. A kill at no loss needs no search if the tree `finishes`. What is seen at each
    move, how often its moves were tried, and what came of it is noted as far as there is room. One kernel does all, for
    the sake of the time that compiling takes.
    """
    if task == SEARCH:
        return search(rules, room, position, n_simulations)
    tree, n_moves, n_played = room.tree, 0, 0
    if task == PLAY:
        clear(room)
    while fight.over == PLAYING:
        if n_played == tree.longest:
            fight.over = LATE
            break
        n_played += 1
        n = legal(rules, fight, tree.moves)
        move, sure = tree.moves[0], NONE
        if n > 1 and tree.finishes:
            copy_words(room.words, 0, position, 0)
            sure = find_lethal_move(rules, room)
        if sure != NONE:
            move = sure
        elif n > 1 and task == ADVANCE:
            break
        elif n > 1:
            root = search(rules, room, position, n_simulations)
            edge = chosen_edge(room, notebook, root, n_moves)
            move = room.edges[edge].move
            n_moves += 1
        play(rules, fight, move, luck)
    return n_moves


@lean_kernel
def chosen_edge(room: Any, notebook: Any, root: Any, number: Any) -> Any:
    """Return the edge to play after a search, the best or one that is drawn, and note it as number `number`."""
    nodes, edges, tree = room.nodes, room.edges, room.tree
    best = tree.chosen if tree.chosen != NONE else best_edge(nodes, edges, root)
    edge = sample_edge(nodes, edges, root, room.dice) if tree.varied else best
    if number < len(notebook.notes):
        observe(room.states[root], room.numbers, root, room.inputs, tree.habits, notebook.seen[number])
        note_shares(room, root, notebook.tried[number])
        note = notebook.notes[number]
        note.value = nodes[root].value
        note.death = nodes[root].death
        note.stands = payoff_if_won_now(room.states[root], tree.payoff)
        note.best = edge == best
        note.move = edges[edge].move
    return edge


@lean_kernel
def note_shares(room: Any, root: Any, shares: Any) -> None:
    """Write how often each move of a root was tried, as shares of 1, into `shares`; -1 for what is not legal."""
    edges, first, n = room.edges, room.nodes[root].first, room.nodes[root].n
    total = 0
    for edge in range(first, first + n):
        total += edges[edge].visits
    total = max(total, 1)
    for place in range(len(shares)):
        shares[place] = np.float32(-1.0)
    for edge in range(first, first + n):
        place = room.tree.output[edges[edge].move]
        shares[place] = max(shares[place], np.float32(0.0)) + np.float32(edges[edge].visits / total)
