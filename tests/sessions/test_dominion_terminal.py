"""A person's game through the session, from the first screen to the last."""

import pytest

from evodom.dominion import events as log
from evodom.dominion.strategies.baselines import baseline
from evodom.sessions import screen as table
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.parser import COMMANDS
from evodom.sessions.terminal import MOST_IN_VAIN, SessionEnd

from .helpers import Expert, Typist, make_setup, match_from, play_session

QUESTIONS = [command for command in COMMANDS if command not in ("quit", "undo", "view", "options")] + ["view mine", "?"]


def play_whole(tmp_path, *questions, seed=2, clear=None):
    match = DominionSession(make_setup("big-money-militia", "random", "big-money-smithy", seat=1, seed=seed))
    expert = Expert(match, baseline("big-money-smithy", match.setup.kingdom), *questions)
    outcome = play_session(match, expert, tmp_path, clear=clear)
    return match, expert, outcome


def test_a_whole_game_ends_with_places_decks_and_the_command_to_play_it_again(tmp_path):
    match, expert, outcome = play_whole(tmp_path)
    assert outcome is SessionEnd.OVER
    assert match.game.is_over
    end = expert.text[expert.text.index("The game is over") :]
    for seat, vp in enumerate(match.game.scores):
        assert f"{match.setup.names[seat]:17} {vp:3} VP" in end
    assert "Seed 2. To play this game again:\n  evodom play --seed 2" in end
    assert end.endswith("To look back at it:\n  evodom play demo --review")


def test_the_end_shows_what_the_person_bought_beside_what_the_others_did(tmp_path):
    match, expert, _ = play_whole(tmp_path)
    lines = expert.text[expert.text.index("Cards bought") :].splitlines()
    results_of_table = {line[: len("Cards bought")].strip(): line[len("Cards bought") :].split() for line in lines}
    order = [1, *(seat for _, seat in match.game.standings if seat != 1)]
    for card in ("Province", "Silver"):
        for seat, cell in zip(order, results_of_table[card], strict=True):
            bought = sum(event.cards.count(card) for event in match.game.events if _is_buy(event, seat))
            assert cell == (str(bought) if bought else "-")


def test_a_small_screen_keeps_the_result_and_what_the_others_did_last_stands_before_it(tmp_path):
    match, expert, _ = play_whole(tmp_path)
    end = "\n".join(expert.shown[-24:])
    assert "The game is over" in end
    assert all(f"{match.setup.names[seat]:17} {vp:3} VP" in end for seat, vp in enumerate(match.game.scores))
    before = expert.text[: expert.text.index("Cards bought")]
    assert before.rstrip().splitlines()[-1].strip().startswith(match.setup.names[log.turns(match.game.events)[-1].seat])


def test_the_help_fits_a_small_screen_with_the_question_and_the_prompt(tmp_path):
    typist = Typist("?")
    play_session(match_from("P1: hand Village, Copper | P2: hand 5 Copper; deck 9 Copper"), typist, tmp_path)
    *answer, question = typist.screens[1]
    assert len([*answer, question, "> "]) <= 24
    assert answer[0].startswith("Choose a card by")
    assert any(line.startswith("Enter means: no more cards.") for line in answer)
    assert all(f"  {word:8} {text}" in "\n".join(answer) for word, text in COMMANDS.items())


def _is_buy(event, seat):
    return event.verb == "buys" and event.seat == seat


def test_a_game_with_all_questions_asked_is_the_same_game(tmp_path):
    plain, _, _ = play_whole(tmp_path)
    asked, expert, _ = play_whole(tmp_path, *QUESTIONS, "options", "options")
    assert {*QUESTIONS} <= {*expert.typed}
    assert asked.game.scores == plain.game.scores
    assert (asked.game.state.deck_streams == plain.game.state.deck_streams).all()


def test_every_line_shown_fits_80_columns_and_every_screen_24_lines(tmp_path):
    clears = []
    _, expert, _ = play_whole(tmp_path, clear=lambda: clears.append(1))
    assert max(map(len, expert.shown)) <= table.WIDTH
    assert max(map(len, expert.screens)) <= table.HEIGHT - 1
    assert len(clears) == len(expert.screens)


def test_the_first_screen_shows_the_opening_hand(tmp_path):
    typist = Typist()
    match = DominionSession(make_setup(seed=4, seat=2))
    play_session(match, typist, tmp_path)
    opening = match.opening_hand
    assert sum(opening.values()) == 5
    cards = ", ".join(f"{name} x{n}" if n > 1 else name for name, n in opening.most_common())
    assert f"You are P3 of 4. Your opening hand was {cards}. The game is saved as 'demo'." in " ".join(
        typist.text.split()
    )


