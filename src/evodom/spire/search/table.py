"""A fight at the table: a person plays it, asks what moves are worth, takes moves back, and sets what chance decides.

`FightTable.do` takes what was typed and returns what is to be shown; it knows nothing of a terminal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evodom.errors import UsageError
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import DISCARD, DRAW, EXHAUST, FIGHT, N_FIGHTERS, N_TOP, PLAYING
from evodom.spire.engine.moves import END
from evodom.spire.engine.words import enemy_to_text, move_to_text, pile_to_text, state_to_text
from evodom.spire.fights import Fight, fight_at, fight_to_toml, read_fight, state_of
from evodom.spire.fights.naming import cards_from_text
from evodom.spire.search.asked import Ask, Shown
from evodom.spire.search.player import Budget, MoveFigures, Searcher
from evodom.spire.solver.solve import solve_moves

HELP = """\
number, letters   play a card, use a potion, choose: by its number or part of its name
e                 end the turn
n [N]             what each move is worth, after N more simulations
exact             what each move is worth, by the solver, where that is not too much
nn [N]            the best line up to the next random event; nn exec plays it
b, reset          take the last move back; begin again
i, a, s, x        the state; the draw pile, the discard pile, the exhausted cards
do [CARDS]        set which cards are drawn next, the first one first; nothing: forget it
rng off, rng on   ask for all that chance decides as your game shows it; draw by chance
                  (reset at the beginning asks for the start too; no answer is chance)
