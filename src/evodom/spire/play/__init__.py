"""Play fights by search: playouts, networks, the tree search, self-play, estimates."""

WIDTHS = range(8, 1025)
"""Allowed widths of a network's hidden layers."""
