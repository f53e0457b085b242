"""Relics that affect fights or rest sites, one row each: a trigger and its effects, or changes of the rules.

Open it to add or change a relic.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evodom.spire.content import effects as e
from evodom.spire.content.cards import COLOURLESS
from evodom.spire.content.effects import SpireEffect, add_cards, apply_status, deal_damage, plain_block
from evodom.spire.content.rest_sites import REST_SITE_RELICS

# Triggers. AT_START_FRONT acts as AT_START, in front of the queue: the relic obtained last acts first. AT_TURN precedes
# the draw of the hand, AT_HAND_DRAWN follows it.
AT_START_FRONT, AT_START, AT_TURN, AT_HAND_DRAWN, AT_TURN_END = range(5)
AT_CARD, AT_ATTACK, AT_SKILL, AT_POWER, AT_HP_LOSS, AT_EXHAUST, AT_SHUFFLE, AT_DEATH, AT_POTION = range(5, 14)
AT_FIRST_DRAW, AT_EXHAUST_BACK = 14, 15  # before the first draw; as AT_EXHAUST, at the back of the queue

ELITES, BOSSES = "elites", "bosses"


@dataclass(frozen=True)
class Relic:
    """A relic: effects with a trigger, changes of the rules, or both.

    Attributes:
        text: description for users.
        when: trigger, one of the AT constants. None for relics that only change rules.
        effects: effects on each trigger.
        turn: number of the turn when it acts, 0 for all turns.
        every: it acts on every `every`-th trigger.
        keeps_count: whether the count of triggers continues through all turns and fights. Otherwise each turn resets
            it.
        once: whether it acts only on the first trigger of a fight.
        changes: numbers added to the rules, by a name of CHANGES.
        max_lifts: maximum of the counter of lifts at rest sites, 0 for other relics. The counter replaces the amount of
            the effects.
        only_against: it acts only in fights against these kinds, ELITES or BOSSES; empty for all fights.
    """

    text: str
    when: int | None = None
    effects: tuple[SpireEffect, ...] = ()
    turn: int = 0
    every: int = 1
    keeps_count: bool = False
    once: bool = False
    changes: Mapping[str, int] = field(default_factory=dict)
    max_lifts: int = 0
    only_against: tuple[str, ...] = ()


def _energy(n: int) -> SpireEffect:
    return SpireEffect(e.OP_ENERGY, n, to=e.SELF)


def _draw(n: int) -> SpireEffect:
    return SpireEffect(e.OP_DRAW, n, to=e.SELF)


def _heal(n: int) -> SpireEffect:
    return SpireEffect(e.OP_HEAL, n, to=e.SELF)


def _make(pool: str, scope: int = 0) -> SpireEffect:
    return SpireEffect(e.OP_MAKE, 1, to=e.SELF, name=pool, pile=e.HAND, scope=scope)


def _start(text: str, *effects: SpireEffect, only_against: tuple[str, ...] = (), front: bool = False) -> Relic:
    return Relic(text, AT_START_FRONT if front else AT_START, effects, only_against=only_against)


def _rule(text: str, **changes: int) -> Relic:
    return Relic(text, changes=changes)


CHANGES = (
    "energy", "turn_end_block", "fight_end_heal", "fight_end_heal_at_half", "strike_damage", "paper_phrog",
    "odd_mushroom", "torii", "tungsten_rod", "the_boot", "calipers", "ice_cream", "runic_pyramid", "velvet_choker",
    "champion_belt", "hand_drill", "magic_flower", "chemical_x", "medical_kit", "blue_candle", "red_skull",
    "lizard_tail", "ginger", "turnip", "strange_spoon", "unceasing_top", "pen_nib", "pocketwatch", "art_of_war",
    "orange_pellets", "preserved_insect", "neows_lament", "philosophers_stone", "sacred_bark", "sozu",
    "fight_end_max_hp", "hand_size", "no_healing",
)  # fmt: skip
"""Names of changes of the rules: numbers that relics raise, such as energy, and relics with rules."""

RELICS = {
    # common
    "Akabeko": _start("the first Attack does 8 more", apply_status("Vigor", 8), front=True),
    "Anchor": _start("10 block at the start", plain_block(10)),
    "Ancient Tea Set": _start("2 energy on turn 1 (of the first fight after a rest)", _energy(2)),
    "Art of War": _rule("1 energy at the start of a turn after one without an Attack", art_of_war=1),
    "Bag of Marbles": _start("all enemies start with Vulnerable 1", apply_status("Vulnerable", 1, e.ENEMIES)),
    "Bag of Preparation": _start("2 more cards on turn 1", _draw(2)),
    "Blood Vial": _start("heal 2 at the start", _heal(2), front=True),
    "Bronze Scales": _start("Thorns 3", apply_status("Thorns", 3), front=True),
    "Burning Blood": _rule("heal 6 after a fight", fight_end_heal=6),
    "Centennial Puzzle": Relic("draw 3 after the first loss of HP", AT_HP_LOSS, (_draw(3),), once=True),
    "Happy Flower": Relic("1 energy every third turn", AT_TURN, (_energy(1),), every=3, keeps_count=True),
    "Lantern": _start("1 more energy on turn 1", _energy(1)),
    "Nunchaku": Relic("1 energy for every tenth Attack", AT_ATTACK, (_energy(1),), every=10, keeps_count=True),
    "Oddly Smooth Stone": _start("Dexterity 1", apply_status("Dexterity", 1), front=True),
    "Orichalcum": _rule("6 block at the end of a turn without block", turn_end_block=6),
    "Pen Nib": _rule("every tenth Attack does double damage", pen_nib=1),
    "Preserved Insect": _rule("elites have a quarter less HP", preserved_insect=1),
    "Red Skull": _rule("Strength 3 while HP are at most half", red_skull=3),
    "The Boot": _rule("attack damage of 1 to 4 that gets through block becomes 5", the_boot=1),
    "Toy Ornithopter": Relic("heal 5 for every potion used", AT_POTION, (_heal(5),)),
    "Vajra": _start("Strength 1", apply_status("Strength", 1), front=True),
    # uncommon
    "Blue Candle": _rule("Curses can be played at 0: lose 1 HP, exhaust", blue_candle=1),
    "Gremlin Horn": Relic(
        "1 energy and a card whenever an enemy dies and others live", AT_DEATH, (_energy(1), _draw(1))
    ),
    "Horn Cleat": Relic("14 block on turn 2", AT_TURN, (plain_block(14),), turn=2),
    "Ink Bottle": Relic("draw 1 for every tenth card", AT_CARD, (_draw(1),), every=10, keeps_count=True),
    "Kunai": Relic("Dexterity 1 for every third Attack of a turn", AT_ATTACK, (apply_status("Dexterity", 1),), every=3),
    "Letter Opener": Relic("5 damage to all for every third Skill of a turn", AT_SKILL, (deal_damage(5),), every=3),
    "Meat on the Bone": _rule("heal 12 after a fight at half of the HP or less", fight_end_heal_at_half=12),
    "Mercury Hourglass": Relic("3 damage to all enemies at the start of every turn", AT_TURN, (deal_damage(3),)),
    "Mummified Hand": Relic(
        "a random card of the hand costs 0 this turn after every Power",
        AT_POWER,
        (SpireEffect(e.OP_FREE_RANDOM, to=e.SELF, scope=e.THIS_TURN),),
    ),
    "Ornamental Fan": Relic("4 block for every third Attack of a turn", AT_ATTACK, (plain_block(4),), every=3),
    "Pantograph": _start("heal 25 at the start of a boss fight", _heal(25), only_against=(BOSSES,), front=True),
    "Paper Phrog": _rule("Vulnerable enemies take 75 % more", paper_phrog=1),
    "Self-Forming Clay": Relic(
        "3 block next turn for every loss of HP", AT_HP_LOSS, (apply_status("Next Turn Block", 3),)
    ),
    "Shuriken": Relic(
        "Strength 1 for every third Attack of a turn", AT_ATTACK, (apply_status("Strength", 1),), every=3
    ),
    "Strike Dummy": _rule('cards with "Strike" in the name do 3 more', strike_damage=3),
    "Sundial": Relic("2 energy for every third shuffle", AT_SHUFFLE, (_energy(2),), every=3, keeps_count=True),
    # rare
    "Bird-Faced Urn": Relic("heal 2 for every Power", AT_POWER, (_heal(2),)),
    "Calipers": _rule("lose 15 block at the start of a turn instead of all", calipers=15),
    "Captain's Wheel": Relic("18 block on turn 3", AT_TURN, (plain_block(18),), turn=3),
    "Champion Belt": _rule("Vulnerable given to enemies brings Weak 1", champion_belt=1),
    "Charon's Ashes": Relic("3 damage to all for every card exhausted", AT_EXHAUST, (deal_damage(3),)),
    "Dead Branch": Relic("a random card into the hand for every card exhausted", AT_EXHAUST_BACK, (_make("class"),)),
    "Du-Vu Doll": _start(
        "Strength 1 for every Curse in the deck", front=True
    ),  # the engine adds the effect: it depends on the deck
    "Fossilized Helix": _start("prevents the first loss of HP", apply_status("Buffer", 1)),
    "Gambling Chip": Relic(
        "discard any number of cards on turn 1 and draw as many",
        AT_HAND_DRAWN,
        (SpireEffect(e.OP_CHOOSE, e.ANY_NUMBER, to=e.TO_DISCARD_AND_DRAW, pile=e.HAND),),
        turn=1,
    ),
    "Ginger": _rule("you cannot become Weak", ginger=1),
    "Girya": Relic(
        "Strength 1 for every lift at a rest site, up to 3", AT_START_FRONT, (apply_status("Strength", 3),), max_lifts=3
    ),
    "Ice Cream": _rule("energy is kept", ice_cream=1),
    "Incense Burner": Relic(
        "Intangible 1 every sixth turn", AT_TURN, (apply_status("Intangible", 1),), every=6, keeps_count=True
    ),
    "Lizard Tail": _rule("once, half of the HP instead of death", lizard_tail=1),
    "Magic Flower": _rule("healing in a fight is 50 % higher", magic_flower=1),
    "Pocketwatch": _rule("3 more cards after a turn with at most 3 cards played", pocketwatch=3),
    "Stone Calendar": Relic("52 damage to all at the end of turn 7", AT_TURN_END, (deal_damage(52),), turn=7),
    "Thread and Needle": _start("Plated Armor 4", apply_status("Plated Armor", 4), front=True),
    "Torii": _rule("attack damage of 2 to 5 that gets through block becomes 1", torii=1),
    "Tungsten Rod": _rule("every loss of HP is 1 less", tungsten_rod=1),
    "Turnip": _rule("you cannot become Frail", turnip=1),
    "Unceasing Top": _rule("draw a card whenever the hand is empty", unceasing_top=1),
    # boss
    "Black Blood": _rule("heal 12 after a fight", fight_end_heal=12),
    "Busted Crown": _rule("1 more energy", energy=1),
    "Coffee Dripper": _rule("1 more energy", energy=1),
    "Cursed Key": _rule("1 more energy", energy=1),
    "Ectoplasm": _rule("1 more energy", energy=1),
    "Fusion Hammer": _rule("1 more energy", energy=1),
    "Mark of Pain": Relic("1 more energy, 2 Wounds", AT_START, (add_cards("Wound", 2, e.DRAW),), changes={"energy": 1}),
    "Philosopher's Stone": _rule("1 more energy, enemies have Strength 1", energy=1, philosophers_stone=1),
    "Runic Cube": Relic("draw 1 for every loss of HP", AT_HP_LOSS, (_draw(1),)),
    "Runic Dome": _rule("1 more energy; fights here show the intents that it hides", energy=1),
    "Runic Pyramid": _rule("the hand is kept", runic_pyramid=1),
    "Sacred Bark": _rule("potions do twice as much", sacred_bark=1),
    "Slaver's Collar": Relic(
        "1 more energy against elites and bosses", changes={"energy": 1}, only_against=(ELITES, BOSSES)
    ),
    "Snecko Eye": Relic(
        "draw 7 cards a turn, each gets a random cost of 0 to 3",
        AT_FIRST_DRAW,
        (apply_status("Confused", 1),),
        changes={"hand_size": 2},
    ),
    "Sozu": _rule("1 more energy, no potions", energy=1, sozu=1),
    "Velvet Choker": _rule("1 more energy, at most 6 cards a turn", energy=1, velvet_choker=6),
    # shop and events
    "Brimstone": Relic(
        "Strength 2 every turn, 1 for the enemies",
        AT_TURN,
        (apply_status("Strength", 2), apply_status("Strength", 1, e.ENEMIES)),
    ),
    "Chemical X": _rule("X is 2 more", chemical_x=2),
    "Clockwork Souvenir": _start("Artifact 1", apply_status("Artifact", 1), front=True),
    "Enchiridion": Relic(
        "a random Power at the start, it costs 0 this turn", AT_FIRST_DRAW, (_make("Power", e.THIS_TURN),)
    ),
    "Face of Cleric": _rule("1 HP and maximum HP after a fight", fight_end_max_hp=1),
    "Gremlin Visage": _start("Weak 1 at the start", apply_status("Weak", 1)),
    "Hand Drill": _rule("breaking an enemy's block gives it Vulnerable 2", hand_drill=2),
    "Mark of the Bloom": _rule("you cannot heal", no_healing=1),
    "Medical Kit": _rule("Statuses can be played at 0, and exhaust", medical_kit=1),
    "Mutagenic Strength": _start(
        "Strength 3 on turn 1", apply_status("Strength", 3), apply_status("Strength Down", 3), front=True
    ),
    "Neow's Lament": _rule("enemies have 1 HP (first three fights)", neows_lament=1),
    "Odd Mushroom": _rule("Vulnerable adds 25 % damage instead of 50 %", odd_mushroom=1),
    "Orange Pellets": _rule("an Attack, a Skill and a Power in one turn remove all debuffs", orange_pellets=1),
    "Red Mask": _start("all enemies start with Weak 1", apply_status("Weak", 1, e.ENEMIES)),
    "Sling of Courage": _start(
        "Strength 2 against elites", apply_status("Strength", 2), only_against=(ELITES,), front=True
    ),
    "Strange Spoon": _rule("half of the cards that exhaust are discarded instead", strange_spoon=1),
    "The Abacus": Relic("6 block for every shuffle", AT_SHUFFLE, (plain_block(6),)),
    "Toolbox": Relic(
        "choose 1 of 3 random colourless cards at the start",
        AT_FIRST_DRAW,
        (SpireEffect(e.OP_OFFER, 1, to=e.TO_ADD, name=COLOURLESS),),
    ),
    "Warped Tongs": Relic(
        "a random card of the hand is upgraded at the start of every turn",
        AT_HAND_DRAWN,
        (SpireEffect(e.OP_UPGRADE_RANDOM, to=e.SELF),),
    ),
}
REST_SITES_ONLY = {name: Relic(row.text) for name, row in REST_SITE_RELICS.items() if name not in RELICS}
"""Relics of rest sites without an effect in fights."""

RELICS |= REST_SITES_ONLY
"""All relics that affect fights or rest sites, by name."""

NEOWS_LAMENT = "Neow's Lament"
NEOWS_LAMENT_FIGHTS = 3
"""Neow's Lament acts in this number of fights at the start of a run."""

