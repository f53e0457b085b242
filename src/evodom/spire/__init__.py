"""Slay the Spire fights: cards, enemies, statuses and relics as tables, and the fight as a `Game`."""
