"""Strategies that can be read play as well as those they were made from."""

import pytest

from evodom.advice import readable as module
from evodom.advice.readable import readable
from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.dominion.strategies.files import parse_strategy
from evodom.dominion.strategies.models.buy_lists.encoding import decode
from evodom.dominion.strategies.models.buy_lists.language import format_rule
from evodom.dominion.strategies.registry import editable_model, model_of
from evodom.errors import UsageError
from tests.dominion.helpers import preference

SHARP = """
model = "preferences"
switch = 60
province_coins = 13
[early]
Province = 1e6
Smithy = 1e3
Gold = 1
Silver = 1e-3
Workshop = 1e-12
[late]
Cellar = 1
[limits]
Smithy = 1
Cellar = 3
[max_gains_to_end]
Estate = 5
"""


def rules_of(strategy):
    return [format_rule(rule) for rule in decode(strategy, FIRST_GAME)]


def test_sharp_preferences_become_the_rules_that_they_follow(venue_in):
    found = readable(venue_in(FIRST_GAME), parse_strategy(SHARP).record(FIRST_GAME))

    rules = ["Province if total_money > 13", "Smithy if count_in_deck(Smithy) < 1", "Gold", "Silver"]
    assert rules_of(found.record) == rules
    assert found.wording.lists[0].lines == ("Province once the deck has $14", "1 Smithy", "Gold", "Silver")
    assert found.against_original.low < 0.5 < found.against_original.high
    assert found.after.high >= found.before.low


def test_a_shortened_list_keeps_its_play_values(venue_in):
    rules = '"Province", "Gold", "Gold if turn_number > 3", "Smithy if count_in_deck(Smithy) < 1", "Village", "Silver"'
    strategy = parse_strategy(f"buy = [{rules}]\ntrash_below = 1\n[play]\nSmithy = 3").record(FIRST_GAME)

    found = readable(venue_in(FIRST_GAME), strategy)

    assert "Gold if turn_number > 3" not in rules_of(found.record)
    assert found.wording.notes == (
        "where trashing is optional, trash cards up to the value of Curse",
        "play Smithy before Village",
    )


def test_flat_preferences_that_no_list_follows_stay_preferences(venue_in):
    strategy = preference({"Province": 0.5, "Gold": 0.3, "Silver": 0.2}, kingdom=FIRST_GAME)

    assert model_of(readable(venue_in(FIRST_GAME), strategy).record).name == "preferences"


def test_what_plays_worse_is_not_told(venue_in, monkeypatch):
    monkeypatch.setattr(module, "_simplified_forms", lambda *_: [baseline("random", FIRST_GAME)])
    strategy = baseline("big-money", FIRST_GAME)

    found = readable(venue_in(FIRST_GAME), strategy)

    assert found.record == strategy
    assert found.against_original is None


def test_the_random_player_cannot_be_told(venue_in):
    with pytest.raises(UsageError, match="cannot be changed"):
        readable(venue_in(FIRST_GAME), baseline("random", FIRST_GAME))


PHASES = "[early]\nGold = 1\n[late]\nDuchy = 1\n[max_gains_to_end]\nDuchy = 3"
TERMINALS = "[early]\nSmithy = 4\nMilitia = 3\nVillage = 2\nSilver = 1"
PHASE_RULES = "Gold if {} | Duchy if {} and gains_to_end <= 3"
TERMINAL_RULES = "Smithy if {0} | Militia if {0} | Village | Silver"


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        # Each phase has rules of its own.
        (f"switch = 9\n{PHASES}", PHASE_RULES.format("turn_number <= 9", "turn_number > 9")),
        (
            f"switch_on = 1\nswitch_left = 4\n{PHASES}",
            PHASE_RULES.format("count_in_supply(Province) > 4", "count_in_supply(Province) <= 4"),
        ),
        (f"switch_on = 2\nswitch_left = 6\n{PHASES}", PHASE_RULES.format("gains_to_end > 6", "gains_to_end <= 6")),
        # A card that is passed rather than bought has no rule.
        ("pass_weights = [10, 10]\n[early]\nGold = 100\nCopper = 1", "Gold"),
        # Room for terminal Actions is a condition of terminal Actions alone.
        (f"terminals = 2\n{TERMINALS}", TERMINAL_RULES.format("excess_terminals < 2")),
        (
            f"terminals = 2\nterminal_per = 10\n{TERMINALS}",
            TERMINAL_RULES.format("excess_terminals + 1 <= 2 + cards_in_deck / 10"),
        ),
    ],
)
def test_preferences_are_read_as_rules(fields, rules):
    strategy = parse_strategy(f'model = "preferences"\n{fields}').record(FIRST_GAME)

    assert editable_model(strategy).as_rules(strategy, FIRST_GAME) == tuple(rules.split(" | "))
