"""The rules once more, as plain Python that shares no line with the engine: slow, and without shuffling.

Each card is a function that asks with `yield` and goes on with the answer. Decks are lists, the top card last; a card
that would need a shuffle raises `ShuffleNeeded`.
"""

from collections import Counter
from collections.abc import Generator, Iterable
from typing import TypeAlias

PASS = "pass"

COSTS = {
    "Copper": 0, "Silver": 3, "Gold": 6, "Estate": 2, "Duchy": 5, "Province": 8, "Curse": 0,
    "Cellar": 2, "Chapel": 2, "Moat": 2, "Chancellor": 3, "Harbinger": 3, "Merchant": 3, "Vassal": 3, "Village": 3,
    "Woodcutter": 3, "Workshop": 3, "Bureaucrat": 4, "Feast": 4, "Gardens": 4, "Militia": 4, "Moneylender": 4,
    "Poacher": 4, "Remodel": 4, "Smithy": 4, "Spy": 4, "Thief": 4, "Throne Room": 4, "Bandit": 5, "Council Room": 5,
    "Festival": 5, "Laboratory": 5, "Library": 5, "Market": 5, "Mine": 5, "Sentry": 5, "Witch": 5, "Adventurer": 6,
    "Artisan": 6,
}  # fmt: skip
TREASURES = {"Copper": 1, "Silver": 2, "Gold": 3}
VICTORIES = {"Estate", "Duchy", "Province", "Gardens"}
ACTIONS = COSTS.keys() - TREASURES.keys() - VICTORIES - {"Curse"}
ATTACKS = {"Bandit", "Bureaucrat", "Militia", "Spy", "Thief", "Witch"}

# Cards that only give: cards, actions, buys, coins.
GIVES = {
    "Moat": (2, 0, 0, 0), "Village": (1, 2, 0, 0), "Woodcutter": (0, 0, 1, 2), "Smithy": (3, 0, 0, 0),
    "Festival": (0, 2, 1, 2), "Laboratory": (2, 1, 0, 0), "Market": (1, 1, 1, 1), "Merchant": (1, 1, 0, 0),
    "Cellar": (0, 1, 0, 0), "Harbinger": (1, 1, 0, 0), "Vassal": (0, 0, 0, 2), "Chancellor": (0, 0, 0, 2),
    "Militia": (0, 0, 0, 2), "Poacher": (1, 1, 0, 1), "Spy": (1, 1, 0, 0), "Council Room": (4, 0, 1, 0),
    "Sentry": (1, 1, 0, 0), "Witch": (2, 0, 0, 0),
}  # fmt: skip

Question: TypeAlias = tuple[int, frozenset[str]]
"""Who is asked, and the answers allowed: at least two."""
Asking: TypeAlias = Generator[Question, str, None]
Answering: TypeAlias = Generator[Question, str, str | None]


class ShuffleNeeded(Exception):
    """A card is wanted from an empty deck while the discard pile has some."""


