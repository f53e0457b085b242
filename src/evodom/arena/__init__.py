"""Strategies of any origin against each other: who plays, at which tables, and what it proves."""
