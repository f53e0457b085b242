"""Solve fights in floats, or in fractions, and print what that takes.

    python benchmarks/spire_solver.py                    the fights of docs/results/fights.md, in floats
    python benchmarks/spire_solver.py --exact            those with fractions, in fractions
    python benchmarks/spire_solver.py --only nob+pommel  one of them

Times are processor seconds of this process, compiling left out. Ascension 20, no relics, where nothing else is said.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable

from evodom.distribution import certain
from evodom.kernel_groups import load_groups
from evodom.solving import Limits
from evodom.spire.content.cards import ironclad
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.solver.answer import SolverLimits
from evodom.spire.solver.solver import Solver

DECK = ironclad(20)[2]
UPGRADED = Counter({"Strike": 5, "Defend": 4, "Bash+": 1})
LOUSES = ("Red Louse", "Green Louse")
SLIMES = ("Spike Slime (S)", "Acid Slime (M)")

FIGHTS = {
    "cultist": (("Cultist",), {}),
    "nob": (("Gremlin Nob",), {}),
    "nob80": (("Gremlin Nob",), {"deck": UPGRADED, "hp": 80, "max_hp": 80}),
    "lagavulin": (("Lagavulin",), {}),
    "jaw-worm": (("Jaw Worm",), {}),
    "nob+pommel": (("Gremlin Nob",), {"deck": DECK + Counter(["Pommel Strike"])}),
    "nob+pommel+shrug": (("Gremlin Nob",), {"deck": DECK + Counter(["Pommel Strike", "Shrug It Off"])}),
    "louses-2-turns": (LOUSES, {"enemy_hp": (12, 13), "max_turns": 2}),
    "louses-3-turns": (LOUSES, {"enemy_hp": (12, 13), "max_turns": 3}),
    "slimes-3-turns": (SLIMES, {"enemy_hp": (12, 30), "max_turns": 3}),
}
"""The fights by a short name: enemies, and what is not as at the start of a run."""

EXACT = ("cultist", "nob", "nob80", "lagavulin", "jaw-worm")


def timed(act: Callable[[], str]) -> str:
    """Do something, and return what it tells, after how long it took."""
    begin = time.process_time()
    told = act()
    return f"{time.process_time() - begin:8.2f} s  {told}"


def solved(name: str, memory: int | None, *, fractions: bool) -> str:
    """Solve a fight."""
    enemies, options = FIGHTS[name]
    game = SpireFight(Setup(enemies=certain(enemies), relics=(), **options))
    found = Solver(game, limits=SolverLimits(memory=memory), fractions=fractions).solve()
    effort = found.effort
    most = "" if found.upper_bound is None else f" to {found.upper_bound:.5f}"
    return (
        f"{found.value:.7f}{most}  {effort.states:,} states, {effort.chance_nodes:,} draws, "
        f"{effort.decisions:,} hands, {effort.moves:,} moves, {effort.memory / 2**20:,.0f} MiB, "
        f"{effort.memory / effort.states:.1f} bytes a state"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=FIGHTS)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--memory", type=float, metavar="GIB")
    options = parser.parse_args()
    memory = int(options.memory * 2**30) if options.memory else Limits().memory
    load_groups("solver")
    for name in [options.only] if options.only else EXACT if options.exact else FIGHTS:
        print(f"{name:18} {timed(lambda name=name: solved(name, memory, fractions=options.exact))}", flush=True)


if __name__ == "__main__":
    main()
