"""The network of all fights of act 1 that comes with the package, if it fits these rules and columns."""

from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from evodom.errors import UsageError
from evodom.shipping import Unusable, read_numbers, shipped_numbers, write_numbers
from evodom.spire.general.cast import WIDTH, GeneralNetwork, Vector
from evodom.spire.general.columns import SCALES, input_columns, output_columns
from evodom.spire.general.traits import card_traits, move_traits
from evodom.spire.history import RULES
from evodom.spire.rows.cards import CARDS
from evodom.spire.rows.enemies import ENEMIES, MAX_ASCENSION, enemy_row

FILE = "act1.npz"


def fingerprint() -> str:
    """Return a text that changes with what the network rests on: the rules, the columns, what cards and enemies do."""
    moves = {
        (enemy, at, move): move_traits(enemy, move, at)
        for enemy in ENEMIES
        for at in (0, MAX_ASCENSION)
        for move in enemy_row(enemy, at).moves
    }
    cards = {name: card_traits(card) for name, card in CARDS.items()}
    known = (RULES.version, WIDTH, tuple(input_columns()), tuple(output_columns()), SCALES, cards, moves)
    return blake2b(repr(known).encode(), digest_size=12).hexdigest()


@lru_cache(1)
def shipped() -> GeneralNetwork | None:
    """Return the network that comes with the package; None where none is there that fits."""
    return _checked(lambda: shipped_numbers("evodom.spire.general", FILE, fingerprint()))


def read(path: Path) -> GeneralNetwork | None:
    """Return the network of a file; None if it is damaged, or was trained with other rules or columns."""
    return _checked(lambda: read_numbers(path, fingerprint()))


def write(path: Path, general: Vector) -> None:
    """Write a network to a file: 0.6 MB."""
    write_numbers(path, general, fingerprint())


def _checked(read: Callable[[], Vector]) -> GeneralNetwork | None:
    try:
        return GeneralNetwork(read())
    except (Unusable, UsageError):
        return None
