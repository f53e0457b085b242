"""The language of Effects: functions and enumerations for the rows of cards. Cards and the engine import it.

`effect` defines an Effect and what combines several. `hand`, `supply` and `deck` build the Effects on these cards.
`ops` has the numbers of operations, zones and columns, as kernels read them.
"""
