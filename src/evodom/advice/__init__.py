"""What to do with these ten cards: evolve, compare, and say it in a player's words."""
