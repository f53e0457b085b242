"""Networks for fights, trained by self-play: the kind of their runs, their options, and how they learn."""

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
"""Marks a run of this kind."""

ACT, WITHOUT = "act1", "none"
"""What is named in place of the key of a training: the network of act 1 that comes with evodom, or none."""


def is_for_fights(run: Run) -> bool:
    """Tell whether a run is a training for fights."""
    return run.meta.get("kind") == KIND


Share = Annotated[float, Meta(ge=0, le=1)]
LossWeight = Annotated[float, Meta(ge=0, le=1e6)]


class Recipe(OptionStruct, frozen=True, kw_only=True):
    """How a network learns. The exploration was found by measuring (docs/fights.md)."""

    exploration: Annotated[float, Meta(ge=0, le=1e6)] = 0.3
    noise: Share = 0.25
    """The share of noise in the priors of the root, in games that are varied."""
    varied: Share = 0.8
    """The share of the games in which moves are played in proportion to their visits."""
    played_out: Annotated[int, Meta(ge=0, le=10_000)] = 4
    """So many iterations begin without a network: positions are played out."""
    window: Annotated[int, Meta(ge=1, le=10_000)] = 8
    """Learn from the games of so many iterations."""
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 1
    batch: Annotated[int, Meta(ge=1, le=1_000_000)] = 128
    rate: tuple[Share, Share] = (0.002, 0.0002)
    """The learning rate falls from the first to the last."""
    shares: tuple[LossWeight, LossWeight, LossWeight] = (1.0, 20.0, 0.2)
    """The weights of the losses: moves, gain, death."""
    trace: Share = 0.5
    """How much the value of a position is what came later, and not what the search found of it."""

    def search_options(self, by_playouts: bool, simulations: int, network: Network) -> FightSearchOptions:
        """Return how moves are searched: by playouts, else with a network."""
        from evodom.spire.play.searcher import FightSearchOptions

        if by_playouts:
            return FightSearchOptions(simulations)
        return FightSearchOptions(simulations, self.exploration, network=network)


RECIPES = {WITHOUT: Recipe(), ACT: Recipe(played_out=0)}
"""How a network learns as a rule, by what it begins as."""


class FightOptions(OptionStruct, frozen=True):
    """What a training was asked for: the fights as TOML, iterations, games of each, simulations a move, the width.

    `begin` is what the network begins as: ACT, or WITHOUT, which knows nothing.
    """

    fights: tuple[str, ...] = ()
    iterations: Annotated[
        int, option("--iterations", "How often it plays, and learns from its games.", ge=1, le=10_000)
    ] = 20
    games: Annotated[int, option("--games", "Games of an iteration.", ge=2, le=100_000)] = 200
    simulations: Annotated[int, option("--simulations", "Simulations a move.", ge=2, le=100_000)] = 100
    width: Annotated[int, option("--width", "Width of the two hidden layers.", ge=WIDTHS.start, le=WIDTHS.stop - 1)] = (
        WIDTH
    )
    recipe: Recipe = Recipe()
    begin: Annotated[
        str,
        option(
            "--network",
            "Begin as the network of act 1 that comes with evodom, or as one that knows nothing.",
            choices=(ACT, WITHOUT),
            default_text=ACT,
        ),
    ] = WITHOUT

    def __post_init__(self) -> None:
        """Check the numbers; UsageError for one that is not allowed."""
        super().__post_init__()
        if self.begin == ACT and self.width != WIDTH:
            raise UsageError(
                f"--width is {WIDTH} for a training that begins as the network of act 1, got {self.width}. "
                f"Begin with nothing: --network {WITHOUT}"
            )

    def to_json(self) -> dict[str, object]:
        """Return the settings as plain JSON types."""
        plain: dict[str, object] = to_builtins(self)
        return plain

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Read saved settings; raises UsageError for what is unknown, missing, or of the wrong kind or size."""
        known = settings_in(saved, (name for name in cls.__struct_fields__ if name != "begin"))
        settings_in(known["recipe"], Recipe.__struct_fields__)
        if not known["fights"]:
            raise UsageError("fights is empty")
        return convert(known, cls)
