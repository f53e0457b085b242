"""The network of all fights of act 1 that comes with the package, if it fits these rules and columns."""

import os
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from evodom.errors import UsageError
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
    source = files("evodom.spire.general") / FILE
    if not source.is_file():
        return None
    with as_file(source) as path:
        return read(path)


def read(path: Path) -> GeneralNetwork | None:
    """Return the network of a file; None if it is damaged, or was trained with other rules or columns."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as content:
            if str(content["fingerprint"]) != fingerprint():
                return None
            return GeneralNetwork(content["general"].astype(np.float32))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, UsageError):
        return None


def write(path: Path, general: Vector) -> None:
    """Write a network to a file, half as exactly as it was trained: 0.6 MB."""
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, general=general.astype(np.float16), fingerprint=np.array(fingerprint()))
    os.replace(partial, path)
