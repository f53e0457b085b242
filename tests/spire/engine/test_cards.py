"""The effects of every card, plain and upgraded, compared with a table typed from the original game's texts."""

import pytest

from evodom.spire.content.cards import CARDS, POOLS, STARTER_DECK, searing_blow
from evodom.spire.engine.layout import N_SHARED
from tests.spire.engine.helpers import NAMES, Table

# name | cost plain / upgraded | type | effects plain / upgraded
TABLE = """
Strike | 1 | Attack | damage 6 / 9
Defend | 1 | Skill | block 5 / 8
Bash | 2 | Attack | damage 8, Vulnerable 2 / damage 10, Vulnerable 3
Anger | 0 | Attack | damage 6, discard Anger / damage 8, discard Anger+
Armaments | 1 | Skill | block 5
Body Slam | 1 / 0 | Attack | -
Clash | 0 | Attack | damage 14 / 18
Cleave | 1 | Attack | damage 8 all / 11 all
Clothesline | 2 | Attack | damage 12, Weak 2 / damage 14, Weak 3
Flex | 0 | Skill | you Strength 2, you Strength Down 2 / you Strength 4, you Strength Down 4
Headbutt | 1 | Attack | damage 9 / 12
Heavy Blade | 2 | Attack | damage 14
Iron Wave | 1 | Attack | damage 5, block 5 / damage 7, block 7
Perfected Strike | 2 | Attack | damage 8 / 9
Pommel Strike | 1 | Attack | damage 9, draw 1 / damage 10, draw 2
Shrug It Off | 1 | Skill | block 8, draw 1 / block 11, draw 1
Thunderclap | 1 | Attack | damage 4 all, Vulnerable 1 all / damage 7 all, Vulnerable 1 all
True Grit | 1 | Skill | block 7 / 9
Twin Strike | 1 | Attack | damage 10 / 14
Wild Strike | 1 | Attack | damage 12, draw pile Wound / damage 17, draw pile Wound
Battle Trance | 0 | Skill | draw 3, you No Draw 1 / draw 4, you No Draw 1
Blood for Blood | 4 / 3 | Attack | damage 18 / 22
Bloodletting | 0 | Skill | hp -3, energy 2 / hp -3, energy 3
Burning Pact | 1 | Skill | draw 2 / draw 3
Carnage | 2 | Attack | damage 20 / 28
Combust | 1 | Power | you Combust 5, you Combust cost 1 / you Combust 7, you Combust cost 1
Dark Embrace | 2 / 1 | Power | you Dark Embrace 1
Disarm | 1 | Skill | Strength -2, exhaust / Strength -3, exhaust
Dropkick | 1 | Attack | damage 5 / 8
Dual Wield | 1 | Skill | -
Entrench | 2 / 1 | Skill | -
Evolve | 1 | Power | you Evolve 1 / you Evolve 2
Feel No Pain | 1 | Power | you Feel No Pain 3 / you Feel No Pain 4
Fire Breathing | 1 | Power | you Fire Breathing 6 / you Fire Breathing 10
Flame Barrier | 2 | Skill | block 12, you Flame Barrier 4 / block 16, you Flame Barrier 6
Ghostly Armor | 1 | Skill | block 10 / 13
Hemokinesis | 1 | Attack | damage 15, hp -2 / damage 20, hp -2
Infernal Blade | 1 / 0 | Skill | exhaust
Inflame | 1 | Power | you Strength 2 / you Strength 3
Intimidate | 0 | Skill | Weak 1 all, exhaust / Weak 2 all, exhaust
Metallicize | 1 | Power | you Metallicize 3 / you Metallicize 4
Power Through | 1 | Skill | block 15, hand 2 Wound / block 20, hand 2 Wound
Pummel | 1 | Attack | damage 8, exhaust / damage 10, exhaust
Rage | 0 | Skill | you Rage 3 / you Rage 5
Rampage | 1 | Attack | damage 8
Reckless Charge | 0 | Attack | damage 7, draw pile Dazed / damage 10, draw pile Dazed
Rupture | 1 | Power | you Rupture 1 / you Rupture 2
Searing Blow | 2 | Attack | damage 12 / 16
Second Wind | 1 | Skill | -
Seeing Red | 1 / 0 | Skill | energy 2, exhaust
Sentinel | 1 | Skill | block 5 / 8
Sever Soul | 2 | Attack | damage 16 / 22
Shockwave | 2 | Skill | Vulnerable 3 all, Weak 3 all, exhaust / Vulnerable 5 all, Weak 5 all, exhaust
Spot Weakness | 1 | Skill | you Strength 3 / you Strength 4
Uppercut | 2 | Attack | damage 13, Vulnerable 1, Weak 1 / damage 13, Vulnerable 2, Weak 2
Whirlwind | 4 | Attack | damage 20 all / 32 all
Barricade | 3 / 2 | Power | you Barricade 1
Berserk | 0 | Power | you Vulnerable 2, you Berserk 1 / you Vulnerable 1, you Berserk 1
Bludgeon | 3 | Attack | damage 32 / 42
Brutality | 0 | Power | you Brutality 1
Corruption | 3 / 2 | Power | you Corruption 1
Demon Form | 3 | Power | you Demon Form 2 / you Demon Form 3
Double Tap | 1 | Skill | you Double Tap 1 / you Double Tap 2
Exhume | 1 / 0 | Skill | exhaust
Feed | 1 | Attack | damage 10, exhaust / damage 12, exhaust
Fiend Fire | 2 | Attack | exhaust
Immolate | 2 | Attack | damage 21 all, discard Burn / damage 28 all, discard Burn
Impervious | 2 | Skill | block 30, exhaust / block 40, exhaust
Juggernaut | 2 | Power | you Juggernaut 5 / you Juggernaut 7
Limit Break | 1 | Skill | exhaust / -
Offering | 0 | Skill | hp -6, energy 2, draw 3, exhaust / hp -6, energy 2, draw 5, exhaust
Reaper | 2 | Attack | damage 4 all, hp 8, exhaust / damage 5 all, hp 10, exhaust
Bandage Up | 0 | Skill | hp 4, exhaust / hp 6, exhaust
Blind | 0 | Skill | Weak 2 / Weak 2 all
Chrysalis | 2 | Skill | exhaust
Dark Shackles | 0 | Skill | Strength -9, Shackled 9, exhaust / Strength -15, Shackled 15, exhaust
Deep Breath | 0 | Skill | draw 1 / draw 2
Enlightenment | 0 | Skill | -
Dramatic Entrance | 0 | Attack | damage 8 all, exhaust / damage 12 all, exhaust
Finesse | 0 | Skill | block 2, draw 1 / block 4, draw 1
Flash of Steel | 0 | Attack | damage 3, draw 1 / damage 6, draw 1
Forethought | 0 | Skill | -
Good Instincts | 0 | Skill | block 6 / 9
Hand of Greed | 2 | Attack | damage 20 / 25
Impatience | 0 | Skill | draw 2 / draw 3
Madness | 1 / 0 | Skill | exhaust
Magnetism | 2 / 1 | Power | you Magnetism 1
Master of Strategy | 0 | Skill | draw 3, exhaust / draw 4, exhaust
Mayhem | 2 / 1 | Power | you Mayhem 1
Metamorphosis | 2 | Skill | exhaust
Mind Blast | 2 / 1 | Attack | damage 9
Panacea | 0 | Skill | you Artifact 1, exhaust / you Artifact 2, exhaust
Panache | 0 | Power | you Panache 10 / you Panache 14
Panic Button | 0 | Skill | block 30, you No Block 2, exhaust / block 40, you No Block 2, exhaust
Purity | 0 | Skill | exhaust
Sadistic Nature | 0 | Power | you Sadistic Nature 5 / you Sadistic Nature 7
Secret Technique | 0 | Skill | draw 1, exhaust / draw 1
Swift Strike | 0 | Attack | damage 7 / 10
The Bomb | 2 | Skill | you Bomb in 3 turns 40 / you Bomb in 3 turns 50
Thinking Ahead | 0 | Skill | draw 1, exhaust / draw 1
Trip | 0 | Skill | Vulnerable 2 / Vulnerable 2 all
Violence | 0 | Skill | exhaust
Slimed | 1 | Status | exhaust
"""

