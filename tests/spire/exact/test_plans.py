"""Plans: what can be played from a hand, and which plans are left out."""

from fractions import Fraction

import pytest

from evodom.spire.exact.plans import CARD_BY_CARD, TURN_BY_TURN
from evodom.spire.exact.text import plan_to_text
from tests.spire.exact.helpers import at, decision, fight, in_words


def plans(position, hand, *, deck=None, draw="", discard="", **rules):
    """Return the plans of a decision in words."""
    names = [part.strip().rpartition(" ")[0] for part in (p.split(",")[0] for p in position.split("|")[1:])]
    game = fight(", ".join(names), deck or ", ".join(filter(None, (hand, draw, discard))), **rules)
    state = decision(game, position, hand, draw=draw, discard=discard)
    return game, state, game.actions(state)


def words(position, hand, **options):
    _, state, found = plans(position, hand, **options)
    return {plan_to_text(state.combat, plan) for plan in found}


def test_plans_are_the_sub_multisets_that_can_be_paid():
    assert words("| Cultist 50", "Bash, 2 Strike") == {"end the turn", "Strike", "2 Strike", "Bash", "Bash, Strike"}


def test_bash_is_played_before_strikes():
    assert "Strike, Bash" not in words("| Cultist 50", "Bash, Strike")


def test_card_by_card_a_plan_is_one_card():
    assert words("| Cultist 50", "Bash, 2 Strike", mode=CARD_BY_CARD) == {"end the turn", "Bash", "Strike"}


def test_unplayable_cards_stay_in_hand():
    assert words("| Cultist 50", "Ascender's Bane, Wound, Dazed, Burn") == {"end the turn"}


def test_clash_needs_a_hand_of_attacks():
    assert words("| Cultist 50, Dark Strike 1", "Clash, Defend") == {"end the turn", "Defend", "Defend, Clash"}
    assert "Clash" in words("| Cultist 50", "Clash, Strike")


def test_true_grit_plus_names_the_card_it_exhausts():
    assert words("energy 1 | Cultist 50", "True Grit+, Strike, Bash", deck="True Grit+, Strike, Bash") == {
        "end the turn",
        "Strike",
        "True Grit+ exhausting Strike",
        "True Grit+ exhausting Bash",
    }


def test_true_grit_plus_alone_exhausts_nothing():
    assert words("| Cultist 50, Dark Strike 1", "True Grit+") == {"end the turn", "True Grit+"}


def test_true_grit_exhausts_at_random_and_then_the_turn_goes_on():
    game, state, found = plans("| Cultist 50", "True Grit, 2 Strike, Bash")
    grit = next(plan for plan in found if plan_to_text(state.combat, plan) == "True Grit, then see what comes")

    after = game.outcomes(state, grit)

    assert {in_words(game, s.hand): p for s, p in after} == {"2 Strike": Fraction(1, 3), "Bash, Strike": Fraction(2, 3)}
    assert {in_words(game, s.discard) for s, _ in after} == {"True Grit"}


def test_a_card_that_is_played_is_not_in_the_discard_pile_while_it_draws():
    game, state, found = plans("| Cultist 50", "Pommel Strike, Strike", discard="Defend")
    strike = next(plan for plan in found if [play.card.name for play in plan.plays] == ["Strike", "Pommel Strike"])

    after = game.outcomes(state, strike)

    assert {in_words(game, s.hand): p * 2 for s, p in after} == {"Strike": 1, "Defend": 1}
    assert all("Pommel Strike" in in_words(game, s.discard + s.draw) for s, _ in after)


def test_a_hand_of_ten_draws_no_more():
    game, state, found = plans("energy 9 | Cultist 50", "Shrug It Off, 9 Wound", draw="2 Strike")
    shrug = next(plan for plan in found if plan.drawing)

    after = game.outcomes(state, shrug)

    assert [in_words(game, s.hand) for s, _ in after] == ["Strike, 9 Wound"]
    offering, state, found = plans("energy 9 | Cultist 50", "Offering, 8 Wound", draw="5 Strike")
    after = offering.outcomes(state, next(plan for plan in found if plan.drawing))
    assert [in_words(offering, s.hand) for s, _ in after] == ["2 Strike, 8 Wound"]


