"""Rules of Dominion as compiled kernels: Effects and their encoding, the record of a game, the turn.

The engine imports no strategy. Start with `turn` (control flow), `state` (the record) and `effects` (cards).
"""
