"""Play random games in evodom and in the package pyminion, and compare them at every Decision. In a checkout:

    pip install git+https://github.com/evanofslack/pyminion@d51e946
    python benchmarks/pyminion_games.py [--games 2000] [--seed 1]

pyminion leads. Each question to one of its players must be the pending Decision of evodom's game, of the same seat and
card, with the same legal answers. A random answer is given to both. Where evodom takes the only answer itself, pyminion
must have only one. pyminion draws the cards that evodom has drawn, if its deck can have them there, and shuffles when
evodom has shuffled. Compared before every Decision: hands, decks, discard piles without their order, cards in play, set
aside and on mats, Supply, trash, Actions, Buys, coins. Compared at the end: scores, turns and winners. A game stops at
its first difference. Kingdoms are ten random cards of the Base Set, Intrigue and Seaside (second editions), with two to
four players.

The exit code is 0 without a difference, 1 with one, 2 without pyminion. The test suite does not run this.

pyminion differs from the rules in the following points. Each is repaired here; nothing else is left out.

| card or part | pyminion | the rules |
|---|---|---|
| all Attacks | a player reacts after the first effects of the Attack | before any effect |
| all Attacks | each Moat in hand asks once | Reactions may be revealed one by one until the player passes |
| effects of the start of a turn | in an order of their kinds | in any order of cards |
| gains | effects in an order of their kinds | the player who gained first, then the others in turn order |
| Blockade | the card stays in the Supply and is not gained | gained; without it Blockade has nothing more to do |
| Corsair | one card in all | one card each turn, also in an extra turn |
| Courtier | fails if no Gold is left | nothing is gained |
| Artisan, Courtyard, Remodel, Replace, Secret Passage, Upgrade | fail with an empty hand | nothing happens |
| Mine, Remodel, Sentry | trash (and discard) after the next question | before it; the result is the same |
| Outpost | a second one, or one in an extra turn, stays in play and reduces the hand | does nothing |
| Replace | gains onto the deck | gains, then puts the card onto the deck if it is still there |
| Sailor | used up after the play; fails with an Astrolabe | used up before it |
| Secret Passage | takes the card from the hand after the place is chosen | before it; the result is the same |
| Smugglers, Treasury | count gains in other players' turns | of the own turn only |
| Swindler | fails without a card to trash | nothing is trashed |
| Throne Room | must play an Action twice | may |
| Throne Room | stays in play for each Duration that it plays | once |
| Treasure Map | played again, trashes no other Treasure Map | trashes one |
| Treasury | asks for each | one after the other, until the player passes |
| Wishing Well | fails without a card to reveal | nothing is revealed |
"""

import argparse
import logging
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evodom.dominion.cards.base import BASE_SET
from evodom.dominion.cards.intrigue import INTRIGUE
from evodom.dominion.cards.seaside import SEASIDE
from evodom.dominion.effects.ops import Ending, EventKind, Op, Zone
from evodom.dominion.engine.rules import FIRST_OPTION, N_OPTIONS
from evodom.dominion.game import Decision, DominionGame
from evodom.dominion.kingdom import Kingdom

try:
    from pyminion.core import AbstractDeck, CardType, Deck
    from pyminion.duration import ActionDuration, GetSetAsideCardEffect, RemovePersistentCardsEffect
    from pyminion.effects import EffectAction, EffectRegistry, FuncPlayerGameEffect
    from pyminion.exceptions import EmptyPile
    from pyminion.expansions import base, intrigue, seaside
    from pyminion.game import Game
    from pyminion.player import Player
except ModuleNotFoundError:
    print("pyminion 0.5.0 is not installed. The docstring has the command.", file=sys.stderr)
    sys.exit(2)

N_SHOWN = 20
PASS_CHANCE = 0.1
"""Chance to pass where passing is legal."""
COSTLIEST_CHANCE = 0.5
"""Chance to buy or gain one of the costliest cards, so that random games have good cards."""

CARDS = {card.name: card for card in (*base.base_set, *intrigue.intrigue_set, *seaside.seaside_set)}
EMPTY_HANDED = ("Artisan", "Courtyard", "Remodel", "Replace", "Secret Passage", "Upgrade")
"""Cards that fail in pyminion with an empty hand."""
LEADING = {"Mine", "Remodel", "Sentry"}
"""Cards whose trashed cards pyminion moves after its next question."""


class Difference(Exception):
    """The engines differ."""


class NothingLeft(Exception):
    """A card has nothing more to do."""


# Decks.


