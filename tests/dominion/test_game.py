"""The friendly layer: Decisions, Consequences, Views and events."""

import pytest

from evodom.dominion.game import DominionGame
from evodom.dominion.position import parse_position
from evodom.errors import IllegalChoice
from tests.dominion.helpers import after, asked, hand

pytestmark = pytest.mark.uncompiled


def test_a_consequence_can_be_chosen_by_name_in_any_case_or_as_itself():
    by_name = parse_position("P1: hand Copper, Silver").enact("sILVER")
    game = parse_position("P1: hand Copper, Silver")
    as_itself = game.enact(game.decision.consequences[1])

    assert hand(by_name) == hand(as_itself) == "Copper"


def test_an_illegal_choice_names_the_allowed_ones():
    with pytest.raises(IllegalChoice, match=r"Treasures: 'Gold' cannot be chosen\. Allowed: Copper, Silver, pass"):
        parse_position("P1: hand Copper, Silver").enact("Gold")


def test_a_decision_says_who_asks_whom_what_and_whether_to_pass():
    game = after("P1: hand Militia | P2: hand 3 Copper, Silver", "Militia")

    decision = game.decision
    assert (decision.seat, decision.title, decision.optional) == (1, "Militia", False)
    assert decision.prompt == "Militia: which of Copper, Silver do you discard?"
    assert [consequence.text for consequence in decision.consequences] == ["discard Copper", "discard Silver"]


def test_a_decision_is_built_once_a_position_and_again_for_whatever_was_changed():
    game = after("P1: hand Militia | P2: hand 3 Copper, 2 Silver", "Militia")
    first = game.decision
    twin = game.copy()

    assert game.decision is first
    assert first.n_left == 2
    assert game.enact("Copper").decision.n_left == 1
    assert twin.decision == first
    twin.state.legal &= ~(1 << first.consequences[0].pile)
    assert [answer.name for answer in twin.decision.consequences] == [first.consequences[1].name]


def test_cards_drawn_are_told_as_hidden_and_nothing_else_is():
    game = after("P1: hand Smithy, Copper; deck 5 Gold | P2: hand Copper", "Smithy", "Copper", "pass", "pass")

    assert {event.verb for event in game.events if event.hidden} == {"draws"}


def test_a_view_shows_ones_own_hand_and_only_sizes_of_the_others():
    position = "P1: hand 2 Copper; deck 3 Gold | P2: hand Moat, Estate; top Silver; deck 4 Curse; discard Duchy"
    view = parse_position(position).view(0)

    assert view.hand == {"Copper": 2}
    assert view.owned == {"Copper": 2, "Gold": 3}
    assert (view.hand_sizes, view.deck_sizes, view.discard_sizes) == ((2, 2), (3, 5), (0, 1))


def test_the_top_of_a_discard_pile_is_open():
    game = after("P1: hand Copper | turn: P1, 1 action, 2 buys, 9 coins, buy phase", "Militia")

    assert game.view(0).discard_tops == ("Militia",)


def test_a_card_gained_to_the_hand_does_not_lie_on_the_discard_pile():
    mine = "P1: hand Village, Mine, Silver, Copper, Cellar, Estate; deck 5 Copper; discard 2 Estate"
    position = f"{mine} | P2: hand 5 Copper | turn: P1, 2 actions, 1 buy, 0 coins"
    game = after(position, "Cellar", "Estate", "pass", "Mine", "Silver", "Silver")

    assert game.view(0).discard_tops[0] == "Estate"


def test_no_card_lies_on_a_discard_pile_that_was_shuffled_into_the_deck():
    mine = "P1: hand 2 Smithy, Village, Cellar, Estate; deck Gold, Copper; discard 3 Silver"
    position = f"{mine} | P2: hand 5 Copper | turn: P1, 3 actions, 1 buy, 0 coins"
    game = after(position, "Cellar", "Estate", "pass")
    assert game.view(0).discard_tops[0] == "Estate"

    view = game.enact("Smithy").view(0)
    assert (view.discard_sizes[0], view.discard_tops[0]) == (0, "")


def test_a_game_without_a_log_plays_the_same():
    games = [DominionGame(n_players=2, seed=3, log=log) for log in (True, False)]
    for game in games:
        for _ in range(40):
            game.enact(game.decision.consequences[0])

    assert games[0].state == games[1].state
    assert not games[1].events