_RELICS_OF_OTHERS = {
    "Silent": (
        "Hovering Kite", "Ninja Scroll", "Paper Krane", "Ring of the Serpent", "Ring of the Snake", "Snecko Skull",
        "The Specimen", "Tingsha", "Tough Bandages", "Twisted Funnel", "Wrist Blade",
    ),
    "Defect": (
        "Cracked Core", "Data Disk", "Emotion Chip", "Frozen Core", "Gold-Plated Cables", "Inserter",
        "Nuclear Battery", "Runic Capacitor", "Symbiotic Virus",
    ),
    "Watcher": (
        "Cloak Clasp", "Damaru", "Duality", "Golden Eye", "Holy Water", "Melange", "Pure Water", "Teardrop Locket",
        "Violet Lotus",
    ),
}  # fmt: skip
"""Relics that the Ironclad cannot find, by character."""

UNSUPPORTED = {
    "Bottled Flame": "decks do not record the bottled card",
    "Bottled Lightning": "decks do not record the bottled card",
    "Bottled Tornado": "decks do not record the bottled card",
    "Frozen Eye": "shows the order of the draw pile",
    "Necronomicon": "plays an Attack twice every turn",
    "Nilry's Codex": "makes random cards",
} | {name: f"a relic of the {character}" for character, names in _RELICS_OF_OTHERS.items() for name in names}
"""Relics that are not supported, with the reason."""

HARMLESS = frozenset(("Bottled Flame", "Bottled Lightning", "Bottled Tornado", "Frozen Eye"))
"""Unsupported relics that change no rule of a turn. They are notes where a run or a message has them."""
