"""What the solver wants to know of a game besides its rules, where there is one player."""


class OnePlayer:
    """The parts of `Solvable` that are the same in every game of one player."""

    n_players = 1

    def player(self, state):
        return 0
