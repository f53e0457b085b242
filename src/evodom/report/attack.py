"""How well a champion can be exploited: what a learner reaches that is set on it for so many games.

The result is saved with the run, so that the next report need not learn again.
"""

from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from evodom import __version__
from evodom.dominion.history import RULES
from evodom.dominion.strategies.model import Strategy
from evodom.dominion.strategies.networks.memory import weights_of
from evodom.dominion.strategies.networks.records import network_record
from evodom.dominion.strategies.registry import was_learned
from evodom.errors import RunError
from evodom.learning.reply import attack
from evodom.learning.shipped import preferred_weights
from evodom.matches.seating import whole_rounds
from evodom.matches.venue import Venue
from evodom.report.layout import percent, with_interval
from evodom.statistics import Share
from evodom.store import Run

SAVED = "attacks"
"""Where a run's meta has what learners reached, by what it follows from."""

MOST_SAVED = 20


@dataclass(frozen=True, slots=True)
class Attack:
    """What a learner wins against a champion, alone among copies of it, that has played ``n_games`` to beat it."""

    n_games: int
    wins: Share


def n_games_of(n_games: int, n_seats: int, figure_games: int) -> int:
    """Return how many games an attack takes in all."""
    return n_games + whole_rounds(figure_games, n_seats) if n_games else 0


def attacked(key: str, root: Path, champion: Strategy, venue: Venue, n_games: int, figure_games: int) -> Attack | None:
    """Return what a learner reaches against the champion of a run, read from the run if it is known; None for no games.

    It learns for ``n_games``; ``figure_games`` tell what it has reached. The learner begins as the champion itself if
    that was learned, else as the network of all kingdoms; None without one. What is new is saved, unless another
    process writes the run.
    """
    start = _start(champion, venue)
    if not n_games or start is None:
        return None
    mark = _mark(champion, start, venue, (n_games, figure_games))
    with Run.open(key, root=root) as run:
        wins = _known(run.meta, mark)
    if wins is None:
        _, wins = attack(venue, start, [champion], n_games, figure_games)
        with suppress(RunError), Run.open(key, root=root, write=True) as run:
            _save(run, mark, wins)
    return Attack(n_games, wins)


def said_of(found: Attack, n_players: int) -> str:
    """Say how well a champion can be exploited."""
    return (
        f"A learner that plays {found.n_games:,} games against it to beat it comes to {with_interval(found.wins)} %, "
        f"where equals win {percent(1 / n_players, 0)} %."
    )


def _start(champion: Strategy, venue: Venue) -> Strategy | None:
    if was_learned(champion):
        return champion
    weights = preferred_weights(venue.kingdom)
    return None if weights is None else network_record(weights, venue.kingdom)


def _mark(champion: Strategy, start: Strategy, venue: Venue, games: tuple[int, int]) -> str:
    """Return a digest of all that the result of an attack follows from."""
    record = champion.copy()
    record["network"] = 0  # an address, which is another one in each process
    parts = [record.tobytes(), weights_of(start).tobytes()]
    numbers = (__version__, RULES.version, venue.seed, int(venue.use), venue.n_seats, *games)
    return blake2b(b"".join(parts) + repr((numbers, venue.kingdom.cards)).encode(), digest_size=12).hexdigest()


def _saved(meta: dict[str, Any]) -> dict[str, Any]:
    found = meta.get(SAVED)
    return found if isinstance(found, dict) else {}


def _known(meta: dict[str, Any], mark: str) -> Share | None:
    """Return the result that a run holds, checked; None for none."""
    found = _saved(meta).get(mark)
    if not isinstance(found, list) or len(found) != 4:
        return None
    *shares, n_games = found
    is_figure = all(type(share) in (int, float) and 0 <= share <= 1 for share in shares)
    if not is_figure or not shares[1] <= shares[0] <= shares[2] or type(n_games) is not int:
        return None
    share, low, high = map(float, shares)
    return Share(share, low, high, n_games)


def _save(run: Run, mark: str, wins: Share) -> None:
    kept = list(_saved(run.meta).items())[1 - MOST_SAVED :]
    run.set_meta(**{SAVED: dict(kept) | {mark: [wins.share, wins.low, wins.high, wins.n_games]}})
