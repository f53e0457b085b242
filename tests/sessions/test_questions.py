"""The questions of cards: their cards, limits and players, and the meaning of Enter."""

import random

import pytest

from evodom.dominion import log
from evodom.dominion.game import PASS_NAME, DominionGame
from evodom.dominion.kingdom import KINGDOMS, Kingdom, parse_kingdom
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from evodom.sessions.questions import all_treasures, choose_names, enter_is_taken, question
from evodom.terminal import screen as table
from tests.dominion.helpers import after, answers, kingdom_of
from tests.effort import effort

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


QUESTIONS = [
    # hand and deck, choices before the question, the question without its title, whether Enter is an answer
    ("hand Chapel, 2 Copper, Estate", ["Chapel"], "which cards do you trash? (up to 4", True),
    ("hand Cellar, 2 Copper, Estate", ["Cellar"], "which cards do you discard?", True),
    ("hand Throne Room, Village, Smithy", ["Throne Room"], "which Action do you play twice?", True),
    ("hand Vassal; top Smithy", ["Vassal"], "you discard Smithy from your deck: do you play it?", False),
    ("hand Library; top Smithy; deck 9 Copper", ["Library"], "you draw Smithy: do you set it aside?", False),
    ("hand Moneylender, 2 Copper", ["Moneylender"], "do you trash a Copper? If you do, +$3.", False),
    ("hand Chancellor; deck Gold", ["Chancellor"], "do you put your deck into your discard pile?", False),
    ("hand Harbinger; deck Gold; discard Estate, Copper", ["Harbinger"], "which card from your discard pile", True),
    ("hand Sentry; top Gold, Copper, Estate", ["Sentry"], "which of Copper, Estate do you trash?", True),
    ("hand Sentry; top Gold, Copper, Copper", ["Sentry"], "do you trash Copper? (y y: all 2)", True),
    ("hand Sentry; top Gold, Copper, Estate", ["Sentry", "Copper"], "do you trash Estate?", True),
    (
        "hand Sentry; top Gold, Copper, Estate",
        ["Sentry", "pass", "pass"],
        "which of Copper, Estate do you put back",
        False,
    ),
    ("hand Workshop", ["Workshop"], "which card costing up to $4 do you gain?", False),
    ("hand Artisan", ["Artisan"], "which card costing up to $5 do you gain to your hand?", False),
    ("hand Artisan, Estate", ["Artisan", "Duchy"], "which card do you put onto your deck?", False),
    ("hand Mine, Copper, Silver", ["Mine"], "which Treasure do you trash?", True),
    ("hand Mine, Silver, Copper", ["Mine", "Silver"], "you trashed Silver; which Treasure costing up to $6", False),
    ("hand Remodel, Estate, Copper", ["Remodel", "Estate"], "you trashed Estate; which card costing up to $4", False),
    ("hand Steward, 3 Gold", ["Steward"], "choose one:  1) +2 Cards  2) +$2  3) trash 2 cards", False),
    ("hand Pawn", ["Pawn"], "choose two: (both in one line: 1 2)  1) +1 Card  2) +1 Action  3) +1 Buy  4) +$1", False),
    ("hand Pawn, Gold", ["Pawn", "coins"], "choose one more:  1) +1 Card  2) +1 Action  3) +1 Buy", False),
    ("hand Baron, Estate", ["Baron"], "do you discard Estate? If you do, +$4. y = yes, n = no", False),
    ("hand Masquerade, 2 Gold, Estate", ["Masquerade"], "which card do you pass to the left?", False),
    (
        "hand Secret Passage, Estate, Gold; top 2 Copper; deck Duchy",
        ["Secret Passage", "Gold"],
        "where in your deck do you put it?  1) on top  2) at the bottom",
        False,
    ),
    (
        "hand Secret Passage, Estate, Gold; top 2 Copper; deck 9 Duchy",
        ["Secret Passage", "Gold"],
        "where in your deck do you put it?  1) on top  2) under 1 card  ...  10) at the bottom",
        False,
    ),
]


def test_the_question_of_a_card_names_its_cards_and_its_limit():
    position = f"P1: hand Poacher, 3 Estate, 2 Duchy; deck Copper | {OTHER} | supply: 0 Curse, 0 Gold"
    assert "which 2 cards do you discard?" in asked(position, "Poacher", kingdom=["Poacher"])[0]
    assert "which card do you discard?" in asked(position, "Poacher", "Estate", kingdom=["Poacher"])[0]
    for position, choices, fact, enter in QUESTIONS:
        kingdom = [name for name in ("Smithy", choices[0]) if name != "Village"]
        text, is_enter_taken = asked(f"P1: {position} | {OTHER}", *choices, kingdom=kingdom)
        assert text.startswith(f"{choices[0]}: {fact}")
        assert ("Enter = " in text) == is_enter_taken == enter


