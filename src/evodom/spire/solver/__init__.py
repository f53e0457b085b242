"""Fights solved exactly on the compiled engine: any fight of act 1 that is small enough.

`layout` tells what the graph of a fight is, `explore` builds it, `values` solves it. `solve.solve_fight` and
`solve.solve_moves` are the ways in.
"""
