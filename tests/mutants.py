"""The fault list: ways to break the rules, the strategies and the matches on purpose, each of which a test must catch.

    python -m tests.mutants              # all of them; exit code 1 if one survives
    python -m tests.mutants throne pass  # those whose description has one of these words

For each fault the sources are copied, one place is changed, and a part of the suite runs against the copy in plain
Python, the most telling file first, until a test fails. The old text has to occur exactly once in its file, so that a
row whose code has changed is noticed. The weekly workflow runs the list.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
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


UNCOMPILED = ("-m", "uncompiled")
CARDS = ("tests/rulings/test_cases.py", "tests/dominion/test_rules.py", *UNCOMPILED)
ENGINE = (*CARDS, "tests/dominion/test_perft.py")
STRATEGIES = ("tests/dominion/strategies", *UNCOMPILED)
SEATS = ("tests/matches/test_seating.py",)

TURN_FILE = "evodom/dominion/engine/turn.py"
RESOLVE = "evodom/dominion/engine/resolve.py"
STATE = "evodom/dominion/engine/state.py"
MOVES = "evodom/dominion/engine/moves.py"
RULES = "evodom/dominion/engine/rules.py"
PREFERENCES = "evodom/dominion/strategies/preferences/select.py"
BUY_LISTS = "evodom/dominion/strategies/buy_lists"
LOOKAHEAD = "evodom/dominion/strategies/lookahead.py"
CHOICES = "evodom/dominion/strategies/choices.py"

MUTANTS: tuple[Mutant, ...] = (
    # The turn.
    Mutant(TURN_FILE, "    state.buys -= 1\n", "", "a buy costs no Buy", CARDS),
    Mutant(TURN_FILE, "    state.coins -= cost_of(rules, state, choice)\n", "", "a buy costs no coins", CARDS),
    Mutant(TURN_FILE, "    state.actions -= 1\n", "", "playing an Action costs no Action", CARDS),
    Mutant(
        TURN_FILE, "    draw(state, seat, HAND_SIZE)\n", "    draw(state, seat, 4)\n", "four cards are drawn", CARDS
    ),
    Mutant(TURN_FILE, "state.n_empty >= rules.piles_to_end", "state.n_empty > 3", "four piles end the game", CARDS),
    Mutant(
        TURN_FILE,
        "next_seat = seat + 1 if seat + 1 < rules.n_seats else 0",
        "next_seat = seat - 1 if seat > 0 else rules.n_seats - 1",
        "the turn passes to the right",
        CARDS,
    ),
    Mutant(
        TURN_FILE,
        "due = state.bonus_piles & treasures & ~state.treasures_played",
        "due = state.bonus_piles & treasures",
        "a Merchant counts for every Silver",
        CARDS,
    ),
    Mutant(
        TURN_FILE,
        "ahead = vp_ahead if vp_ahead != 0 else fewer_turns",
        "ahead = vp_ahead if vp_ahead != 0 else -fewer_turns",
        "a tie goes to who took more turns",
        ("tests/matches/test_simulate.py", "tests/dominion/test_rules.py", *UNCOMPILED),
    ),
    Mutant(
        TURN_FILE,
        "(n_counted // rules.vp_per_n[pile])",
        "((n_counted + 1) // rules.vp_per_n[pile])",
        "Gardens are worth a point with nine cards",
        ENGINE,
    ),
    Mutant(STATE, "    state.buys = 1\n", "", "Buys are kept from turn to turn", CARDS),
    # Cards.
    Mutant(RESOLVE, "range(times - 1, -1, -1)", "range(0, -1, -1)", "Throne Room plays once", CARDS),
    Mutant(
        RESOLVE,
        "is_in_play(state, frame) and state.cards[Zone.IN_PLAY + seat, pile] > 0:",
        "True:",
        "a Feast played twice is trashed twice",
        CARDS,
    ),
    Mutant(
        RESOLVE,
        "rules.effects[effect, Column.SKIP_UNAFFECTED] != 0 and (state.unaffected >> seat) & 1 != 0",
        "False",
        "a Moat that is revealed does not help",
        CARDS,
    ),
    Mutant(
        RESOLVE,
        "range(rules.n_seats - 1, rules.effects[effect, Column.N] - 1, -1)",
        "range(rules.effects[effect, Column.N], rules.n_seats)",
        "an Attack goes round to the right",
        CARDS,
    ),
    Mutant(RESOLVE, "return max(in_source - n, 0)", "return in_source", "Militia takes the whole hand", CARDS),
    Mutant(
        RESOLVE,
        "cost_of(rules, state, state.chosen) + rules.effects[effect, Column.EXTRA_COST]",
        "cost_of(rules, state, state.chosen)",
        "Remodel gains nothing dearer",
        CARDS,
    ),
    Mutant(RESOLVE, "        n -= (mask >> pile) & 1\n", "        n -= 1\n", "Adventurer counts all cards", CARDS),
    Mutant(
        RESOLVE,
        "seat = player_of(state, frame)  # not",
        "pass  # not",
        "a Thief's victim gets its Treasure back",
        CARDS,
    ),
    Mutant(
        RESOLVE,
        "while state.n_cards[Zone.HAND + seat] < rules.effects[effect, Column.N]:",
        "while state.n_cards[Zone.HAND + seat] <= rules.effects[effect, Column.N]:",
        "Library draws up to eight cards",
        CARDS,
    ),
    Mutant(RESOLVE, "        legal |= PASS_BIT\n", "        pass\n", "what may be done must be done", CARDS),
    Mutant(
        "evodom/dominion/engine/effects.py",
        "skip_unaffected=effect.op == Op.EACH_PLAYER)",
        "skip_unaffected=False)",
        "Attacks do not heed Reactions",
        CARDS,
    ),
    # Cards in their places.
    Mutant(
        MOVES,
        "    if state.cards[Zone.SUPPLY, pile] == 0:\n        state.n_empty += 1\n",
        "",
        "an emptied pile is not counted as empty",
        ENGINE,
    ),
    Mutant(
        MOVES,
        "    state.owned[seat, pile] += 1\n    put_in_zone(",
        "    put_in_zone(",
        "who gains a card does not own it",
        ENGINE,
    ),
    Mutant(
        MOVES,
        "state.known[seat, state.n_known[seat]] = pile",
        "state.known[seat, 0] = pile",
        "of two cards put back the second replaces the first",
        ENGINE,
    ),
    Mutant(
        MOVES,
        "n -= state.unseen_above[seat, index - 1] + 1",
        "n -= state.unseen_above[seat, index - 1]",
        "a card put deep into a deck lies one card too deep for each known card above it",
        ("tests/dominion/test_drawing.py", *ENGINE),
    ),
    Mutant(
        MOVES,
        "        if rules.n_seats > 2:\n            note_pass",
        "        if rules.n_seats > 6:\n            note_pass",
        "all players see which card is passed",
        ("tests/dominion/test_redeal.py",),
    ),
    Mutant(
        MOVES,
        "nth = random_below(state.deck_streams, seat, size - drawn)",
        "nth = random_below(state.deck_streams, seat, (size - drawn) // 2 + 1)",
        "cards of the first piles are drawn more often",
        ("tests/dominion/test_drawing.py::test_a_draw_from_the_deck_is_hypergeometric",),
    ),
    Mutant(
        "evodom/jit/kernel.py",
        "while (product & _LOW_32) < threshold:",
        "while False:",
        "random numbers below n are not rejected where they must be",
        ("tests/jit/test_kernel.py", *UNCOMPILED),
    ),
    Mutant(RULES, "victory = 8 if n_seats == 2 else 12", "victory = 12", "two play with twelve Provinces", ENGINE),
    Mutant(
        "evodom/dominion/engine/redeal.py",
        "if owner != viewer:\n            collect",
        "if owner == viewer:\n            collect",
        "a redeal changes the hand that a seat sees",
        ("tests/dominion/test_redeal.py",),
    ),
    # Strategies.
    Mutant(
        "evodom/dominion/strategies/choices.py",
        "            point -= weights[pile]\n",
        "            point -= total\n",
        "of what can be bought the first pile is bought",
        STRATEGIES,
    ),
    Mutant(
        PREFERENCES,
        "return PASS if wanted == 0 else sample_or_pass(state, weights, pass_weight, wanted)",
        "return PASS if wanted == 0 else sample_preferred(state, weights, wanted)",
        "a preference to pass is forgotten",
        STRATEGIES,
    ),
    Mutant(
        "evodom/dominion/strategies/lookahead.py",
        "state.owned[seat, pile] >= wants.limits[pile]",
        "state.owned[seat, pile] > wants.limits[pile]",
        "one card more than the limit is bought",
        STRATEGIES,
    ),
    Mutant(
        LOOKAHEAD,
        "            ahead = state.turns[other] - state.turns[seat]\n",
        "            ahead = 0\n",
        "looking ahead forgets that fewer turns win a tie",
        STRATEGIES,
    ),
    Mutant(
        f"{BUY_LISTS}/buying.py",
        ">= lists.bounds[rule, layout.OWNED_BELOW]",
        "> lists.bounds[rule, layout.OWNED_BELOW]",
        "a buy list buys one card too many",
        STRATEGIES,
    ),
    Mutant(
        f"{BUY_LISTS}/buying.py",
        "if lists.endgame_check != 0:",
        "if False:",
        "a buy list ends games that it loses",
        STRATEGIES,
    ),
    Mutant(
        CHOICES,
        "if difference < 0 or (difference == 0 and",
        "if difference > 0 or (difference == 0 and",
        "the best card of a hand is discarded",
        STRATEGIES,
    ),
    Mutant(CHOICES, "coins - rules.coins[pile] >= floor", "True", "all Treasures are trashed", STRATEGIES),
    # Matches.
    Mutant(
        TURN_FILE,
        "- 0.5 * (n_equal + 1)",
        "- n_equal",
        "a tie with an opponent is worth nothing",
        ("tests/matches/test_simulate.py", *UNCOMPILED),
    ),
    Mutant(
        "evodom/matches/seating.py",
        "np.arange(n_games)[:, None]) % n_seats",
        "np.zeros(n_games, int)[:, None]) % n_seats",
        "nobody changes seats",
        SEATS,
    ),
    Mutant(
        "evodom/matches/seating.py",
        "return np.tile(-np.arange(n_games) % n_seats, n_groups)",
        "return np.tile(np.arange(n_games) % n_seats, n_groups)",
        "the first of a group is looked for in the wrong seat",
        SEATS,
    ),
    Mutant(
        "evodom/matches/results.py",
        "copies = mine.sum(axis=1)",
        "copies = np.ones(len(mine))",
        "the points of copies are added up",
        ("tests/matches/test_results.py",),
    ),
)


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
        "NUMBA_DISABLE_JIT": "1",
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