LATER_QUESTIONS = [
    # position, choices before the question, the question or its beginning, whether Enter is an answer
    (
        "P1: hand Watchtower, 3 Copper", ["pass", "Silver"],
        "Watchtower: you gain Silver. Choose one:  1) trash it  2) put it onto your deck  3) pass  Enter = none", True,
    ),
    (
        "P1: hand Crystal Ball; top Gold", ["Crystal Ball"],
        "Crystal Ball: you look at Gold. Choose one:  1) trash it  2) discard it  3) play it  4) leave it there", False,
    ),
    ("P1: hand Crystal Ball; top Estate", ["Crystal Ball"],
     "Crystal Ball: you look at Estate. Choose one:  1) trash it  2) discard it  3) leave it there", False),
    ("P1: hand Tiara, 3 Copper | turn: P1, 1 buy", ["Tiara", "pass", "Silver"],
     "Tiara: do you put Silver onto your deck, which you gained? y = topdeck, n = no", False),
    ("P1: hand Sailor, 4 Copper", ["Sailor", "Caravan"],
     "Sailor: you gain Caravan: do you play it? y = play, n = no", False),
    ("P1: hand Pirate, 3 Copper", ["pass", "Silver"],
     "Pirate: Silver was gained: do you play Pirate from your hand? y = play, n = no", False),
    ("P1: hand Treasury, Estate; deck 2 Copper", ["Treasury", "pass"],
     "Treasury: do you put Treasury from play onto your deck? y = topdeck, n = keep", False),
    ("P1: hand Haven, Gold", ["Haven"], "Haven: which card do you set aside?", False),
    ("P1: hand Island, Gold, Estate", ["Island"], "Island: which card do you put onto the mat?", False),
    ("P1: hand Blockade", ["Blockade"], "Blockade: which card costing up to $4 do you gain and set aside?", False),
    ("P1: hand Forge, Silver, Estate, Gold; discard Bazaar", ["Forge", "Silver", "Estate", "pass"],
     "Forge: which card costing exactly $5 do you gain?", False),
    ("P1: hand Tide Pools; due Haven with Gold, Tide Pools | turn: P1, start phase", [],
     "Start of your turn: which comes next? Type its number or name.", False),
    ("P1: hand Clerk | turn: P1, start phase", [],
     "Start of the turn: do you play Clerk from your hand? y = yes, n = no", False),
]  # fmt: skip


@pytest.mark.parametrize(("position", "choices", "expected", "enter"), LATER_QUESTIONS)
def test_questions_of_gains_of_the_start_of_a_turn_and_of_cards_that_last(position, choices, expected, enter):
    start, *turn = position.split(" | ")
    whole = " | ".join([f"{start}; deck 9 Copper", OTHER, *turn])
    text, is_enter_taken = asked(whole, *choices, kingdom=kingdom_of(position, *choices).cards)

    assert text.startswith(expected)
    assert is_enter_taken == enter


def test_treasures_left_after_a_question_are_asked_for_again_without_a_message():
    for treasure in ("Crystal Ball", "War Chest"):
        match = match_from(f"P1: hand {treasure}, 2 Copper; top Gold, Estate | {OTHER}", kingdom=[treasure])
        taken = choose_names(match, all_treasures(match.view, match.decision))
        assert (match.choices, taken.notes) == ([treasure], [])


def test_a_war_chest_asks_the_player_to_the_left_for_a_name():
    game = after("P1: hand Copper | P2: hand War Chest | turn: P2, treasure phase", "War Chest", kingdom=["War Chest"])
    text = question(game.view(0), game.decision)

    assert text == "P2 plays War Chest: which card do you name? They cannot gain it with this."
    game.enact("Duchy")
    assert question(game.view(1), game.decision) == "War Chest: which card costing up to $5 do you gain?"
    assert "Duchy" not in answers(game)


def test_the_cards_of_all_players_that_last_are_on_the_screen():
    match = match_from(
        "P1: hand Village; in play Village; island Estate; village 2 Gold; tokens 3; later Caravan | P2: hand Copper; "
        "in play 2 Wharf; later 2 Wharf, Haven with Gold, Blockade with Silver; village Copper; tokens 1",
        kingdom=("Village", "Wharf", "Haven", "Blockade", "Caravan"),
    )
    shown = [line.strip() for line in table.players(match.view, ("You", "two"), 200)]

    assert shown[1] == "3 VP tokens; next turn: Caravan; Island mat: Estate; Native Village mat: Gold x2"
    assert shown[3] == (
        "1 VP token; in play: Wharf x2; next turn: Wharf x2, Haven, Blockade; set aside: Silver, 1 unseen card; "
        "Native Village mat: 1 unseen card"
    )
    assert "In play: Village" in table.own_part(match.view, match.decision)
    assert "you have 4 VP" in " ".join(table.own_part(match.view, match.decision))
    assert table.about_play(match.view) == ["In play: Village", "In play by P2: Wharf x2"]


def test_questions_name_the_present_limit_of_the_cost():
    swindler = asked("P1: hand Swindler | P2: top Copper", "Swindler", kingdom=["Swindler"])[0]
    position = f"P1: hand Remodel, Silver, Gold | {OTHER} | in play: Bridge"
    remodel = asked(position, "Remodel", "Silver", kingdom=["Bridge", "Remodel"])[0]

    assert swindler.startswith("Swindler: P2 trashed Copper; which card costing exactly $0 do you give?")
    assert remodel.startswith("Remodel: you trashed Silver; which card costing up to $4 do you gain?")


