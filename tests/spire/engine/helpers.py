"""Fights in one line: set up a position as text, play cards by name, and read the result as text.

    fight = Table("Red Louse 15, Curl Up 9 | Cultist 40, Dark Strike", hand="Bash, 2 Strike", you="block 5, Weak 1")
    fight.play("Bash", at=1)
    assert fight.enemies == "Red Louse 9, block 9, Vulnerable 2 | Cultist 40"

An enemy is its name and HP ("70/140" with its maximum), then its move, block and statuses; it also has the statuses of
its row. Unless `you` sets other values, the player has HP 50 of 80, energy 3 and turn 1. `scenarios` and `follow` run
whole tests in this notation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.spire.content.enemies import enemy_row
from evodom.spire.content.statuses import STATUSES
from evodom.spire.engine import layout as at
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION

NAMES = list(STATUSES)
SETTING = r"[a-z_]+=[^=]"
QUIET = {"Bite", "Splits"}
"""Statuses that `Table.enemies` omits."""


def cards(text: str) -> Counter[str]:
    """Return the cards of a text such as "2 Strike, Bash"."""
    found: Counter[str] = Counter()
    for part in filter(None, (part.strip() for part in text.split(","))):
        n, name = re.fullmatch(r"(?:(\d+) )?(.+)", part).groups()
        found[name] += int(n or 1)
    return found


def items(text: str) -> list[tuple[str, int | None]]:
    """Return pairs of name and number, None where there is none."""
    parts = (re.fullmatch(r"(.+?)(?: (-?\d+))?", part.strip()) for part in text.split(",") if part.strip())
    return [(part[1], None if part[2] is None else int(part[2])) for part in parts]


class Table:
    """A position of a fight, changed by playing moves."""

    def __init__(
        self,
        enemies: str = "Cultist 50, Dark Strike",
        *,
        hand: str = "",
        draw: str = "",
        discard: str = "",
        exhaust: str = "",
        you: str = "",
        also: str = "",
        relics: str = "",
        potions: str = "",
        ascension: int | str = 20,
        seed: int = 1,
    ) -> None:
        piles = [cards(text) for text in (hand, draw, discard, exhaust)]
        written = [re.fullmatch(r"\s*(.+?) (\d+)(?:/(\d+))?\s*(?:,(.*))?", text) for text in enemies.split("|")]
        assert all(written), f"an enemy needs its HP: {enemies!r}"
        deck = [name for pile in (*piles, cards(also)) for name in pile] or ["Strike"]
        self.game = SpireFight(
            Setup(
                enemies=certain(tuple(enemy[1] for enemy in written)),
                deck=Counter(deck),
                max_hp=80,
                hp=50,
                relics=tuple(filter(None, relics.split(", "))),
                potions=tuple(filter(None, potions.split(", "))),
                ascension=int(ascension),
            )
        )
        self.rules = self.game.rules
        self.rng = np.random.default_rng(seed)
        fight = np.zeros(1, at.FIGHT)[0]
        self._write_player(fight, you)
        for place, enemy in zip(np.flatnonzero(self.rules.groups[0]) + 1, written, strict=True):
            self._write_enemy(fight, place, enemy)
        for pile, found in enumerate(piles):
            for name, n in found.items():
                fight.piles[pile, self.rules.kind(name)] = n
            fight.n_cards[pile] = found.total()
        fight.potions[: self.game.record.n_potions] = 1
        self.state = fight.tobytes()

    @classmethod
    def at_state(cls, game: SpireFight, state: bytes, rng: Any = None) -> Table:
        """Return a state of a game."""
        table = object.__new__(cls)
        table.game, table.rules, table.rng, table.state = game, game.rules, rng, state
        return table

    def _write_player(self, fight: Any, you: str) -> None:
        fight.hp[0], fight.max_hp[0], fight.energy, fight.turn, fight.is_player_turn = 50, 80, 3, 1, 1
        for name, n in items(you):
            if name in ("hp", "max_hp", "block"):
                fight[name][0] = n
            elif name in ("energy", "turn", "pen_nib", "played", "skull"):
                fight[name] = n
            elif at.STATUS_INDEX[name] < at.N_SHARED:
                fight.status[0, at.STATUS_INDEX[name]] = n
            else:
                fight.powers[at.STATUS_INDEX[name] - at.N_SHARED] = n

    def _write_enemy(self, fight: Any, place: int, enemy: Any) -> None:
        name, hp, max_hp, rest = enemy.groups()
        row = self.rules.enemy_names.index(name)
        known = enemy_row(name, self.rules.setup.ascension)
        fight.row[place], fight.hp[place], fight.max_hp[place] = row, int(hp), int(max_hp or hp)
        fight.status[place] = self.game.record.status[row]
        chain = self.rules.chains[row]
        fight.intent[place] = next(iter(chain.values()))
        for what, n in items(rest or ""):
            if what == "block":
                fight.block[place] = n
            elif what in known.moves and (n is None or what not in at.STATUS_INDEX):
                fight.intent[place] = next(i for (move, run), i in chain.items() if move == what and n in (None, run))
            else:
                fight.status[place, at.STATUS_INDEX[what]] = n

    # Moves.

    def play(self, *names: str, at: int = 0) -> Table:
        """Play cards of the hand in order. Cards with a target need `at` if there are several enemies."""
        for name in names:
            self._do(FIRST_CARD + 6 * self.rules.kind(name), at)
        return self

    def drink(self, name: str, *, at: int = 0) -> Table:
        """Use a potion."""
        self._do(FIRST_POTION + 6 * self.rules.potions.index(name), at)
        return self

    def choose(self, *names: str) -> Table:
        """Choose cards."""
        for name in names:
            self._do(FIRST_CHOICE + self.rules.kind(name))
        return self

    def end(self, turns: int = 1) -> Table:
        """End the turn, or a choice of any number."""
        for _ in range(turns):
            self._do(END)
        return self

    def _do(self, first: int, place: int = 0) -> None:
        self.state = self.game.sample(self.state, self._legal(first, place), self.rng)

    def _legal(self, first: int, place: int) -> int:
        legal = self.game.actions(self.state)
        possible = [first + place] if place or first in legal or first >= FIRST_CHOICE else range(first + 1, first + 6)
        found = [move for move in possible if move in legal]
        assert len(found) == 1, f"{self.game.action_name(first)} at {place or 'any'} is not among {self.moves}"
        return found[0]

    def chances(self, card: str, look: Callable[[Table], Any], *, at: int = 0) -> dict[Any, Fraction]:
        """Return the distribution of `look` after a card, a potion or "end"."""
        first = END
        if card in self.rules.potions:
            first = FIRST_POTION + 6 * self.rules.potions.index(card)
        elif card != "end":
            first = FIRST_CARD + 6 * self.rules.kind(card)
        results = self.game.outcomes(self.state, self._legal(first, at))
        return dict(results.map(lambda state: look(self.copy(state))))

    def copy(self, state: bytes | None = None) -> Table:
        """Return a copy, at this state or another."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.state = state or self.state
        return other

    # Results.

    @property
    def now(self) -> Any:
        """The record of the state."""
        return self.game.view(self.state)

    @property
    def moves(self) -> list[str]:
        """The names of the legal moves."""
        return [self.game.action_name(move) for move in self.game.actions(self.state)]

    def can_play(self, name: str) -> bool:
        """Return whether a card can be played."""
        first = FIRST_CARD + 6 * self.rules.kind(name)
        return any(first <= move < first + 6 for move in self.game.actions(self.state))

    @property
    def places(self) -> list[int]:
        """The places of the living enemies."""
        return [int(place) for place in range(1, at.N_FIGHTERS) if self.now.hp[place] > 0]

    @property
    def enemies(self) -> str:
        """The living enemies as text, without their moves."""
        names = self.rules.enemy_names
        return " | ".join(
            ", ".join([f"{names[self.now.row[e]]} {self.now.hp[e]}", *self._block(e), *self._statuses(e, QUIET)])
            for e in self.places
        )

    @property
    def intents(self) -> str:
        """The next moves of the enemies."""
        return ", ".join(self.rules.intents[self.now.intent[place]] for place in self.places)

    @property
    def you(self) -> str:
        """The player as text: HP, block and statuses."""
        powers = [f"{NAMES[at.N_SHARED + place]} {n}" for place, n in enumerate(self.now.powers) if n]
        return ", ".join([f"hp {self.now.hp[0]}", *self._block(0), *self._statuses(0), *powers])

    @property
    def has(self) -> Counter[str]:
        """The statuses of the player."""
        shared = {NAMES[place]: int(n) for place, n in enumerate(self.now.status[0])}
        return Counter(shared | {NAMES[at.N_SHARED + place]: int(n) for place, n in enumerate(self.now.powers)})

    @property
    def hp(self) -> int:
        """The player's HP."""
        return int(self.now.hp[0])

    @property
    def block(self) -> int:
        """The player's block."""
        return int(self.now.block[0])

    @property
    def energy(self) -> int:
        """The player's energy."""
        return int(self.now.energy)

    @property
    def returns(self) -> int:
        """The HP left after the fight."""
        return self.game.returns(self.state)[0]

    @property
    def over(self) -> str:
        """How the fight ended, "" before its end."""
        return ("", "won", "lost", "fled", "late")[self.now.over]

    def pile(self, pile: int) -> str:
        """Return a pile as text, in the order of the alphabet."""
        found = sorted((self.rules.kinds[kind].name, int(n)) for kind, n in enumerate(self.now.piles[pile]) if n)
        return ", ".join(f"{n} {name}" if n > 1 else name for name, n in found)

    hand = property(lambda self: self.pile(at.HAND))
    draw = property(lambda self: self.pile(at.DRAW))
    discard = property(lambda self: self.pile(at.DISCARD))
    exhaust = property(lambda self: self.pile(at.EXHAUST))

    def _block(self, who: int) -> list[str]:
        return [f"block {self.now.block[who]}"] if self.now.block[who] else []

    def _statuses(self, who: int, but: set[str] = frozenset()) -> list[str]:
        return [f"{NAMES[i]} {n}" for i, n in enumerate(self.now.status[who]) if n and NAMES[i] not in but]


