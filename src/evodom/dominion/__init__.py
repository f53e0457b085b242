"""Dominion: cards as data, one state record, compiled rules, strategies, and a friendly layer over them."""
