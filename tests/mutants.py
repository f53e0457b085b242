"""The fault list: ways to break the program on purpose, each of which a test of the quick tier must catch.

    python -m tests.mutants              # all of them; exit code 1 if one survives
    python -m tests.mutants throne pass  # those whose description has one of these words

For each fault the sources are copied, one place is changed, and a part of the suite runs against the copy until a test
fails. The engine and the strategies run in plain Python, other packages compiled. The old text has to occur exactly
once in its file, so that a row whose code has changed is noticed. The weekly workflow runs the list.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src"

LIMIT = 900
"""Seconds after which a run counts as caught: a fault may make games endless."""

TESTS_FAILED = 1
"""The exit code of pytest that means a failed test; any other but 0 means that the run itself went wrong."""


@dataclass(frozen=True)
class Mutant:
    """One fault: in `file`, `old` becomes `new`; `what` it breaks; the tests that have to catch it."""

    file: str
    old: str
    new: str
    what: str
    tests: tuple[str, ...]
    is_compiled: bool = False


UNCOMPILED = ("-m", "uncompiled")
CARDS = ("tests/rulings/test_cases.py", "tests/dominion/test_rules.py", *UNCOMPILED)
ENGINE = (*CARDS, "tests/dominion/test_perft.py")

TESTS = {
    "CARDS": CARDS,
    "ENGINE": ENGINE,
    "DRAW": ("tests/dominion/test_drawing.py",),
    "DRAWING": ("tests/dominion/test_drawing.py", *ENGINE),
    "KERNEL": ("tests/jit/test_kernel.py", *UNCOMPILED),
    "REDEAL": ("tests/dominion/test_redeal.py",),
    "RESULTS": ("tests/matches/test_results.py",),
    "SEATS": ("tests/matches/test_seating.py",),
    "SIMULATE": ("tests/matches/test_simulate.py", "tests/dominion/test_rules.py", *UNCOMPILED),
    "STRATEGIES": ("tests/dominion/strategies", *UNCOMPILED),
}

COMPILED = {
    "EVOLUTION": tuple(f"tests/evolution/test_{name}.py" for name in ("algorithm", "archive", "history", "run")),
    "HISTORY": ("tests/evolution/test_history.py",),
    "RUNS": ("tests/runs/test_runs.py",),
    "WEB": tuple(f"tests/web/test_{name}.py" for name in ("guard", "tasks")),
    "SOLVER": tuple(f"tests/spire/solver/test_{name}.py" for name in ("dominance", "solver", "random_states")),
}
"""Tests that run compiled: of plain Python that plays many games, or of the solver."""

FAULTS = """
# The turn.
dominion/engine/turn.py CARDS a buy costs no Buy
-    state.buys -= 1
dominion/engine/turn.py CARDS a buy costs no coins
-    state.coins -= cost_of(rules, state, choice)
dominion/engine/turn.py CARDS playing an Action costs no Action
-    state.actions -= 1
dominion/engine/turn.py CARDS four cards are drawn
-    draw(state, seat, HAND_SIZE)
+    draw(state, seat, 4)
dominion/engine/turn.py CARDS four piles end the game
-state.n_empty >= rules.piles_to_end
+state.n_empty > 3
dominion/engine/turn.py CARDS the turn passes to the right
-end_turn(rules, state, seat + 1 if seat + 1 < rules.n_seats else 0, 0)
+end_turn(rules, state, seat - 1 if seat > 0 else rules.n_seats - 1, 0)
dominion/engine/resolve.py CARDS a Merchant counts for every Silver
-due = state.bonus_piles & treasures & ~state.treasures_played
+due = state.bonus_piles & treasures
dominion/engine/turn.py SIMULATE a tie goes to who took more turns
-ahead = vp_ahead if vp_ahead != 0 else fewer_turns
+ahead = vp_ahead if vp_ahead != 0 else -fewer_turns
dominion/engine/turn.py ENGINE Gardens are worth a point with nine cards
-(n_counted // rules.vp_per_n[pile])
+((n_counted + 1) // rules.vp_per_n[pile])
dominion/engine/state.py CARDS Buys are kept from turn to turn
-    state.buys = 1

# Cards.
dominion/engine/resolve.py CARDS Throne Room plays once
-range(times - 1, -1, -1)
+range(0, -1, -1)
dominion/engine/expansions.py CARDS a Feast played twice is trashed twice
-if not moves.is_in_place(state, frame):
+if False:
dominion/engine/resolve.py CARDS a Moat that is revealed does not help
-rules.effects[effect, Column.SKIP_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0
+False
dominion/engine/resolve.py CARDS an Attack goes round to the right
-range(rules.n_seats - 1, rules.effects[effect, Column.N] - 1, -1)
+range(rules.effects[effect, Column.N], rules.n_seats)
dominion/engine/choices.py CARDS Militia takes the whole hand
-return max(in_source - n, 0)
+return in_source
dominion/engine/choices.py CARDS Remodel gains nothing dearer
-        limit += rules.effects[effect, Column.EXTRA_COST]
dominion/engine/resolve.py CARDS Adventurer counts all cards
-        n -= (mask >> pile) & 1
+        n -= 1
dominion/engine/choices.py CARDS a Thief's victim gets its Treasure back
-seat = player_of(state, frame)  # not
+pass  # not
dominion/engine/resolve.py CARDS Library draws up to eight cards
-while state.n_cards[Zone.HAND + seat] < rules.effects[effect, Column.N]:
+while state.n_cards[Zone.HAND + seat] <= rules.effects[effect, Column.N]:
dominion/engine/choices.py CARDS what may be done must be done
-        legal |= PASS_BIT
+        pass
dominion/effects/effect.py CARDS Attacks do not heed Reactions
-skip_unaffected=effect.op == Op.EACH_PLAYER)
+skip_unaffected=False)

# Cards in their places.
dominion/engine/moves.py ENGINE an emptied pile is not counted as empty
-    if state.cards[Zone.SUPPLY, pile] == 0:
-        state.n_empty += 1
dominion/engine/moves.py ENGINE who gains a card does not own it
-    state.owned[seat, pile] += 1
-    put_in_zone(
+    put_in_zone(
dominion/engine/moves.py ENGINE of two cards put back the second replaces the first
-state.known[seat, state.n_known[seat]] = pile
+state.known[seat, 0] = pile
dominion/engine/menu.py DRAWING a card put deep into a deck lies one card too deep for each known card above it
-n -= state.unseen_above[seat, index - 1] + 1
+n -= state.unseen_above[seat, index - 1]
dominion/engine/menu.py REDEAL all players see which card is passed
-        if rules.n_seats > 2:
-            record_pass
+        if rules.n_seats > 6:
+            record_pass
dominion/engine/moves.py DRAW cards of the first piles are drawn more often
-nth = random_below(state.deck_streams, seat, size - n_drawn)
+nth = random_below(state.deck_streams, seat, (size - n_drawn) // 2 + 1)
jit/kernel.py KERNEL random numbers below n are not rejected where they must be
-while (product & _LOW_32) < threshold:
+while False:
dominion/engine/compiler.py ENGINE two play with twelve Provinces
-victory = 8 if n_seats == 2 else 12
+victory = 12
dominion/engine/redeal.py REDEAL a redeal changes the hand that a seat sees
-if owner != viewer:
-            collect
+if owner == viewer:
+            collect

# Strategies.
dominion/strategies/play/pick.py STRATEGIES of what can be bought the first pile is bought
-            point -= weights[pile]
+            point -= total
dominion/strategies/models/preferences/select.py STRATEGIES a preference to pass is forgotten
-return PASS if wanted == 0 else pick.sample_or_pass(state, weights, pass_weight, wanted)
+return PASS if wanted == 0 else pick.sample_preferred(state, weights, wanted)
dominion/strategies/play/wanted.py STRATEGIES one card more than the limit is bought
-state.owned[seat, pile] >= wants.limits[pile]
+state.owned[seat, pile] > wants.limits[pile]
dominion/strategies/play/lookahead.py STRATEGIES looking ahead forgets that fewer turns win a tie
-(2 * MAX_TURNS) - state.turns[seat]
+(2 * MAX_TURNS)
dominion/strategies/models/buy_lists/buying.py STRATEGIES a buy list buys one card too many
->= lists.bounds[rule, layout.OWNED_BELOW]
+> lists.bounds[rule, layout.OWNED_BELOW]
dominion/strategies/models/buy_lists/buying.py STRATEGIES a buy list ends games that it loses
-if lists.endgame_check != 0:
+if False:
dominion/strategies/play/choices.py STRATEGIES the best card of a hand is discarded
-LOWEST, HIGHEST = -1.0, 1.0
+LOWEST, HIGHEST = 1.0, -1.0
dominion/strategies/play/wasted.py STRATEGIES a hand is discarded before other Actions are played
-return others == 0 or first != 0 or
+return others == 0 or
dominion/strategies/play/treasures.py STRATEGIES a Mint trashes Treasures that it does not need
-kept = treasures_saved_from_trash(rules, state, strategy)
+kept = np.int64(0)
dominion/strategies/play/choices.py STRATEGIES all Treasures are trashed
-coins - rules.coins[pile] >= floor
+True

# Matches.
dominion/engine/turn.py SIMULATE a tie with an opponent is worth nothing
-- 0.5 * (n_equal + 1)
+- n_equal
matches/seating.py SEATS nobody changes seats
-np.arange(n_games)[:, None]) % n_seats
+np.zeros(n_games, int)[:, None]) % n_seats
matches/results.py RESULTS the points of copies are added up
-copies = mine.sum(axis=1)
+copies = np.ones(len(mine))

# Evolution.
evolution/archive.py EVOLUTION two lines of a cell survive
-(line.cell not in cells and line.strength >= MIN_STRENGTH_SHARE * highest)
+line.strength >= MIN_STRENGTH_SHARE * highest
evolution/algorithm.py EVOLUTION the hall of fame keeps its oldest champions
-parents.ranked[:1]])[-self.options.hall :]
+parents.ranked[:1]])[: self.options.hall]
evolution/algorithm.py EVOLUTION a resumed run has the present champion in the hall of fame
-for number in range(index) if enters_hall(number)
+for number in range(index + 1) if enters_hall(number)
evolution/ranking.py EVOLUTION those that leave a race first are ranked before those that leave later
-*reversed(dropped)
+*dropped
evolution/ranking.py EVOLUTION a protected genome is ranked twice, and another is lost
-others = order[~np.isin(order, candidates)]
+others = order[len(candidates) :]

