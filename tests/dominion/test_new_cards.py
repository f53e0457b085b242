"""New cards need only a row: Treasures with Effects, an Action, Victory cards that count, triggers, discounts."""

import numpy as np
import pytest

from evodom.dominion import cards as all_cards
from evodom.dominion.cards import ACTION, TREASURE, VICTORY, Card, CardSet, VpPer, points_of
from evodom.dominion.effects.deck import reveal
from evodom.dominion.effects.hand import actions, buys, cards, coins, first_play_bonus, move_all, trash_from_hand
from evodom.dominion.effects.ops import EventKind, Trigger, Zone
from evodom.dominion.effects.supply import gain, gain_costing_up_to, gain_costing_up_to_trashed
from evodom.dominion.engine.batch import undealt_state
from evodom.dominion.engine.moves import cost_of
from evodom.dominion.engine.rules import MAX_SEATS
from evodom.dominion.engine.state import MAX_DEPTH
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom, draw_cards
from evodom.dominion.position import format_position
from evodom.dominion.strategies.baselines import baseline, buy_list_strategy
from evodom.dominion.strategies.lineup import Lineup
from evodom.dominion.strategies.models.buy_lists.buy_list import BuyList
from evodom.dominion.strategies.models.networks.hypernetwork import N_GENERAL, CardHypernetwork, card_embeddings
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.play import card_values
from evodom.dominion.strategies.record import STRATEGY
from evodom.errors import EvodomError
from evodom.matches.simulate import play_games, take_census
from tests.dominion.checked_play import FAULTS, play_each
from tests.dominion.helpers import after, discard, hand, in_play, turn

ROWS = (
    Card("Purse", 4, TREASURE, (coins(1), cards(1))),
    Card("Furnace", 5, TREASURE, (coins(1), trash_from_hand(optional=True))),
    Card("Idol", 5, TREASURE, (coins(2), buys(1), gain("Curse"))),
    Card("Mint Mark", 2, TREASURE, (first_play_bonus("Gold", 2),)),
    Card("Workbench", 4, ACTION, (actions(1), gain_costing_up_to(3))),
    Card("Duke", 5, VICTORY, vp_per=VpPer(1, name="Duchy")),
    Card("Abbey", 4, VICTORY, vp_per=VpPer(3, types=VICTORY, vp=2)),
)
REACTING = (
    Card("Cache", 5, TREASURE, (coins(3),), on_event={Trigger.GAINED: (gain("Copper"), gain("Copper"))}),
    Card("Rats", 4, ACTION, (actions(1),), on_event={Trigger.TRASHED: (cards(1),)}),
    Card("Tunnel", 3, VICTORY, vp=2, on_event={Trigger.DISCARDED: (gain("Gold"),)}),
    Card("Altar", 4, ACTION, (trash_from_hand(), gain_costing_up_to_trashed(plus=1))),
    Card("Heirloom", 4, VICTORY, vp=1, on_event={Trigger.TRASHED: (trash_from_hand(name="Copper", optional=True),)}),
    Card("Colossus", 20, VICTORY, vp=15),
    Card("Bonfire", 3, ACTION, (reveal(2), move_all(Zone.REVEALED, Zone.TRASH))),
)
WINDFALL = Card("Windfall", 3, ACTION, on_event=dict.fromkeys(Trigger, (actions(1), buys(1), coins(2))))


@pytest.fixture(autouse=True)
def kingdom(monkeypatch):
    """Add the rows to a copy of the table of cards, and return a kingdom of them."""
    with monkeypatch.context() as patch:
        patch.setattr(all_cards, "CARDS", all_cards.CARDS)
        for card in (*ROWS, *REACTING, WINDFALL):
            patch.setitem(all_cards.CARDS, card.name, card)
            if ACTION in card.types:
                patch.setitem(card_values.PLAY_ORDER, card.name, card_values.CLASS_PLAY_ORDER[card.action_class])
            for values in (card_values.HAND_VALUES, card_values.DECK_VALUES):
                patch.setitem(values, card.name, card_values.values_of(card).hand)
        yield Kingdom((*(card.name for card in ROWS), "Merchant", "Moat", "Gardens"))


def test_a_treasure_resolves_its_effects_when_it_is_played(kingdom):
    purse = after("P1: hand Purse; deck Silver", "Purse", kingdom=kingdom)
    furnace = after("P1: hand Furnace, Curse, Copper", "Furnace", kingdom=kingdom)

    assert (hand(purse), in_play(purse), turn(purse)[2]) == ("Silver", "Purse", 1)
    assert furnace.decision.prompt == "Furnace: which of Copper, Curse do you trash?"
    assert hand(furnace.enact("Curse")) == "Copper"


