"""Every result of chance is asked for as the running game shows it."""

from contextlib import contextmanager

import numpy as np
import pytest

from evodom.distribution import certain
from evodom.spire.content.encounters import groups_of
from evodom.spire.engine.compiler import Setup
from evodom.spire.engine.game import SpireFight
from evodom.spire.engine.layout import DISCARD, DRAW, EXHAUST, HAND
from evodom.spire.fights.display import pile_to_text, state_to_text
from evodom.spire.play.manual_chance import ManualChance


class Person:
    """A person with a list of pairs (beginning of a question, answer), asked in this order."""

    def __init__(self, *answers):
        self.left = list(answers)

    def __call__(self, question):
        begin, answer = self.left.pop(0)
        assert question.startswith(begin), (question, begin)
        return answer


@contextmanager
def shown(game, *answers):
    """Yield chance that the answers show. Check that all were asked for."""
    person = Person(*answers)
    yield ManualChance(game, np.random.default_rng(1), person)
    assert not person.left


def game_of(*enemies, **setup):
    return SpireFight(Setup(enemies=certain(enemies), **{"relics": (), **setup}))


def move(game, state, name):
    return next(one for one in game.actions(state) if game.action_name(one).startswith(name))


def outcome(game, state, move, *answers):
    """Return the outcome of a move that the answers show, as a record."""
    with shown(game, *answers) as asked:
        return game.view(asked.outcome(state, move))


def started(game, *answers):
    """Return the first state that the answers show."""
    with shown(game, *answers) as asked:
        return asked.start()


def test_each_random_hit_asks_for_its_target():
    game = game_of("Cultist", "Cultist", deck={"Sword Boomerang": 5}, enemy_hp=(50, 50))
    state = started(game)
    targets = ("Random enemy (1 Cultist, 2 Cultist)", "2"), ("Random", "1"), ("Random", "2")
    fight = outcome(game, state, move(game, state, "Sword"), *targets)

    assert fight.hp[1:3].tolist() == [47, 44]


def test_random_exhausts_ask_for_the_card():
    game = game_of("Cultist", deck={"True Grit": 1, "Strike": 2, "Defend": 2}, enemy_hp=(50,))
    state = started(game)
    fight = outcome(game, state, move(game, state, "True Grit"), ("Exhausted (Strike, Defend)", "def"))

    assert pile_to_text(game, fight, EXHAUST) == "Defend"


def test_havoc_asks_for_its_card_and_draws():
    deck = {"Havoc": 1, "Defend": 4, "Pommel Strike": 1, "Anger": 1, "Bash": 1}
    game = game_of("Cultist", deck=deck, enemy_hp=(50,))
    state = started(game, ("Drawn (5", "Havoc, 4 Defend"))
    fight = outcome(game, state, move(game, state, "Havoc"), ("The top card (", "pommel"), ("Drawn (1 card)", "anger"))

    assert pile_to_text(game, fight, EXHAUST) == "Pommel Strike"
    assert pile_to_text(game, fight, DRAW) == "Bash"


def test_draws_across_a_shuffle_share_one_question():
    game = game_of("Cultist", deck={"Strike": 4, "Defend": 4}, enemy_hp=(50,))
    state = started(game, ("Drawn (5", "4 Strike, Defend"))
    fight = outcome(game, state, 0, ("Drawn (5 cards)", "2 Strike, 3 Defend"))

    assert pile_to_text(game, fight, HAND) == "2 Strike, 3 Defend"
    assert pile_to_text(game, fight, DRAW) == "2 Strike, Defend"
    assert fight.n_cards[DISCARD] == 0


def test_impossible_draws_are_asked_again_without_intents():
    game = game_of("Jaw Worm", enemy_hp=(40,), deck={"Strike": 6, "Defend": 6})
    state = started(game, ("Drawn (5 cards)", "5 Strike"))
    answers = (
        ("1 Jaw Worm intends (Bellow, Thrash)", "bellow"), ("Drawn (5 cards)", "2 Strike, 3 Defend"),
        ("Strike cannot be among them. Drawn (5 cards)", "4 Defend"), ("More were drawn. Drawn (5 cards)", "6 Defend"),
        ("Defend cannot be among them. Drawn (5 cards)", "Havoc"), ("no card named 'Havoc'", "Strike, 4 Defend"),
    )  # fmt: skip

    with shown(game, *answers) as asked:
        after = asked.outcome(state, 0)
    assert "intends Bellow" in state_to_text(game, after)
    assert pile_to_text(game, game.view(after), HAND) == "Strike, 4 Defend"


