"""Fights that follow a game on the screen: a person enters the outcomes of chance (draws, rolls, targets, intents).

Open it to change the questions or how answers are parsed.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

import numpy as np

from evodom.errors import EvodomError, UsageError, short
from evodom.spire.content.statuses import STATUSES
from evodom.spire.engine import chance
from evodom.spire.engine.game import PendingChance, SpireFight, State
from evodom.spire.engine.layout import N_FIGHTERS, FightRecord
from evodom.spire.fights.names import cards_from_text, normalise

Ask = Callable[[str], str]
"""Function that shows a question to a person and returns the answer."""

MAX_LISTED = 12
"""Maximum number of answers that a question lists. If there are more, they are numbers; it shows the first and last."""

_CARD_QUESTIONS = {
    chance.TOP_CARD: "The top card", chance.EXHAUSTED: "Exhausted", chance.UPGRADED: "Upgraded",
    chance.MADE: "The random card", chance.FREED: "It costs 0 now", chance.TAKEN_CARD: "Taken into the hand",
}  # fmt: skip

_SERIES = {chance.DRAWN_CARD: "Drawn", chance.OFFERED: "Offered"}
"""Events that follow each other, and are answered together."""


class ManualChance:
    """Resolver of chance by a person's answers. An empty answer is resolved at random."""

    def __init__(self, game: SpireFight, rng: np.random.Generator, ask: Ask) -> None:
        self._game, self._rng, self._ask = game, rng, ask

    def outcome(self, state: State, move: int) -> State:
        """Return the state after a move."""
        return self._resolve(self._game.view(state), lambda decide: self._game.resolve_chance(state, move, decide))

    def start(self) -> State:
        """Return the initial state."""
        rules = self._game.rules
        groups = [", ".join(rules.enemy_names[row] for row in group if row) for group in rules.groups]
        names = {name: number for number, name in enumerate(groups)}
        group = self._ask_for_one("You meet", names, rules.group_weights) if len(names) > 1 else 0
        return self._resolve(None, lambda decide: self._game.resolve_start_chance(group, decide))

    def _resolve(self, before: FightRecord | None, resolve_chance: "Callable[[_Answers], State]") -> State:
        """Resolve a move by answers. If the cards of an answer cannot have been drawn, repeat the move and ask again.

        The answers before the impossible draw are kept.
        """
        kept: list[int] = []
        complaint = ""
        while True:
            answers = _Answers(self, before, kept, complaint)
            try:
                state = resolve_chance(answers)
                answers.end_draws()
            except _ImpossibleDraw as error:
                kept, complaint = answers.results[: answers.draws_begin], f"{error} "
            else:
                return state

    def ask_for_result(self, pending: PendingChance, state: State, before: FightRecord | None) -> int:
        """Ask for the result of a chance event by its name."""
        rules, record, fight = self._game.rules, self._game.record, self._game.view(state)
        # `number` is the number of the intent (INTENT) or of the random status (ROLLED_STATUS).
        number, enemy = divmod(pending.subject, N_FIGHTERS)
        if pending.event in _CARD_QUESTIONS:
            kinds = {self.card_name(kind): kind for kind in pending.possible}
            return self._ask_for_one(_CARD_QUESTIONS[pending.event], kinds, pending.weights)
        if pending.event == chance.RANDOM_ENEMY:
            alive = {f"{place} {self._enemy_name(place, fight, before)}": place for place in pending.possible}
            return self._ask_for_one("Random enemy", alive, pending.weights)
        if pending.event == chance.SPOON:
            return self._ask_for_one("Strange Spoon", {"exhausted": 0, "discarded": 1}, pending.weights)
        if pending.event == chance.COST:
            costs = {str(cost): cost for cost in pending.possible}
            return self._ask_for_one(f"Cost of {self.card_name(pending.subject)}", costs, pending.weights)
        label = f"{enemy} {self._enemy_name(enemy, fight, before)}"
        if pending.event == chance.INTENT:
            following = record.following[number]
            names = {rules.intents[following[place]].strip(): place for place in pending.possible}
            if len(names) == 1:
                return self.random_index(pending.weights)
            return self._ask_for_one(f"{label} intends", names, pending.weights)
        row = fight.row[enemy]
        what, least = "HP", int(record.enemy_hp[row, 0])
        if pending.event == chance.ROLLED_STATUS:
            status, least, _ = record.random_statuses[row, number]
            what = tuple(STATUSES)[status]
        else:
            assert pending.event == chance.ROLLED_HP
        rolled = {str(least + place): place for place in pending.possible}
        return self._ask_for_one(f"{what} of {label}", rolled, pending.weights)

    def ask_for_cards(self, n: int, event: int, complaint: str) -> Counter[int] | None:
        """Ask which cards were drawn or offered. Return their counts by kind; None for random cards."""
        names = [card.name for card in self._game.rules.kinds]
        while True:
            answer = self._ask(f"{complaint}{_SERIES[event]} ({n} card{'s' * (n > 1)})")
            if not answer:
                return None
            try:
                return Counter({self._game.rules.kind(name): k for name, k in cards_from_text(answer, names).items()})
            except UsageError as error:
                complaint = f"{error} "

    def card_name(self, kind: int) -> str:
        """Return the name of a card."""
        return self._game.rules.kinds[kind].name

    def _enemy_name(self, enemy: int, fight: FightRecord, before: FightRecord | None) -> str:
        """Return the name of the enemy at a place: before the move if it was alive then, otherwise after the move."""
        row = before.row[enemy] if before is not None and before.hp[enemy] > 0 else fight.row[enemy]
        name: str = self._game.rules.enemy_names[row]
        return name

    def _ask_for_one(self, question: str, names: Mapping[str, int], weights: Sequence[int]) -> int:
        """Ask for one of `names` until the answer matches exactly one. Return its index."""
        choices = list(names)
        listed = ", ".join(choices) if len(choices) <= MAX_LISTED else f"{choices[0]} to {choices[-1]}"
        complaint = ""
        while True:
            text = self._ask(f"{complaint}{question} ({listed})")
            if not text.strip():
                return self.random_index(weights)
            found = _matching(text, choices)
            if len(found) == 1:
                return names[found[0]]
            complaint = f"{short(text)} may be {' or '.join(found)}. " if found else f"{short(text)} cannot be. "

    def random_index(self, weights: Sequence[int]) -> int:
        """Return a random index with probabilities proportional to the weights."""
        shares = np.asarray(weights, np.float64)
        return int(self._rng.choice(len(shares), p=shares / shares.sum()))


