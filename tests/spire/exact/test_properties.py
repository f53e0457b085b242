"""What holds in every fight: cards are kept, chances sum to one, and both ways of playing have the same value."""

from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evodom.solve import Cyclic, Limits, TooLarge, solve
from evodom.spire.exact.fight import PlayerTurn
from evodom.spire.exact.known import CARDS, ENEMIES, RELICS
from evodom.spire.exact.plans import CARD_BY_CARD, TURN_BY_TURN
from evodom.spire.rows.cards import POWER
from evodom.spire.rows.effects import OP_CREATE
from tests.spire.exact.helpers import fight

CREATING = {name for name, card in CARDS.items() if any(effect.op == OP_CREATE for effect in card.effects)}

DECKS = st.lists(st.sampled_from(sorted(CARDS)), min_size=3, max_size=7).map(", ".join)
SMALL_DECKS = st.lists(
    st.sampled_from(sorted(set(CARDS) - CREATING - {name for name in CARDS if name.startswith("True Grit")})),
    min_size=3,
    max_size=4,
).map(lambda cards: ", ".join([*cards, "Strike"]))
RELIC_SETS = st.lists(st.sampled_from(sorted(RELICS)), max_size=3, unique=True).map(", ".join)
FOES = st.lists(st.sampled_from(ENEMIES), min_size=1, max_size=2).map(", ".join)


RULES = [
    {"ascension": ascension, "mode": mode, "spend_all": spend_all}
    for ascension in (0, 7, 20)
    for mode in (TURN_BY_TURN, CARD_BY_CARD)
    for spend_all in (False, True)
]


def cards_in(game, state):
    """Return all cards of the piles."""
    piles = (state.hand if isinstance(state, PlayerTurn) else 0, state.draw, state.discard)
    return sum((game.kinds.unpack(pile) for pile in piles), Counter())


@settings(max_examples=25)
@given(FOES, DECKS, RELIC_SETS, st.sampled_from(RULES), st.integers(0, 2**32))
def test_every_plan_of_a_random_fight_leads_somewhere_and_keeps_the_cards(foes, deck, relics, rules, seed):
    game = fight(foes, deck, relics=relics, hp=60, **rules)
    rng = np.random.default_rng(seed)
    state = game.starts().sample(rng)
    for _ in range(8):
        plans = game.actions(state)
        if not plans:
            assert not hasattr(state, "combat")
            break
        plan = plans[rng.integers(len(plans))]
        before = cards_in(game, state)
        after = game.outcomes(state, plan)
        assert sum(p for _, p in after) == 1
        following = after.sample(rng)
        if hasattr(following, "combat"):
            _check_cards(before, cards_in(game, following), plan)
            assert following.combat.energy >= 0
            assert following.combat.block >= 0
            assert all(enemy.hp > 0 for enemy in following.combat.enemies)
            assert not isinstance(following, PlayerTurn) or game.kinds.size(following.hand) <= 10
        low, high = game.bounds(state)
        assert low <= following.hp <= high
        state = following


def _check_cards(before, after, plan):
    """Only powers, cards that exhaust and ethereal ones may go; only what is created may come."""
    played = [play.card for play in plan.plays]
    may_go = Counter(card.name for card in played if card.exhausts or card.kind == POWER)
    may_go += Counter(play.exhausted.name for play in plan.plays if play.exhausted)
    gone, come = before - after, after - before
    if plan.ends:
        gone = Counter({name: n for name, n in gone.items() if not CARDS[name].ethereal})
    created = {effect.name for card in played for effect in card.effects if effect.op == OP_CREATE}
    assert set(come) <= created | ({"Slimed", "Dazed"} if plan.ends else set())
    if plan.exhausting:
        assert (gone - may_go).total() <= plan.exhausting
    else:
        assert not gone - may_go


@settings(max_examples=25)
@given(
    st.sampled_from(["Cultist 9", "Gremlin Nob 12", "Red Louse 8", "Lagavulin 9"]),
    SMALL_DECKS,
    RELIC_SETS,
    st.integers(0, 20),
)
def test_card_by_card_and_turn_by_turn_have_the_same_value(foe, deck, relics, ascension):
    games = [
        fight(foe, deck, relics=relics, ascension=ascension, hp=7, mode=mode) for mode in (TURN_BY_TURN, CARD_BY_CARD)
    ]

    try:
        turn, card = (solve(game, limits=Limits(states=2_000)) for game in games)
    except (TooLarge, Cyclic):
        assume(False)

    assert turn.value == card.value
    assert isinstance(turn.value, Fraction)
    assert turn.results().expectation() == turn.value