hp [PLACE] N      set your HP, or those of the enemy at a place
save, load FILE   write this position to a file; go on from one
q                 stop"""

NOTE = "Means over quick, careless play from there on: compare moves by them; care loses less."
MOST_ROWS = 300_000
"""The rows of the graph that `exact` may take: some seconds."""

JUDGED_NOTE = "What the network expects of good play from there on."


class FightTable:
    """A fight that is being played; `over` tells whether it has ended."""

    def __init__(self, fight: Fight, rng: np.random.Generator, budget: Budget, ask: Ask) -> None:
        self._rng, self._budget, self._ask = rng, budget, ask
        self._chance = True
        self._begin(fight)

    def _begin(self, fight: Fight) -> None:
        """Sit down to a fight; of several encounters one is drawn."""
        names = fight.named()
        if len(names) > 1:
            name = names.sample(self._rng)
            chosen = next(setup for other, _, setup in fight.parts() if other == name)
            fight = replace(fight, setup=chosen, encounters=None)
        self.fight = fight
        self.game = SpireFight(fight.setup)
        self._searcher = Searcher(self.game, fight.payoff, self._budget)
        start = state_of(fight, self.game) if fight.state is not None else self.game.start(self._rng)
        self._states = [start]
        self._line: list[int] = []

    @property
    def state(self) -> State:
        """The position of now."""
        return self._states[-1]

    @property
    def over(self) -> bool:
        """Whether the fight has ended."""
        return bool(self.game.view(self.state).over != PLAYING)

    def position(self) -> str:
        """Return the position and the moves there are."""
        text = state_to_text(self.game, self.state)
        return text if self.over else f"{text}\n{self._moves_to_text()}"

    def do(self, line: str) -> str:
        """Do what a person typed, and return what is to be shown. Raises UsageError for what cannot be done."""
        word, _, rest = line.strip().partition(" ")
        commands: dict[str, Callable[[str], str]] = {
            "e": lambda _: self._play(END),
            "n": self._figures,
            "exact": lambda _: self._exact(),
            "nn": self._best_line,
            "b": lambda _: self._back(1),
            "reset": lambda _: self._reset(),
            "i": lambda _: self.position(),
            "a": lambda _: self._pile("Draw pile", DRAW),
            "s": lambda _: self._pile("Discard pile", DISCARD),
            "x": lambda _: self._pile("Exhausted", EXHAUST),
            "do": self._order,
            "rng": self._set_chance,
            "hp": self._set_hp,
            "save": self._save,
            "load": self._load,
            "?": lambda _: HELP,
        }
        if word in commands:
            return commands[word](rest.strip())
        return self._play(self._named(line.strip()))

    # Moves.

    def _moves(self) -> Sequence[int]:
        """Return the legal moves but for ending the turn, which has a letter of its own."""
        waits = self.game.view(self.state).choosing
        return [move for move in self.game.actions(self.state) if move != END or waits]

    def _moves_to_text(self) -> str:
        words = [
            f"{number} {move_to_text(self.game, self.state, move)}" for number, move in enumerate(self._moves(), 1)
        ]
        return "   ".join([*words, "e end the turn"] if not self.game.view(self.state).choosing else words)

    def _named(self, text: str) -> int:
        """Return the move of a number or of a part of a name."""
        self._check_running()
        moves = self._moves()
        if text.isascii() and text.isdigit():
            number = int(text[:4])
            if 1 <= number <= len(moves):
                return moves[number - 1]
            raise UsageError(f"there is no move {text}; there are 1 to {len(moves)}, and e.")
        names = {move: move_to_text(self.game, self.state, move) for move in moves}
        wanted = _letters(text)
        for fits in (lambda name: name == wanted, lambda name: name.startswith(wanted), lambda name: wanted in name):
            found = [move for move, name in names.items() if fits(_letters(name))]
            if len(found) == 1 or (found and wanted and len({names[move] for move in found}) == 1):
                return found[0]
            if found and wanted:
                raise UsageError(f"{text!r} could be {' or '.join(names[move] for move in found)}.")
        raise UsageError(f"{text!r} is no move and no command. ? lists the commands.")

    def _check_running(self) -> None:
        if self.over:
            raise UsageError("the fight is over. b takes a move back, reset begins again, q stops.")

    def _play(self, move: int) -> str:
        """Make a move, and tell the position it leads to."""
        self._check_running()
        if move not in self.game.actions(self.state):
            raise UsageError("that cannot be played now. i shows the position.")
        before, said = self.state, move_to_text(self.game, self.state, move)
        if self._chance:
            after = self.game.sample(before, move, self._rng)
        else:
            after = Shown(self.game, self._rng, self._ask).outcome(before, move)
        self._states.append(after)
        self._line = self._line[1:] if self._line[:1] == [move] else []
        return f"> {said}\n{self.position()}"

    def _back(self, n: int) -> str:
        """Take moves back."""
        if len(self._states) <= n or n == 0:
            raise UsageError("there is no move to take back.")
        del self._states[-n:]
        self._line = []
        return self.position()

    def _reset(self) -> str:
        """Go back to the start; there, with chance off, ask how it was."""
        if len(self._states) == 1 and not self._chance and self.fight.state is None:
            self._states = [Shown(self.game, self._rng, self._ask).start()]
            self._line = []
            return self.position()
        return self._back(len(self._states) - 1)

    # Advice.

    def _think(self, text: str, state: State) -> list[MoveFigures]:
        """Search a position a little more."""
        self._check_running()
        return self._searcher.think(state, self._rng, _number(text, self._budget.simulations))

    def _figures(self, text: str) -> str:
        """Tell what each move is worth."""
        rows = [
            (
                f"{one.visits:,}",
                f"{one.value:.2f}",
                f"{100 * one.death:.1f} %",
                move_to_text(self.game, self.state, one.move),
            )
            for one in self._think(text, self.state)
        ]
        header = ("visits", "worth", "lost", "move")
        widths = [max(len(row[column]) for row in (header, *rows)) for column in range(3)]
        lines = ["  ".join([*(f"{row[at]:>{widths[at]}}" for at in range(3)), row[3]]) for row in (header, *rows)]
        return "\n".join([*lines, NOTE if self._budget.network is None else JUDGED_NOTE])

    def _exact(self) -> str:
        """Return what every move is worth, proven."""
        self._check_running()
        found = solve_moves(self.game, self.state, self.fight.payoff, max_states=MOST_ROWS)
        if found is None:
            raise UsageError("this position is too large for the solver. n searches it.")
        rows = (f"{value:7.3f}  {move_to_text(self.game, self.state, move)}" for move, value in found)
        return "\n".join(["  worth  move", *rows])

    def _best_line(self, text: str) -> str:
        """Tell, or play, the best line up to the next random event."""
        if text == "exec":
            return self._play_line()
        self._check_running()
        self._line, words, at = [], [], self._states[-1:]
        while at and not self.game.view(at[0]).over:
            best = self._think(text, at[0])[0]
            self._line.append(best.move)
            words.append(f"{move_to_text(self.game, at[0], best.move)} ({best.value:.2f})")
            at = self._certain(at[0], best.move)
        return f"{', '.join(words)}. nn exec plays it."

    def _certain(self, state: State, move: int) -> list[State]:
        """Return the position that a move leads to, if chance has no part in it."""
        if move == END and not self.game.view(state).choosing:
            return []
        found = {self.game.sample(state, move, np.random.default_rng(seed)) for seed in range(4)}
        return list(found) if len(found) == 1 else []

    def _play_line(self) -> str:
        """Play the best line that was told."""
        if not self._line:
            raise UsageError("there is no line to play. nn finds one.")
        said = []
        for move in list(self._line):
            said.append(move_to_text(self.game, self.state, move))
            self._play(move)
        return f"> {', '.join(said)}\n{self.position()}"

    # Piles and chance.

    def _pile(self, name: str, pile: int) -> str:
        return f"{name}: {pile_to_text(self.game, self.game.view(self.state), pile)}"

    def _changed(self, change: Callable[[Any], None]) -> str:
        """Change the position, so that it can be taken back, and show it."""
        record = np.frombuffer(bytearray(self.state), FIGHT)[0]
        change(record)
        self._states.append(record.tobytes())
        self._line = []
        return self.position()

    def _order(self, text: str) -> str:
        """Set the next cards of the draw pile."""
        parts = text.split(",") if text else []
        wanted = [name for part in parts for name, n in self._cards(part).items() for _ in range(n)]
        kinds = [self.game.rules.kind(name) for name in wanted]
        pile = self.game.view(self.state).piles[DRAW]
        for kind, n in Counter(kinds).items():
            if n > pile[kind]:
                raise UsageError(f"the draw pile has {pile[kind]} {self.game.rules.kinds[kind].name}, not {n}.")
        if len(kinds) > N_TOP:
            raise UsageError(f"at most {N_TOP} cards can be set, got {len(kinds)}.")

        def change(record: Any) -> None:
            record.top[:] = 0
            record.buried[:] = record.n_buried = 0
            record.n_top = len(kinds)
            record.top[: len(kinds)] = kinds[::-1]

        return self._changed(change)

    def _cards(self, text: str) -> Counter[str]:
        return cards_from_text(text, [card.name for card in self.game.rules.kinds])

    def _set_chance(self, text: str) -> str:
        if text not in ("on", "off"):
            raise UsageError(f"rng is on or off, got {text!r}.")
        self._chance = text == "on"
        return "Chance decides." if self._chance else "You will be asked for all that chance decides."

    def _set_hp(self, text: str) -> str:
        """Set HP, the player's or an enemy's."""
        words = text.split()
        if len(words) not in (1, 2) or not all(word.isascii() and word.isdigit() for word in words):
            raise UsageError(f"hp 40 sets your HP, hp 2 40 those of enemy 2; got {text!r}.")
        who = int(words[0][:4]) if len(words) == 2 else 0
        hp = int(words[-1][:6])
        fight = self.game.view(self.state)
        if not 0 <= who < N_FIGHTERS or fight.hp[who] <= 0:
            raise UsageError(f"there is no enemy {who}; there are: " + self._enemies())
        if not 1 <= hp <= 999:
            raise UsageError(f"HP are 1 to 999, got {words[-1]}.")

        def change(record: Any) -> None:
            record.hp[who] = hp
            record.max_hp[who] = max(record.max_hp[who], hp)

        return self._changed(change)

    def _enemies(self) -> str:
        fight = self.game.view(self.state)
        return "; ".join(
            enemy_to_text(self.game, fight, enemy) for enemy in range(1, N_FIGHTERS) if fight.hp[enemy] > 0
        )

    # Files.

    def _save(self, text: str) -> str:
        """Write the position to a file."""
        if not text:
            raise UsageError("save needs a file: save fight.toml")
        path = Path(text)
        if path.exists():
            raise UsageError(f"{path} exists; name another file.")
        content = fight_to_toml(fight_at(self.fight, self.game, self.state))
        try:
            path.write_text(content, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
        return f"Written: {path}"

    def _load(self, text: str) -> str:
        """Go on from a file."""
        if not text:
            raise UsageError("load needs a file: load fight.toml")
        self._begin(read_fight(Path(text)))
        return self.position()


def _letters(text: str) -> str:
    """Return the letters, digits and plus signs of a text, as they are compared."""
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter == "+")


def _number(text: str, default: int) -> int:
    """Read a number of simulations."""
    if not text:
        return default
    if re.fullmatch(r"[1-9]\d{0,5}", text, re.ASCII):
        return int(text)
    raise UsageError(f"simulations are a number from 1 to 999,999, got {text!r}.")
