"""Play a game as Python objects, for agents, tests and interfaces.

    >>> from evodom.dominion.game import DominionGame
    >>> game = DominionGame(seed=1)
    >>> game.decision.prompt
    'Treasures: which of Copper do you play?'
    >>> game = game.enact("Copper")

A `Decision` lists its `Consequence`s. `DominionGame.enact` takes one of them (or its card's name, or "pass") and
advances to the next Decision. The game records its `events`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Self

import numpy as np

from evodom.dominion.cards import Card
from evodom.dominion.contract import Dominion, Pending
from evodom.dominion.effects.effect import Effect
from evodom.dominion.effects.ops import NO_LIMIT, SUM, Column, Ending, Frame, Later, Op, PhaseEffect, Zone
from evodom.dominion.engine.batch import new_state
from evodom.dominion.engine.moves import cost_of
from evodom.dominion.engine.rules import FIRST_OPTION, N_ANSWERS, N_PILES, NONE, PASS, Rules
from evodom.dominion.engine.rules import PASS_NAME as PASS_NAME
from evodom.dominion.engine.state import END_NAMES, State, check_overflow, deck_size
from evodom.dominion.engine.turn import ADVANCE, enact
from evodom.dominion.events import Event, EventKind, follow_discards, read_events, record_events
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.position import format_position, read_position
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.record import Strategy, check_kingdom
from evodom.dominion.strategies.select import select
from evodom.dominion.zones import SeenCards
from evodom.errors import IllegalChoice
from evodom.options import checked_seed

PHASE_TITLES = {Op.START: "Start of the turn", Op.PLAY_ACTION: "Action", Op.PLAY_TREASURE: "Treasures", Op.BUY: "Buy"}

_SENTENCE = "{which} do you {verb}?"
_SENTENCE_OF_ONE = "do you {act}?"
_SENTENCES = {
    "reveal_moat": "do you reveal {names}?",
    "trash_copper": "do you trash a Copper?",
    "topdeck_from_discard": "{which} from your discard pile do you put onto your deck?",
    "trash_treasure": "{reveals} {revealed}: which do you trash?",
    "thief_trash": "{reveals} {revealed}: which do you trash?",
    "thief_gain": "{trashes} {names}: do you gain it?",
    "spy_discard": "{reveals} {names}: do you have it discarded?",
    "sentry_topdeck": "{which} do you put back first? The other goes on top of it.",
    "set_aside": "you draw {names}: do you set it aside?",
    "play_discarded": "you discard {names} from your deck: do you play it?",
    "discard_deck": "do you put your deck into your discard pile?",
    "choose": "which do you choose: {names}?",
    "pass": "{which} do you pass to the left?",
    "position": "where in your deck do you put it?",
    "order_effects": "which comes next: {names}?",
    "reveal_watchtower": "you gain {gained}. Which do you choose: {names}?",
    "topdeck_gained": "do you put {names} onto your deck, which you gained?",
    "play_gained": "you gain {gained}: do you play it?",
    "play_pirate": "{gained} was gained: do you play {names} from your hand?",
    "topdeck_treasury": "do you put {names} from play onto your deck?",
}
"""Templates of questions by `Effect.kind`. Other kinds use _SENTENCE or _SENTENCE_OF_ONE."""


@dataclass(frozen=True, slots=True)
class QuestionText:
    """Parts of the text of a question."""

    title: str
    effect: Effect
    names: Sequence[str]
    revealed: Sequence[str] = ()
    owner: int | None = None
    """Seat that owns the candidates; None for the seat of the Decision."""
    gained: str = ""
    """The gained card, if the card of the question watches for gains."""

    def ask(self, which: str = "") -> str:
        """Return the question as a sentence. ``which`` replaces the names of the candidates."""
        names = ", ".join(self.names)
        who = "you" if self.owner is None else f"P{self.owner + 1}"
        of_one = len(self.names) == 1 and not which and self.effect.op == Op.CHOOSE
        template = _SENTENCES.get(self.effect.kind, _SENTENCE_OF_ONE if of_one else _SENTENCE)
        if self.effect.kind == "set_aside" and self.effect.source == Zone.HAND:
            template = _SENTENCE
        elif self.effect.op == Op.START and len(self.names) == 1:
            template = "do you {names} from your hand?"
        elif self.effect.op == Op.OPTIONS and self.revealed:
            template = "you look at {revealed}. Which do you choose: {names}?"
        sentence = template.format(
            which=which or f"which of {names}",
            names=names,
            revealed=", ".join(self.revealed),
            gained=self.gained,
            verb=self.effect.verb,
            act=verb_phrase(self.effect.verb, names),
            reveals=f"{who} reveal{'' if self.owner is None else 's'}",
            trashes=f"{who} trash{'' if self.owner is None else 'es'}",
        )
        return f"{self.title}: {sentence}"


def verb_phrase(verb: str, name: str) -> str:
    """Join a verb and a card: "put Estate onto your deck"."""
    first, _, rest = verb.partition(" ")
    return f"{first} {name} {rest}".rstrip()


@dataclass(frozen=True, slots=True)
class Consequence:
    """One answer to a Decision: a pile, PASS, or an option."""

    pile: int
    """The bit of the answer in the legal mask."""
    name: str
    """The card's name, "pass", or the name of the option."""
    text: str
    """Short description: "trash Estate"."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to one player, with all its legal answers."""

    seat: int
    card: Card | None
    """Card of the Effect; None for the phases of a turn."""
    effect: Effect
    consequences: tuple[Consequence, ...]
    owner: int
    """Seat that owns the candidates. In an Attack ``seat`` may choose among the cards of another owner."""
    n_left: int = 1
    """Number of cards that may still be chosen one by one, including this one."""
    revealed: tuple[str, ...] = ()
    """Revealed cards that the seat sees, including cards that cannot be chosen."""
    gained: str = ""
    """The gained card, if the card of the question watches for gains."""
    cost: int | None = None
    """The exact or maximum cost of the cards that may be chosen, None without a limit."""

    @property
    def question(self) -> QuestionText:
        """Parts of the text of the question."""
        if self.has_options:
            names = [answer.text for answer in self.consequences]
            listed = [f"{'; '.join(names[:-1])} or {names[-1]}"]
            return QuestionText(self.title, self.effect, listed, self.revealed, gained=self.gained)
        cards = [answer for answer in self.consequences if answer.pile != PASS]
        names = [answer.text if self.effect.op == Op.START else answer.name for answer in cards]
        owner = None if self.owner == self.seat else self.owner
        return QuestionText(self.title, self.effect, names, self.revealed, owner, self.gained)

    @property
    def prompt(self) -> str:
        """The question as a sentence."""
        return self.question.ask()

    @property
    def title(self) -> str:
        """Name of the card or of the phase."""
        return self.card.name if self.card else PHASE_TITLES[self.effect.op]

    @property
    def kind(self) -> str:
        """Identifier of the question, such as "buy" or "trash". docs/reference/cards.md lists all."""
        return self.effect.kind

    @property
    def optional(self) -> bool:
        """True if passing is allowed."""
        return self.consequences[-1].pile == PASS  # it is the last answer

    @property
    def has_options(self) -> bool:
        """True if the answers are options or places, not cards."""
        return self.consequences[0].pile >= FIRST_OPTION


