"""Choices between fights, and .run files of the game."""

import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from evodom.errors import UsageError
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import Fight, fight_from_toml, read_run
from evodom.spire.fights.names import cards_from_text, find_enemies
from evodom.spire.fights.run_files import run_from_json
from evodom.spire.fights.what_if import enter_rest_site, fights_by_choice, upgradable, upgraded, with_card, with_upgrade
from tests.spire.fights.test_files import PAGE


def test_a_rest_heals_30_percent_rounded_down_up_to_the_maximum():
    for before, most, after in ((30, 75, 52), (30, 80, 54), (60, 75, 75), (75, 75, 75), (1, 9, 3), (None, None, 75)):
        assert at_rest_site(Setup(hp=before, max_hp=most))["rest"].hp == after


def at_rest_site(setup, text=None, **options):
    """Return the setup after each choice at a rest site."""
    choices = fights_by_choice(enter_rest_site(Fight(setup)), text, rest=True, **options)
    return {name: fight.setup for name, fight in choices.items()}


UPGRADES = {"Strike+", "Defend+", "Bash+"}


@pytest.mark.parametrize(
    ("relic", "options", "hp"),
    [
        ("Vajra", {"rest", *UPGRADES}, 52),
        ("Coffee Dripper", UPGRADES, None),
        ("Fusion Hammer", {"rest", "recall"}, 52),
        ("Regal Pillow", {"rest", *UPGRADES}, 67),
        ("Dream Catcher", {"rest", *UPGRADES}, 52),
        ("Shovel", {"rest", *UPGRADES}, 52),
        ("Girya", {"rest", "lift", *UPGRADES}, 52),
        ("Peace Pipe", {"rest", "remove Strike", "remove Defend", "remove Bash", *UPGRADES}, 52),
        ("Eternal Feather", {"rest", *UPGRADES}, 58),
    ],
)
def test_relics_change_the_options_of_rest_sites(relic, options, hp):
    setup = Setup(hp=30, relics=(relic,), counters={"Girya": 2} if relic == "Girya" else {})
    found = at_rest_site(setup, can_recall=relic == "Fusion Hammer")

    assert set(found) == options
    assert not hp or found["rest"].hp == hp
    # Eternal Feather heals 3 HP for each 5 of the 11 cards.
    assert {one.hp for name, one in found.items() if name != "rest"} == {36 if relic == "Eternal Feather" else 30}
    assert "lift" not in found or found["lift"].counters == {"Girya": 3}
    assert "remove Bash" not in found or found["remove Bash"].deck == Setup().player()[2] - Counter(["Bash"])


@pytest.mark.parametrize(
    ("relics", "text", "message"),
    [
        (("Coffee Dripper",), "rest, bash", "'rest' is impossible at this rest site: Coffee Dripper forbids it"),
        (("Fusion Hammer",), "bash", "'bash' is impossible at this rest site: Fusion Hammer forbids it"),
        (("Fusion Hammer",), None, "nothing to choose among in the deck. Impossible at rest sites: upgrade, Fusion"),
        (("Shovel",), "dig", "'dig' is impossible at this rest site: the result of Shovel is random"),
        (("Vajra",), "remove bash", "'remove bash' is impossible at this rest site: it needs Peace Pipe"),
        (("Girya",), "lift, bash", "'lift' is impossible at this rest site: Girya has 3 lifts"),
        (("Peace Pipe",), "remove ascender", "Ascender's Bane cannot be removed"),
        (("Peace Pipe",), "remove anger", "the deck can be changed, and it has no Anger"),
    ],
)
def test_impossible_options_are_refused_with_the_reason(relics, text, message):
    with pytest.raises(UsageError, match=message):
        at_rest_site(Setup(relics=relics), text)


def test_names_of_upgraded_cards():
    assert [upgraded(name) for name in ("Bash", "Searing Blow", "Searing Blow+", "Searing Blow+9")] == [
        "Bash+", "Searing Blow+", "Searing Blow+2", "Searing Blow+10",
    ]  # fmt: skip
    assert not any(map(upgraded, ("Bash+", "Searing Blow+99", "Wound", "Ascender's Bane")))


def test_one_copy_is_upgraded():
    fight = with_upgrade(Fight(Setup(deck={"Strike": 3, "Bash": 1})), "Strike")

    assert fight.setup.deck == {"Strike": 2, "Strike+": 1, "Bash": 1}


def test_choices_change_the_default_deck():
    assert set(upgradable(Fight(Setup()))) == {"Strike", "Defend", "Bash"}
    assert with_card(Fight(Setup()), "Anger").setup.deck == Setup().player()[2] + Counter(["Anger"])


def test_fights_in_progress_cannot_be_changed():
    begun = fight_from_toml(PAGE.split("```toml\n")[1].split("```")[0])

    for change in (enter_rest_site, partial(with_card, name="Anger"), partial(with_upgrade, name="Strike")):
        with pytest.raises(UsageError, match="begun"):
            change(begun)


FILE = Path(__file__).parents[2] / "data" / "ironclad.run"
RUN = json.loads(FILE.read_text())


def read(**changes):
    """Read the example with other values; without a key for None."""
    page = {key: value for key, value in (RUN | changes).items() if value is not None}
    return run_from_json(json.dumps(page))


