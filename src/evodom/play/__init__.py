"""The text game: a person at a table with strategies."""
