"""The kingdom cards of the sets that evodom does not have, by name: who asks for one is told which set it is of.

A set that is added to `SETS` leaves this table; a name that is found there is never looked up here.
"""

_NAMES = {
    "Intrigue": (
        "Baron, Bridge, Conspirator, Coppersmith, Courtier, Courtyard, Diplomat, Duke, Farm, Great Hall, Harem, "
        "Ironworks, Lurker, Masquerade, Mill, Mining Village, Minion, Nobles, Patrol, Pawn, Replace, Saboteur, "
        "Scout, Secret Chamber, Secret Passage, Shanty Town, Steward, Swindler, Torturer, Trading Post, Tribute, "
        "Upgrade, Wishing Well"
    ),
    "Seaside": (
        "Ambassador, Astrolabe, Bazaar, Blockade, Caravan, Corsair, Cutpurse, Embargo, Explorer, Fishing Village, "
        "Ghost Ship, Haven, Island, Lighthouse, Lookout, Merchant Ship, Monkey, Native Village, Navigator, Outpost, "
        "Pearl Diver, Pirate, Pirate Ship, Sailor, Salvager, Sea Chart, Sea Hag, Sea Witch, Smugglers, Tactician, "
        "Tide Pools, Treasure Map, Treasury, Warehouse, Wharf"
    ),
    "Alchemy": (
        "Alchemist, Apothecary, Apprentice, Familiar, Golem, Herbalist, Philosopher's Stone, Possession, Scrying "
        "Pool, Transmute, University, Vineyard"
    ),
    "Prosperity": (
        "Anvil, Bank, Bishop, Charlatan, City, Clerk, Collection, Contraband, Counting House, Crystal Ball, Expand, "
        "Forge, Goons, Grand Market, Hoard, Investment, King's Court, Loan, Magnate, Mint, Monument, Mountebank, "
        "Peddler, Quarry, Rabble, Royal Seal, Talisman, Tiara, Trade Route, Vault, Venture, War Chest, Watchtower, "
        "Worker's Village"
    ),
    "Cornucopia": (
        "Carnival, Fairgrounds, Farmhands, Farming Village, Ferryman, Fortune Teller, Hamlet, Harvest, Horn of "
        "Plenty, Horse Traders, Hunting Party, Jester, Joust, Menagerie, Remake, Shop, Tournament, Young Witch"
    ),
    "Hinterlands": (
        "Berserker, Border Village, Cache, Cartographer, Cauldron, Crossroads, Develop, Duchess, Embassy, Farmland, "
        "Fool's Gold, Guard Dog, Haggler, Highway, Ill-Gotten Gains, Inn, Jack of All Trades, Mandarin, Margrave, "
        "Noble Brigand, Nomad Camp, Nomads, Oasis, Oracle, Scheme, Silk Road, Souk, Spice Merchant, Stables, "
        "Trader, Trail, Tunnel, Weaver, Wheelwright, Witch's Hut"
    ),
    "Dark Ages": (
        "Altar, Armory, Band of Misfits, Bandit Camp, Beggar, Catacombs, Count, Counterfeit, Cultist, Death Cart, "
        "Feodum, Forager, Fortress, Graverobber, Hermit, Hunting Grounds, Ironmonger, Junk Dealer, Knights, "
        "Marauder, Market Square, Mystic, Pillage, Poor House, Procession, Rats, Rebuild, Rogue, Sage, Scavenger, "
        "Squire, Storeroom, Urchin, Vagrant, Wandering Minstrel"
    ),
    "Guilds": (
        "Advisor, Baker, Butcher, Candlestick Maker, Doctor, Farrier, Footpad, Herald, Infirmary, Journeyman, "
        "Masterpiece, Merchant Guild, Plaza, Soothsayer, Stonemason, Taxman"
    ),
    "Adventures": (
        "Amulet, Artificer, Bridge Troll, Caravan Guard, Coin of the Realm, Distant Lands, Dungeon, Duplicate, "
        "Gear, Giant, Guide, Haunted Woods, Hireling, Lost City, Magpie, Messenger, Miser, Page, Peasant, Port, "
        "Ranger, Ratcatcher, Raze, Relic, Royal Carriage, Storyteller, Swamp Hag, Transmogrify, Treasure Trove, "
        "Wine Merchant"
    ),
    "Empires": (
        "Archive, Capital, Castles, Catapult, Chariot Race, Charm, City Quarter, Crown, Encampment, Enchantress, "
        "Engineer, Farmers' Market, Forum, Gladiator, Groundskeeper, Legionary, Overlord, Patrician, Rocks, Royal "
        "Blacksmith, Sacrifice, Settlers, Temple, Villa, Wild Hunt"
    ),
    "Nocturne": (
        "Bard, Blessed Village, Cemetery, Changeling, Cobbler, Conclave, Crypt, Cursed Village, Den of Sin, Devil's "
        "Workshop, Druid, Exorcist, Faithful Hound, Fool, Ghost Town, Guardian, Idol, Leprechaun, Monastery, "
        "Necromancer, Night Watchman, Pixie, Pooka, Raider, Sacred Grove, Secret Cave, Shepherd, Skulk, Tormentor, "
        "Tracker, Tragic Hero, Vampire, Werewolf"
    ),
    "Renaissance": (
        "Acting Troupe, Border Guard, Cargo Ship, Ducat, Experiment, Flag Bearer, Hideout, Improve, Inventor, "
        "Lackeys, Mountain Village, Old Witch, Patron, Priest, Recruiter, Research, Scepter, Scholar, Sculptor, "
        "Seer, Silk Merchant, Spices, Swashbuckler, Treasurer, Villain"
    ),
    "Menagerie": (
        "Animal Fair, Barge, Black Cat, Bounty Hunter, Camel Train, Cardinal, Cavalry, Coven, Destrier, Displace, "
        "Falconer, Fisherman, Gatekeeper, Goatherd, Groom, Hostelry, Hunting Lodge, Kiln, Livery, Mastermind, "
        "Paddock, Sanctuary, Scrap, Sheepdog, Sleigh, Snowy Village, Stockpile, Supplies, Village Green, Wayfarer"
    ),
    "Allies": (
        "Augurs, Barbarian, Bauble, Broker, Capital City, Carpenter, Clashes, Contract, Courier, Emissary, Forts, "
        "Galleria, Guildmaster, Highwayman, Hunter, Importer, Innkeeper, Marquis, Merchant Camp, Modify, Odysseys, "
        "Royal Galley, Sentinel, Skirmisher, Specialist, Swap, Sycophant, Town, Townsfolk, Underling, Wizards"
    ),
    "Plunder": (
        "Abundance, Buried Treasure, Cabin Boy, Cage, Crew, Crucible, Cutthroat, Enlarge, Figurine, First Mate, "
        "Flagship, Fortune Hunter, Frigate, Gondola, Grotto, Harbor Village, Jewelled Egg, King's Cache, Landing "
        "Party, Longship, Mapmaker, Maroon, Mining Road, Pendant, Pickaxe, Pilgrim, Quartermaster, Rope, Sack of "
        "Loot, Search, Secluded Shrine, Shaman, Silver Mine, Siren, Stowaway, Swamp Shacks, Taskmaster, Tools, "
        "Trickster, Wealthy Village"
    ),
    "the promos": (
        "Black Market, Captain, Church, Dismantle, Envoy, Governor, Marchland, Prince, Sauna, Stash, Walled Village"
    ),
}


def plain(name: str) -> str:
    """Return a name in small letters, without apostrophes and with spaces for hyphens."""
    return " ".join(
        name.casefold().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "").replace("-", " ").split()
    )


ELSEWHERE = {plain(name): (name, card_set) for card_set, names in _NAMES.items() for name in names.split(", ")}
"""The name and the set of a card we lack, by its `plain` name."""
