"""Exact solver of fights on the compiled engine, for fights of act 1 with graphs that fit into memory.

Use `solve.solve_fight` and `solve.solve_moves`. `graph` has the records of the graph, `explore` builds it, `sweep`
computes its values.
"""
