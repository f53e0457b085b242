"""The kingdom cards of the Base Set, of both editions."""

from tests.dominion.reference.core import Core, Play
from tests.dominion.reference.questions import Asking
from tests.dominion.reference.tables import ACTIONS, VICTORIES


class BaseSet(Core):
    """What the cards of the Base Set do beyond giving."""

    def cellar(self, play: Play, hand: list[str]) -> Asking:
        discarded = yield from self.move_any(play.seat, hand, self.discards[play.seat], len(hand))
        self.draw(play.seat, len(discarded))

    def chancellor(self, play: Play, hand: list[str]) -> Asking:
        if (yield from self.ask(play.seat, ["Chancellor"], optional=True)):
            self.discards[play.seat] += self.decks[play.seat]
            self.decks[play.seat].clear()

    def harbinger(self, play: Play, hand: list[str]) -> Asking:
        yield from self.move_any(play.seat, self.discards[play.seat], self.decks[play.seat], 1)

    def vassal(self, play: Play, hand: list[str]) -> Asking:
        for card in self.tops(play.seat, 1):
            self.discards[play.seat].append(card)
            if card in ACTIONS and (yield from self.ask(play.seat, [card], optional=True)):
                yield from self.play_from(play.seat, card, self.discards[play.seat])

    def feast(self, play: Play, hand: list[str]) -> Asking:
        self.leave_play(play, self.trash)
        yield from self.gain_one(play.seat, self.gainable(5))

    def bureaucrat(self, play: Play, hand: list[str]) -> Asking:
        yield from self.gain(play.seat, "Silver", self.decks[play.seat])
        for victim in self.victims(play):
            theirs = self.hands[victim]
            yield from self.move(victim, self.of(theirs, VICTORIES), theirs, self.decks[victim])

    def poacher(self, play: Play, hand: list[str]) -> Asking:
        yield from self.move_n(play.seat, hand, self.discards[play.seat], self.n_empty())

    def mine(self, play: Play, hand: list[str]) -> Asking:
        trashed = yield from self.ask(play.seat, self.of(hand, self.treasures), optional=True)
        if trashed:
            hand.remove(trashed)
            self.trash.append(trashed)
            yield from self.gain_one(play.seat, self.gainable(self.cost(trashed) + 3, self.treasures), hand)

    def spy(self, play: Play, hand: list[str]) -> Asking:
        for player in [play.seat, *self.victims(play)]:
            for card in self.tops(player, 1):
                discards = yield from self.ask(play.seat, [card], optional=True)
                (self.discards if discards else self.decks)[player].append(card)

    def thief(self, play: Play, hand: list[str]) -> Asking:
        for victim in self.victims(play):
            revealed = self.tops(victim, 2)
            trashed = yield from self.move(play.seat, self.of(revealed, self.treasures), revealed, self.trash)
            if trashed and (yield from self.ask(play.seat, [trashed], optional=True)):
                self.trash.remove(trashed)
                yield from self.arrive(play.seat, trashed, self.discards[play.seat])
            self.discards[victim] += revealed

    def bandit(self, play: Play, hand: list[str]) -> Asking:
        for victim in self.victims(play):
            revealed = self.tops(victim, 2)
            yield from self.move(victim, self.of(revealed, self.treasures - {"Copper"}), revealed, self.trash)
            self.discards[victim] += revealed

    def throne_room(self, play: Play, hand: list[str]) -> Asking:
        yield from self.play_several(play, hand, 2, ACTIONS)

    def library(self, play: Play, hand: list[str]) -> Asking:
        aside: list[str] = []
        while len(hand) < 7:
            card = self.top(play.seat)
            if card is None:
                break
            skips = card in ACTIONS and (yield from self.ask(play.seat, [card], optional=True))
            (aside if skips else hand).append(card)
        self.discards[play.seat] += aside

    def sentry(self, play: Play, hand: list[str]) -> Asking:
        seen = self.tops(play.seat, 2)
        yield from self.move_any(play.seat, seen, self.trash, len(seen))
        yield from self.move_any(play.seat, seen, self.discards[play.seat], len(seen))
        while seen:
            yield from self.move(play.seat, seen, seen, self.decks[play.seat])

    def adventurer(self, play: Play, hand: list[str]) -> Asking:
        others: list[str] = []
        n_found = 0
        while n_found < 2 and (card := self.top(play.seat)):
            (hand if card in self.treasures else others).append(card)
            n_found += card in self.treasures
        self.discards[play.seat] += others
        yield from ()

    def artisan(self, play: Play, hand: list[str]) -> Asking:
        yield from self.gain_one(play.seat, self.gainable(5), hand)
        yield from self.move(play.seat, hand, hand, self.decks[play.seat])
