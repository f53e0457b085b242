"""What is told is what happened: events, replayed, give the game."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.dominion.cards import BASIC, KINGDOM
from evodom.dominion.engine.ops import Zone
from evodom.dominion.engine.state import refresh
from evodom.dominion.events import DISCARDS_DECK
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import parse_kingdom
from tests.dominion.helpers import after, answers, told
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

N_CHOICES = effort(120, 60, 40)
ALL = tuple(card.name for card in KINGDOM)

seeds = st.integers(0, 2**64 - 1)


class Witness:
    """Follows a game by its events alone, from its first position."""

    def __init__(self, game):
        self.game = game
        self.zones = {
            row: game.cards(row) for row in (Zone.IN_PLAY, Zone.SET_ASIDE, Zone.REVEALED, Zone.SUPPLY, Zone.TRASH)
        }
        for seat in range(game.n_players):
            for zone in (Zone.HAND, Zone.DISCARD):
                self.zones[zone + seat] = game.cards(zone + seat)
            self.zones[Zone.DECK + seat] = (
                game.owned(seat) - game.cards(Zone.HAND + seat) - game.cards(Zone.DISCARD + seat)
            )
        self.owned = [game.owned(seat) for seat in range(game.n_players)]
        self.n_heard = len(game.events)

    def listen(self):
        """Move the cards as the events since the last call say."""
        for event in self.game.events[self.n_heard :]:
            deck, discard = self.zones[Zone.DECK + event.seat], self.zones[Zone.DISCARD + event.seat]
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
        zone = Zone.DECK if zone == Zone.DECK_TOP else zone
        return self.zones[zone + seat if zone < Zone.IN_PLAY else zone]

    def check(self):
        """Check that the cards are where the game has them."""
        game, waiting = self.game, self._waiting()
        for row in (Zone.IN_PLAY, Zone.SET_ASIDE, Zone.SUPPLY, Zone.TRASH):
            assert self.zones[row] == game.cards(row)
        for seat in range(game.n_players):
            for zone in (Zone.HAND, Zone.DISCARD):
                assert self.zones[zone + seat] == game.cards(zone + seat) + waiting.get(zone + seat, Counter())
            assert self.owned[seat] == game.owned(seat)
            known = Counter(game.piles[pile].name for pile in game.state.top[seat, : game.state.n_top[seat]])
            assert self.zones[Zone.DECK + seat] == game.cards(Zone.DECK + seat) + known
            assert Counter(filter(None, game.discards[seat])) == game.cards(Zone.DISCARD + seat)
        assert self.zones[Zone.REVEALED] == waiting.get(Zone.REVEALED, Counter())

    def _waiting(self):
        """Return the revealed cards with where they lie for a person: drawn by a Library, discarded by a Vassal."""
        revealed, decision = self.game.cards(Zone.REVEALED), self.game.decision
        if not revealed:
            return {}
        zone = {"Library": Zone.HAND, "Vassal": Zone.DISCARD}.get(decision.title)
        return {Zone.REVEALED if zone is None else zone + decision.seat: revealed}


def rich_game(n_players, seed):
    """Return a game in a random kingdom in which everybody begins with one more card of each pile of it."""
    kingdom = parse_kingdom("random", seed=seed, first_edition=True)
    game = DominionGame(kingdom, n_players, seed=seed)
    state, added = game.state.copy(), slice(len(BASIC), len(game.piles))
    for seat in range(n_players):
        state.cards[Zone.DECK + seat, added] += 1
        state.owned[seat, added] += 1
        state.cards[Zone.SUPPLY, added] -= 1
    refresh(state)
    return DominionGame.from_state(state, kingdom, n_players)


@given(st.integers(1, 6), seeds)
def test_events_alone_tell_where_every_card_is_in_any_kingdom(n_players, seed):
    pick = random.Random(seed)
    game = rich_game(n_players, seed)
    witness, n_throned = Witness(game), 0
    for _ in range(N_CHOICES):
        if game.is_over:
            break
        names = answers(game)
        # Actions above all, and passing rarely, so that much happens.
        actions = [name for name in names if name in ALL]
        if names[-1] == PASS_NAME and len(names) > 1 and pick.random() < 0.8:
            names.pop()
        choice = pick.choice(actions if actions and pick.random() < 0.7 else names)
        n_throned += game.decision.kind == "throne" and choice != PASS_NAME
        game.enact(choice)
        witness.listen()
        witness.check()
        if not game.state.depth:
            assert sum(event.verb == "plays again" for event in game.events) == n_throned


def heard(position, *choices, kingdom, hidden=False):
    """Return the texts of the events after these choices, without that of the first choice; with ``hidden``, only those
    of hidden events."""
    game = after(position, *choices, kingdom=(*kingdom, "Village"))
    events = zip(game.events, told(game), strict=True)
    return [text for event, text in events if event.hidden or not hidden][not hidden :]


OTHER = "P2: hand Copper"


def test_a_sentry_looks_in_the_order_of_the_deck_and_puts_back_unseen():
    mine = f"P1: hand Sentry, 2 Village; top Estate, Gold, Copper | {OTHER}"
    sentry = ("Sentry", "pass", "pass", "Copper")

    assert heard(mine, *sentry, kingdom=["Sentry"]) == [
        "P1 draws Estate",
        "P1 looks at Gold, Copper",
        "P1 puts Copper onto the deck",
        "P1 puts Gold onto the deck",
    ]
    assert len(heard(mine, *sentry, kingdom=["Sentry"], hidden=True)) == 4


def test_what_a_sentry_trashes_and_discards_lies_open():
    mine = f"P1: hand Sentry, 2 Village; top Estate, Gold, Copper | {OTHER}"
    game = after(mine, "Sentry", "Copper", "pass", "Gold", kingdom=["Sentry", "Village"])

    assert told(game)[-2:] == ["P1 trashes Copper", "P1 discards Gold"]
    assert not any(event.hidden for event in game.events[-2:])
    assert game.discard_tops[0] == "Gold"


def test_a_vassal_discards_and_then_plays():
    mine = f"P1: hand Vassal, Village; top Village, Gold; discard Estate | {OTHER}"
    plays = heard(mine, "Vassal", "Village", kingdom=["Vassal"])
    leaves = after(mine, "Vassal", "pass", kingdom=["Vassal", "Village"])

    assert plays == ["P1 discards Village", "P1 plays Village", "P1 draws Gold"]
    assert told(leaves)[-1] == "P1 discards Village"
    assert leaves.discard_tops[0] == "Village"


def test_a_card_that_a_vassal_plays_does_not_stay_on_the_discard_pile():
    mine = "P1: hand 2 Vassal, Village; top Estate, Village; deck Gold"
    game = after(f"{mine} | {OTHER} | turn: P1, 2 actions", "Vassal", kingdom=["Vassal", "Village"])
    assert game.discard_tops[0] == "Estate"
    game.enact("Vassal").enact("Village")

    assert game.discard_tops[0] == "Estate"


def test_a_harbinger_takes_the_topmost_of_equal_cards():
    mine = "P1: hand Cellar, Harbinger, 2 Estate, Gold; deck 4 Copper"
    position = f"{mine} | {OTHER} | turn: P1, 2 actions"
    game = after(position, "Cellar", "Estate", "Gold", "Estate", "pass", kingdom=["Cellar", "Harbinger"])
    game.enact("Harbinger")
    assert game.discard_tops[0] == "Estate"

    assert game.enact("Estate").discard_tops[0] == "Gold"


def test_a_bureaucrat_tells_who_puts_what_and_who_has_nothing():
    position = "P1: hand Bureaucrat | P2: hand Estate, Copper | P3: hand 2 Copper, Gold | P4: deck Copper"

    assert heard(position, "Bureaucrat", kingdom=["Bureaucrat"])[:3] == [
        "P1 gains Silver onto the deck",
        "P2 puts Estate onto the deck",
        "P3 reveals 2 Copper, Gold",
    ]


def test_a_thief_tells_every_victim_by_itself():
    position = "P1: hand Thief, Village | P2: hand Copper; top Gold, Silver | P3: hand Copper; top Estate, Copper"

    assert heard(position, "Thief", "Gold", "Gold", "pass", kingdom=["Thief"])[:8] == [
        "P2 reveals Gold, Silver",
        "P2 trashes Gold",
        "P1 gains Gold",
        "P2 discards Silver",
        "P3 reveals Estate, Copper",
        "P3 trashes Copper",
        "P3 discards Estate",
    ]


def test_a_spy_tells_what_everybody_reveals():
    position = "P1: hand Spy, Village; top Copper, Estate | P2: hand Copper; top Gold"

    assert heard(position, "Spy", "Estate", "pass", kingdom=["Spy"]) == [
        "P1 draws Copper",
        "P1 reveals Estate",
        "P1 discards Estate",
        "P2 reveals Gold",
        "P2 puts Gold onto the deck",
    ]


def test_a_bandit_tells_what_is_lost():
    position = "P1: hand Bandit | P2: hand Copper; top Silver, Copper"

    assert heard(position, "Bandit", kingdom=["Bandit"])[:4] == [
        "P1 gains Gold",
        "P2 reveals Silver, Copper",
        "P2 trashes Silver",
        "P2 discards Copper",
    ]


def test_an_adventurer_tells_what_it_digs_up_the_shuffle_included():
    mine = f"P1: hand Adventurer; top Estate, Gold; discard Silver, 2 Duchy | {OTHER}"
    events = heard(mine, "Adventurer", kingdom=["Adventurer"])

    assert events[:2] == ["P1 reveals Estate, Gold", "P1 shuffles"]
    assert events[2].startswith("P1 reveals")
    assert events[2].endswith("Silver")
    assert events[3] == "P1 puts Silver, Gold into the hand"
    assert events[4].startswith("P1 discards Estate")


def test_a_library_tells_what_is_drawn_unseen_and_what_is_set_aside_openly():
    mine = f"P1: hand Library, 5 Copper; top Village, Gold, Village, Estate | {OTHER}"
    game = after(mine, "Library", "Village", "pass", kingdom=["Library", "Village"])

    assert told(game)[1:5] == [
        "P1 draws Village",
        "P1 sets aside Village",
        "P1 draws Gold, Village",
        "P1 discards Village",
    ]
    assert [event.hidden for event in game.events[1:5]] == [True, False, True, False]


def test_a_chancellor_shows_no_card_of_the_deck():
    game = after(
        f"P1: hand Chancellor; deck 3 Gold; discard Estate | {OTHER}",
        "Chancellor",
        "Chancellor",
        kingdom=["Chancellor", "Village"],
    )

    assert told(game)[1] == "P1 puts the deck into the discard pile"
    assert (game.view(0).discard_sizes[0], game.discard_tops[0]) == (4, "")


def test_a_throne_room_tells_the_second_play_where_it_begins():
    position = "P1: hand 2 Throne Room, Militia, Village; top Gold, Copper | P2: hand 5 Copper"
    choices = ("Throne Room", "Throne Room", "Village", "Militia")

    assert heard(position, *choices, kingdom=["Throne Room", "Militia"])[:9] == [
        "P1 plays Throne Room",
        "P1 plays Village",
        "P1 draws Gold",
        "P1 plays Village again",
        "P1 draws Copper",
        "P1 plays Throne Room again",
        "P1 plays Militia",
        "P2 discards Copper",
        "P2 discards Copper",
    ]


def test_a_feast_played_twice_is_trashed_once():
    mine = f"P1: hand Throne Room, Feast | {OTHER}"

    assert heard(mine, "Throne Room", "Feast", "Duchy", "Village", kingdom=["Throne Room", "Feast"])[:5] == [
        "P1 plays Feast",
        "P1 trashes Feast",
        "P1 gains Duchy",
        "P1 plays Feast again",
        "P1 gains Village",
    ]


def test_an_artisan_gains_to_the_hand_and_puts_back_unseen_a_harbinger_openly():
    artisan = after(f"P1: hand Artisan, Copper | {OTHER}", "Artisan", "Duchy", "Copper", kingdom=["Artisan"])
    harbinger = after(
        f"P1: hand Harbinger; deck Copper; discard Gold, Estate | {OTHER}",
        "Harbinger",
        "Gold",
        kingdom=["Harbinger"],
    )

    assert told(artisan)[1:3] == ["P1 gains Duchy to the hand", "P1 puts Copper onto the deck"]
    assert artisan.events[2].hidden
    assert told(harbinger)[2] == "P1 puts Gold onto the deck"
    assert not harbinger.events[2].hidden