class Order(list[Any]):
    """The cards of a deck, the top last. A card whose `known` is False may be any unknown card of the deck."""

    def __init__(self, cards: Iterable[Any] = ()) -> None:
        super().__init__(cards)
        self.known = [False] * len(self)

    def append(self, card: Any) -> None:
        super().append(card)
        self.known.append(True)

    def insert(self, index: Any, card: Any) -> None:
        super().insert(index, card)
        self.known.insert(index, True)

    def draw(self, name: str) -> Any:
        """Remove the top card, which is ``name``. Raise Difference if it cannot be."""
        if not self.known.pop():
            at = next((i for i, card in enumerate(self[:-1]) if not self.known[i] and card.name == name), -1)
            self[at], self[-1] = self[-1], self[at]
        card = self.pop()
        if card.name != name:
            raise Difference(f"deck: pyminion draws {card.name}, evodom {name}")
        return card


class LedDeck(Deck):
    """A deck of pyminion that yields the cards which evodom has drawn."""

    def __init__(self, queue: deque[str]) -> None:
        super().__init__()
        self.queue = queue

    def draw(self) -> Any:
        if not self.queue:
            raise Difference("deck: pyminion draws, evodom does not")
        return self.cards.draw(self.queue.popleft())

    def shuffle(self) -> None:
        if not self.queue or self.queue.popleft():
            raise Difference("deck: pyminion shuffles, evodom does not")
        self.cards = Order(self.cards)


# Corrections of pyminion.


@dataclass
class CardPlayed:
    """A card being played, once or several times."""

    throne: "CardPlayed | None" = None
    """The Throne Room that plays it."""
    stays: bool = False
    """True if it stays in play at the next clean-up."""


class LedPlayer(Player):
    """A player of pyminion who plays cards and reacts to Attacks as the rules say."""

    def __init__(self, seat: int, decider: "Leader", queue: deque[str]) -> None:
        super().__init__(decider, player_id=f"P{seat + 1}")
        self.seat = seat
        self.deck = LedDeck(queue)
        self.affected = True
        self.corsair_done = False
        self.plays: list[CardPlayed] = []

    def start_turn(self, game: Any, is_extra_turn: bool = False) -> None:
        self.corsair_done = False
        self.current_turn_gains = []
        super().start_turn(game, is_extra_turn)

    def react(self, attacker: Player, game: Any) -> None:
        """Reveal Reactions until the player passes."""
        blocks = seaside.Lighthouse.BlockAttackEffect
        effects = game.effect_registry.attack_effects
        self.affected = not any(isinstance(effect, blocks) and effect.player is self for effect in effects)
        while True:
            usable = [
                card
                for card in self.hand.cards
                if (card.name == "Moat" and self.affected) or (card.name == "Diplomat" and len(self.hand) >= 5)
            ]
            card = self.decider.reaction_decision(usable, self, game) if usable else None
            if card is None:
                return
            if card.name == "Moat":
                self.affected = False
            else:
                self.draw(2)
                for each in self.decider.discard_decision("", card, self.hand.cards, self, game, 3, 3):
                    self.discard(game, each)

    def is_attacked(self, attacking_player: Player, attack_card: Any, game: Any) -> bool:
        return self.affected and (attack_card.name != "Swindler" or bool(self.deck.cards or self.discard_pile.cards))

    def play(self, target_card: Any, game: Any, generic_play: bool = True) -> None:
        if generic_play:
            target_card.generic_play(self)
        self.exact_play(target_card, game, generic_play=False)

    def exact_play(self, card: Any, game: Any, generic_play: bool = True) -> None:
        if CardType.Action not in card.type:
            card.play(self, game)
            game.effect_registry.on_play(self, card, game)
            return
        self.resolve(card, game, CardPlayed(), lambda: card.play(self, game, False))

    def resolve(self, card: Any, game: Any, played: CardPlayed, play: Callable[[], Any]) -> Any:
        """Let the others react to an Attack, and play a card."""
        self.actions_played_this_turn += 1
        others = list(game.get_opponents(self))
        before = [other.affected for other in others]
        if CardType.Attack in card.type:
            for other in others:
                other.react(self, game)
        self.plays.append(played)
        result = play()
        self.plays.pop()
        for other, affected in zip(others, before, strict=True):
            other.affected = affected
        game.effect_registry.on_play(self, card, game)
        return result


