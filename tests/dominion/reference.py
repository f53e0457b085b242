"""The rules once more, as plain Python that shares no line with the engine: slow, and without shuffling.

Each card is a function that asks with `yield` and goes on with the answer. Decks are lists, the top card last; a card
that would need a shuffle raises `ShuffleNeeded`.
"""

from collections import Counter
from collections.abc import Generator, Iterable
from typing import TypeAlias

PASS = "pass"

N_PLACES = 22
"""Places in a deck that one question offers; with more, the last answer is FURTHER."""

FURTHER = "further down"

COSTS = {
    "Copper": 0, "Silver": 3, "Gold": 6, "Estate": 2, "Duchy": 5, "Province": 8, "Curse": 0,
    "Cellar": 2, "Chapel": 2, "Moat": 2, "Chancellor": 3, "Harbinger": 3, "Merchant": 3, "Vassal": 3, "Village": 3,
    "Woodcutter": 3, "Workshop": 3, "Bureaucrat": 4, "Feast": 4, "Gardens": 4, "Militia": 4, "Moneylender": 4,
    "Poacher": 4, "Remodel": 4, "Smithy": 4, "Spy": 4, "Thief": 4, "Throne Room": 4, "Bandit": 5, "Council Room": 5,
    "Festival": 5, "Laboratory": 5, "Library": 5, "Market": 5, "Mine": 5, "Sentry": 5, "Witch": 5, "Adventurer": 6,
    "Artisan": 6,
    "Courtyard": 2, "Lurker": 2, "Pawn": 2, "Shanty Town": 3, "Steward": 3, "Swindler": 3, "Wishing Well": 3,
    "Baron": 4, "Bridge": 4, "Conspirator": 4, "Ironworks": 4, "Mill": 4, "Mining Village": 4, "Courtier": 5, "Duke": 5,
    "Diplomat": 4, "Masquerade": 3, "Secret Passage": 4,
    "Minion": 5, "Patrol": 5, "Replace": 5, "Torturer": 5, "Trading Post": 5, "Upgrade": 5, "Farm": 6, "Nobles": 6,
    "Lookout": 3, "Warehouse": 3, "Cutpurse": 4, "Bazaar": 5,
    "Quarry": 4, "Worker's Village": 4, "Rabble": 5, "Expand": 7, "King's Court": 7,
}  # fmt: skip
TREASURES = {"Copper": 1, "Silver": 2, "Gold": 3, "Farm": 2, "Quarry": 1}
VICTORIES = {"Estate", "Duchy", "Province", "Gardens", "Duke", "Farm", "Mill", "Nobles"}
ACTIONS = (COSTS.keys() - TREASURES.keys() - VICTORIES - {"Curse"}) | {"Mill", "Nobles"}
ATTACKS = {
    "Bandit", "Bureaucrat", "Militia", "Spy", "Thief", "Witch", "Swindler", "Minion", "Replace", "Torturer", "Cutpurse",
    "Rabble",
}  # fmt: skip
REACTIONS = {"Moat", "Diplomat"}