ROWS = {
    cells[0]: cells[1:] for cells in ([cell.strip() for cell in row.split(" | ")] for row in TABLE.split("\n") if row)
}

ELSEWHERE = {
    "Apotheosis",
    "Discovery",
    "Havoc",
    "Jack of All Trades",
    "Secret Weapon",
    "Transmutation",
    "Sword Boomerang",
    "Warcry",
}
"""Cards with separate tests."""

TARGETED = """Anger, Bash, Blind, Blood for Blood, Bludgeon, Body Slam, Carnage, Clash, Clothesline, Dark Shackles,
Disarm, Dropkick, Feed, Fiend Fire, Flash of Steel, Hand of Greed, Mind Blast, Swift Strike, Trip, Headbutt, Heavy
Blade, Hemokinesis, Iron Wave, Perfected Strike, Pommel Strike, Pummel, Rampage, Reckless Charge, Searing Blow, Sever
Soul, Spot Weakness, Strike, Twin Strike, Uppercut, Wild Strike"""

RARITIES = {"basic": 3, "common": 20, "uncommon": 36, "rare": 16, "colourless": 35}


def both(cell):
    """Return a cell's values for the plain and the upgraded card."""
    plain, _, upgraded = cell.partition(" / ")
    if upgraded and upgraded.split()[0].isdigit() and not plain.isdigit():
        upgraded = f"{plain.split()[0]} {upgraded}"
    return plain, upgraded or plain


