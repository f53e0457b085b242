"""The cards of the four sets as tables: costs, types, points, and what a card gives."""

COSTS = {
    "Copper": 0, "Silver": 3, "Gold": 6, "Estate": 2, "Duchy": 5, "Province": 8, "Curse": 0, "Platinum": 9,
    "Colony": 11,
    "Cellar": 2, "Chapel": 2, "Moat": 2, "Chancellor": 3, "Harbinger": 3, "Merchant": 3, "Vassal": 3, "Village": 3,
    "Woodcutter": 3, "Workshop": 3, "Bureaucrat": 4, "Feast": 4, "Gardens": 4, "Militia": 4, "Moneylender": 4,
    "Poacher": 4, "Remodel": 4, "Smithy": 4, "Spy": 4, "Thief": 4, "Throne Room": 4, "Bandit": 5, "Council Room": 5,
    "Festival": 5, "Laboratory": 5, "Library": 5, "Market": 5, "Mine": 5, "Sentry": 5, "Witch": 5, "Adventurer": 6,
    "Artisan": 6,
    "Courtyard": 2, "Lurker": 2, "Pawn": 2, "Shanty Town": 3, "Steward": 3, "Swindler": 3, "Wishing Well": 3,
    "Baron": 4, "Bridge": 4, "Conspirator": 4, "Ironworks": 4, "Mill": 4, "Mining Village": 4, "Courtier": 5, "Duke": 5,
    "Diplomat": 4, "Masquerade": 3, "Secret Passage": 4,
    "Minion": 5, "Patrol": 5, "Replace": 5, "Torturer": 5, "Trading Post": 5, "Upgrade": 5, "Farm": 6, "Nobles": 6,
    "Haven": 2, "Lighthouse": 2, "Native Village": 2, "Astrolabe": 3, "Fishing Village": 3, "Lookout": 3, "Monkey": 3,
    "Sea Chart": 3, "Smugglers": 3, "Warehouse": 3, "Blockade": 4, "Caravan": 4, "Cutpurse": 4, "Island": 4,
    "Sailor": 4, "Salvager": 4, "Tide Pools": 4, "Treasure Map": 4, "Bazaar": 5, "Corsair": 5, "Merchant Ship": 5,
    "Outpost": 5, "Pirate": 5, "Sea Witch": 5, "Tactician": 5, "Treasury": 5, "Wharf": 5,
    "Anvil": 3, "Watchtower": 3, "Bishop": 4, "Clerk": 4, "Investment": 4, "Monument": 4, "Quarry": 4, "Tiara": 4,
    "Worker's Village": 4, "Charlatan": 5, "City": 5, "Collection": 5, "Crystal Ball": 5, "Magnate": 5, "Mint": 5,
    "Rabble": 5, "Vault": 5, "War Chest": 5, "Grand Market": 6, "Hoard": 6, "Bank": 7, "Expand": 7, "Forge": 7,
    "King's Court": 7, "Peddler": 8,
}  # fmt: skip
TREASURES = {
    "Copper", "Silver", "Gold", "Platinum", "Farm", "Astrolabe", "Anvil", "Investment", "Quarry", "Tiara", "Collection",
    "Crystal Ball", "War Chest", "Hoard", "Bank",
}  # fmt: skip
POINTS = {
    "Estate": 1, "Duchy": 3, "Province": 6, "Colony": 10, "Gardens": 0, "Duke": 0, "Farm": 2, "Mill": 1, "Nobles": 2,
    "Island": 2,
}  # fmt: skip
VICTORIES = POINTS.keys()
ACTIONS = (COSTS.keys() - TREASURES - VICTORIES - {"Curse"}) | {"Mill", "Nobles", "Island"}
ATTACKS = {
    "Bandit", "Bureaucrat", "Militia", "Spy", "Thief", "Witch", "Swindler", "Minion", "Replace", "Torturer", "Cutpurse",
    "Blockade", "Corsair", "Sea Witch", "Clerk", "Charlatan", "Rabble",
}  # fmt: skip
REACTIONS = {"Moat", "Diplomat", "Pirate", "Watchtower", "Clerk"}

