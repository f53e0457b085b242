"""Every card's question is a sentence that says whose cards it is about and what Enter does."""

import random

import pytest

from evodom.dominion import events as log
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import KINGDOMS, Kingdom, parse_kingdom
from evodom.dominion.position import parse_position
from evodom.sessions import screen as table
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from evodom.sessions.questions import enter_is_taken, question

from .helpers import Typist, make_setup, match_from, play_session

OTHER = "P2: hand 5 Copper; deck 5 Copper"
NAMES = ("You", *(f"a-very-long-name-of-a-run #{n}" for n in range(1, 6)))


def asked(position, *choices, kingdom):
    """Return what the person is asked after these choices, and whether Enter is an answer."""
    match = match_from(position, kingdom=(*kingdom, "Village"))
    for choice in choices:
        match.choose(choice)
    match.play_on()
    return question(match.view, match.decision, match.trashed), enter_is_taken(match.decision)


@pytest.mark.parametrize(
    ("position", "choices", "text", "enter"),
    [
        (
            "P1: hand Chapel, 2 Copper, Estate",
            ["Chapel"],
            "Chapel: which cards do you trash? (up to 4, several at once: 1 1 4) Enter = no more",
            True,
        ),
        (
            "P1: hand Cellar, 2 Copper, Estate",
            ["Cellar"],
            "Cellar: which cards do you discard? (several at once: 1 1 4) Enter = no more",
            True,
        ),
        (
            "P1: hand Throne Room, Village, Smithy",
            ["Throne Room"],
            "Throne Room: which Action do you play twice? Enter = none",
            True,
        ),
        (
            "P1: hand Vassal; top Smithy",
            ["Vassal"],
            "Vassal: you discard Smithy from your deck: do you play it? y = play, n = no",
            False,
        ),
        (
            "P1: hand Library; top Smithy; deck 9 Copper",
            ["Library"],
            "Library: you draw Smithy: do you set it aside? y = set aside, n = keep",
            False,
        ),
        (
            "P1: hand Moneylender, 2 Copper",
            ["Moneylender"],
            "Moneylender: do you trash a Copper? If you do, +$3. y = trash, n = no",
            False,
        ),
        (
            "P1: hand Chancellor; deck Gold",
            ["Chancellor"],
            "Chancellor: do you put your deck into your discard pile? y = yes, n = no",
            False,
        ),
        (
            "P1: hand Harbinger; deck Gold; discard Estate, Copper",
            ["Harbinger"],
            "Harbinger: which card from your discard pile do you put onto your deck? Enter = none",
            True,
        ),
        (
            "P1: hand Sentry; top Gold, Copper, Estate",
            ["Sentry"],
            "Sentry: which of Copper, Estate do you trash? (several at once: 1 1 4) Enter = no more",
            True,
        ),
        (
            "P1: hand Sentry; top Gold, Copper, Copper",
            ["Sentry"],
            "Sentry: do you trash Copper? (y y: all 2) Enter = no more",
            True,
        ),
        (
            "P1: hand Sentry; top Gold, Copper, Estate",
            ["Sentry", "Copper"],
            "Sentry: do you trash Estate? Enter = no more",
            True,
        ),
        (
            "P1: hand Sentry; top Gold, Copper, Estate",
            ["Sentry", "pass", "pass"],
            "Sentry: which of Copper, Estate do you put back first? The other goes on top of it.",
            False,
        ),
        ("P1: hand Workshop", ["Workshop"], "Workshop: which card costing up to $4 do you gain?", False),
        ("P1: hand Artisan", ["Artisan"], "Artisan: which card costing up to $5 do you gain to your hand?", False),
        (
            "P1: hand Artisan, Estate",
            ["Artisan", "Duchy"],
            "Artisan: which card do you put onto your deck?",
            False,
        ),
        (
            "P1: hand Mine, Copper, Silver",
            ["Mine"],
            "Mine: which Treasure do you trash? Enter = none",
            True,
        ),
    ],
)
def test_a_card_of_ones_own_asks_in_a_sentence(position, choices, text, enter):
    kingdom = [name for name in ("Smithy", choices[0]) if name != "Village"]
    assert asked(f"{position} | {OTHER}", *choices, kingdom=kingdom) == (text, enter)


def test_poacher_asks_for_as_many_cards_as_piles_are_empty():
    position = f"P1: hand Poacher, 3 Estate, 2 Duchy; deck Copper | {OTHER} | supply: 0 Curse, 0 Gold"
    assert asked(position, "Poacher", kingdom=["Poacher"])[0] == (
        "Poacher: which 2 cards do you discard? (both at once: 1 4)"
    )
    assert asked(position, "Poacher", "Estate", kingdom=["Poacher"])[0] == "Poacher: which card do you discard?"


def test_a_spy_names_whose_card_lies_revealed():
    position = "P1: hand Spy; top Copper, Estate; deck Gold | P2: hand Copper; top Gold; deck Copper"
    mine, _ = asked(position, "Spy", kingdom=["Spy"])
    other, enter = asked(position, "Spy", "pass", kingdom=["Spy"])

    assert mine == "Spy: you reveal Estate: do you have it discarded? y = discard, n = put back"
    assert other == "Spy: P2 reveals Gold: do you have it discarded? y = discard, n = put back"
    assert not enter


