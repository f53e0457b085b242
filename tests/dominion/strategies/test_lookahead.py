"""Look-ahead: a gain that ends the game is made if it wins or ties for first, and never if it loses."""

import pytest

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import parse_position
from tests.dominion.helpers import EPSILON, after, preference, trash, tries
from tests.effort import effort

pytestmark = pytest.mark.uncompiled

N_TRIES = effort(50, 50, 6)

BUY_8 = "turn: P1, 0 actions, 1 buy, 8 coins, buy phase"
WANTS_PROVINCE, WANTS_GOLD = preference({"Province": 1}), preference({"Gold": 1})
DRAWS_FIRST = preference({"Gold": 1}, classes=(EPSILON, 1, EPSILON))
"""Plays a Smithy before anything else."""


def chosen(position: str, strategy=WANTS_GOLD, *before: str) -> set[str]:
    return set(tries(after(position, *before), strategy, N_TRIES))


LAST_VILLAGE = "supply: 0 Moat, 0 Mine, 1 Village"
LAST_SILVER = "supply: 0 Copper, 0 Moat, 1 Silver"
"""With a Copper to trash, Mine can only take the last Silver and end the game."""
LAST_TWO = "supply: 0 Moat, 0 Mine, 2 Village"
WANTS_SILVER = preference({"Silver": 1}, classes=(EPSILON, 1, EPSILON))

