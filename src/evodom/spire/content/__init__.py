"""Content of the game as tables: one row each for cards, enemies, relics, potions and statuses.

cards       cards with their costs and effects, plain and upgraded
effects     opcodes of effects, and the functions that write them
enemies     HP, moves and patterns by ascension
intents     kinds of move patterns
encounters  groups of enemies, and their pools
relics      triggers, or changes of the rules
potions     effects of potions
statuses    names and properties of statuses
wording     descriptions of all these for users

`evodom.spire.engine` compiles the rows of a fight. Open this folder to add or change content.
"""
