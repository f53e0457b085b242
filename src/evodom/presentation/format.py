"""Format numbers, intervals and names for every output: text, page and CSV share them."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from evodom.matches.mistakes import Mistake

MISSING = "-"

MAX_NAME_LENGTH = 20
"""Maximum number of characters of a strategy's name in a table."""

NO_BREAK = "\N{NO-BREAK SPACE}"

NO_BREAK_HYPHEN = "\N{NON-BREAKING HYPHEN}"


class Estimated(Protocol):
    """A number with its confidence interval: a share of games, or an estimated mean."""

    @property
    def value(self) -> float:
        """The estimate."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""

    @property
    def high(self) -> float:
        """The upper end of the interval."""


def percent(share: float | Fraction | None, digits: int = 1) -> str:
    """Return a share in per cent, without the sign, or a dash for None."""
    return MISSING if share is None else f"{100 * float(share):z.{digits}f}"


def decimal(value: float | Fraction | None, digits: int) -> str:
    """Return a number with ``digits`` decimals, or a dash for None."""
    return MISSING if value is None else f"{float(value):z.{digits}f}"


def counted(n: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def with_interval(estimate: Estimated) -> str:
    """Return a share and its interval, in per cent."""
    return f"{percent(estimate.value)} ({interval(percent(estimate.low), percent(estimate.high))})"


def share_text(share: Estimated) -> str:
    """Return a share and its interval in words: "60.1 % (58.9 to 61.3)"."""
    return f"{percent(share.value)} % ({percent(share.low)} to {percent(share.high)})"


def mean_text(mean: Estimated) -> str:
    """Return a mean and its interval in words: "53.0 (51.2 to 54.8)"."""
    return f"{mean.value:z.1f} ({mean.low:z.1f} to {mean.high:z.1f})"


def interval_json(estimate: Estimated) -> dict[str, float]:
    """Return an estimate and its interval as plain JSON types."""
    return {"mean": estimate.value, "low": estimate.low, "high": estimate.high}


def interval(low: str, high: str) -> str:
    """Return two formatted ends of an interval: "58.9-61.3", or "-1.2 to 3.4" if one is negative."""
    return f"{low} to {high}" if low.startswith("-") or high.startswith("-") else f"{low}-{high}"


def joined(items: Iterable[str]) -> str:
    """Join items with commas into a text that is wrapped only between them."""
    return ", ".join(item.replace(" ", NO_BREAK) for item in items)


def clipped(text: str, width: int) -> str:
    """Return a text cut to ``width``. Dots mark the cut."""
    return text if len(text) <= width else text[: width - 3] + "..."


def short_name(name: str) -> str:
    """Return the name of a strategy for a table. A long name is shortened in the middle."""
    half = MAX_NAME_LENGTH // 2 - 1
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[:half]}..{name[-half:]}"


def mistake_text(mistake: "Mistake", loss: str) -> str:
    """Return a mistake and its loss as text: "turn 9, $6: Gold 41 %, better Laboratory 47 % (6.0 ± 1.0 points)"."""
    where = f"${mistake.coins}" if mistake.coins is not None else mistake.title
    chosen, better = (f"{percent(share, 0)} %" for share in (mistake.share, mistake.best_share))
    return f"turn {mistake.turn}, {where}: {mistake.choice} {chosen}, better {mistake.best} {better} ({loss})"