class LedRegistry(EffectRegistry):
    """Effects of pyminion in the order of the rules."""

    def on_turn_start(self, player: Any, game: Any) -> None:
        """Handle the due effects card by card, in an order that the leader chooses."""
        trash = seaside.Sailor.TrashEffect
        due = [effect for effect in self.turn_start_effects if effect.is_triggered(player, game)]
        sailors = [
            effect for effect in self.turn_start_effects if isinstance(effect, trash) and effect.player is player
        ]
        units: list[tuple[str, list[Any]]] = []
        for effect in due:
            if effect.get_action() == EffectAction.First:
                effect.handler(player, game)
            elif effect.get_action() != EffectAction.Last and not isinstance(effect, trash):
                name = effect.get_name().partition(":")[0]
                units.append((name, [effect, *(sailors[:1] if name == "Sailor" else [])]))
                sailors = sailors[name == "Sailor" :]
        while units:
            name = player.decider.choose_due(player, [name for name, _ in units])
            unit = next(unit for unit in units if unit[0] == name)
            units.remove(unit)
            for effect in unit[1]:
                if effect.is_triggered(player, game):
                    effect.handler(player, game)
        for effect in due:
            if effect.get_action() == EffectAction.Last:
                effect.handler(player, game)

    def on_buy_phase_end(self, player: Any, game: Any) -> None:
        """Put Treasuries onto the deck. Buys that are left are lost."""
        player.state.buys = 0
        gained = any(
            phase == Game.Phase.Buy and CardType.Victory in card.type for phase, card in player.current_turn_gains
        )
        n = player.playmat.cards.count(seaside.treasury)
        if n and not gained:
            for _ in range(player.decider.choose_treasuries(player, seaside.treasury, n)):
                player.topdeck(seaside.treasury, player.playmat)

    def on_buy(self, player: Any, card: Any, game: Any, deck: Any) -> None:
        self.on_gain(player, card, game, deck)

    def on_gain(self, player: Any, card: Any, game: Any, deck: Any) -> None:
        """Handle the effects of the player who gained, then those of the others in turn order."""
        effects = list(self.gain_effects)
        for effect in effects:
            if isinstance(effect, seaside.Sailor.PlayEffect) and effect.is_triggered(player, card, game, deck):
                effect.handler(player, card, game, deck)
        for owner in (player, *game.get_opponents(player)):
            for effect in effects:
                is_owners = owner in (getattr(effect, "owner", None), getattr(effect, "played_player", None))
                if is_owners and effect.is_triggered(player, card, game, deck):
                    effect.handler(player, card, game, deck)
            pirate = CARDS["Pirate"]
            while CardType.Treasure in card.type and pirate in owner.hand.cards:
                if not owner.decider.binary_decision("", pirate, owner, game):
                    break
                owner.playmat.add(owner.hand.remove(pirate))
                owner.exact_play(pirate, game, generic_play=False)


Play = Callable[..., None]


def may_end(play: Play) -> Play:
    """End a play when it has nothing more to do. Then no card is set aside for Library."""

    def corrected(self: Any, player: Any, game: Any, generic_play: bool = True) -> None:
        with suppress(NothingLeft, EmptyPile):
            play(self, player, game, generic_play)
        player.decider.set_aside = []

    return corrected


def play_wishing_well(self: Any, player: Any, game: Any, generic_play: bool = True) -> None:
    """Play Wishing Well: name a card in any case, and reveal one only if there is one."""
    player.draw(1)
    player.state.actions += 1
    [named] = player.decider.name_card_decision("", self, game.all_game_cards, player, game, 1, 1)
    revealed = AbstractDeck()
    player.draw(1, revealed)
    for card in revealed.cards:
        (player.hand if card.name == named.name else player.deck).add(card)


def play_throne_room(self: Any, player: Any, game: Any, generic_play: bool = True) -> None:
    """Play Throne Room, which may play an Action twice."""
    actions = [card for card in player.hand.cards if CardType.Action in card.type]
    if not actions:
        return
    card = player.decider.multi_play_decision("", self, actions, player, game)
    if card is None:
        return
    player.playmat.add(player.hand.remove(card))
    played, state = CardPlayed(player.plays[-1]), None
    for _ in range(2):
        play = partial(card.multi_play, player, game, self, state, False)
        state = player.resolve(card, game, played, play)


def play_replace(self: Any, player: Any, game: Any, generic_play: bool = True) -> None:
    """Play Replace: the gained card goes onto the deck if it is still there."""
    [trashed] = player.decider.trash_decision("", self, player.hand.cards, player, game, 1, 1)
    player.trash(trashed, game)
    most = trashed.get_cost(player, game) + 2
    valid = [card for card in game.supply.available_cards() if card.get_cost(player, game) <= most]
    [gained] = player.decider.gain_decision("", self, valid, player, game, 1, 1)
    n = player.discard_pile.cards.count(gained)
    player.gain(gained, game)
    is_there = player.discard_pile.cards.count(gained) > n
    if is_there and (CardType.Action in gained.type or CardType.Treasure in gained.type):
        player.topdeck(gained, player.discard_pile)
    if CardType.Victory in gained.type:
        game.distribute_curses(player, self)