@pytest.mark.parametrize("trashed", ["Gold", "Copper"])
def test_a_thief_names_the_victim_and_asks_for_yes_or_no(trashed):
    position = "P1: hand Thief | P2: hand Copper; deck Copper | P3: hand Copper; top Gold, Copper; deck Estate"
    match = match_from(position, kingdom=("Thief", "Village"))
    match.choose("Thief")
    while "P3 reveals" not in question(match.view, match.decision):
        match.choose("pass")
    assert question(match.view, match.decision) == "Thief: P3 reveals Copper, Gold: which do you trash?"
    match.choose(trashed)
    assert question(match.view, match.decision) == f"Thief: P3 trashes {trashed}: do you gain it? y = gain, n = no"
    assert not enter_is_taken(match.decision)


@pytest.mark.parametrize(
    ("attack", "mine", "text"),
    [
        ("Bureaucrat", "hand Estate, Duchy", "Bureaucrat: which Victory card do you put onto your deck?"),
        ("Bandit", "hand Estate; top Silver, Gold", "Bandit: you reveal Silver, Gold: which do you trash?"),
    ],
)
def test_a_victim_is_asked_about_its_own_cards(attack, mine, text):
    game = parse_position(f"P1: {mine} | P2: hand {attack} | turn: P2", Kingdom((attack,))).enact(attack)
    assert question(game.view(0), game.decision) == text


@pytest.mark.parametrize("answer", ["y", "yes", "10", "Village"])
def test_yes_the_number_and_the_name_all_mean_yes(tmp_path, answer):
    match = match_from(f"P1: hand Vassal; top Village; deck Gold | {OTHER}", kingdom=("Vassal", "Moat", "Village"))
    play_session(match, Typist("vassal", answer), tmp_path)
    assert match.choices == ["Vassal", "Village"]


@pytest.mark.parametrize("answer", ["n", "no", "0", "none"])
def test_no_and_0_mean_no(tmp_path, answer):
    match = match_from(f"P1: hand Vassal; top Village; deck Gold | {OTHER}", kingdom=("Vassal", "Moat", "Village"))
    play_session(match, Typist("vassal", answer), tmp_path)
    assert match.choices == ["Vassal", "pass"]


def test_cards_of_others_that_lie_revealed_are_on_the_screen():
    match = match_from("P1: hand Thief | P2: hand Copper; top Gold, Silver; deck Estate", kingdom=("Thief", "Village"))
    match.choose("Thief")
    assert "Revealed by P2: 2) Silver  3) Gold" in table.mine(match.view, match.decision)
    match.choose("Gold")
    assert "Trashed: 3) Gold" in table.mine(match.view, match.decision)


def test_a_library_shows_what_was_drawn_and_what_is_set_aside():
    match = match_from(
        f"P1: hand Library; top Smithy, Village; deck 9 Copper | {OTHER}",
        kingdom=("Library", "Smithy", "Village"),
    )
    match.choose("Library")
    match.choose("Smithy")
    lines = table.mine(match.view, match.decision)
    assert "Off your deck: 8) Village" in lines
    assert "Set aside: Smithy" in lines


def test_a_harbinger_lists_the_discard_pile_with_numbers_and_counts():
    match = match_from(f"P1: hand Harbinger; deck Copper; discard 2 Estate, Gold | {OTHER}", kingdom=("Harbinger",))
    assert not match.view.looked_through
    match.choose("Harbinger")
    assert "Discard pile: 3) Gold  4) Estate x2" in table.mine(match.view, match.decision)
    assert not match.game.view(1).looked_through


# The screen of six is the fullest; two are asked the same.
@pytest.mark.parametrize("n_players", [pytest.param(2, marks=pytest.mark.slow), 6])
@pytest.mark.parametrize("kingdom", KINGDOMS)
def test_every_screen_of_every_kingdom_fits_and_every_question_can_be_answered(kingdom, n_players):
    """For each player's questions: they say what Enter does where it is an answer, and only there."""
    pick = random.Random(n_players)
    game = DominionGame(Kingdom(KINGDOMS[kingdom]), n_players, seed=n_players)
    for _ in range(150 if n_players == 2 else 80):
        decision = game.decision
        if decision is None:
            break
        view, names = game.view(decision.seat), [answer.name for answer in decision.consequences]
        told = log.turns(game.events)
        lines = [
            log.turn_line(turn, NAMES, decision.seat) + log.turn_story(turn, NAMES, decision.seat) for turn in told[-5:]
        ]
        screen = table.screen(view, decision, NAMES[:n_players], lines)
        assert len(screen) <= table.HEIGHT - 1
        assert max(map(len, screen)) <= table.WIDTH
        assert decision.prompt.startswith(decision.title)
        assert "which of  " not in decision.prompt
        assert decision.prompt.rstrip(".")[-1] in "?t"
        assert ("Enter" in question(view, decision)) == enter_is_taken(decision)
        assert PASS_NAME in names or not enter_is_taken(decision)
        if len(names) > 1 and names[-1] == PASS_NAME and pick.random() < 0.8:
            names.pop()
        game.enact(pick.choice(names[-3:]))


@pytest.mark.parametrize("seed", [1, 4])
def test_a_saved_game_of_any_kingdom_is_the_same_when_read(tmp_path, seed):
    kingdom = parse_kingdom("random", seed=seed, first_edition=True)
    match, pick = (
        DominionSession(make_setup("random", kingdom=kingdom, n_players=2 + seed % 5, seed=seed)),
        random.Random(seed),
    )
    match.play_on()
    for _ in range(30):
        if match.decision is None:
            break
        match.choose(pick.choice([answer.name for answer in match.decision.consequences][:4]))
        match.play_on()
    write_session(tmp_path / "demo.json", match)
    again = read_game(tmp_path / "demo.json")
    again.play_on()
    assert again.game.state.tobytes() == match.game.state.tobytes()
    assert again.game.events == match.game.events
