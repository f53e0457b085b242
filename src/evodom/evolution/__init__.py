"""Evolution of strategies: genomes, operators, the tournament that ranks them, and runs that can be resumed."""
