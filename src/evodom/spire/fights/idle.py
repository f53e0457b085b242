"""Relics that do nothing in a fight of the Ironclad in act 1, by the names that the game shows."""

IDLE = (
    "Astrolabe", "Black Star", "Bloody Idol", "Calling Bell", "Cauldron", "Ceramic Fish", "Circlet",
    "Cultist Headpiece", "Darkstone Periapt", "Dolly's Mirror", "Dream Catcher", "Empty Cage", "Eternal Feather",
    "Frozen Egg", "Golden Idol", "Juzu Bracelet", "Lee's Waffle", "Mango", "Matryoshka", "Maw Bank", "Meal Ticket",
    "Membership Card", "Molten Egg", "N'loth's Gift", "N'loth's Hungry Face", "Old Coin", "Omamori", "Orrery",
    "Pandora's Box", "Peace Pipe", "Pear", "Potion Belt", "Prayer Wheel", "Prismatic Shard", "Question Card",
    "Red Circlet", "Regal Pillow", "Shovel", "Singing Bowl", "Smiling Mask", "Spirit Poop", "Ssserpent Head",
    "Strawberry", "The Courier", "Tiny Chest", "Tiny House", "Toxic Egg", "War Paint", "Whetstone",
    "White Beast Statue", "Winged Boots",
)  # fmt: skip
"""They change rewards, shops, events or the map, or they acted when they were obtained."""
