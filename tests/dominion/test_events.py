"""What is told is what happened: events, replayed, give the game."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.dominion.cards import KINGDOM
from evodom.dominion.effects import DECK, DECK_TOP, DISCARD, HAND, IN_PLAY, REVEALED, SET_ASIDE, SUPPLY, TRASH
from evodom.dominion.events import DISCARDS_DECK
from evodom.dominion.game import PASS_NAME, Game
from evodom.dominion.kingdoms import parse_kingdom
from evodom.kernel import COMPILED
from tests.dominion.helpers import answers

pytestmark = pytest.mark.uncompiled

N_CHOICES = 300 if COMPILED else 50
ALL = tuple(card.name for card in KINGDOM)
"""More than a game has room for: positions name their own kingdom."""

seeds = st.integers(0, 2**64 - 1)


class Witness:
    """Knows how a game begins, and else only what is told."""

    def __init__(self, game):
        self.game = game
        self.zones = {row: game.cards(row) for row in (IN_PLAY, SET_ASIDE, REVEALED, SUPPLY, TRASH)}
        for seat in range(game.n_players):
            for zone in (HAND, DISCARD):
                self.zones[zone + seat] = game.cards(zone + seat)
            self.zones[DECK + seat] = game.owned(seat) - game.cards(HAND + seat) - game.cards(DISCARD + seat)
        self.owned = [game.owned(seat) for seat in range(game.n_players)]
        self.n_heard = len(game.events)

    def listen(self):
        """Move the cards as told since the last time."""
        for event in self.game.events[self.n_heard :]:
            deck, discard = self.zones[DECK + event.seat], self.zones[DISCARD + event.seat]
            if event.verb == "shuffles":
                assert not deck
                deck.update(discard)
                discard.clear()
            elif event.verb == DISCARDS_DECK:
                assert deck.total() == event.number
                discard.update(deck)
                deck.clear()
            elif event.source >= 0:
                self._move(event)
        self.n_heard = len(self.game.events)

    def _move(self, event):
        source, target = (self._zone(zone, event.seat) for zone in (event.source, event.target))
        for name in event.cards:
            assert source[name] > 0, event
            source[name] -= 1
            target[name] += 1
            self.owned[event.seat][name] += {"gains": 1, "buys": 1, "trashes": -1}.get(event.verb, 0)
        for zone in (source, self.owned[event.seat]):
            for name in [name for name, n in zone.items() if not n]:
                del zone[name]

    def _zone(self, zone, seat):
        zone = DECK if zone == DECK_TOP else zone
        return self.zones[zone + seat if zone < IN_PLAY else zone]

    def check(self):
        """Compare with the game."""
        game, waiting = self.game, self._waiting()
        for row in (IN_PLAY, SET_ASIDE, SUPPLY, TRASH):
            assert self.zones[row] == game.cards(row)
        for seat in range(game.n_players):
            for zone in (HAND, DISCARD):
                assert self.zones[zone + seat] == game.cards(zone + seat) + waiting.get(zone + seat, Counter())
            assert self.owned[seat] == game.owned(seat)
            known = Counter(game.piles[pile].name for pile in game.state.top[seat, : game.state.n_top[seat]])
            assert self.zones[DECK + seat] == game.cards(DECK + seat) + known
            assert Counter(filter(None, game.discards[seat])) == game.cards(DISCARD + seat)
        assert self.zones[REVEALED] == waiting.get(REVEALED, Counter())

    def _waiting(self):
        """Return the revealed cards with where they lie for a person: drawn by a Library, discarded by a Vassal."""
        revealed, decision = self.game.cards(REVEALED), self.game.decision
        if not revealed:
            return {}
        zone = {"Library": HAND, "Vassal": DISCARD}.get(decision.title)
        return {REVEALED if zone is None else zone + decision.seat: revealed}


@given(st.integers(1, 6), seeds)
def test_events_alone_tell_where_every_card_is_in_any_kingdom(n_players, seed):
    pick = random.Random(seed)
    game = Game(parse_kingdom("random", seed=seed, first_edition=True).cards, n_players, seed=seed)
    witness = Witness(game)
    for _ in range(N_CHOICES):
        if game.is_over:
            break
        names = answers(game)
        # Actions above all, and passing rarely, so that much happens.
        actions = [name for name in names if name in ALL]
        if names[-1] == PASS_NAME and len(names) > 1 and pick.random() < 0.8:
            names.pop()
        game.enact(pick.choice(actions if actions and pick.random() < 0.7 else names))
        witness.listen()
        witness.check()
