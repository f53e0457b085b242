"""A fight as a game: how it starts, what a plan leads to, when it is over and what it pays."""

from fractions import Fraction

import pytest

from evodom.distribution import certain
from evodom.errors import UsageError
from evodom.solve import solve
from evodom.spire.exact.fight import Fight, FightSetup, NewTurn, Over, PlayerTurn
from evodom.spire.exact.plans import CARD_BY_CARD, TURN_BY_TURN
from evodom.spire.rows.cards import BANE, ironclad
from tests.spire.exact.helpers import decision, fight, in_words


def only(game, state, *cards):
    """Return the outcomes of the plan that plays just these cards."""
    (plan,) = [plan for plan in game.actions(state) if [play.card.name for play in plan.plays] == list(cards)]
    return game.outcomes(state, plan)


@pytest.mark.parametrize(
    ("ascension", "hp", "max_hp", "n_banes"),
    [
        (0, 80, 80, 0),
        (5, 80, 80, 0),
        (6, 72, 80, 0),
        (9, 72, 80, 0),
        (10, 72, 80, 1),
        (13, 72, 80, 1),
        (14, 68, 75, 1),
        (20, 68, 75, 1),
    ],
)
def test_an_ironclad_starts_with_these_hp_and_cards(ascension, hp, max_hp, n_banes):
    assert ironclad(ascension)[:2] == (hp, max_hp)
    assert ironclad(ascension)[2][BANE] == n_banes
    assert ironclad(ascension)[2].total() == 10 + n_banes


def test_a_fight_starts_with_every_hp_of_the_enemy_and_every_hand():
    game = fight("Cultist", "2 Strike, 4 Defend")

    start = game.starts()

    assert dict(start.map(lambda s: s.combat.enemies[0].hp)) == {hp: Fraction(1, 7) for hp in range(50, 57)}
    assert dict(start.map(lambda s: in_words(game, s.hand))) == {
        "Strike, 4 Defend": Fraction(1, 3),
        "2 Strike, 3 Defend": Fraction(2, 3),
    }


def test_known_hp_are_taken_and_the_rest_is_rolled():
    game = fight("Sentry 40, Sentry", "5 Strike")

    hps = {tuple(enemy.hp for enemy in state.combat.enemies) for state, _ in game.starts()}

    assert hps == {(40, hp) for hp in range(39, 46)}


def test_a_louse_is_rolled_with_its_bite_and_its_curl_up():
    starts = [state.combat.enemies[0] for state, _ in fight("Red Louse 12", "5 Strike").starts()]

    assert len(starts) == 3 * 4 * 2
    assert {dict(enemy.statuses)["Curl Up"] for enemy in starts} == {9, 10, 11, 12}


def test_the_end_of_a_turn_discards_the_hand_and_the_next_is_drawn():
    game = fight("Cultist 50", "5 Strike, 5 Defend, Bash")
    state = decision(game, "| Cultist 50, Dark Strike 1", "5 Strike", draw="Bash", discard="5 Defend")

    (turn, _), *_ = only(game, state)
    hands = game.outcomes(turn, game.actions(turn)[0])

    assert isinstance(turn, NewTurn)
    assert (turn.hp, in_words(game, turn.draw), in_words(game, turn.discard)) == (44, "Bash", "5 Strike, 5 Defend")
    assert sum(p for _, p in hands) == 1
    assert all("Bash" in in_words(game, s.hand) and game.kinds.size(s.hand) == 5 for s, _ in hands)


def test_a_fight_is_lost_at_zero_hp():
    game = fight("Cultist 50", "5 Strike")
    state = decision(game, "| Cultist 50, Dark Strike 1", "Strike", hp=6)

    assert only(game, state, "Strike") == certain(Over(0))
    assert game.actions(Over(0)) == ()


@pytest.mark.parametrize("mode", [TURN_BY_TURN, CARD_BY_CARD])
def test_losing_the_last_hp_comes_before_winning(mode):
    game = fight("Cultist 6", "Offering, Strike, 3 Defend", mode=mode)
    dead = decision(game, "energy 0 | Cultist 6, Dark Strike 1", "Offering, Strike", hp=6)
    alive = decision(game, "energy 0 | Cultist 6, Dark Strike 1", "Offering, Strike", hp=7)

    assert solve(game, certain(dead)).value == 0
    assert solve(game, certain(alive)).value == 1


