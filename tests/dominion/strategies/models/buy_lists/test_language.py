"""The language of buy lists: meaning of conditions, parsing, formatting and errors."""

import pytest

from evodom.dominion.cards import CARDS, COPPER, GOLD
from evodom.dominion.engine.rules import N_MODEL_PILES, NONE
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import buy_list_strategy
from evodom.dominion.strategies.models.buy_lists import columns
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.buy_lists.buying import first_buy
from evodom.dominion.strategies.models.buy_lists.encoding import decode, encode_rules, is_sound
from evodom.dominion.strategies.models.buy_lists.language import QUANTITIES, at_full_piles, format_rule, parse_rules
from evodom.dominion.strategies.models.buy_lists.reachable import effective_rules
from evodom.dominion.strategies.record import blank_strategies
from evodom.errors import UsageError
from tests.dominion.helpers import after, the_choice

uncompiled = pytest.mark.uncompiled

POSITION = (
    "P1: hand 2 Copper, Militia; deck 2 Copper, Duchy, Estate, Market; village Silver; discard Smithy"
    "; turns 5; tokens 2 | P2: hand Estate | supply: 3 Province, 0 Moat, 1 Cellar, 2 Village, 5 Mine"
    " | in play: Copper | turn: P1, 0 actions, 2 buys, 4 coins, buy phase"
)
"""Player 1 owns 11 cards, of $1 x 5 + $2 + $2 + $1 = $10 and 4 VP, with 2 VP tokens; player 2 has 1 VP."""


def holds(condition: str) -> bool:
    """Return whether a condition holds for player 1."""
    game = DominionGame.from_position(POSITION)
    return the_choice(game, buy_list_strategy(BuyList((f"Copper if {condition}",)), FIRST_GAME), 1) == "Copper"


AMOUNTS = {
    "count_in_deck(Copper)": 5, "count_in_deck(Province)": 0, "count_in_supply(Province)": 3,
    "count_in_hand(Copper)": 2, "count_type_in_deck(Treasure)": 6, "count_type_in_deck(Action)": 3,
    "count_type_in_deck(Attack)": 1, "count_type_in_deck(Victory)": 2, "total_money": 10, "turn_number": 5,
    "gains_to_end": 3, "empty_piles": 1, "cards_in_deck": 11, "vp": 6, "lead": 5, "count_in_play(Copper)": 1,
    "vp_tokens": 2, "coins": 4, "buys": 2, "action_phase": 0, "terminals": 2, "excess_terminals": 2, "opponent_vp": 1,
    "available_money": 8,
}  # fmt: skip


@uncompiled
def test_quantities_have_the_amounts_of_a_position():
    for quantity, amount in AMOUNTS.items():
        assert holds(f"{quantity} == {amount}")
        assert not holds(f"{quantity} != {amount}")
        assert holds(f"{quantity} > {amount - 1}")
        assert not holds(f"{quantity} < {amount}")
    assert {quantity.partition("(")[0] for quantity in AMOUNTS} == set(QUANTITIES)


@uncompiled
def test_coins_include_the_treasures_in_hand_before_the_buy_phase_and_are_those_of_a_considered_buy():
    game = after("P1: hand Workshop, 2 Silver | P2: hand Estate | turn: P1, 1 action, 2 buys, 1 coins", "Workshop")
    texts = ("Gold if coins >= 6 and action_phase == 0", "Village if coins == 5 and action_phase == 1 and buys > 1")
    plan = buy_list_strategy(BuyList((*texts, "Copper if coins == 0")), FIRST_GAME)
    before = game.state.tobytes()

    piles = [first_buy(game.rules, game.state, plan, coins) for coins in (5, 6, -1)]

    assert piles == [NONE, GOLD, COPPER]
    assert game.state.tobytes() == before
    assert the_choice(game, plan, 1) == "Village"


@uncompiled
def test_sums_factors_and_quotients_are_exact():
    for condition, expected in {
        "count_in_deck(Smithy) < count_type_in_deck(Treasure) / 6": False,
        "count_in_deck(Smithy) <= count_type_in_deck(Treasure) / 6": True,
        "count_in_deck(Smithy) < count_type_in_deck(Treasure) / 5.9": True,
        "count_in_deck(Smithy) <= count_in_deck(Village) + 0": False,
        "count_in_deck(Smithy) - 1 <= count_in_deck(Village)": True, "2 * total_money - 3 * (vp + 1) > -1": False,
        "2 * total_money - 3 * (vp + 1) >= -1": True, "3 < empty_piles * 4": True, "-vp < -5.5": True,
        "0.5 * vp == 3": True, "total_money>9": True,
    }.items():  # fmt: skip
        assert holds(condition) is expected