def test_treasures_with_effects_are_played_before_plain_treasures(kingdom):
    game = after("P1: hand 2 Copper, Purse, Idol; deck Gold", kingdom=kingdom)
    game.play_treasures_automatically(0)
    while game.decision.kind == "play_treasure":
        game.enact(game.strategy_choice(baseline("big-money", kingdom)))

    assert "Gold" in in_play(game)
    assert turn(game)[1:] == (2, 2 + 1 + 2 + 3)
    assert discard(game) == "Curse"


def test_the_bonus_is_for_the_first_treasure_of_its_name(kingdom):
    game = after("P1: hand Mint Mark, 2 Gold, Silver", "Mint Mark", kingdom=kingdom)

    assert "for" not in format_position(game)
    assert [turn(game.enact(name))[2] for name in ("Silver", "Gold", "Gold")] == [2, 2 + 3 + 2, 7 + 3]


def test_victory_cards_count_cards_of_a_name_or_a_type(kingdom):
    game = after("P1: hand 2 Duke, 3 Duchy, Abbey; deck 4 Copper", kingdom=kingdom)

    assert game.scores == (2 * 3 + 3 * 3 + 2 * 2,)
    assert points_of({"Duke": 2, "Duchy": 3, "Abbey": 1, "Copper": 4}) == 19


@pytest.fixture
def reacting(kingdom):
    """Return a kingdom of cards with triggers and discounts."""
    return Kingdom((*(card.name for card in REACTING), "Bridge", "Quarry", "Cellar"))


def test_a_gained_or_discarded_card_resolves_its_effects_but_not_at_clean_up(reacting):
    game = after("P1: | supply: 1 Copper | turn: P1, 2 buys, 5 coins, buy phase", kingdom=reacting)
    game.enact("Cache")

    assert discard(game) == "Copper, Cache", "the second Copper was not there"
    assert game.owned(0) == {"Cache": 1, "Copper": 1}

    game = after("P1: hand Cellar, Tunnel, Estate; deck 9 Copper", "Cellar", "Tunnel", "pass", kingdom=reacting)
    assert discard(game) == "Gold, Tunnel"

    game = after("P1: hand Tunnel; deck 9 Copper | turn: P1, buy phase, 1 buy", "pass", kingdom=reacting)
    assert game.owned(0)["Gold"] == 0


def test_a_trashed_card_resolves_its_effects_before_the_next_effect(reacting):
    game = after("P1: hand Altar, Heirloom, Copper", "Altar", "Heirloom", kingdom=reacting)
    assert game.decision.prompt == "Heirloom: do you trash a Copper?"
    game.enact("Copper")

    offered = {answer.name for answer in game.decision.consequences}
    assert "Cache" in offered, "up to one more than the Heirloom, not than the Copper trashed since"
    assert "Gold" not in offered
    assert [event.cards for event in game.events if event.kind == EventKind.TRASH] == [("Heirloom",), ("Copper",)]

    game = after("P1: hand Bonfire; top Colossus, Rats; deck Estate", "Bonfire", kingdom=reacting)

    assert (game.scores, hand(game)) == ((1,), "Estate"), "Rats were trashed: +1 Card"


@pytest.mark.parametrize(("card", "left"), [("Swindler", (0, 1, 2)), ("Militia", (0, 1, 2)), ("Workshop", (1, 2, 2))])
@pytest.mark.usefixtures("kingdom")
def test_the_turn_of_an_opponent_gets_no_actions_buys_or_coins(card, left):
    position = f"P1: hand {card}; deck 5 Copper | P2: hand Windfall, 4 Estate; top Silver | turn: P1"

    game = after(position, card, "Windfall", kingdom=("Windfall", "Swindler", "Militia", "Workshop"))

    assert turn(game) == left


def test_a_full_stack_is_an_error(reacting):
    game = after("P1: | turn: P1, 2 buys, 5 coins, buy phase", kingdom=reacting)
    game.state.depth = MAX_DEPTH

    with pytest.raises(EvodomError, match=f"more than {MAX_DEPTH} unfinished plays"):
        game.enact("Cache")