def test_hemokinesis_kills_the_player_before_the_enemy():
    game = fight("Cultist 15", "Hemokinesis")
    state = decision(game, "| Cultist 15", "Hemokinesis", hp=2)

    assert only(game, state, "Hemokinesis") == certain(Over(0))


def test_thorns_do_not_save_a_player_who_is_dead():
    game = fight("Cultist 3", "Wound", relics="Bronze Scales")
    state = decision(game, "Thorns 3 | Cultist 3, Dark Strike 1", "Wound", hp=6)

    assert only(game, state) == certain(Over(0))
    assert only(game, state._replace(hp=7)) == certain(Over(1))


def test_burning_blood_heals_after_a_fight_that_was_won_and_never_beyond_the_most():
    game = fight("Cultist 6", "Strike", relics="Burning Blood", hp=20, max_hp=30)

    healed = [only(game, decision(game, "| Cultist 6", "Strike", hp=hp), "Strike") for hp in (20, 28)]

    assert healed == [certain(Over(26)), certain(Over(30))]
    assert game.bounds(decision(game, "| Cultist 6", "Strike", hp=20)) == (0, 26)


def test_blood_vial_heals_before_the_fight():
    assert {state.hp for state, _ in fight("Cultist", relics="Blood Vial", hp=20).starts()} == {22}
    assert {state.hp for state, _ in fight("Cultist", relics="Blood Vial", hp=75).starts()} == {75}


def test_a_relic_can_win_a_fight_before_the_first_turn():
    assert fight("Spike Slime (S) 3", relics="Mercury Hourglass", hp=20).starts() == certain(Over(20))


def test_bag_of_preparation_draws_seven_cards_at_first():
    game = fight("Cultist 50", relics="Bag of Preparation")

    assert {game.kinds.size(state.hand) for state, _ in game.starts()} == {7}


def test_slimed_cards_come_into_the_discard_pile():
    game = fight("Spike Slime (M) 30", "5 Strike")
    state = decision(game, "| Spike Slime (M) 30, Flame Tackle 1", "Strike")

    assert {in_words(game, after.discard) for after, _ in only(game, state)} == {"Strike, Slimed"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ascension": 21}, "ascension 21 does not exist; allowed: 0 to 20"),
        ({"enemies": ("Byrd",)}, "no enemy named 'Byrd'. Known: Cultist"),
        ({"enemies": ("Hexaghost",)}, "^the exact solver does not know Hexaghost; evodom spire search does$"),
        ({"deck": {"Havoc": 1}}, "^the exact solver does not know Havoc; evodom spire search does$"),
        ({"deck": {"Wild Strike+": 1}}, r"^the exact solver does not know Wild Strike\+; evodom spire search does$"),
        ({"relics": ("Du-Vu Doll",)}, "^the exact solver does not know Du-Vu Doll; evodom spire search does$"),
        ({"enemies": ()}, "a fight needs enemies"),
        ({"deck": {"Smite": 1}}, "no card named 'Smite'"),
        ({"deck": {}}, "a deck needs at least one card"),
        ({"relics": ("Pen Nub",)}, "no relic named 'Pen Nub'"),
        ({"hp": 0}, "0 HP of at most 75"),
        ({"hp": 76}, "76 HP of at most 75"),
        ({"enemy_hp": (50, 50)}, "HP for 2 enemies given, and there are 1"),
        ({"enemy_hp": (0,)}, "an enemy cannot have 0 HP; allowed: 1 to 999"),
    ],
)
def test_a_fight_that_cannot_be_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        Fight(FightSetup(**options))


def test_an_unknown_mode_is_refused():
    with pytest.raises(UsageError, match="turn by turn or card by card, got 'all at once'"):
        Fight(FightSetup(), mode="all at once")


def test_all_piles_of_a_decision_are_what_it_was_made_of():
    game = fight("Cultist 50")

    for state, _ in game.starts():
        assert isinstance(state, PlayerTurn)
        assert game.kinds.unpack(state.hand) + game.kinds.unpack(state.draw) == game.deck
