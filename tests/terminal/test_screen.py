"""What is drawn: every screen fits 24 lines of 80 columns, and shows only what the player may see."""

import pytest

from evodom.dominion.cards import CARDS, KINGDOM_CARDS
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.strategies.baselines import baseline
from evodom.sessions import questions
from evodom.sessions.sentences import end_warning
from evodom.terminal import screen as table
from evodom.terminal.console import Size, paint
from evodom.terminal.screen import about_card

NAMES = ("You", *(f"a-very-long-name-of-a-run #{n}" for n in range(1, 6)))


def fits(lines, size=Size()):  # noqa: B008  # it is frozen
    return len(lines) <= size.height - 1 and max(map(len, lines)) <= size.width


SIZES = [Size(80, 24), Size(52, 30), Size(40, 20), Size(120, 50), Size(200, 16)]


@pytest.mark.parametrize(("n_players", "sizes"), [(2, SIZES[:1]), (6, SIZES)])
def test_every_screen_of_a_game_fits(n_players, sizes):
    game = DominionGame(n_players=n_players, seed=n_players)
    strategies = [baseline("random", FIRST_GAME), baseline("big-money-militia", FIRST_GAME)]
    n_screens = 0
    while (decision := game.decision) is not None and n_screens < 150:
        view, log, size = game.view(decision.seat), ["x" * 200] * 40, sizes[n_screens % len(sizes)]
        screen = table.screen(view, decision, NAMES[:n_players], log, warning="last " * 20, size=size)
        assert fits(screen, size)
        assert screen[-1] in questions.question(view, decision)
        assert fits(table.brief(view, decision, log, width=size.width), size)
        game.enact(game.strategy_choice(strategies[decision.seat % 2]))
        n_screens += 1
    assert n_screens > 40


@pytest.mark.parametrize("n_players", [2, 4, 6])
def test_a_screen_fits_with_every_card_of_the_game_in_hand_and_in_play(n_players):
    piles = [card.name for card in DominionGame().piles]
    many = ", ".join(f"10 {name}" for name in piles)
    rest = " | ".join(f"P{seat}: hand 5 Gold; discard 12 Province" for seat in range(2, n_players + 1))
    game = DominionGame.from_position(f"P1: hand {many}; deck {many}; turns 88 | in play: {many} | {rest}")
    assert game.decision is not None
    screen = table.screen(game.view(0), game.decision, NAMES[:n_players], ["a line of the log"] * 40)
    assert fits(screen)
    assert "17) Mine x10" in "\n".join(screen)


def test_the_whole_supply_is_on_the_screen_with_costs_and_cards_left():
    game = DominionGame(seed=1)
    lines = "\n".join(table.screen(game.view(0), game.decision, NAMES[:4], []))
    for number, card in enumerate(game.piles, 1):
        left = game.view(0).supply[card.name]
        assert any(
            f"{number:2}{mark} {card.name}" in lines and f"${card.cost} {left:2}" in lines for mark in (" ", ")")
        )


def test_only_piles_that_can_be_bought_are_marked():
    game = DominionGame.from_position("P1: hand Estate | P2: hand 5 Copper | turn: P1, 1 buy, 3 coins, buy phase")
    text = "\n".join(table.supply(game.view(0), game.decision))
    assert " 2) Silver" in text
    assert " 3  Gold" in text


def test_the_question_of_a_phase_has_the_answer_that_ends_it():
    for position, phase, end in (
        ("P1: hand Village | P2: hand 5 Copper", "Action", "0 ="),
        ("P1: hand Copper, Estate | P2: hand 5 Copper", "Treasures", "0 ="),
        ("P1: hand Estate | turn: P1, 1 buy, 5 coins, buy phase", "$5", "Enter ="),
    ):
        game = DominionGame.from_position(position)
        asked = questions.question(game.view(0), game.decision)
        assert phase in asked
        assert end in asked


def test_the_action_phase_shows_the_coins_of_the_treasures_in_hand():
    game = DominionGame.from_position("P1: hand Village, 2 Copper, Gold; deck 9 Estate | P2: hand 5 Copper")
    lines = "\n".join(table.own_part(game.view(0), game.decision))
    assert "1 Action, 1 Buy, $0 (+$5 in Treasures); you have" in lines
    game.enact("pass")
    assert "in Treasures)" not in "\n".join(table.own_part(game.view(0), game.decision))


