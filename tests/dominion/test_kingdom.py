"""Kingdoms: names, seeded draws, invalid texts; the Supply, the starting decks and hands."""

import re
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evodom.dominion.cards import (
    BASIC,
    CARDS,
    FIRST_EDITION,
    KINGDOM_SIZE,
    SETS,
    CardSet,
    find_card,
    is_card,
    is_dropped,
    missing_card_text,
    name_key,
)
from evodom.dominion.effects.ops import Zone
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import (
    CUSTOM,
    FIRST_GAME,
    KINGDOMS,
    Kingdom,
    draw_cards,
    find_sets,
    kingdoms_with,
    parse_kingdom,
    slug,
)
from evodom.dominion.strategies.baselines import fitting_baselines, missing_cards
from evodom.dominion.strategies.files import read_card_table
from evodom.dominion.strategies.models.buy_lists.language import parse_rules
from evodom.errors import UsageError
from evodom.terminal.parser import find
from tests.chi_square import fits
from tests.dominion.helpers import BASE, COLONY_GAME, PILE_NAMES, asked, supply
from tests.effort import effort

pytestmark = pytest.mark.uncompiled


def test_a_kingdom_is_found_by_name_in_any_spelling():
    for text, name in [
        ("First Game", "First Game"),
        ("first game", "First Game"),
        ("first-game", "First Game"),
        ("silver and gold", "Silver & Gold"),
        ("Silver  &  Gold", "Silver & Gold"),
        ("size distortion", "Size Distortion"),
        ("Size Distortion (1st edition)", "Size Distortion (1st edition)"),
        ("size-distortion-1st-edition", "Size Distortion (1st edition)"),
        ("big money", "Big Money (1st edition)"),
    ]:
        found = parse_kingdom(text)
        assert (found.name, found.cards, found.drawn) == (name, KINGDOMS[name], ())
    assert parse_kingdom(", ".join(reversed(FIRST_GAME.cards))).name == "First Game"


def test_every_kingdom_is_found_by_its_slug_and_cards_in_any_case():
    assert [parse_kingdom(slug(name)).name for name in KINGDOMS] == list(KINGDOMS)
    assert all(re.fullmatch(r"[a-z0-9-]+", slug(name)) for name in (*KINGDOMS, *CARDS))

    assert all(parse_kingdom(name_key(slug(name))).name == name for name in KINGDOMS)


def test_a_card_is_found_by_its_former_name():
    assert find_card("harem").name == "Farm"
    assert "Farm" in parse_kingdom("Harem, Moat").cards


SPELLINGS = ("{}", " {} ", "{}.", "-{}", "{}_")


@given(card=st.sampled_from(list(CARDS)), joint=st.sampled_from((" ", "-", "_", "", "  ", " - ")), data=st.data())
@settings(deadline=None)
def test_every_reader_of_card_names_ignores_case_spaces_hyphens_underscores_and_a_final_full_stop(card, joint, data):
    """Options, kingdoms, strategy files, rules, positions and the lines of players have one reader."""
    letters = "".join(data.draw(st.sampled_from((char.lower(), char.upper()))) for char in joint.join(card.split()))
    text = data.draw(st.sampled_from(SPELLINGS)).format(letters)

    assert find_card(text).name == card
    assert parse_rules(f"{text} if count_in_deck({text}) < 2") == parse_rules(f"{card} if count_in_deck({card}) < 2")
    assert read_card_table("deck_value", {text: 3}, float_allowed=True, maximum=9) == {card: 3}
    if CARDS[card] not in BASIC:
        assert card in parse_kingdom(f"Moat,{text}" if card != "Moat" else text).cards
    if " " not in text.strip():
        assert find(text.strip().casefold(), [card, "Curse"]).names == (card,)


def test_kingdoms_are_separated_by_commas_semicolons_tabs_and_new_lines():
    for separator in (",", ", ", ";", "\t", "\n", "\r\n", ";\n", ",\t"):
        assert parse_kingdom(separator.join(FIRST_GAME.cards) + separator) == FIRST_GAME