def stay_in_play(self: Any, player: Any, game: Any, multi_play_card: Any, count: int) -> None:
    """Let a Duration stay in play, with the Throne Room that plays it."""
    cards = []
    for played, card in ((player.plays[-1], self), (player.plays[-1].throne, multi_play_card)):
        if played is not None and not played.stays:
            played.stays = True
            cards.append(card)
            player.add_playmat_persistent_card(card)
    if cards:
        game.effect_registry.register_turn_start_effect(RemovePersistentCardsEffect(player, cards))


def play_blockade(
    self: Any, player: Any, game: Any, multi_play_card: Any, count: int, generic_play: bool = True
) -> None:
    """Play Blockade: gain the card, and go on only if it is still set aside."""
    valid = [card for card in game.supply.available_cards() if card.get_cost(player, game) <= 4]
    [gained] = player.decider.gain_decision("", self, valid, player, game, 1, 1)
    player.gain(gained, game, player.set_aside)
    registry = game.effect_registry
    others = (each for each in registry.turn_start_effects if isinstance(each, GetSetAsideCardEffect))
    n = sum(each.cards.count(gained) for each in others if each.player is player)
    if player.set_aside.cards.count(gained) == n:
        return
    registry.register_turn_start_effect(GetSetAsideCardEffect(self.name, player, [gained]))
    curse = self.CurseEffect([other for other in game.get_opponents(player) if other.affected], gained)
    curse.owner = player
    registry.register_gain_effect(curse)
    end = partial(end_blockade, curse.get_id())
    registry.register_turn_start_effect(FuncPlayerGameEffect("", EffectAction.First, end, lambda p, g: p is player))
    self.persist(player, game, multi_play_card, count)


def end_blockade(effect: int, player: Any, game: Any) -> None:
    """Remove the effect of a Blockade on gains."""
    game.effect_registry.unregister_gain_effect(effect)


def play_outpost(
    self: Any, player: Any, game: Any, multi_play_card: Any, count: int, generic_play: bool = True
) -> None:
    """Play Outpost. It does nothing after another one, and in an extra turn."""
    if not player.take_extra_turn:
        player.next_turn_draw = 3
        player.take_extra_turn = True
        self.persist(player, game, multi_play_card, count)


def is_corsairs(self: Any, player: Any, card: Any, game: Any) -> bool:
    """Return whether a card is the first Silver or Gold of a turn for Corsair."""
    return player is self.player and card.name in ("Silver", "Gold") and not player.corsair_done


def trash_for_corsair(self: Any, player: Any, card: Any, game: Any) -> None:
    """Trash a Treasure for Corsair."""
    player.corsair_done = True
    player.trash(card, game, player.playmat)


def play_gained(self: Any, player: Any, card: Any, game: Any, deck: Any) -> None:
    """Let a player play a gained Duration with Sailor."""
    if player.decider.binary_decision("", seaside.sailor, player, game, relevant_cards=[card]):
        self.player_sailor_counts[player.player_id] -= 1
        to = player.hand if CardType.Treasure in card.type else player.playmat
        to.add(deck.remove(card))
        player.exact_play(card, game, generic_play=False)


def play_treasure_map(self: Any, player: Any, game: Any, generic_play: bool = True, is_there: bool = True) -> None:
    """Play Treasure Map. Played again, it is no longer there."""
    if is_there:
        player.trash(self, game, player.playmat)
    if self in player.hand.cards:
        player.trash(self, game)
        for _ in range(4 if is_there else 0):
            player.try_gain(base.gold, game, player.deck)


def play_treasure_map_again(
    self: Any, player: Any, game: Any, multi_play_card: Any, state: Any, generic_play: bool = True
) -> bool:
    """Play a Treasure Map of Throne Room."""
    play_treasure_map(self, player, game, is_there=state is None)
    return True


