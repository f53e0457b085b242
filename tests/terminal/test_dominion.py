"""A person's game through the session, from the first screen to the last."""

import pytest

from evodom.dominion import log
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.terminal import screen as table
from evodom.terminal.console import SessionEnd
from evodom.terminal.parser import COMMANDS
from tests.sessions.helpers import Expert, Killed, Typist, make_setup, match_from, play_session

QUESTIONS = [command for command in COMMANDS if command not in ("quit", "undo", "view", "options")] + ["view mine", "?"]


def play_whole(folder, *questions, seed=2, clear=None):
    match = DominionSession(make_setup("big-money-militia", "random", "big-money-smithy", seat=1, seed=seed))
    expert = Expert(match, baseline("big-money-smithy", match.setup.kingdom), *questions)
    assert play_session(match, expert, folder, clear=clear) is SessionEnd.OVER
    return match, expert


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a whole game on screens that are cleared, and who played it."""
    clears = []
    match, expert = play_whole(tmp_path_factory.mktemp("whole"), clear=lambda: clears.append(1))
    assert len(clears) == len(expert.screens)
    return match, expert


def test_a_whole_game_ends_with_places_decks_and_the_command_to_play_it_again(whole):
    match, expert = whole
    assert match.game.is_over
    end = expert.text[expert.text.index("The game is over") :]
    # A small screen keeps the result, and what the others did last stands before it.
    small = "\n".join(expert.shown[-24:])
    assert "The game is over" in small
    for seat, vp in enumerate(match.game.scores):
        assert f"{match.setup.names[seat]:17} {vp:3} VP" in end
        assert f"{match.setup.names[seat]:17} {vp:3} VP" in small
    assert "\n  evodom play --seed 2" in end
    assert end.endswith("\n  evodom play demo --review")
    before = expert.text[: expert.text.index("Cards bought")]
    assert before.rstrip().splitlines()[-1].strip().startswith(match.setup.names[log.turns(match.game.events)[-1].seat])


def test_the_end_shows_what_the_person_bought_beside_what_the_others_did(whole):
    match, expert = whole
    lines = expert.text[expert.text.index("Cards bought") :].splitlines()
    results_of_table = {line[: len("Cards bought")].strip(): line[len("Cards bought") :].split() for line in lines}
    order = [1, *(seat for _, seat in match.game.standings if seat != 1)]
    for card in ("Province", "Silver"):
        for seat, cell in zip(order, results_of_table[card], strict=True):
            buys = [event for event in match.game.events if event.kind == log.EventKind.BUY and event.seat == seat]
            assert cell == (str(sum(event.cards.count(card) for event in buys) or "-"))


def test_the_help_fits_a_small_screen_with_the_question_and_the_prompt(tmp_path):
    typist = Typist("?")
    play_session(match_from("P1: hand Village, Copper | P2: hand 5 Copper; deck 9 Copper"), typist, tmp_path)
    *answer, question = typist.screens[1]
    assert len([*answer, question, "> "]) <= 24
    assert any(line.startswith("Enter means") for line in answer)
    assert all(f"  {word:8} {text}" in "\n".join(answer) for word, text in COMMANDS.items())


def test_a_game_with_all_questions_asked_is_the_same_game_and_screens_have_24_lines_of_80_columns(whole, tmp_path):
    plain, seen = whole
    assert max(map(len, seen.screens)) <= table.HEIGHT - 1
    asked, expert = play_whole(tmp_path, *QUESTIONS, *["options"] * 4)
    assert max(map(len, [*seen.shown, *expert.shown])) <= table.WIDTH
    assert {*QUESTIONS} <= {*expert.typed}
    assert asked.game.scores == plain.game.scores
    assert (asked.game.state.deck_streams == plain.game.state.deck_streams).all()


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


@pytest.mark.parametrize(
    ("position", "first"),
    [
        ("P1: hand Village, Copper; deck 9 Copper", ()),
        ("P1: hand Moneylender, Copper; deck 9 Copper", ("Moneylender",)),
        ("P1: hand Village, 2 Copper, Silver", ("options", "options", "0")),
    ],
)
def test_enter_gives_up_no_action_no_treasure_and_answers_no_yes_or_no(tmp_path, position, first):
    match = match_from(f"{position} | P2: hand 5 Copper; deck 9 Copper", kingdom=("Village", "Moneylender"))
    typist = Typist(*first, "", "")
    play_session(match, typist, tmp_path)
    assert typist.text.count("Enter chooses nothing here.") == 2
    assert len(match.choices) == len(first) - ("options" in first)  # the first shows the mode


def test_all_plays_all_treasures_where_they_are_asked_for(tmp_path):
    match = match_from("P1: hand Village, 2 Copper, Silver | P2: hand 5 Copper; deck 9 Copper")
    typist = Typist("all", "options", "options", "0", "all", "options", "options")
    play_session(match, typist, tmp_path)
    assert "'all'" in typist.text
    assert match.choices[2:5] == ["Copper", "Copper", "Silver"]
    assert not match.asks_treasures


def test_options_are_taken_in_one_line_refused_by_their_texts_and_undone_by_them(tmp_path):
    kingdom = ("Pawn", "Village")
    match = match_from("P1: hand Pawn, 4 Estate; deck 9 Copper | P2: hand 5 Copper; deck 5 Copper", kingdom=kingdom)
    typist = Typist("pawn", "1 4", "undo", "4 4", "0", "+1 act")
    play_session(match, typist, tmp_path)
    said = " ".join(typist.text.split())
    assert "Undone: +1 Card, +$1. You saw new cards" in said
    assert "Pawn: you can choose +1 Card or +1 Action or +1 Buy." in said
    assert "Type a number from 1 to 3, or the beginning of an option." in said
    assert match.choices == ["Pawn", "coins", "actions"]


def test_a_reaction_is_revealed_by_a_yes_and_spares_the_hand(tmp_path):
    match = match_from("P1: hand 4 Estate, Moat; deck Moat, 4 Estate | P2: hand Militia, 4 Copper; deck 9 Copper")
    typist = Typist("0", "0", "", "y")
    play_session(match, typist, tmp_path)
    assert "reveal Moat? y = reveal, n = no" in typist.text
    assert "you reveal Moat" in typist.text
    assert sum(match.view.hand.values()) == 5


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
        play_session(match_from(position), typist, tmp_path)
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


CELLAR = "hand Cellar, 2 Estate, Duchy, Copper; deck 9 Gold"
REMODEL = "hand Remodel, Estate, Copper; deck 9 Gold"
BUY = "hand 2 Estate | {} | supply: 0 Province | turn: P1, 1 buy, {} coins, buy phase"
LINES = [
    # position of the person, lines, first choices, what is shown (not if it begins with -)
    (CELLAR, "cellar / 4 4 duchy 0", "Cellar, Estate, Estate, Duchy, pass", "-not taken"),
    (CELLAR, "cellar / 4 2 duchy", "Cellar, Estate", "There is no Silver in your hand."),
    (CELLAR, "cellar / 4 0", "Cellar, Estate, pass", "-not taken"),
    ("hand Cellar, Estate; deck Gold", "cellar / 4 0", "Cellar, Estate", "-not taken"),
    (REMODEL, "remodel / 0 / ", "Remodel", "Remodel: you have to choose a card."),
    (REMODEL, "remodel / ", "Remodel", "Enter chooses nothing here. Remodel: which card do you trash?"),
    (REMODEL, "remodel / discard estate", "Remodel", "can trash, not discard"),
    ("hand Village, Copper; deck 9 Copper", "buy village", "", "can play, not buy"),
    ("hand Village, Copper; deck 9 Copper", "silver", "", "buy phase"),
    (
        "hand Village, Remodel, 2 Estate; deck 9 Copper",
        "play village / play remodel / trash estate / gain silver / buy cop",
        "Village, Remodel, Estate, Silver",
        "",
    ),
    (BUY.format("{}", 7), "silver gold", "Silver", "Gold was not taken"),
    (BUY.format("{}", 3), "gold", "", "$6"),
    # Enter ends a turn with coins left after one question, 0 and a turn without a purchase at once
    (BUY.format("{}", 3), "", "", "You have $3 and could buy a card, such as Silver. Enter again ends your turn."),
    (BUY.format("{}", 2), "", "", "such as Cellar."),
    (BUY.format("{}", 5), "", "", "such as Market."),
    (BUY.format("{}", 8), "", "", "such as Gold."),
    (BUY.format("{}", 3), " / ", "pass", "Enter again ends your turn."),
    (BUY.format("{}", 3), " / help / silver", "Silver", "Enter again ends your turn."),
    (BUY.format("{}", 3), "0", "pass", "-could buy"),
    (BUY.format("{}", 0), "", "pass", "-could buy"),
    # the first "options" shows the mode, the second switches it
    (BUY.format("{}", 3), "options", "", "played automatically. Type options again to play them one by one."),
    (BUY.format("{}", 3), "options / options", "treasures: ask", "now played one by one."),
    (BUY.format("{}", 3), "options / options / options", "treasures: ask", "played one by one. Type options again"),
    (BUY.format("{}", 3), "options / deck / options", "", "-now played"),
    (BUY.format("{}", 3), "province", "", "Province pile is empty"),
    (BUY.format("{}", 3), "m", "", "Moat or Merchant"),
    (BUY.format("{}", 3), "vilage moat", "", "Village, Moat?"),
    (BUY.format("{}", 5), "play village", "", "can buy, not play"),
    # a mistake buys nothing before a yes
    *((BUY.format("{}", 4), lines, "", "") for lines in ("clear", "celar / ", "celar / n", "celar / 0")),
    (BUY.format("{}", 4), "stats / state / restart / y", "", ""),
    (BUY.format("{}", 4), "celar / y", "Cellar", ""),
    (BUY.format("{}", 4), "celar / silver", "Silver", ""),
    (BUY.format("{}", 4), "merchnat silver / yes", "Merchant", ""),
    (
        "hand Workshop, 2 Copper; deck 9 Estate",
        "undo / workshop / silver / undo / moat / undo / moat",
        "Workshop, Moat",
        "Undone: Silver.",
    ),
    ("hand Workshop; deck 9 Estate", "undo", "", "nothing to undo"),
    *(
        ("hand Chapel, 2 Copper, 2 Estate", f"chapel / {line}", "Chapel, Copper, Copper, Estate", "-not taken")
        for line in ("1 1 4", "copper copper estate", "trash 1, 1, 4", "cop cop est")
    ),
    # more cards than the question allows
    ("hand Chapel, 7 Copper", "chapel / 1 1 1 1 1 1", "Chapel, Copper, Copper, Copper, Copper", "Copper x2 were not"),
    # the second play of a card is a new question
    (
        "hand Throne Room, Chapel, 7 Copper",
        "throne / chapel / 1 1 1 1 1 / 1",
        "Throne Room, Chapel, Copper, Copper, Copper, Copper, Copper",
        "Copper was not taken & play Chapel again",
    ),
    # so is the question of a card that the line plays
    ("hand Chapel, Copper, Estate", "chapel 1 4", "Chapel", "Copper, Estate were not taken"),
    # an impossible card stops the line
    ("hand Chapel, 2 Estate", "chapel / 4 1 1 4", "Chapel, Estate", "There is no Copper in your hand."),
    ("hand Chapel, 2 Estate", "chapel / 4 1 1 4", "Chapel, Estate", "Estate was not taken"),
    # a card that is put back without a choice counts as taken
    ("hand Sentry; top Village, Copper, Estate", "sentry /  /  / 1 4", "Sentry, pass, pass, Copper", "-not taken"),
    (
        "hand Sentry, Village; top Copper, Copper, Estate",
        "sentry / gold / topdeck 1 / 2",
        "Sentry",
        "You cannot trash Gold here. Allowed: Copper, Estate, pass.",
    ),
    (
        "hand Sentry, Village; top Copper, Copper, Estate",
        "sentry / topdeck 1",
        "Sentry",
        "Sentry asks: you can trash, not topdeck.",
    ),
    # the question about the next player is a new one
    (
        "hand Spy; top Copper, Copper | P2: hand Copper; top Gold | P3: hand Copper; top Gold; deck Copper",
        "spy / 1 / 3 3",
        "Spy, Copper, Gold",
        "",
    ),
]


@pytest.mark.parametrize(("position", "lines", "choices", "shown"), LINES, ids=[lines for _, lines, *_ in LINES])
def test_lines_choose_cards_or_tell_why_not(tmp_path, position, lines, choices, shown):
    others = "P2: hand 5 Copper; deck 9 Copper"
    if "P2" not in position:
        position = position.format(others) if "{}" in position else f"{position} | {others}"
    is_other = any(name in position for name in ("Chapel", "Sentry", "Spy"))
    kingdom = ("Chapel", "Throne Room", "Sentry", "Spy", "Village") if is_other else FIRST_GAME
    match, typist = match_from(f"P1: {position}", kingdom=kingdom), Typist(*lines.split(" / "))
    play_session(match, typist, tmp_path)

    chosen, text = choices.split(", ") if choices else [], " ".join(typist.text.split())
    assert match.choices[: max(len(chosen), 1)] == chosen
    if shown[:1] == "-":
        assert shown[1:] not in text
    else:
        assert all(fact in text for fact in shown.split(" & "))