@pytest.mark.parametrize(
    "text",
    [
        "1. Wharf\n2. Mill\n10) Moat",
        "\N{BULLET} Wharf\n* Mill\n# Moat",
        "Seaside: Wharf; Intrigue (2nd Ed.): Mill; Kingdom cards:\nMoat",
        'Wharf (2nd edition), "Mill" (4) and Moat',
        "1) Wharf 2) Intrigue 2nd edition: Mill 3) Moat",
        "{{Kingdom|Wharf|Mill|title=Docks|Moat}}",
        "* {{Cost|5}}: {{Card|Wharf|Wharves}}, {{card|Moat|oi=1}}\n* '''Intrigue''': [[Mill|Mills]]",
        "seaside_wharf, intrigue_2nd_mill, baseset2_moat",
        "Seaside2add_Wharf,Intrigue2_mill,baseset_moat",
    ],
)
def test_pasted_lists_templates_and_ids_are_kingdoms(text):
    for said, has_colony in {"": False, ", Colonies": True, "\nwith Colonies": True, "; no Colony": False}.items():
        found = parse_kingdom(text + said, seed=2)
        assert set(found.cards) - set(found.drawn) - {"Platinum", "Colony"} == {"Wharf", "Mill", "Moat"}
        assert found.has_colony == has_colony


def test_a_card_has_one_number_in_a_table_of_a_strategy_file():
    with pytest.raises(UsageError, match="Throne Room is listed twice"):
        read_card_table("deck_value", {"Throne Room": 1, "throne-room": 2}, float_allowed=True, maximum=9)


def test_the_kingdom_of_a_seed_never_changes():
    expected = (
        "Council Room", "Gardens", "Militia", "Moat", "Poacher", "Remodel", "Throne Room", "Vassal", "Village",
        "Workshop",
    )  # fmt: skip

    found = parse_kingdom("random", seed=1)

    assert (found.name, found.cards, found.drawn) == (CUSTOM, expected, expected)
    assert parse_kingdom("Random", seed=2).cards != expected


def test_given_cards_are_kept_and_the_rest_is_drawn():
    found = parse_kingdom("chapel, throne-room, WITCH", seed=4)

    assert {"Chapel", "Throne Room", "Witch"} == set(found.cards) - set(found.drawn)
    assert len(set(found.cards)) == 10
    assert parse_kingdom("chapel,throne-room,witch, random", seed=4) == found


def test_cards_of_the_first_edition_are_drawn_only_with_its_option():
    for first_edition in (False, True):
        drawn = [parse_kingdom("random", seed=seed, first_edition=first_edition) for seed in range(60)]
        allowed = {card.name for card in BASE if first_edition or not is_dropped(card)}
        assert {card for kingdom in drawn for card in kingdom.cards} == allowed
        for n_players, kingdom in enumerate(drawn):
            assert kingdom.rules(2 + n_players % 5)
    assert "Feast" in parse_kingdom("Feast").cards


def test_an_invalid_kingdom_is_refused_with_value_and_allowed_values():
    eleven = ", ".join(card.name for card in BASE[:11])
    for text, facts in [
        ("Frist Game", ("'Frist Game'", "First Game?")),
        ("Big Muney", ("Big Money (1st edition) or Biggest Money?",)),
        ("Vilage", ("'Vilage'", "Village?")),
        ("xyz", ("evodom kingdoms", "evodom cards")),
        ("Moat, Vilage", ("'Vilage'", "Village?")),
        ("Chapel, Moat, chapel", ("Chapel", "twice", "up to 10 different cards")),
        ("Copper, Moat", ("Copper", "kingdom cards")),
        ("copper", ("Copper is in every Supply",)),
        (eleven, ("11 cards", "up to 10")),
        ("", ("empty", "random")),
        (" , ", ("empty",)),
        ("Seaside:", ("empty",)),
        ("Colony, no Colonies", ("with Colonies and without", "Allowed")),
        ("adventures_amulet, Moat", ("Amulet is a card of Adventures",)),
        ("Moat\nab\x1b[2J", ("named 'ab\\x1b[2J'",)),
        ("x" * 5000, ("named 'xxx",)),
    ]:
        with pytest.raises(UsageError) as refused:
            parse_kingdom(text)
        assert all(fact in str(refused.value) for fact in facts), str(refused.value)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 200