def test_created_cards_beyond_ten_go_to_the_discard_pile():
    game, state, found = plans(
        "| Cultist 50", "Power Through, 9 Strike", deck="Power Through, 9 Strike", mode=CARD_BY_CARD
    )
    through = next(plan for plan in found if plan.plays and plan.plays[0].card.name == "Power Through")

    (after, _), *_ = game.outcomes(state, through)

    assert in_words(game, after.hand) == "9 Strike, Wound"
    assert in_words(game, after.discard) == "Power Through, Wound"


def test_powers_and_exhausting_cards_are_gone_when_played():
    game, _, found = plans("| Cultist 50", "Inflame, Impervious, Strike")
    for plan in found:
        kept = in_words(game, plan.to_discard)
        names = [play.card.name for play in plan.plays]
        assert ("Inflame" in kept) == ("Inflame" not in names)
        assert ("Impervious" in kept) == ("Impervious" not in names)
        assert "Strike" in kept


def test_ethereal_cards_in_hand_are_gone_after_the_turn():
    game, _, found = plans("energy 0 | Cultist 50", "Carnage, Ascender's Bane, Dazed, Strike, Wound")

    assert [in_words(game, plan.to_discard) for plan in found] == ["Strike, Wound"]


def test_against_one_enemy_a_plan_that_leaves_it_more_hp_is_left_out():
    turn = words("energy 2 | Cultist 50", "Strike, Inflame, Wound")
    both = words("energy 2 | Cultist 50", "Strike, Inflame, Wound", mode=CARD_BY_CARD)

    assert turn == {"end the turn", "Strike", "Inflame", "Inflame, Strike"}
    assert both == {"end the turn", "Strike", "Inflame"}


def test_each_enemy_is_a_target_of_its_own():
    assert words("energy 1 | Sentry 20 | Sentry 20", "Strike, Cleave") == {
        "end the turn",
        "Strike at Sentry 1",
        "Strike at Sentry 2",
        "Cleave",
    }


def test_an_enemy_keeps_its_number_when_another_dies():
    assert "Strike at Sentry 1, Strike at Sentry 2" in words("| Sentry 6 | Sentry 20", "2 Strike")


@pytest.mark.parametrize("mode", [TURN_BY_TURN, CARD_BY_CARD])
def test_spending_all_energy_leaves_a_plan_where_none_can(mode):
    rules = {"deck": "2 True Grit+, Strike, Seeing Red, Bash", "mode": mode, "spend_all": True}

    for hand in ("2 True Grit+", "Seeing Red, Bash", "2 True Grit+, Strike"):
        for energy in (2, 3):
            game, state, found = plans(f"energy {energy} | Cultist 50", hand, **rules)
            assert found
            assert all(game.outcomes(state, plan).pairs for plan in found)


def test_spending_all_energy_leaves_out_what_does_not():
    assert words("| Cultist 50", "3 Strike", spend_all=True) == {"3 Strike"}
    assert words("| Cultist 50", "2 Strike", spend_all=True) == {"end the turn", "Strike", "2 Strike"}


def test_of_plans_that_win_the_one_that_costs_least_is_kept():
    _, state, found = plans("| Cultist 6", "Hemokinesis, Strike", deck="Hemokinesis, Strike")

    winning = [plan for plan in found if plan.won]
    assert [(plan_to_text(state.combat, plan), plan.lost) for plan in winning] == [("Strike", 0)]


def test_a_plan_tells_the_combat_it_leads_to():
    _, _, found = plans("energy 1 | Cultist 50, Dark Strike 1", "Strike")

    assert [plan.after for plan in found] == [
        ((at("| Cultist 50, Dark Strike 1"), 1),),
        ((at("| Cultist 44, Dark Strike 1"), 1),),
    ]
