"""The log: turns as lines for a person."""

import re

import pytest

from evodom.dominion import log
from evodom.dominion.game import DominionGame
from tests.dominion.helpers import after, kingdom_of

from .helpers import match_from, take

MINE = "P1: hand 5 Estate; deck 3 Copper, 3 Gold"


def told(match, index, tell=log.turn_line):
    return tell(log.turns(match.game.events)[index], match.setup.names, match.seat)


def after_passing(position, *opponents):
    match = match_from(position, *opponents)
    take(match, "pass")
    return match


def test_a_turn_of_an_opponent_is_one_line_without_its_draws():
    for opponent, line in (
        ("hand 3 Gold, 2 Estate; deck 20 Copper", "$9; buys Province"),
        ("hand 5 Estate; deck 20 Copper", "$0; buys nothing"),
    ):
        match = after_passing(f"{MINE} | P2: {opponent}")
        assert (told(match, 0), told(match, 1)) == ("You: $0; buy nothing", f"big-money: {line}")
    match = after_passing(f"{MINE} | P2: hand Smithy, 3 Gold, Estate; deck 20 Duchy")
    assert told(match, 1, log.turn_story) == "big-money: plays Smithy; draws 3 cards; plays Gold x3; $9; buys Province"
    match = after_passing(f"{MINE} | P2: hand 3 Duchy, 2 Estate; deck 20 Gold")
    for tell in (log.turn_line, log.turn_story):
        assert "Duchy" not in told(match, 1, tell)
        assert "Gold" not in told(match, 1, tell)


def test_a_discard_forced_on_the_person_is_told():
    match = after_passing(f"{MINE} | P2: hand Militia, 4 Copper; deck 20 Copper")
    assert match.decision is not None
    take(match, "Gold", "Gold")
    assert told(match, 1) == "big-money: Militia; $6; buys Gold; you discard Gold x2"


def test_a_reaction_is_told():
    match = after_passing(
        f"{MINE} | P2: hand Militia, 4 Copper; deck 9 Copper | P3: hand Moat, 4 Copper; deck 9 Copper"
    )
    while match.decision and match.decision.title == "Militia":
        match.choose(match.decision.consequences[0].name)
    match.play_on()
    assert "big-money #2 reveals Moat" in told(match, 1)


@pytest.mark.parametrize(
    ("cards", "choices", "tell", "line"),
    [
        ("Smithy; deck 3 Gold", "Smithy", log.turn_story, "play Smithy; draw Gold x3; play Gold x3; $9"),
        ("Remodel, Gold, Estate", "Remodel, Gold, Province", log.turn_line, "Remodel; trash Gold; gain Province; $0"),
        (
            "Sentry; top Village, Gold, Duchy",
            "Sentry, Duchy, pass, pass",
            log.turn_story,
            "play Sentry; draw Village; look at Gold, Duchy; trash Duchy; put Gold onto your deck",
        ),
    ],
)
def test_the_persons_own_turn_is_told_in_order_with_all_names(cards, choices, tell, line):
    match = match_from(f"P1: hand {cards} | P2: hand 5 Copper", kingdom=kingdom_of(cards, choices))
    take(match, *choices.split(", "))
    assert told(match, 0, tell) == f"You: {line}"