# Cards, Actions, Buys and coins that a card gives before anything else.
GIVES = {
    "Copper": (0, 0, 0, 1), "Silver": (0, 0, 0, 2), "Gold": (0, 0, 0, 3), "Platinum": (0, 0, 0, 5),
    "Curse": (0, 0, 0, 1),
    "Moat": (2, 0, 0, 0), "Village": (1, 2, 0, 0), "Woodcutter": (0, 0, 1, 2), "Smithy": (3, 0, 0, 0),
    "Festival": (0, 2, 1, 2), "Laboratory": (2, 1, 0, 0), "Market": (1, 1, 1, 1), "Merchant": (1, 1, 0, 0),
    "Cellar": (0, 1, 0, 0), "Harbinger": (1, 1, 0, 0), "Vassal": (0, 0, 0, 2), "Chancellor": (0, 0, 0, 2),
    "Militia": (0, 0, 0, 2), "Poacher": (1, 1, 0, 1), "Spy": (1, 1, 0, 0), "Council Room": (4, 0, 1, 0),
    "Sentry": (1, 1, 0, 0), "Witch": (2, 0, 0, 0),
    "Courtyard": (3, 0, 0, 0), "Lurker": (0, 1, 0, 0), "Shanty Town": (0, 2, 0, 0), "Swindler": (0, 0, 0, 2),
    "Wishing Well": (1, 1, 0, 0), "Baron": (0, 0, 1, 0), "Bridge": (0, 0, 1, 1), "Conspirator": (0, 0, 0, 2),
    "Diplomat": (2, 0, 0, 0), "Masquerade": (2, 0, 0, 0), "Secret Passage": (2, 1, 0, 0), "Farm": (0, 0, 0, 2),
    "Mill": (1, 1, 0, 0), "Mining Village": (1, 2, 0, 0), "Minion": (0, 1, 0, 0), "Patrol": (3, 0, 0, 0),
    "Torturer": (3, 0, 0, 0), "Upgrade": (1, 1, 0, 0),
    "Haven": (1, 1, 0, 0), "Lighthouse": (0, 1, 0, 1), "Native Village": (0, 2, 0, 0), "Astrolabe": (0, 0, 1, 1),
    "Fishing Village": (0, 2, 0, 1), "Lookout": (0, 1, 0, 0), "Sea Chart": (1, 1, 0, 0), "Warehouse": (3, 1, 0, 0),
    "Caravan": (1, 1, 0, 0), "Cutpurse": (0, 0, 0, 2), "Sailor": (0, 1, 0, 0), "Salvager": (0, 0, 1, 0),
    "Tide Pools": (3, 1, 0, 0), "Bazaar": (1, 2, 0, 1), "Corsair": (0, 0, 0, 2), "Merchant Ship": (0, 0, 0, 2),
    "Sea Witch": (2, 0, 0, 0), "Treasury": (1, 1, 0, 1), "Wharf": (2, 0, 1, 0),
    "Anvil": (0, 0, 0, 1), "Bishop": (0, 0, 0, 1), "Clerk": (0, 0, 0, 2), "Monument": (0, 0, 0, 2),
    "Quarry": (0, 0, 0, 1), "Tiara": (0, 0, 1, 0), "Worker's Village": (1, 2, 1, 0), "Charlatan": (0, 0, 0, 3),
    "City": (1, 2, 0, 0), "Collection": (0, 0, 1, 2), "Crystal Ball": (0, 0, 0, 1), "Rabble": (3, 0, 0, 0),
    "Vault": (2, 0, 0, 0), "Grand Market": (1, 1, 1, 2), "Hoard": (0, 0, 0, 2), "Peddler": (1, 1, 0, 1),
}  # fmt: skip

# The same at the start of the next turn, for each play that set it up. Blockade, Haven and Tactician may not.
GIVES_LATER = {
    "Astrolabe": (0, 0, 1, 1), "Blockade": (0, 0, 0, 0), "Caravan": (1, 0, 0, 0), "Corsair": (1, 0, 0, 0),
    "Fishing Village": (0, 1, 0, 1), "Haven": (0, 0, 0, 0), "Lighthouse": (0, 0, 0, 1), "Merchant Ship": (0, 0, 0, 2),
    "Monkey": (1, 0, 0, 0), "Pirate": (0, 0, 0, 0), "Sailor": (0, 0, 0, 2), "Sea Witch": (2, 0, 0, 0),
    "Tactician": (5, 1, 1, 0), "Tide Pools": (0, 0, 0, 0), "Wharf": (2, 0, 1, 0),
}  # fmt: skip
ON_A_CONDITION = {"Blockade", "Haven", "Tactician"}
ASK_LATER = {"Pirate", "Sailor", "Sea Witch", "Tide Pools"}
"""Durations whose effect at the start of a turn may ask a question."""
DURATIONS = GIVES_LATER.keys() | {"Outpost"}
