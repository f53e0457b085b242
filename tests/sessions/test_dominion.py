"""A match: taking back, hints, Treasures one by one."""

import pytest

from evodom.errors import IllegalChoice, UsageError
from evodom.sessions.dominion import ASK_TREASURES, PLAY_TREASURES, DominionSession, own_vp
from evodom.sessions.review import hints

from .helpers import make_setup, match_from, take
from .kinds import KINDS, rng_of

OTHER = "P2: hand 5 Copper; deck 5 Copper"


def test_an_undo_goes_back_one_line_and_names_what_the_person_saw_since():
    for position, choices, others, cards in (
        ("hand Workshop, 2 Copper; deck 9 Estate", ["Workshop"], False, False),
        ("hand Workshop, 2 Copper; deck 9 Estate", ["Workshop", "Silver"], False, False),
        ("hand Sentry; top Gold, Copper, Estate", ["Sentry", "Estate"], False, False),
        ("hand Village; deck 9 Estate", ["Village"], False, True),
        ("hand Village, Moat; top Gold; deck 9 Estate", ["Village"], False, True),
        ("hand Vassal, Village; top Gold", ["Vassal"], False, True),
        ("hand Library, 5 Copper; top Village, Gold", ["Library"], False, True),
        ("hand Adventurer, Village; top Gold, Silver", ["Adventurer"], False, True),
        ("hand Militia, Village; deck 9 Estate", ["Militia"], True, False),
    ):
        kingdom = tuple({choices[0], "Village", "Moat"})
        match = match_from(f"P1: {position} | {OTHER} | turn: P1, 2 actions", kingdom=kingdom)
        assert match.undo() is None
        for choice in choices:
            before = match.game.state.tobytes()
            take(match, choice)
        match.mark()  # a line without a choice is no step
        undone = match.undo()
        assert (undone.choices, undone.others, undone.cards) == ((choices[-1],), others, cards)
        assert choices[-1] in undone.text
        assert ("opponents" in undone.text, "new cards" in undone.text) == (others, cards)
        assert match.game.state.tobytes() == before
        assert match.choices == choices[:-1]


def test_an_undo_takes_a_whole_line_back_reaches_over_turns_and_the_same_choice_brings_the_same_again():
    match = match_from(f"P1: hand Cellar, 2 Estate, Copper; deck 9 Gold | {OTHER}")
    take(match, "Cellar")
    take(match, "Estate", "Estate")
    assert match.undo().choices == ("Estate", "Estate")
    assert match.view.hand["Estate"] == 2

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


def test_the_probabilities_of_a_hint_sum_to_one_are_legal_choices_and_leave_the_game_alone():
    match = match_from(
        f"P1: hand Market, Merchant, Smithy, Cellar | {OTHER} | P3: hand 5 Copper | P4: hand Copper",
        *("random", "big-money", "big-money"),
    )
    before, n_events = match.game.state.tobytes(), len(match.game.events)
    legal = {answer.name for answer in match.decision.consequences}
    found = list(hints(match.game, match.setup.players))
    assert [hint.name.removesuffix(" #1") for hint in found] == ["random", "big-money"]  # equal ones once
    for hint in found:
        assert sum(share for _, share in hint.shares) == pytest.approx(1)
        assert {choice for choice, _ in hint.shares} <= legal
    assert len(found[0].shares) == len(legal)
    assert found[1].shares == (("Merchant", 1.0),)
    assert (match.game.state.tobytes(), len(match.game.events)) == (before, n_events)


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


def test_an_impossible_choice_is_refused_and_not_remembered():
    match = match_from(f"P1: hand 5 Estate | {OTHER}")
    with pytest.raises(IllegalChoice):
        match.choose("Province")
    assert match.choices == []


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


def test_a_branch_goes_on_from_a_turn_and_leaves_the_game_alone():
    game, whole = KINDS[0], KINDS[0].begin()
    game.play(whole, rng_of(4), 30)
    before = game.state(whole)
    seat, turn = whole.setup.seat, 3
    n = whole.start_of_turn(turn)

    branch = whole.branch(n)

    assert branch.choices == whole.choices[:n]
    assert (branch.game.state.active, branch.game.state.turns[seat]) == (seat, turn)
    assert whole.branch(n - 1).game.state.turns[seat] < turn
    assert (branch.revision, branch.can_undo) == (None, n > 0)
    for choice in whole.choices[n:]:
        branch.choose(choice)
        branch.play_on()
    assert game.state(branch) == game.state(whole) == before
    with pytest.raises(UsageError, match=r"turn 99 is not among the turns with a choice of yours: 1 to \d+\."):
        whole.start_of_turn(99)
