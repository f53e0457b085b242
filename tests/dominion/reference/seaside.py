"""The kingdom cards of Seaside. `later_` are their effects at the start of the next turn."""

from tests.dominion.reference.core import Core, Later, Play
from tests.dominion.reference.questions import Asking


class Seaside(Core):
    """What the cards of Seaside do beyond giving."""

    def haven(self, play: Play, hand: list[str]) -> Asking:
        card = yield from self.move(play.seat, hand, hand, self.set_aside[play.seat])
        if card:
            self.set_up(play, card)

    def later_haven(self, later: Later, hand: list[str]) -> Asking:
        self.set_aside[later.play.seat].remove(later.aside)
        hand.append(later.aside)
        yield from ()

    def native_village(self, play: Play, hand: list[str]) -> Asking:
        mat = self.villages[play.seat]
        [choice] = yield from self.options(play.seat, 1, "set_aside", "take")
        if choice == "set_aside":
            mat += self.tops(play.seat, 1)
        else:
            hand += mat
            mat.clear()

    def lookout(self, play: Play, hand: list[str]) -> Asking:
        seen = self.tops(play.seat, 3)
        yield from self.move(play.seat, seen, seen, self.trash)
        yield from self.move(play.seat, seen, seen, self.discards[play.seat])
        self.decks[play.seat] += seen

    def sea_chart(self, play: Play, hand: list[str]) -> Asking:
        for card in self.tops(play.seat, 1):
            (hand if card in self.names_in_play(play.seat) else self.decks[play.seat]).append(card)
        yield from ()

    def smugglers(self, play: Play, hand: list[str]) -> Asking:
        yield from self.gain_one(play.seat, self.gainable(6, self.gained[(play.seat - 1) % self.n_players]))

    def blockade(self, play: Play, hand: list[str]) -> Asking:
        gained = yield from self.gain_one(play.seat, self.gainable(4), self.set_aside[play.seat])
        if gained and gained.place is not None:
            self.set_up(play, gained.card)

    later_blockade = later_haven

    def cutpurse(self, play: Play, hand: list[str]) -> Asking:
        for victim in self.victims(play):
            theirs = self.hands[victim]
            yield from self.move(victim, self.of(theirs, ["Copper"]), theirs, self.discards[victim])

    def island(self, play: Play, hand: list[str]) -> Asking:
        self.leave_play(play, self.islands[play.seat])
        yield from self.move(play.seat, hand, hand, self.islands[play.seat])

    def salvager(self, play: Play, hand: list[str]) -> Asking:
        trashed = yield from self.move(play.seat, hand, hand, self.trash)
        self.coins += self.cost(trashed) if trashed else 0

    def treasure_map(self, play: Play, hand: list[str]) -> Asking:
        trashed_this = self.leave_play(play, self.trash)
        trashed = yield from self.move(play.seat, self.of(hand, ["Treasure Map"]), hand, self.trash)
        for _ in range(4 if trashed_this and trashed else 0):
            yield from self.gain(play.seat, "Gold", self.decks[play.seat])

    def outpost(self, play: Play, hand: list[str]) -> Asking:
        if not self.is_extra and not self.extra_follows:
            self.extra_follows = True
            play.piece.n_later += 1
        yield from ()

    def later_pirate(self, later: Later, hand: list[str]) -> Asking:
        yield from self.gain_one(later.play.seat, self.gainable(6, self.treasures), hand)

    def tactician(self, play: Play, hand: list[str]) -> Asking:
        if hand:
            self.discards[play.seat] += hand
            hand.clear()
            self.set_up(play)
        yield from ()
