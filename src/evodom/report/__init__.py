"""Reports on saved runs: statistics of seeded games, then text."""
