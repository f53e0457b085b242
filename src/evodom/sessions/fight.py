"""A fight of Slay the Spire that people play: moves, changes by hand, undo and advice.

The luck of a move follows from the seed and the number of the move, never from a search. The same moves lead
to the same positions, also after an undo and when the fight is read from its file.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
from msgspec import to_builtins

from evodom.errors import EvodomError, UsageError
from evodom.search.estimate import ActionEstimate
from evodom.sessions.content import MAX_MOVES, ChangedHp, Entry, NextCards, ShownMove, read_fight_content
from evodom.sessions.files import FIGHTS, SessionKind, as_json, envelope, session_name, usable
from evodom.spire.content.fingerprint import rules_fingerprint
from evodom.spire.engine.game import SpireFight, State
from evodom.spire.engine.layout import DRAW, FIGHT, FLED, LATE, LOST, N_FIGHTERS, N_TOP, PLAYING, FightRecord
from evodom.spire.engine.moves import END, FIRST_CHOICE
from evodom.spire.fights import Fight, fight_from_toml, fight_to_toml, state_from_fight
from evodom.spire.fights.display import enemy_to_text, move_to_text
from evodom.spire.play.manual_chance import Ask, ManualChance
from evodom.spire.play.searcher import FightSearchOptions, Searcher
from evodom.spire.solver.solve import solve_moves

MAX_CHANCE_NODES = 300_000
"""Default maximum number of chance nodes of the solver's graph. They take some seconds."""

ENDED = "end the turn"
"""The text of a move that ends a turn. The engine counts turns only where a card or an enemy asks for them."""

_ENDS = {LOST: "You are dead.", LATE: "Not won in time, which counts as lost.", FLED: "You have fled."}


@dataclass(frozen=True)
class LineMove:
    """A move of the best line, its text, its value, and whether the value is exact or the result of a search."""

    move: int
    text: str
    value: float
    exact: bool


@dataclass(frozen=True)
class FightStep:
    """A step that was made: the position after it, its entry in the file, and its text in the log."""

    state: State
    entry: Entry
    text: str


