"""A table for tests: setups with scripted opponents, and a console without a terminal."""

import json
from pathlib import Path

from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from evodom.matches.entrants import find_entrants
from evodom.runs import RunStore
from evodom.sessions.dominion import DominionSession, GameSetup, fill_seats, named_opponents, seat_person
from evodom.sessions.files import Slot, checksum
from evodom.terminal.console import Console
from evodom.terminal.dominion import DominionTerminal
from tests.dominion.helpers import as_kingdom


def make_setup(*opponents, n_players=4, seat=0, seed=1, kingdom=FIRST_GAME):
    entrants = find_entrants(opponents or ("big-money",), store=RunStore(Path()), kingdom=kingdom).entrants
    found = fill_seats(named_opponents(entrants, seed), n_players - 1)
    return GameSetup(kingdom, seat_person(found, seed, seat), seed, command=f"evodom play --seed {seed}")


def write_signed(path, content):
    """Write the content of a saved game with its checksum."""
    path.write_text(json.dumps(content | {"checksum": checksum(content)}))


def match_from(position, *opponents, seed=0, kingdom=FIRST_GAME):
    """Return a match that goes on from a position, the person as P1; all Treasures are played automatically."""
    kingdom = as_kingdom(kingdom)
    game = DominionGame.from_position(position, kingdom, seed=seed)
    match = DominionSession(make_setup(*opponents, n_players=game.n_players, kingdom=kingdom))
    game.play_treasures_automatically(*range(game.n_players))
    match.game = game
    match.play_on()
    return match


def take(match, *choices):
    """Choose as a line of input does: marked, then played on."""
    match.mark()
    for choice in choices:
        match.choose(choice)
    match.play_on()


class Killed(BaseException):
    """Ends the program like a signal, without any cleaning up."""


class Typist:
    """Types lines, then ends the input; keeps the output, and in ``screens`` the output before each line."""

    def __init__(self, *lines, then=EOFError):
        self.lines, self.then = list(lines), then
        self.shown, self.screens = [], []
        self._n_seen = 0

    def read(self, prompt):
        self.screens.append(self.shown[self._n_seen :])
        self._n_seen = len(self.shown)
        return self.next_line()

    def next_line(self):
        if not self.lines:
            raise self.then
        return self.lines.pop(0)

    def write(self, line):
        assert "\n" not in line
        self.shown.append(line)

    @property
    def text(self):
        return "\n".join(self.shown)


class Expert(Typist):
    """Plays like a strategy, by typing numbers and names in turn, with a question as every second line."""

    def __init__(self, match, strategy, *questions):
        super().__init__()
        self.match, self.strategy, self.questions = match, strategy, questions
        self.typed = []

    def next_line(self):
        n = len(self.typed)
        choice = self.match.game.copy().strategy_choice(self.strategy)
        number = "0" if choice.name == "pass" else str(choice.pile + 1)
        line = number if n % 3 else choice.name
        if self.questions and n % 2 == 0:
            line = self.questions[n // 2 % len(self.questions)]
        self.typed.append(line)
        return line


def play_session(match, typist, folder, *, clear=None):
    console = Console(typist.read, typist.write, clear=clear)
    slot = Slot(Path(folder) / "demo.json")
    return DominionTerminal(match, console, slot, is_saved=slot.path.is_file()).run()
