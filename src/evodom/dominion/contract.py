"""Implement the game contract of `evodom.games` for Dominion: actions, samples, observations, redeals.

    >>> from numpy.random import default_rng
    >>> from evodom.dominion.contract import Dominion
    >>> game = Dominion(n_players=2)
    >>> state = game.start(default_rng(1))
    >>> [game.action_name(action) for action in game.actions(state)][:3]
    ['Copper', 'Estate', 'Curse']

A state is a record of STATE. An action is the number of a pile, PASS, or an option. Choices with a single answer are
made automatically. Treasures are played automatically unless `ask_treasures` is set.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from numpy.random import Generator as Rng

from evodom.dominion.cards import Card
from evodom.dominion.engine.batch import new_state
from evodom.dominion.engine.effects import Effect
from evodom.dominion.engine.ops import MAX_SEATS, Ending, Frame, Op, Zone
from evodom.dominion.engine.redeal import candidate_owner, only_viewer, redeal
from evodom.dominion.engine.resolve import leads_further
from evodom.dominion.engine.rules import (
    FIRST_OPTION,
    N_OPTIONS,
    N_PILES,
    NONE,
    PASS,
    PASS_NAME,
    Numbers,
    Rules,
    list_effects,
)
from evodom.dominion.engine.state import PHASE_NAMES, STATE, State, States, deck_size, hide_passes, seed_streams
from evodom.dominion.engine.turn import advance, enact, score, write_result
from evodom.dominion.events import place_text
from evodom.dominion.kingdom import FIRST_GAME, Kingdom

Payment = Literal["points", "win"]

N_SHOWN_TOPS = 8
"""Number of known cards per deck in an observation. The record and `observe_json` contain all."""

_OPEN_ZONES = ("in play", "set aside", "supply", "trash")
_TURN = ("phase", "actions", "buys", "coins", "treasures_played", "n_empty", "ended", "depth", "unaffected")


class Dominion:
    """Games of Dominion in one kingdom, for 2 to 6 players: a `HiddenInformationGame`.

    ``pays`` selects the returns: "points" is the number of opponents beaten, where a tie counts half; "win" is 1
    divided by the number of winners for a winner, else 0. With ``ask_treasures`` playing a Treasure is a Decision;
    otherwise all Treasures are played automatically. Raises UsageError for fewer than 1 or more than 6 players.
    """

    def __init__(
        self,
        kingdom: Kingdom = FIRST_GAME,
        n_players: int = 2,
        *,
        pays: Payment = "points",
        ask_treasures: bool = False,
    ) -> None:
        self.kingdom = kingdom
        self.n_players = n_players
        self.rules: Rules = kingdom.rules(n_players)
        self.pays = pays
        self.ask_treasures = ask_treasures
        self.n_piles = kingdom.n_columns
        self.all_actions: Sequence[int] = (*range(self.n_piles), PASS, *self._options)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself: it never changes, so copies of states share it."""
        return self

    # Playing.

    def start(self, rng: Rng) -> State:
        """Return a game at its first Decision. ``rng`` draws the seed of the game's random streams."""
        state = new_state(self.rules, int(_seed(rng)))
        state.auto_treasures = 0 if self.ask_treasures else (1 << MAX_SEATS) - 1
        advance(self.rules, state)
        return state

    def player(self, state: State) -> int:
        """Return the seat of the pending Decision."""
        return int(state.decider)

    def actions(self, state: State) -> list[int]:
        """Return the legal answers of the pending Decision: piles, PASS, options. Return [] if the game is over."""
        if state.ended != Ending.PLAYING:
            return []
        legal = int(state.legal)
        return [action for action in self.all_actions if legal >> action & 1]

    def action_name(self, action: int) -> str:
        """Return the name of the pile's card, "pass", "option N", or "pile N" for a pile that this kingdom lacks."""
        if action == PASS:
            return PASS_NAME
        if action >= FIRST_OPTION:
            return f"option {action - FIRST_OPTION + 1}"
        return self.kingdom.names[action] if action < len(self.kingdom.names) else f"pile {action}"

    def sample(self, state: State, action: int, rng: Rng) -> State:
        """Return the state at the next Decision, or at the end, after an action. ``rng`` seeds the random streams."""
        after = state.copy()
        seed_streams(after, _seed(rng))
        enact(self.rules, after, action)
        return after

    def returns(self, state: State) -> list[float]:
        """Return the return of each seat at the end of a game (see ``pays``)."""
        vp, paid = np.zeros(MAX_SEATS, np.int32), np.zeros((2, MAX_SEATS))
        write_result(self.rules, state, vp, *paid)
        return [float(each) for each in paid[0 if self.pays == "points" else 1, : self.n_players]]

    # Observations.

    @cached_property
    def observation_layout(self) -> Sequence[str]:
        """The names of the entries of `observe`, in order.

        - "next 1" is the player to the left, "next 2" the second to the left.
        - Entries by pile count cards.
        - "top 1" is the next card of a deck: 0 if unknown, else the number of its pile plus 1. "known tops" counts the
          known cards, also those deeper in the deck.
        - "active", "asked" and "asked about" count seats to the left; 0 is the seat itself. The last two are -1 if no
          Decision is pending.
        - "question" is the index of the pending Effect in `Rules.effects`, -1 if none.
        - "may choose" is 1 for the legal answers of this seat's Decision.
        """
        piles = [self.action_name(pile) for pile in range(self.n_piles)]
        names = [f"{zone}: {pile}" for zone in ("hand", "deck", "discard") for pile in piles]
        names += [f"{zone}: {pile}" for zone in (*_OPEN_ZONES, "revealed", "bonus") for pile in piles]
        names += [f"owned, {who}: {pile}" for who in self._others for pile in piles]
        names += [f"seen discards, {who}: {pile}" for who in self._others for pile in piles]
        seats = ("me", *self._others)
        names += [f"top {place}, {who}" for who in seats for place in range(1, N_SHOWN_TOPS + 1)]
        names += [f"{what}, {who}" for who in seats for what in ("hand", "deck", "known tops", "discards", "turns")]
        names += [*_TURN, "active", "asked", "asked about", "question", "choices left", "revealed cards"]
        return tuple(names + [f"may choose: {self.action_name(action)}" for action in self.all_actions])

    def observe(self, state: State, seat: int) -> npt.NDArray[np.int32]:
        """Return the observation of a seat as int32 values with the entries of `observation_layout`.

        A seat observes its own cards by zone, without the order of its deck, and all open cards. Of the other players
        it observes the owned cards of `owned_seen`, the sizes of the zones, and the discards and deck tops seen.
        """
        n = self.n_piles
        cards, table = state.cards[:, :n], self._seats_from(seat)
        own_deck = cards[Zone.DECK + seat] + self._top_counts(state, seat)[:n]
        revealed = 1 if self.sees_revealed(state, seat) else 0
        parts: list[Any] = [cards[Zone.HAND + seat], own_deck, cards[Zone.DISCARD + seat]]
        parts += [counts[:n] for counts in self.open_cards(state).values()]
        parts += [cards[Zone.REVEALED] * revealed, state.bonus[:n]]
        parts += [self.owned_seen(state, other, seat)[:n] for other in table[1:]]
        parts += [cards[Zone.DISCARD + other] - state.unseen_discards[other, :n] for other in table[1:]]
        for other in table:
            tops = [0 if pile is None else pile + 1 for pile in self.known_tops(state, other, seat)[:N_SHOWN_TOPS]]
            parts.append(tops + [0] * (N_SHOWN_TOPS - len(tops)))
        parts += [self._sizes(state, other) for other in table]
        question = self._question(state, seat)
        parts.append([*(state[field] for field in _TURN), *question, state.n_cards[Zone.REVEALED]])
        answers = self.actions(state) if self._is_asked(state, seat) else []
        parts.append([action in answers for action in self.all_actions])
        return np.concatenate([np.asarray(part, np.int32) for part in parts])

    def observe_json(self, state: State, seat: int) -> dict[str, Any]:
        """Return the observation of a seat as a JSON object. Seats have absolute numbers; cards are counted by name."""
        cards = state.cards
        asked = self._is_asked(state, seat)
        card, effect = self._pending_effect(state)
        return {
            "seat": seat,
            "hand": self.by_name(cards[Zone.HAND + seat]),
            "deck": self.by_name(cards[Zone.DECK + seat] + self._top_counts(state, seat)),
            "discard": self.by_name(cards[Zone.DISCARD + seat]),
            **{zone: self.by_name(counts) for zone, counts in self.open_cards(state).items()},
            "revealed": self.by_name(cards[Zone.REVEALED]) if self.sees_revealed(state, seat) else {},
            "players": [self._player_json(state, other, seat) for other in range(self.n_players)],
            "turn": {
                "player": int(state.active),
                "phase": PHASE_NAMES[state.phase],
                **{field: int(state[field]) for field in ("actions", "buys", "coins")},
            },
            "over": bool(state.ended != Ending.PLAYING),
            "asked": None if state.decider == NONE else int(state.decider),
            "question": None if effect is None else {"card": card and card.name, "kind": effect.kind},
            "answers": [self._answer_name(state, action) for action in self.actions(state)] if asked else [],
        }

    def open_cards(self, state: State) -> dict[str, Numbers]:
        """Return the open cards of all players together as counts by pile for each zone."""
        cards = state.cards
        in_play, set_aside = cards[Zone.IN_PLAY : Zone.SET_ASIDE], cards[Zone.SET_ASIDE : Zone.REVEALED]
        zones = (in_play.sum(axis=0), set_aside.sum(axis=0), cards[Zone.SUPPLY], cards[Zone.TRASH])
        return dict(zip(_OPEN_ZONES, zones, strict=True))

    def owned_seen(self, state: State, owner: int, viewer: int | None) -> Numbers:
        """Return the cards that a player owns, by pile, as far as the seat ``viewer`` has seen; None for a spectator.

        A card passed between two other players counts for its giver.
        """
        seen = state
        if state.n_passes:
            seen = state.copy()
            hide_passes(seen, NONE if viewer is None else viewer, 1)
        owned: Numbers = seen.owned[owner].clip(0)
        return owned

    def sees_revealed(self, state: State, seat: int) -> bool:
        """Return whether a seat sees the revealed cards."""
        return int(only_viewer(self.rules, state)) in (NONE, seat)

    def redeal(self, state: State, seat: int, rng: Rng) -> State:
        """Return a state with the information hidden from a seat resampled (see `evodom.dominion.engine.redeal`)."""
        slots: States = np.zeros(2, STATE)
        slots[0] = state
        redeal(self.rules, slots, seat, np.array([_seed(rng)]))
        return slots[0].copy()

    def material(self, state: State) -> Hashable:
        """Return the cards of every player, of the Supply and of the trash."""
        return state.owned.tobytes(), state.cards[Zone.SUPPLY].tobytes(), state.cards[Zone.TRASH].tobytes()

    def points(self, state: State) -> list[int]:
        """Return the current victory points of every seat."""
        return [int(score(self.rules, state, seat)) for seat in range(self.n_players)]

    # Parts of an observation.

    @cached_property
    def _options(self) -> range:
        """The actions for options: as many as the longest list in this kingdom has; all for places in a deck."""
        lengths = {Op.OPTIONS: lambda effect: len(effect.inner), Op.PLACE: lambda effect: N_OPTIONS}
        n = max((lengths[effect.op](effect) for _, effect in self.card_effects if effect.op in lengths), default=0)
        return range(FIRST_OPTION, FIRST_OPTION + n)

    def option(self, state: State, action: int) -> tuple[str, str]:
        """Return name and text of an option of the pending Decision: of the card, or of a place in the deck."""
        _, effect = self.card_effects[state.asked_effect]
        nth = action - FIRST_OPTION
        if effect.op == Op.OPTIONS:
            return effect.inner[nth].option, effect.inner[nth].text
        if leads_further(state, int(state.depth) - 1, int(state.decider), nth):
            return "further down", "further down"
        n_above = nth + int(state.stack[state.depth - 1, Frame.CARDS_LEFT])
        if 0 < n_above == deck_size(state, int(state.decider)) - 1:
            return "bottom", "at the bottom"
        return (f"under {n_above}" if n_above else "top"), place_text(n_above)

    def _answer_name(self, state: State, action: int) -> str:
        return self.option(state, action)[0] if action >= FIRST_OPTION else self.action_name(action)

    @cached_property
    def _others(self) -> tuple[str, ...]:
        return tuple(f"next {distance}" for distance in range(1, self.n_players))

    @cached_property
    def card_effects(self) -> list[tuple[Card | None, Effect]]:
        """Card and Effect of each entry of `Rules.effects`."""
        return list_effects(self.kingdom.piles)

    def _seats_from(self, seat: int) -> list[int]:
        return [(seat + distance) % self.n_players for distance in range(self.n_players)]

    def _is_asked(self, state: State, seat: int) -> bool:
        return bool(state.ended == Ending.PLAYING and state.decider == seat)

    def _pending_effect(self, state: State) -> tuple[Card | None, Effect | None]:
        is_pending = state.ended == Ending.PLAYING and state.decider != NONE
        return self.card_effects[state.asked_effect] if is_pending else (None, None)

    def _question(self, state: State, seat: int) -> list[int]:
        """Return the entries "active", "asked", "asked about", "question" and "choices left" of an observation."""
        active = (int(state.active) - seat) % self.n_players
        _, effect = self._pending_effect(state)
        if effect is None:
            return [active, -1, -1, -1, 0]
        owner = int(candidate_owner(self.rules, state))
        left = int(state.stack[state.depth - 1, Frame.CARDS_LEFT]) if effect.op in (Op.CHOOSE, Op.OPTIONS) else 1
        asked = (int(state.decider) - seat) % self.n_players
        return [active, asked, (owner - seat) % self.n_players, int(state.asked_effect), left]

    def _sizes(self, state: State, seat: int) -> list[int]:
        hand, discards = (int(state.n_cards[zone + seat]) for zone in (Zone.HAND, Zone.DISCARD))
        known = int(state.n_known[seat])
        return [hand, int(deck_size(state, int(seat))), known, discards, int(state.turns[seat])]

    def known_tops(self, state: State, owner: int, viewer: int) -> list[int | None]:
        """Return the piles of a deck from its top to its deepest known card; None for cards the viewer has not seen."""
        tops: list[int | None] = []
        for index in range(int(state.n_known[owner]) - 1, -1, -1):
            sees = owner == viewer or bool(state.known_by[owner, index] >> viewer & 1)
            tops += [*[None] * int(state.unseen_above[owner, index]), int(state.known[owner, index]) if sees else None]
        return tops

    def _top_counts(self, state: State, seat: int) -> Any:
        return np.bincount(state.known[seat, : state.n_known[seat]], minlength=N_PILES)

    def _player_json(self, state: State, owner: int, viewer: int) -> dict[str, Any]:
        hand, deck, _, discards, turns = self._sizes(state, owner)
        seen = state.cards[Zone.DISCARD + owner] - (0 if owner == viewer else state.unseen_discards[owner])
        tops = self.known_tops(state, owner, viewer)
        return {
            "hand": hand,
            "deck": deck,
            "discards": discards,
            "seen discards": self.by_name(seen),
            "known tops": [None if pile is None else self.action_name(pile) for pile in tops],
            "owned": self.by_name(self.owned_seen(state, owner, viewer)),
            "turns": turns,
        }

    def by_name(self, counts: Numbers) -> Counter[str]:
        """Return counts by pile as counts by name, without zeros."""
        return Counter({name: n for name, n in zip(self.kingdom.names, counts.tolist(), strict=False) if n})


def _seed(rng: Rng) -> np.uint64:
    return rng.integers(2**64, dtype=np.uint64)