class FightSession:
    """A fight from its start to the present position.

    ``ask`` asks a person, who plays the same fight in the real game, for random outcomes. None draws them. Methods
    raise UsageError for impossible moves and changes.
    """

    kind: SessionKind = FIGHTS

    def __init__(
        self, fight: Fight, seed: int, options: FightSearchOptions, *, given: bool = True, ask: Ask | None = None
    ) -> None:
        self.seed, self.given, self.options, self.ask = seed, given, options, ask
        self.at = 0
        """The number of changes, undone moves included."""
        self.revision: int | None = None
        """The checksum of the file that was read or written last."""
        self.begin(fight)

    def begin(self, fight: Fight) -> None:
        """Begin a fight. Of several encounters one is drawn."""
        self.source = fight_to_toml(fight)
        """The fight as TOML, as its file has it."""
        fight = fight_from_toml(self.source)
        self._rng = np.random.default_rng(self.seed)
        names = fight.encounter_names()
        if len(names) > 1:
            name = names.sample(self._rng)
            chosen = next(setup for other, _, setup in fight.encounter_setups() if other == name)
            fight = replace(fight, setup=chosen, encounters=None)
        self.fight = fight
        self.game = SpireFight(fight.setup)
        self._searcher = Searcher(self.game, fight.payoff, self.options)
        self._start = state_from_fight(fight, self.game) if fight.state is not None else self.game.start(self._rng)
        self.start_answers: list[str] | None = None
        """The answers about the start, if a person decided its chance."""
        self.history: list[FightStep] = []
        self._line: list[int] = []

    @property
    def state(self) -> State:
        """The present position."""
        return self.history[-1].state if self.history else self._start

    @property
    def view(self) -> FightRecord:
        """The present position as a record."""
        return cast(FightRecord, self.game.view(self.state))

    @property
    def title(self) -> str:
        """A short description of the fight."""
        return self.fight.text

    @property
    def over(self) -> bool:
        """True if the fight has ended."""
        return bool(self.view.over != PLAYING)

    @property
    def end(self) -> str:
        """The result of the fight as a sentence, "" before its end."""
        (hp,) = self.game.returns(self.state)
        return _ENDS.get(int(self.view.over), f"Won, with {hp} HP left.") if self.over else ""

    @property
    def won(self) -> bool:
        """True if the fight was won."""
        return self.over and int(self.view.over) not in _ENDS

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return 1 + self.log.count(ENDED)

    @property
    def stage(self) -> str:
        """The result, or the turn and the HP."""
        return self.end or f"Turn {self.turn}, {int(self.view.hp[0])} HP"

    @property
    def log(self) -> list[str]:
        """The steps so far as text."""
        return [step.text for step in self.history]

    @property
    def n_played(self) -> int:
        """The number of steps that can be undone."""
        return len(self.history)

    @property
    def is_begun(self) -> bool:
        """True if something was played or shown."""
        return bool(self.history) or self.start_answers is not None

    def members(self) -> dict[str, str]:
        """Return the content of its file by field, each value as JSON."""
        content = envelope(FIGHTS, rules_fingerprint()) | {"title": self.title, "stage": self.stage, "over": self.over}
        content |= {"fight": self.source, "seed": self.seed, "given": self.given, "at": self.at}
        content["moves"] = [to_builtins(step.entry) for step in self.history]
        if self.start_answers is not None:
            content["start"] = self.start_answers
        return {key: as_json(value) for key, value in content.items()}

    def replay(self, entries: Sequence[Entry], start: Sequence[str] | None = None) -> None:
        """Make the steps of a file. Raises ValueError for an impossible step."""
        if start is not None:
            self._show_start(_answering(start))
        for number, entry in enumerate(entries, 1):
            try:
                self._repeat(entry)
            except UsageError as error:
                raise ValueError(f"move {number} is not possible there: {error}") from error

    # Moves.

    def moves(self) -> list[int]:
        """Return the legal moves without the end of the turn (see `can_end`)."""
        return [move for move in self.game.actions(self.state) if move != END or self.view.choosing]

    def can_end(self) -> bool:
        """Return True if the turn can be ended."""
        return not self.over and not self.view.choosing

    def text(self, move: int) -> str:
        """Return a move of this position in words."""
        return move_to_text(self.game, self.state, move)

    def check_running(self) -> None:
        """Raise UsageError if the fight is over."""
        if self.over:
            raise UsageError("the fight is over: undo a move, or begin again.")

    def play(self, move: int) -> None:
        """Make a move."""
        self._play(move, self.ask)

    def undo(self, n: int = 1) -> None:
        """Take ``n`` steps back; 0 takes all."""
        n = n or self.n_played
        if self.n_played < n or n == 0:
            raise UsageError("there is no move to undo.")
        del self.history[-n:]
        self._changed()

    def reset(self) -> None:
        """Go back to the start. If a person decides chance and nothing was played, ask for the start."""
        if self.n_played or self.ask is None or self.fight.state is not None:
            self.undo(0)
        else:
            self._show_start(self.ask)

    def set_next(self, cards: Sequence[str]) -> None:
        """Set the next cards of the draw pile by hand, the first one first. Without cards, they are unknown."""
        rules, pile = self.game.rules, self.view.piles[DRAW]
        kinds = [rules.kind(name) for name in cards]
        for kind, n in Counter(kinds).items():
            if n > pile[kind]:
                raise UsageError(f"the draw pile has {pile[kind]} {rules.kinds[kind].name}, not {n}.")
        if len(kinds) > N_TOP:
            raise UsageError(f"at most {N_TOP} cards can be set, got {len(kinds)}.")

        def change(record: FightRecord) -> None:
            record.top[:] = record.bottom[:] = record.n_bottom = 0
            record.buried[:] = record.n_buried = 0
            record.n_top = len(kinds)
            record.top[: len(kinds)] = kinds[::-1]

        self._change(NextCards(tuple(cards)), change)

    def set_hp(self, place: int, hp: int) -> None:
        """Set the HP of the player (place 0) or of an enemy by hand."""
        if not 0 <= place < N_FIGHTERS or self.view.hp[place] <= 0:
            raise UsageError(f"there is no enemy {place}; there are: " + self.enemies())
        if not 1 <= hp <= 999:
            raise UsageError(f"HP are 1 to 999, got {hp}.")

        def change(record: FightRecord) -> None:
            record.hp[place] = hp
            record.max_hp[place] = max(record.max_hp[place], hp)

        self._change(ChangedHp(place, hp), change)

    def enemies(self) -> str:
        """Return the enemies that are alive, in words."""
        fight = self.view
        return "; ".join(
            enemy_to_text(self.game, fight, enemy) for enemy in range(1, N_FIGHTERS) if fight.hp[enemy] > 0
        )

    # Advice.

    def move_values(self, simulations: int | None = None) -> list[ActionEstimate[int]]:
        """Return the values of all moves, the best first. They are exact if the solver is used (`solve_below`).

        ``simulations`` more simulations are run if given. The position is then searched and not solved.
        """
        self.check_running()
        return self._searcher.search(self.state, self._rng, simulations)

    def exact_values(self, max_nodes: int | None = None) -> list[ActionEstimate[int]]:
        """Return every move with its exact value, the best first. Raise UsageError for a position that is too large.

        ``max_nodes`` is the maximum number of chance nodes of the solver's graph, by default MAX_CHANCE_NODES.
        """
        self.check_running()
        found = solve_moves(self.game, self.state, self.fight.payoff, max_chance_nodes=max_nodes or MAX_CHANCE_NODES)
        if found is None:
            raise UsageError("this position is too large for the solver: search it instead.")
        return found

    def find_line(self, simulations: int | None = None) -> list[LineMove]:
        """Return the best line up to the next random event; `play_line` plays it."""
        self.check_running()
        self._line, steps, at = [], [], [self.state]
        while at and not self.game.view(at[0]).over:
            best = self._searcher.search(at[0], self._rng, simulations)[0]
            self._line.append(best.action)
            steps.append(LineMove(best.action, move_to_text(self.game, at[0], best.action), best.value, best.exact))
            at = self._certain(at[0], best.action)
        return steps

    def play_line(self) -> list[str]:
        """Play the best line that was found, and return its moves in words."""
        if not self._line:
            raise UsageError("there is no line to play: find the best line first.")
        said = []
        for move in self._line[: MAX_MOVES - self.n_played]:
            said.append(self.text(move))
            self.play(move)
        return said

    def _certain(self, state: State, move: int) -> list[State]:
        """Return a list of the position after a move without chance; an empty list for other moves."""
        if move == END and not self.game.view(state).choosing:
            return []
        # A move with four equal samples counts as one without chance.
        found = {self.game.sample(state, move, np.random.default_rng(seed)) for seed in range(4)}
        return list(found) if len(found) == 1 else []

    # How steps are made.

    def _play(self, move: int, ask: Ask | None) -> None:
        """Make a move; ``ask`` decides its chance, None draws it."""
        self.check_running()
        self._check_room()
        if move not in self.game.actions(self.state):
            raise UsageError("that cannot be played now.")
        name, text = self.game.action_name(move), self.text(move)
        entry: Entry = name
        luck = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(self.n_played,)))
        if ask is None:
            after = self.game.sample(self.state, move, luck)
        else:
            answers: list[str] = []
            after = ManualChance(self.game, luck, _noting(ask, answers)).outcome(self.state, move)
            entry = ShownMove(name, tuple(answers))
        line = self._line[1:] if self._line[:1] == [move] else []
        self.history.append(FightStep(after, entry, name if move >= FIRST_CHOICE else text))
        self._changed(line)

    def _change(self, entry: Entry, change: Callable[[FightRecord], None]) -> None:
        """Change the position by hand, as a step that can be undone."""
        self._check_room()
        record = np.frombuffer(bytearray(self.state), FIGHT)[0]
        change(cast(FightRecord, record))
        text = "set the next cards" if isinstance(entry, NextCards) else "set HP"
        self.history.append(FightStep(record.tobytes(), entry, text))
        self._changed()

    def _repeat(self, entry: Entry) -> None:
        """Make a step of a file."""
        if isinstance(entry, NextCards):
            self.set_next(entry.cards)
        elif isinstance(entry, ChangedHp):
            self.set_hp(entry.place, entry.hp)
        else:
            name, ask = (entry, None) if isinstance(entry, str) else (entry.move, _answering(entry.answers))
            names = {self.game.action_name(move): move for move in reversed(self.game.actions(self.state))}
            if name not in names:
                raise UsageError("there is no such move")
            self._play(names[name], ask)

    def _show_start(self, ask: Ask) -> None:
        answers: list[str] = []
        self._start = ManualChance(self.game, np.random.default_rng(self.seed), _noting(ask, answers)).start()
        self.start_answers = answers
        self._changed()

    def _check_room(self) -> None:
        if self.n_played >= MAX_MOVES:
            raise UsageError(f"{MAX_MOVES} moves were made, the maximum. Undo some, or begin another fight.")

    def _changed(self, line: list[int] | None = None) -> None:
        self.at += 1
        self._line = line or []


def read_fight_session(
    path: Path, options: FightSearchOptions, before_replay: Callable[[], object] = lambda: None
) -> FightSession:
    """Return a saved fight, replayed up to where it was left. Raises RunError if it is missing or damaged."""
    saved = read_fight_content(path)
    before_replay()
    with usable(path, FIGHTS):
        try:
            fight = fight_from_toml(saved.fight, name="the fight")
            session = FightSession(fight, saved.seed, options, given=saved.given)
            session.replay(saved.moves, saved.start)
        except EvodomError as error:
            raise ValueError(str(error)) from error
        session.at, session.revision = saved.at, saved.checksum
        return session


def _noting(ask: Ask, answers: list[str]) -> Ask:
    """Return a function that asks and notes the answer."""

    def asked(question: str) -> str:
        answers.append(ask(question))
        return answers[-1]

    return asked


def _answering(answers: Sequence[str]) -> Ask:
    """Return a function that gives the answers of a file. Raises UsageError if there are no more."""
    left = iter(answers)

    def answer(question: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise UsageError("an answer is missing") from None

    return answer


def name_of(fight: Fight) -> str:
    """Return the name for saving a fight: its enemies."""
    return session_name(fight.text.partition(",")[0]).lower()
