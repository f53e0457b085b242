"""Events: replayed, they give the cards of every zone; each card has its events in order."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.cards import SETS
from evodom.dominion.effects.ops import Zone
from evodom.dominion.engine.state import MAX_EVENTS
from evodom.dominion.events import EventKind
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import DRAWN_SETS
from tests.dominion.helpers import after, kingdom_of, lively, rich_game, told
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

N_CHOICES = effort(80, 40, 40)

seeds = st.integers(0, 2**64 - 1)


_OWNED = {EventKind.GAIN: 1, EventKind.BUY: 1, EventKind.TRASH: -1, EventKind.PASS: -1}
"""Change of the owned cards for each card of an event."""


OWN_ZONES = (Zone.HAND, Zone.DISCARD, Zone.IN_PLAY, Zone.SET_ASIDE, Zone.ISLAND_MAT, Zone.VILLAGE_MAT)


class Witness:
    """The zones of a game, computed from its first position and its events."""

    def __init__(self, game):
        self.game = game
        self.zones = {row: game.cards(row) for row in (Zone.REVEALED, Zone.SUPPLY, Zone.TRASH)}
        for seat in range(game.n_players):
            for zone in OWN_ZONES:
                self.zones[zone + seat] = game.cards(zone + seat)
            self.zones[Zone.DECK + seat] = (
                game.owned(seat) - game.cards(Zone.HAND + seat) - game.cards(Zone.DISCARD + seat)
            )
        self.owned = [game.owned(seat) for seat in range(game.n_players)]
        self.n_replayed = len(game.events)

    def replay(self):
        """Move the cards of the events since the last call."""
        for event in self.game.events[self.n_replayed :]:
            deck, discard = self.zones[Zone.DECK + event.seat], self.zones[Zone.DISCARD + event.seat]
            if event.kind == EventKind.SHUFFLE:
                assert not deck
                deck.update(discard)
                discard.clear()
            elif event.kind == EventKind.DISCARD_DECK:
                assert deck.total() == event.number
                discard.update(deck)
                deck.clear()
            elif event.source >= 0:
                self._move(event)
        self.n_replayed = len(self.game.events)

    def _move(self, event):
        receiver = (event.seen_by ^ 1 << event.seat).bit_length() - 1 if event.kind == EventKind.PASS else event.seat
        zone = Zone.HAND if event.kind == EventKind.PASS else event.target
        source, target = self._zone(event.source, event.seat), self._zone(zone, receiver)
        for name in event.cards:
            assert source[name] > 0, event
            source[name] -= 1
            target[name] += 1
            is_own = event.kind != EventKind.TRASH or event.source != Zone.SUPPLY
            self.owned[event.seat][name] += _OWNED.get(event.kind, 0) * is_own
            self.owned[receiver][name] += event.kind == EventKind.PASS
        for zone in (source, self.owned[event.seat]):
            for name in [name for name, n in zone.items() if not n]:
                del zone[name]

    def _zone(self, zone, seat):
        zone = Zone.DECK if zone == Zone.DECK_TOP else zone
        return self.zones[zone + seat if zone < Zone.REVEALED else zone]

    def check(self):
        """Check the zones against the game."""
        game = self.game
        for row in (Zone.SUPPLY, Zone.TRASH, Zone.REVEALED):
            assert self.zones[row] == game.cards(row)
        for seat in range(game.n_players):
            for zone in OWN_ZONES:
                assert self.zones[zone + seat] == game.cards(zone + seat)
            assert self.owned[seat] == game.owned(seat)
            known = Counter(game.piles[pile].name for pile in game.state.known[seat, : game.state.n_known[seat]])
            assert self.zones[Zone.DECK + seat] == game.cards(Zone.DECK + seat) + known
            assert len(game.discards[seat]) == game.state.n_cards[Zone.DISCARD + seat]
            assert Counter(filter(None, game.discards[seat])) <= game.cards(Zone.DISCARD + seat)


@settings(max_examples=effort(15, 3, 3))
@given(st.integers(1, 6), seeds)
def test_replayed_events_give_the_cards_of_every_zone(n_players, seed):
    pick = random.Random(seed)
    game = rich_game(n_players, seed, sets=(DRAWN_SETS, ("Intrigue",), tuple(SETS))[seed % 3])
    witness, n_throned = Witness(game), 0
    for _ in range(N_CHOICES):
        if game.is_over:
            break
        choice = lively(game, pick)
        if game.decision.kind == "throne" and choice != PASS_NAME:
            n_throned += 2 if game.decision.title == "King's Court" else 1
        game.enact(choice)
        witness.replay()
        witness.check()
        if not game.state.depth:
            assert sum(event.kind == EventKind.REPLAY for event in game.events) == n_throned


OTHER = "P2: hand Copper"


@pytest.mark.parametrize(
    ("position", "choices", "expected"),
    [
        (f"P1: hand Sentry, 2 Village; top Estate, Gold, Copper | {OTHER}", "Sentry, pass, pass, Copper",
         "*P1 draws Estate; *P1 looks at Gold, Copper; *P1 puts Copper, Gold onto the deck"),
        (f"P1: hand Sentry, 2 Village; top Estate, Gold, Copper | {OTHER}", "Sentry, Copper, pass, Gold",
         "*P1 draws Estate; *P1 looks at Gold, Copper; P1 trashes Copper; P1 discards Gold"),
        (f"P1: hand Vassal, Village; top Village, Gold; discard Estate | {OTHER}", "Vassal, Village",
         "P1 discards Village; P1 plays Village; *P1 draws Gold"),
        (f"P1: hand Vassal, Village; top Village, Gold; discard Estate | {OTHER}", "Vassal, pass",
         "P1 discards Village"),
        ("P1: hand Bureaucrat | P2: hand Estate, Copper | P3: hand 2 Copper, Gold | P4: deck Copper", "Bureaucrat",
         "P1 gains Silver onto the deck; P2 puts Estate onto the deck; P3 reveals 2 Copper, Gold"),
        ("P1: hand Thief, Village | P2: hand Copper; top Gold, Silver | P3: hand Copper; top Estate, Copper",
         "Thief, Gold, Gold, pass",
         "P2 reveals Gold, Silver; P2 trashes Gold; P1 gains Gold; P2 discards Silver; P3 reveals Estate, Copper; "
         "P3 trashes Copper; P3 discards Estate"),
        ("P1: hand Spy, Village; top Copper, Estate | P2: hand Copper; top Gold", "Spy, Estate, pass",
         "*P1 draws Copper; P1 reveals Estate; P1 discards Estate; P2 reveals Gold; P2 puts Gold onto the deck"),
        ("P1: hand Bandit | P2: hand Copper; top Silver, Copper", "Bandit",
         "P1 gains Gold; P2 reveals Silver, Copper; P2 trashes Silver; P2 discards Copper"),
        ("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia, Moat", "P2 reveals Moat"),
        ("P1: hand Militia | P2: hand 3 Copper, 2 Gold", "Militia, Gold, Gold", "P2 discards Gold; P2 discards Gold"),
        ("P1: hand Mine, Copper, Silver", "Mine, Copper, Silver", "P1 trashes Copper; P1 gains Silver to the hand"),
        (f"P1: hand Adventurer; top Estate, Gold; discard 3 Silver | {OTHER}", "Adventurer",
         "P1 reveals Estate, Gold; P1 shuffles; P1 reveals Silver; P1 puts Silver, Gold into the hand; "
         "P1 discards Estate"),
        (f"P1: hand Library, 5 Copper; top Village, Gold, Village, Estate | {OTHER}", "Library, Village, pass",
         "*P1 draws Village; P1 sets aside Village; *P1 draws Gold; *P1 draws Village; P1 discards Village"),
        (f"P1: hand Chancellor; deck 3 Gold; discard Estate | {OTHER}", "Chancellor, Chancellor",
         "*P1 puts the deck into the discard pile"),
        ("P1: hand 2 Throne Room, Militia, Village; top Gold, Copper | P2: hand 5 Copper",
         "Throne Room, Throne Room, Village, Militia",
         "P1 plays Throne Room; P1 plays Village; *P1 draws Gold; P1 plays Village again; *P1 draws Copper; "
         "P1 plays Throne Room again; P1 plays Militia; P2 discards 2 Copper"),
        (f"P1: hand Throne Room, Feast | {OTHER}", "Throne Room, Feast, Duchy, Village",
         "P1 plays Feast; P1 trashes Feast; P1 gains Duchy; P1 plays Feast again; P1 gains Village"),
        (f"P1: hand Artisan, Copper | {OTHER}", "Artisan, Duchy, Copper",
         "P1 gains Duchy to the hand; *P1 puts Copper onto the deck"),
        (f"P1: hand Harbinger; deck Copper; discard Gold, Estate | {OTHER}", "Harbinger, Gold",
         "*P1 draws Copper; P1 puts Gold onto the deck"),
        (f"P1: hand Pawn; deck Gold | {OTHER}", "Pawn, coins, cards",
         "P1 chooses: +$1; P1 chooses: +1 Card; *P1 draws Gold"),
        ("P1: hand Cutpurse | P2: hand Copper | P3: hand Gold", "Cutpurse", "P2 discards Copper; P3 reveals Gold"),
        ("P1: hand Smithy, Copper; deck Gold; discard 2 Estate", "Smithy, pass, pass",
         "*P1 draws Gold; P1 shuffles; *P1 draws 2 Estate; P1 has $0; P1 cleans up; "
         "*P1 discards Copper, Gold, 2 Estate; P1 discards Smithy"),
        ("P1: hand Market, Gold; top Silver; deck 9 Estate | P2: hand 5 Copper",
         "Market, Gold, Silver, Militia, Estate",
         "*P1 draws Silver; P1 plays Gold; P1 plays Silver; P1 has $6; P1 buys Militia; P1 buys Estate; P1 cleans up; "
         "P1 discards Silver, Gold, Market; *P1 draws 5 Estate; P2 turn"),
        (f"P1: hand Haven, Gold, Village; deck Estate | {OTHER}", "Haven, Gold",
         "*P1 draws Estate; *P1 sets aside Gold"),
        (f"P1: hand Estate; due Haven with Gold, Tide Pools | {OTHER} | turn: P1, start phase", "Haven",
         "*P1 puts Gold into the hand; P1 resolves Tide Pools of the last turn; P1 discards Gold, Estate"),
        (f"P1: hand Native Village; top Gold; village Silver | {OTHER}", "Native Village, set_aside",
         "P1 chooses: put the top card of your deck face down onto your Native Village mat; *P1 looks at Gold; "
         "*P1 puts Gold onto the mat of Native Village"),
        (f"P1: hand Native Village; top Gold; village Silver | {OTHER}", "Native Village, take",
         "P1 chooses: put all the cards from your mat into your hand; *P1 puts Silver into the hand"),
        (f"P1: hand Crystal Ball; top Gold | {OTHER}", "Crystal Ball, leave",
         "*P1 looks at Gold; P1 chooses: leave it there; *P1 puts Gold onto the deck"),
        (f"P1: hand Watchtower, 3 Copper | {OTHER} | turn: P1, treasure phase", "Copper, Copper, Copper, Silver, trash",
         "P1 plays Copper; P1 plays Copper; P1 has $3; P1 buys Silver; P1 chooses: trash it; P1 trashes Silver"),
        ("P1: hand Duchy; later Corsair | P2: hand 2 Silver | turn: P2, treasure phase", "Silver",
         "P2 plays Silver; P2 trashes Silver"),
        (f"P1: hand War Chest; deck Estate | {OTHER} | turn: P1, treasure phase", "War Chest, Duchy, Silver",
         "P2 names Duchy; P1 gains Silver"),
        ("P1: hand Haven, Gold; deck Estate | P2: hand Blockade | turn: P2", "Blockade, Silver",
         "P2 plays Blockade; P2 gains Silver, set aside"),
    ],
)  # fmt: skip
def test_a_card_has_its_events_in_order(position, choices, expected):
    game = after(position, *choices.split(", "), kingdom=kingdom_of(position, choices))

    shown = [event for event in game.events if event.kind != EventKind.ARRIVE]
    found = ["*" * (not event.is_seen(None)) + text for event, text in zip(shown, told(game), strict=True)]

    assert "; ".join(found[1:]).startswith(expected)


def test_the_top_discard_is_known_if_it_was_seen():
    vassal = after(
        f"P1: hand 2 Vassal, Village; top Estate, Village; deck Gold | {OTHER} | turn: P1, 2 actions",
        "Vassal", "Vassal", "Village",
        kingdom=["Vassal", "Village"],
    )  # fmt: skip
    harbinger = after(
        f"P1: hand Cellar, Harbinger, 2 Estate, Gold; deck 4 Copper | {OTHER} | turn: P1, 2 actions",
        "Cellar", "Estate", "Gold", "Estate", "pass", "Harbinger",
        kingdom=["Cellar", "Harbinger"],
    )  # fmt: skip
    chancellor = after(f"P1: hand Chancellor; deck 3 Gold | {OTHER}", *["Chancellor"] * 2, kingdom=["Chancellor"])

    assert vassal.discard_tops[0] == "Estate"
    assert harbinger.discard_tops[0] == "Estate"
    assert harbinger.enact("Estate").discard_tops[0] == "Gold"
    assert (chancellor.view(0).discard_sizes[0], chancellor.discard_tops[0]) == (3, "")


def test_a_log_does_not_change_a_game():
    pick, games = random.Random(1), [DominionGame(n_players=3, seed=1, log=log) for log in (True, False)]
    for _ in range(N_CHOICES):
        choice = pick.choice(games[0].decision.consequences)
        records = [game.enact(choice).state.tobytes() for game in games]
        assert records[0] == records[1]
    assert games[0].events
    assert not games[1].events


def test_turns_without_a_decision_have_all_their_events():
    """Nothing can be bought: the engine plays to the end, and fills its buffer several times."""
    seats = [f"P{player}: hand 5 Estate; deck 5 Estate" for player in (1, 2, 3, 4)]
    game = after(" | ".join([*seats, "supply: 0 Copper, 0 Curse"]))
    kinds = Counter(event.kind for event in game.events)
    n_turns = int(game.state.turns.sum())

    assert game.end == "cut"
    assert n_turns > MAX_EVENTS / 6
    assert (kinds[EventKind.TURN], kinds[EventKind.COINS], kinds[EventKind.END]) == (n_turns - 1, n_turns, 1)
    assert sum(len(event.cards) for event in game.events if event.kind == EventKind.DRAW) == 5 * n_turns
