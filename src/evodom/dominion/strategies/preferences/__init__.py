"""Preferences: cards are drawn from a distribution over the piles, one early in the game and another late."""
