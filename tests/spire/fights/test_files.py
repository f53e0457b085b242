"""Fights in files: read with every field checked, and written so that they read the same."""

import json
import re
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evodom.distribution import uniform, weighted
from evodom.errors import UsageError
from evodom.spire.content.encounters import groups_of
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import (
    Fight,
    Payoff,
    fight_from_state,
    fight_from_toml,
    fight_to_toml,
    read_fight,
    read_run,
    state_from_fight,
)
from evodom.spire.fights.fight import POTION_PRICE
from evodom.spire.map import read_map
from tests.effort import effort

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "fight-files.md").read_text()

BEGUN = """
enemies = "nob"
ascension = 18
hp = 40
max_hp = 80
deck = "5 Strike, 4 Defend, Bash+, Ascender's Bane"
relics = ["Burning Blood", "nunchaku", "Pen Nib"]
counters = { Nunchaku = 7, "pen nib" = 9 }
potions = "2 fire potion, fairy"
turns = 30

[payoff]
kind = "both"
potion = 2.5
gain = 3

[state]
turn = 2
energy = 1
block = 4
statuses = { vulnerable = 1, Strength = -2 }
hand = "2 Strike, Defend"
draw = "3 Strike, Bash+, Defend"
discard = "defend"
exhaust = "ascenders bane"
top = "bash, strike"
potions = ["fairy in a bottle", "fire potion"]
played = "attack"

[[state.enemies]]
name = "nob"
hp = 61
max_hp = 88
intent = "rush"
statuses = { Enrage = 3, Strength = 3 }
"""

WEIGHTED = """
[enemies]
nob = 1
lagavulin = 0.5
"red louse, green louse" = 2
"""


ACTING = [name for name, relic in RELICS.items() if relic.when is not None]


def changed(key, value, text=BEGUN):
    """Return a text with another value for a key; without the key for None."""
    line = "" if value is None else f"{key} = {value}"
    found, n = re.subn(rf"(?m)^{key} = .*$", lambda _: line, text, count=1)
    return found if n else f"{line}\n{text}"


def in_state(key, value):
    """Return a text with another value for a key of [state], or of its enemy for "enemy.hp"."""
    part = "[[state.enemies]]" if key.startswith("enemy.") else "[state]"
    before, after = BEGUN.split(part)
    key = key.removeprefix("enemy.")
    line = "" if value is None else f"{key} = {value}"
    return f"{before}{part}\n{line}\n" + re.sub(rf"(?m)^{key} = .*$", "", after, count=1)


def test_a_fight_is_read():
    fight = fight_from_toml(BEGUN)

    assert fight.setup == Setup(
        enemies=groups_of("Gremlin Nob"),
        ascension=18,
        hp=40,
        max_hp=80,
        deck={"Strike": 5, "Defend": 4, "Bash+": 1, "Ascender's Bane": 1},
        relics=("Burning Blood", "Nunchaku", "Pen Nib"),
        counters={"Nunchaku": 7, "Pen Nib": 9},
        potions=("Fire Potion", "Fire Potion", "Fairy in a Bottle"),
        max_turns=30,
    )
    assert fight.payoff == Payoff("both", 2.5, 3.0)
    assert dict(fight.encounter_names()) == {"Gremlin Nob": 1}
    state = fight.state
    assert (state.turn, state.energy, state.block, state.played) == (2, 1, 4, ("Attack",))
    assert (state.hand, state.discard) == ({"Strike": 2, "Defend": 1}, {"Defend": 1})
    assert state.exhaust == {"Ascender's Bane": 1}
    assert state.top == ("Bash+", "Strike")
    assert state.potions == ("Fairy in a Bottle", "Fire Potion")
    assert state.statuses == {"Vulnerable": 1, "Strength": -2}
    (nob,) = state.enemies
    assert (nob.name, nob.hp, nob.max_hp, nob.intent, nob.history) == ("Gremlin Nob", 61, 88, "Rush", None)


def test_defaults_of_a_fight_file():
    fight = fight_from_toml('enemies = "3 louses"')

    assert fight.setup == Setup(enemies=groups_of("Three Louses"))
    assert fight.payoff == Payoff("hp", POTION_PRICE, 0.0)
    assert fight.state is None
    assert fight_from_toml('enemies = "3 louses"\n[payoff]\npotion = 0').payoff == Payoff("hp", 0.0, 0.0)


