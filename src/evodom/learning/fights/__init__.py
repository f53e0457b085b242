"""Train networks for fights by self-play. This module has the settings of runs and of the learning algorithm."""

from __future__ import annotations


from typing import TYPE_CHECKING
from typing import Annotated, Self
from msgspec import Meta, to_builtins
from evodom.errors import UsageError
from evodom.options import OptionStruct, option, settings_in
from evodom.reading import convert
from evodom.spire.embedding import WIDTH
from evodom.spire.play import WIDTHS


if TYPE_CHECKING:
    from evodom.runs import Run
    from evodom.spire.play.network import Network
    from evodom.spire.play.searcher import FightSearchOptions


KIND = "fights"
"""Value of "kind" in the meta of these runs."""

ACT = "act1"  # Value of --network for the shipped network of act 1.
UNTRAINED = "none"  # Value of --network for a new network.


def is_for_fights(run: Run) -> bool:
    """Return whether a run trains a network for fights."""
    return run.meta.get("kind") == KIND


Share = Annotated[float, Meta(ge=0, le=1)]
LossWeight = Annotated[float, Meta(ge=0, le=1e6)]


class Recipe(OptionStruct, frozen=True, kw_only=True):
    """Settings of learning. docs/reference/fight-networks.md has the measurements behind ``exploration``."""

    exploration: Annotated[float, Meta(ge=0, le=1e6)] = 0.3
    """`c_puct` of searches with a network."""
    noise: Share = 0.25
    """Weight of the noise in the root's priors, in varied games."""
    varied: Share = 0.8
    """Share of varied games, whose moves are sampled in proportion to the visit counts."""
    played_out: Annotated[int, Meta(ge=0, le=10_000)] = 4
    """Number of iterations, from the first on, whose searches evaluate leaves by playouts instead of a network."""
    window: Annotated[int, Meta(ge=1, le=10_000)] = 8
    """Size of the replay window, in iterations."""
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 1
    batch: Annotated[int, Meta(ge=1, le=1_000_000)] = 128
    rate: tuple[Share, Share] = (0.002, 0.0002)
    """First and last learning rate."""
    shares: tuple[LossWeight, LossWeight, LossWeight] = (1.0, 20.0, 0.2)
    """Weights of the losses: moves, gain, death."""
    trace: Share = 0.5
    """Lambda of TD(lambda): weight of later values in the target of a position. The rest is the search's value."""

    def search_options(self, by_playouts: bool, simulations: int, network: Network) -> FightSearchOptions:
        """Return the options of the search, with playouts or with a network."""
        from evodom.spire.play.searcher import FightSearchOptions

        if by_playouts:
            return FightSearchOptions(simulations)
        return FightSearchOptions(simulations, self.exploration, network=network)


RECIPES = {UNTRAINED: Recipe(), ACT: Recipe(played_out=0)}
"""Default recipes by initial network."""


class FightOptions(OptionStruct, frozen=True):
    """Settings of a training. `fights` has texts of fight files. `begin` is the initial network, ACT or UNTRAINED."""

    fights: tuple[str, ...] = ()
    iterations: Annotated[
        int, option("--iterations", "Iterations: games of self-play, then learning from them.", ge=1, le=10_000)
    ] = 20
    games: Annotated[int, option("--iteration-games", "Games of an iteration.", ge=2, le=100_000)] = 200
    simulations: Annotated[int, option("--simulations", "Simulations a move.", ge=2, le=100_000)] = 100
    width: Annotated[int, option("--width", "Width of the two hidden layers.", ge=WIDTHS.start, le=WIDTHS.stop - 1)] = (
        WIDTH
    )
    recipe: Recipe = Recipe()
    begin: Annotated[
        str,
        option(
            "--network",
            "Initial network: the packaged network of act 1, or an untrained network.",
            choices=(ACT, UNTRAINED),
            default_text=ACT,
        ),
    ] = UNTRAINED

    def __post_init__(self) -> None:
        """Raise UsageError for a number that is not allowed."""
        super().__post_init__()
        if self.begin == ACT and self.width != WIDTH:
            raise UsageError(
                f"--width is {WIDTH} for a training that begins as the network of act 1, got {self.width}. "
                f"Or begin with an untrained network: --network {UNTRAINED}"
            )

    def to_json(self) -> dict[str, object]:
        """Return the settings as plain JSON types."""
        plain: dict[str, object] = to_builtins(self)
        return plain

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Return saved settings. Raise UsageError for unknown or missing entries and for wrong types or sizes."""
        known = settings_in(saved, cls.__struct_fields__)
        settings_in(known["recipe"], Recipe.__struct_fields__)
        if not known["fights"]:
            raise UsageError("fights is empty")
        return convert(known, cls)