def test_quit_saves_without_showing_what_the_others_have(tmp_path):
    typist = Typist("silver", "quit")
    assert play_session(DominionSession(make_setup(seed=4)), typist, tmp_path) is SessionEnd.LEFT
    assert "It stands" not in typist.text
    assert (tmp_path / "demo.json").exists()


def test_several_cards_in_a_line_are_taken_one_after_the_other(tmp_path):
    match = match_from("P1: hand Cellar, 2 Estate, Duchy, Copper; deck 9 Gold | P2: hand 5 Copper; deck 9 Copper")
    play_session(match, Typist("cellar", "4 4 duchy 0"), tmp_path)
    assert match.choices == ["Cellar", "Estate", "Estate", "Duchy", "pass"]


def test_a_line_stops_where_a_card_cannot_be_taken_and_says_why(tmp_path):
    match = match_from("P1: hand Cellar, 2 Estate, Duchy; deck 9 Gold | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("cellar", "4 1 duchy")
    play_session(match, typist, tmp_path)
    assert match.choices == ["Cellar", "Estate"]
    assert "There is no Copper in your hand." in typist.text


def test_cards_beyond_what_is_asked_are_not_taken_for_the_next_question(tmp_path):
    position = "P1: hand 2 Estate | P2: hand 5 Copper; deck 9 Copper | turn: P1, 1 buy, 7 coins, buy phase"
    match = match_from(position)
    typist = Typist("silver gold")
    play_session(match, typist, tmp_path)
    assert match.choices == ["Silver"]
    assert "Gold was not taken: there was nothing more to choose." in typist.text


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("gold", "Gold costs $6, and you have $3."),
        ("province", "The Province pile is empty."),
        ("m", "'m' may be Moat or Merchant."),
        ("vilage moat", "Did you mean Village, Moat? y = yes, n = no"),
    ],
)
def test_a_refusal_says_why(tmp_path, line, answer):
    turn = "supply: 0 Province | turn: P1, 1 buy, 3 coins, buy phase"
    position = f"P1: hand 2 Estate | P2: hand 5 Copper; deck 9 Copper | {turn}"
    typist = Typist(line)
    play_session(match_from(position), typist, tmp_path)
    assert answer in typist.text


def test_a_card_that_is_no_action_points_to_the_buy_phase(tmp_path):
    typist = Typist("silver")
    play_session(match_from("P1: hand Village, Copper | P2: hand 5 Copper; deck 9 Copper"), typist, tmp_path)
    assert "Silver is no Action in your hand. 0 goes on to the buy phase." in typist.text


