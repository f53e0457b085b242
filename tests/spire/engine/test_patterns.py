"""The Markov chains of enemies' intents, compared with a second implementation of the rules.

A function of ROLLS takes the moves made so far and a roll r from 0 to 99. It returns a move, or moves with weights.
"""

from collections import Counter
from fractions import Fraction

import pytest

from evodom.distribution import certain
from evodom.spire.engine.compiler import FightRules, Setup


def again(past, move, times):
    """Return whether the last `times` moves were this move."""
    return past[-times:] == (move,) * times


def by_roll(rows, hard_rows=None, first=""):
    """Return a function of ROLLS with rows of (upper limit of the roll, move, times, other moves).

    The other moves replace the move after it was made `times` times in a row.
    """

    def choose(past, r, hard):
        if first and not past:
            return first
        move, times, others = next(row for limit, *row in (hard_rows if hard and hard_rows else rows) if r < limit)
        return others if again(past, move, times) else move

    return choose


JAW_WORM = [
    (25, "Chomp", 1, {"Bellow": 5625, "Thrash": 4375}),
    (55, "Thrash", 2, {"Chomp": 357, "Bellow": 643}),
    (100, "Bellow", 1, {"Chomp": 416, "Thrash": 584}),
]
ACID_EASY = [
    (30, "Corrosive Spit", 2, {"Tackle": 1, "Lick": 1}),
    (70, "Tackle", 1, {"Corrosive Spit": 40, "Lick": 60}),
    (100, "Lick", 2, {"Corrosive Spit": 40, "Tackle": 60}),
]
ACID_M = [
    (40, "Corrosive Spit", 2, {"Tackle": 1, "Lick": 1}),
    (80, "Tackle", 2, {"Corrosive Spit": 1, "Lick": 1}),
    (100, "Lick", 1, {"Corrosive Spit": 40, "Tackle": 60}),
]
ACID_L = [
    (40, "Corrosive Spit", 2, {"Tackle": 60, "Lick": 40}),
    (70, "Tackle", 2, {"Corrosive Spit": 60, "Lick": 40}),
    (100, "Lick", 1, {"Corrosive Spit": 40, "Tackle": 60}),
]


def either(share, move, other, times=(2, 1), other_times=2):
    """Return a function of ROLLS: `share` percent of rolls give a move, the others another move.

    `times` are the repetitions of the move after which the other move follows: easy and hard.
    """
    return by_roll(*([(share, move, n, other), (100, other, other_times, move)] for n in times))


SPIKE_SLIME = by_roll(*([(30, "Flame Tackle", 2, "Lick"), (100, "Lick", times, "Flame Tackle")] for times in (2, 1)))


def acid_s(past, r, hard):
    if not past:
        return "Lick" if hard else {"Lick": 1, "Tackle": 1}
    return "Lick" if past[-1] == "Tackle" else "Tackle"


def red_slaver(past, r, hard):
    if not past:
        return "Stab"
    if r >= 75 and "Entangle" not in past:
        return "Entangle"
    if r >= 55 and "Entangle" in past and not again(past, "Stab", 2):
        return "Stab"
    return "Stab" if again(past, "Scrape", 1 if hard else 2) else "Scrape"


def looter(past, r, hard):
    if len(past) < 2:
        return "Mug"
    if len(past) == 2:
        return {"Smoke Bomb": 1, "Lunge": 1}
    return "Smoke Bomb" if past[-1] == "Lunge" else "Escape"


def gremlin_nob(past, r, hard):
    if not past:
        return "Bellow"
    if hard:
        return "Rush" if "Skull Bash" in past[-2:] else "Skull Bash"
    if r < 33:
        return "Skull Bash"
    return "Skull Bash" if again(past, "Rush", 2) else "Rush"


ROLLS = {
    "Jaw Worm": by_roll(JAW_WORM, first="Chomp"), "Red Louse": either(25, "Grow", "Bite"),
    "Green Louse": either(25, "Spit Web", "Bite"), "Acid Slime (S)": acid_s,
    "Acid Slime (M)": by_roll(ACID_EASY, ACID_M), "Acid Slime (L)": by_roll(ACID_EASY, ACID_L),
    "Spike Slime (M)": SPIKE_SLIME, "Spike Slime (L)": SPIKE_SLIME,
    "Fungi Beast": either(60, "Bite", "Grow", (2, 2), 1), "Blue Slaver": either(40, "Rake", "Stab"),
    "Red Slaver": red_slaver, "Looter": looter, "Gremlin Nob": gremlin_nob,
}  # fmt: skip

