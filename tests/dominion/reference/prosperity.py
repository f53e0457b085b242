"""The kingdom cards of Prosperity."""

from tests.dominion.reference.core import Core, Play
from tests.dominion.reference.questions import Asking
from tests.dominion.reference.tables import ACTIONS, DURATIONS


class Prosperity(Core):
    """What the cards of Prosperity do beyond giving."""

    def bishop(self, play: Play, hand: list[str]) -> Asking:
        self.tokens[play.seat] += 1
        trashed = yield from self.move(play.seat, hand, hand, self.trash)
        self.tokens[play.seat] += self.cost(trashed) // 2 if trashed else 0
        for other in self.others(play.seat):
            yield from self.move_any(other, self.hands[other], self.trash, 1)

    def clerk(self, play: Play, hand: list[str]) -> Asking:
        for victim in self.victims(play):
            theirs = self.hands[victim]
            if len(theirs) >= 5:
                yield from self.move(victim, theirs, theirs, self.decks[victim])

    def investment(self, play: Play, hand: list[str]) -> Asking:
        yield from self.move(play.seat, hand, hand, self.trash)
        [choice] = yield from self.options(play.seat, 1, "coins", "trash")
        if choice == "coins":
            self.coins += 1
        elif self.leave_play(play, self.trash):
            self.tokens[play.seat] += len(set(self.of(hand, self.treasures)))

    def tiara(self, play: Play, hand: list[str]) -> Asking:
        yield from self.play_several(play, hand, 2, self.treasures)

    def city(self, play: Play, hand: list[str]) -> Asking:
        steps = ("cards 1",) * (self.n_empty() >= 1) + ("buys 1", "coins 1") * (self.n_empty() >= 2)
        yield from self.take_steps(play, ", ".join(steps))

    def crystal_ball(self, play: Play, hand: list[str]) -> Asking:
        for card in self.tops(play.seat, 1):
            may_play = ["play"] if card in ACTIONS | self.treasures else []
            [choice] = yield from self.options(play.seat, 1, "trash", "discard", *may_play, "leave")
            places = {"trash": self.trash, "discard": self.discards[play.seat], "leave": self.decks[play.seat]}
            if choice == "play":
                yield from self.play_from(play.seat, card, [card])
            else:
                places[choice].append(card)

    def magnate(self, play: Play, hand: list[str]) -> Asking:
        self.draw(play.seat, len(self.of(hand, self.treasures)))
        yield from ()

    def mint(self, play: Play, hand: list[str]) -> Asking:
        card = yield from self.ask(play.seat, self.of(hand, self.treasures), optional=True)
        yield from self.gain(play.seat, card, self.discards[play.seat])

    def gained_mint(self, play: Play, hand: list[str]) -> Asking:
        for piece in self.in_play[play.seat][:]:
            if piece.name in self.treasures - DURATIONS:
                self.leave_play(Play(play.seat, piece), self.trash)
        yield from ()

    def rabble(self, play: Play, hand: list[str]) -> Asking:
        kind = ACTIONS | self.treasures
        for victim in self.victims(play):
            seen = self.tops(victim, 3)
            self.discards[victim] += self.of(seen, kind)
            left = [card for card in seen if card not in kind]
            while left:
                yield from self.move(victim, left, left, self.decks[victim])

    def vault(self, play: Play, hand: list[str]) -> Asking:
        discarded = yield from self.move_any(play.seat, hand, self.discards[play.seat], len(hand))
        self.coins += len(discarded)
        for other in self.others(play.seat):
            self.draw(other, (yield from self.two_or_none(other, self.hands[other])))

    def war_chest(self, play: Play, hand: list[str]) -> Asking:
        name = yield from self.ask((play.seat + 1) % self.n_players, self.supply)
        self.named.add(name)
        yield from self.gain_one(play.seat, [card for card in self.gainable(5) if card not in self.named])

    def bank(self, play: Play, hand: list[str]) -> Asking:
        self.coins += len(self.names_in_play(play.seat, self.treasures))
        yield from ()

    def forge(self, play: Play, hand: list[str]) -> Asking:
        trashed = yield from self.move_any(play.seat, hand, self.trash, len(hand))
        total = sum(self.cost(card) for card in trashed)
        yield from self.gain_one(play.seat, self.gainable(total, exactly=True))

    def kings_court(self, play: Play, hand: list[str]) -> Asking:
        yield from self.play_several(play, hand, 3, ACTIONS)