def started(enemies: tuple[str, ...] = ("Cultist",), *, seed: int = 1, **options: Any) -> Table:
    """Return a random fight at its start."""
    rng, game = np.random.default_rng(seed), SpireFight(Setup(enemies=certain(enemies), **options))
    return Table.at_state(game, game.start(rng), rng)


def scenarios(text: str) -> list[Any]:
    """Return (title, steps) of each fight of a text: "title: fight", or a title and indented below it its fights.

    A fight is settings of `Table`, then moves and checks, separated by semicolons: "hand=2 Strike; play Strike at 1;
    enemies == Cultist 44; cannot play Bash". Distributions are "chances Havoc enemies == 1/2 Cultist 44 or 1/2 Cultist
    50". `quiet` stands for an enemy that does nothing for two turns. `starts` begins a fight, with settings of `Setup`;
    by default the player has 50 HP and ten Strikes. A line that ends with a semicolon,
    "or" or "|" continues in the next one.
    """
    title, found = "", []
    for line in re.sub(r"(;| or| \|)\n\s+", r"\1 ", text.strip("\n")).split("\n"):
        fight = line.strip()
        if not line.startswith(" "):
            title, _, fight = line.partition(": ")
        if fight and not fight.startswith("#"):
            found.append(pytest.param(title, fight.split("; "), id=title))
    return found