def test_gains_to_end_counts_the_three_smallest_piles_if_fewer():
    supply = "supply: 8 Province, 0 Moat, 1 Cellar, 2 Village"
    game = DominionGame.from_position(
        f"P1: hand Copper | P2: hand Copper | {supply} | turn: P1, 0 actions, 1 buy, buy phase"
    )

    assert the_choice(game, buy_list_strategy(BuyList(("Copper if gains_to_end == 3",)), FIRST_GAME), 1) == "Copper"


def test_money_is_the_coins_of_a_turn_or_one_for_those_of_an_option_a_condition_or_the_next_turn():
    money = {
        "Copper": 1, "Silver": 2, "Gold": 3, "Militia": 2, "Festival": 2, "Vassal": 2, "Market": 1, "Poacher": 1,
        "Moneylender": 1, "Chancellor": 2, "Merchant": 0, "Smithy": 0, "Province": 0,
        "Steward": 1, "Conspirator": 2, "Fishing Village": 1, "Merchant Ship": 2, "Sailor": 1, "Investment": 1,
        "Vault": 1, "Bank": 1, "City": 1, "Haven": 0,
    }  # fmt: skip
    assert {card: CARDS[card].money for card in money} == money


def test_a_formatted_condition_parses_to_the_same_rule():
    for text, formatted in {
        "count_in_deck(Gold)>0": "count_in_deck(Gold) > 0",
        "count_in_deck(Smithy) < total_money/11": "11 * count_in_deck(Smithy) < total_money",
        "5 > turn_number": "turn_number < 5",
        "vp - lead + 3 <= 1": "vp + 2 <= lead",
        "total_money / 2.5 == 1": "2 * total_money == 5",
        "count_in_deck( council room ) + vp != vp + 2": "count_in_deck(Council Room) != 2",
    }.items():
        (rule,) = parse_rules(f"Gold if {text}")

        assert format_rule(rule) == f"Gold if {formatted}"
        assert parse_rules(format_rule(rule)) == (rule,)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("count_in_dek(Gold) > 0", "no quantity named 'count_in_dek'. Did you mean count_in_deck?"),
        ("banana > 0", "no quantity named 'banana'. Known: count_in_deck, "),
        ("count_in_deck(Goold) > 0", "no card named 'Goold'. Did you mean Gold"),
        ("count_in_deck > 0", "expected a card in parentheses after count_in_deck"),
        ("count_type_in_deck(Money) > 0", "expected one of Action, .* in parentheses .*, got 'Money'"),
        ("vp", "expected a comparison "),
        ("1 < vp < 3", "expected a comparison "),
        ("vp = 3", "cannot be read from '= 3' on. Allowed: comparisons such as "),
        ("vp > 3 4", "cannot be read. Allowed: comparisons such as "),
        ("vp > 1e3", "cannot be read from '1e3' on"),
        ("vp > 1_000", "cannot be read from '1_000' on"),
        ("vp > (lead > 3)", "expected a number or one of count_in_deck, "),
        ("vp > lead(3)", "expected a number or one of count_in_deck, "),
        ("vp // 2 > 3", "cannot be read"),
        ("vp * lead > 3", "expected a number as factor or divisor, got 'lead'"),
        ("vp / 0 > 3", "expected a divisor that is not 0"),
        ("(vp > 3", "cannot be read"),
        ("3 > 2", "compares nothing that changes"),
        ("vp > 99999999999", "too large a number. Allowed: up to 1000000"),
        ("vp > 9999999999999", "9999999999999 is too long. Allowed: 12 characters"),
        ("-" * 1990 + "vp > 3", "cannot be read|too large|Allowed"),
        ("vp" + " + vp" * 400 + " > 3", "is 2006 characters long. Allowed: 2000"),
    ],
)
def test_an_invalid_condition_is_refused(text, error):
    with pytest.raises(UsageError, match=error):
        parse_rules(f"Gold if {text}")


