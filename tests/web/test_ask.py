"""What a page may ask: read with limits, and refused in one line."""

from evodom.dominion.cards import CARDS, is_dropped
from evodom.dominion.kingdom import Kingdom, parse_kingdom
from evodom.reading import convert
from evodom.web.ask import completed, make_question, title_of
from evodom.web.task import AdviceAsked
from tests.dominion.helpers import MISSING_CARD, MISSING_SET

TEN = ["Cellar", "Market", "Merchant", "Militia", "Mine", "Moat", "Remodel", "Smithy", "Village", "Workshop"]


def test_missing_cards_are_drawn_as_the_command_line_draws_them(store):
    asked = completed(convert({"cards": ["throne-room", "Witch"], "seed": 5}, AdviceAsked), store)

    kingdom = parse_kingdom("throne room, witch", seed=5)
    assert asked.cards == list(kingdom.cards)
    assert asked.drawn == list(kingdom.drawn)


def test_a_question_becomes_that_of_the_command_line(store):
    body = {"cards": TEN, "players": 3, "seed": 4, "learned_games": 3000, "generations": 2, "games": 200}
    asked = completed(convert(body, AdviceAsked), store)

    question = make_question(asked, store)

    assert (question.request.key, question.request.players) == ("first-game-3p", 3)
    assert (question.learned_games, question.n_generations, question.minutes) == (3000, 2, None)
    assert (question.seed, question.games, question.overwrite) == (4, 200, False)
    assert title_of(asked) == "First Game"


def test_cards_are_drawn_for_the_page_of_the_first_edition_if_asked_for(served):
    def draw(**body):
        return served.post("/api/ask/draw", {"cards": [], "seed": 3} | body).json

    drawn = draw(cards=["Chapel"])
    assert len(drawn["cards"]) == 10
    assert drawn["cards"] == ["Chapel", *drawn["drawn"]]
    assert drawn == draw(cards=["chapel"])
    assert not any(is_dropped(CARDS[name]) for name in draw()["cards"])
    assert any(is_dropped(CARDS[name]) for name in draw(firstEdition=True)["cards"])

    given = ["Quarry", "Expand", "Rabble", "King's Court"]
    drawn = {seed: draw(cards=given, seed=seed)["drawn"] for seed in range(12)}
    for seed, names in drawn.items():
        assert Kingdom((*given, *names)) == parse_kingdom(", ".join(given), seed=seed)
    assert {"Colony" in names for names in drawn.values()} == {True, False}


def test_names_are_found_as_at_the_terminal(served):
    names = ["throne-room", "Vilage", MISSING_CARD, "Copper", "Cooper", "\x1b[31m"]

    found = served.post("/api/ask/cards", {"names": names}).json["cards"]

    assert [one["card"] for one in found] == ["Throne Room", "", "", "", "", ""]
    assert found[0]["why"] == ""
    assert [one["close"][:1] for one in found[1:5]] == [["Village"], [], [], []]
    assert found[1]["why"].startswith("no card named 'Vilage'. Did you mean Village")
    assert found[2]["why"].startswith(f"{MISSING_CARD} is a card of {MISSING_SET}")
    assert found[3]["why"].startswith("Copper is in every Supply")
    assert all(one["why"].isprintable() for one in found)
