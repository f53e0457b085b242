"""Turns, plays, Durations, gains and costs of the reference."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from tests.dominion.reference.questions import Answer, Asking, Questions, take
from tests.dominion.reference.tables import (
    ACTIONS,
    ASK_LATER,
    ATTACKS,
    COSTS,
    DURATIONS,
    ON_A_CONDITION,
    ROWS,
    TREASURES,
    VICTORIES,
)


@dataclass(eq=False)
class Piece:
    """A card in play."""

    name: str
    n_later: int = 0
    """How many of its plays have something left to do in a later turn."""
    played: list["Piece"] = field(default_factory=list)
    """The cards that it plays several times: it stays in play with such a Duration."""


@dataclass(eq=False)
class Play:
    """A play of a card."""

    seat: int
    piece: Piece
    safe: set[int] = field(default_factory=set)
    """The players whom this Attack does not affect."""


@dataclass(eq=False)
class Later:
    """The later effect of a play of a Duration."""

    play: Play
    aside: str | None = None
    due: bool = False
    """Its player's next turn has begun. Effects "until your next turn" are over."""


@dataclass(eq=False)
class Gained:
    """A gained card and the place it was gained to; None once it was moved."""

    card: str
    place: list[str] | None


class Core(Questions):
    """A game that begins with a turn of the first seat, or with its ``phase`` "action"."""

    def __init__(self, hands, decks, discards, supply, turns) -> None:
        super().__init__(hands, decks, discards)
        self.supply: Counter[str] = supply
        self.turns = turns
        self.in_play: list[list[Piece]] = [[] for _ in hands]
        self.set_aside, self.islands, self.villages = ([list[str]() for _ in hands] for _ in range(3))
        self.tokens = [0] * self.n_players
        self.trash: list[str] = []
        self.later: list[Later] = []
        self.gained = [set[str]() for _ in hands]
        self.treasures = TREASURES | {"Curse"} if "Charlatan" in supply else TREASURES
        self.played: Counter[str] = Counter()
        self.active = 0
        self.is_extra = self.extra_follows = False
        self.begin()

    def resume(self, seat: int, card: str, aside: str | None, safe: set[int], due: bool) -> None:
        """Note the later effect of an earlier play of a card that is in play."""
        piece = min((p for p in self.in_play[seat] if p.name == card), key=lambda p: p.n_later)
        self.set_up(Play(seat, piece, safe), aside)
        self.later[-1].due = due

    def play_on(self) -> Asking:
        """Play turns until the game ends."""
        while True:
            yield from self.turn()
            ends = any(self.supply.get(card) == 0 for card in ("Province", "Colony"))
            if ends or self.n_empty() >= (4 if self.n_players > 4 else 3):
                return
            self.is_extra = self.extra_follows
            if not self.is_extra:
                self.active = (self.active + 1) % self.n_players
                self.turns[self.active] += 1
            self.begin()

    def begin(self) -> None:
        """Begin a turn."""
        self.phase = "start"
        self.actions = self.buys = 1
        self.coins = self.merchants = self.discount = self.quarries = self.n_played = self.victories = 0
        self.sailors = self.tiaras = self.collections = self.hoards = 0
        self.silver_seen = self.corsairs_done = self.extra_follows = False
        self.named: set[str] = set()
        self.gained[self.active] = set()
        for later in self.later:
            later.due |= later.play.seat == self.active
        for piece in self.in_play[self.active]:
            piece.n_later -= piece.name == "Outpost" and piece.n_later

    def turn(self) -> Asking:
        seat, hand = self.active, self.hands[self.active]
        if self.phase == "start":
            yield from self.start(seat, hand)
        self.phase = "action"
        while self.actions:
            card = yield from self.ask(seat, self.of(hand, ACTIONS), optional=True)
            if card is None:
                break
            self.actions -= 1
            yield from self.play_from(seat, card, hand)
        self.phase = "buy"
        while card := (yield from self.ask(seat, self.of(hand, self.treasures), optional=True)):
            yield from self.play_from(seat, card, hand)
        while self.buys:
            card = yield from self.ask(seat, self.buyable(), optional=True)
            if card is None:
                break
            self.buys -= 1
            self.coins -= self.cost(card)
            yield from self.gain(seat, card, self.discards[seat], bought=True)
        yield from self.end_of_buys(seat)
        self.clean_up(seat, hand)

    def start(self, seat: int, hand: list[str]) -> Asking:
        """Resolve what happens at the start of a turn, in the order that its player likes."""
        while True:
            due = [later for later in self.later if later.due]
            names = [card for card in self.supply if any(later.play.piece.name == card for later in due)]
            if "Clerk" not in hand and not any(later.play.piece.name in ASK_LATER for later in due):
                names = names[:1]
            card = yield from self.ask(seat, [*names, *self.of(hand, ["Clerk"])], optional=not due)
            if card is None:
                return
            if card == "Clerk":
                yield from self.play_from(seat, card, hand)
            else:
                later = next(later for later in due if later.play.piece.name == card)
                self.later.remove(later)
                later.play.piece.n_later -= 1
                yield from self.take_steps(later.play, ROWS[card].later)
                yield from self.special("later_", card, later, hand)

    def end_of_buys(self, seat: int) -> Asking:
        while not self.victories:
            treasuries = [piece for piece in self.in_play[seat] if piece.name == "Treasury"]
            if not treasuries or not (yield from self.ask(seat, ["Treasury"], optional=True)):
                return
            self.in_play[seat].remove(treasuries[0])
            self.decks[seat].append("Treasury")

    def clean_up(self, seat: int, hand: list[str]) -> None:
        staying = [p for p in self.in_play[seat] if p.n_later or any(played.n_later for played in p.played)]
        self.discards[seat] += [piece.name for piece in self.in_play[seat] if piece not in staying] + hand
        self.in_play[seat] = staying
        hand.clear()
        self.draw(seat, 3 if self.extra_follows else 5)

    def score(self, seat: int) -> int:
        zones = (self.hands, self.decks, self.discards, self.set_aside, self.islands, self.villages)
        cards = [piece.name for piece in self.in_play[seat]] + [card for zone in zones for card in zone[seat]]
        count = Counter(cards)
        points = sum(ROWS[card].vp for card in cards) + count["Duke"] * count["Duchy"]
        return points + count["Gardens"] * (len(cards) // 10) + self.tokens[seat]

    # Plays.

    def play_from(self, seat: int, card: str, place: list[str]) -> Asking:
        """Move a card from its place into play and play it."""
        yield from self.play(seat, self.put_into_play(seat, card, place))

    def put_into_play(self, seat: int, card: str, place: list[str]) -> Piece:
        take(card, place)
        self.in_play[seat].append(Piece(card))
        return self.in_play[seat][-1]

    def play(self, seat: int, piece: Piece) -> Asking:
        """Play a card, which may have left play since an earlier play of it."""
        card, play = piece.name, Play(seat, piece)
        self.played[card] += 1
        self.n_played += card in ACTIONS and seat == self.active
        if card in ATTACKS:
            yield from self.offer_reactions(play)
        if card == "Silver" and not self.silver_seen:
            self.coins += self.merchants
            self.silver_seen = True
        if card in ("Silver", "Gold") and not self.corsairs_done:
            self.corsairs_done = True
            if any(seat not in corsair.play.safe for corsair in self.waiting("Corsair") if corsair.play.seat != seat):
                self.leave_play(play, self.trash)
        yield from self.take_steps(play, ROWS[card].does)
        yield from self.special("", card, play, self.hands[seat])
        if card in DURATIONS - ON_A_CONDITION:
            self.set_up(play)

    def special(self, kind: str, card: str, play: Play | Later, hand: list[str]) -> Asking:
        """Resolve what a card does beyond giving."""
        method = getattr(self, kind + card.lower().replace(" ", "_").replace("'", ""), None)
        if method:
            yield from method(play, hand)

    def take_steps(self, play: Play, steps: str) -> Asking:
        """Take the steps of a row in order. After an "if" that does not hold the rest is left out.

        A step ends with a number or name. It is a method of `Steps` ("discard 3") or a number of the turn ("coins 2").
        """
        for step in filter(None, steps.split(", ")):
            *words, last = step.split()
            argument = int(last) if last.isdigit() else last
            if method := getattr(self, f"do_{'_'.join(words)}", None):
                if (yield from method(play, self.hands[play.seat], argument)) is False:
                    return
            elif play.seat == self.active:
                setattr(self, words[0], getattr(self, words[0]) + argument)

    def set_up(self, play: Play, aside: str | None = None) -> None:
        """Note the later effect of a play."""
        play.piece.n_later += 1
        self.later.append(Later(play, aside))

    def waiting(self, card: str) -> list[Later]:
        """Return the effects of a Duration that work until its player's next turn."""
        return [later for later in self.later if later.play.piece.name == card and not later.due]

    def leave_play(self, play: Play, place: list[str]) -> bool:
        """Move the played card, if it is still in play; return whether it was."""
        if play.piece not in self.in_play[play.seat]:
            return False
        self.in_play[play.seat].remove(play.piece)
        place.append(play.piece.name)
        return True

    def play_several(self, play: Play, hand: list[str], n: int, kind: Collection[str]) -> Asking:
        card = yield from self.ask(play.seat, self.of(hand, kind), optional=True)
        if card:
            piece = self.put_into_play(play.seat, card, hand)
            play.piece.played.append(piece)
            for _ in range(n):
                yield from self.play(play.seat, piece)

    def offer_reactions(self, attack: Play) -> Asking:
        """Ask each other player for Reactions to an Attack until they pass."""
        attack.safe = {later.play.seat for later in self.waiting("Lighthouse")} - {attack.seat}
        for seat in self.others(attack.seat):
            hand = self.hands[seat]
            while True:
                moat = ["Moat"] if "Moat" in hand and seat not in attack.safe else []
                diplomat = ["Diplomat"] if "Diplomat" in hand and len(hand) >= 5 else []
                revealed = yield from self.ask(seat, [*moat, *diplomat], optional=True)
                if revealed is None:
                    break
                if revealed == "Moat":
                    attack.safe.add(seat)
                else:
                    self.draw(seat, 2)
                    yield from self.move_n(seat, hand, self.discards[seat], 3)

    # Gains.

    def gain(self, seat: int, card: str | None, place: list[str], *, bought: bool = False) -> Answer[Gained | None]:
        """Gain a card from the Supply, if there is one; return it after everything that this triggers."""
        if not card or not self.supply[card]:
            return None
        self.supply[card] -= 1
        return (yield from self.arrive(seat, card, place, bought=bought))

    def arrive(self, seat: int, card: str, place: list[str], *, bought: bool = False) -> Answer[Gained]:
        place.append(card)
        gained = Gained(card, place)
        if seat == self.active:
            self.gained[seat].add(card)
            self.victories += self.phase == "buy" and card in VICTORIES
        if "Watchtower" in self.hands[seat]:
            choice = yield from self.ask(seat, ["trash", "topdeck"], optional=True)
            if choice:
                self.relocate(gained, self.trash if choice == "trash" else self.decks[seat])
        if seat == self.active:
            yield from self.this_turn(seat, gained, bought)
        play = Play(seat, Piece(card))
        yield from self.take_steps(play, ROWS[card].gained)
        yield from self.special("gained_", card, play, self.hands[seat])
        for step in range(self.n_players):
            yield from self.react_to_gain((seat + step) % self.n_players, seat, card)
        return gained

    def relocate(self, gained: Gained, place: list[str]) -> None:
        """Move a gained card, if it is where it was gained to."""
        if gained.place is not None:
            take(gained.card, gained.place)
            place.append(gained.card)
            gained.place = None

    def this_turn(self, seat: int, gained: Gained, bought: bool) -> Asking:
        """Resolve what the active player's plays of this turn do with a gained card."""
        for card in self.supply:
            plays = card == "Sailor" and self.sailors and gained.card in DURATIONS
            may_move = gained.place is not None and (plays or (card == "Tiara" and self.tiaras))
            if not may_move or not (yield from self.ask(seat, [gained.card], optional=True)):
                continue
            if not plays:
                self.relocate(gained, self.decks[seat])
                continue
            self.sailors -= 1
            aside: list[str] = []
            self.relocate(gained, aside)
            yield from self.play_from(seat, gained.card, aside)
        self.tokens[seat] += self.collections * (gained.card in ACTIONS)
        for _ in range(self.hoards if bought and gained.card in VICTORIES else 0):
            yield from self.gain(seat, "Gold", self.discards[seat])

    def react_to_gain(self, seat: int, gainer: int, card: str) -> Asking:
        """Resolve a player's Blockades, Monkeys and Pirates when somebody gains a card."""
        if gainer != seat:
            for later in self.waiting("Blockade"):
                is_copy = later.play.seat == seat and later.aside == card
                if is_copy and gainer == self.active and gainer not in later.play.safe:
                    yield from self.gain(gainer, "Curse", self.discards[gainer])
            if gainer == (seat - 1) % self.n_players:
                self.draw(seat, sum(later.play.seat == seat for later in self.waiting("Monkey")))
        while card in self.treasures and "Pirate" in self.hands[seat]:
            if not (yield from self.ask(seat, ["Pirate"], optional=True)):
                return
            yield from self.play_from(seat, "Pirate", self.hands[seat])

    # Costs, and choices that gain.

    def n_empty(self) -> int:
        return sum(n == 0 for n in self.supply.values())

    def cost(self, card: str) -> int:
        cost = COSTS[card] - self.discount - 2 * self.quarries * (card in ACTIONS)
        if card == "Peddler" and self.phase == "buy":
            cost -= 2 * len(self.names_in_play(self.active, ACTIONS))
        return max(cost, 0)

    def names_in_play(self, seat: int, kind: Iterable[str] = COSTS) -> list[str]:
        return self.of([piece.name for piece in self.in_play[seat]], kind)

    def gainable(self, cost: int, kind: Iterable[str] = COSTS, *, exactly: bool = False) -> list[str]:
        affordable = [card for card, n in self.supply.items() if n and self.cost(card) <= cost and card in kind]
        return [card for card in affordable if self.cost(card) == cost] if exactly else affordable

    def buyable(self) -> list[str]:
        forbidden = {"Grand Market"} if self.names_in_play(self.active, ["Copper"]) else set()
        return self.gainable(self.coins, COSTS.keys() - forbidden)

    def victims(self, attack: Play) -> list[int]:
        return [seat for seat in self.others(attack.seat) if seat not in attack.safe]

    def gain_one(self, seat: int, cards: Iterable[str], place: list[str] | None = None) -> Answer[Gained | None]:
        """Ask for one of the cards and gain it."""
        card = yield from self.ask(seat, cards)
        return (yield from self.gain(seat, card, self.discards[seat] if place is None else place))

    def trash_for(self, seat: int, hand: list[str], plus: int, *, exactly: bool = False) -> Answer[Gained | None]:
        """Ask for a card to trash, and for one to gain that costs up to so much more."""
        trashed = yield from self.move(seat, hand, hand, self.trash)
        if trashed is None:
            return None
        return (yield from self.gain_one(seat, self.gainable(self.cost(trashed) + plus, exactly=exactly)))
