"""The models of strategies, a folder each. `strategies.registry` lists them."""
