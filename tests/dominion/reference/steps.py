"""The steps that rows of the table name, such as "discard 3". A step of an "if" returns whether it holds."""

from tests.dominion.reference.core import Core, Play
from tests.dominion.reference.questions import Answer, Asking
from tests.dominion.reference.tables import of_type


class Steps(Core):
    """A method for each step: `do_`, its words, and its number or name as the last argument."""

    def do_cards(self, play: Play, hand: list[str], n: int) -> Asking:
        self.draw(play.seat, n)
        yield from ()

    def do_draw_to(self, play: Play, hand: list[str], n: int) -> Asking:
        self.draw(play.seat, max(n - len(hand), 0))
        yield from ()

    def do_tokens(self, play: Play, hand: list[str], n: int) -> Asking:
        self.tokens[play.seat] += n
        yield from ()

    def do_discard(self, play: Play, hand: list[str], n: int) -> Asking:
        yield from self.move_n(play.seat, hand, self.discards[play.seat], n)

    def do_topdeck(self, play: Play, hand: list[str], n: int) -> Asking:
        yield from self.move_n(play.seat, hand, self.decks[play.seat], n)

    def do_trash_up_to(self, play: Play, hand: list[str], n: int) -> Asking:
        yield from self.move_any(play.seat, hand, self.trash, n)

    def do_trade(self, play: Play, hand: list[str], n: int) -> Asking:
        yield from self.trash_for(play.seat, hand, n)

    def do_gain(self, play: Play, hand: list[str], name: str) -> Asking:
        yield from self.gain(play.seat, name, self.discards[play.seat])

    def do_gain_up_to(self, play: Play, hand: list[str], n: int) -> Asking:
        yield from self.gain_one(play.seat, self.gainable(n))

    def do_others_draw(self, play: Play, hand: list[str], n: int) -> Asking:
        for other in self.victims(play):
            self.draw(other, n)
        yield from ()

    def do_others_keep(self, play: Play, hand: list[str], n: int) -> Asking:
        for victim in self.victims(play):
            while len(self.hands[victim]) > n:
                yield from self.move(victim, self.hands[victim], self.hands[victim], self.discards[victim])

    def do_others_gain(self, play: Play, hand: list[str], name: str) -> Asking:
        for victim in self.victims(play):
            yield from self.gain(victim, name, self.discards[victim])

    def do_if_played(self, play: Play, hand: list[str], n: int) -> Answer[bool]:
        yield from ()
        return self.n_played >= n

    def do_if_hand_up_to(self, play: Play, hand: list[str], n: int) -> Answer[bool]:
        yield from ()
        return len(hand) <= n

    def do_if_discards(self, play: Play, hand: list[str], what: str) -> Answer[bool]:
        return (yield from self.may_move(play, hand, what, self.discards[play.seat]))

    def do_if_trashes(self, play: Play, hand: list[str], what: str) -> Answer[bool]:
        return (yield from self.may_move(play, hand, what, self.trash))

    def may_move(self, play: Play, hand: list[str], what: str, place: list[str]) -> Answer[bool]:
        """Ask for a card of a type or a name to move, or none; return whether one was moved."""
        kind = self.treasures if what == "Treasure" else of_type(what) | {what}
        if card := (yield from self.ask(play.seat, self.of(hand, kind), optional=True)):
            hand.remove(card)
            place.append(card)
        return bool(card)