@dataclass(frozen=True, slots=True)
class View:
    """Information visible to one seat."""

    seat: int
    hand: Counter[str]
    owned: Counter[str]
    hand_sizes: tuple[int, ...]
    deck_sizes: tuple[int, ...]
    discard_sizes: tuple[int, ...]
    discard_tops: tuple[str, ...]
    in_play: tuple[Counter[str], ...]
    """The cards in play of each seat."""
    staying: tuple[Counter[str], ...]
    """The cards of each seat that stay in play at its next clean-up."""
    revealed: Counter[str]
    """Revealed cards that this seat sees."""
    places: tuple[dict[str, SeenCards], ...]
    """The cards of each seat that are set aside or on a mat, by the name of the place (`zones.PLACES`)."""
    vp_tokens: tuple[int, ...]
    pending: tuple[tuple[Pending, ...], ...]
    """Effects that the cards of each seat keep for its next turn, the oldest first."""
    gained: tuple[tuple[str, ...], ...]
    """Cards that each seat gained in its latest turn. Empty if no card of the kingdom refers to them."""
    watching: Counter[str]
    """Number of plays this turn of each card that watches for gains."""
    named: tuple[str, ...]
    """Cards named for War Chests this turn."""
    looked_through: Counter[str]
    """This seat's discard pile while the seat chooses a card from it."""
    supply: dict[str, int]
    costs: dict[str, int]
    """The present cost of the card of each pile."""
    trash: Counter[str]
    turns: tuple[int, ...]
    active: int
    phase: int
    actions: int
    buys: int
    coins: int
    coins_in_hand: int
    """Coins of the Treasures in hand, without Effects that have a condition or count something."""
    is_extra: bool
    """True during an extra turn."""
    extra_turn: bool
    """True if an extra turn of the active seat follows."""


