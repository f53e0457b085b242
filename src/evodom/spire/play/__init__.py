"""Play fights by search: playouts, networks, the tree search, self-play, estimates."""
