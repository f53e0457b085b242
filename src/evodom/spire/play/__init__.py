"""Play fights by search: playouts, networks, the tree search, self-play, estimates."""

WIDTHS = range(8, 1025)
"""The allowed widths of the hidden layers of a network."""
