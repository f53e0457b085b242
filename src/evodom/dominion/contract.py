"""Implement the game contract of `evodom.games` for Dominion: actions, samples, observations, redeals.

    >>> from numpy.random import default_rng
    >>> from evodom.dominion.contract import Dominion
    >>> game = Dominion(n_players=2)
    >>> state = game.start(default_rng(1))
    >>> [game.action_name(action) for action in game.actions(state)][:3]
    ['Copper', 'Estate', 'Curse']

A state is a record of STATE. An action is the number of a pile, PASS, or an option. The engine makes choices with a
single answer itself. Treasures are played automatically, unless `ask_treasures` is set.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from numpy.random import Generator as Rng

from evodom.dominion.cards import Card
from evodom.dominion.effects.effect import Effect
from evodom.dominion.effects.ops import MAX_SEATS, Ending, Frame, Later, Op, Zone
from evodom.dominion.engine.batch import new_state
from evodom.dominion.engine.compiler import list_effects
from evodom.dominion.engine.menu import leads_further
from evodom.dominion.engine.moves import cost_of, costs_may_differ
from evodom.dominion.engine.redeal import is_face_down, only_viewer, redeal
from evodom.dominion.engine.rules import FIRST_OPTION, N_OPTIONS, N_PILES, NONE, PASS, PASS_NAME, Numbers, Rules
from evodom.dominion.engine.state import PHASE_NAMES, STATE, State, States, deck_size, hide_passes, seed_streams
from evodom.dominion.engine.turn import advance, enact, score, write_result
from evodom.dominion.events import place_text
from evodom.dominion.kingdom import FIRST_GAME, Kingdom
from evodom.dominion.zones import MATS, PLACES, SET_ASIDE, SeenCards

Payment = Literal["points", "win"]


@dataclass(frozen=True, slots=True)
class Pending:
    """Effects that a played card keeps for the start of its player's next turn."""

    card: str
    times: int
    """Number of plays."""
    is_due: bool
    """True after that turn has begun."""
    set_aside: str
    """Name of the card that it has set aside; "" if there is none or the viewer does not see it."""
    unaffected: tuple[int, ...]
    """Seats that are unaffected by the play of an Attack."""


