"""Thinking at the table: a network's choices, made better by playing the likely ones out."""