# Cards that only give: cards, actions, buys, coins.
GIVES = {
    "Moat": (2, 0, 0, 0), "Village": (1, 2, 0, 0), "Woodcutter": (0, 0, 1, 2), "Smithy": (3, 0, 0, 0),
    "Festival": (0, 2, 1, 2), "Laboratory": (2, 1, 0, 0), "Market": (1, 1, 1, 1), "Merchant": (1, 1, 0, 0),
    "Cellar": (0, 1, 0, 0), "Harbinger": (1, 1, 0, 0), "Vassal": (0, 0, 0, 2), "Chancellor": (0, 0, 0, 2),
    "Militia": (0, 0, 0, 2), "Poacher": (1, 1, 0, 1), "Spy": (1, 1, 0, 0), "Council Room": (4, 0, 1, 0),
    "Sentry": (1, 1, 0, 0), "Witch": (2, 0, 0, 0),
    "Courtyard": (3, 0, 0, 0), "Lurker": (0, 1, 0, 0), "Shanty Town": (0, 2, 0, 0), "Swindler": (0, 0, 0, 2),
    "Wishing Well": (1, 1, 0, 0), "Baron": (0, 0, 1, 0), "Bridge": (0, 0, 1, 1), "Conspirator": (0, 0, 0, 2),
    "Diplomat": (2, 0, 0, 0), "Masquerade": (2, 0, 0, 0), "Secret Passage": (2, 1, 0, 0),
    "Mill": (1, 1, 0, 0), "Mining Village": (1, 2, 0, 0), "Minion": (0, 1, 0, 0), "Patrol": (3, 0, 0, 0),
    "Torturer": (3, 0, 0, 0), "Upgrade": (1, 1, 0, 0), "Lookout": (0, 1, 0, 0), "Warehouse": (3, 1, 0, 0),
    "Cutpurse": (0, 0, 0, 2), "Bazaar": (1, 2, 0, 1), "Worker's Village": (1, 2, 1, 0), "Rabble": (3, 0, 0, 0),
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
        self.actions = self.buys = self.coins = self.merchants = self.bridges = self.quarries = self.n_played = 0
        self.silver_seen = False
        self.place = [True]
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
        self.coins = self.merchants = self.bridges = self.quarries = self.n_played = 0
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
            self.quarries += card == "Quarry"
            if card == "Silver" and not self.silver_seen:
                self.coins += self.merchants
                self.silver_seen = True
        while self.buys:
            card = yield from self.ask(seat, self.gainable(self.coins), optional=True)
            if card is None:
                break
            self.buys -= 1
            self.coins -= self.cost(card)
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

    def cost(self, card: str) -> int:
        return max(COSTS[card] - self.bridges - 2 * self.quarries * (card in ACTIONS), 0)

    def gainable(self, cost: int, kind: Iterable[str] = COSTS, *, exactly: bool = False) -> list[str]:
        affordable = [card for card, n in self.supply.items() if n and self.cost(card) <= cost and card in kind]
        return [card for card in affordable if self.cost(card) == cost] if exactly else affordable

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

    def move_n(self, seat: int, source: list[str], place: list[str], n: int) -> Asking:
        """Ask for ``n`` cards, one by one, and move them; all if there are no more."""
        for left in range(n, 0, -1):
            if len(source) <= left:
                place += source
                source.clear()
            yield from self.move(seat, source, source, place)

    def options(self, seat: int, k: int, *names: str) -> Generator[Question, str, list[str]]:
        """Ask for ``k`` of the options, one by one, and return them in their order."""
        chosen: list[str] = []
        while len(chosen) < k:
            left = [name for name in names if name not in chosen]
            if len(left) <= k - len(chosen):
                return list(names)
            chosen.append((yield from self.ask(seat, left)) or "")
        return [name for name in names if name in chosen]

    # The cards.

    def play(self, card: str, place: list[bool] | None = None) -> Asking:
        """Play a card. ``place`` says whether it is still in play; all plays of it share the list."""
        seat = self.active
        place = place or [True]
        self.n_played += 1
        if card in ATTACKS:
            self.safe = set()
            for other in self.others():
                yield from self.react(other)
        n_cards, n_actions, n_buys, n_coins = GIVES.get(card, (0, 0, 0, 0))
        self.draw(seat, n_cards)
        self.actions += n_actions
        self.buys += n_buys
        self.coins += n_coins
        if card == "Feast" and place[0]:
            self.in_play.remove(card)
            self.trash.append(card)
            place[0] = False
        special = getattr(self, card.lower().replace(" ", "_").replace("'", ""), None)
        self.place = place
        if special:
            yield from special(seat, self.hands[seat])

    def react(self, seat: int) -> Asking:
        """Ask for Reactions to an Attack until the player passes."""
        hand = self.hands[seat]
        while True:
            moat = ["Moat"] if "Moat" in hand and seat not in self.safe else []
            diplomat = ["Diplomat"] if "Diplomat" in hand and len(hand) >= 5 else []
            revealed = yield from self.ask(seat, [*moat, *diplomat], optional=bool(moat or diplomat))
            if revealed is None:
                return
            if revealed == "Moat":
                self.safe.add(seat)
            else:
                self.draw(seat, 2)
                yield from self.move_n(seat, hand, self.discards[seat], 3)

    def diplomat(self, seat: int, hand: list[str]) -> Asking:
        self.actions += 2 * (len(hand) <= 5)
        yield from ()

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
            gained = yield from self.ask(seat, self.gainable(self.cost(trashed) + 2))
            if gained:
                self.gain(seat, gained, self.discards[seat])

    def mine(self, seat: int, hand: list[str]) -> Asking:
        trashed = yield from self.ask(seat, self.of(hand, TREASURES), optional=True)
        if trashed:
            hand.remove(trashed)
            self.trash.append(trashed)
            gained = yield from self.ask(seat, self.gainable(self.cost(trashed) + 3, TREASURES))
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
            yield from self.move(victim, self.of(revealed, TREASURES.keys() - {"Copper"}), revealed, self.trash)
            self.discards[victim] += revealed

    def throne_room(self, seat: int, hand: list[str]) -> Asking:
        yield from self.play_several(seat, hand, 2)

    def kings_court(self, seat: int, hand: list[str]) -> Asking:
        yield from self.play_several(seat, hand, 3)

    def play_several(self, seat: int, hand: list[str], n: int) -> Asking:
        card = yield from self.ask(seat, self.of(hand, ACTIONS), optional=True)
        if card:
            hand.remove(card)
            self.in_play.append(card)
            place = [True]
            for _ in range(n):
                yield from self.play(card, place)

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

    # Intrigue.

    def courtyard(self, seat: int, hand: list[str]) -> Asking:
        yield from self.move(seat, hand, hand, self.decks[seat])

    def lurker(self, seat: int, hand: list[str]) -> Asking:
        [choice] = yield from self.options(seat, 1, "trash", "gain")
        if choice == "gain":
            yield from self.move(seat, self.of(self.trash, ACTIONS), self.trash, self.discards[seat])
        elif card := (
            yield from self.ask(seat, [card for card in self.supply if self.supply[card] and card in ACTIONS])
        ):
            self.supply[card] -= 1
            self.trash.append(card)

    def give(self, seat: int, options: list[str], amounts: dict[str, int]) -> None:
        self.draw(seat, amounts.get("cards", 0) * ("cards" in options))
        self.actions += amounts.get("actions", 0) * ("actions" in options)
        self.buys += amounts.get("buys", 0) * ("buys" in options)
        self.coins += amounts.get("coins", 0) * ("coins" in options)

    def pawn(self, seat: int, hand: list[str]) -> Asking:
        options = yield from self.options(seat, 2, "cards", "actions", "buys", "coins")
        self.give(seat, options, {"cards": 1, "actions": 1, "buys": 1, "coins": 1})

    def nobles(self, seat: int, hand: list[str]) -> Asking:
        self.give(seat, (yield from self.options(seat, 1, "cards", "actions")), {"cards": 3, "actions": 2})

    def steward(self, seat: int, hand: list[str]) -> Asking:
        options = yield from self.options(seat, 1, "cards", "coins", "trash")
        self.give(seat, options, {"cards": 2, "coins": 2})
        if options == ["trash"]:
            yield from self.move_n(seat, hand, self.trash, 2)

    def courtier(self, seat: int, hand: list[str]) -> Asking:
        card = yield from self.ask(seat, hand)
        kinds = (ACTIONS, ATTACKS, REACTIONS, TREASURES, VICTORIES, {"Curse"})
        n_types = sum(card in kind for kind in kinds)
        options = yield from self.options(seat, n_types, "actions", "buys", "coins", "gold")
        self.give(seat, options, {"actions": 1, "buys": 1, "coins": 3})
        if "gold" in options:
            self.gain(seat, "Gold", self.discards[seat])

    def shanty_town(self, seat: int, hand: list[str]) -> Asking:
        if not self.of(hand, ACTIONS):
            self.draw(seat, 2)
        yield from ()

    def swindler(self, seat: int, hand: list[str]) -> Asking:
        for victim in self.victims():
            for card in self.tops(victim, 1):
                self.trash.append(card)
                gained = yield from self.ask(seat, self.gainable(self.cost(card), exactly=True))
                if gained:
                    self.gain(victim, gained, self.discards[victim])

    def wishing_well(self, seat: int, hand: list[str]) -> Asking:
        name = yield from self.ask(seat, self.supply)
        for card in self.tops(seat, 1):
            (hand if card == name else self.decks[seat]).append(card)

    def baron(self, seat: int, hand: list[str]) -> Asking:
        if (yield from self.ask(seat, self.of(hand, ["Estate"]), optional=True)):
            hand.remove("Estate")
            self.discards[seat].append("Estate")
            self.coins += 4
        else:
            self.gain(seat, "Estate", self.discards[seat])

    def bridge(self, seat: int, hand: list[str]) -> Asking:
        self.bridges += 1
        yield from ()

    def conspirator(self, seat: int, hand: list[str]) -> Asking:
        if self.n_played >= 3:
            self.draw(seat, 1)
            self.actions += 1
        yield from ()

    def ironworks(self, seat: int, hand: list[str]) -> Asking:
        card = yield from self.ask(seat, self.gainable(4))
        if card:
            self.gain(seat, card, self.discards[seat])
            self.actions += card in ACTIONS
            self.coins += card in TREASURES
            self.draw(seat, card in VICTORIES)

    def mill(self, seat: int, hand: list[str]) -> Asking:
        first = yield from self.ask(seat, hand, optional=True)
        if first:
            hand.remove(first)
            self.discards[seat].append(first)
            second = yield from self.move(seat, hand, hand, self.discards[seat])
            self.coins += 2 * (second is not None)

    def mining_village(self, seat: int, hand: list[str]) -> Asking:
        place = self.place
        if place[0] and (yield from self.ask(seat, ["Mining Village"], optional=True)):
            self.in_play.remove("Mining Village")
            self.trash.append("Mining Village")
            place[0] = False
            self.coins += 2

    def masquerade(self, seat: int, hand: list[str]) -> Asking:
        in_turn = [(seat + step) % self.n_players for step in range(self.n_players)]
        players = [player for player in in_turn if self.hands[player]]
        if len(players) > 1:
            passed: list[str] = []
            for player in players:
                yield from self.move(player, self.hands[player], list(self.hands[player]), passed)
            for player, given, taken in zip(players, passed, [passed[-1], *passed], strict=False):
                self.hands[player].remove(given)
                self.hands[player].append(taken)
        yield from self.move_any(seat, hand, self.trash, 1)

    def secret_passage(self, seat: int, hand: list[str]) -> Asking:
        deck = self.decks[seat]
        chosen: list[str] = []
        if (yield from self.move(seat, hand, hand, chosen)):
            names = ["top", *(f"under {n}" for n in range(1, len(deck))), *["bottom"][: len(deck)]]
            first, answer = 0, FURTHER
            while answer == FURTHER:
                left = names[first:]
                left = left if len(left) <= N_PLACES else [*left[: N_PLACES - 1], FURTHER]
                answer = (yield from self.ask(seat, left)) or ""
                first += N_PLACES - 1
            deck.insert(len(deck) - names.index(answer), chosen[0])

    def minion(self, seat: int, hand: list[str]) -> Asking:
        [choice] = yield from self.options(seat, 1, "coins", "discard")
        if choice == "coins":
            self.coins += 2
            return
        for player in [seat, *(victim for victim in self.victims() if len(self.hands[victim]) >= 5)]:
            self.discards[player] += self.hands[player]
            self.hands[player].clear()
            self.draw(player, 4)

    def patrol(self, seat: int, hand: list[str]) -> Asking:
        seen = self.tops(seat, 4)
        hand += self.of(seen, VICTORIES | {"Curse"})
        yield from self.put_back(seat, [card for card in seen if card not in VICTORIES | {"Curse"}])

    def put_back(self, seat: int, cards: list[str]) -> Asking:
        while cards:
            yield from self.move(seat, cards, cards, self.decks[seat])

    def replace(self, seat: int, hand: list[str]) -> Asking:
        trashed = yield from self.move(seat, hand, hand, self.trash)
        gained = trashed and (yield from self.ask(seat, self.gainable(self.cost(trashed) + 2)))
        if gained:
            self.gain(seat, gained, self.decks[seat] if gained in ACTIONS | TREASURES.keys() else self.discards[seat])
            for victim in self.victims() if gained in VICTORIES else ():
                self.gain(victim, "Curse", self.discards[victim])

    def torturer(self, seat: int, hand: list[str]) -> Asking:
        for victim in self.victims():
            [choice] = yield from self.options(victim, 1, "discard", "curse")
            if choice == "curse":
                self.gain(victim, "Curse", self.hands[victim])
            else:
                yield from self.move_n(victim, self.hands[victim], self.discards[victim], 2)

    def trading_post(self, seat: int, hand: list[str]) -> Asking:
        n = len(hand)
        yield from self.move_n(seat, hand, self.trash, 2)
        if n >= 2:
            self.gain(seat, "Silver", hand)

    def upgrade(self, seat: int, hand: list[str]) -> Asking:
        trashed = yield from self.move(seat, hand, hand, self.trash)
        gained = trashed and (yield from self.ask(seat, self.gainable(self.cost(trashed) + 1, exactly=True)))
        if gained:
            self.gain(seat, gained, self.discards[seat])

    # Seaside and Prosperity.

    def lookout(self, seat: int, hand: list[str]) -> Asking:
        seen = self.tops(seat, 3)
        yield from self.move(seat, seen, seen, self.trash)
        yield from self.move(seat, seen, seen, self.discards[seat])
        self.decks[seat] += seen

    def warehouse(self, seat: int, hand: list[str]) -> Asking:
        yield from self.move_n(seat, hand, self.discards[seat], 3)

    def cutpurse(self, seat: int, hand: list[str]) -> Asking:
        for victim in self.victims():
            theirs = self.hands[victim]
            yield from self.move(victim, self.of(theirs, ["Copper"]), theirs, self.discards[victim])

    def rabble(self, seat: int, hand: list[str]) -> Asking:
        for victim in self.victims():
            seen = self.tops(victim, 3)
            self.discards[victim] += self.of(seen, ACTIONS | TREASURES.keys())
            yield from self.put_back(victim, [card for card in seen if card not in ACTIONS | TREASURES.keys()])

    def expand(self, seat: int, hand: list[str]) -> Asking:
        trashed = yield from self.move(seat, hand, hand, self.trash)
        gained = trashed and (yield from self.ask(seat, self.gainable(self.cost(trashed) + 3)))
        if gained:
            self.gain(seat, gained, self.discards[seat])