Agent = Callable[[View, Decision], Consequence]
"""Function of an agent (bot or person): takes the View of its seat and a Decision, returns a Consequence."""


class DominionGame:
    """One game of Dominion.

    ``seed`` (0 <= seed < 2**64) seeds all random streams. ``state`` is the record of the game, with the pile numbers of
    ``piles``. ``log=False`` records no events, which is faster. Raises UsageError if the number of players or the seed
    is out of range.
    """

    def __init__(self, kingdom: Kingdom = FIRST_GAME, n_players: int = 4, *, seed: int = 0, log: bool = True) -> None:
        self.contract = Dominion(kingdom, n_players)
        self.kingdom = kingdom
        self.rules: Rules = self.contract.rules
        self.piles: tuple[Card, ...] = kingdom.piles
        self.card_effects = self.contract.card_effects
        self.n_players = n_players
        self.log = log
        self.events: list[Event] = []
        self.discards: list[list[str]] = [[] for _ in range(n_players)]
        """Discard piles from bottom to top. "" is a card discarded unseen with a deck."""
        self.state: State = new_state(self.rules, checked_seed(seed, 64))
        self._decided: tuple[tuple[int | bytes, ...], Decision] | None = None
        """Cache of `decision`: its inputs and the last Decision."""
        self._run()

    @classmethod
    def from_state(cls, state: State, kingdom: Kingdom = FIRST_GAME, n_players: int = 4) -> Self:
        """Return a game that continues from a copy of a record."""
        game = cls(kingdom, n_players)
        game.state = state.copy()
        game._begin_log()
        game._run()
        return game

    @classmethod
    def from_position(
        cls, text: str, kingdom: Kingdom = FIRST_GAME, n_players: int | None = None, *, seed: int = 0
    ) -> Self:
        """Return the game of a position at its first Decision: "P1: hand Smithy, 4 Copper | P2: deck 5 Silver".

        ``n_players`` defaults to the highest player in the text. `evodom.dominion.position` describes the text. Raise
        UsageError for invalid text.
        """
        state, n_players = read_position(text, kingdom, n_players, seed=seed)
        return cls.from_state(state, kingdom, n_players)

    def _position_text(self) -> str:
        """Return the position as text; "" while a card is being resolved, and after the game."""
        return "" if self.state.depth or self.is_over else format_position(self)

    def __repr__(self) -> str:
        """Return the call of `from_position` for this position, or a note if it has no text."""
        if text := self._position_text():
            return f"DominionGame.from_position({text!r}, Kingdom({self.kingdom.cards!r}))"
        return f"<DominionGame of {self.n_players} players, turn {max(self.state.turns)}>"

    def _repr_html_(self) -> str:
        """Return the table for a notebook: a row for each player, the Supply and the turn."""
        rows = (section.partition(": ") for section in (self._position_text() or repr(self)).split(" | "))
        cells = (f"<tr><th>{escape(name)}</th><td>{escape(body)}</td></tr>" for name, _, body in rows)
        return f"<table>{''.join(cells)}</table>"

    def copy(self) -> Self:
        """Return an independent copy with the same random streams."""
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        copied.state = self.state.copy()
        copied.events = list(self.events)
        copied.discards = [list(pile) for pile in self.discards]
        return copied

    # Playing.

    @property
    def is_over(self) -> bool:
        """True once the game has ended or was cut."""
        return bool(self.state["ended"] != Ending.PLAYING)

    @property
    def decision(self) -> Decision | None:
        """The pending Decision; None once the game is over.

        It is cached, because callers read it several times per position.
        """
        state = self.state
        if self.is_over:
            return None
        asked_row, legal, decider = int(state["asked_effect"]), int(state["legal"]), int(state["decider"])
        seat, left, shown = decider, 1, b""
        frame = state["stack"][max(int(state["depth"]) - 1, 0)]
        if self.card_effects[asked_row][1].op in (Op.CHOOSE, Op.OPTIONS):
            seat, left = int(frame[Frame.SEAT]), int(frame[Frame.CARDS_LEFT])
            shown = state["cards"][Zone.REVEALED].tobytes()
        elif self.card_effects[asked_row][1].op == Op.PLACE:
            shown = f"{frame[Frame.CARDS_LEFT]} of {deck_size(state, decider)}".encode()
        cost, gained = self._cost_limit(asked_row), self._gained()
        source = (asked_row, legal, decider, seat, left, cost, gained, shown)
        if self._decided is None or self._decided[0] != source:
            self._decided = source, self._decision_of(asked_row, legal, decider, seat, left)
        return self._decided[1]

    def _decision_of(self, asked_row: int, legal: int, decider: int, owner: int, left: int) -> Decision:
        """Return the Decision of a row of `Rules.effects`. ``left`` is the number of cards still to choose."""
        card, effect = self.card_effects[asked_row]
        names = [(pile, self.piles[pile].name) for pile in range(N_PILES) if legal >> pile & 1]
        answers = [Consequence(pile, name, verb_phrase(self._verb(effect, pile), name)) for pile, name in names]
        options = (bit for bit in range(FIRST_OPTION, N_ANSWERS) if legal >> bit & 1)
        answers += [Consequence(bit, *self.contract.option(self.state, bit)) for bit in options]
        if legal >> PASS & 1:
            answers.append(Consequence(PASS, PASS_NAME, PASS_NAME))
        sees = effect.op in (Op.CHOOSE, Op.OPTIONS) and self.contract.sees_revealed(self.state, decider)
        seen = tuple(self.cards(Zone.REVEALED).elements()) if sees else ()
        gained, limit = self._gained(), self._cost_limit(asked_row)
        name = "" if gained == NONE else self.piles[gained].name
        cost = None if limit == NO_LIMIT else limit
        return Decision(decider, card, effect, tuple(answers), owner, left, seen, name, cost)

    def _verb(self, effect: Effect, pile: int) -> str:
        """Return the verb of an answer. At the start of a turn a card without a due effect is played from hand."""
        is_due = any(entry[Later.PILE] == pile and entry[Later.DUE] for entry in self.state.later[: self.state.n_later])
        return "play" if effect.op == Op.START and not is_due else effect.verb

    def _gained(self) -> int:
        """Return the pile of the gained card if a card that watches for gains is being resolved, else NONE."""
        state = self.state
        if state.depth == 0:
            return NONE
        root = state.stack[state.stack[state.depth - 1, Frame.ROOT]]
        return int(root[Frame.PILE]) if root[Frame.NEXT] == PhaseEffect.GAINED else NONE

    def _cost_limit(self, asked_row: int) -> int:
        """Return the exact or maximum cost of the cards of the pending choice, NO_LIMIT without a limit."""
        effect, state = self.rules.effects[asked_row], self.state
        if effect[Column.EXTRA_COST] == NO_LIMIT or effect[Column.OP] != Op.CHOOSE:
            return int(effect[Column.MAX_COST]) if effect[Column.OP] == Op.CHOOSE else NO_LIMIT
        is_sum = effect[Column.EXACT] == SUM
        before = state.chosen_cost if is_sum else cost_of(self.rules, state, int(state.chosen))
        return int(before + effect[Column.EXTRA_COST])

    def enact(self, choice: Consequence | str) -> Self:
        """Answer the pending Decision, advance to the next and return the game itself.

        ``choice`` may be the card's name or "pass". Raises IllegalChoice if the Decision does not allow it, and
        EvodomError if the stack of frames was full.
        """
        self._run(self._legal_pile(choice.name if isinstance(choice, Consequence) else choice))
        check_overflow(self.state.ended)
        return self

    def answer_name(self, pile: int) -> str:
        """Return the name of a legal answer to the pending Decision."""
        return next(answer.name for answer in self._pending().consequences if answer.pile == pile)

    def strategy_choice(self, strategy: Strategy) -> Consequence:
        """Return a strategy's choice for the pending Decision. It may advance the seat's `strategy_streams`."""
        decision = self._pending()
        check_kingdom(strategy, self.kingdom.fingerprint)
        pile = select(self.rules, self.state, Lineup.of([strategy]).arrays, 0)
        return next(answer for answer in decision.consequences if answer.pile == pile)

    def play(self, agents: Sequence[Agent]) -> Self:
        """Play the game to its end with one agent per seat and return the game itself."""
        while (decision := self.decision) is not None:
            self.enact(agents[decision.seat](self.view(decision.seat), decision))
        return self

    def play_treasures_automatically(self, *seats: int) -> Self:
        """Play all Treasures of these seats automatically, also in a pending Decision, and return the game itself."""
        for seat in seats:
            self.state.auto_treasures |= 1 << seat
        decision = self.decision
        if decision and decision.effect.op == Op.PLAY_TREASURE and decision.seat in seats:
            self.state.decider = NONE
            self._run()
        return self

    # Observing.

    def view(self, seat: int) -> View:
        """Return the information visible to a seat: its own cards and all open cards."""
        state, seats = self.state, range(self.n_players)
        by_name, contract = self.contract.by_name, self.contract
        hand = self.cards(Zone.HAND + seat)
        return View(
            seat=seat,
            hand=hand,
            owned=self.owned(seat),
            hand_sizes=tuple(int(state.n_cards[Zone.HAND + each]) for each in seats),
            deck_sizes=tuple(int(deck_size(state, each)) for each in seats),
            discard_sizes=tuple(int(state.n_cards[Zone.DISCARD + each]) for each in seats),
            discard_tops=self.discard_tops,
            in_play=tuple(self.cards(Zone.IN_PLAY + each) for each in seats),
            staying=tuple(by_name(state.staying[each]) for each in seats),
            revealed=self.cards(Zone.REVEALED) if contract.sees_revealed(state, seat) else Counter(),
            places=tuple(contract.places(state, each, seat) for each in seats),
            vp_tokens=tuple(int(state.vp_tokens[each]) for each in seats),
            pending=tuple(contract.pending(state, each, seat) for each in seats),
            gained=tuple(tuple(contract.names_in(state.gained[each])) for each in seats),
            watching=by_name(state.plays_this_turn),
            named=tuple(contract.names_in(state.named)),
            looked_through=self.cards(Zone.DISCARD + seat) if self._looks_through(seat) else Counter(),
            supply={card.name: int(state.cards[Zone.SUPPLY, pile]) for pile, card in enumerate(self.piles)},
            costs=dict(zip(self.kingdom.names, contract.costs(state), strict=True)),
            trash=self.cards(Zone.TRASH),
            turns=tuple(int(state.turns[each]) for each in seats),
            active=int(state.active),
            phase=int(state.phase),
            actions=int(state.actions),
            buys=int(state.buys),
            coins=int(state.coins),
            coins_in_hand=sum(card.coins * hand[card.name] for card in self.piles),
            is_extra=bool(state.is_extra),
            extra_turn=bool(state.extra_turn),
        )

    def _looks_through(self, seat: int) -> bool:
        """Return whether a Decision of this seat to choose from its discard pile is pending."""
        decision = self.decision
        return decision is not None and decision.seat == seat and decision.effect.source == Zone.DISCARD

    def observation(self, seat: int) -> dict[str, Any]:
        """Return the observation of a seat as a JSON object (`Dominion.observe`)."""
        return self.contract.observe(self.state, seat)

    def redeal(self, seat: int, rng: np.random.Generator) -> Self:
        """Return a copy with the information hidden from a seat resampled by ``rng``, for search.

        The log of the copy begins with the turn in progress. The other players' discard piles have no order in it.
        """
        copied = self.copy()
        copied.state = self.contract.redeal(self.state, seat, rng)
        copied._begin_log()
        copied.discards = [pile if owner == seat else [] for owner, pile in enumerate(copied.discards)]
        return copied

    def cards(self, row: int) -> Counter[str]:
        """Return the cards of a row of the record by name (HAND + seat, IN_PLAY + seat, TRASH, ...).

        It reveals hidden cards. Give agents a `View` instead.
        """
        return self.contract.by_name(self.state["cards"][row])

    def owned(self, seat: int) -> Counter[str]:
        """Return all cards a seat owns, by name."""
        return self.contract.by_name(self.state["owned"][seat])

    def owned_seen(self, seat: int, viewer: int | None) -> Counter[str]:
        """Return the cards that a seat owns, by name, as far as ``viewer`` has seen (see `Dominion.owned_seen`)."""
        return self.contract.by_name(self.contract.owned_seen(self.state, seat, viewer))

    @property
    def discard_tops(self) -> tuple[str, ...]:
        """Top card of each discard pile; "" if the pile is empty or its top card is unseen."""
        return tuple(pile[-1] if pile else "" for pile in self.discards)

    @property
    def scores(self) -> tuple[int, ...]:
        """Current victory points of every seat."""
        return tuple(self.contract.points(self.state))

    @property
    def standings(self) -> list[tuple[int, int]]:
        """Return (place, seat) from first to last, by VP, then by fewer turns. Equal results share a place."""
        results = [(-vp, int(self.state.turns[seat])) for seat, vp in enumerate(self.scores)]
        return sorted((1 + sum(other < mine for other in results), seat) for seat, mine in enumerate(results))

    @property
    def end(self) -> str:
        """Reason of the end: "Provinces", "empty piles", "cut" (too many turns), "overflow", or "playing"."""
        return END_NAMES[self.state.ended]

    # Advancing the engine.

    def _run(self, action: int = ADVANCE) -> None:
        """Run the engine to the next Decision, with an answer to the pending Decision or ADVANCE. Record the events."""
        if not self.log:
            enact(self.rules, self.state, action)
            return
        events = read_events(record_events(self.rules, self.state, action), self.kingdom.names, self.card_effects)
        self.events += events
        follow_discards(self.discards, events)

    def _begin_log(self) -> None:
        """Replace the events by the event of the turn in progress. The first turn of a game has none."""
        self.events.clear()
        seat, number = int(self.state.active), int(self.state.turns[self.state.active])
        if self.log and (seat, number) != (0, 1):
            self.events.append(Event(seat, EventKind.TURN, number=number))

    def _pending(self) -> Decision:
        decision = self.decision
        if decision is None:
            raise IllegalChoice("the game is over: there is nothing to decide. Start another one.")
        return decision

    def _legal_pile(self, name: str) -> int:
        decision = self._pending()
        piles = {answer.name.casefold(): answer.pile for answer in decision.consequences}
        if name.casefold() in piles:
            return piles[name.casefold()]
        allowed = ", ".join(answer.name for answer in decision.consequences)
        raise IllegalChoice(f"{decision.title}: '{name}' cannot be chosen. Allowed: {allowed}.")