def scenario_test(text: str) -> Callable[..., None]:
    """Return a test of all scenarios in a text."""

    @pytest.mark.parametrize(("title", "steps"), scenarios(text))
    def test(title: str, steps: list[str]) -> None:
        follow(steps)

    return test


def follow(steps: list[str]) -> None:
    """Run a scenario."""
    options = dict(step.split("=", 1) for step in steps if re.match(SETTING, step))
    if "quiet" in steps:
        options["enemies"] = "Gremlin Wizard 50, Charging"
    table, checks = _start(**options) if "starts" in steps else Table(**options), 0
    for step in steps:
        if step in ("quiet", "starts") or re.match(SETTING, step):
            continue
        if step.startswith("chances "):
            of, _, wanted = step.removeprefix("chances ").partition(" == ")
            card, what = of.rsplit(" ", 1)
            shares = [part.partition(" ") for part in wanted.split(" or ")]
            found = table.chances(card, lambda after, what=what: _seen(after, what))
            assert found == {seen: Fraction(share) for share, _, seen in shares}, step
            checks += 1
        elif " == " in step or step.endswith(" =="):
            what, _, wanted = (part.strip() for part in step.partition("=="))
            assert _seen(table, what) == wanted, step
            checks += 1
        elif match := re.fullmatch(r"(can|cannot) play (.+)", step):
            assert table.can_play(match[2]) == (match[1] == "can"), step
            checks += 1
        elif match := re.fullmatch(r"end ?(\d*)", step):
            table.end(int(match[1] or 1))
        else:
            does, names, place = re.fullmatch(r"(play|drink|choose) (.+?)(?: at (\d))?", step).groups()
            to = {"at": int(place)} if place else {}
            getattr(table, does)(*names.split(", "), **to)
    assert checks


def _start(enemies: str = "Cultist", deck: str = "10 Strike", hp: str = "50", **options: str) -> Table:
    """Return a fight at its start, with settings as text."""
    read: dict[str, Callable[[str], Any]] = {
        "relics": lambda text: tuple(text.split(", ")),
        "potions": lambda text: tuple(text.split(", ")),
        "counters": lambda text: dict(items(text)),
        "enemy_hp": lambda text: tuple(map(int, text.split(", "))),
        "burning": str,
    }
    settings = {name: read.get(name, int)(text) for name, text in options.items()}
    return started(tuple(enemies.split(" | ")), deck=cards(deck), hp=int(hp) if hp != "full" else None, **settings)


def _seen(table: Table, what: str) -> str:
    """Return a result of a scenario as text: "has STATUS", a field of the record, or an attribute of `Table`."""
    if what.startswith("has "):
        return str(table.has[what[4:]])
    if what == "max_hp":
        return str(table.now.max_hp[0])
    found = getattr(table, what) if hasattr(table, what) else table.now[what]
    return ", ".join(found) if isinstance(found, list) else str(found)
