"""Effects: the parts from which the modules of `dominion.cards` build cards. Cards and the engine import them.

`effect` defines an Effect, and combinations of Effects. `hand`, `supply` and `deck` build the Effects on cards
in hand, in the Supply and in a deck. `ops` has the numbers of operations, zones and columns that kernels read.
"""
