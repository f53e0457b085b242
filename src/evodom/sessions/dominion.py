"""A game of Dominion between people and strategies: players and kingdom, choices, undo."""

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from evodom.dominion.cards import CARDS, counted, points_of
from evodom.dominion.effects.ops import Zone
from evodom.dominion.events import EventKind, turns
from evodom.dominion.game import PASS_NAME, Decision, DominionGame, View
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.lineup import LearnedStrategy
from evodom.errors import UsageError
from evodom.matches.agents import Entrant, Player, PythonAgent, SeatedAgent, SinglePlayer, seats_choosing_treasures
from evodom.matches.entrants import strongest
from evodom.matches.mixtures import Mixture
from evodom.runs import Run
from evodom.sessions.files import GAMES, SessionKind, as_json, envelope
from evodom.tasks import Workers

PERSON = "You"
DEFAULT_PLAYERS = 4
MIN_PLAYERS, MAX_PLAYERS = 2, 6


@dataclass(frozen=True)
class Participant:
    """One player: a strategy, an agent written in Python, or a person, who has neither."""

    name: str
    strategy: SinglePlayer | None = None


@dataclass(frozen=True)
class GameSetup:
    """The setup of a game. Two games with equal setups and equal choices are equal.

    ``command`` is the command that plays the same game again.
    """

    kingdom: Kingdom
    players: tuple[Participant, ...]
    seed: int
    command: str = ""

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of the persons. Several persons share a screen."""
        return tuple(seat for seat, player in enumerate(self.players) if player.strategy is None)

    @property
    def seat(self) -> int | None:
        """The seat of the first person, None if only strategies play."""
        return next(iter(self.people), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(player.name for player in self.players)


def run_opponents(run: Run, n: int) -> list[Participant]:
    """Return the ``n`` strongest strategies of a saved run, best first, as "key #1", "key #2", ..."""
    return [Participant(f"{run.key} #{rank}", strategy) for rank, strategy in enumerate(strongest(run, n), 1)]


def named_opponents(entrants: Sequence[Entrant], seed: int) -> list[Participant]:
    """Return entrants as players under their names. A mixture plays the strategy that it draws for ``seed``."""
    return [Participant(entrant.name, _drawn(entrant.strategy, seed, i)) for i, entrant in enumerate(entrants)]


def _drawn(player: Player, seed: int, seat: int) -> SinglePlayer:
    return player.strategies[player.draw(seed, seat)] if isinstance(player, Mixture) else player


def fill_seats(opponents: Sequence[Participant], n: int) -> list[Participant]:
    """Return ``n`` opponents. Repeat the given opponents in order, and number opponents of the same name."""
    if len(opponents) > n:
        raise UsageError(f"{len(opponents)} opponents were given, and the table has room for {n}. Leave some out.")
    chosen = [opponents[index % len(opponents)] for index in range(n)]
    total, seen = Counter(player.name for player in chosen), Counter[str]()
    for index, player in enumerate(chosen):
        seen[player.name] += 1
        if total[player.name] > 1:
            mark = f" ({seen[player.name]})" if "#" in player.name else f" #{seen[player.name]}"
            chosen[index] = replace(player, name=player.name + mark)
    return chosen


def seat_person(opponents: Sequence[Participant], seed: int, seat: int | None = None) -> tuple[Participant, ...]:
    """Return the players in turn order, the person at ``seat`` (from 0). The default seat depends on the seed."""
    n = len(opponents) + 1
    if seat is None:
        seat = int(np.random.SeedSequence(seed).generate_state(1)[0]) % n
    if not 0 <= seat < n:
        raise UsageError(f"seat {seat + 1} does not exist at a table of {n}. Allowed: 1 to {n}.")
    return (*opponents[:seat], Participant(PERSON), *opponents[seat:])


@lru_cache(64)
def _network_as_json(content: bytes) -> str:
    """Return the weights of a network as JSON: the largest part of a file. The cache takes at most 20 MB."""
    return as_json(base64.b64encode(content).decode())


def _strategy_to_json(strategy: SinglePlayer | None, networks: list[bytes]) -> dict[str, object]:
    """Return a player's strategy as JSON. Append its network to ``networks`` unless it is there."""
    if isinstance(strategy, PythonAgent):
        return {"strategy": None, "agent": strategy.source}
    if not isinstance(strategy, LearnedStrategy):
        return {"strategy": None if strategy is None else strategy.tobytes().hex()}
    weights = strategy.network_weights.tobytes()
    if weights not in networks:
        networks.append(weights)
    return {"strategy": strategy.record.tobytes().hex(), "network": networks.index(weights)}