def _matching(text: str, names: list[str]) -> list[str]:
    """Return the names that equal a text. If there are none, return the names that contain the text.

    A name that is a number only matches an equal text.
    """
    wanted = normalise(text)
    exact = [name for name in names if (text.strip() == name if name.isdigit() else normalise(name) == wanted)]
    if exact or not wanted:
        return exact
    return [name for name in names if wanted in normalise(name) and not name.isdigit()]


class _ImpossibleDraw(EvodomError):
    """The named cards cannot have been drawn."""


class _Answers:
    """The results of a move's chance events: a function of type `game.Decide`.

    The results `kept` from an earlier attempt come first. A person answers for the others. One question covers a series
    of successive draws: the answer names their cards, and each draw takes one of them.

    Attributes:
        results: results of the events so far.
        draws_begin: index in `results` of the first draw of the latest series.
        _drawing: whether the latest event is a draw of a series whose question was asked or was not needed.
        _named_cards: cards of the answer that are not drawn yet; None if the series is drawn at random.
        _complaint: beginning of the next question: why the last answer was rejected.
    """

    def __init__(self, manual: ManualChance, before: FightRecord | None, kept: list[int], complaint: str) -> None:
        self._manual, self._before, self._kept, self._complaint = manual, before, kept, complaint
        self.results: list[int] = []
        self.draws_begin = 0
        self._named_cards: Counter[int] | None = None
        self._drawing = False

    def __call__(self, state: State, pending: list[PendingChance]) -> int:
        result = self._next_result(state, pending)
        self.results.append(result)
        return result

    def end_draws(self) -> None:
        """End a series of draws. Raise `_ImpossibleDraw` if more cards were named than drawn."""
        if self._named_cards:
            raise _ImpossibleDraw(f"{self._unmatched_card()} cannot be among them.")
        self._named_cards, self._drawing = None, False

    def _next_result(self, state: State, pending: list[PendingChance]) -> int:
        if len(self.results) < len(self._kept):
            return self._kept[len(self.results)]
        first = pending[0]
        if first.event in _SERIES:
            return self._drawn_card(pending)
        self.end_draws()
        if len(first.possible) == 1:
            return first.possible[0]
        if first.event == chance.PLACE:  # not visible to the player
            return self._manual.random_index(first.weights)
        return self._manual.ask_for_result(first, state, self._before)

    def _drawn_card(self, pending: list[PendingChance]) -> int:
        """Return the next drawn card. At the first draw of a series, ask for the cards of the whole series."""
        first = pending[0]
        if not self._drawing:
            draws = list(takewhile(lambda one: one.event == first.event, pending))
            if all(len(draw.possible) == 1 for draw in draws):
                return first.possible[0]
            self._drawing, self.draws_begin = True, len(self.results)
            if sum(first.weights) != len(draws):  # otherwise the whole pile is drawn
                self._named_cards = self._manual.ask_for_cards(len(draws), first.event, self._complaint)
                self._complaint = ""
        if self._named_cards is None:
            return self._manual.random_index(first.weights)
        fits = [kind for kind in first.possible if self._named_cards[kind] > 0]
        if not fits:
            self.end_draws()
            raise _ImpossibleDraw(f"More were {_SERIES[first.event].casefold()}.")
        self._named_cards -= Counter([fits[0]])
        return fits[0]

    def _unmatched_card(self) -> str:
        """Return the first card that was named and not drawn."""
        assert self._named_cards
        return self._manual.card_name(next(iter(self._named_cards)))
