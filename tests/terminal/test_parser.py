"""A typed line is a command, cards, a guess to confirm, or an error."""

from evodom.dominion.cards import CARDS
from evodom.dominion.game import DominionGame
from evodom.terminal.parser import COMMANDS, OTHER_GAMES_WORDS, Choices, TypedCommand, Unclear, parse
from tests.dominion.helpers import MISSING_CARD, MISSING_SET

PILES = [card.name for card in DominionGame().piles]
ALL = [*PILES, "pass"]

CARDS_OF_LINES = {
    **dict.fromkeys(("", "   ", "\t"), ()),  # Enter
    "1": ("Copper",), "17": ("Mine",), "11": ("Village",), "0": ("pass",), "pass": ("pass",), "all": ("all",),
    **dict.fromkeys(("Village", "village", "VILLAGE", "  vil ", "v"), ("Village",)),
    **dict.fromkeys(("1 3 4", "1,3,4", "1, 3, 4", "copper gold 4"), ("Copper", "Gold", "Estate")),
    **dict.fromkeys(
        ("copper x2 gold", "2x copper, gold", "x2 copper gold", "copper copper x1 gold"), ("Copper", "Copper", "Gold")
    ),
    "1 1 0": ("Copper", "Copper", "pass"),
}  # fmt: skip


def read(line, legal=ALL):
    return parse(line, PILES, legal)


def test_cards_are_typed_by_number_by_name_or_by_the_beginning_of_a_name():
    for line, names in CARDS_OF_LINES.items():
        assert read(line) == Choices(names), line
    for name in PILES:
        assert read(name) == Choices((name,))
        assert name.casefold() not in COMMANDS
    assert parse("gold", ["Goldsmith", "Gold"], ["Goldsmith"]) == Choices(("Gold",))
    for line in ("2, gold", "13 gold", "4 4 gold", "0 gold"):
        assert read(line).is_guess is False, line


def test_an_ambiguous_beginning_names_the_candidates_unless_only_one_is_legal():
    assert "Militia or Mine" in read("mi").text
    assert read("mi", ["Mine", "Copper", "pass"]) == Choices(("Mine",))


def test_a_misspelt_name_is_a_guess_that_asks():
    for line, name in (("vilage", "Village"), ("merchnat", "Merchant"), ("curses", "Curse")):
        assert read(line) == Choices((name,), is_guess=True)
        assert read(line).text == f"Did you mean {name}? y = yes, n = no"
    assert read("play vilage 1") == Choices(("Village", "Copper"), verb="play", is_guess=True)
    for line, meant in (("2 gold", "Gold x2"), ("trash 2 coppers, 3", "Copper x2, Gold")):
        assert f"Did you mean {meant}?" in read(line).text


def test_numbers_beyond_the_piles_or_the_cards_are_refused_with_the_range():
    for line in ("18", "0018", "9" * 20, "9" * 1000):
        assert "from 1 to 17" in read(line).text
    for line in ("gold x0", "gold x21", "gold x999"):
        assert "once to 20 times" in read(line).text


def test_nonsense_and_one_unclear_card_in_a_line_are_refused():
    for line in ("xyzzy", ",", "\N{REPLACEMENT CHARACTER}", "1 xyzzy 3"):
        assert isinstance(read(line), Unclear), line


def test_words_of_other_games_are_refused_with_a_command():
    for word in ("clear", "stats", "state", "restart", "main", "stop", "score", "new"):
        assert read(word).text.startswith(f"'{word}' is no command")
    for words in OTHER_GAMES_WORDS.values():
        for word in words:
            assert not [name for name in CARDS if name.casefold().startswith(word)], word
    assert {*OTHER_GAMES_WORDS} <= {*COMMANDS}


def test_a_card_of_a_missing_set_is_refused_with_its_set():
    for line in (MISSING_CARD.lower(), f"view {MISSING_CARD.lower()}"):
        assert f"{MISSING_CARD} is a card of {MISSING_SET}" in read(line).text


def test_a_command_is_typed_in_full_and_alone():
    for command in COMMANDS:
        if command != "view":
            assert read(command) == read(command.upper()) == TypedCommand(command)
    for word in ("quit", "q", "exit", "Q"):
        assert read(word) == TypedCommand("quit")
    for line in ("?", "? hint", "help", "help me"):
        assert read(line) == TypedCommand("help")
    for line in ("hin", "qui"):
        assert isinstance(read(line), Unclear)
    assert "'events'" in read("evnts").text
    for line in ("quit now", "save game", "hint please", "deck copper"):
        assert f"'{line.split()[0]}'" in read(line).text


def test_a_verb_before_a_card_is_kept():
    assert read("play village") == Choices(("Village",), verb="play")
    assert read("discard 1 3") == Choices(("Copper", "Gold"), verb="discard")


def test_view_takes_any_card():
    for line, name in (("mark", "Market"), ("11", "Village"), ("gardens", "Gardens"), ("throne room", "Throne Room")):
        assert read(f"view {line}") == TypedCommand("view", name)
    for line in ("view", "view nothing"):
        assert isinstance(read(line), Unclear)


def test_yes_and_no_answer_the_offer_of_a_card_only():
    assert read("y", ["Moat", "pass"]) == Choices(("Moat",))
    assert read("no", ["Moat", "pass"]) == Choices(("pass",))
    assert "'y'" in read("y").text


def test_names_of_two_words_are_one_card():
    piles = ["Throne Room", "Council Room", "Thief", "Moat"]
    for line, names in {
        "throne room": ("Throne Room",),
        "throne moat": ("Throne Room", "Moat"),
        "moat throne room council room moat": ("Moat", "Throne Room", "Council Room", "Moat"),
    }.items():
        assert parse(line, piles, piles) == Choices(names)
    assert parse("play throne r", piles, piles) == Choices(("Throne Room",), verb="play")
    for line in ("throneroom", "throne-room", "Throne_Room."):
        assert parse(line, piles, piles) == Choices(("Throne Room",))
    for line in ("throne rom", "trone room"):
        assert parse(line, piles, piles) == Choices(("Throne Room",), is_guess=True)


def test_an_option_is_chosen_by_its_number_its_name_or_its_text_also_if_that_is_a_command():
    options = {"cards": "+2 Cards", "coins": "+$2", "trash": "trash 2 cards from your hand"}
    for line, meant in {
        "2": Choices(("coins",)),
        "1, 3": Choices(("cards", "trash")),
        "coins": Choices(("coins",)),
        "+$2": Choices(("coins",)),
        "trash": Choices(("trash",)),
        "hand": TypedCommand("hand"),
        "quit": TypedCommand("quit"),
        "view gold": TypedCommand("view", "Gold"),
    }.items():
        assert parse(line, PILES, options, options) == meant
    for line in ("0", "4", "9" * 400, "no", "y", "+", "trash gold", "copper", "hand 2", "\N{SUPERSCRIPT TWO}"):
        assert "Type a number from 1 to 3" in parse(line, PILES, options, options).text
    assert parse("trash", PILES, PILES) == TypedCommand("trash")
