"""What solving fights of Slay the Spire needs compiled, in two halves: neither needs what the other is at."""

from evodom.jit.kernel import compile_halves
from evodom.spire.engine.compiling import compile_engine
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import Setup
from evodom.spire.solver.solver import Solver


def compile_solver() -> None:
    """Compile the kernels of the solver and the engine, or see that the cache has them."""
    compile_halves(compile_work, compile_engine)


def compile_work() -> None:
    """Compile what builds and solves the graph of a fight."""
    Solver(SpireFight(Setup())).prepare()
