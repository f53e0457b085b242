"""Names of cards, relics, potions, enemies and encounters, as a person types them."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.errors import UsageError
from evodom.spire.content.cards import CARDS
from evodom.spire.content.encounters import encounters, groups_of
from evodom.spire.content.enemies import ENEMIES
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import RELICS, UNSUPPORTED
from evodom.spire.fights.names import (
    INACTIVE_RELICS,
    cards_from_text,
    cards_to_text,
    enemy_names_in,
    find_card,
    find_enemies,
    find_enemy,
    find_potion,
    find_relic,
)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("bash, 2 strike,  3x defend+, ascender\u2019s bane", "Bash, 2 Strike, 3 Defend+, Ascender's Bane"),
        ("Bash 2 Strike 3 x Defend", "Bash, 2 Strike, 3 Defend"),
        ("Strike, Strike+, strike", "2 Strike, Strike+"),
        ("searing+12, Searing Blow+3", "Searing Blow+12, Searing Blow+3"),
        ("searing blow+1, searing", "Searing Blow+, Searing Blow"),
        ("wave+ , shrug, grit, bane", "Iron Wave+, Shrug It Off, True Grit, Ascender's Bane"),
        ("burn+, pain", "Burn+, Pain"),
        ("clash (costs 1 this turn), 1 Rampage+(16)( Costs  0 )", "Clash (costs 1 this turn), Rampage+ (16) (costs 0)"),
        ("strike (costs 1), bash (costs 2) (costs 0 this turn)", "Strike, Bash (costs 0 this turn)"),
        ("none", "none"),
        ("", "none"),
    ],
)  # fmt: skip
def test_cards_are_found_by_unambiguous_parts_of_names(text, cards):
    assert cards_to_text(cards_from_text(text)) == cards


def test_variants_of_cards_are_found_among_given_names():
    names = ["Strike+", "Rampage", "Rampage (13)", "Blood for Blood (costs 2)", "Blood for Blood+ (costs 2)", "Bash"]

    found = cards_from_text("2 rampage (13), rampage, blood+ (costs 2), strike", names)
    assert found == {"Rampage (13)": 2, "Rampage": 1, "Blood for Blood+ (costs 2)": 1, "Strike+": 1}
    with pytest.raises(UsageError, match=r"^no card named 'rampage \(18\)'\. Allowed: Rampage, Rampage \(13\)\.$"):
        find_card("rampage (18)", names)
    with pytest.raises(UsageError, match=r"^no card named 'Defend'"):
        find_card("Defend", names)


@pytest.mark.parametrize(
    "text", ["rampage (12)", "strike (13)", "whirlwind (costs 0)", "wound (costs 1)", "bash (free)"]
)
def test_impossible_changes_of_cards_are_refused(text):
    with pytest.raises(UsageError, match=r"^no card named"):
        find_card(text)


def test_single_letters_are_found_among_given_names():
    names = ["Strike", "Strike+", "Defend", "Bash", "Ascender's Bane", "Burn", "Burning Pact"]

    found = cards_from_text("3 s, 2 s+, d, ba, asc, burn", names)
    assert found == {"Strike": 3, "Strike+": 2, "Defend": 1, "Bash": 1, "Ascender's Bane": 1, "Burn": 1}
    with pytest.raises(UsageError, match=r"^'b' could be Bash, Ascender's Bane, Burn or Burning Pact\."):
        cards_from_text("b", names)
    with pytest.raises(UsageError, match=r"^no card named 'x'\. "):
        cards_from_text("x", names)


def test_every_name_is_found_by_itself_in_any_case():
    for find_name, names in ((find_card, CARDS), (find_relic, RELICS), (find_potion, POTIONS), (find_enemy, ENEMIES)):
        for name in names:
            assert find_name(name) == find_name(name.upper()) == name
    for name in (*encounters(), *ENEMIES):
        assert enemy_names_in(name.lower()) == (name,)


ENEMIES_BY_TEXT = """
nob: Gremlin Nob | sentries: Three Sentries | 3 sentries: Three Sentries | sentry: Sentry | 2 lice: Two Louses
three lice: Three Louses | 3 louses: Three Louses | 3 Louse: Three Louses | 2 fungi: Two Fungi Beasts
2 Fungi Beasts: Two Fungi Beasts | fungi beast: Fungi Beast | slime boss: Slime Boss | guardian: The Guardian
hexa: Hexaghost | small slime: Small Slimes | acid slime m: Acid Slime (M) | thugs: Exordium Thugs | gang: Gremlin Gang
awake lagavulin: Lagavulin (awake) | The Mushroom Lair: Three Fungi Beasts | Lagavulin Event: Lagavulin (awake)
red louse, green louse: Red Louse, Green Louse | cultist & jaw worm: Cultist, Jaw Worm
cultist and 2 jaw worms: Cultist, Jaw Worm, Jaw Worm | 3x cultist: Cultist, Cultist, Cultist
"""


@pytest.mark.parametrize("pair", re.split(r" \| |\n", ENEMIES_BY_TEXT.strip()))
def test_enemies_are_found_by_names_numbers_and_plurals(pair):
    text, parts = pair.split(": ")

    assert ", ".join(enemy_names_in(text)) == parts


def test_an_encounter_is_a_distribution_and_a_list_is_one_group():
    assert find_enemies("3 louses") == groups_of("Three Louses")
    assert len(find_enemies("3 louses")) == 8
    assert dict(find_enemies("red louse, green louse")) == {("Red Louse", "Green Louse"): 1}
    assert dict(find_enemies("sentries")) == {("Sentry", "Middle Sentry", "Sentry"): 1}
    assert {group[:1] for group, _ in find_enemies("cultist, 2 lice")} == {("Cultist",)}
    assert len(find_enemies("cultist, 2 lice")) == 4


@pytest.mark.parametrize(
    ("find", "text", "message"),
    [
        (find_card, "Smite", r"^no card named 'Smite'\. Closest: Parasite, Shame, Writhe\.$"),
        (find_card, "Stirke", r"^no card named 'Stirke'\. Closest: Strike"),
        (find_card, "Strike+2", r"^no card named 'Strike\+2'\. Allowed: Strike, Strike\+\.$"),
        (find_card, "Wound+", r"^no card named 'Wound\+'\. Allowed: Wound\.$"),
        (find_card, "Searing Blow+100", r"Allowed: Searing Blow, Searing Blow\+, and up to \+99"),
        (find_card, "fire", r"^'fire' could be Fire Breathing or Fiend Fire\. Write more of the name of the card\.$"),
        (find_card, "", "^no card named ''"),
        (cards_from_text, "0 Strike", r"^'0 Strike' .* Allowed: 1 to 99"),
        (cards_from_text, "100 Strike", "Allowed: 1 to 99"),
        (cards_from_text, "9" * 5000 + " Strike", "Allowed: 1 to 99"),
        (cards_from_text, "60 Strike, 60 Strike", "^Strike is listed 120 times. Allowed: 1 to 99"),
        (cards_from_text, "Bash\nStr\nike", "^no card named"),
        (find_relic, "Pen Nub", r"^no relic named 'Pen Nub'\. Closest: Pen Nib"),
        (find_relic, "nilrys codex", "^Nilry's Codex is not supported: makes random cards"),
        (find_relic, "golden idol", "^Golden Idol is not supported: it has no effect"),
        (find_potion, "entropic brew", "^Entropic Brew is not supported: makes random potions"),
        (find_potion, "potion", "^'potion' could be Ancient Potion, .* or [0-9]+ others"),
        (find_enemies, "louse", "^'louse' could be Two Louses, Three Louses, Red Louse or Green Louse"),
        (find_enemies, "4 louses", "^'louses' could be Red Louse or Green Louse"),
        (find_enemies, "Cultist, Byrd", "^no encounter or enemy named 'Byrd'. Closest: "),
        (find_enemies, "9 cultists", "^'9 cultists' has an invalid number. Allowed: 1 to 5 enemies"),
        (find_enemies, "0 cultists", "^'0 cultists' has an invalid number"),
        (find_enemies, "gang, gang", "^Gremlin Gang, Gremlin Gang are too many. Allowed: at most 5 enemies"),
        (find_enemies, "cultist," * 100, "^100 enemies. Allowed: at most 5"),
        (find_enemies, " , ", "^no enemies. Name an encounter"),
    ],
)
def test_unknown_and_ambiguous_names_raise_one_line_errors(find, text, message):
    with pytest.raises(UsageError, match=message) as error:
        find(text)

    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


RELICS_OF_THE_GAME = """
    Burning Blood, Ring of the Snake, Cracked Core, Pure Water,
    Akabeko, Anchor, Ancient Tea Set, Art of War, Bag of Marbles, Bag of Preparation, Blood Vial, Bronze Scales,
    Centennial Puzzle, Ceramic Fish, Damaru, Data Disk, Dream Catcher, Happy Flower, Juzu Bracelet, Lantern, Maw Bank,
    Meal Ticket, Nunchaku, Oddly Smooth Stone, Omamori, Orichalcum, Pen Nib, Potion Belt, Preserved Insect, Red Skull,
    Regal Pillow, Smiling Mask, Snecko Skull, Strawberry, The Boot, Tiny Chest, Toy Ornithopter, Vajra, War Paint,
    Whetstone,
    Blue Candle, Bottled Flame, Bottled Lightning, Bottled Tornado, Darkstone Periapt, Duality, Eternal Feather,
    Frozen Egg, Gold-Plated Cables, Gremlin Horn, Horn Cleat, Ink Bottle, Kunai, Letter Opener, Matryoshka,
    Meat on the Bone, Mercury Hourglass, Molten Egg, Mummified Hand, Ninja Scroll, Ornamental Fan, Pantograph,
    Paper Krane, Paper Phrog, Pear, Question Card, Self-Forming Clay, Shuriken, Singing Bowl, Strike Dummy, Sundial,
    Symbiotic Virus, Teardrop Locket, The Courier, Toxic Egg, White Beast Statue,
    Bird-Faced Urn, Calipers, Captain's Wheel, Champion Belt, Charon's Ashes, Cloak Clasp, Dead Branch, Du-Vu Doll,
    Emotion Chip, Fossilized Helix, Gambling Chip, Ginger, Girya, Golden Eye, Ice Cream, Incense Burner, Lizard Tail,
    Magic Flower, Mango, Old Coin, Peace Pipe, Pocketwatch, Prayer Wheel, Shovel, Stone Calendar, The Specimen,
    Thread and Needle, Tingsha, Torii, Tough Bandages, Tungsten Rod, Turnip, Unceasing Top, Wing Boots,
    Astrolabe, Black Blood, Black Star, Busted Crown, Calling Bell, Coffee Dripper, Cursed Key, Ectoplasm, Empty Cage,
    Frozen Core, Fusion Hammer, Holy Water, Hovering Kite, Inserter, Mark of Pain, Nuclear Battery, Pandora's Box,
    Philosopher's Stone, Ring of the Serpent, Runic Cube, Runic Dome, Runic Pyramid, Sacred Bark, Slaver's Collar,
    Snecko Eye, Sozu, Tiny House, Velvet Choker, Violet Lotus, Wrist Blade,
    Bloody Idol, Cultist Headpiece, Enchiridion, Face of Cleric, Golden Idol, Gremlin Visage, Mark of the Bloom,
    Mutagenic Strength, N'loth's Gift, N'loth's Hungry Face, Necronomicon, Neow's Lament, Nilry's Codex, Odd Mushroom,
    Red Mask, Spirit Poop, Ssserpent Head, Warped Tongs,
    Brimstone, Cauldron, Chemical X, Clockwork Souvenir, Dolly's Mirror, Frozen Eye, Hand Drill, Lee's Waffle,
    Medical Kit, Melange, Membership Card, Orange Pellets, Orrery, Prismatic Shard, Runic Capacitor, Sling of Courage,
    Strange Spoon, The Abacus, Toolbox, Twisted Funnel,
    Circlet, Red Circlet
