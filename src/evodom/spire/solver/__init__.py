"""Exact solver of fights on the compiled engine, for any fight of act 1 that is small enough.

Use `solve.solve_fight` and `solve.solve_moves`. `graph` has the records of the graph, `explore` builds it, `sweep`
computes its values.
"""
