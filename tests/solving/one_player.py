"""The methods of `Solvable` that are equal in all games of one player."""


class OnePlayer:
    """A base class of solvable games of one player."""

    n_players = 1

    def player(self, state):
        return 0
