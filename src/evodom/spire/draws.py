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

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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
MAX_STATES = 20_000  # maximum number of states after a draw or a play: about 10 s for each turn
DONE = -9  # energy after the last play of a turn: less than any cost

# Operations that a played card may have.
_OPS = frozenset((e.OP_HIT, e.OP_BLOCK, e.OP_GIVE, e.OP_LOSE_HP, e.OP_ENERGY, e.OP_DRAW))


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


class Draws:
    """The odds of drawing the cards `wanted` of a fight, names with commas between them, counted together.

    Without ``plays`` no card is played. A fight that has begun continues with the end of its turn. `cards` are all
    cards of the piles, `n_wanted` counts the wanted copies. `first` is the next turn, `played` names the played cards.
    """

    def __init__(self, fight: Fight, wanted: str, *, plays: bool = True) -> None:
        state, relics = fight.state, [RELICS[name] for name in fight.setup.relics]
        piles = (state.draw, state.hand, state.discard) if state else (fight.setup.player()[2], {}, {})
        self.cards = sum(map(Counter, piles), Counter[str]())
        self.wanted = list(dict.fromkeys(find_card(part, self.cards) for part in wanted.split(",")))
        self.n_wanted, self.first = sum(self.cards[name] for name in self.wanted), state.turn + 1 if state else 1
        kind_of = {name: _kind(card_row(name), plays=plays, is_wanted=name in self.wanted) for name in self.cards}
        self.played = [name for name, kind in kind_of.items() if kind.n_draws]
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
        self._n_draws = n_first - len(known), hand_size
        for name in known:
            self._piles = self._take(self._piles, letters[kind_of[name]])

    def turns(self, n: int) -> Iterator[tuple[Distribution[int], Distribution[int]]]:
        """Yield two distributions for each of ``n`` turns: of the wanted cards drawn in it, and up to its end.

        The number `n_wanted` stands for itself and any larger number. Raise UsageError above MAX_STATES states.
        """
        piles = certain(self._piles)
        for turn in range(n):
            piles = _repeated(self._draw, piles, self._n_draws[turn > 0])
            piles = _repeated(self._play, piles, MAX_PLAYS)
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
        found = _repeated(self._draw, certain(piles._replace(hand=hand, energy=energy)), kind.n_draws)
        return found if kind.leaves else found.map(lambda now: now._replace(discard=_sorted(now.discard + letter)))


def _kind(card: SpireCard, *, plays: bool, is_wanted: bool) -> Kind:
    n_draws, cost = _amount(card.effects, e.OP_DRAW), (card.cost or 0) - _amount(card.effects, e.OP_ENERGY)
    if not plays or not n_draws or not {effect.op for effect in card.effects} <= _OPS:
        return Kind(False, 0, 0, False, card.ethereal, is_wanted)
    ends_draws = any(effect.name == "No Draw" for effect in card.effects)
    return Kind(ends_draws, cost, n_draws, card.exhausts, card.ethereal, is_wanted)


def _amount(effects: Iterable[e.SpireEffect], op: int) -> int:
    return sum(effect.n for effect in effects if effect.op == op)


def _repeated(step: Callable[[Piles], Distribution[Piles]], piles: Distribution[Piles], n: int) -> Distribution[Piles]:
    for _ in range(n):
        piles = piles.bind(step).merge()
        if len(piles.pairs) > MAX_STATES:
            raise UsageError(f"more than {MAX_STATES:,} states are possible. Try fewer --turns, or --no-plays.")
    return piles


def _sorted(letters: Iterable[str]) -> str:
    return "".join(sorted(letters))