def test_costs_fall_for_this_turn_but_not_below_0_and_have_no_limit(reacting):
    game = after("P1: hand 2 Bridge, Quarry, Copper; deck 5 Copper | turn: P1, 2 actions", kingdom=reacting)
    game.enact("Bridge").enact("Bridge").enact("Copper").enact("Quarry")
    costs = {card.name: int(cost_of(game.rules, game.state, pile)) for pile, card in enumerate(game.piles)}

    assert costs["Province"] == 8 - 2
    assert costs["Bonfire"] == costs["Copper"] == 0
    assert costs["Cache"] == 5 - 2
    coins_before = turn(game)[2]
    assert turn(game.enact("Cache"))[2] == coins_before - 3
    text = format_position(game)
    assert DominionGame.from_position(text, reacting, 1).state.discount.tolist() == game.state.discount.tolist()
    game.enact("pass")
    assert not game.state.discount.any()

    for n_coins in (19, 20):
        game = after(f"P1: | turn: P1, 1 buy, {n_coins} coins, buy phase", kingdom=reacting)
        assert ("Colossus" in {answer.name for answer in game.decision.consequences}) == (n_coins == 20)


def test_the_texts_of_new_cards_follow_from_their_rows():
    text = {card.name: card.text for card in (*ROWS, *REACTING)}

    assert text["Duke"] == "1 VP for every Duchy you have."
    assert text["Abbey"] == "2 VP for every 3 Victory cards you have, rounded down."
    assert text["Tunnel"] == "When this is discarded: Gain a Gold. 2 VP."
    assert all_cards.CARDS["Quarry"].text == "+$1. This turn, Actions cost $2 less, but not less than $0."
    assert text["Purse"] == "+$1. +1 Card."


@pytest.mark.parametrize("rows", [ROWS, REACTING])
def test_random_games_with_new_cards_conserve_cards_and_score_right(kingdom, rows):
    kingdom = Kingdom(tuple(card.name for card in rows))
    rules, n_games = kingdom.rules(3), 15
    strategies = np.array([baseline("random", kingdom)], STRATEGY)
    slots = np.zeros(2, undealt_state(rules).dtype)
    slots[1] = undealt_state(rules)
    finals, faults = np.zeros(n_games, slots.dtype), np.zeros(n_games, np.int64)
    total = slots[1].cards.sum(axis=0)
    seeds = np.arange(n_games, dtype=np.uint64)

    play_each(rules, slots, Lineup(strategies).arrays, np.zeros(3, np.int32), seeds, total, 1_000_000, finals, faults)

    assert [FAULTS[fault] for fault in faults if fault] == []
    results = play_games(rules, strategies, np.zeros((n_games, 3), np.int32), seeds)
    for result in results:
        for seat in range(3):
            owned = {name: int(n) for name, n in zip(kingdom.names, result.owned[seat], strict=False) if n}
            assert result.vp[seat] == points_of(owned)
    assert results["owned"][:, :, kingdom.pile(rows[0].name)].any()


def test_a_buy_list_buys_new_cards_and_the_census_counts_them(kingdom):
    rules = kingdom.rules(2)
    menu = BuyList(
        ("Province", "Idol if count_in_deck(Idol) < 2", "Workbench if count_in_deck(Workbench) < 1", "Silver")
    )
    strategies = np.array([buy_list_strategy(menu, kingdom)], STRATEGY)

    results, census = take_census(
        rules, strategies, np.zeros((50, 2), np.int32), np.arange(50, dtype=np.uint64), every=1
    )

    idol, workbench = kingdom.pile("Idol"), kingdom.pile("Workbench")
    assert (results["owned"][:, :2, idol] > 0).mean() > 0.5
    assert census["bought"][0, :, idol].sum() > 50
    assert census["played"][0, :, idol].sum() > census["bought"][0, :, idol].sum()
    assert census["played"][0, :, workbench].sum() > 50
    assert results["owned"].shape[1] == MAX_SEATS


def test_another_set_changes_no_seeded_draw(monkeypatch):
    before = [draw_cards([], seed=seed) for seed in range(20)]

    monkeypatch.setitem(all_cards.SETS, "Test", CardSet("Test", ROWS, {}))

    assert [draw_cards([], seed=seed) for seed in range(20)] == before
    drawn = {card.name for seed in range(20) for card in draw_cards([], seed=seed, sets=("Base", "Test"))}
    assert {card.name for card in ROWS} <= drawn


def test_a_network_of_all_kingdoms_plays_new_cards(kingdom):
    general = np.random.default_rng(1).normal(0.0, 0.02, N_GENERAL).astype(np.float32)
    weights = CardHypernetwork(kingdom).weights(general)
    strategies = Lineup.of([network_strategy(weights, kingdom)])

    results = play_games(kingdom.rules(2), strategies, np.zeros((40, 2), np.int32), np.arange(40, dtype=np.uint64))

    assert np.isfinite(weights).all()
    # New cards have no identity column, but their traits differ.
    rows = card_embeddings(kingdom)[[kingdom.pile(card.name) for card in ROWS]]
    assert len({tuple(row) for row in rows.tolist()}) == len(ROWS)
    assert all(results["owned"][:, :, kingdom.pile(card.name)].any() for card in ROWS)