CASES = [
    # The last province is bought when it wins.
    (f"P1: hand Copper | P2: hand Duchy | supply: 1 Province | {BUY_8}", WANTS_GOLD, "", "Province"),
    # The last province is refused when it loses.
    (f"P1: hand Copper | P2: hand 3 Duchy | supply: 1 Province | {BUY_8}", WANTS_PROVINCE, "", "never Province"),
    (f"P1: hand Copper | P2: hand 3 Duchy | supply: 1 Province | {BUY_8}", WANTS_GOLD, "", "Gold"),
    # With two provinces left the game goes on.
    (f"P1: hand Copper | P2: hand 3 Duchy | supply: 2 Province | {BUY_8}", WANTS_PROVINCE, "", "may Province"),
    # A shared victory is taken.
    (f"P1: hand Copper; turns 9 | P2: hand Province; turns 9 | supply: 1 Province | {BUY_8}",
     WANTS_GOLD, "", "Province"),
    # Equal points in more turns are refused.
    (f"P1: hand Copper; turns 9 | P2: hand Province; turns 8 | supply: 1 Province | {BUY_8}",
     WANTS_PROVINCE, "", "never Province"),
    # Equal points in fewer turns win.
    (f"P1: hand Copper; turns 9 | P2: hand Province; turns 10 | supply: 1 Province | {BUY_8}",
     WANTS_GOLD, "", "Province"),
    # Every opponent must be beaten.
    (f"P1: hand Copper | P2: hand Duchy | P3: hand 3 Duchy | supply: 1 Province | {BUY_8}",
     WANTS_PROVINCE, "", "never Province"),
    # A win is taken before a tie.
    (f"P1: hand Copper; turns 9 | P2: hand Duchy; turns 9 | supply: 1 Province, 1 Duchy, 0 Moat, 0 Mine | {BUY_8}",
     preference({"Duchy": 1}), "", "Province"),
    # The third pile is emptied when that wins.
    (f"P1: hand Estate | P2: hand Copper | {LAST_VILLAGE} | {BUY_8}", WANTS_GOLD, "", "Village"),
    # The third pile is left alone when that loses.
    (f"P1: hand Copper | P2: hand Estate | {LAST_VILLAGE} | {BUY_8}", preference({"Village": 1}), "", "never Village"),
    # With one empty pile another may be emptied.
    (f"P1: hand Copper | P2: hand Estate | supply: 0 Moat, 1 Village | {BUY_8}",
     preference({"Village": 1}), "", "may Village"),
    # Five players may empty a third pile.
    (f"P1: hand Copper | P5: hand Estate | {LAST_VILLAGE} | {BUY_8}", preference({"Village": 1}), "", "may Village"),
    # Workshop is played first when it wins.
    (f"P1: hand Workshop, Smithy, Estate | P2: hand Copper | {LAST_VILLAGE}", DRAWS_FIRST, "", "Workshop"),
    (f"P1: hand Workshop, Smithy, Estate | P2: hand Copper | {LAST_VILLAGE}", DRAWS_FIRST, "Workshop", "Village"),
    # Workshop does not end the game when that loses.
    (f"P1: hand Workshop, Smithy, Copper | P2: hand Estate | {LAST_VILLAGE}", DRAWS_FIRST, "", "Smithy"),
    (f"P1: hand Workshop, Smithy, Copper | P2: hand Estate | {LAST_VILLAGE}",
     preference({"Village": 1}), "Workshop", "never Village"),
    # Workshop that can go on is still played when one gain would lose.
    (f"P1: hand Workshop, Copper | P2: hand Estate | {LAST_VILLAGE}", WANTS_GOLD, "", "Workshop"),
    # Workshop that ties is played first.
    (f"P1: hand Workshop, Smithy; turns 9 | P2: hand Copper; turns 9 | {LAST_VILLAGE}", DRAWS_FIRST, "", "Workshop"),
    # Remodel is played first when it wins.
    ("P1: hand Remodel, Smithy, Gold | P2: hand Duchy | supply: 1 Province", DRAWS_FIRST, "", "Remodel"),
    ("P1: hand Remodel, Smithy, Gold | P2: hand Duchy | supply: 1 Province", DRAWS_FIRST, "Remodel", "Gold"),
    ("P1: hand Remodel, Smithy, Gold | P2: hand Duchy | supply: 1 Province", DRAWS_FIRST, "Remodel | Gold", "Province"),
    # Remodel leaves the last province when it loses.
    ("P1: hand Remodel, Smithy, Gold | P2: hand 3 Duchy | supply: 1 Province", DRAWS_FIRST, "", "Smithy"),
    ("P1: hand Remodel, Smithy, Gold | P2: hand 3 Duchy | supply: 1 Province",
     WANTS_PROVINCE, "Remodel | Gold", "never Province"),
    # The points of the trashed card are lost.
    # Province for Province leaves 6 points, against 7; not 12.
    ("P1: hand Remodel, Province, Smithy | P2: hand Province, Estate | supply: 1 Province", DRAWS_FIRST, "", "Smithy"),
    # A trade that wins is preferred to one that does not.
    # Trashing the Gold for the last Province wins, trashing the Province for it does not.
    ("P1: hand Remodel, Province, Gold | P2: hand Province, Estate | supply: 1 Province",
     preference({"Gold": 1}), "Remodel", "Gold"),
    # The remodel being played is no card to trash.
    # Trashed, it would bring the last Duchy, and the game; the Copper and the Estate do not.
    ("P1: hand Remodel, Cellar, Copper, Estate | P2: hand Copper | supply: 0 Moat, 0 Mine, 1 Duchy",
     WANTS_GOLD, "", "Cellar"),
    # Another remodel in hand is a card to trash.
    ("P1: hand 2 Remodel, Cellar, Copper, Estate | P2: hand Copper | supply: 0 Moat, 0 Mine, 1 Duchy",
     WANTS_GOLD, "", "Remodel"),
    ("P1: hand 2 Remodel, Cellar, Copper, Estate | P2: hand Copper | supply: 0 Moat, 0 Mine, 1 Duchy",
     WANTS_GOLD, "Remodel", "Remodel"),
    # Mine is left out when its only gain loses.
    (f"P1: hand Mine, Village, Copper | P2: hand Estate | {LAST_SILVER}",
     preference({"Gold": 1}, classes=(EPSILON, EPSILON, 1)), "", "Village"),
    # The action phase is passed when all that is left would lose.
    (f"P1: hand Mine, Copper | P2: hand Estate | {LAST_SILVER}", WANTS_GOLD, "", "pass"),
    # Mine trashes nothing when every gain would lose.
    (f"P1: hand Mine, Copper | P2: hand Estate | {LAST_SILVER}", WANTS_GOLD, "Mine", "pass"),
    # Mine with no treasure to trash goes on.
    (f"P1: hand Mine, Estate | P2: hand Duchy | {LAST_SILVER}", WANTS_GOLD, "", "Mine"),
    # A gain after which a buy wins is made.
    (f"P1: hand Workshop, Smithy, 3 Copper, Estate | P2: hand Copper | {LAST_TWO}", WANTS_SILVER, "", "Workshop"),
    (f"P1: hand Workshop, Smithy, 3 Copper, Estate | P2: hand Copper | {LAST_TWO}",
     WANTS_SILVER, "Workshop", "Village"),
    # A gain after which the buy is too dear is not.
    (f"P1: hand Workshop, Smithy, 2 Copper, Estate | P2: hand Copper | {LAST_TWO}", WANTS_SILVER, "", "Smithy"),
    (f"P1: hand Workshop, Smithy, 2 Copper, Estate | P2: hand Copper | {LAST_TWO}", WANTS_SILVER, "Workshop", "Silver"),
    # A gain after which every buy that ends the game loses is not.
    (f"P1: hand Workshop, Smithy, 3 Copper | P2: hand Estate | {LAST_TWO}", WANTS_SILVER, "", "Smithy"),
]  # fmt: skip
"""A position, the strategy, the choices before, and what it chooses; or what it never, or may, choose."""


