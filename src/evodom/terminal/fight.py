"""A fight at the terminal: execute typed commands and show their answers as lines of text."""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap

from evodom.errors import EvodomError, UsageError
from evodom.presentation.text import aligned_columns
from evodom.search.estimate import MIN_VISITS, ActionEstimate
from evodom.sessions.fight import FightSession, name_of, read_fight_session
from evodom.sessions.files import Slot
from evodom.spire.engine.game import State
from evodom.spire.engine.layout import DISCARD, DRAW, EXHAUST, N_FIGHTERS
from evodom.spire.engine.moves import END
from evodom.spire.fights import fight_from_state, read_fight, write_fight
from evodom.spire.fights.display import pile_to_text, state_to_text
from evodom.spire.fights.fight import GUARANTEED
from evodom.spire.fights.names import cards_from_text
from evodom.terminal.console import Console, PersonLeft, SessionEnd, Terminal, sentence
from evodom.terminal.screen import WIDTH, wrap_lines

STOP = ("q", "quit", "exit")
"""Words that leave the fight."""

HELP = """\
number, letters  play a card, use a potion, choose: by number or part of a name
e, end           end the turn
n [N], hint      the value of each move: exact if the fight is small, else by
                 search; N runs N more simulations
exact            the exact value of each move, if the solver can find it
nn [N]           the best line up to the next random event; nn exec plays it
b, undo          undo the last move
reset            begin again
i, a, s, x       the state; the draw pile, the discard pile, exhausted cards
do [CARDS]       set the next cards of the draw pile, in order; without cards
                 they are random again
rng off, rng on  enter random outcomes as your own game shows them (after reset
                 those of the start too; an empty answer draws); or draw them
hp [PLACE] N     set your HP, or the HP of the enemy at a place
save, load FILE  write this position to a file; continue from a file
q, quit          save the fight and leave"""

WORDS = {"end": "e", "hint": "n", "undo": "b", "back": "b", "help": "?", "table": "i", "state": "i"}
"""Long forms of commands. Several are commands of Dominion too."""

OVER = "b undoes a move, reset begins again, q quits."


class Withdrawn(Exception):
    """The person did not enter a random outcome, so the move is not made."""