def changes(name):
    """Play a card at the first of two enemies. Return the changes, and the fight after it."""
    table = Table(
        "Cultist 99, Dark Strike | Jaw Worm 99", hand=name, draw="9 Defend", you="energy 4", also="Dazed, Burn"
    )
    table.play(name, at=1 if CARDS[name].targeted else 0)
    (first, second), found = (_of_enemy(table.now, place) for place in (1, 2)), []
    found += [change + " all" * (change in second) for change in first]
    assert not set(second) - set(first)
    found += [f"hp {table.hp - 50}"] * (table.hp != 50) + [f"block {table.block}"] * (table.block > 0)
    energy = table.energy - 4 + (4 if name.startswith("Whirlwind") else CARDS[name].cost)
    found += [f"energy {energy}"] * (energy != 0)
    n_drawn = 9 - int(table.now.piles[1, table.rules.kind("Defend")])
    found += [f"draw {n_drawn}"] * (n_drawn > 0)
    found += [f"you {status} {n}" for status, n in table.has.items() if n]
    created = [
        (pile, text) for pile, text in (("discard", table.discard), ("draw pile", table.draw), ("hand", table.hand))
    ]
    found += [f"{pile} {part}" for pile, text in created for part in text.split(", ") if _is_created(part, name)]
    if name.startswith("Anger"):
        assert table.discard == f"2 {name}"
        found.append(f"discard {name}")
    return found + ["exhaust"] * (name in table.exhaust), table


def _of_enemy(fight, place):
    lost = [f"damage {99 - fight.hp[place]}"] if fight.hp[place] < 99 else []
    return lost + [f"{NAMES[status]} {n}" for status, n in enumerate(fight.status[place, :N_SHARED]) if n]


def _is_created(part, name):
    return part.split(" ", 1)[-1] in ("Wound", "Dazed", "Burn") and not part.endswith(name)


def test_every_card_has_a_row():
    plain = {name for name in CARDS if not name.endswith("+")} - set(ROWS) - ELSEWHERE

    assert all(CARDS[name].kind in ("Status", "Curse") and CARDS[name].cost is None for name in plain)
    assert len(plain) == 19 - 1 - 1  # statuses and curses, without Slimed and Burn+


@pytest.mark.parametrize("is_upgraded", [False, True], ids=["plain", "upgraded"])
@pytest.mark.parametrize("name", ROWS)
def test_the_effects_of_a_card_are_those_of_the_table(name, is_upgraded):
    if name == "Slimed" and is_upgraded:
        return
    cost, kind, does = ROWS[name]
    card = CARDS[name + "+" * is_upgraded]

    found, table = changes(card.name)

    assert sorted(found) == sorted(part for part in both(does)[is_upgraded].split(", ") if part != "-")
    assert card.kind == kind
    if not name.startswith("Whirlwind"):
        assert card.cost == int(both(cost)[is_upgraded])
    assert (card.name in table.discard or "exhaust" in found) == (kind != "Power")


def test_cards_with_a_target():
    names = {name.strip() for name in TARGETED.replace("\n", " ").split(",")}

    assert {card.name.rstrip("+") for card in CARDS.values() if card.targeted} == names


def test_there_are_75_cards_of_the_ironclad_and_35_colourless_cards():
    for rarity, n in RARITIES.items():
        assert len({card.name.rstrip("+") for card in CARDS.values() if card.rarity == rarity}) == n
    assert [len(POOLS[name]) for name in ("Attack", "Skill", "Power", "class")] == [28, 28, 14, 70]
    assert dict(STARTER_DECK) == {"Strike": 5, "Defend": 4, "Bash": 1}


def test_searing_blow_can_be_upgraded_repeatedly():
    assert [searing_blow(n).effects[0].n for n in range(6)] == [12, 16, 21, 27, 34, 42]
    assert searing_blow(1) == CARDS["Searing Blow+"]


def test_innate_cards():
    innate = {name for name, card in CARDS.items() if card.innate}

    assert innate == {"Brutality+", "Writhe", "Mind Blast", "Mind Blast+", "Dramatic Entrance", "Dramatic Entrance+"}


def test_ethereal_cards():
    ethereal = {name.rstrip("+") for name, card in CARDS.items() if card.ethereal}

    assert ethereal == {"Carnage", "Ghostly Armor", "Dazed", "Void", "Ascender's Bane", "Clumsy"}