def test_editions_contain_their_printed_cards():
    both = {card.name: card.editions for card in BASE}

    assert sum(1 in found for found in both.values()) == 25
    assert sum(2 in found for found in both.values()) == 26
    assert (both["Feast"], both["Moat"], both["Sentry"]) == ((1,), (1, 2), (2,))
    for name, cards in SETS["Base"].kingdoms.items():
        edition = 1 if name.endswith("(1st edition)") else 2
        assert all(edition in both[card] for card in cards), name


def test_the_kingdoms_and_baselines_of_cards_are_listed():
    assert kingdoms_with(CARDS["Sentry"])[:2] == ["Size Distortion", "Deck Top"]
    assert kingdoms_with(CARDS["Copper"]) == list(KINGDOMS)

    first_game, deck_top = fitting_baselines(FIRST_GAME), fitting_baselines(Kingdom(KINGDOMS["Deck Top"]))
    assert {"random", "big-money", "big-money-smithy", "big-money-militia"} <= set(first_game)
    assert "big-money-laboratory" in deck_top
    assert not {"big-money-smithy", "big-money-militia"} & set(deck_top)
    assert missing_cards("big-money-smithy", Kingdom(KINGDOMS["Deck Top"])) == ["Smithy"]


def test_kingdoms_and_cards_are_read_without_numpy():
    code = (
        "import sys\n"
        "from evodom.dominion.kingdom import parse_kingdom\n"
        "parse_kingdom('deck top')\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


# The Supply, the starting decks and the opening hands.

PILES = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
SIZES = {
    2: (46, 40, 30, 8, 8, 8, 10), 3: (39, 40, 30, 12, 12, 12, 20), 4: (32, 40, 30, 12, 12, 12, 30),
    5: (85, 80, 60, 12, 12, 15, 40), 6: (78, 80, 60, 12, 12, 18, 50),
}  # fmt: skip


def test_each_player_starts_with_seven_coppers_and_three_estates():
    for n_players in range(1, 7):
        game = DominionGame(n_players=n_players, seed=9)
        for seat in range(n_players):
            assert game.owned(seat) == {"Copper": 7, "Estate": 3}
            assert game.cards(Zone.HAND + seat) + game.cards(Zone.DECK + seat) == game.owned(seat)
            assert game.cards(Zone.HAND + seat).total() == 5
        assert asked(game)[0] == 1
        assert not game.state.owned[n_players:].any()


def test_gardens_are_a_victory_pile_and_the_game_ends_with_three_or_four_empty_piles():
    for n_players, size, n_empty in [(1, 12, 3), (2, 8, 3), (3, 12, 3), (4, 12, 3), (5, 12, 4), (6, 12, 4)]:
        game = DominionGame(Kingdom(("Gardens", "Moat")), n_players)

        assert (supply(game, "Gardens"), supply(game, "Moat")) == (size, 10)
        assert game.rules.piles_to_end == n_empty


def test_platinum_and_colony_follow_the_kingdom_piles_and_come_together():
    cards = FIRST_GAME.cards
    kingdom = Kingdom((*cards, "colony"))

    assert kingdom == Kingdom(("Platinum", *cards)) == Kingdom((*cards, "Platinum", "Colony"))
    assert kingdom == parse_kingdom(",".join(map(slug, kingdom.cards)))
    assert kingdom.cards == (*cards, "Platinum", "Colony")
    assert kingdom.names == (*FIRST_GAME.names, "Platinum", "Colony")
    assert (kingdom.name, FIRST_GAME.has_colony, kingdom.has_colony) == (CUSTOM, False, True)
    assert kingdom.fingerprint != FIRST_GAME.fingerprint
    assert kingdom.kingdom_piles == FIRST_GAME.kingdom_piles == range(7, 17)
    for n_players, size in [(1, 12), (2, 8), (3, 12), (4, 12), (5, 12), (6, 12)]:
        game = DominionGame(kingdom, n_players, log=False)
        assert (supply(game, "Platinum"), supply(game, "Colony")) == (12, size)
    assert Kingdom(("Moat", "Colony")).names[-3:] == ("Moat", "Platinum", "Colony")
    drawn = parse_kingdom("moat, colony", seed=3)
    assert drawn.cards[:-2] == parse_kingdom("moat", seed=3).cards
    assert "Colony" not in drawn.drawn
    with pytest.raises(UsageError, match="Colony is twice"):
        Kingdom(("Colony", "Colony"))
    with pytest.raises(UsageError, match="has 11 cards"):
        Kingdom((*cards, "Chapel", "Colony"))


@pytest.mark.parametrize(
    ("text", "colonies", "has_colony"),
    [
        ("first-game", "auto", False),
        ("first-game", "yes", True),
        ("random", "yes", True),
        ("random", "no", False),
        ("random", "auto", False),  # the Base Set has no Prosperity card
        ("moat, colony", "auto", True),
        ("moat, platinum", "yes", True),
        ("first-game, Colonies", "auto", True),
        ("first-game, no Colonies", "no", False),
        ("without Colonies", "auto", False),
        (",".join(COLONY_GAME.cards), "auto", True),
    ],
)
def test_a_kingdom_has_colony_as_asked(text, colonies, has_colony):
    kingdom = parse_kingdom(text, seed=4, colonies=colonies)

    assert kingdom.has_colony == has_colony
    without = parse_kingdom(
        re.sub(", [^,]*(colon|platinum)[^,]*$|^without.*", "", text, flags=re.I) or "random", seed=4
    )
    assert kingdom.kingdom_piles == without.kingdom_piles
    assert kingdom.drawn == without.drawn


def test_drawn_kingdoms_have_colony_with_the_share_of_prosperity_cards():
    prosperity = "Quarry, Worker's Village, Rabble, Expand"
    seeds = range(effort(300, 100, 100))
    drawn = [parse_kingdom(prosperity, seed=seed) for seed in seeds]

    assert 0.34 < sum(kingdom.has_colony for kingdom in drawn) / len(drawn) < 0.46  # 4 cards of 10
    assert drawn == [parse_kingdom(prosperity, seed=seed) for seed in seeds]
    named = f"{prosperity}, Moat, Chapel, Cellar, Smithy, Village, Witch"
    assert not any(parse_kingdom(named, seed=seed).has_colony for seed in range(20))
    of_sets = parse_kingdom("random", seed=2, sets=["intrigue", "prosperity"], colonies="no")
    assert {find_card(name).card_set for name in of_sets.cards} == {"Intrigue", "Prosperity"}
    assert find_card("Harem") == find_card("Farm")


def test_named_colonies_against_the_option_and_unknown_sets_are_refused(monkeypatch):
    monkeypatch.setitem(SETS, "Tiny", CardSet("Tiny", (find_card("Moat"),), {}))
    with pytest.raises(UsageError, match="among the named cards, and --colonies is no"):
        parse_kingdom("Moat, Platinum", colonies="no")
    with pytest.raises(UsageError, match="the kingdom is without Colonies, and --colonies is yes"):
        parse_kingdom("Moat, no Colony", colonies="yes")
    with pytest.raises(UsageError, match="colonies is 'perhaps'"):
        parse_kingdom("random", colonies="perhaps")
    with pytest.raises(UsageError, match="no set named 'intrige'"):
        parse_kingdom("random", sets=["intrige"])
    for text, message in [
        ("bas", "no set named 'bas'. Did you mean Base\\? evodom has the sets: Base"),
        ("caledonia", "no set named 'caledonia'. evodom has the sets: Base"),
        (" , ", "names no set"),
    ]:
        with pytest.raises(UsageError, match=message):
            find_sets(text)
    assert find_sets("BASE, base") == ("Base",)
    with pytest.raises(UsageError, match="10 cards are missing to ten, and Tiny has 1 others"):
        draw_cards([], seed=1, sets=["Tiny"])


@pytest.mark.parametrize("name", KINGDOMS)
def test_a_recommended_kingdom_has_ten_cards_of_its_edition_and_the_piles_of_its_table(name):
    dropped = any(is_dropped(find_card(card)) for card in KINGDOMS[name])

    kingdom = Kingdom(KINGDOMS[name])
    assert len(kingdom.kingdom_piles) == KINGDOM_SIZE
    assert len(set(KINGDOMS[name])) == len(kingdom.piles) - len(BASIC)
    assert not dropped or name.endswith(FIRST_EDITION)
    for n_players in SIZES:
        game = DominionGame(kingdom, n_players, log=False)
        assert [supply(game, card) for card in PILES] == list(SIZES[n_players])
        assert {supply(game, card) for card in KINGDOMS[name]} <= {10, 12, SIZES[n_players][3]}
        assert game.decision is not None


def test_all_cards_of_both_editions_are_in_some_recommended_kingdom():
    kingdoms = SETS["Base"].kingdoms
    second = {card for name in kingdoms if not name.endswith(FIRST_EDITION) for card in kingdoms[name]}

    assert second == {card.name for card in BASE if not is_dropped(card)}
    assert len(second) == 26
    assert {card for cards in kingdoms.values() for card in cards} == {card.name for card in BASE}


def test_kingdoms_of_several_sets_are_listed_once_all_their_cards_exist():
    text = files("evodom.dominion.cards").joinpath("kingdoms.toml").read_text(encoding="utf-8")
    listed = {name: tuple(cards.split(", ")) for name, cards in tomllib.loads(text).items()}

    assert len(listed) == 19
    assert not {*listed} & {name for card_set in SETS.values() for name in card_set.kingdoms}
    for name, cards in listed.items():
        n_colony = len({"Platinum", "Colony"} & {*cards})
        assert (len({*cards}), n_colony) in {(10, 0), (12, 2)}, name
        assert all(is_card(card) or missing_card_text(card) for card in cards), name
        assert (KINGDOMS.get(name) == cards) == all(map(is_card, cards)), name
    assert sum("Colony" in cards for cards in listed.values()) == 7


def test_drawn_kingdoms_have_ten_different_cards_with_equal_probability():
    n_draws = 400
    drawn = Counter()
    for seed in range(n_draws):
        names = {card.name for card in draw_cards([], seed=seed)}
        assert len(names) == KINGDOM_SIZE
        drawn.update(names)

    second = [card.name for card in BASE if not is_dropped(card)]
    assert fits(drawn, dict.fromkeys(second, 1 / len(second)))


def test_piles_are_the_basic_cards_and_the_kingdom_by_cost_and_name():
    small = DominionGame(Kingdom(("Moat", "Militia")), 2)

    assert PILE_NAMES == [
        "Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse",
        "Cellar", "Moat", "Merchant", "Village", "Workshop", "Militia", "Remodel", "Smithy", "Market", "Mine",
    ]  # fmt: skip
    assert [card.name for card in small.piles] == [*PILES, "Moat", "Militia"]
    assert small.state.cards[Zone.SUPPLY, 9:].sum() == 0


def test_an_invalid_game_is_refused_with_value_and_allowed_values():
    for setup, facts in [
        ({"n_players": 7}, ("7 players", "1 to 6")),
        ({"n_players": 0}, ("0 players",)),
        ({"seed": -1}, ("-1",)),
        ({"seed": 2**64}, ("0 to 2",)),
    ]:
        with pytest.raises(UsageError) as refused:
            DominionGame(**setup)
        assert all(fact in str(refused.value) for fact in facts)
