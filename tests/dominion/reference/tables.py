"""All cards as a table: a row each, also for a card that needs a method of its set's module as well."""

from typing import NamedTuple


class Row(NamedTuple):
    """A card. What it does is a list of steps, each with a number or a name: see `Core.take_steps`."""

    cost: int
    types: str
    does: str = ""
    """Steps of a play. A method named after the card, such as `BaseSet.cellar`, follows them."""
    later: str = ""
    """Steps at the start of the next turn; a method such as `later_haven` follows them."""
    gained: str = ""
    """Steps of a player who gains it; a method such as `gained_mint` follows them."""
    vp: int = 0


ROWS = {
    "Copper": Row(0, "Treasure", "coins 1"), "Silver": Row(3, "Treasure", "coins 2"),
    "Gold": Row(6, "Treasure", "coins 3"), "Estate": Row(2, "Victory", vp=1), "Duchy": Row(5, "Victory", vp=3),
    "Province": Row(8, "Victory", vp=6), "Curse": Row(0, "Curse", "coins 1", vp=-1),
    "Platinum": Row(9, "Treasure", "coins 5"), "Colony": Row(11, "Victory", vp=10),
    "Cellar": Row(2, "Action", "actions 1"), "Chapel": Row(2, "Action", "trash up to 4"),
    "Moat": Row(2, "Action Reaction", "cards 2"), "Chancellor": Row(3, "Action", "coins 2"),
    "Harbinger": Row(3, "Action", "cards 1, actions 1"),
    "Merchant": Row(3, "Action", "cards 1, actions 1, merchants 1"), "Vassal": Row(3, "Action", "coins 2"),
    "Village": Row(3, "Action", "cards 1, actions 2"), "Woodcutter": Row(3, "Action", "buys 1, coins 2"),
    "Workshop": Row(3, "Action", "gain up to 4"), "Bureaucrat": Row(4, "Action Attack"), "Feast": Row(4, "Action"),
    "Gardens": Row(4, "Victory"), "Militia": Row(4, "Action Attack", "coins 2, others keep 3"),
    "Moneylender": Row(4, "Action", "if trashes Copper, coins 3"),
    "Poacher": Row(4, "Action", "cards 1, actions 1, coins 1"), "Remodel": Row(4, "Action", "trade 2"),
    "Smithy": Row(4, "Action", "cards 3"), "Spy": Row(4, "Action Attack", "cards 1, actions 1"),
    "Thief": Row(4, "Action Attack"), "Throne Room": Row(4, "Action"), "Bandit": Row(5, "Action Attack", "gain Gold"),
    "Council Room": Row(5, "Action", "cards 4, buys 1, others draw 1"),
    "Festival": Row(5, "Action", "actions 2, buys 1, coins 2"), "Laboratory": Row(5, "Action", "cards 2, actions 1"),
    "Library": Row(5, "Action"), "Market": Row(5, "Action", "cards 1, actions 1, buys 1, coins 1"),
    "Mine": Row(5, "Action"), "Sentry": Row(5, "Action", "cards 1, actions 1"),
    "Witch": Row(5, "Action Attack", "cards 2, others gain Curse"), "Adventurer": Row(6, "Action"),
    "Artisan": Row(6, "Action"), "Courtyard": Row(2, "Action", "cards 3, topdeck 1"),
    "Lurker": Row(2, "Action", "actions 1"), "Pawn": Row(2, "Action"), "Shanty Town": Row(3, "Action", "actions 2"),
    "Steward": Row(3, "Action"), "Swindler": Row(3, "Action Attack", "coins 2"),
    "Wishing Well": Row(3, "Action", "cards 1, actions 1"), "Baron": Row(4, "Action", "buys 1"),
    "Bridge": Row(4, "Action", "buys 1, coins 1, discount 1"),
    "Conspirator": Row(4, "Action", "coins 2, if played 3, cards 1, actions 1"), "Ironworks": Row(4, "Action"),
    "Mill": Row(4, "Action Victory", "cards 1, actions 1", vp=1),
    "Mining Village": Row(4, "Action", "cards 1, actions 2"), "Courtier": Row(5, "Action"), "Duke": Row(5, "Victory"),
    "Diplomat": Row(4, "Action Reaction", "cards 2, if hand up to 5, actions 2"),
    "Masquerade": Row(3, "Action", "cards 2"), "Secret Passage": Row(4, "Action", "cards 2, actions 1"),
    "Minion": Row(5, "Action Attack", "actions 1"), "Patrol": Row(5, "Action", "cards 3"),
    "Replace": Row(5, "Action Attack"), "Torturer": Row(5, "Action Attack", "cards 3"),
    "Trading Post": Row(5, "Action"), "Upgrade": Row(5, "Action", "cards 1, actions 1"),
    "Farm": Row(6, "Treasure Victory", "coins 2", vp=2), "Nobles": Row(6, "Action Victory", vp=2),
    "Haven": Row(2, "Action Duration", "cards 1, actions 1"),
    "Lighthouse": Row(2, "Action Duration", "actions 1, coins 1", later="coins 1"),
    "Native Village": Row(2, "Action", "actions 2"),
    "Astrolabe": Row(3, "Treasure Duration", "buys 1, coins 1", later="buys 1, coins 1"),
    "Fishing Village": Row(3, "Action Duration", "actions 2, coins 1", later="actions 1, coins 1"),
    "Lookout": Row(3, "Action", "actions 1"), "Monkey": Row(3, "Action Duration", later="cards 1"),
    "Sea Chart": Row(3, "Action", "cards 1, actions 1"), "Smugglers": Row(3, "Action"),
    "Warehouse": Row(3, "Action", "cards 3, actions 1, discard 3"), "Blockade": Row(4, "Action Attack Duration"),
    "Caravan": Row(4, "Action Duration", "cards 1, actions 1", later="cards 1"),
    "Cutpurse": Row(4, "Action Attack", "coins 2"), "Island": Row(4, "Action Victory", vp=2),
    "Sailor": Row(4, "Action Duration", "actions 1, sailors 1", later="coins 2, trash up to 1"),
    "Salvager": Row(4, "Action", "buys 1"),
    "Tide Pools": Row(4, "Action Duration", "cards 3, actions 1", later="discard 2"), "Treasure Map": Row(4, "Action"),
    "Bazaar": Row(5, "Action", "cards 1, actions 2, coins 1"),
    "Corsair": Row(5, "Action Attack Duration", "coins 2", later="cards 1"),
    "Merchant Ship": Row(5, "Action Duration", "coins 2", later="coins 2"), "Outpost": Row(5, "Action Duration"),
    "Pirate": Row(5, "Action Duration Reaction"),
    "Sea Witch": Row(5, "Action Attack Duration", "cards 2, others gain Curse", later="cards 2, discard 2"),
    "Tactician": Row(5, "Action Duration", later="cards 5, actions 1, buys 1"),
    "Treasury": Row(5, "Action", "cards 1, actions 1, coins 1"),
    "Wharf": Row(5, "Action Duration", "cards 2, buys 1", later="cards 2, buys 1"),
    "Anvil": Row(3, "Treasure", "coins 1, if discards Treasure, gain up to 4"),
    "Watchtower": Row(3, "Action Reaction", "draw to 6"), "Bishop": Row(4, "Action", "coins 1"),
    "Clerk": Row(4, "Action Attack Reaction", "coins 2"), "Investment": Row(4, "Treasure"),
    "Monument": Row(4, "Action", "coins 2, tokens 1"), "Quarry": Row(4, "Treasure", "coins 1, quarries 1"),
    "Tiara": Row(4, "Treasure", "buys 1, tiaras 1"), "Worker's Village": Row(4, "Action", "cards 1, actions 2, buys 1"),
    "Charlatan": Row(5, "Action Attack", "coins 3, others gain Curse"), "City": Row(5, "Action", "cards 1, actions 2"),
    "Collection": Row(5, "Treasure", "buys 1, coins 2, collections 1"), "Crystal Ball": Row(5, "Treasure", "coins 1"),
    "Magnate": Row(5, "Action"), "Mint": Row(5, "Action"), "Rabble": Row(5, "Action Attack", "cards 3"),
    "Vault": Row(5, "Action", "cards 2"), "War Chest": Row(5, "Treasure"),
    "Grand Market": Row(6, "Action", "cards 1, actions 1, buys 1, coins 2"),
    "Hoard": Row(6, "Treasure", "coins 2, hoards 1"), "Bank": Row(7, "Treasure"), "Expand": Row(7, "Action", "trade 3"),
    "Forge": Row(7, "Action"), "King's Court": Row(7, "Action"),
    "Peddler": Row(8, "Action", "cards 1, actions 1, coins 1"),
}  # fmt: skip


def of_type(name: str) -> set[str]:
    """Return the cards of a type."""
    return {card for card, row in ROWS.items() if name in row.types.split()}


COSTS = {card: row.cost for card, row in ROWS.items()}
ACTIONS, ATTACKS, REACTIONS, TREASURES, VICTORIES, DURATIONS = map(
    of_type, ("Action", "Attack", "Reaction", "Treasure", "Victory", "Duration")
)
ON_A_CONDITION = {"Blockade", "Haven", "Outpost", "Tactician"}
"""Durations whose method notes that they do something at the start of the next turn. The others always do."""
ASK_LATER = {"Pirate", "Sailor", "Sea Witch", "Tide Pools"}
"""Durations whose effect at the start of a turn may ask a question."""