# Saved runs.
runs/run.py HISTORY earlier generations are not replaced
-            run_file.replace_rows(self._connection, self._part, replacements)
runs/run.py RUNS an earlier part keeps its generations
-for table in ("run", "generation"):
+for table in ("run",):
runs/file.py RUNS damaged genomes are read
-if _checksum(summary, description, rows) != checksum:
+if False:
runs/store.py RUNS keys that differ in case have different locks
-{split_key(key)[0].lower()}.lock
+{split_key(key)[0]}.lock
runs/store.py RUNS a run is deleted while another process writes it
-with self._lock(key), run_file.convert_errors(path):
+with run_file.convert_errors(path):

# The server.
web/guard.py WEB pages of the same site may send requests
-("cross-site", "same-site")
+("cross-site",)
web/guard.py WEB any address in a Host header is accepted
-address.is_loopback or not is_local(listening)
+True
web/guard.py WEB a request without a length may have any
-if n_bytes > LARGEST_BODY:
+if False:
web/tasks.py WEB a second task begins while one runs
-            if task.state == RUNNING:
-                raise Conflict(f"the
+            if False:
+                raise Conflict(f"the
web/tasks.py WEB a task of another server is shown as stopped
-if task.state == RUNNING and self._owned:
+if task.state == RUNNING:

# The solver of fights.
spire/solver/sweep.py SOLVER potions cost nothing
-if edge.potions_used > 0:
+if False:
spire/solver/dominance.py SOLVER a plan with less Block is no worse
-    if fight.block[at.PLAYER] < other.block[at.PLAYER]:
-        return False
spire/solver/dominance.py SOLVER fights with Feed have one value for all HP
-        or rules.feed_max_hp
spire/solver/sweep.py SOLVER the results have no deaths
-            else:
-                solution.end_probability[0, 0] += part
spire/solver/dominance.py SOLVER a position with Regeneration has one value for all HP
-of_fight.hp_independent and not heals,
+of_fight.hp_independent,
"""
"""A fault has a line with its file, the name of its tests and what it breaks; then the old text and the new text.

Without a new text the lines of the old text are deleted.
"""


def mutants(table: str) -> Iterator[Mutant]:
    """Yield the faults of a table."""
    for head, changes in re.findall(r"^([a-z].*)\n((?:[-+].*\n)+)", table, re.MULTILINE):
        file, tests, what = head.split(" ", 2)
        old, new = ("\n".join(re.findall(rf"^\{sign}(.*)", changes, re.MULTILINE)) for sign in "-+")
        yield Mutant(
            f"evodom/{file}", old if new else f"{old}\n", new, what, (TESTS | COMPILED)[tests], tests in COMPILED
        )


MUTANTS = list(mutants(FAULTS))


def main(words: Sequence[str]) -> int:
    """Try the faults that have one of the words in their description, or all; return the exit code."""
    chosen = [mutant for mutant in MUTANTS if not words or any(word in mutant.what for word in words)]
    begin = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count() or 1) as executor:
        verdicts = list(executor.map(tell, chosen))
    survivors = [mutant.what for mutant, caught in zip(chosen, verdicts, strict=True) if not caught]
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} caught in {time.perf_counter() - begin:.0f} s")
    return 1 if survivors else 0


def tell(mutant: Mutant) -> bool:
    """Try a fault, print what came of it, and return whether it was caught."""
    begin = time.perf_counter()
    caught, by = is_caught(mutant)
    print(
        f"{'caught  ' if caught else 'SURVIVED'} {time.perf_counter() - begin:4.0f} s  {mutant.what}  {by}", flush=True
    )
    return caught


def is_caught(mutant: Mutant) -> tuple[bool, str]:
    """Return whether the tests fail on a copy of the sources with the fault, and which test did."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
        break_file(copy / mutant.file, mutant.old, mutant.new)
        try:
            done = run_tests(mutant, copy)
        except subprocess.TimeoutExpired:
            return True, "(endless)"
    if done.returncode not in (0, TESTS_FAILED):
        raise RuntimeError(
            f"the tests for '{mutant.what}' could not be run:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    return done.returncode == TESTS_FAILED, "".join(failed[:1]).partition(" - ")[0]


def break_file(path: Path, old: str, new: str) -> None:
    """Replace the one place where a file has a text."""
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{path.name} has {text.count(old)} places with {old!r}; a fault needs exactly one.")
    path.write_text(text.replace(old, new), encoding="utf-8")


def run_tests(mutant: Mutant, sources: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a fault until the first fails, against these sources."""
    # The path comes before that of an installed evodom; make sure that it did.
    code = (
        "import sys, pytest, evodom; "
        f"assert evodom.__file__.startswith({str(sources)!r}), evodom.__file__; "
        "sys.exit(pytest.main(sys.argv[1:]))"
    )
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(sources), str(ROOT), os.environ.get("PYTHONPATH", ""))),
        "NUMBA_DISABLE_JIT": str(int(not mutant.is_compiled)),
    }
    options = ("--exitfirst", "--numprocesses=0", "-p", "no:cacheprovider", "-rf", "--tb=no")
    return subprocess.run(
        [sys.executable, "-c", code, *options, *mutant.tests],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
