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
    assert "\n  evodom play --seed 2" in end
    assert end.endswith("\n  evodom play demo --review")


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
    assert any(line.startswith("Enter means") for line in answer)
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
    for fact in ("P3 of 4", cards, "'demo'"):
        assert fact in " ".join(typist.text.split())


def test_quit_saves_without_showing_what_the_others_have(tmp_path):
    typist = Typist("silver", "quit")
    assert play_session(DominionSession(make_setup(seed=4)), typist, tmp_path) is SessionEnd.LEFT
    assert "standings" not in typist.text
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
    assert "Gold was not taken" in typist.text


BUY = "P1: hand 2 Estate | P2: hand 5 Copper; deck 9 Copper | supply: 0 Province | turn: P1, 1 buy, 3 coins, buy phase"


@pytest.mark.parametrize(
    ("position", "line", "facts"),
    [
        (BUY, "gold", ("Gold", "$6", "$3")),
        (BUY, "province", ("Province pile is empty",)),
        (BUY, "m", ("Moat or Merchant",)),
        (BUY, "vilage moat", ("Village, Moat?",)),
        ("P1: hand Village, Copper | P2: hand 5 Copper; deck 9 Copper", "silver", ("Silver", "buy phase")),
    ],
)
def test_a_refusal_has_the_reason(tmp_path, position, line, facts):
    typist = Typist(line)
    play_session(match_from(position), typist, tmp_path)
    assert all(fact in typist.text for fact in facts)


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
    assert f"{MOST_IN_VAIN} lines" in typist.text


def test_all_plays_all_treasures_where_they_are_asked_for(tmp_path):
    match = match_from("P1: hand Village, 2 Copper, Silver | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("all", "options", "0", "all", "options")
    play_session(match, typist, tmp_path)
    assert "'all'" in typist.text
    assert match.choices[2:5] == ["Copper", "Copper", "Silver"]
    assert not match.asks_treasures


def test_a_mistake_buys_nothing_before_a_yes(tmp_path):
    refused = [("clear",), ("celar", ""), ("celar", "n"), ("celar", "0"), ("stats", "state", "restart", "y")]
    bought = [(("celar", "y"), "Cellar"), (("celar", "silver"), "Silver"), (("merchnat silver", "yes"), "Merchant")]
    for lines, choices in [*((lines, []) for lines in refused), *((lines, [card]) for lines, card in bought)]:
        match = match_from("P1: hand 2 Estate | P2: hand 5 Copper; deck 9 Copper | turn: P1, 1 buy, 4 coins, buy phase")
        play_session(match, Typist(*lines), tmp_path)
        assert match.choices[:1] == choices


def test_undo_goes_back_and_says_what_was_taken_back(tmp_path):
    match = match_from("P1: hand Workshop, 2 Copper; deck 9 Estate | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("undo", "workshop", "silver", "undo", "moat", "undo", "moat")
    play_session(match, typist, tmp_path)
    assert "nothing to undo" in typist.text
    assert "Undone: Silver." in typist.text
    assert match.choices == ["Workshop", "Moat"]


def test_undo_takes_back_what_the_others_did_since(tmp_path):
    match = DominionSession(make_setup(seed=4))
    typist = Typist("copper", "undo", "silver")
    play_session(match, typist, tmp_path)
    assert "Undone: Copper. You saw moves of opponents and new cards" in " ".join(typist.text.split())
    assert match.choices == ["Silver"]
    assert read_game(tmp_path / "demo.json").choices == ["Silver"]


def test_a_reaction_is_revealed_by_a_yes_and_spares_the_hand(tmp_path):
    match = match_from("P1: hand 4 Estate, Moat; deck Moat, 4 Estate | P2: hand Militia, 4 Copper; deck 9 Copper")
    typist = Typist("0", "0", "", "y")
    play_session(match, typist, tmp_path)
    assert "reveal Moat? y = reveal, n = no" in typist.text
    assert "you reveal Moat" in typist.text
    assert sum(match.view.hand.values()) == 5


def test_a_verb_that_does_not_fit_the_question_chooses_nothing(tmp_path):
    for position, lines, verbs in (
        ("P1: hand 2 Estate | {} | turn: P1, 1 buy, 5 coins, buy phase", ["play village"], "can buy, not play"),
        ("P1: hand Village, Copper; deck 9 Copper | {}", ["buy village"], "can play, not buy"),
        ("P1: hand Remodel, 2 Estate, Copper | {}", ["remodel", "discard estate"], "can trash, not discard"),
    ):
        match, typist = match_from(position.format("P2: hand 5 Copper; deck 9 Copper")), Typist(*lines)
        play_session(match, typist, tmp_path)
        assert verbs in typist.text
        assert len(match.choices) == len(lines) - 1


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
    assert "standings:" in typist.text
    assert "\n  evodom play --seed 4" in typist.text


def test_the_cards_of_others_are_not_shown_while_the_game_can_go_on(tmp_path):
    match = match_from("P1: hand Village, 4 Estate; deck 9 Copper | P2: hand 5 Curse; deck 9 Copper")
    typist = Typist(then=KeyboardInterrupt)
    play_session(match, typist, tmp_path)
    end = typist.text.split("standings:")[1]
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


def test_chapel_takes_a_line_of_cards(tmp_path):
    for line in ("1 1 4", "copper copper estate", "trash 1, 1, 4", "cop cop est"):
        choices, text = taken(tmp_path, "P1: hand Chapel, 2 Copper, 2 Estate", "chapel", line)
        assert choices == ["Chapel", "Copper", "Copper", "Estate"]
        assert "not taken" not in text


@pytest.mark.parametrize(
    ("position", "lines", "choices", "facts"),
    [
        # more cards than the question allows
        ("P1: hand Chapel, 7 Copper", ("chapel", "1 1 1 1 1 1"), ["Chapel", *["Copper"] * 4], ["Copper x2 were not"]),
        # the second play of a card is a new question
        (
            "P1: hand Throne Room, Chapel, 7 Copper",
            ("throne", "chapel", "1 1 1 1 1", "1"),
            ["Throne Room", "Chapel", *["Copper"] * 5],
            ["Copper was not taken", "play Chapel again"],
        ),
        # so is the question of a card that the line plays
        ("P1: hand Chapel, Copper, Estate", ("chapel 1 4",), ["Chapel"], ["Copper, Estate were not taken"]),
        # an impossible card stops the line
        (
            "P1: hand Chapel, 2 Estate",
            ("chapel", "4 1 1 4"),
            ["Chapel", "Estate"],
            ["There is no Copper in your hand.", "Estate was not taken"],
        ),
        # a card that is put back without a choice counts as taken
        (
            "P1: hand Sentry; top Village, Copper, Estate",
            ("sentry", "", "", "1 4"),
            ["Sentry", "pass", "pass", "Copper"],
            ["put Copper, Estate onto your deck"],
        ),
    ],
)
def test_a_line_of_cards_answers_one_question_and_names_the_rest(tmp_path, position, lines, choices, facts):
    chosen, text = taken(tmp_path, position, *lines)
    assert chosen == choices
    for fact in facts:
        assert fact in " ".join(text.split())
    assert ("not taken" in text) == any("not" in fact for fact in facts)


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
