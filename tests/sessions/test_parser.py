"""A line a person types means a command, cards, or a reason why not."""

import pytest

from evodom.dominion.cards import CARDS
from evodom.dominion.game import DominionGame
from evodom.sessions.parser import COMMANDS, ELSEWHERE, Choices, Guess, Order, Unclear, parse

PILES = [card.name for card in DominionGame().piles]
ALL = [*PILES, "pass"]


def read(line, legal=ALL):
    return parse(line, PILES, legal)


@pytest.mark.parametrize("line", ["", "   ", "\t"])
def test_an_empty_line_is_enter(line):
    assert read(line) == Choices(())


@pytest.mark.parametrize(
    ("line", "name"), [("1", "Copper"), ("17", "Mine"), ("11", "Village"), ("0", "pass"), ("pass", "pass")]
)
def test_a_number_is_a_pile_and_0_passes(line, name):
    assert read(line) == Choices((name,))


@pytest.mark.parametrize("line", ["18", "0018", "9" * 20, "9" * 10_000])
def test_a_number_beyond_the_piles_is_refused_with_the_range(line):
    assert "from 1 to 17" in read(line).text


@pytest.mark.parametrize("line", ["Village", "village", "VILLAGE", "  vil ", "v"])
def test_a_name_or_its_beginning_is_a_card(line):
    assert read(line) == Choices(("Village",))


def test_an_ambiguous_beginning_names_the_candidates():
    assert read("mi").text == "'mi' may be Militia or Mine. Type a little more, or the number."


def test_a_beginning_is_no_longer_ambiguous_if_one_card_only_can_be_chosen():
    assert read("mi", ["Mine", "Copper", "pass"]) == Choices(("Mine",))


def test_an_exact_name_wins_over_longer_ones():
    assert parse("gold", ["Goldsmith", "Gold"], ["Goldsmith"]) == Choices(("Gold",))


@pytest.mark.parametrize(("line", "name"), [("vilage", "Village"), ("merchnat", "Merchant"), ("curses", "Curse")])
def test_a_name_with_a_mistake_is_a_guess_that_asks(line, name):
    assert read(line) == Guess(Choices((name,)))
    assert read(line).text == f"Did you mean {name}? y = yes, n = no"


def test_one_guess_in_a_line_makes_a_guess_of_the_whole_line():
    assert read("play vilage 1") == Guess(Choices(("Village", "Copper"), verb="play"))


@pytest.mark.parametrize("word", ["clear", "stats", "state", "restart", "main", "stop", "score", "new"])
def test_a_command_of_other_games_is_told_to_be_none(word):
    assert read(word).text.startswith(f"'{word}' is no command here, and no card. Perhaps you want '")


@pytest.mark.parametrize("word", ["quit", "q", "exit", "Q"])
def test_quit_has_the_short_words_of_other_tables(word):
    assert read(word) == Order("quit")


def test_no_word_that_is_told_to_be_no_command_begins_a_card():
    for words in ELSEWHERE.values():
        for word in words:
            assert not [name for name in CARDS if name.casefold().startswith(word)], word


def test_every_word_that_is_told_to_be_no_command_leads_to_one():
    assert {*ELSEWHERE} <= {*COMMANDS}


def test_a_card_of_a_set_we_lack_is_told_as_such():
    assert read("wharf").text.startswith("Wharf is a card of Seaside, which evodom does not have.")
    assert "Wharf is a card of Seaside" in read("view wharf").text


def test_all_stands_for_all_treasures():
    assert read("all") == Choices(("all",))


def test_nonsense_is_refused():
    assert isinstance(read("xyzzy"), Unclear)
    assert isinstance(read(","), Unclear)
    assert isinstance(read("\N{REPLACEMENT CHARACTER}"), Unclear)


def test_a_misspelt_command_is_suggested_and_not_obeyed():
    assert "'expand'" in read("expnd").text


def test_a_verb_before_a_card_is_kept():
    assert read("play village") == Choices(("Village",), verb="play")
    assert read("discard 1 3") == Choices(("Copper", "Gold"), verb="discard")