def test_incomplete_rules_are_refused():
    incomplete = ["", "if vp > 3", "Gold if", "Gold if ", "Gold iff vp > 3", "Gold if vp > 3 and", "Gold if or vp > 3"]
    for text in [*incomplete, "Gold if vp > 3 or", "Gold if (vp > 3 or lead < 0", "Gold if ()"]:
        with pytest.raises(UsageError):
            parse_rules(text)
    with pytest.raises(UsageError, match="Allowed: up to"):
        parse_rules("Gold if " + " and ".join(["(vp > 1 or lead > 1)"] * 40))


def test_rules_are_read_back_from_a_record():
    texts = [
        "Province if count_in_deck(Gold) > 0",
        "Smithy if 11 * count_in_deck(Smithy) < count_type_in_deck(Treasure) and turn_number <= 9",
        "Silver",
    ]
    strategy = blank_strategies(1, "buy-list", FIRST_GAME)[0]
    encode_rules([rule for text in texts for rule in parse_rules(text)], FIRST_GAME, strategy)

    assert [format_rule(rule) for rule in decode(strategy, FIRST_GAME)] == texts


def test_a_buy_list_too_large_for_a_record_is_refused():
    for rules, size in [
        (["Gold"] * (columns.MAX_RULES + 1), f"{columns.MAX_RULES + 1} rules"),
        (["Gold if vp > 1 and vp > 2 and vp > 3"] * 22, "66 conditions"),
        (["Gold if vp + lead + turn_number > total_money"] * 25, "100 terms"),
    ]:
        with pytest.raises(UsageError, match=f"the buy list has {size}. Allowed: up to"):
            buy_list_strategy(BuyList(tuple(rules)), FIRST_GAME)


def test_bounds_of_any_size_and_every_type_are_in_the_record():
    bounds = [
        f"Gold if count_in_deck(Gold) < {n} and count_in_supply(Province) <= {n}" for n in (3, 32766, 32767, 40000)
    ]
    texts = (*bounds, *(f"Silver if count_type_in_deck({kind}) < 2" for kind in columns.TYPES))

    found = decode(buy_list_strategy(BuyList(texts), FIRST_GAME), FIRST_GAME)

    assert tuple(map(format_rule, found)) == texts


def test_a_record_with_indices_out_of_range_is_not_sound():
    sound = buy_list_strategy(BuyList(("Gold if count_in_deck(Gold) < 3",)), FIRST_GAME)
    assert is_sound(sound)
    for field, place, value in [
        ("n_rules", (), columns.MAX_RULES + 1),
        ("rules", (0, columns.PILE), N_MODEL_PILES),
        ("rules", (0, columns.END_CONDITION), columns.MAX_CONDITIONS + 1),
        ("conditions", (0, columns.END_TERM), columns.MAX_TERMS + 1),
        ("terms", (0, columns.ARGUMENT), N_MODEL_PILES),
    ]:
        strategy = sound.copy()
        if place:
            strategy["buy_lists"][field][place] = value
        else:
            strategy["buy_lists"][field] = value
        assert not is_sound(strategy)


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (
            (
                "Smithy if count_in_deck(Smithy) < 2", "Smithy if count_in_deck(Smithy) < 2 and turn_number <= 4",
                "Moat if count_in_deck(Moat) < 0", "Gold", "Smithy if turn_number <= 4", "Gold if total_money > 9",
                "Estate if gains_to_end <= 7", "Estate if gains_to_end < 5 and turn_number > 3",
                "Estate if gains_to_end >= 6", "Copper if count_in_hand(Silver) + turn_number < 0",
                "Copper if lead < 0", "Duchy if vp != 3", "Duchy if vp > 2", "Duchy if vp > 3",
            ),
            (0, 3, 4, 6, 8, 10, 11, 12),
        ),
        # A weaker rule of the same card follows.
        (
            (
                "Gold if turn_number <= 4", "Silver if turn_number <= 4", "Silver if turn_number > 6",
                "Silver if total_money > 9", "Silver", "Gold", "Moat if turn_number <= 4", "Moat if turn_number <= 3",
                "Moat if turn_number <= 8",
            ),
            (0, 4, 5, 8),
        ),
        # Earlier rules cover the rule together, or the rule contradicts itself.
        (("Gold", "Gold if count_in_deck(Gold) < 3"), (0,)),
        (("Moat if turn_number <= 15", "Moat if turn_number > 12", "Silver", "Moat"), (0, 1, 2)),
        (("Moat if turn_number <= 15", "Moat if turn_number > 16", "Silver", "Moat"), (0, 1, 2, 3)),
        (("Moat if turn_number >= 17 and turn_number <= 15", "Silver"), (1,)),
        (("Moat if turn_number < 1", "Moat if count_in_supply(Moat) == 0", "Silver"), (2,)),
        (("Estate if gains_to_end < 0", "Estate if gains_to_end <= 0"), (1,)),
        (
            (
                "Moat if total_money > 9 and turn_number <= 8", "Moat if total_money <= 11", "Moat if turn_number > 5",
                "Gold", "Moat if vp != 3",
            ),
            (0, 1, 2, 3),
        ),
        (("Moat if vp != 3", "Gold", "Moat if vp != 3 and turn_number > 4", "Moat if vp > 9"), (0, 1)),
        (("Moat if lead <= 4", "Gold", "Moat if lead > 4", "Silver", "Moat if lead + 1 > 0"), (0, 1, 2, 3)),
    ],
)  # fmt: skip
def test_rules_that_other_rules_cover_or_that_contradict_themselves_are_left_out(texts, kept):
    found = effective_rules([rule for text in texts for rule in parse_rules(text)])

    assert [format_rule(rule) for rule in found] == [texts[place] for place in kept]


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("Moat if turn_number <= 9 and turn_number <= 11", "Moat if turn_number <= 9"),
        ("Moat if turn_number >= 1 and gains_to_end >= 0", "Moat"),
        ("Moat if count_in_deck(Moat) < 2 and vp > 3 and vp != 3", "Moat if count_in_deck(Moat) < 2 and vp > 3"),
        ("Moat if opponent_vp >= 0 and lead > -4", "Moat if opponent_vp >= 0 and lead + 4 > 0"),
    ],
)
def test_conditions_that_others_imply_are_left_out(text, shorter):
    assert [format_rule(rule) for rule in effective_rules(parse_rules(text))] == [shorter]


