"""Fights: a fight of Slay the Spire move by move, with what every choice is worth."""