def test_a_pass_at_the_end_of_a_line_that_has_answered_everything_does_no_harm(tmp_path):
    match = match_from("P1: hand Cellar, Estate; deck Gold | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("cellar", "4 0")
    play_session(match, typist, tmp_path)
    assert match.choices == ["Cellar", "Estate"]
    assert "not taken" not in typist.text


def test_a_choice_that_must_be_made_cannot_be_passed(tmp_path):
    match = match_from("P1: hand Remodel, Estate, Copper; deck 9 Gold | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("remodel", "0", "")
    play_session(match, typist, tmp_path)
    assert "Remodel: you have to choose a card." in typist.text
    assert "Enter chooses nothing here. Remodel: which card do you trash?" in typist.text
    assert match.choices == ["Remodel"]


@pytest.mark.parametrize(
    ("position", "first"),
    [
        ("P1: hand Village, Copper; deck 9 Copper", ()),
        ("P1: hand Moneylender, Copper; deck 9 Copper", ("Moneylender",)),
        ("P1: hand Village, 2 Copper, Silver", ("options", "0")),
    ],
)
def test_enter_gives_up_no_action_no_treasure_and_answers_no_yes_or_no(tmp_path, position, first):
    match = match_from(f"{position} | P2: hand 5 Copper; deck 9 Copper", kingdom=("Village", "Moneylender"))
    typist = Typist(*first, "", "")
    play_session(match, typist, tmp_path)
    assert typist.text.count("Enter chooses nothing here.") == 2
    assert len(match.choices) == len(first)


def test_an_endless_stream_of_empty_lines_ends(tmp_path):
    match = match_from("P1: hand Remodel, Estate, Copper; deck 9 Gold | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist(*[""] * (MOST_IN_VAIN + 1))
    assert play_session(match, typist, tmp_path) is SessionEnd.NO_INPUT
    assert "have chosen nothing: the game is left." in typist.text


def test_all_plays_all_treasures_where_they_are_asked_for(tmp_path):
    match = match_from("P1: hand Village, 2 Copper, Silver | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("all", "options", "0", "all", "options")
    play_session(match, typist, tmp_path)
    assert "'all' plays all Treasures, where they are asked for." in typist.text
    assert match.choices[2:5] == ["Copper", "Copper", "Silver"]
    assert not match.asks_treasures


@pytest.mark.parametrize(
    ("lines", "choices"),
    [
        (("clear",), []),
        (("celar", ""), []),
        (("celar", "n"), []),
        (("celar", "0"), []),
        (("celar", "y"), ["Cellar"]),
        (("celar", "silver"), ["Silver"]),
        (("stats", "state", "restart", "y"), []),
        (("curses", "n"), []),
        (("merchnat silver", "yes"), ["Merchant"]),
    ],
)
def test_a_mistake_buys_nothing_before_a_yes(tmp_path, lines, choices):
    match = match_from("P1: hand 2 Estate | P2: hand 5 Copper; deck 9 Copper | turn: P1, 1 buy, 4 coins, buy phase")
    play_session(match, Typist(*lines), tmp_path)
    assert match.choices[:1] == choices


def test_undo_goes_back_and_says_what_was_taken_back(tmp_path):
    match = match_from("P1: hand Workshop, 2 Copper; deck 9 Estate | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("undo", "workshop", "silver", "undo", "moat", "undo", "moat")
    play_session(match, typist, tmp_path)
    assert "There is nothing to take back." in typist.text
    assert "Taken back: Silver." in typist.text
    assert match.choices == ["Workshop", "Moat"]


def test_undo_takes_back_what_the_others_did_since(tmp_path):
    match = DominionSession(make_setup(seed=4))
    typist = Typist("copper", "undo", "silver")
    play_session(match, typist, tmp_path)
    assert "Taken back: Copper. You have seen what the others did and new cards since; the luck stays the same." in (
        " ".join(typist.text.split())
    )
    assert match.choices == ["Silver"]
    assert read_game(tmp_path / "demo.json").choices == ["Silver"]


def test_a_reaction_is_revealed_by_a_yes_and_spares_the_hand(tmp_path):
    match = match_from("P1: hand 4 Estate, Moat; deck Moat, 4 Estate | P2: hand Militia, 4 Copper; deck 9 Copper")
    typist = Typist("0", "0", "", "y")
    play_session(match, typist, tmp_path)
    assert "reveal Moat? y = reveal, n = no" in typist.text
    assert "you reveal Moat" in typist.text
    assert sum(match.view.hand.values()) == 5


@pytest.mark.parametrize(
    ("position", "line", "answer"),
    [
        (
            "P1: hand 2 Estate | {} | turn: P1, 1 buy, 5 coins, buy phase",
            "play village",
            "This is the buy phase: you can buy, not play.",
        ),
        (
            "P1: hand Village, Copper; deck 9 Copper | {}",
            "buy village",
            "This is the action phase: you can play, not buy.",
        ),
        ("P1: hand Remodel, 2 Estate, Copper | {}", "discard estate", "Remodel asks: you can trash, not discard."),
    ],
)
def test_another_verb_than_the_one_asked_for_chooses_nothing(tmp_path, position, line, answer):
    match = match_from(position.format("P2: hand 5 Copper; deck 9 Copper"))
    before = ["remodel"] if "Remodel" in position else []
    typist = Typist(*before, line)
    play_session(match, typist, tmp_path)
    assert answer in typist.text
    assert len(match.choices) == len(before)


def test_the_verb_that_is_asked_for_may_be_typed(tmp_path):
    match = match_from("P1: hand Village, Remodel, 2 Estate; deck 9 Copper | P2: hand 5 Copper; deck 9 Copper")
    play_session(match, Typist("play village", "play remodel", "trash estate", "gain silver", "buy cop"), tmp_path)
    assert match.choices[:4] == ["Village", "Remodel", "Estate", "Silver"]


class Killed(BaseException):
    """Ends the program like a signal, without any cleaning up."""


def test_what_was_taken_back_is_taken_back_in_the_saved_game(tmp_path):
    match = DominionSession(make_setup(seed=4))
    match.game.state.buys = 2
    with pytest.raises(Killed):
        play_session(match, Typist("copper", "undo", then=Killed), tmp_path)
    assert read_game(tmp_path / "demo.json").choices == []


def test_leaving_a_game_that_cannot_be_saved_tells_how_to_play_it_again(tmp_path):
    (tmp_path / "games").touch()
    typist = Typist("silver", "save", "quit")
    assert play_session(DominionSession(make_setup(seed=4)), typist, tmp_path / "games") is SessionEnd.LEFT
    assert "It stands:" in typist.text
    assert "To play this game again:\n  evodom play --seed 4" in typist.text


def test_the_cards_of_others_are_not_shown_while_the_game_can_go_on(tmp_path):
    match = match_from("P1: hand Village, 4 Estate; deck 9 Copper | P2: hand 5 Curse; deck 9 Copper")
    typist = Typist(then=KeyboardInterrupt)
    play_session(match, typist, tmp_path)
    end = typist.text.split("It stands:")[1]
    assert "Copper x9  Estate x4  Village" in end
    assert "Curse" not in end


def test_what_other_players_hold_changes_nothing_that_is_shown(tmp_path):
    def shown(hand, deck):
        position = f"P1: hand Village, 4 Estate; deck 9 Copper | P2: hand {hand}; deck {deck}; discard Silver"
        typist = Typist(*(question for question in QUESTIONS if question not in ("quit", "save")))
        match = match_from(position)
        play_session(match, typist, tmp_path)
        return typist.text[: typist.text.index("The game is not over")]

    assert shown("5 Gold", "5 Curse") == shown("5 Curse", "5 Gold")


def test_victory_points_of_others_are_not_shown_before_the_end(tmp_path):
    match = match_from("P1: hand Village, 4 Estate; deck 9 Copper | P2: hand 5 Province; deck 9 Copper")
    typist = Typist(*(question for question in QUESTIONS if question not in ("quit", "save")))
    play_session(match, typist, tmp_path)
    before, end = typist.text.split("The game is not over")
    assert "30" not in before.replace("$0 30", "").replace("$6 30", "")
    assert "30 VP" in end
    assert "you have 4 VP" in before


CHAPEL = ("Chapel", "Throne Room", "Sentry", "Village")


def taken(tmp_path, position, *lines, kingdom=CHAPEL):
    """Return what was chosen by these lines, and all that was shown."""
    match = match_from(f"{position} | P2: hand 5 Copper; deck 9 Copper", kingdom=kingdom)
    typist = Typist(*lines)
    play_session(match, typist, tmp_path)
    return match.choices, typist.text


@pytest.mark.parametrize("line", ["1 1 4", "copper copper estate", "trash 1, 1, 4", "cop cop est"])
def test_chapel_takes_a_line_of_cards(tmp_path, line):
    choices, text = taken(tmp_path, "P1: hand Chapel, 2 Copper, 2 Estate", "chapel", line)
    assert choices == ["Chapel", "Copper", "Copper", "Estate"]
    assert "not taken" not in text


def test_cards_beyond_the_last_one_that_may_be_chosen_are_named(tmp_path):
    choices, text = taken(tmp_path, "P1: hand Chapel, 7 Copper", "chapel", "1 1 1 1 1 1")
    assert choices == ["Chapel", *["Copper"] * 4]
    assert "Copper x2 were not taken: there was nothing more to choose." in text


def test_a_line_does_not_reach_into_the_second_play_of_a_card(tmp_path):
    choices, text = taken(tmp_path, "P1: hand Throne Room, Chapel, 7 Copper", "throne", "chapel", "1 1 1 1 1", "1")
    assert choices == ["Throne Room", "Chapel", *["Copper"] * 5]
    assert "Copper was not taken: a line answers one question." in text
    assert "play Chapel again" in text


def test_a_line_does_not_reach_into_the_question_of_the_card_it_plays(tmp_path):
    choices, text = taken(tmp_path, "P1: hand Chapel, Copper, Estate", "chapel 1 4")
    assert choices == ["Chapel"]
    assert "Copper, Estate were not taken: a line answers one question." in text


def test_all_cards_after_one_that_cannot_be_taken_are_named(tmp_path):
    choices, text = taken(tmp_path, "P1: hand Chapel, 2 Estate", "chapel", "4 1 1 4")
    assert choices == ["Chapel", "Estate"]
    assert "There is no Copper in your hand." in text
    assert "Estate was not taken either." in text


def test_a_card_that_went_the_same_way_without_a_choice_counts_as_taken(tmp_path):
    choices, text = taken(tmp_path, "P1: hand Sentry; top Village, Copper, Estate", "sentry", "", "", "1 4")
    assert choices == ["Sentry", "pass", "pass", "Copper"]
    assert "not taken" not in text
    assert "put Copper, Estate onto your deck" in " ".join(text.split())


def test_what_is_asked_about_others_is_not_answered_for_the_next_of_them(tmp_path):
    match = match_from(
        "P1: hand Spy; top Copper, Copper | P2: hand Copper; top Gold | P3: hand Copper; top Gold; deck Copper",
        kingdom=("Spy", "Village"),
    )
    play_session(match, Typist("spy", "1", "3 3"), tmp_path)
    assert match.choices == ["Spy", "Copper", "Gold"]


def test_the_cards_of_every_zone_can_be_refused(tmp_path):
    _, text = taken(
        tmp_path, "P1: hand Sentry, Village; top Copper, Copper, Estate", "sentry", "gold", "topdeck 1", "2"
    )
    assert "You cannot trash Gold here. Allowed: Copper, Estate, pass." in text
    assert "Sentry asks: you can trash, not topdeck." in text