def correct_pyminion() -> None:
    """Replace the methods of pyminion that differ from the rules (see the table above)."""
    intrigue.WishingWell.play = play_wishing_well
    base.ThroneRoom.play, intrigue.Replace.play = play_throne_room, play_replace
    ActionDuration.persist = stay_in_play
    seaside.Blockade.duration_play, seaside.Outpost.duration_play = play_blockade, play_outpost
    seaside.Corsair.TrashEffect.is_triggered = is_corsairs
    seaside.Corsair.TrashEffect.handler = trash_for_corsair
    seaside.Sailor.PlayEffect.handler = play_gained
    seaside.TreasureMap.play, seaside.TreasureMap.multi_play = play_treasure_map, play_treasure_map_again
    for name in (*EMPTY_HANDED, "Courtier", "Library", "Throne Room"):
        kind = type(CARDS[name])
        kind.play = may_end(kind.play)


class LedGame(Game):
    """A game of pyminion with the effects of the rules."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.effect_registry = LedRegistry()

    def play_turns(self, is_over: Callable[[], bool], is_cut: Callable[[], bool]) -> None:
        """Play to the end. `players` begins with the player whose turn it is."""
        seats = list(self.players)
        self.start()
        while not is_over():
            self.current_player = self.players[0]
            self.play_turn(self.players[0])
            if self.is_over() != is_over() and not is_cut():
                raise Difference(f"end: over is {self.is_over()} in pyminion, {is_over()} in evodom")
            self.players = [*self.players[1:], self.players[0]]
        self.players = seats


# Both games.


def limited(choose: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Return a question of pyminion for a number of cards. Each question has its own names of the two limits."""

    def asked(
        self: Any, prompt: str, card: Any, valid_cards: Any, player: Any, game: Any, *limits: int, **named_limits: int
    ) -> list[Any]:
        least, most = limits or named_limits.values() or (0, -1)
        return choose(self, card, valid_cards, player, least, most)

    return asked


