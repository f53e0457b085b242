"""What solving fights needs compiled."""

from evodom.distribution import certain
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.rules import Setup
from evodom.spire.solver.solver import Solver


def compile_solver() -> None:
    """Compile the kernels of the solver, or see that the cache has them."""
    setup = Setup(enemies=certain(("Cultist",)), enemy_hp=(6,), deck={"Strike": 1}, hp=1)
    Solver(SpireFight(setup)).fight()
