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


def jaw_worm(past, r, hard):
    if not past:
        return "Chomp"
    if r < 25:
        return {"Bellow": 5625, "Thrash": 4375} if again(past, "Chomp", 1) else "Chomp"
    if r < 55:
        return {"Chomp": 357, "Bellow": 643} if again(past, "Thrash", 2) else "Thrash"
    return {"Chomp": 416, "Thrash": 584} if again(past, "Bellow", 1) else "Bellow"


def louse(other):
    def choose(past, r, hard):
        if r < 25:
            return "Bite" if again(past, other, 1 if hard else 2) else other
        return other if again(past, "Bite", 2) else "Bite"

    return choose


def acid_s(past, r, hard):
    if not past:
        return "Lick" if hard else {"Lick": 1, "Tackle": 1}
    return "Lick" if past[-1] == "Tackle" else "Tackle"


def acid_early(past, r):
    if r < 30:
        return {"Tackle": 1, "Lick": 1} if again(past, "Corrosive Spit", 2) else "Corrosive Spit"
    if r < 70:
        return {"Corrosive Spit": 40, "Lick": 60} if again(past, "Tackle", 1) else "Tackle"
    return {"Corrosive Spit": 40, "Tackle": 60} if again(past, "Lick", 2) else "Lick"


def acid_m(past, r, hard):
    if not hard:
        return acid_early(past, r)
    if r < 40:
        return {"Tackle": 1, "Lick": 1} if again(past, "Corrosive Spit", 2) else "Corrosive Spit"
    if r < 80:
        return {"Corrosive Spit": 1, "Lick": 1} if again(past, "Tackle", 2) else "Tackle"
    return {"Corrosive Spit": 40, "Tackle": 60} if again(past, "Lick", 1) else "Lick"


def acid_l(past, r, hard):
    if not hard:
        return acid_early(past, r)
    if r < 40:
        return {"Tackle": 60, "Lick": 40} if again(past, "Corrosive Spit", 2) else "Corrosive Spit"
    if r < 70:
        return {"Corrosive Spit": 60, "Lick": 40} if again(past, "Tackle", 2) else "Tackle"
    return {"Corrosive Spit": 40, "Tackle": 60} if again(past, "Lick", 1) else "Lick"


def spike(past, r, hard):
    if r < 30:
        return "Lick" if again(past, "Flame Tackle", 2) else "Flame Tackle"
    return "Flame Tackle" if again(past, "Lick", 1 if hard else 2) else "Lick"


def fungi_beast(past, r, hard):
    if r < 60:
        return "Grow" if again(past, "Bite", 2) else "Bite"
    return "Bite" if again(past, "Grow", 1) else "Grow"


def blue_slaver(past, r, hard):
    if r >= 40 and not again(past, "Stab", 2):
        return "Stab"
    return "Stab" if again(past, "Rake", 1 if hard else 2) else "Rake"


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
    "Jaw Worm": jaw_worm, "Red Louse": louse("Grow"), "Green Louse": louse("Spit Web"), "Acid Slime (S)": acid_s,
    "Acid Slime (M)": acid_m, "Acid Slime (L)": acid_l, "Spike Slime (M)": spike, "Spike Slime (L)": spike,
    "Fungi Beast": fungi_beast, "Blue Slaver": blue_slaver, "Red Slaver": red_slaver, "Looter": looter,
    "Gremlin Nob": gremlin_nob,
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
