"""What comes of playing a policy, pushed forward from the start."""

import pytest

from evodom.distribution import certain, weighted
from evodom.errors import EvodomError
from evodom.solve.forward import results, visits
from tests.solve.one_player import OnePlayer


class Tries(OnePlayer):
    """Try at 1 in 3 until it works, or give up at once; a try costs 1."""

    def actions(self, state):
        return ("try", "give up") if state == "trying" else ()

    def outcomes(self, state, action):
        return weighted({"trying": 2, "done": 1}) if action == "try" else certain("done")

    def rewards(self, state, action):
        return (-1 if action == "try" else 0,)

    def returns(self, state):
        return (0,)


def test_the_number_of_tries_is_geometric():
    found = results(Tries(), lambda state: "try", certain("trying"))

    assert [float(found.probability(-n)) for n in (1, 2, 3)] == pytest.approx([1 / 3, 2 / 9, 4 / 27])
    assert float(found.expectation()) == pytest.approx(-3, abs=1e-6)


def test_visits_are_expected_numbers():
    assert visits(Tries(), lambda state: "try", certain("trying")) == pytest.approx({"trying": 3})
    assert visits(Tries(), lambda state: "give up", certain("trying")) == {"trying": 1}


def test_a_policy_that_never_ends_is_reported(monkeypatch):
    class Waits(Tries):
        def outcomes(self, state, action):
            return certain("trying")

    monkeypatch.setattr("evodom.solve.forward.MAX_ACTIONS", 50)

    with pytest.raises(EvodomError, match="does not end the game"):
        results(Waits(), lambda state: "try", certain("trying"))
