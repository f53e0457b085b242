"""A match: taking back, hints, Treasures one by one."""

import pytest

from evodom.dominion.strategies.baselines import baseline
from evodom.errors import IllegalChoice, UsageError
from evodom.sessions.dominion import ASK_TREASURES, PLAY_TREASURES, DominionSession, TakenBack, own_vp
from evodom.sessions.review import hints

from .helpers import make_setup, match_from

OTHER = "P2: hand 5 Copper; deck 5 Copper"


def take(match, *choices):
    """Choose as a line of input does: marked, then played on."""
    match.mark()
    for choice in choices:
        match.choose(choice)
    match.play_on()


def test_a_choice_is_taken_back_where_nothing_new_was_seen():
    match = match_from(f"P1: hand Workshop, 2 Copper; deck 9 Estate | {OTHER}")
    before = match.game.state.tobytes()
    take(match, "Workshop")
    take(match, "Silver")
    assert match.undo() == TakenBack(("Silver",), others=False, cards=False)
    assert match.undo().text == "Taken back: Workshop."
    assert match.game.state.tobytes() == before
    assert match.choices == []


def test_a_whole_line_is_taken_back_at_once():
    match = match_from(f"P1: hand Cellar, 2 Estate, Copper; deck 9 Gold | {OTHER}")
    take(match, "Cellar")
    take(match, "Estate", "Estate")
    assert match.undo().choices == ("Estate", "Estate")
    assert match.view.hand["Estate"] == 2


def test_an_undo_after_cards_were_drawn_says_that_they_were_seen():
    match = match_from(f"P1: hand Village; deck 9 Estate | {OTHER}")
    take(match, "Village")
    back = match.undo()
    assert (back.others, back.cards) == (False, True)
    assert back.text == "Taken back: Village. You have seen new cards since; the luck stays the same."


def test_an_undo_after_a_known_card_was_drawn_says_so():
    match = match_from(f"P1: hand Village, Moat; top Gold; deck 9 Estate | {OTHER}")
    take(match, "Village")
    assert match.undo().cards


def test_an_undo_reaches_back_over_what_others_did_and_says_so():
    match = match_from(f"P1: hand Militia, Village; deck 9 Estate | {OTHER}")
    before = match.game.state.tobytes()
    take(match, "Militia")
    assert "what the others did" in match.undo().text
    assert match.game.state.tobytes() == before


def test_an_undo_reaches_back_over_whole_turns_and_the_same_choice_brings_the_same_again():
    match = DominionSession(make_setup("random", "big-money-militia", seed=5))
    match.play_on()
    take(match, "pass")
    after, events = match.game.state.tobytes(), list(match.game.events)
    take(match, "pass")
    for _ in range(2):
        match.undo()
    assert match.choices == []
    assert match.undo() is None
    take(match, "pass")
    assert (match.game.state.tobytes(), match.game.events) == (after, events)


def test_there_is_nothing_to_take_back_at_the_start():
    assert match_from(f"P1: hand Village | {OTHER}").undo() is None


def test_a_line_that_came_to_nothing_is_no_step_to_take_back():
    match = match_from(f"P1: hand Workshop; deck 9 Estate | {OTHER}")
    take(match, "Workshop")
    match.mark()
    assert match.undo().choices == ("Workshop",)


def test_a_hint_leaves_the_game_and_its_random_stream_as_they_are():
    match = DominionSession(make_setup("random", seed=5))
    match.play_on()
    before = match.game.state.tobytes()
    n_events = len(match.game.events)
    list(hints(match.game, match.setup.players))
    assert match.game.state.tobytes() == before
    assert len(match.game.events) == n_events


def test_the_probabilities_of_a_hint_sum_to_one_and_are_legal_choices():
    match = match_from(
        f"P1: hand Market, Merchant, Smithy, Cellar | {OTHER} | P3: hand 5 Copper", "random", "big-money"
    )
    legal = {answer.name for answer in match.decision.consequences}
    found = list(hints(match.game, match.setup.players))
    assert [hint.name for hint in found] == ["random", "big-money"]
    for hint in found:
        assert sum(share for _, share in hint.shares) == pytest.approx(1)
        assert {choice for choice, _ in hint.shares} <= legal
    assert len(found[0].shares) == len(legal)
    assert found[1].shares == (("Merchant", 1.0),)


def test_equal_strategies_give_one_hint():
    match = DominionSession(make_setup("big-money", "big-money"))
    match.play_on()
    assert len(list(hints(match.game, match.setup.players))) == 1


def test_treasures_are_asked_for_one_by_one_if_the_person_wants_it():
    match = match_from(f"P1: hand Village, 2 Copper, Silver | {OTHER}")
    match.choose(ASK_TREASURES)
    match.choose("pass")
    assert match.decision.title == "Treasures"
    match.choose("Silver")
    assert match.game.state.coins == 2
    match.choose(PLAY_TREASURES)
    match.play_on()
    assert (match.decision.title, int(match.game.state.coins)) == ("Buy", 4)


def test_the_choices_alone_give_the_same_game_again():
    setup = make_setup("random", "big-money-militia", seed=11)
    strategy = baseline("big-money-smithy", setup.kingdom)
    first, second = DominionSession(setup), DominionSession(setup)
    first.play_on()
    while first.decision is not None:
        first.choose(first.game.strategy_choice(strategy).name)
        first.play_on()
    assert first.game.is_over
    with pytest.raises(UsageError, match="nothing to decide"):
        first.choose("pass")
    second.play_on()
    for choice in first.choices:
        second.choose(choice)
        second.play_on()
    assert second.choices == first.choices


def test_an_impossible_choice_is_refused_and_not_remembered():
    match = match_from(f"P1: hand 5 Estate | {OTHER}")
    with pytest.raises(IllegalChoice):
        match.choose("Province")
    assert match.choices == []


@pytest.mark.parametrize(
    ("position", "kingdom", "choices"),
    [
        ("P1: hand Vassal, Village; top Gold", ("Vassal", "Village"), ["Vassal"]),
        ("P1: hand Library, 5 Copper; top Village, Gold", ("Library", "Village"), ["Library"]),
        ("P1: hand Adventurer, Village; top Gold, Silver", ("Adventurer", "Village"), ["Adventurer"]),
    ],
)
def test_an_undo_after_cards_of_the_deck_were_seen_says_so(position, kingdom, choices):
    match = match_from(f"{position} | {OTHER} | turn: P1, 2 actions", kingdom=kingdom)
    take(match, *choices)
    assert match.undo().cards


def test_what_was_chosen_of_cards_already_seen_is_taken_back():
    match = match_from(f"P1: hand Sentry; top Gold, Copper, Estate | {OTHER}", kingdom=("Sentry",))
    take(match, "Sentry")
    take(match, "Estate")
    assert match.undo() == TakenBack(("Estate",), others=False, cards=False)
    assert match.view.revealed == {"Copper": 1, "Estate": 1}


def test_a_deck_put_into_the_discard_pile_unseen_is_taken_back():
    match = match_from(f"P1: hand Chancellor; deck 3 Gold | {OTHER}", kingdom=("Chancellor",))
    take(match, "Chancellor")
    take(match, "Chancellor")
    assert match.view.discard_sizes[0] == 3
    assert not match.undo().cards
    assert (match.view.discard_sizes[0], match.view.deck_sizes[0]) == (0, 3)


def test_gardens_count_among_ones_own_points():
    match = match_from(f"P1: hand 2 Gardens, Estate; deck 17 Copper | {OTHER}", kingdom=("Gardens",))
    assert own_vp(match.view) == match.game.scores[0] == 5