class Leader:
    """Answers pyminion's questions: compare the games, choose at random, and answer in evodom's game too."""

    def __init__(self, kingdom: Sequence[str], n_players: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.game = DominionGame(Kingdom(tuple(kingdom)), n_players, seed=int(rng.integers(2**63)))
        self.queues: list[deque[str]] = [
            deque(["", *self.game.cards(Zone.HAND + seat).elements()]) for seat in range(n_players)
        ]
        self.players = [LedPlayer(seat, self, queue) for seat, queue in enumerate(self.queues)]
        cards = [CARDS[name] for name in kingdom]
        self.oracle = LedGame(self.players, [list(CARDS.values())], cards, random_order=False, log_stdout=False)
        self.names = self.game.kingdom.names
        self.n_events = 0
        self.n_compared = 0
        self.plays: Counter[str] = Counter()
        self.leading: tuple[Any, list[tuple[Any, Any, str]]] = None, []
        self.stored: list[Any] | None = None
        self.set_aside: list[Any] = []
        self.revealed: list[Any] = []

    def play(self) -> None:
        """Play both games to the end and compare the results. Raise Difference at the first difference."""
        self._queue_draws()
        self.oracle.play_turns(lambda: self.game.is_over, lambda: self.game.state.ended == Ending.CUT)
        if self.game.state.ended == Ending.CUT:
            return
        self.leading = None, []
        self._compare_zones()
        winners = {seat for place, seat in self.game.standings if place == 1}
        self._same(
            "turns", [player.turns for player in self.players], self.game.state.turns[: len(self.players)].tolist()
        )
        self._same("scores", [player.get_victory_points() for player in self.players], list(self.game.scores))
        self._same("winners", {player.seat for player in self.oracle.get_winners()}, winners)

    # Comparing.

    def _same(self, what: str, oracle: object, ours: object) -> None:
        if oracle != ours:
            decision = self.game.decision
            raise Difference(f"{what} ({decision.title if decision else 'end'}): pyminion {oracle}, evodom {ours}")

    def _compare_zones(self) -> None:
        state, turn = self.game.state, self.players[self.game.state.active].state
        rows = state.cards[:, : len(self.names)].tolist()
        index = {name: pile for pile, name in enumerate(self.names)}
        ours: dict[str, list[int]] = {}
        theirs: dict[str, list[int]] = {}

        def add(what: str, cards: Iterable[Any], row: list[int]) -> None:
            theirs[what] = [0] * len(self.names)
            for card in cards:
                theirs[what][index[card.name]] += 1
            ours[what] = row

        for player in self.players:
            seat = player.seat
            deck = rows[Zone.DECK + seat]
            for pile in state.known[seat, : state.n_known[seat]].tolist():
                deck[pile] += 1
            add(f"hand {seat}", player.hand.cards, rows[Zone.HAND + seat])
            add(f"deck {seat}", player.deck.cards, deck)
            add(f"discards {seat}", player.discard_pile.cards, rows[Zone.DISCARD + seat])
            add(f"in play {seat}", player.playmat.cards, rows[Zone.IN_PLAY + seat])
            if self.queues[seat]:
                raise Difference(f"deck: evodom draws {self.queues[seat]}, pyminion does not")
            library = self.set_aside if player is self.oracle.players[0] else []
            add(f"set aside {seat}", [*player.set_aside.cards, *library], rows[Zone.SET_ASIDE + seat])
            for mat, row in (("Island", Zone.ISLAND_MAT), ("Native Village", Zone.VILLAGE_MAT)):
                add(f"{mat} {seat}", player.get_mat(mat).cards, rows[row + seat])
        add("trash", self.oracle.trash.cards, rows[Zone.TRASH])
        if self.game.decision and self.game.decision.kind == "play_discarded":  # Vassal: the card is still revealed
            row = ours[f"discards {self.game.decision.seat}"]
            row[:] = [n + more for n, more in zip(row, rows[Zone.REVEALED], strict=True)]
        for zone, other, name in self.leading[1]:
            for cards, change in ((zone, -1), (other, 1)):
                for what in self._zones_of(cards):
                    theirs[what][index[name]] += change
        for what in ours:
            if ours[what] != theirs[what]:
                self._same(
                    what, *({n: k for n, k in zip(self.names, of[what], strict=True) if k} for of in (theirs, ours))
                )
        supply = {pile.name: len(pile) for pile in self.oracle.supply.piles}
        self._same("Supply", [supply[n] for n in self.names], rows[Zone.SUPPLY])
        if not self.game.is_over:
            counters = (int(state.actions), int(state.buys), int(state.coins))
            self._same("Actions, Buys, coins", (turn.actions, turn.buys, turn.money), counters)

    def _zones_of(self, cards: Any) -> list[str]:
        zones = {id(self.oracle.trash): "trash"}
        for player in self.players:
            owned = {"hand": player.hand, "deck": player.deck, "discards": player.discard_pile}
            zones |= {id(zone): f"{name} {player.seat}" for name, zone in owned.items()}
        return [zones[id(cards)]] if id(cards) in zones else []

    def _pending(self, title: str, player: Any, pool: Iterable[str], *, optional: bool) -> Decision:
        """Return the pending Decision. It must be of this card and player, with these answers."""
        decision = self.game.decision
        if decision is None:
            raise Difference(f"pyminion asks {player} ({title}), and evodom's game is over")
        self._same("asked", (title, player.seat), (decision.title, decision.seat))
        answers = {*pool, *(["pass"] if optional else [])}
        self._same("answers", sorted(answers), sorted(answer.name for answer in decision.consequences))
        return decision

    def _enact(self, name: str) -> None:
        self.game.enact(name)
        self._queue_draws()

    def _queue_draws(self) -> None:
        for event in self.game.events[self.n_events :]:
            if event.kind == EventKind.SHUFFLE:
                self.queues[event.seat].append("")
            elif event.source == Zone.DECK:
                self.queues[event.seat].extend(event.cards)
            elif event.kind in (EventKind.PLAY, EventKind.REPLAY):
                self.plays.update(event.cards)
        self.n_events = len(self.game.events)

    def _compare(self, card: Any) -> None:
        if self.leading[0] is not card:
            self.leading = None, []
        self._compare_zones()
        self.n_compared += 1

    # Choosing.

    def _pick(self, pool: Sequence[Any], *, costliest: bool) -> Any:
        by_name = {card.name: card for card in pool}
        cards = list(by_name.values())
        if costliest and self.rng.random() < COSTLIEST_CHANCE:
            most = max(card.base_cost.money for card in cards)
            cards = [card for card in cards if card.base_cost.money == most]
        return cards[self.rng.integers(len(cards))]

    def _choose(
        self,
        card: Any,
        valid: Sequence[Any],
        player: Any,
        least: int,
        most: int,
        *,
        title: str = "",
        all_or_none: bool = False,
        ordered: bool = False,
        costliest: bool = False,
    ) -> list[Any]:
        """Choose cards one by one in both games and return them. Only choices with two answers are asked."""
        pool = list(valid)
        left = len(pool) if most < 0 else min(most, len(pool))
        if left < least or (least and not pool):
            raise NothingLeft
        chosen: list[Any] = []
        while left and pool:
            optional = not chosen if all_or_none else least == 0
            is_forced = not optional and (len({each.name for each in pool}) == 1 or (left >= len(pool) and not ordered))
            picked = pool[0] if is_forced else None
            if not is_forced:
                if not chosen:
                    self._compare(card)
                self._pending(title or card.name, player, [each.name for each in pool], optional=optional)
                if not optional or self.rng.random() >= PASS_CHANCE:
                    picked = self._pick(pool, costliest=costliest)
                self._enact("pass" if picked is None else picked.name)
            if picked is None:
                break
            pool.remove(picked)
            chosen.append(picked)
            left -= 1
        return chosen

    def _option(self, card: Any, player: Any, options: Sequence[int]) -> int:
        """Choose one of the options of evodom's pending Decision, which are these."""
        decision = self._pending_options(card.name, player, options)
        chosen = options[self.rng.integers(len(options))]
        self._enact(next(answer.name for answer in decision.consequences if answer.pile == FIRST_OPTION + chosen))
        return chosen

    def _pending_options(self, title: str, player: Any, options: Iterable[int]) -> Decision:
        decision = self.game.decision
        assert decision
        self._same("asked", (title, player.seat), (decision.title, decision.seat))
        self._same("options", sorted(options), sorted(answer.pile - FIRST_OPTION for answer in decision.consequences))
        return decision

    # pyminion's questions.

    def action_phase_decision(self, valid_actions: list[Any], player: Any, game: Any) -> Any:
        chosen = self._choose(None, valid_actions, player, 0, 1, title="Action")
        return chosen[0] if chosen else None

    def treasure_phase_decision(self, valid_treasures: list[Any], player: Any, game: Any) -> list[Any]:
        return self._choose(None, valid_treasures, player, 0, 1, title="Treasures")

    def buy_phase_decision(self, valid_cards: list[Any], player: Any, game: Any) -> Any:
        chosen = self._choose(None, valid_cards, player, 0, 1, title="Buy", costliest=True)
        return chosen[0] if chosen else None

    def reaction_decision(self, usable: list[Any], player: Any, game: Any) -> Any:
        """Choose a Reaction to reveal, or None."""
        decision = self.game.decision
        if decision is None or decision.effect.op != Op.OFFER_REACTION:
            raise Difference(f"pyminion offers {player} a Reaction, evodom does not")
        self._compare(None)
        pool = {card.name: card for card in usable}
        self._pending(decision.title, player, pool, optional=True)
        answer = [*pool, "pass"][self.rng.integers(len(pool) + 1)]
        self._enact(answer)
        return pool.get(answer)

    def binary_decision(self, prompt: str, card: Any, player: Any, game: Any, relevant_cards: Any = None) -> bool:
        if card.name == "Sentry":
            return self._choose(card, self.revealed, player, 1, 1, ordered=True) == self.revealed[:1]
        if card.name == "Mill":
            self.stored = self._choose(card, player.hand.cards, player, 0, 2, all_or_none=True)
            return bool(self.stored)
        if card.name == "Masquerade" or "trash a card" in prompt:
            self.stored = self._choose(card, player.hand.cards, player, 0, 1)
            return bool(self.stored)
        candidates = {
            "Moneylender": [base.copper],
            "Mining Village": [card],
            "Vassal": player.discard_pile.cards[-1:],
            "Library": relevant_cards,
            "Sailor": relevant_cards,
            "Pirate": [card],
        }
        chosen = self._choose(card, candidates[card.name], player, 0, 1)
        if card.name == "Library":
            self.set_aside += chosen
        return bool(chosen)

    def multiple_option_decision(
        self, card: Any, options: list[str], player: Any, game: Any, num_choices: int = 1, unique: bool = True
    ) -> list[int]:
        if card.name == "Baron":
            return [0] if self._choose(card, [base.estate], player, 0, 1) else [1]
        self._compare(card)
        free, chosen = list(range(len(options))), []
        for _ in range(num_choices):
            chosen.append(self._option(card, player, free))
            free.remove(chosen[-1])
        return sorted(chosen)

    @limited
    def discard_decision(self, card: Any, valid: Any, player: Any, least: int, most: int) -> list[Any]:
        if card.name == "Mill":
            return self._stored()
        chosen = self._choose(card, valid, player, least, most)
        if card.name == "Sentry":
            self.leading[1].extend((None, player.discard_pile, each.name) for each in chosen)
        return chosen

    @limited
    def trash_decision(self, card: Any, valid: Any, player: Any, least: int, most: int) -> list[Any]:
        if card.name in ("Masquerade", "Sailor"):
            return self._stored()
        self.leading = None, []
        chosen = self._choose(card, valid, player, least, most)
        if card.name in LEADING:
            source = None if card.name == "Sentry" else player.hand
            self.leading = card, [(source, self.oracle.trash, each.name) for each in chosen]
            self.revealed = valid
        return chosen

    def _stored(self) -> list[Any]:
        assert self.stored is not None
        return self.stored

    @limited
    def gain_decision(self, card: Any, valid: Any, player: Any, least: int, most: int) -> list[Any]:
        if card.name == "Remodel" and len(player.hand) == 1:  # trashed without a question
            self.leading = card, [(player.hand, self.oracle.trash, player.hand.cards[0].name)]
        return self._choose(card, valid, player, least, most, costliest=True)

    @limited
    def topdeck_decision(self, card: Any, valid: Any, player: Any, least: int, most: int) -> list[Any]:
        self.leading = None, []
        chosen = self._choose(card, valid, player, least, most, ordered=True)
        if card.name == "Secret Passage":
            self.leading = card, [(player.hand, player.deck, each.name) for each in chosen]
        return chosen

    @limited
    def pass_decision(self, card: Any, valid: Any, player: Any, least: int, most: int) -> list[Any]:
        with_cards = [each for each in self.oracle.players if each.hand.cards]
        if len(with_cards) == 1:
            return valid[:1]  # passed to its owner, in evodom not at all
        owner = next(each for each in with_cards if each.hand.cards is valid)
        return self._choose(card, valid, owner, least, most)

    set_aside_decision = reveal_decision = name_card_decision = limited(_choose)

    def choose_due(self, player: Any, names: Sequence[str]) -> str:
        """Choose the card whose effects at the start of a turn come next. Without a question the order is free."""
        decision = self.game.decision
        if decision is None or decision.effect.op != Op.START:
            return names[0]
        self._compare(None)
        offered = sorted(answer.name for answer in decision.consequences)
        self._same("due", (player.seat, sorted({*names})), (decision.seat, offered))
        name = offered[self.rng.integers(len(offered))]
        self._enact(name)
        return name

    def choose_treasuries(self, player: Any, treasury: Any, n: int) -> int:
        """Choose the number of Treasuries to put onto the deck."""
        return len(self._choose(treasury, [treasury] * n, player, 0, -1))

    def deck_position_decision(self, prompt: str, card: Any, player: Any, game: Any, num_deck_cards: int) -> int:
        self._compare(card)
        n_above, first = int(self.rng.integers(num_deck_cards + 1)), 0
        while True:
            n_places = num_deck_cards + 1 - first
            n_offered = min(n_places, N_OPTIONS)
            decision = self._pending_options(card.name, player, range(n_offered))
            option = min(n_above - first, n_offered - 1)
            self._enact(decision.consequences[option].name)
            first += option
            if option < N_OPTIONS - 1 or n_places <= N_OPTIONS:
                return num_deck_cards - n_above

    def multi_play_decision(
        self, prompt: str, card: Any, valid_cards: Any, player: Any, game: Any, required: bool = True
    ) -> Any:
        chosen = self._choose(card, valid_cards, player, 0, 1)
        if not chosen:
            raise NothingLeft
        return chosen[0]


def main(arguments: Sequence[str]) -> int:
    """Play the games, print the differences and return the exit code."""
    parser = argparse.ArgumentParser(description="Compare random games of evodom and pyminion.")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    correct_pyminion()
    logging.disable(logging.INFO)
    shared = sorted(CARDS.keys() & {card.name for card in (*BASE_SET.cards, *INTRIGUE.cards, *SEASIDE.cards)})
    n_compared, n_cut, found = 0, 0, 0
    plays: Counter[str] = Counter()
    in_kingdoms: Counter[str] = Counter()
    for nth in range(options.games):
        rng = np.random.default_rng([options.seed, nth])
        kingdom = [str(name) for name in rng.choice(shared, 10, replace=False)]
        leader = Leader(kingdom, int(rng.integers(2, 5)), rng)
        try:
            leader.play()
        except (Difference, AssertionError, LookupError, TypeError, ValueError, EmptyPile, NothingLeft) as error:
            found += 1
            if found <= N_SHOWN:
                text = str(error) if isinstance(error, Difference) else repr(error)
                print(f"game {nth} ({', '.join(kingdom)}; {len(leader.players)} players): {text}", flush=True)
        n_compared += leader.n_compared
        n_cut += leader.game.state.ended == Ending.CUT
        plays += leader.plays
        in_kingdoms.update(kingdom)
    print(f"{options.games} games ({n_cut} cut), {n_compared} positions compared, {found} differences.")
    print("Games and plays of each card:", ", ".join(f"{name} {in_kingdoms[name]} {plays[name]}" for name in shared))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
