"""Fights solved exactly on the compiled engine: any fight of act 1 that is small enough.

`graph` has the records of the graph of a fight, `explore` builds it, `values` solves it. `solve.solve_fight` and
`solve.solve_moves` are the ways in.
"""