def test_agents_play_a_game_to_its_end_from_what_they_see():
    seen = []

    def first_answer(view, decision):
        seen.append((view.seat, decision.seat))
        return decision.consequences[-1]

    game = parse_position("P1: hand Copper; turns 98 | P2: hand Copper; turns 98").play([first_answer] * 2)

    assert game.is_over
    assert set(seen) == {(0, 0), (1, 1)}


def test_treasures_played_automatically_are_not_asked_for_again():
    game = parse_position("P1: hand Copper | P2: hand Copper")
    game.play_treasures_automatically(0, 1)

    assert asked(game) == (1, "Buy")
    assert asked(game.enact("pass")) == (2, "Buy")


@pytest.mark.parametrize(
    ("position", "prompt"),
    [
        ("P1: hand Sentry; top Gold, Copper, Estate", "Sentry: which of Copper, Estate do you trash?"),
        ("P1: hand Sentry; top Gold, Copper", "Sentry: do you trash Copper?"),
        ("P1: hand Throne Room, Moat, Village", "Throne Room: which of Moat, Village do you play twice?"),
        ("P1: hand Vassal; top Moat", "Vassal: you discard Moat from your deck: do you play it?"),
        ("P1: hand Library; top Moat", "Library: you draw Moat: do you set it aside?"),
        ("P1: hand Moneylender, Copper", "Moneylender: do you trash a Copper?"),
        ("P1: hand Chancellor; deck Copper", "Chancellor: do you put your deck into your discard pile?"),
        (
            "P1: hand Harbinger; discard Gold, Estate; top Copper",
            "Harbinger: which of Gold, Estate from your discard pile do you put onto your deck?",
        ),
        (
            "P1: hand Artisan",
            "Artisan: which of Copper, Silver, Estate, Duchy, Curse, Moat, Village do you gain to your hand?",
        ),
        (
            "P1: hand Bureaucrat | P2: hand Estate, Duchy",
            "Bureaucrat: which of Estate, Duchy do you put onto your deck?",
        ),
        ("P1: hand Spy; top Copper, Gold", "Spy: you reveal Gold: do you have it discarded?"),
        ("P1: hand Spy; top Copper | P2: hand Copper; top Gold", "Spy: P2 reveals Gold: do you have it discarded?"),
        ("P1: hand Thief | P2: hand Copper; top Gold, Silver", "Thief: P2 reveals Silver, Gold: which do you trash?"),
        ("P1: hand Thief | P2: hand Copper; top Gold", "Thief: P2 trashes Gold: do you gain it?"),
        ("P1: hand Bandit | P2: hand Copper; top Gold, Silver", "Bandit: you reveal Silver, Gold: which do you trash?"),
        ("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia: do you reveal Moat?"),
    ],
)
def test_every_card_asks_in_a_sentence_that_says_whose_cards_it_is_about(position, prompt):
    card = prompt.split(":")[0]
    game = after(position, card, kingdom=sorted({card, "Moat", "Village"}))

    assert game.decision.prompt == prompt


def test_a_decision_says_whose_cards_are_chosen_from_and_how_many():
    spy = after("P1: hand Spy; top Copper | P2: hand Copper; top Gold", "Spy", kingdom=["Spy", "Village"]).decision
    chapel = after("P1: hand Chapel, 2 Copper, Estate", "Chapel", "Copper", kingdom=["Chapel"]).decision

    assert (spy.seat, spy.owner, spy.n_left, spy.seen) == (0, 1, 1, ("Gold",))
    assert (chapel.owner, chapel.n_left) == (0, 3)


def test_only_the_one_who_looks_at_cards_sees_them_and_only_while_choosing():
    sentry = after("P1: hand Sentry; top Gold, Copper, Estate | P2: hand Copper", "Sentry", kingdom=["Sentry"])
    thief = after("P1: hand Thief | P2: hand Copper; top Gold, Silver | P3: hand Copper", "Thief", kingdom=["Thief"])

    assert sentry.view(0).revealed == {"Copper": 1, "Estate": 1}
    assert not sentry.view(1).revealed
    assert thief.view(2).revealed == {"Gold": 1, "Silver": 1}


@pytest.mark.parametrize(
    ("card", "choice", "text"),
    [
        ("Throne Room", "Village", "play Village twice"),
        ("Artisan", "Silver", "gain Silver to your hand"),
        ("Harbinger", "Gold", "put Gold onto your deck"),
    ],
)
def test_a_consequence_says_what_happens_to_the_card(card, choice, text):
    game = after(f"P1: hand {card}, Village; deck Copper; discard Gold", card, kingdom=[card, "Village"])

    assert text in [answer.text for answer in game.decision.consequences if answer.name == choice]
