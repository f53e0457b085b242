"""evodom finds strategies for deck-building games: it evolves them and lets a person play against what it found."""

__version__ = "0.1.0"