TURNS = """
P1: hand Estate; top Gold, Estate; deck Copper | P2: hand Thief; deck Copper | P3: hand Estate; top Silver / Copper
    Thief, Silver, pass -> gains Silver; $0; three trashes Silver; you reveal Gold, Estate; you trash Gold; you discard
        Estate
    three reveals Silver; three trashes Silver; gains Silver; you reveal Gold, Estate; you trash
P1: hand 5 Copper | P2: hand Throne Room, Witch; deck 9 Copper / Estate
    Throne Room, Witch -> Throne Room, Witch, Witch again; $4; you gain Curse x2
    draws 2 cards; you gain Curse; plays Witch again; draws 2 cards; you gain Curse
P1: hand 5 Copper | P2: hand Sentry; top Village, Gold, Duchy / Gold
    Sentry, pass, pass, Gold -> Sentry; puts 2 cards onto the deck
    draws 1 card; looks at 2 cards; puts 2 cards onto the deck
P1: hand 5 Copper | P2: hand Artisan, Duchy / Duchy
    Artisan, Silver, Duchy -> Artisan; gains Silver to the hand; puts a card onto the deck; $2
P1: hand Estate, Copper | P2: hand Bureaucrat / Copper
    Bureaucrat -> Bureaucrat; gains Silver onto the deck; $0; you put Estate onto your deck
P1: hand 2 Copper | P2: hand Bureaucrat / Estate
    Bureaucrat -> $0; you reveal Copper x2
P1: hand Copper | P2: hand Vassal; top Gold / Copper
    Vassal -> Vassal; discards Gold; $2
P1: hand Copper | P2: hand Chancellor; deck 3 Gold / Gold
    Chancellor, Chancellor -> Chancellor; puts the deck into the discard pile; $2
P1: hand Curse | P2: hand Masquerade, Gold, Estate | P3: hand Duchy, Silver / Gold
    Masquerade, Gold, Silver, pass -> Masquerade; passes a card to the left; $0; you pass Curse to your left; three
        passes Silver to you
    you pass Curse to your left; passes a card to the left; three passes Silver to you
P1: hand Copper | P2: hand Secret Passage, Gold; top 2 Estate; deck 3 Copper / Gold
    Secret Passage, Gold, under 2 -> Secret Passage; puts a card onto the deck; chooses: under 2 cards; $0
    draws 2 cards; puts a card onto the deck; chooses: under 2 cards
P1: hand Copper | P2: hand Haven, Gold; deck Estate / Gold
    Haven, Gold -> Haven; $0
    draws 1 card; sets aside a card
P1: hand Copper | P2: hand Native Village; top Gold / Gold
    Native Village, set_aside -> puts a card onto the mat of Native Village; $0
    looks at 1 card; puts a card onto the mat of Native Village
P1: hand Copper | P2: hand Native Village; village Estate / Estate
    Native Village, take -> puts 1 card into the hand; $0
P1: hand Copper | P2: hand Island, Estate / Copper
    Island -> Island; puts Island, Estate onto the mat of Island; $0
P1: hand Copper | P2: hand Blockade / Copper
    Blockade, Silver -> Blockade; gains Silver, set aside; $0
P1: hand Copper | P2: hand Bishop, Duchy, Estate / Copper
    Bishop, Duchy, pass -> Bishop; takes 1 VP; trashes Duchy; takes 2 VP; $1
P1: hand Pirate | P2: hand Worker's Village, 3 Copper / Estate
    Worker's Village, Silver, Pirate -> Worker's Village; $3; buys Silver; you play Pirate
P1: hand Copper | P2: hand War Chest | P3: hand Estate / Estate
    War Chest, Duchy, Silver -> War Chest; gains Silver; $0; three names Duchy
    three names Duchy; gains Silver
P1: hand Copper | P2: hand Crystal Ball, Estate; top Gold / Copper
    Crystal Ball, play -> Crystal Ball; chooses: play it; $4
    looks at 1 card; chooses: play it; plays Gold
P1: hand Copper | P2: hand Collection, Bishop; due 2 Caravan, Wharf; deck 4 Copper | turn: P2, start phase / Estate
    Bishop, Copper, pass, Collection, Bishop -> resolves Caravan x2, Wharf of the last turn; Bishop, Collection; takes 1
        VP; trashes Copper; $6; buys Bishop; takes 1 VP
    resolves Caravan of the last turn; draws 1 card; resolves Caravan
"""
"""A position and a card that the first player does not see, the choices of the second player and the end of the line
that the first one is told, and a part of the story. A line that is indented further continues the one before it."""


def cases():
    """Yield position, unseen card, choices, line and story of each turn of TURNS."""
    for head, rest in re.findall(r"^(P1.*)\n((?: .*\n)+)", re.sub(r"\n {8}", " ", TURNS), re.MULTILINE):
        (choices, line), *story = (part.strip().split(" -> ") for part in rest.splitlines())
        yield *head.split(" / "), choices, line, "".join(story[0] if story else [])


def test_an_extra_turn_is_told():
    game = after("P1: hand Outpost; deck 9 Copper | P2: hand Copper", "Outpost", kingdom=["Outpost"])
    game.play_treasures_automatically(0, 1).enact("Copper")

    before, extra = log.turns(game.events)

    assert (before.is_extra, extra.is_extra, extra.number) == (False, True, before.number)
    assert log.turn_line(extra, ("You", "two"), 0) == "You: extra turn; $3"


def test_a_turn_of_an_opponent_is_told_with_what_everybody_saw():
    for position, unseen, choices, line, story in cases():
        kingdom = kingdom_of(position, choices, "Village")
        game = DominionGame.from_position(f"{position.replace('P2: ', 'P2: turns 3; ')} | turn: P2", kingdom)
        game.play_treasures_automatically(*range(game.n_players))
        for choice in choices.split(", "):
            game.enact(choice)
        (turn,) = log.turns(game.events)
        assert (turn.seat, turn.number) == (1, 3)
        for tell, part in ((log.turn_line, line), (log.turn_story, story)):
            told = tell(turn, ("You", "two", "three", "four"), 0)
            assert told.startswith("two: ")
            assert told.endswith(part) if tell is log.turn_line else part in told, told
            assert unseen not in told