class FightTerminal(Terminal[FightSession]):
    """One person at one fight. ``prepare_solver`` is called before each use of the solver, to compile it."""

    def __init__(
        self,
        fight: FightSession,
        console: Console,
        slot: Slot,
        *,
        is_saved: bool = False,
        may_replace: bool = False,
        new_slot: Callable[[str], Slot] | None = None,
        prepare_solver: Callable[[], object] = lambda: None,
    ) -> None:
        """Take a fight. ``new_slot`` maps a name to the slot of a fight that is begun by the command load."""
        super().__init__(fight, console, slot, is_saved=is_saved, may_replace=may_replace)
        self._new_slot, self._prepare_solver = new_slot, prepare_solver
        self.note = ""
        """A line that is shown with the first position."""

    # The loop.

    def _play(self) -> None:
        self._show("\n".join(filter(None, [self.position(), self.note, "? lists the commands."])))
        while True:
            line = self._read()
            if line.casefold() in STOP:
                raise PersonLeft
            if not line:
                continue
            at = self.session.at
            try:
                if self.asks_solver(line):
                    self._prepare_solver()
                self._show(self.do(line))
            except EvodomError as error:
                self._say(sentence(error))
            except Withdrawn:
                self._show("\nNo move was made.")
            if self.session.at != at:
                self._n_idle = 0
                session = self.session
                self._save_quietly()
                self._say(*self._notes)
                self._notes = []
                if self.session is not session:
                    self._show(self.position())

    def _read_again(self) -> None:
        ask = self.session.ask
        self.session = read_fight_session(self.slot.path, self.session.options)
        self.session.ask = ask

    def _end(self, outcome: SessionEnd) -> None:
        if outcome is not SessionEnd.LEFT:
            self._show("")
        if self.session.is_begun or self.is_saved:
            self._say(*filter(None, [self._save_and_leave()]))

    def _show(self, text: str) -> None:
        self.console.show(text.split("\n"))

    def ask(self, question: str) -> str:
        """Ask for a random outcome. Raises Withdrawn for q, Ctrl-C and the end of the input."""
        try:
            answer = self.console.read(f"{question}: ")
        except (EOFError, KeyboardInterrupt):
            raise Withdrawn from None
        if answer.casefold() in STOP:
            raise Withdrawn
        return answer

    def position(self) -> str:
        """Return the position and the legal moves."""
        text = wrap_lines(state_to_text(self.session.game, self.session.state))
        return f"{text}\n{OVER if self.session.over else self._moves_to_text()}"

    def do(self, line: str) -> str:
        """Execute a typed line and return the text to show. Raises EvodomError for an invalid line."""
        word, rest = _command_of(line)
        commands: dict[str, Callable[[str], str]] = {
            "e": lambda _: self._make(END),
            "n": self._move_values,
            "exact": lambda _: self._exact_lines(self.session.exact_values()),
            "nn": self._best_line,
            "b": lambda _: self._after(self.session.undo),
            "reset": lambda _: self._after(self.session.reset),
            "i": lambda _: self.position(),
            "a": lambda _: self._pile("Draw pile", DRAW),
            "s": lambda _: self._pile("Discard pile", DISCARD),
            "x": lambda _: self._pile("Exhausted", EXHAUST),
            "do": self._set_next_cards,
            "rng": self._set_chance,
            "hp": self._set_hp,
            "save": self._save,
            "load": self._load,
            "?": lambda _: HELP,
        }
        if word in commands:
            return wrap_lines(commands[word](rest))
        return wrap_lines(self._make(self._named(line.strip())))

    def asks_solver(self, line: str) -> bool:
        """Return whether a typed line uses the solver, which must be compiled first."""
        word, rest = _command_of(line)
        return word == "exact" or (word in ("n", "nn") and not rest and self.session.options.solve_below > 0)

    # Moves.

    def _after(self, act: Callable[[], object]) -> str:
        """Call ``act`` and return the new position as text."""
        act()
        return self.position()

    def _moves_to_text(self) -> str:
        words = [f"{number} {self.session.text(move)}" for number, move in enumerate(self.session.moves(), 1)]
        words += ["e end the turn"] if self.session.can_end() else []
        lines = [""]
        for word in words:
            if lines[-1] and len(lines[-1]) + 3 + len(word) > WIDTH:
                lines.append("")
            lines[-1] += f"   {word}" if lines[-1] else word
        return "\n".join(lines)

    def _named(self, text: str) -> int:
        """Return the move that a number or a part of a name means."""
        self.session.check_running()
        moves = self.session.moves()
        if text.isascii() and text.isdigit():
            number = int(text[:4])
            if 1 <= number <= len(moves):
                return moves[number - 1]
            raise UsageError(f"there is no move {text}; there are 1 to {len(moves)}, and e.")
        names = {move: self.session.text(move) for move in moves}
        wanted = _letters(text)
        for fits in (lambda name: name == wanted, lambda name: name.startswith(wanted), lambda name: wanted in name):
            found = [move for move, name in names.items() if fits(_letters(name))]
            if len(found) == 1 or (found and wanted and len({names[move] for move in found}) == 1):
                return found[0]
            if found and wanted:
                raise UsageError(f"'{text}' could be {' or '.join(names[move] for move in found)}.")
        near = get_close_matches(wanted, {_letters(name.split(" at ")[0]): name for name in names.values()}, n=1)
        meant = next((name for name in names.values() if near and _letters(name).startswith(near[0])), "")
        guess = f"Did you mean {meant}?" if meant else "? lists the commands."
        raise UsageError(f"'{text}' is no move and no command. {guess}")

    def _make(self, move: int) -> str:
        """Make a move. Return its text, the changes of HP and the new position."""
        self.session.check_running()
        made, before = self.session.text(move), self.session.state
        self.session.play(move)
        return f"> {made}{self._changes(before)}\n{self.position()}"

    def _changes(self, before: State) -> str:
        """Return the HP lost and gained since a position: ": you lost 8 HP, Gremlin Nob is gone"."""
        was, now, game = self.session.game.view(before), self.session.view, self.session.game
        numbered = sum(hp > 0 for hp in was.hp[1:]) > 1
        changes = []
        for who in range(N_FIGHTERS):
            lost = int(was.hp[who]) - int(now.hp[who])
            if lost and was.hp[who] > 0:
                name = f"{f'{who} ' if numbered else ''}{game.rules.enemy_names[was.row[who]]}" if who else "you"
                gone = who and now.hp[who] <= 0
                changes.append(
                    f"{name} is gone" if gone else f"{name} {'lost' if lost > 0 else 'gained'} {abs(lost)} HP"
                )
        return f": {', '.join(changes)}" if changes else ""

    # Advice.

    def _move_values(self, text: str) -> str:
        """Return a table of the value of each move."""
        found = self.session.move_values(self._number(text))
        if found[0].exact:
            return self._exact_lines(found)
        rows = [
            (
                f"{move.visits:,}",
                f"{100 * move.prior:.0f} %",
                f"{move.value:z.2f}" if move.is_measured else "-",
                f"{100 * move.loss_probability:.1f} %" if move.is_measured else "-",
                self.session.text(move.action),
            )
            for move in found
        ]
        header = ("visits", "prior", "value", "lost", "move")
        few = "" if all(move.is_measured for move in found) else f" -: fewer than {MIN_VISITS} visits."
        return "\n".join([*aligned_columns([header, *rows], left=(4,)), *wrap(f"{self._note()}{few}", WIDTH)])

    def _note(self) -> str:
        """Return the explanation of the values of moves."""
        network = self.session.options.network
        if network is None:
            return "Value: mean of fast playouts. Use it to compare moves; good play loses less."
        if network.value_weight == 1.0:
            return "Value: the network's estimate."
        return "Value: average of the network's estimate and fast playouts. Use it to compare moves."

    def _exact_lines(self, found: Sequence[ActionEstimate[int]]) -> str:
        """Return exact figures as text."""
        rows = (
            f"{move.value:z7.3f}  {100 * move.loss_probability:5.1f} %  {self.session.text(move.action)}"
            for move in found
        )
        guaranteed = self.session.fight.payoff.kind == GUARANTEED
        kind = "the HP that no draw can undercut" if guaranteed else "optimal play afterwards"
        return "\n".join(["  value     lost  move", *rows, f"Exact values: {kind}."])

    def _best_line(self, text: str) -> str:
        """Return the best line up to the next random event; "exec" plays it."""
        if text == "exec":
            before = self.session.state
            return f"> {', '.join(self.session.play_line())}{self._changes(before)}\n{self.position()}"
        self.session.check_running()
        steps = self.session.find_line(self._number(text))
        line = f"{', '.join(f'{step.text} ({step.value:z.2f})' for step in steps)}. "
        line += f"{'Exact values; ' if all(step.exact for step in steps) else ''}nn exec plays it."
        return "\n".join(wrap(line, WIDTH))

    def _number(self, text: str) -> int | None:
        """Return a number of simulations, None for the default."""
        self.session.check_running()
        if not text:
            return None
        if re.fullmatch(r"[1-9]\d{0,5}", text, re.ASCII):
            return int(text)
        raise UsageError(f"simulations are a number from 1 to 999,999, got {text!r}.")

    # Piles and chance.

    def _pile(self, name: str, pile: int) -> str:
        return f"{name}: {pile_to_text(self.session.game, self.session.view, pile)}"

    def _set_next_cards(self, text: str) -> str:
        """Set the next cards of the draw pile."""
        names = [card.name for card in self.session.game.rules.kinds]
        parts = text.split(",") if text else []
        wanted = [name for part in parts for name, n in cards_from_text(part, names).items() for _ in range(n)]
        return self._after(lambda: self.session.set_next(wanted))

    def _set_chance(self, text: str) -> str:
        """Draw random outcomes, or ask for those that the user's own game shows."""
        if text not in ("on", "off"):
            raise UsageError(f"rng is on or off, got {text!r}.")
        self.session.ask = self.ask if text == "off" else None
        return "Random outcomes are drawn." if text == "on" else "You enter all random outcomes."

    def _set_hp(self, text: str) -> str:
        """Set HP, the player's or an enemy's."""
        words = text.split()
        if len(words) not in (1, 2) or not all(word.isascii() and word.isdigit() for word in words):
            raise UsageError(f"hp 40 sets your HP, hp 2 40 the HP of enemy 2; got {text!r}.")
        place = int(words[0][:4]) if len(words) == 2 else 0
        return self._after(lambda: self.session.set_hp(place, int(words[-1][:6])))

    # Files.

    def _save(self, text: str) -> str:
        """Write the position to a file."""
        if not text:
            raise UsageError("save needs a file: save fight.toml")
        path = Path(text)
        if path.exists():
            raise UsageError(f"{path} exists; name another file.")
        write_fight(fight_from_state(self.session.fight, self.session.game, self.session.state), path)
        return f"Written: {path}"

    def _load(self, text: str) -> str:
        """Continue from a file."""
        if not text:
            raise UsageError("load needs a file: load fight.toml")
        fight = read_fight(Path(text))
        self.session.begin(fight)
        if self._new_slot:
            self.slot, self.is_saved, self.may_replace = self._new_slot(name_of(fight)), False, False
        return self.position()


def _command_of(line: str) -> tuple[str, str]:
    """Return the first word of a line and the rest. A long form is replaced by its command."""
    word, _, rest = line.strip().partition(" ")
    return WORDS.get(word.casefold(), word), rest.strip()


def _letters(text: str) -> str:
    """Return the lower-case letters, digits and plus signs of a text, for comparisons."""
    return "".join(letter for letter in text.casefold() if letter.isalnum() or letter == "+")