def test_known_cards_on_the_draw_pile_are_part_of_what_is_drawn():
    game = game_of("Cultist", enemy_hp=(50,), deck={"Strike": 4, "Defend": 4, "Bash": 1, "Warcry": 1})
    state = started(game, ("Drawn (5", "Warcry, 4 Strike"))
    with shown(game, ("Drawn (1 card)", "bash")) as asked:
        state = asked.outcome(state, move(game, state, "Warcry"))
    state = game.sample(state, move(game, state, "choose Bash"), np.random.default_rng(1))
    fight = outcome(game, state, 0)  # Bash is on top of four Defends: all is certain

    assert pile_to_text(game, fight, HAND) == "Bash, 4 Defend"


def test_empty_answers_are_random():
    game = game_of("Jaw Worm", enemy_hp=(40,))
    state = game.start(np.random.default_rng(1))
    found = {
        ManualChance(game, np.random.default_rng(seed), lambda question: "").outcome(state, 0) for seed in range(12)
    }

    assert len(found) > 3
    assert found <= {outcome for outcome, _ in game.outcomes(state, 0)}


@pytest.mark.parametrize("seed", range(3))
def test_answers_lead_to_possible_outcomes(seed):
    game = SpireFight(
        Setup(enemies=groups_of("Gremlin Gang"), deck={"Sword Boomerang+": 2, "True Grit": 2, "Anger": 3})
    )
    rng = np.random.default_rng(seed)
    state = ManualChance(game, rng, lambda question: "").start()
    for _ in range(4):
        if game.view(state).over:
            return
        chosen = int(rng.choice([one for one in game.actions(state) if one]))
        after = ManualChance(game, rng, lambda question: "").outcome(state, chosen)
        assert after in {outcome for outcome, _ in game.outcomes(state, chosen)}
        state = after


def test_invalid_answers_are_asked_again_with_the_reason():
    game = SpireFight(Setup(enemies=groups_of("Two Louses"), relics=(), deck={"Strike": 4, "Defend": 4}))
    state = started(
        game, ("You meet (", "cultist"), ("'cultist' cannot be. You meet (", "louse"),
        ("'louse' may be Red Louse, Red Louse or Red Louse, Green Louse or ", "?"),
        ("'?' cannot be. You meet (", "red louse, red louse"), ("HP of 1 Red Louse (", "1"),
        ("'1' cannot be. HP of 1 Red Louse (", "40"), ("'40' cannot be. HP of 1 Red Louse (", "-11"),
        ("'-11' cannot be. HP of 1 Red Louse (", "13"), ("Curl Up of 1 Red Louse (9, 10, 11, 12)", "\x1b[31m"),
        (r"'\x1b[31m' cannot be. Curl Up of 1 Red Louse (", "9"), ("Bite of 1 Red Louse (", ""),
        ("1 Red Louse intends (", "split"), ("'split' cannot be. 1 Red Louse intends (", "bite"),
        ("HP of 2 Red Louse (", " "), ("Curl Up of 2 Red Louse (", ""), ("Bite of 2 Red Louse (", ""),
        ("2 Red Louse intends (", "grow"), ("Drawn (5 cards)", "5 strike"),
        ("Strike cannot be among them. Drawn (5 cards)", "4 strike"),
        ("More were drawn. Drawn (5 cards)", "4 strike, defend"),
    )  # fmt: skip

    assert game.view(state).hp[1] == 13
    assert "1  Red Louse 13 HP, intends Bite" in state_to_text(game, state)
    assert "intends Grow" in state_to_text(game, state)
    assert pile_to_text(game, game.view(state), HAND) == "4 Strike, Defend"


def test_random_and_offered_cards_and_costs_are_asked_for():
    setup = {"deck": {"Infernal Blade": 1, "Inflame": 1, "Bash": 1}, "potions": ("Power Potion", "Snecko Oil")}
    game = game_of("Cultist", enemy_hp=(50,), relics=("Mummified Hand",), **setup)
    start = started(game)

    made = outcome(game, start, move(game, start, "Infernal Blade"), ("The random card (", "sever"))
    assert pile_to_text(game, made, HAND) == "Bash, Inflame, Sever Soul (costs 0 this turn)"
    freed = outcome(game, start, move(game, start, "Inflame"), ("It costs 0 now (Bash, Infernal Blade)", "bash"))
    assert "Bash (costs 0 this turn)" in pile_to_text(game, freed, HAND)
    answers = ("Offered (3 cards)", "Rupture, Bash, Evolve"), ("Bash cannot", "Evolve, rupture, Juggernaut")
    offered = outcome(game, start, move(game, start, "Power Potion"), *answers)
    assert len(game.actions(offered.tobytes())) == 4
    costs = ("Cost of Inflame (0, 1, 2, 3)", "1"), ("Cost of Infernal Blade", "3"), ("Cost of Bash", "1")
    oiled = outcome(game, start, move(game, start, "Snecko Oil"), *costs)
    assert pile_to_text(game, oiled, HAND) == "Inflame, Bash (costs 1), Infernal Blade (costs 3)"