def test_a_run_is_read():
    run = read_run(FILE)

    deck = "Ascender's Bane, 4 Strike, Strike+, 3 Defend, Defend+, Bash+, Shrug It Off, Ghostly Armor, Searing Blow+2"
    assert run.deck == cards_from_text(deck)
    assert run.relics == ("Burning Blood", "The Boot", "Bird-Faced Urn")
    assert (run.hp, run.max_hp, run.ascension) == (48, 75, 15)
    assert run.potions == ("Flex Potion", "Gambler's Brew", "Attack Potion")
    assert run.skipped == ()


def test_a_run_becomes_a_fight():
    game = SpireFight(read_run(FILE).setup(find_enemies("3 Sentries"), potions=("Flex Potion",)))

    assert game.rules.hp == 48
    assert game.rules.deck.total() == 14
    assert game.rules.potions == ("Flex Potion",)


def test_game_ids_map_to_known_relics_and_those_without_effect_in_fights_are_dropped():
    shown = {
        "Paper Frog": "Paper Phrog", "GremlinMask": "Gremlin Visage", "Sling": "Sling of Courage", "Boot": "The Boot",
        "TheAbacus": "The Abacus", "Self Forming Clay": "Self-Forming Clay", "CaptainsWheel": "Captain's Wheel",
        "Du-Vu Doll": "Du-Vu Doll", "Philosopher's Stone": "Philosopher's Stone",
    }  # fmt: skip
    inactive = ["Frozen Egg 2", "CultistMask", "NlothsMask", "WingedGreaves", "Lee's Waffle"]
    assert read(relics=[*shown, *inactive]).relics == tuple(shown.values())


@pytest.mark.parametrize(("fights", "relics"), [(0, ("Neow's Lament",)), (2, ("Neow's Lament",)), (3, ())])
def test_neows_lament_is_spent_after_three_fights(fights, relics):
    assert read(relics=["NeowsBlessing"], damage_taken=RUN["damage_taken"][:fights]).relics == relics


def test_hp_of_a_run_are_the_last_above_0():
    assert (read(current_hp_per_floor=[60, 50, 40, 30, 20, 10, 9, 8]).hp) == 8
    assert (read(current_hp_per_floor=[0] * 8).hp, read(current_hp_per_floor=[0] * 8).max_hp) == (68, 75)
    fresh = read(current_hp_per_floor=None, max_hp_per_floor=None, ascension_level=None)
    assert (fresh.hp, fresh.max_hp, fresh.ascension) == (80, 80, 0)


def test_unsupported_cards_and_relics_are_skipped_on_request():
    page = RUN | {
        "relics": ["Nilry's Codex", "Vajra", "Straw Hat"],
        "master_deck": ["Bash", "Hemokinesis", "Blade Dance"],
    }
    message = (
        r"not supported: 'Blade Dance' \(not in the tables\); "
        r"Nilry's Codex \(makes random cards\); 'Straw Hat' \(not in the tables\)\. "
    )

    with pytest.raises(UsageError, match=message):
        run_from_json(json.dumps(page))
    run = run_from_json(json.dumps(page), skip=True)
    assert (run.deck, run.relics, len(run.skipped)) == ({"Bash": 1, "Hemokinesis": 1}, ("Vajra",), 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"master_deck": None}, "master_deck is missing"),
        ({"master_deck": []}, "master_deck has no supported card"),
        ({"master_deck": "Bash"}, "master_deck is 'Bash'. Allowed: a list"),
        ({"master_deck": ["Bash", 3]}, r"master_deck\[1\] is 3. Allowed: a text"),
        ({"master_deck": ["Wound+1"]}, r"master_deck: no card named 'Wound\+1'"),
        ({"master_deck": ["Bash"] * 100}, "master_deck has Bash 100 times"),
        ({"master_deck": ["Bash"] * 1001}, r"master_deck is \['Bash'.* Allowed: a list of at most 1,000 items"),
        ({"relics": None}, "relics is missing"),
        ({"relics": [None]}, r"relics\[0\] is null"),
        ({"ascension_level": 21}, "ascension_level is 21. Allowed: 0 to 20"),
        ({"ascension_level": True}, "ascension_level is True"),
        ({"character_chosen": "WATCHER"}, "character_chosen is 'WATCHER'. Allowed: one of IRONCLAD"),
        ({"current_hp_per_floor": [1]}, "max_hp_per_floor has 8 floors. Allowed: 1"),
        ({"current_hp_per_floor": [76] * 8}, r"current_hp_per_floor\[0\] is 76. Allowed: 0 to 75"),
        ({"potions_obtained": [3]}, r"potions_obtained\[0\] is 3. Allowed: an object with key"),
        ({"damage_taken": {}}, "damage_taken is {}. Allowed: a list"),
    ],
)
def test_invalid_runs_raise_one_line_errors(changes, message):
    with pytest.raises(UsageError, match=rf"^the run: {message}") as error:
        read(**changes)

    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text", ["", "[1]", "null", "{", "[" * 200_000, "9" * 5000, '{"a": ' + "9" * 20 + "}", '{"a": NaN}']
)
def test_runs_that_are_no_object_are_refused(text):
    with pytest.raises(UsageError, match="the run"):
        run_from_json(text)