def test_encounters_with_weights():
    fight = fight_from_toml(WEIGHTED)

    assert fight.encounters == weighted({"Gremlin Nob": 2, "Lagavulin": 1, "Red Louse, Green Louse": 4})
    assert dict(fight.setup.enemies) == {
        ("Gremlin Nob",): fight.encounters.probability("Gremlin Nob"),
        ("Lagavulin",): fight.encounters.probability("Lagavulin"),
        ("Red Louse", "Green Louse"): fight.encounters.probability("Red Louse, Green Louse"),
    }
    for name, _, setup in fight.encounter_setups():
        assert setup.enemies == (groups_of(name) if "," not in name else uniform([("Red Louse", "Green Louse")]))


def test_the_encounters_of_the_act_have_its_own_weights():
    for act, n in (("weak", 4), ("elites", 3), ("bosses", 3), ("strong", 10)):
        fight = fight_from_toml(f'enemies = {{ act = "{act}" }}')
        assert len(fight.encounters) == n
        assert fight_from_toml(fight_to_toml(fight)) == fight
    assert fight.encounters.probability("Looter") == 2 * fight.encounters.probability("Red Slaver")
    assert 2 * fight.encounters.probability("Exordium Thugs") == 3 * fight.encounters.probability("Red Slaver")


@pytest.mark.parametrize(
    "text",
    [
        BEGUN,
        WEIGHTED,
        'enemies = ["cultist", "3 louses"]\nenemy_hp = [50, "rolled", 11, 12]',
        'enemies = "lagavulin"\nburning = "Regenerate"\nrelics = []\npotions = "none"',
        "[enemies]\nnob = 1000\nlagavulin = 0.001",
    ],
)
def test_a_fight_reads_back_as_it_is_written(text):
    fight = fight_from_toml(text)

    assert fight_from_toml(fight_to_toml(fight)) == fight