"""
"""The relics of the game: starters, common, uncommon, rare, boss, events, shop, and the two circlets."""


def test_every_relic_of_the_game_is_implemented_without_effect_or_refused_with_the_reason():
    names = [name.strip() for name in RELICS_OF_THE_GAME.split(",")]

    assert len(names) == 180
    assert sorted((*RELICS, *INACTIVE_RELICS, *UNSUPPORTED)) == sorted(names)
    for name in names:
        if name in RELICS:
            assert find_relic(name) == name
            assert RELICS[name].effects or RELICS[name].changes or name == "Du-Vu Doll"
        else:
            reason = UNSUPPORTED.get(name, "it has no effect in fights")
            with pytest.raises(UsageError, match=f"^{re.escape(name)} is not supported: {re.escape(reason)}"):
                find_relic(name)


@given(st.text(max_size=30) | st.text("23 ,x+(S)loustrikeb", max_size=20))
def test_any_text_is_read_or_refused(text):
    for find_name in (find_relic, find_potion, cards_from_text, find_enemies):
        with suppress(UsageError):
            find_name(text)


@given(st.dictionaries(st.sampled_from([*CARDS, "Searing Blow+7"]), st.integers(1, 99)))
def test_cards_read_back_as_they_are_written(cards):
    assert cards_from_text(cards_to_text(cards)) == cards