def test_a_number_before_a_card_is_always_one_to_choose_and_never_a_count():
    position = "P1: hand Village, 4 Estate | in play: 3 Copper | P2: hand 5 Copper"
    game = DominionGame.from_position(position)
    lines = table.own_part(game.view(0), game.decision)
    assert lines[:2] == ["In play: Copper x3", "Hand: Estate x4  11) Village"]


def test_the_log_shows_its_last_lines():
    assert table.tail(["one", "two", "three"], 2) == ["two", "three"]
    assert table.tail(["one"], 0) == []


def test_the_log_never_begins_in_the_middle_of_a_sentence():
    long = "demo: " + "; ".join(f"plays card number {n}" for n in range(12))
    for room in range(1, 12):
        shown = table.tail([long, "You: $4; buy Silver", long], room, 40)
        assert len(shown) <= room
        assert shown[0].startswith(("demo: ", "You: "))
    assert table.tail([long], 1, 40) == ["demo: ...; plays card number 11"]


def test_a_high_terminal_shows_the_texts_of_the_cards_whole():
    game = DominionGame(Kingdom(["Library", "Sentry"]), seed=1)
    high, low, small = (table.supply(game.view(0), size=Size(80, height)) for height in (48, 36, 24))
    assert CARDS["Sentry"].text in " ".join(" ".join(high).split())
    assert len([line for line in low if line.endswith("...")]) == 2
    assert not any(CARDS["Sentry"].text[:20] in line for line in small)


def test_the_last_province_and_the_last_pile_are_warned_of():
    for supply, n_players, fact in (
        ("1 Province", 2, "last Province"),
        ("2 Province", 2, ""),
        ("0 Curse, 0 Moat", 2, "2 piles are empty (Curse, Moat)"),
        ("0 Curse", 2, ""),
        ("0 Curse, 0 Moat", 5, ""),
        ("0 Curse, 0 Moat, 0 Mine", 5, "3 piles are empty (Curse, Moat, Mine)"),
    ):
        others = " | ".join(f"P{seat}: hand 5 Copper" for seat in range(2, n_players + 1))
        game = DominionGame.from_position(
            f"P1: hand Estate | {others} | supply: {supply} | turn: P1, 1 buy, 3 coins, buy phase"
        )
        warning = end_warning(game.view(0), int(game.rules.piles_to_end))
        assert fact in warning
        assert (
            (f"! {warning}" in table.own_part(game.view(0), game.decision, "", warning)) == bool(fact) == bool(warning)
        )


def test_colour_marks_cards_by_type_and_a_warning_as_a_whole():
    assert paint("Copper, Village") == "\x1b[33mCopper\x1b[0m, \x1b[36mVillage\x1b[0m"
    assert paint("! The last Province") == "\x1b[31m\x1b[1m! The last Province\x1b[0m"


def test_every_card_can_be_looked_up():
    for name, card in CARDS.items():
        lines = about_card(CARDS[name], {})
        assert lines[0].startswith(f"{name}: {card.type_line}, costs ${card.cost}")
        assert ". ." not in lines[0]
        assert len(lines) > 1
        assert max(map(len, lines)) <= table.WIDTH


def test_the_texts_of_the_hand_are_those_of_the_game():
    game = DominionGame.from_position("P1: hand Curse, Estate", Kingdom(("Charlatan",)))
    cards = {card.name: card for card in game.piles}
    assert table.about_hand(game.view(0), cards.__getitem__)[-2:] == ["  Curse: $1. -1 VP.", "  Estate: 1 VP."]


def test_a_crowded_table_gives_up_a_rule_before_it_gives_up_a_round_of_the_log():
    game = DominionGame.from_position(
        "P1: hand Copper | " + " | ".join(f"P{seat}: hand 5 Gold" for seat in range(2, 7))
    )
    log = [f"line {number}" for number in range(9)]
    screen = table.screen(game.view(0), game.decision, NAMES, log)
    assert screen[-1].startswith("Treasures")
    assert sum(line == table.separator() for line in screen) == 2
    assert [line for line in screen if line.startswith("line")] == log[-5:]


def test_kingdoms_of_long_names_and_of_few_cards_are_drawn():
    longest = sorted((card.name for card in KINGDOM_CARDS), key=len)[-10:]
    for names, n_players in ((longest, 6), (["Village", "Smithy"], 3), ([], 2)):
        game = DominionGame(Kingdom(tuple(names)), n_players, seed=1)
        lines = table.screen(game.view(0), game.decision, NAMES[:n_players], [])
        assert fits(lines)
        assert all(any(f" {name} " in line for line in lines) for name in names)