BEFORE_ENEMIES = BEGUN.split("[[state")[0]
REFUSED = [
    ("", "enemies is missing. Allowed: enemies such as"),
    ("enemies = ", "is not TOML: Invalid value"),
    ("enemies = 'nob'\nenemies = 'nob'", "is not TOML: Cannot overwrite"),
    ("enemies = " + "[" * 5000, "nested deeper"),
    ("hp = " + "9" * 5000, "is not TOML: an integer has more than 64 bits.$"),
    ("hp = 1e99999999999999999999\nenemies = 'nob'", "hp is inf"),
    (changed("hop", 3), "'hop' is unknown. Allowed: enemies, .* Did you mean hp\\?"),
    (changed('"a\\nb"', 3), r"'a\\nb' is unknown"),
    (changed("enemies", 3), "enemies is 3. Allowed: enemies such as"),
    (changed("enemies", '["nob", 3]'), r"enemies\[1\] is 3. Allowed: a text"),
    (changed("enemies", '"byrd"'), "enemies: no encounter or enemy named 'byrd'. Closest: "),
    (changed("enemies", '"slime boss, 2 nob"'), "enemies Slime Boss, Gremlin Nob, Gremlin Nob need too many places"),
    (changed("enemies", "{}"), "enemies: this is {}. Allowed: 1 to 50 encounters"),
    (changed("enemies", '{ act = "all" }'), "enemies: act is 'all'. Allowed: one of bosses, elites"),
    (changed("enemies", '{ act = "weak", nob = 1 }'), "enemies: 'nob' is unknown"),
    (changed("enemies", "{ nob = 0 }"), "enemies: 'nob' is 0. Allowed: more than 0 and at most 1,000"),
    (changed("enemies", "{ nob = nan }"), "enemies.nob is nan. Allowed: a finite number"),
    (changed("enemies", "{ nob = true }"), "enemies: 'nob' is True"),
    (changed("enemies", "{ nob = 0.0001 }"), "'nob' is 0.0001. Allowed: at most three decimals"),
    (changed("enemies", '{ nob = 1, "gremlin nob" = 1 }'), "enemies: Gremlin Nob is listed twice"),
    (changed("enemies", "{ nob = 1, lagavulin = 1 }"), "state needs a single encounter"),
    (changed("ascension", 21), "ascension is 21. Allowed: 0 to 20"),
    (changed("ascension", "true"), "ascension is True. Allowed: 0 to 20"),
    (changed("hp", "40.0"), "hp is 40.0. Allowed: a whole number from 1 to 999"),
    (changed("hp", 10**40), "an integer has more than 64 bits"),
    (changed("hp", 81), "hp is 81. Allowed: 1 to 80, max_hp"),
    (changed("deck", '"Strike, Smite"'), "deck: no card named 'Smite'"),
    (changed("deck", '"none"'), "deck has no cards"),
    (changed("deck", "{ Strike = 5 }"), "deck is {'Strike': 5}. Allowed: cards such as"),
    (changed("relics", '"vajra, Vajra"'), "relics: Vajra is listed twice"),
    (changed("relics", '"frozen eye"'), "relics: Frozen Eye is not supported: shows the order of the draw pile"),
    (changed("counters", "{ nunchaku = 10 }"), "counters.Nunchaku is 10. Allowed: 0 to 9"),
    (changed("counters", "{ vajra = 1 }"), "counters.vajra is no relic of the fight with a counter"),
    (changed("counters", '{ nunchaku = 1, "Nunchaku " = 1 }'), "counters has Nunchaku twice"),
    (changed("counters", 7), "counters is 7. Allowed: a table of names"),
    ('enemies = "cultist"\nrelics = "Girya"\ncounters = { Girya = 4 }', "counters.Girya is 4. Allowed: 0 to 3"),
    (changed("potions", '"6 fire potion"'), "potions: 6 potions. Allowed: at most 5"),
    (changed("burning", '"Fire"'), "burning is 'Fire'. Allowed: Strength, HP, Metallicize, Regenerate"),
    ('enemies = "cultist"\nburning = "HP"', 'burning is "HP". Allowed: only where all enemies are elites'),
    ('enemies = "cultist"\nenemy_hp = [1, 2]', "enemy_hp has 2 numbers. Allowed: 1"),
    ('enemies = "cultist"\nenemy_hp = [0]', r"enemy_hp\[0\] is 0. Allowed: 1 to 999 or one of rolled"),
    ('enemies = "cultist"\nenemy_hp = 50', "enemy_hp is 50. Allowed: a list of at most 5 items"),
    ("enemy_hp = [1]\n" + WEIGHTED, "enemy_hp needs a single encounter"),
    (f'enemies = "nob"\nrelics = {json.dumps(ACTING[:25])}', "relics has 25 that act in fights. Allowed: at most 24"),
    (changed("turns", 1), "state: turn is 2. Allowed: at most 1, the turns of the fight"),
    (changed("payoff", 3, 'enemies = "nob"'), "payoff is 3. Allowed: an object with kind, potion, gain"),
    (changed("kind", '"most"'), "payoff.kind is 'most'. Allowed: one of both, hp, win"),
    (changed("potion", "nan"), "payoff.potion is nan"),
    (changed("gain", -1), "payoff.gain is -1. Allowed: 0 to 999"),
    (changed("gain", 0.0005), "payoff.gain is 0.0005. Allowed: at most three decimals"),
    (in_state("energy", None), "energy of state is missing. Allowed: 0 to 99"),
    (in_state("draw", None), "draw of state is missing. Allowed: cards such as"),
    (in_state("gold", 3), "'gold' of state is unknown. Allowed: turn"),
    (in_state("turn", 0), "state.turn is 0"),
    (in_state("hand", '"anger"'), "state.hand: no card named 'anger'. Closest: "),
    (in_state("hand", '"5 strike, 4 defend, bash, bane"'), "state: hand has 11 cards. Allowed: at most 10"),
    (in_state("top", '"2 bash"'), r"state: top has Bash\+ more often than draw"),
    (in_state("potions", '"3 fire"'), "state: potions has Fire Potion. Allowed: Fire Potion, Fire Potion, Fairy"),
    (in_state("played", '"spell"'), "state.played: no type of card named 'spell'. Closest: "),
    (in_state("statuses", "{ Enrage = 3 }"), "state.statuses: no status named 'Enrage'"),
    (in_state("statuses", "{ weak = -1 }"), "state.statuses.Weak is -1. Allowed: 0 to 999"),
    (in_state("statuses", '{ "No Draw" = 2 }'), "state.statuses.No Draw is 2. Allowed: 0 to 1"),
    (in_state("statuses", "{ weak = 1, WEAK = 1 }"), "state.statuses has Weak twice"),
    (in_state("enemy.name", '"cultist"'), r"state.enemies\[0\].name: no enemy named 'cultist'"),
    (in_state("enemy.name", None), r"name of state.enemies\[0\] is missing"),
    (in_state("enemy.hp", 0), r"state.enemies\[0\].hp is 0. Allowed: 1 to 999"),
    (in_state("enemy.hp", 89), r"state: enemies\[0\].hp is 89. Allowed: 1 to 88, its max_hp"),
    (in_state("enemy.intent", '"chomp"'), r"state.enemies\[0\].intent: no move named 'chomp'. Closest: "),
    (in_state("enemy.run", 7), r"state: enemies\[0\].run is 7. Allowed for Rush: 2, 3"),
    (in_state("enemy.statuses", "{}"), r"state: enemies\[0\].statuses lacks Enrage"),
    (in_state("enemy.statuses", "{ Splits = 1 }"), r"state.enemies\[0\].statuses: no status named 'Splits'"),
    (in_state("enemy.gold", 3), r"'gold' of state.enemies\[0\] is unknown"),
    (BEFORE_ENEMIES, "enemies of state is missing. Allowed: 1 to 5 of"),
    (BEFORE_ENEMIES + "enemies = []", "state: enemies are 0. Allowed: 1 to 5 places"),
    (BEFORE_ENEMIES + "enemies = 3", "state.enemies is 3"),
    (BEFORE_ENEMIES + "enemies = [3]", r"state.enemies\[0\] is 3. Allowed: an object with name"),
    ('enemies = "nob"\nstate = 3', "state is 3. Allowed: a table of a fight"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_invalid_fights_raise_one_line_errors(text, message):
    with pytest.raises(UsageError, match=message) as error:
        fight_from_toml(text, name="mine.toml")

    assert re.fullmatch(r"mine\.toml.{,390}", str(error.value))


@pytest.mark.parametrize(
    ("hp", "intent", "relics", "is_possible"),
    [(36, "lick", "", 1), (35, "split", "", 1), (35, "lick", "", 0), (36, "split", "", 0), (1, "lick", "neow", 1)],
)
def test_slimes_intend_to_split_exactly_at_half_hp(hp, intent, relics, is_possible):
    enemy = f'{{ name = "spike slime l", hp = {hp}, max_hp = 70, intent = "{intent}" }}'
    state = f'[state]\nenergy = 3\nhand = "none"\ndraw = "strike"\ndiscard = ""\nenemies = [{enemy}]'
    message = "Allowed: Split exactly at half of max_hp or less"

    with nullcontext() if is_possible else pytest.raises(UsageError, match=message):
        fight_from_toml(f'enemies = "large slime"\nrelics = "{relics}"\n{state}')


@pytest.mark.parametrize("read", [read_fight, read_run, read_map])
@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "cannot be read: "), (b"\xff\xfe", "is no text in UTF-8"), (b"#" * 2_000_001, "is too large for a ")],
)
def test_unreadable_files_are_refused(tmp_path, read, content, message):
    file = tmp_path / "one.file"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(UsageError, match=message):
        read(file)