@pytest.mark.parametrize(("position", "strategy", "before", "choice"), CASES)
def test_gains_that_can_end_the_game(position, strategy, before, choice):
    found = chosen(position, strategy, *(before.split(" | ") if before else ()))

    *how, name = choice.split()
    assert (name in found) == (how != ["never"])
    assert how or found == {name}


# Buys


def test_the_curse_that_would_empty_the_third_pile_is_counted():
    """A Curse costs the point by which the buyer leads: it would only tie, with more turns taken."""
    position = (
        "P1: hand Estate; turns 9 | P2: hand Copper; turns 8 | supply: 0 Moat, 0 Mine, 1 Curse | "
        "turn: P1, 0 actions, 1 buy, 0 coins, buy phase"
    )

    assert "Curse" not in chosen(position, preference({"Curse": 1}))


# Mine


def test_mine_is_played_when_its_only_gain_wins():
    position = f"P1: hand Mine, Village, Copper, Estate | P2: hand Copper | {LAST_SILVER}"

    assert chosen(position) == {"Mine"}
    assert chosen(position, WANTS_GOLD, "Mine") == {"Copper"}
    assert trash(after(position, "Mine", "Copper")) == "Copper"


# Far from the end


def test_nothing_is_looked_ahead_while_no_gain_can_end_the_game():
    game = parse_position(f"P1: hand Copper | P2: hand 3 Duchy | supply: 2 Province, 0 Moat, 2 Village | {BUY_8}")

    assert set(tries(game, preference({"Village": 0.5, "Province": 0.5}), effort(50, 50, 20))) == {
        "Village",
        "Province",
    }


TWO_BUYS = "P1: hand Copper; discard 2 Province; turns 10 | P2: hand 5 Copper; discard 3 Province{}; turns 10 | "


def test_two_buys_are_combined_to_win_and_not_begun_if_they_lose():
    two_buys = "turn: P1, 0 actions, 2 buys, {} coins, buy phase"
    game = after(TWO_BUYS.format(", Estate") + "supply: 1 Province | " + two_buys.format(13))
    gold_lover = preference({"Gold": 1, "Silver": 0.5})

    # The buy that does not end the game comes first.
    assert tries(game, gold_lover, N_TRIES) == {"Duchy": N_TRIES}
    game.enact("Duchy")
    assert tries(game, gold_lover, N_TRIES) == {"Province": N_TRIES}
    for behind, bought in (("", "Province"), (", 3 Duchy", "Gold")):
        game = after(TWO_BUYS.format(behind) + "supply: 2 Province | " + two_buys.format(16))
        assert tries(game, WANTS_GOLD, N_TRIES) == {bought: N_TRIES}