def test_a_spy_names_whose_card_lies_revealed():
    position = "P1: hand Spy; top Copper, Estate; deck Gold | P2: hand Copper; top Gold; deck Copper"
    mine, _ = asked(position, "Spy", kingdom=["Spy"])
    other, enter = asked(position, "Spy", "pass", kingdom=["Spy"])

    assert "you reveal Estate" in mine
    assert "P2 reveals Gold" in other
    assert mine.endswith("y = discard, n = put back")
    assert not enter


def test_a_thief_names_the_victim_and_asks_for_yes_or_no():
    position = "P1: hand Thief | P2: hand Copper; deck Copper | P3: hand Copper; top Gold, Copper; deck Estate"
    for trashed in ("Gold", "Copper"):
        match = match_from(position, kingdom=("Thief", "Village"))
        match.choose("Thief")
        while "P3 reveals" not in question(match.view, match.decision):
            match.choose("pass")
        assert "P3 reveals Copper, Gold" in question(match.view, match.decision)
        match.choose(trashed)
        assert f"P3 trashes {trashed}: do you gain it? y = gain, n = no" in question(match.view, match.decision)
        assert not enter_is_taken(match.decision)


def test_a_victim_is_asked_about_its_own_cards():
    for attack, mine, fact in (
        ("Bureaucrat", "hand Estate, Duchy", "which Victory card"),
        ("Bandit", "hand Estate; top Silver, Gold", "you reveal Silver, Gold"),
    ):
        game = DominionGame.from_position(f"P1: {mine} | P2: hand {attack} | turn: P2", Kingdom((attack,))).enact(
            attack
        )
        assert fact in question(game.view(0), game.decision)


def test_yes_the_number_and_the_name_mean_yes_no_and_0_mean_no(tmp_path):
    for typed, choice in ((("y", "yes", "10", "Village"), "Village"), (("n", "no", "0", "none"), "pass")):
        for answer in typed:
            position = f"P1: hand Vassal; top Village; deck Gold | {OTHER}"
            match = match_from(position, kingdom=("Vassal", "Moat", "Village"))
            play_session(match, Typist("vassal", answer), tmp_path / answer)
            assert match.choices == ["Vassal", choice]


DUE = f"P1: hand Tide Pools, Clerk; due Haven with Gold, Tide Pools | {OTHER} | turn: P1, start phase"
REVEALED = "P1: hand Thief | P2: hand Copper; top Gold, Silver; deck Estate"
LIBRARY = f"P1: hand Library; top Smithy, Village; deck 9 Copper | {OTHER}"


@pytest.mark.parametrize(
    ("position", "choices", "lines"),
    [
        (DUE, [], {"Next: 8) Haven  9) Clerk  10) Tide Pools"}),
        (REVEALED, ["Thief"], {"Revealed by P2: 2) Silver  3) Gold"}),
        (REVEALED, ["Thief", "Gold"], {"Trashed: 3) Gold"}),
        (LIBRARY, ["Library", "Smithy"], {"Off your deck: 8) Village", "Set aside: Smithy"}),
    ],
)
def test_cards_that_are_due_revealed_or_set_aside_are_on_the_screen(position, choices, lines):
    match = match_from(position, kingdom=kingdom_of(position).cards)
    for choice in choices:
        match.choose(choice)

    assert lines <= {*table.own_part(match.view, match.decision)}


def test_a_harbinger_lists_the_discard_pile_with_numbers_and_counts():
    match = match_from(f"P1: hand Harbinger; deck Copper; discard 2 Estate, Gold | {OTHER}", kingdom=("Harbinger",))
    assert not match.view.looked_through
    match.choose("Harbinger")
    assert "Discard pile: 3) Gold  4) Estate x2" in table.own_part(match.view, match.decision)
    assert not match.game.view(1).looked_through


MIXED = (
    "Lurker, Pawn, Steward, Swindler, Wishing Well, Baron, Mill, Courtier, Minion, Torturer",
    "Patrol, Replace, Trading Post, Upgrade, Nobles, Masquerade, Lookout, Secret Passage, Rabble, King's Court",
)
"""Cards of other sets."""


# The screen of six is the fullest; two are asked the same.
@pytest.mark.parametrize("n_players", [pytest.param(2, marks=pytest.mark.full), 6])
@pytest.mark.parametrize("kingdom", [*KINGDOMS, *MIXED])
def test_every_screen_of_every_kingdom_fits_and_every_question_can_be_answered(kingdom, n_players):
    """For each player's questions: they say what Enter does where it is an answer, and only there."""
    pick = random.Random(n_players)
    game = DominionGame(parse_kingdom(kingdom), n_players, seed=n_players)
    for _ in range(effort(150, 25, 10)):
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
    kingdom = parse_kingdom("random" if seed == 1 else MIXED[1], seed=seed, first_edition=True)
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