SETUPS = st.builds(
    Setup,
    enemies=st.sampled_from([groups_of(name) for name in ("Cultist", "Three Louses", "Slime Boss", "Small Slimes")]),
    ascension=st.integers(0, 20),
    deck=st.none() | st.dictionaries(st.sampled_from(["Bash", "Strike+", "Rampage"]), st.integers(1, 9), min_size=1),
    max_hp=st.integers(70, 99),
    hp=st.none() | st.integers(1, 70),
    relics=st.lists(st.sampled_from(list(RELICS)), unique=True, max_size=5).map(tuple),
    potions=st.lists(st.sampled_from(list(POTIONS)), max_size=5).map(tuple),
    max_turns=st.none() | st.integers(1, 99),
)
PAYOFFS = st.builds(Payoff, st.sampled_from(["hp", "win", "both"]), st.sampled_from([0.0, 2.125]), st.just(1.0))


@settings(deadline=None, max_examples=effort(25, 3, 3))
@given(st.builds(Fight, SETUPS, PAYOFFS))
@example(Fight(Setup(enemies=uniform([("Cultist",), ("Red Louse", "Green Louse")]), deck={"Bash": 1})))
def test_any_fight_reads_back_as_it_is_written(fight):
    read = fight_from_toml(fight_to_toml(fight))

    assert (read.setup, read.payoff, read.state) == (fight.setup, fight.payoff, fight.state)


@pytest.mark.parametrize(
    ("counters", "strength"), [("", 3), ("counters = { Girya = 1 }", 1), ("counters = { Girya = 0 }", 0)]
)
def test_girya_gives_strength_equal_to_its_counter(counters, strength):
    fight = fight_from_toml(f'enemies = "cultist"\nrelics = ["Girya"]\n{counters}\n')
    game = SpireFight(fight.setup)
    state = game.start(np.random.default_rng(1))
    begun = fight_from_state(fight, game, state)
    again = fight_from_toml(fight_to_toml(begun))

    assert begun.state.statuses.get("Strength", 0) == strength
    assert again == begun
    assert again.setup.counters == fight.setup.counters
    assert state_from_fight(again, SpireFight(again.setup)) == state


def test_the_fight_of_the_page_can_be_played():
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    fight = fight_from_toml(example)
    game = SpireFight(fight.setup)
    moves = {game.action_name(move) for move in game.actions(state_from_fight(fight, game))}

    targeted = {f"{name} at enemy 1" for name in ("Strike", "Searing Blow+2", "Fire Potion (1)")}
    assert moves == {"end", "Defend", "Shrug It Off", *targeted}
    assert fight_from_toml(fight_to_toml(fight)) == fight