@pytest.mark.parametrize("line", ["quit now", "save game", "hint please", "deck copper"])
def test_a_command_with_something_after_it_is_said_to_stand_alone(line):
    assert "stands alone" in read(line).text


@pytest.mark.parametrize("line", ["1 3 4", "1,3,4", "1, 3, 4", "copper gold 4"])
def test_several_cards_in_a_line_come_one_after_the_other(line):
    assert read(line) == Choices(("Copper", "Gold", "Estate"))


@pytest.mark.parametrize("line", ["copper x2 gold", "2x copper, gold", "x2 copper gold", "copper copper x1 gold"])
def test_the_number_of_cards_is_written_as_on_the_screen(line):
    assert read(line) == Choices(("Copper", "Copper", "Gold"))


@pytest.mark.parametrize(("line", "meant"), [("2 gold", "Gold x2"), ("trash 2 coppers, 3", "Copper x2, Gold")])
def test_a_number_before_a_name_asks_whether_it_is_meant_so_often(line, meant):
    assert read(line).text == f"Did you mean {meant}? y = yes, n = no"


@pytest.mark.parametrize("line", ["2, gold", "13 gold", "4 4 gold", "0 gold"])
def test_a_number_that_can_only_be_a_pile_is_one(line):
    assert isinstance(read(line), Choices)


@pytest.mark.parametrize("line", ["gold x0", "gold x21", "gold x999"])
def test_more_cards_than_anybody_has_are_refused(line):
    assert "once to 20 times" in read(line).text


def test_one_unclear_card_spoils_the_whole_line():
    assert isinstance(read("1 xyzzy 3"), Unclear)


def test_pass_may_end_a_line():
    assert read("1 1 0") == Choices(("Copper", "Copper", "pass"))


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "view"])
def test_a_command_in_full_is_a_command(command):
    assert read(command) == Order(command)
    assert read(command.upper()) == Order(command)


def test_the_beginning_of_a_command_is_no_command():
    assert isinstance(read("hin"), Unclear)
    assert isinstance(read("qui"), Unclear)


def test_no_command_hides_a_card():
    for name in PILES:
        assert read(name) == Choices((name,))
        assert name.casefold() not in COMMANDS


@pytest.mark.parametrize("line", ["?", "? hint", "help", "help me"])
def test_a_question_mark_asks_for_help(line):
    assert read(line) == Order("help")


def test_view_takes_a_card():
    assert read("view mark") == Order("view", "Market")
    assert read("view 11") == Order("view", "Village")
    assert "For example" in read("view").text
    assert isinstance(read("view nothing"), Unclear)


def test_yes_and_no_answer_the_offer_of_a_reaction():
    assert read("y", ["Moat", "pass"]) == Choices(("Moat",))
    assert read("no", ["Moat", "pass"]) == Choices(("pass",))


def test_yes_where_nothing_is_offered_is_told_to_be_no_answer():
    assert read("y").text == "'y' answers a yes or no, and nothing of the kind is asked now."


@pytest.mark.parametrize("line", ["throne rom", "trone room", "throneroom"])
def test_a_mistake_in_a_name_of_two_words_asks_for_that_card(line):
    piles = ["Throne Room", "Thief", "Moat"]
    assert parse(line, piles, piles) == Guess(Choices(("Throne Room",)))


def test_names_of_two_words_are_one_card():
    piles = ["Throne Room", "Thief", "Moat"]
    assert parse("throne room", piles, piles) == Choices(("Throne Room",))
    assert parse("play throne r", piles, piles) == Choices(("Throne Room",), verb="play")
    assert parse("throne moat", piles, piles) == Choices(("Throne Room", "Moat"))


def test_names_of_two_words_stand_among_others():
    piles = ["Throne Room", "Council Room", "Moat"]
    assert parse("moat throne room council room moat", piles, piles) == Choices(
        ("Moat", "Throne Room", "Council Room", "Moat")
    )


def test_view_knows_the_cards_of_other_kingdoms_too():
    assert read("view gardens") == Order("view", "Gardens")
    assert read("view throne room") == Order("view", "Throne Room")