SEAR = "Sear, Tackle, Sear, Inflame, Tackle, Sear, Inferno"

SCRIPTS = {
    "Cultist": "Incantation, Dark Strike, Dark Strike, Dark Strike", "Spike Slime (S)": "Tackle, Tackle, Tackle",
    "Mad Gremlin": "Scratch, Scratch", "Sneaky Gremlin": "Puncture, Puncture", "Fat Gremlin": "Smash, Smash",
    "Shield Gremlin": "Protect, Protect, Protect",
    "Lagavulin": "Sleep, Sleep, Wake, Attack, Attack, Siphon Soul, Attack, Attack, Siphon Soul",
    "Lagavulin (awake)": "Siphon Soul, Attack, Attack, Siphon Soul, Attack, Attack", "Sentry": "Bolt, Beam, Bolt, Beam",
    "Middle Sentry": "Beam, Bolt, Beam, Bolt", "Slime Boss": "Goop Spray, Preparing, Slam, Goop Spray, Preparing, Slam",
    "The Guardian": "Charging Up, Fierce Bash, Vent Steam, Whirlwind, Charging Up, Fierce Bash",
    "Hexaghost": f"Activate, Divider, {SEAR}, {SEAR}, {SEAR}",
}  # fmt: skip

WIZARD = {
    False: "Charging, Charging, Ultimate Blast, Charging, Charging, Charging, Ultimate Blast, Charging",
    True: "Charging, Charging, Ultimate Blast, Ultimate Blast, Ultimate Blast",
}


class Chain:
    """The chain of an enemy's intents in the compiled rules."""

    def __init__(self, name, ascension):
        self.rules = FightRules(Setup(enemies=certain((name,)), ascension=ascension))
        self.start = int(self.rules.record.opening[1])

    def following(self, intent):
        """Return the successors of an intent as pairs (probability, intent)."""
        record = self.rules.record
        n = record.n_following[intent]
        weights = [int(weight) for weight in record.weights[intent, :n]]
        return [(Fraction(w, sum(weights)), int(i)) for w, i in zip(weights, record.following[intent, :n], strict=True)]

    def name(self, intent):
        """Return the name of a move; Sear+ counts as Sear."""
        return self.rules.intents[intent].rstrip("+")


def expected(choose, past, hard):
    """Return the probabilities of the next moves, summed over all rolls."""
    chances = Counter()
    for r in range(100):
        moves = choose(past, r, hard)
        moves = {moves: 1} if isinstance(moves, str) else moves
        for move, weight in moves.items():
            chances[move] += Fraction(weight, 100 * sum(moves.values()))
    return chances


@pytest.mark.parametrize("ascension", [0, 16, 17, 20])
@pytest.mark.parametrize("name", ROLLS)
def test_the_next_move_has_the_chances_of_the_roll(name, ascension):
    chain = Chain(name, ascension)
    hard = ascension >= (18 if name == "Gremlin Nob" else 17)
    to_do = [((), chain.start)]
    for past, intent in to_do:
        found = Counter()
        for chance, after in chain.following(intent):
            found[chain.name(after)] += chance
            if len(past) < 4:
                to_do.append(((*past, chain.name(after)), after))
        assert found == expected(ROLLS[name], past, hard), past


@pytest.mark.parametrize("ascension", [0, 20])
@pytest.mark.parametrize("name", [*SCRIPTS, "Gremlin Wizard"])
def test_a_fixed_sequence_of_moves_is_followed(name, ascension):
    chain, intent = Chain(name, ascension), None
    script = WIZARD[ascension == 20] if name == "Gremlin Wizard" else SCRIPTS[name]
    for move in script.split(", "):
        ((chance, intent),) = chain.following(chain.start if intent is None else intent)
        assert (chance, chain.name(intent)) == (1, move)


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("The Guardian", "Defensive Mode, Roll Attack, Twin Slam, Whirlwind, Charging Up, Fierce Bash"),
        ("Lagavulin", "Stunned, Attack, Attack, Siphon Soul"),
    ],
)
def test_moves_after_an_interruption(name, moves):
    chain = Chain(name, 20)
    intent = int(chain.rules.record.interrupt_move[1])
    found = [chain.name(intent)]
    while len(found) < moves.count(",") + 1:
        ((_, intent),) = chain.following(intent)
        found.append(chain.name(intent))

    assert found == moves.split(", ")
