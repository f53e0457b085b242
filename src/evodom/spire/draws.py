"""Compute the odds of drawing cards in the next turns of a fight, without simulation.

Open it to change how these odds draw and play cards. The state is the number of cards of each kind in each pile. In
each turn, the distribution of states changes in these steps:

1. Draw the hand. On turn 1, innate cards come first, and relics that draw at the start add cards.
2. Play cards that draw, as far as energy allows, in the order of `Kind`: the lowest cost first, a card that ends all
   draws last. Play no card that does anything else with cards, such as Burning Pact or Warcry. Costs are those of the
   cards, also with Snecko Eye.
3. Ethereal cards leave the hand, the others are discarded. Runic Pyramid keeps the others.

The discard pile becomes the draw pile when a card is drawn from an empty one.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from operator import attrgetter
from typing import NamedTuple

from evodom.distribution import Distribution, certain
from evodom.errors import UsageError
from evodom.spire.content import effects as e
from evodom.spire.content.cards import ENERGY, HAND_LIMIT, HAND_SIZE, SpireCard, card_row
from evodom.spire.content.relics import AT_START, RELICS
from evodom.spire.fights.fight import Fight
from evodom.spire.fights.names import find_card

MAX_PLAYS = 10  # maximum number of cards played in a turn: cards without cost could be drawn and played without end
MAX_STATES = 400_000  # maximum number of states after every draw and play, in all: about 3 s
DONE = -9  # energy after the last play of a turn: less than any cost

# Operations that a played card may have.
_OPS = frozenset((e.OP_HIT, e.OP_BLOCK, e.OP_GIVE, e.OP_LOSE_HP, e.OP_ENERGY, e.OP_DRAW))

# Operations and statuses that draw cards or take them from the draw pile.
_TAKING_OPS = (e.OP_DRAW, e.OP_DRAW_WITHOUT_ATTACKS, e.OP_TAKE_ATTACKS, e.OP_SHUFFLE_ALL, e.OP_DROPKICK, e.OP_PLAY_TOP)
_DRAWING = frozenset((*_TAKING_OPS, (e.OP_CHOOSE, e.DRAW), "Brutality", "Dark Embrace", "Evolve", "Mayhem"))


class Kind(NamedTuple):
    """Cards with the same effect on the piles. Kinds are played in the order of their fields, False before True.

    Of two cards of equal cost, the card with fewer draws is thus first, then the card that is not exhausted. Cards with
    `n_draws` 0 are not played. `cost` is the energy that the card takes, less the energy that it gives.
    """

    ends_draws: bool
    cost: int
    n_draws: int
    leaves: bool
    is_ethereal: bool
    is_wanted: bool


class Piles(NamedTuple):
    """Piles and energy, and the numbers of wanted cards drawn in this turn and in all turns.

    Each pile is a sorted text with one letter a card, the letter of its kind. The two numbers stop at the number of
    wanted copies.
    """

    draw: str
    hand: str
    discard: str
    energy: int = 0
    drawn: int = 0
    total: int = 0


Step = Callable[[Piles], Distribution[Piles]]


class Draws:
    """The odds of drawing the cards `wanted` of a fight, names with commas between them, counted together.

    Without ``plays`` no card is played. A fight that has begun continues with the end of its turn. `cards` are all
    cards of the piles, `n_wanted` counts the wanted copies. `first` is the next turn, `played` names the played cards.
    """

    def __init__(self, fight: Fight, wanted: str, *, plays: bool = True) -> None:
        state, relics = fight.state, [RELICS[name] for name in fight.setup.relics]
        piles = (state.draw, state.hand, state.discard) if state else (fight.setup.player()[2], {}, {})
        self.cards = sum(map(Counter, piles), Counter[str]())
        self.wanted = list(dict.fromkeys(_found(part, self.cards, begun=bool(state)) for part in wanted.split(",")))
        self.n_wanted, self.first = sum(self.cards[name] for name in self.wanted), state.turn + 1 if state else 1
        kind_of = {name: _kind(card_row(name), plays=plays, is_wanted=name in self.wanted) for name in self.cards}
        self.played = [name for name, kind in kind_of.items() if kind.n_draws]
        self.not_played = [name for name in self.cards if name not in self.played and _draws(card_row(name))]
        rolls = "Snecko Eye" in fight.setup.relics or bool(state and state.statuses.get("Confused"))
        self.notes = ["Printed costs are assumed: costs are not rolled."] if rolls and self.played else []
        letters = {kind: chr(ord("A") + n) for n, kind in enumerate(sorted(set(kind_of.values())))}
        self._kinds = {letter: kind for kind, letter in letters.items()}
        self._keeps_hand = any("runic_pyramid" in relic.changes for relic in relics)
        self._energy = ENERGY + sum(relic.changes.get("energy", 0) for relic in relics if not relic.only_against)
        start = [effect for relic in relics if relic.when == AT_START and not state for effect in relic.effects]
        draw, hand, discard = (_sorted(letters[kind_of[name]] for name in Counter(pile).elements()) for pile in piles)
        begun = self._end_turn(Piles(draw, hand, discard))
        self._piles = begun._replace(energy=self._energy + _amount(start, e.OP_ENERGY))
        hand_size = HAND_SIZE + sum(relic.changes.get("hand_size", 0) for relic in relics)
        known = state.top if state else [name for name in self.cards.elements() if card_row(name).innate]
        n_first = (hand_size if state else max(hand_size, len(known))) + _amount(start, e.OP_DRAW)
        known = known[: min(n_first, HAND_LIMIT - len(self._piles.hand))]
        self._n_draws, self._n_states = (n_first - len(known), hand_size), 0
        for name in known:
            self._piles = self._take(self._piles, letters[kind_of[name]])

    def turns(self, n: int) -> Iterator[tuple[Distribution[int], Distribution[int]]]:
        """Yield two distributions for each of ``n`` turns: of the wanted cards drawn in it, and up to its end.

        The number `n_wanted` means `n_wanted` or more. Raise UsageError above MAX_STATES states.
        """
        piles = certain(self._piles)
        for turn in range(n):
            piles = self._repeated(self._draw, piles, self._n_draws[turn > 0])
            piles = self._repeated(self._play, piles, MAX_PLAYS)
            yield piles.map(attrgetter("drawn")).merge(), piles.map(attrgetter("total")).merge()
            piles = piles.map(self._end_turn)

    def _end_turn(self, piles: Piles) -> Piles:
        """Discard the hand, except ethereal cards."""
        left = _sorted(letter for letter in piles.hand if not self._kinds[letter].is_ethereal)
        hand, discarded = (left, "") if self._keeps_hand else ("", left)
        return Piles(piles.draw, hand, _sorted(piles.discard + discarded), self._energy, 0, piles.total)

    def _draw(self, piles: Piles) -> Distribution[Piles]:
        """Draw a card, unless the hand is full. If the draw pile is empty, shuffle the discard pile into it first."""
        if len(piles.hand) >= HAND_LIMIT or not piles.draw + piles.discard:
            return certain(piles)
        if not piles.draw:
            piles = piles._replace(draw=piles.discard, discard="")
        drawn = [(self._take(piles, letter), n) for letter, n in Counter(piles.draw).items()]
        return Distribution(drawn, len(piles.draw), merged=True)

    def _take(self, piles: Piles, letter: str) -> Piles:
        """Move a card of a kind from the draw pile into the hand."""
        n, hand = self._kinds[letter].is_wanted, _sorted(piles.hand + letter)
        drawn, total = (min(count + n, self.n_wanted) for count in (piles.drawn, piles.total))
        return Piles(piles.draw.replace(letter, "", 1), hand, piles.discard, piles.energy, drawn, total)

    def _play(self, piles: Piles) -> Distribution[Piles]:
        """Play the first card that draws and costs at most the energy, if there is one."""
        can = (one for one in piles.hand if (kind := self._kinds[one]).n_draws and kind.cost <= piles.energy)
        if not (letter := next(can, "")):
            return certain(piles._replace(energy=DONE))
        kind = self._kinds[letter]
        hand, energy = piles.hand.replace(letter, "", 1), DONE if kind.ends_draws else piles.energy - kind.cost
        found = self._repeated(self._draw, certain(piles._replace(hand=hand, energy=energy)), kind.n_draws)
        return found if kind.leaves else found.map(lambda now: now._replace(discard=_sorted(now.discard + letter)))

    def _repeated(self, step: Step, piles: Distribution[Piles], n: int) -> Distribution[Piles]:
        """Change the piles by up to `n` steps, until none changes them. Raise UsageError above MAX_STATES states."""

        def counted(before: Piles) -> Distribution[Piles]:
            after = step(before)
            self._n_states += len(after.pairs)
            if self._n_states > MAX_STATES:
                raise UsageError(f"more than {MAX_STATES:,} states are possible. Try fewer --turns, or --no-plays.")
            return after

        for _ in range(n):
            before, piles = piles, piles.bind(counted).merge()
            if piles.pairs == before.pairs:
                break
        return piles


def _found(text: str, cards: Counter[str], *, begun: bool) -> str:
    """Return the name of a card of the piles. Raise UsageError with the next step if it is not there."""
    if not cards:
        raise UsageError("there are no cards to draw. Add cards with --add, or to a pile of the file.")
    if not text.strip():
        raise UsageError('a name of CARDS is empty. Write names with commas between them: "Bash, Strike".')
    try:
        return find_card(text, cards)
    except UsageError as error:
        refused = error
    with suppress(UsageError):
        name, place = find_card(text), "in any pile" if begun else "in the deck"
        add = "to a pile of the file" if begun else f"with --add {shlex.quote(name)}"
        refused = UsageError(f"{name} is not {place}. Add it {add}.")
    raise refused


def _kind(card: SpireCard, *, plays: bool, is_wanted: bool) -> Kind:
    n_draws, cost = _amount(card.effects, e.OP_DRAW), (card.cost or 0) - _amount(card.effects, e.OP_ENERGY)
    if not plays or not n_draws or not {effect.op for effect in card.effects} <= _OPS:
        return Kind(False, 0, 0, False, card.ethereal, is_wanted)
    ends_draws = any(effect.name == "No Draw" for effect in card.effects)
    return Kind(ends_draws, cost, n_draws, card.exhausts, card.ethereal, is_wanted)


def _draws(card: SpireCard) -> bool:
    """Return True if a card draws cards, now or later, or takes them from the draw pile."""
    keys = {key for one in card.effects for key in (one.op, one.name, (one.op, one.pile))}
    return not keys.isdisjoint(_DRAWING)


def _amount(effects: Iterable[e.SpireEffect], op: int) -> int:
    return sum(effect.n for effect in effects if effect.op == op)


def _sorted(letters: Iterable[str]) -> str:
    return "".join(sorted(letters))
