"""Map: the map of an act with its best route, by what rooms are worth to whoever asks."""