class Reference:
    """A game that begins in the action phase of the first seat."""

    def __init__(self, hands, decks, discards, supply, turns) -> None:
        self.n_players = len(hands)
        self.hands, self.decks, self.discards = hands, decks, discards
        self.supply: Counter[str] = supply
        self.turns = turns
        self.in_play: list[str] = []
        self.trash: list[str] = []
        self.active = 0
        self.actions = self.buys = self.coins = self.merchants = 0
        self.silver_seen = False
        self.safe: set[int] = set()

    def play_on(self) -> Asking:
        """Play turns until the game ends."""
        while True:
            yield from self.turn()
            empty = sum(n == 0 for n in self.supply.values())
            if self.supply["Province"] == 0 or empty >= (4 if self.n_players > 4 else 3):
                return
            self.active = (self.active + 1) % self.n_players
            self.turns[self.active] += 1

    def turn(self) -> Asking:
        seat = self.active
        self.actions = self.buys = 1
        self.coins = self.merchants = 0
        self.silver_seen = False
        while self.actions:
            card = yield from self.ask(seat, self.of(self.hands[seat], ACTIONS), optional=True)
            if card is None:
                break
            self.actions -= 1
            self.hands[seat].remove(card)
            self.in_play.append(card)
            yield from self.play(card)
        while card := (yield from self.ask(seat, self.of(self.hands[seat], TREASURES), optional=True)):
            self.hands[seat].remove(card)
            self.in_play.append(card)
            self.coins += TREASURES[card]
            if card == "Silver" and not self.silver_seen:
                self.coins += self.merchants
                self.silver_seen = True
        while self.buys:
            card = yield from self.ask(seat, self.gainable(self.coins), optional=True)
            if card is None:
                break
            self.buys -= 1
            self.coins -= COSTS[card]
            self.gain(seat, card, self.discards[seat])
        self.discards[seat] += self.in_play + self.hands[seat]
        self.in_play, self.hands[seat] = [], []
        self.draw(seat, 5)

    # What cards are made of.

    def ask(self, seat: int, answers: Iterable[str], *, optional: bool = False) -> Answering:
        """Ask for one of the answers; one that is the only one is not asked for. Passing gives None."""
        allowed = frozenset(answers) | ({PASS} if optional else set())
        if not allowed:
            return None
        answer = (yield seat, allowed) if len(allowed) > 1 else next(iter(allowed))
        return None if answer == PASS else answer

    def of(self, cards: Iterable[str], kind: Iterable[str]) -> list[str]:
        return [card for card in cards if card in kind]

    def gainable(self, cost: int, kind: Iterable[str] = COSTS) -> list[str]:
        return [card for card, n in self.supply.items() if n and COSTS[card] <= cost and card in kind]

    def gain(self, seat: int, card: str, place: list[str]) -> None:
        if self.supply[card]:
            self.supply[card] -= 1
            place.append(card)

    def top(self, seat: int) -> str | None:
        """Take the top card of a deck."""
        if self.decks[seat]:
            return self.decks[seat].pop()
        if self.discards[seat]:
            raise ShuffleNeeded
        return None

    def tops(self, seat: int, n: int) -> list[str]:
        return [card for card in (self.top(seat) for _ in range(n)) if card]

    def draw(self, seat: int, n: int) -> None:
        self.hands[seat] += self.tops(seat, n)

    def others(self) -> list[int]:
        return [(self.active + step) % self.n_players for step in range(1, self.n_players)]

    def victims(self) -> list[int]:
        return [seat for seat in self.others() if seat not in self.safe]

    def move(self, seat: int, cards: Iterable[str], source: list[str], place: list[str]) -> Answering:
        """Ask for one card and move it."""
        card = yield from self.ask(seat, cards)
        if card:
            source.remove(card)
            place.append(card)
        return card

    def move_any(self, seat: int, source: list[str], place: list[str], most: int) -> Generator[Question, str, int]:
        """Ask for cards, one by one, up to ``most``; return how many were moved."""
        for n in range(most):
            card = yield from self.ask(seat, source, optional=True)
            if card is None:
                return n
            source.remove(card)
            place.append(card)
        return most

    # The cards.

    def play(self, card: str, *, first: bool = True) -> Asking:
        seat = self.active
        if card in ATTACKS:
            self.safe = set()
            for other in self.others():
                if "Moat" in self.hands[other] and (yield from self.ask(other, ["Moat"], optional=True)):
                    self.safe.add(other)
        n_cards, n_actions, n_buys, n_coins = GIVES.get(card, (0, 0, 0, 0))
        self.draw(seat, n_cards)
        self.actions += n_actions
        self.buys += n_buys
        self.coins += n_coins
        if card == "Feast" and first:
            self.in_play.remove(card)
            self.trash.append(card)
        special = getattr(self, card.lower().replace(" ", "_"), None)
        if special:
            yield from special(seat, self.hands[seat])

    def cellar(self, seat: int, hand: list[str]) -> Asking:
        self.draw(seat, (yield from self.move_any(seat, hand, self.discards[seat], len(hand))))

    def chapel(self, seat: int, hand: list[str]) -> Asking:
        yield from self.move_any(seat, hand, self.trash, 4)

    def chancellor(self, seat: int, hand: list[str]) -> Asking:
        if (yield from self.ask(seat, ["Chancellor"], optional=True)):
            self.discards[seat] += self.decks[seat]
            self.decks[seat] = []

    def harbinger(self, seat: int, hand: list[str]) -> Asking:
        yield from self.move_any(seat, self.discards[seat], self.decks[seat], 1)

    def merchant(self, seat: int, hand: list[str]) -> Asking:
        self.merchants += 1
        yield from ()

    def vassal(self, seat: int, hand: list[str]) -> Asking:
        card = self.top(seat)
        if card is None:
            return
        self.discards[seat].append(card)
        if card in ACTIONS and (yield from self.ask(seat, [card], optional=True)):
            self.discards[seat].remove(card)
            self.in_play.append(card)
            yield from self.play(card)

    def workshop(self, seat: int, hand: list[str]) -> Asking:
        card = yield from self.ask(seat, self.gainable(4))
        if card:
            self.gain(seat, card, self.discards[seat])

    def feast(self, seat: int, hand: list[str]) -> Asking:
        card = yield from self.ask(seat, self.gainable(5))
        if card:
            self.gain(seat, card, self.discards[seat])

    def bureaucrat(self, seat: int, hand: list[str]) -> Asking:
        self.gain(seat, "Silver", self.decks[seat])
        for victim in self.victims():
            theirs = self.hands[victim]
            yield from self.move(victim, self.of(theirs, VICTORIES), theirs, self.decks[victim])

    def militia(self, seat: int, hand: list[str]) -> Asking:
        for victim in self.victims():
            while len(self.hands[victim]) > 3:
                yield from self.move(victim, self.hands[victim], self.hands[victim], self.discards[victim])

    def moneylender(self, seat: int, hand: list[str]) -> Asking:
        if (yield from self.ask(seat, self.of(hand, ["Copper"]), optional=True)):
            hand.remove("Copper")
            self.trash.append("Copper")
            self.coins += 3

    def poacher(self, seat: int, hand: list[str]) -> Asking:
        n_empty = sum(n == 0 for n in self.supply.values())
        for left in range(n_empty, 0, -1):
            if len(hand) <= left:
                self.discards[seat] += hand
                hand.clear()
            yield from self.move(seat, hand, hand, self.discards[seat])

    def remodel(self, seat: int, hand: list[str]) -> Asking:
        trashed = yield from self.move(seat, hand, hand, self.trash)
        if trashed:
            gained = yield from self.ask(seat, self.gainable(COSTS[trashed] + 2))
            if gained:
                self.gain(seat, gained, self.discards[seat])

    def mine(self, seat: int, hand: list[str]) -> Asking:
        trashed = yield from self.ask(seat, self.of(hand, TREASURES), optional=True)
        if trashed:
            hand.remove(trashed)
            self.trash.append(trashed)
            gained = yield from self.ask(seat, self.gainable(COSTS[trashed] + 3, TREASURES))
            if gained:
                self.gain(seat, gained, hand)

    def spy(self, seat: int, hand: list[str]) -> Asking:
        for player in [seat, *self.victims()]:
            for card in self.tops(player, 1):
                discards = yield from self.ask(seat, [card], optional=True)
                (self.discards if discards else self.decks)[player].append(card)

    def thief(self, seat: int, hand: list[str]) -> Asking:
        for victim in self.victims():
            revealed = self.tops(victim, 2)
            trashed = yield from self.move(seat, self.of(revealed, TREASURES), revealed, self.trash)
            if trashed and (yield from self.ask(seat, [trashed], optional=True)):
                self.trash.remove(trashed)
                self.discards[seat].append(trashed)
            self.discards[victim] += revealed

    def bandit(self, seat: int, hand: list[str]) -> Asking:
        self.gain(seat, "Gold", self.discards[seat])
        for victim in self.victims():
            revealed = self.tops(victim, 2)
            yield from self.move(victim, self.of(revealed, ["Silver", "Gold"]), revealed, self.trash)
            self.discards[victim] += revealed

    def throne_room(self, seat: int, hand: list[str]) -> Asking:
        card = yield from self.ask(seat, self.of(hand, ACTIONS), optional=True)
        if card:
            hand.remove(card)
            self.in_play.append(card)
            yield from self.play(card)
            yield from self.play(card, first=False)

    def council_room(self, seat: int, hand: list[str]) -> Asking:
        for other in self.others():
            self.draw(other, 1)
        yield from ()

    def library(self, seat: int, hand: list[str]) -> Asking:
        aside: list[str] = []
        while len(hand) < 7:
            card = self.top(seat)
            if card is None:
                break
            skips = card in ACTIONS and (yield from self.ask(seat, [card], optional=True))
            (aside if skips else hand).append(card)
        self.discards[seat] += aside

    def sentry(self, seat: int, hand: list[str]) -> Asking:
        seen = self.tops(seat, 2)
        yield from self.move_any(seat, seen, self.trash, len(seen))
        yield from self.move_any(seat, seen, self.discards[seat], len(seen))
        while seen:
            yield from self.move(seat, seen, seen, self.decks[seat])

    def witch(self, seat: int, hand: list[str]) -> Asking:
        for victim in self.victims():
            self.gain(victim, "Curse", self.discards[victim])
        yield from ()

    def adventurer(self, seat: int, hand: list[str]) -> Asking:
        others: list[str] = []
        n_found = 0
        while n_found < 2 and (card := self.top(seat)):
            (hand if card in TREASURES else others).append(card)
            n_found += card in TREASURES
        self.discards[seat] += others
        yield from ()

    def artisan(self, seat: int, hand: list[str]) -> Asking:
        card = yield from self.ask(seat, self.gainable(5))
        if card:
            self.gain(seat, card, hand)
        yield from self.move(seat, hand, hand, self.decks[seat])