ASK_TREASURES, PLAY_TREASURES = "treasures: ask", "treasures: play"
"""Saved choices that switch between playing Treasures one by one and playing all of them automatically."""

_NO_CARDS = {
    PASS_NAME: "no more cards",
    ASK_TREASURES: "playing Treasures one by one",
    PLAY_TREASURES: "playing all Treasures automatically",
}
"""Texts of choices without a card. `TakenBack.text` uses them if no card was undone."""


@dataclass(frozen=True)
class Mark:
    """A state for `undo`: a copy of the game, and the numbers of choices and answers so far."""

    game: DominionGame
    n_choices: int
    n_answers: int


@dataclass(frozen=True)
class TakenBack:
    """The result of an undo. ``others`` is True if other players had acted, ``cards`` if new cards were seen."""

    choices: tuple[str, ...]
    """The undone choices: cards, texts of options, and keys of _NO_CARDS."""
    others: bool
    cards: bool

    @property
    def text(self) -> str:
        """The message to the person."""
        cards = counted(choice for choice in self.choices if choice not in _NO_CARDS)
        told = f"Undone: {', '.join(cards) or _NO_CARDS[self.choices[0]]}."
        seen = [what for what, was in (("moves of opponents", self.others), ("new cards", self.cards)) if was]
        return f"{told} You saw {' and '.join(seen)}; the random numbers stay the same." if seen else told


class _Reached(Exception):
    """A replay has reached its last position."""


