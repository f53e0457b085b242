"""Learned strategies: a small neural network for each kind of decision rates the choices in a state."""
