"""Network of all fights of act 1: a hypernetwork over traits of cards, enemies and moves."""

WIDTH = 128
"""Width of the hidden layers."""