# A gain, then a buy


def test_the_treasure_trashed_for_a_gain_does_not_pay_for_the_buy():
    """Remodel turns a Copper into an Estate; the Village then costs 3, and of 3 Coppers only 2 are left."""
    supply = "supply: 0 Moat, 1 Village, 1 Estate"
    poor, rich = (f"P1: hand Remodel, {n} Copper | P2: hand Copper | {supply}" for n in (3, 4))

    assert len(chosen(poor, WANTS_SILVER, "Remodel")) > 1
    assert chosen(rich, WANTS_SILVER, "Remodel") == {"Estate"}


# Gardens: a card more may be a point more.

GARDENS = Kingdom(("Gardens", "Moat", "Village", "Remodel", "Workshop"))
THIRD_PILE = "supply: 0 Gardens, 0 Village, 1 Moat"


def chosen_with_gardens(position: str, *before: str, wants: str = "Moat") -> set[str]:
    """Return the choices of a strategy that wants one card only; gaining the Moat ends the game."""
    strategy = preference({wants: 1}, kingdom=GARDENS)
    return set(tries(after(f"{position} | {THIRD_PILE}", *before, kingdom=GARDENS), strategy, N_TRIES))


BUY_MOAT = "turn: P1, 0 actions, 1 buy, 2 coins, buy phase"


def test_points_of_gardens_after_a_buy_are_counted():
    for mine, others, wins, loses, wants in [
        ("hand Gardens; discard {} Copper", "turns 9 | P2: hand Copper; turns 8", 8, 7, "Copper"),
        # At twenty cards two Gardens are worth 4, at nineteen 2, against 3.
        ("discard 2 Gardens, {} Copper", "turns 9 | P2: hand Duchy; turns 8", 17, 16, "Copper"),
    ]:
        won, lost = (f"P1: {mine.format(n)}; {others} | {BUY_MOAT}" for n in (wins, loses))
        assert chosen_with_gardens(won, wants=wants) == {"Moat"}
        assert "Moat" not in chosen_with_gardens(lost)
    # Gardens of opponents count too.
    opponent = f"P1: hand Estate; turns 9 | P2: discard Gardens, {{}} Copper; turns 9 | {BUY_MOAT}"
    assert chosen_with_gardens(opponent.format(8), wants="Copper") == {"Moat"}
    assert "Moat" not in chosen_with_gardens(opponent.format(19))
    # The first of two buys can bring the ninth card, and the second the tenth.
    others = "turns 9 | P2: hand Copper; turns 8 | turn: P1, 0 actions, 2 buys, 2 coins, buy phase"
    assert chosen_with_gardens(f"P1: hand Gardens; discard 7 Copper; {others}", wants="Estate") == {"Copper"}
    assert "Moat" not in chosen_with_gardens(f"P1: hand Gardens; discard 6 Copper; {others}")


def test_workshop_that_gains_the_tenth_card_wins():
    position = "P1: hand Workshop, Gardens; discard 7 Copper; turns 9 | P2: hand Copper; turns 8"

    assert chosen_with_gardens(position, "Workshop", wants="Silver") == {"Moat"}


def test_a_card_trashed_for_another_adds_none():
    """With ten cards Gardens are worth their point, with nine nothing; a Copper remodelled leaves as many."""
    position = "P1: hand Remodel, Gardens, Copper; discard {} Copper; turns 9 | P2: hand Copper; turns 8"

    assert chosen_with_gardens(position.format(7), "Remodel", wants="Silver") == {"Copper"}
    assert chosen_with_gardens(position.format(7), "Remodel", "Copper", wants="Silver") == {"Moat"}
    assert "Moat" not in chosen_with_gardens(position.format(6), "Remodel", "Copper")
