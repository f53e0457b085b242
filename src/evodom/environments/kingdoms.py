"""Give each game of an environment its kingdom, from a list or from endless random draws (`KingdomPool`)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evodom.dominion.cards import name_key
from evodom.dominion.kingdom import DRAWN_SETS, Kingdom, as_kingdom, find_sets
from evodom.dominion.splits import SPLITS, TEST, draw_kingdom, held_out_kingdoms
from evodom.errors import UsageError, short
from evodom.matches.batch import START, Rows
from evodom.options import checked_seed

MAX_SLOTS = 64
"""Maximum number of kingdoms in play. The start compiles the rules of each, 56 kB in memory."""

GAMES_PER_KINGDOM = 128
"""Number of games after which a kingdom is replaced by the next. Its compilation costs as much as about 40 games."""

UNLIMITED = 2**62

Load = Callable[[int, Kingdom], None]
"""Function that puts a kingdom into a slot."""


def drawn_kingdom(kingdom: Kingdom | str, *, sets: str | Sequence[str] = DRAWN_SETS, seed: int = 0) -> Kingdom:
    """Return a kingdom. ``seed`` draws missing cards from ``sets``, and decides about Platinum and Colony."""
    if kingdom in SPLITS[1:] or isinstance(kingdom, list | tuple):
        raise UsageError(
            f"kingdom is {short(kingdom)}. Allowed: one kingdom; with observation='cards' also train, test or a list."
        )
    return as_kingdom(kingdom, seed=checked_seed(seed), sets=sets)


class KingdomPool:
    """The kingdoms of ``n`` games in step.

    ``kingdom`` is one of SPLITS, a kingdom, or a list of kingdoms. Kingdoms in play are in slots. New games take the
    slots in turn. A kingdom that has served GAMES_PER_KINGDOM games leaves its slot to the next. A list of at most
    MAX_SLOTS kingdoms is in play as a whole. A single game takes another kingdom each time.

    ``numbers`` (n_slots,) are the numbers of the kingdoms in the slots: indices of the list, or the numbers of the
    draws. ``kingdoms`` are the listed kingdoms by number, or those of the draws that are in play.
    """

    def __init__(self, kingdom: Any, n: int, *, sets: str | Sequence[str] = DRAWN_SETS, seed: int = 0) -> None:
        word = name_key(kingdom) if isinstance(kingdom, str) else ""
        self.sets, self.split = find_sets(sets), word if word in SPLITS else ""
        self.kingdoms: dict[int, Kingdom] = {}
        self._is_drawn = self.split not in ("", TEST)
        if self.split == TEST:
            self.kingdoms = dict(enumerate(held_out_kingdoms(self.sets)))
        elif not self._is_drawn:
            listed = kingdom if isinstance(kingdom, list | tuple) else [kingdom]
            self.kingdoms = {number: drawn_kingdom(one, sets=sets, seed=seed) for number, one in enumerate(listed)}
            if not listed:
                raise UsageError("there are no kingdoms. Name one or more, such as 'First Game'.")
        self.n_slots = min(n if self._is_drawn else len(self.kingdoms), MAX_SLOTS)
        self._max_games = GAMES_PER_KINGDOM if n > 1 else 1
        if 0 < len(self.kingdoms) <= MAX_SLOTS:
            self._max_games = UNLIMITED
        self.numbers = np.zeros(self.n_slots, np.int64)
        self._n_games = np.zeros(self.n_slots, np.int64)
        self.begin(np.random.default_rng(checked_seed(seed)))

    @property
    def first(self) -> Kingdom:
        """The first listed kingdom. For random draws a kingdom of basic cards: a player of it can play in all."""
        return self.kingdoms.get(0, Kingdom(()))

    def begin(self, rng: np.random.Generator) -> None:
        """Empty all slots. ``rng`` draws the kingdoms from now on, or the first kingdom of a list."""
        self._rng, self._n_begun, self._next_slot, self._replaced = rng, 0, 0, list[int]()
        self._first = int(rng.integers(len(self.kingdoms))) if self.kingdoms and not self._is_drawn else 0
        self._n_games[:] = UNLIMITED
        if self._is_drawn:
            self.kingdoms.clear()

    def deal(self, rows: Rows, load: Load, rng: np.random.Generator | None = None) -> None:
        """Write the slots of the games that start to ``rows.kingdoms``. Another ``rng`` empties all slots first."""
        starting = np.flatnonzero(rows.actions == START)
        if rng is not None and rng is not self._rng:
            self.begin(rng)
        if len(starting):
            while self._replaced:  # infos of the last step may have named them
                self.kingdoms.pop(self._replaced.pop(), None)
            n_playing = np.bincount(rows.kingdoms[rows.actions != START], minlength=self.n_slots)
            for row in starting:
                slot = self._take_slot(n_playing, load)
                rows.kingdoms[row] = slot
                self._n_games[slot] += 1
                n_playing[slot] += 1

    def _take_slot(self, n_playing: npt.NDArray[np.intp], load: Load) -> int:
        """Return the next slot with games left, or without a game in progress: then it gets the next kingdom."""
        for _ in range(self.n_slots):
            slot, self._next_slot = self._next_slot, (self._next_slot + 1) % self.n_slots
            if self._n_games[slot] < self._max_games:
                return slot
            if not n_playing[slot]:
                load(slot, self._next_kingdom(slot))
                return slot
        return slot  # no kingdom has games left, and all are in play

    def _next_kingdom(self, slot: int) -> Kingdom:
        """Return the next kingdom, and write down that it is in a slot."""
        number, is_first = self._n_begun, self._n_begun < self.n_slots
        self._n_begun += 1
        # The first kingdoms serve fewer games, so that not all slots get a new kingdom at the same time.
        self._n_games[slot] = slot * self._max_games // self.n_slots if is_first and self._max_games < UNLIMITED else 0
        if not self._is_drawn:
            self.numbers[slot] = (self._first + number) % len(self.kingdoms)
            return self.kingdoms[int(self.numbers[slot])]
        self._replaced += [] if is_first else [int(self.numbers[slot])]
        self.numbers[slot] = number
        self.kingdoms[number] = draw_kingdom(self._rng, self.sets, split=self.split)
        return self.kingdoms[number]
