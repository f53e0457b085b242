"""The kingdom cards of Intrigue."""

from tests.dominion.reference.core import Core, Play
from tests.dominion.reference.questions import Asking
from tests.dominion.reference.tables import ACTIONS, ATTACKS, DURATIONS, REACTIONS, VICTORIES

N_PLACES = 22
"""Places in a deck that one question offers; with more, the last answer is FURTHER."""

FURTHER = "further down"


class Intrigue(Core):
    """What the cards of Intrigue do beyond giving."""

    def lurker(self, play: Play, hand: list[str]) -> Asking:
        [choice] = yield from self.options(play.seat, 1, "trash", "gain")
        if choice == "gain":
            if card := (yield from self.ask(play.seat, self.of(self.trash, ACTIONS))):
                self.trash.remove(card)
                yield from self.arrive(play.seat, card, self.discards[play.seat])
        elif card := (yield from self.ask(play.seat, [c for c in self.supply if self.supply[c] and c in ACTIONS])):
            self.supply[card] -= 1
            self.trash.append(card)

    def give_chosen(self, play: Play, options: list[str], amounts: dict[str, int]) -> Asking:
        yield from self.take_steps(play, ", ".join(f"{each} {amounts[each]}" for each in options if each in amounts))

    def pawn(self, play: Play, hand: list[str]) -> Asking:
        options = yield from self.options(play.seat, 2, "cards", "actions", "buys", "coins")
        yield from self.give_chosen(play, options, {"cards": 1, "actions": 1, "buys": 1, "coins": 1})

    def nobles(self, play: Play, hand: list[str]) -> Asking:
        options = yield from self.options(play.seat, 1, "cards", "actions")
        yield from self.give_chosen(play, options, {"cards": 3, "actions": 2})

    def steward(self, play: Play, hand: list[str]) -> Asking:
        options = yield from self.options(play.seat, 1, "cards", "coins", "trash")
        yield from self.give_chosen(play, options, {"cards": 2, "coins": 2})
        if options == ["trash"]:
            yield from self.move_n(play.seat, hand, self.trash, 2)

    def courtier(self, play: Play, hand: list[str]) -> Asking:
        card = yield from self.ask(play.seat, hand)
        kinds = (ACTIONS, ATTACKS, DURATIONS, REACTIONS, self.treasures, VICTORIES, {"Curse"})
        n_types = sum(card in kind for kind in kinds)
        options = yield from self.options(play.seat, n_types, "actions", "buys", "coins", "gold")
        yield from self.give_chosen(play, options, {"actions": 1, "buys": 1, "coins": 3})
        if "gold" in options:
            yield from self.gain(play.seat, "Gold", self.discards[play.seat])

    def shanty_town(self, play: Play, hand: list[str]) -> Asking:
        if not self.of(hand, ACTIONS):
            self.draw(play.seat, 2)
        yield from ()

    def swindler(self, play: Play, hand: list[str]) -> Asking:
        for victim in self.victims(play):
            for card in self.tops(victim, 1):
                self.trash.append(card)
                gained = yield from self.ask(play.seat, self.gainable(self.cost(card), exactly=True))
                yield from self.gain(victim, gained, self.discards[victim])

    def wishing_well(self, play: Play, hand: list[str]) -> Asking:
        name = yield from self.ask(play.seat, self.supply)
        for card in self.tops(play.seat, 1):
            (hand if card == name else self.decks[play.seat]).append(card)

    def baron(self, play: Play, hand: list[str]) -> Asking:
        if (yield from self.ask(play.seat, self.of(hand, ["Estate"]), optional=True)):
            hand.remove("Estate")
            self.discards[play.seat].append("Estate")
            self.coins += 4
        else:
            yield from self.gain(play.seat, "Estate", self.discards[play.seat])

    def ironworks(self, play: Play, hand: list[str]) -> Asking:
        gained = yield from self.gain_one(play.seat, self.gainable(4))
        if gained:
            self.actions += gained.card in ACTIONS
            self.coins += gained.card in self.treasures
            self.draw(play.seat, gained.card in VICTORIES)

    def mill(self, play: Play, hand: list[str]) -> Asking:
        self.coins += 2 * (yield from self.two_or_none(play.seat, hand))

    def mining_village(self, play: Play, hand: list[str]) -> Asking:
        here = ["Mining Village"] if play.piece in self.in_play[play.seat] else []
        if (yield from self.ask(play.seat, here, optional=True)):
            self.leave_play(play, self.trash)
            self.coins += 2

    def masquerade(self, play: Play, hand: list[str]) -> Asking:
        players = [player for player in [play.seat, *self.others(play.seat)] if self.hands[player]]
        if len(players) > 1:
            passed: list[str] = []
            for player in players:
                yield from self.move(player, self.hands[player], list(self.hands[player]), passed)
            for player, given, taken in zip(players, passed, [passed[-1], *passed], strict=False):
                self.hands[player].remove(given)
                self.hands[player].append(taken)
        yield from self.move_any(play.seat, hand, self.trash, 1)

    def secret_passage(self, play: Play, hand: list[str]) -> Asking:
        deck = self.decks[play.seat]
        chosen: list[str] = []
        if (yield from self.move(play.seat, hand, hand, chosen)):
            names = ["top", *(f"under {n}" for n in range(1, len(deck))), *["bottom"][: len(deck)]]
            first, answer = 0, FURTHER
            while answer == FURTHER:
                left = names[first:]
                left = left if len(left) <= N_PLACES else [*left[: N_PLACES - 1], FURTHER]
                answer = (yield from self.ask(play.seat, left)) or ""
                first += N_PLACES - 1
            deck.insert(len(deck) - names.index(answer), chosen[0])

    def minion(self, play: Play, hand: list[str]) -> Asking:
        [choice] = yield from self.options(play.seat, 1, "coins", "discard")
        if choice == "coins":
            self.coins += 2
            return
        for player in [play.seat, *(victim for victim in self.victims(play) if len(self.hands[victim]) >= 5)]:
            self.discards[player] += self.hands[player]
            self.hands[player].clear()
            self.draw(player, 4)

    def patrol(self, play: Play, hand: list[str]) -> Asking:
        seen = self.tops(play.seat, 4)
        hand += self.of(seen, VICTORIES | {"Curse"})
        yield from self.put_back(play.seat, [card for card in seen if card not in VICTORIES | {"Curse"}])

    def put_back(self, seat: int, cards: list[str]) -> Asking:
        while cards:
            yield from self.move(seat, cards, cards, self.decks[seat])

    def replace(self, play: Play, hand: list[str]) -> Asking:
        gained = yield from self.trash_for(play.seat, hand, 2)
        if gained and gained.card in ACTIONS | self.treasures:
            self.relocate(gained, self.decks[play.seat])
        for victim in self.victims(play) if gained and gained.card in VICTORIES else ():
            yield from self.gain(victim, "Curse", self.discards[victim])

    def torturer(self, play: Play, hand: list[str]) -> Asking:
        for victim in self.victims(play):
            [choice] = yield from self.options(victim, 1, "discard", "curse")
            if choice == "curse":
                yield from self.gain(victim, "Curse", self.hands[victim])
            else:
                yield from self.move_n(victim, self.hands[victim], self.discards[victim], 2)

    def trading_post(self, play: Play, hand: list[str]) -> Asking:
        n = len(hand)
        yield from self.move_n(play.seat, hand, self.trash, 2)
        if n >= 2:
            yield from self.gain(play.seat, "Silver", hand)

    def upgrade(self, play: Play, hand: list[str]) -> Asking:
        yield from self.trash_for(play.seat, hand, 1, exactly=True)