class DominionSession:
    """One game at a table. The setup and ``choices``, the persons' choices in order, determine the whole game.

    ``answers`` are the choices of agents written in Python. A replay calls the agents again and compares their answers
    with ``expected``, the earlier ones. A difference raises ValueError. Searching agents are not called again: their
    expected answers are used. They search with the threads ``workers``.
    """

    kind: SessionKind = GAMES

    def __init__(self, setup: GameSetup, expected: Sequence[str] = (), workers: Workers | None = None) -> None:
        self.setup = setup
        self.workers = workers
        self.revision: int | None = None
        """The checksum of the file that was read or written last."""
        self._last_asked = setup.seat
        self.game = DominionGame(setup.kingdom, len(setup.players), seed=setup.seed)
        self.opening_hand = self.game.cards(Zone.HAND + (setup.seat or 0))
        """The five cards of the person's first hand. Without a person they are those of the first seat."""
        strategies = [player.strategy for player in setup.players]
        self.game.play_treasures_automatically(*set(range(len(strategies))) - seats_choosing_treasures(strategies))
        self._agents = {
            seat: strategy.seat(setup.kingdom, seat, setup.seed, workers)
            for seat, strategy in enumerate(strategies)
            if isinstance(strategy, PythonAgent)
        }
        self.answers: list[str] = []
        self._expected = expected
        self.choices: list[str] = []
        self._marks: list[Mark] = []
        self.before_choice: Callable[[Decision, str], object] = lambda decision, choice: None
        """Called before each choice of persons and strategies is carried out."""

    @property
    def at(self) -> int:
        """The number of choices."""
        return len(self.choices)

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.game.is_over

    @property
    def is_begun(self) -> bool:
        """True if something was chosen."""
        return bool(self.choices)

    def members(self) -> dict[str, str]:
        """Return the content of its file by field, each value as JSON."""
        setup, networks = self.setup, list[bytes]()
        players = [{"name": player.name} | _strategy_to_json(player.strategy, networks) for player in setup.players]
        content = envelope(GAMES, setup.kingdom.rules_fingerprint) | {"command": setup.command, "seed": setup.seed}
        content |= {"kingdom": list(setup.kingdom.cards), "seat": setup.seat, "players": players}
        content["turn"] = int(self.game.state.turns[setup.seat]) if setup.seat is not None else None
        content |= {"over": self.over, "choices": self.choices, "answers": self.answers}
        weights = f"[{', '.join(map(_network_as_json, networks))}]"
        return {key: as_json(value) for key, value in content.items()} | {"networks": weights}

    @property
    def seat(self) -> int | None:
        """The seat of the person who decides now or decided last, None if only strategies play."""
        return int(self.game.state.decider) if self.asks_person else self._last_asked

    @property
    def asks_person(self) -> bool:
        """True if a person decides now."""
        return not self.game.is_over and int(self.game.state.decider) in self.setup.people

    @property
    def decision(self) -> Decision | None:
        """The pending Decision of a person, None if a strategy decides or the game is over."""
        return self.game.decision if self.asks_person else None

    @property
    def view(self) -> View:
        """The view of the person who decides."""
        assert self.seat is not None
        return self.game.view(self.seat)

    @property
    def trashed(self) -> str:
        """The trashed card whose cost limits the pending gain; "" for other questions."""
        decision = self.decision
        effect = decision.effect if decision else None
        follows = effect is not None and effect.extra_cost is not None and not effect.of_all_chosen
        return self.game.piles[self.game.state.chosen].name if follows else ""

    @property
    def has_agents(self) -> bool:
        """True if an agent written in Python plays. Such agents can be slow."""
        return bool(self._agents)

    @property
    def asks_treasures(self) -> bool:
        """True if the person plays Treasures one by one."""
        return self.seat is not None and not self.game.state.auto_treasures >> self.seat & 1

    def play_on(self, each: Callable[[], None] = lambda: None) -> None:
        """Play the strategies' choices until a person decides or the game is over. Call ``each`` after each choice."""
        while (decision := self.game.decision) and decision.seat not in self.setup.people:
            self._enact(decision, self._choice(decision))
            each()

    def choose(self, choice: str) -> None:
        """Carry out the person's choice: a name of an answer, ASK_TREASURES or PLAY_TREASURES. Raise IllegalChoice."""
        self._last_asked = self.seat
        if choice == PLAY_TREASURES and self.seat is not None:
            self.game.play_treasures_automatically(self.seat)
        elif choice == ASK_TREASURES and self.seat is not None:
            self.game.state.auto_treasures &= ~(1 << self.seat)
        elif (decision := self.decision) is not None:
            self._enact(decision, choice)
        else:
            raise UsageError(f"'{choice}' was chosen, but no decision is pending.")
        self.choices.append(choice)

    def replay(self, choices: Iterable[str]) -> Iterator[str]:
        """Yield each choice, then carry it out. At the end play the strategies' choices."""
        for choice in choices:
            self.play_on()
            yield choice
            self.choose(choice)
        self.play_on()

    def branch(self, n: int) -> "DominionSession":
        """Return a new session of the first ``n`` choices, each of which can be undone. It has no file yet."""
        again = DominionSession(self.setup, self.answers, self.workers)
        for _ in again.replay(self.choices[:n]):
            again.mark()
        again._expected = list(again.answers)
        return again

    def start_of_turn(self, turn: int) -> int:
        """Return the number of choices before a turn of the person. Raises UsageError for an unplayed turn."""
        again = DominionSession(self.setup, self.answers, self.workers)
        seat, numbers = self.setup.seat, dict[int, int]()
        for number, _ in enumerate(again.replay(self.choices)):
            if again.game.state.active == seat:
                numbers.setdefault(int(again.game.state.turns[seat]), number)
        if turn not in numbers:
            raise UsageError(
                f"turn {turn} is not among the turns with a choice of yours: 1 to {max(numbers, default=0)}."
            )
        return numbers[turn]

    def end_of_turn(self, turn: int) -> "DominionSession":
        """Return the session replayed to the end of a turn. ``turn`` counts the turns of all players from 0."""
        again = DominionSession(self.setup, self.answers, self.workers)

        def check(decision: Decision, choice: str) -> None:
            if again.n_turns > turn + 1:
                raise _Reached

        again.before_choice = check
        with suppress(_Reached):
            for _ in again.replay(self.choices):
                pass
        return again

    def mark(self) -> None:
        """Save the present state for `undo`."""
        self._marks.append(Mark(self.game.copy(), len(self.choices), len(self.answers)))

    @property
    def n_turns(self) -> int:
        """The number of turns begun by all players, extra turns included."""
        return len(turns(self.game.events))

    @property
    def can_undo(self) -> bool:
        """True if something was chosen since the first mark."""
        return bool(self._marks) and self._marks[0].n_choices < len(self.choices)

    def undo(self) -> TakenBack | None:
        """Go back to the last mark, also over moves of other players. Return None if there is no mark.

        The random numbers go back too: the same choices bring the same cards and replies. Agents written in Python are
        replayed from the start. Raises UsageError if one of them answers differently.
        """
        while self._marks and self._marks[-1].n_choices == len(self.choices):
            self._marks.pop()  # nothing was chosen after this mark
        if not self._marks:
            return None
        mark = self._marks[-1]
        if len(self.answers) > mark.n_answers:
            self._agents = self._agents_at(mark)
        self._marks.pop()
        events, seat = self.game.events[len(mark.game.events) :], int(mark.game.state.decider)
        drawn = any(event.kind == EventKind.SHUFFLE or (event.source == Zone.DECK and event.cards) for event in events)
        options = (event.option for event in events if event.option and event.seat == seat)  # their texts, in order
        undone = self.choices[mark.n_choices :]
        back = TakenBack(
            tuple(one if one in CARDS or one in _NO_CARDS else next(options, one) for one in undone),
            others=len(self.answers) > mark.n_answers or any(event.seat != seat for event in events),
            cards=drawn or bool((mark.game.state.deck_streams != self.game.state.deck_streams).any()),
        )
        del self.choices[mark.n_choices :], self.answers[mark.n_answers :]
        self._expected = self._expected[: mark.n_answers]
        self.game = mark.game
        return back

    def _agents_at(self, mark: Mark) -> dict[int, SeatedAgent]:
        """Return new agents, replayed up to a mark because agents may have memory."""
        again = DominionSession(self.setup, self.answers[: mark.n_answers], self.workers)
        try:
            for _ in again.replay(self.choices[: mark.n_choices]):
                pass
        except ValueError as error:
            raise UsageError(f"this cannot be undone: {error}.") from error
        return again._agents

    def _choice(self, decision: Decision) -> str:
        """Return the choice of a strategy or an agent."""
        seat = decision.seat
        if seat not in self._agents:
            strategy = self.setup.players[seat].strategy
            assert strategy is not None, "people choose themselves"
            assert not isinstance(strategy, PythonAgent), "agents choose themselves"
            return self.game.strategy_choice(strategy).name
        agent, number = self._agents[seat], len(self.answers)
        repeats = agent.player.is_searching and number < len(self._expected)
        answer = self._expected[number] if repeats else agent(self.game).name
        if number < len(self._expected) and answer != self._expected[number]:
            raise ValueError(
                f"agent '{agent.name}' now answers {answer} where it answered {self._expected[number]}: "
                "it was changed, or is not deterministic"
            )
        self.answers.append(answer)
        return answer

    def _enact(self, decision: Decision, choice: str) -> None:
        self.before_choice(decision, choice)
        self.game.enact(choice)


def own_vp(view: View) -> int:
    """Return the victory points of a player's own cards and tokens."""
    return points_of(view.owned) + view.vp_tokens[view.seat]
