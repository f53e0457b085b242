"""Solve a game of your own exactly: the dice game Pig, to 20 points within six turns, for one player.

python docs/examples/exact.py
"""

from evodom import solve
from evodom.distribution import uniform
from evodom.games import ListedGame

GOAL = 20
TURNS = 6


class Pig(ListedGame):
    """States are (turns left, banked points, points of this turn). The payoff is 1 if the goal is reached in time."""

    all_actions = ("roll", "hold")

    def starts(self):
        return uniform([(TURNS, 0, 0)])

    def actions(self, state):
        turns, banked, points = state
        if not turns or banked >= GOAL:
            return ()
        return ("hold",) if banked + points >= GOAL else self.all_actions

    def outcomes(self, state, action):
        turns, banked, points = state
        if action == "hold":
            return uniform([(turns - 1, banked + points, 0)])
        rolls = [(turns, banked, points + pips) for pips in range(2, 7)]
        return uniform([(turns - 1, banked, 0), *rolls])

    def returns(self, state):
        return (int(state[1] >= GOAL),)


def main() -> None:
    solution = solve(Pig())
    print(solution.value, float(solution.value))


if __name__ == "__main__":
    main()