def test_many_rules_with_many_conditions_take_no_long_time():
    names = ("turn_number", "total_money", "gains_to_end", "cards_in_deck", "empty_piles", "vp", "lead", "vp_tokens")
    texts = [f"Moat if {' and '.join(f'{name} != {n}' for name in names)}" for n in range(40)]
    texts += [f"Moat if {' and '.join(f'{name} > {n}' for name in names[n % 5 :])}" for n in range(40)]

    assert len(effective_rules([rule for text in [*texts, "Moat"] for rule in parse_rules(text)])) <= 81


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Gold if vp > 3 or lead < 0", ["Gold if vp > 3", "Gold if lead < 0"]),
        ("Gold if vp > 3 and lead < 0 or turn_number > 9", ["Gold if vp > 3 and lead < 0", "Gold if turn_number > 9"]),
        (
            "Gold if (vp > 3 or lead < 0) and turn_number > 9",
            ["Gold if vp > 3 and turn_number > 9", "Gold if lead < 0 and turn_number > 9"],
        ),
        ("Gold if ((vp > 3) or ((lead + 1) < 0))", ["Gold if vp > 3", "Gold if lead + 1 < 0"]),
        ("Gold if 2 * (vp + 1) > (lead - 3)", ["Gold if 2 * vp + 5 > lead"]),
        ("Gold if (vp) > (lead)", ["Gold if vp > lead"]),
    ],
)
def test_or_gives_a_rule_for_each_case(text, rules):
    assert [format_rule(rule) for rule in parse_rules(text)] == rules


@uncompiled
@pytest.mark.parametrize(
    ("condition", "with_two", "with_four"),
    [
        ("gains_to_end <= 2/3 * count_in_supply(Estate)", "gains_to_end <= 5", "gains_to_end <= 8"),
        ("gains_to_end < 1/2 * count_in_supply(Estate)", "gains_to_end <= 3", "gains_to_end <= 5"),
        ("turn_number >= count_in_supply(Duchy) / 3", "turn_number >= 3", "turn_number >= 4"),
        ("3 * vp > 1 + count_in_supply(Province)", "vp >= 4", "vp >= 5"),
        *((same, same, same) for same in ("count_in_supply(Estate) <= 3", "turn_number == count_in_supply(Duchy)")),
    ],
)
def test_full_piles_take_the_place_of_the_cards_left(condition, with_two, with_four):
    rules = parse_rules(f"Duchy if {condition}")

    for n_seats, expected in ((2, with_two), (4, with_four)):
        assert at_full_piles(rules, FIRST_GAME, n_seats) == parse_rules(f"Duchy if {expected}")
