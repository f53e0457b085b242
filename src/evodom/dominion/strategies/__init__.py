"""How an agent picks a Consequence: evolved preferences with lookahead, and scripted baselines; all compiled."""