class Dominion:
    """Games of Dominion in one kingdom, for 2 to 6 players: a `HiddenInformationGame`.

    ``pays`` selects the returns. "points" is the number of opponents beaten, where a tie counts half. "win" is 1/k for
    each of k winners, else 0. With ``ask_treasures`` playing a Treasure is a Decision, otherwise Treasures are played
    automatically. Raises UsageError for fewer than 1 or more than 6 players.
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
        self.deck: Mapping[int, int] = {}
        """Number of cards of each pile in a starting deck; {} for the usual deck."""
        self.n_piles = kingdom.n_columns
        self.all_actions: Sequence[int] = (*range(self.n_piles), PASS, *self._options)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself. It never changes, so copies can share it."""
        return self

    # Playing.

    def start(self, rng: Rng) -> State:
        """Return a game at its first Decision. ``rng`` draws the seed of the game's random streams."""
        state = new_state(self.rules, int(_seed(rng)), self.deck)
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

    def observe(self, state: State, seat: int) -> dict[str, Any]:
        """Return the observation of a seat as a JSON object. Seats have absolute numbers; cards are counted by name."""
        cards = state.cards
        is_asked = state.ended == Ending.PLAYING and state.decider == seat
        is_pending = state.ended == Ending.PLAYING and state.decider != NONE
        card, effect = self.card_effects[state.asked_effect] if is_pending else (None, None)
        tops = np.bincount(state.known[seat, : state.n_known[seat]], minlength=N_PILES)
        costs = zip(self.kingdom.piles, self.costs(state), strict=True)
        return {
            "seat": seat,
            "hand": self.by_name(cards[Zone.HAND + seat]),
            "deck": self.by_name(cards[Zone.DECK + seat] + tops),
            "discard": self.by_name(cards[Zone.DISCARD + seat]),
            "supply": self.by_name(cards[Zone.SUPPLY]),
            "costs": {card.name: cost for card, cost in costs if cost != card.cost},
            "trash": self.by_name(cards[Zone.TRASH]),
            **{mat.name: self.by_name(cards[mat.zone + seat]) for mat in MATS if not mat.is_open},
            "revealed": self.by_name(cards[Zone.REVEALED]) if self.sees_revealed(state, seat) else {},
            "players": [self._player_json(state, other, seat) for other in range(self.n_players)],
            "turn": {
                "player": int(state.active),
                "phase": PHASE_NAMES[state.phase],
                **{field: int(state[field]) for field in ("actions", "buys", "coins")},
                "watching": self.by_name(state.plays_this_turn),
                "named": self.names_in(state.named),
                "extra": bool(state.is_extra),
                "extra follows": bool(state.extra_turn),
            },
            "over": bool(state.ended != Ending.PLAYING),
            "asked": None if state.decider == NONE else int(state.decider),
            "question": None if effect is None else {"card": card and card.name, "kind": effect.kind},
            "answers": [
                self.option(state, action)[0] if action >= FIRST_OPTION else self.action_name(action)
                for action in (self.actions(state) if is_asked else ())
            ],
        }

    def places(self, state: State, owner: int, viewer: int | None) -> dict[str, SeenCards]:
        """Return the cards of ``owner`` in PLACES by name, as ``viewer`` sees them. The viewer None is a spectator."""
        found = {}
        for place in PLACES:
            seen = state.cards[place.zone + owner].copy()
            if owner != viewer:
                seen *= place.is_open
            for index in range(int(state.n_later) if place is SET_ASIDE and owner != viewer else 0):
                if is_face_down(self.rules, state, index, owner):
                    seen[state.later[index, Later.CARD]] -= 1
            found[place.name] = SeenCards(self.by_name(seen), int(state.n_cards[place.zone + owner] - seen.sum()))
        return found

    def pending(self, state: State, owner: int, viewer: int | None) -> tuple[Pending, ...]:
        """Return the Effects that ``owner``'s cards keep for the next turn, as ``viewer`` sees them, oldest first."""
        return tuple(
            Pending(
                self.kingdom.names[entry[Later.PILE]],
                int(entry[Later.TIMES]),
                bool(entry[Later.DUE]),
                self._card_of_entry(state, index, owner, viewer),
                tuple(seat for seat in range(self.n_players) if entry[Later.UNAFFECTED] >> seat & 1),
            )
            for index, entry in enumerate(state.later[: state.n_later])
            if entry[Later.SEAT] == owner
        )

    def _card_of_entry(self, state: State, index: int, owner: int, viewer: int | None) -> str:
        card = int(state.later[index, Later.CARD])
        is_hidden = owner != viewer and is_face_down(self.rules, state, index, owner)
        return "" if card == NONE or is_hidden else self.kingdom.names[card]

    def costs(self, state: State) -> list[int]:
        """Return the present cost of the card of each pile."""
        piles = self.kingdom.piles
        if not costs_may_differ(self.rules, state):
            return [card.cost for card in piles]
        return [int(cost_of(self.rules, state, pile)) for pile in range(len(piles))]

    def names_in(self, mask: int) -> list[str]:
        """Return the names of the piles in a mask."""
        return [name for pile, name in enumerate(self.kingdom.names) if int(mask) >> pile & 1]

    def owned_seen(self, state: State, owner: int, viewer: int | None) -> Numbers:
        """Return the cards of ``owner`` by pile, as far as ``viewer`` has seen. The viewer None is a spectator.

        If ``viewer`` has not seen a pass of a card, the card still counts as owned by the player who passed it.
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
        """Return the cards and VP tokens of every player, the Supply and the trash."""
        return (
            state.owned.tobytes(),
            state.vp_tokens.tobytes(),
            state.cards[Zone.SUPPLY].tobytes(),
            state.cards[Zone.TRASH].tobytes(),
        )

    def points(self, state: State) -> list[int]:
        """Return the current victory points of every seat."""
        return [int(score(self.rules, state, seat)) for seat in range(self.n_players)]

    # Parts of an observation.

    @cached_property
    def _options(self) -> range:
        """The actions for options: the maximum number of options of a card, or N_OPTIONS if a card asks for a place."""
        lengths = {Op.OPTIONS: lambda effect: len(effect.inner), Op.PLACE: lambda effect: N_OPTIONS}
        n = max((lengths[effect.op](effect) for _, effect in self.card_effects if effect.op in lengths), default=0)
        return range(FIRST_OPTION, FIRST_OPTION + n)

    def option(self, state: State, action: int) -> tuple[str, str]:
        """Return name and text of an option of the pending Decision, or of a place in a deck."""
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

    @cached_property
    def card_effects(self) -> list[tuple[Card | None, Effect]]:
        """Card and Effect of each row of `Rules.effects`."""
        return list_effects(self.kingdom.piles)

    def known_tops(self, state: State, owner: int, viewer: int) -> list[int | None]:
        """Return the piles of a deck from the top to the deepest known card. None is a card unknown to ``viewer``."""
        tops: list[int | None] = []
        for index in range(int(state.n_known[owner]) - 1, -1, -1):
            sees = owner == viewer or bool(state.known_by[owner, index] >> viewer & 1)
            tops += [*[None] * int(state.unseen_above[owner, index]), int(state.known[owner, index]) if sees else None]
        return tops

    def _player_json(self, state: State, owner: int, viewer: int) -> dict[str, Any]:
        seen = state.cards[Zone.DISCARD + owner] - (0 if owner == viewer else state.unseen_discards[owner])
        tops = self.known_tops(state, owner, viewer)
        places = self.places(state, owner, viewer)
        return {
            "hand": int(state.n_cards[Zone.HAND + owner]),
            "deck": int(deck_size(state, owner)),
            "discards": int(state.n_cards[Zone.DISCARD + owner]),
            "seen discards": self.by_name(seen),
            "known tops": [None if pile is None else self.action_name(pile) for pile in tops],
            "owned": self.by_name(self.owned_seen(state, owner, viewer)),
            "turns": int(state.turns[owner]),
            "in play": self.by_name(state.cards[Zone.IN_PLAY + owner]),
            "staying": self.by_name(state.staying[owner]),
            SET_ASIDE.name: places[SET_ASIDE.name].cards,
            "set aside face down": places[SET_ASIDE.name].unseen,
            **{mat.name: places[mat.name].cards for mat in MATS if mat.is_open},
            **{mat.name: int(state.n_cards[mat.zone + owner]) for mat in MATS if not mat.is_open},
            "VP tokens": int(state.vp_tokens[owner]),
            "pending": [
                asdict(each) | {"unaffected": [*each.unaffected]} for each in self.pending(state, owner, viewer)
            ],
            "gained": self.names_in(state.gained[owner]),
        }

    def by_name(self, counts: npt.NDArray[np.integer[Any]]) -> Counter[str]:
        """Return counts by pile as counts by name, without zeros."""
        return Counter({name: n for name, n in zip(self.kingdom.names, counts.tolist(), strict=False) if n})


def _seed(rng: Rng) -> np.uint64:
    return rng.integers(2**64, dtype=np.uint64)
