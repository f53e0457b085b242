"""The rules of Dominion, compiled: Effects and their encoding, the record of a game, the turn. It knows no strategy."""
