"""A game as Python objects: Decisions, Consequences, Views and events."""

import pytest

from evodom.dominion.game import DominionGame
from evodom.errors import IllegalChoice
from tests.dominion.helpers import after, asked, hand

pytestmark = pytest.mark.uncompiled


def test_a_choice_is_a_consequence_or_a_name_in_any_case():
    by_name = DominionGame.from_position("P1: hand Copper, Silver").enact("sILVER")
    game = DominionGame.from_position("P1: hand Copper, Silver")
    as_itself = game.enact(game.decision.consequences[1])

    assert hand(by_name) == hand(as_itself) == "Copper"
    with pytest.raises(IllegalChoice, match=r"'Gold' cannot be chosen\. Allowed: Silver, pass"):
        DominionGame.from_position("P1: hand Silver").enact("Gold")


def test_a_decision_has_a_seat_a_title_an_owner_and_its_consequences():
    decision = after("P1: hand Militia | P2: hand 3 Copper, Silver", "Militia").decision

    assert (decision.seat, decision.title, decision.optional) == (1, "Militia", False)
    assert [consequence.text for consequence in decision.consequences] == ["discard Copper", "discard Silver"]

    spy = after("P1: hand Spy; top Copper | P2: hand Copper; top Gold", "Spy", kingdom=["Spy", "Village"]).decision
    chapel = after("P1: hand Chapel, 2 Copper, Estate", "Chapel", "Copper", kingdom=["Chapel"]).decision

    assert (spy.seat, spy.owner, spy.n_left, spy.revealed) == (0, 1, 1, ("Gold",))
    assert (chapel.owner, chapel.n_left) == (0, 3)


def test_a_decision_is_cached_until_the_state_changes():
    game = after("P1: hand Militia | P2: hand 3 Copper, 2 Silver", "Militia")
    first = game.decision
    twin = game.copy()

    assert game.decision is first
    assert first.n_left == 2
    assert game.enact("Copper").decision.n_left == 1
    assert twin.decision == first
    twin.state.legal &= ~(1 << first.consequences[0].pile)
    assert [answer.name for answer in twin.decision.consequences] == [first.consequences[1].name]


def test_a_view_shows_the_own_hand_and_sizes_of_the_others():
    position = "P1: hand 2 Copper; deck 3 Gold | P2: hand Moat, Estate; top Silver; deck 4 Curse; discard Duchy"
    view = DominionGame.from_position(position).view(0)

    assert view.hand == {"Copper": 2}
    assert view.owned == {"Copper": 2, "Gold": 3}
    assert (view.hand_sizes, view.deck_sizes, view.discard_sizes) == ((2, 2), (3, 5), (0, 1))


def test_the_top_of_a_discard_pile_is_open():
    bought = after("P1: hand Copper | turn: P1, 1 action, 2 buys, 9 coins, buy phase", "Militia")
    mine = "P1: hand Village, Mine, Silver, Copper, Cellar, Estate; deck 5 Copper; discard 2 Estate"
    to_hand = after(
        f"{mine} | P2: hand 5 Copper | turn: P1, 2 actions", "Cellar", "Estate", "pass", "Mine", "Silver", "Silver"
    )
    smithy = "P1: hand 2 Smithy, Village, Cellar, Estate; deck Gold, Copper; discard 3 Silver"
    cellar = after(f"{smithy} | P2: hand 5 Copper | turn: P1, 3 actions", "Cellar", "Estate", "pass")

    assert bought.view(0).discard_tops == ("Militia",)
    assert to_hand.view(0).discard_tops[0] == "Estate", "a card gained to the hand is not on it"
    assert cellar.view(0).discard_tops[0] == "Estate"
    shuffled = cellar.enact("Smithy").view(0)
    assert (shuffled.discard_sizes[0], shuffled.discard_tops[0]) == (0, "")


def test_agents_get_the_view_and_the_decision_of_their_seat():
    seen = []

    def first_answer(view, decision):
        seen.append((view.seat, decision.seat))
        return decision.consequences[-1]

    game = DominionGame.from_position("P1: hand Copper; turns 98 | P2: hand Copper; turns 98").play([first_answer] * 2)

    assert game.is_over
    assert set(seen) == {(0, 0), (1, 1)}


def test_automatic_treasures_are_not_asked_for():
    game = DominionGame.from_position("P1: hand Copper | P2: hand Copper")
    assert game.play_treasures_automatically(0, 1) is game, "as `enact` does"

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
        ("P1: hand Harbinger; discard Gold, Estate; top Copper",
         "Harbinger: which of Gold, Estate from your discard pile do you put onto your deck?"),
        ("P1: hand Artisan",
         "Artisan: which of Copper, Silver, Estate, Duchy, Curse, Moat, Village do you gain to your hand?"),
        ("P1: hand Bureaucrat | P2: hand Estate, Duchy",
         "Bureaucrat: which of Estate, Duchy do you put onto your deck?"),
        ("P1: hand Spy; top Copper, Gold", "Spy: you reveal Gold: do you have it discarded?"),
        ("P1: hand Spy; top Copper | P2: hand Copper; top Gold", "Spy: P2 reveals Gold: do you have it discarded?"),
        ("P1: hand Thief | P2: hand Copper; top Gold, Silver", "Thief: P2 reveals Silver, Gold: which do you trash?"),
        ("P1: hand Thief | P2: hand Copper; top Gold", "Thief: P2 trashes Gold: do you gain it?"),
        ("P1: hand Bandit | P2: hand Copper; top Gold, Silver", "Bandit: you reveal Silver, Gold: which do you trash?"),
        ("P1: hand Militia | P2: hand Moat, 4 Copper", "Militia: do you reveal Moat?"),
    ],
)  # fmt: skip
def test_the_prompt_of_a_question_names_candidates_and_owner(position, prompt):
    card = prompt.split(":")[0]
    game = after(position, card, kingdom=sorted({card, "Moat", "Village"}))

    assert game.decision.prompt == prompt


def test_the_text_of_a_consequence_has_verb_card_and_target():
    for card, choice, text in [
        ("Throne Room", "Village", "play Village twice"),
        ("Artisan", "Silver", "gain Silver to your hand"),
        ("Harbinger", "Gold", "put Gold onto your deck"),
    ]:
        game = after(f"P1: hand {card}, Village; deck Copper; discard Gold", card, kingdom=[card, "Village"])
        assert text in [answer.text for answer in game.decision.consequences if answer.name == choice]
