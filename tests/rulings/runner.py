"""Run a ruling: set up its position, take its steps in the engine, and compare the result."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import ClassVar

from evodom.dominion.cards import BASIC, CARDS, COLONY_CARDS, PROVINCE, TREASURE, find_card, name_cards
from evodom.dominion.cards.card import CardChange
from evodom.dominion.effects.ops import Ending, Phase, PhaseEffect, Zone
from evodom.dominion.engine.moves import cost_of
from evodom.dominion.engine.rules import N_PILES, NONE, PASS
from evodom.dominion.engine.state import PHASE_NAMES, deck_size
from evodom.dominion.engine.turn import apply_choice, step
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import Position, SeatSetup, write_position
from evodom.dominion.zones import MATS
from evodom.errors import IllegalChoice, UsageError
from tests.rulings.answers import CHOSEN, Resolution, answers_of, deck_to_lowest_known
from tests.rulings.case import Cards, Case, CaseStep, Expected, ExpectedPlayer, SetupCase, counts, names

_NEVER = 2**31 - 1


def run(case: Case | SetupCase) -> list[str]:
    """Run a case and return a text for each mismatch; [] if the case holds."""
    try:
        return _run_setup(case) if isinstance(case, SetupCase) else _run(case)
    except UsageError as error:  # such as an unknown card
        return [str(error)]


def _run(case: Case) -> list[str]:
    game = _set_up(case)
    for nth, each in enumerate(case.steps, start=1):
        after = game.copy()
        try:
            after = _take(after, each)
        except IllegalChoice as error:
            if not each.illegal:
                return [f"step {nth}, {each.text}: {error}"]
            continue
        if each.illegal:
            return [f"step {nth}, {each.text}: it is legal. The case marks it as illegal"]
        game = after
    return mismatches(game, case.expect)


# The position.


def _set_up(case: Case) -> DominionGame:
    """Return the game at the position of a case, without a pending Decision."""
    kingdom = _kingdom_of(case)
    setup = case.setup
    game = DominionGame(kingdom, len(setup.players), log=False)
    game.rules.max_turns = _NEVER
    if not setup.platinum_colony:
        game.rules.ending_piles = 1 << PROVINCE
    seats = [
        SeatSetup(
            {
                "hand": names(player.hand, f"hand of player {seat}"),
                "discard": names(player.discard, f"discard of player {seat}"),
                "in play": names(player.in_play, f"in_play of player {seat}"),
                **{mat.word: names(player.mats.get(mat.card, []), f"{mat.card} of player {seat}") for mat in MATS},
            },
            names(player.deck, f"deck of player {seat}"),
            tokens=player.vp_tokens,
            turns=player.turns,
        )
        for seat, player in enumerate(setup.players)
    ]
    turn = setup.turn
    phase = Phase.ACTION if turn.phase == "action" else Phase.TREASURE
    counters = {"actions": turn.actions, "buys": turn.buys, "coins": turn.coins, "phase": phase}
    supply = dict.fromkeys(kingdom.without_pile, 0) | counts(setup.supply, "supply")
    trash = names(setup.trash, "trash")
    write_position(
        game.state, kingdom, Position(seats, setup.current, counters, supply, trash, without_pile=kingdom.without_pile)
    )
    game.state.depth, game.state.decider, game.state.ended = 0, NONE, Ending.PLAYING
    return game


_MATS = {mat.card: mat.zone for mat in MATS}


@dataclass(frozen=True)
class CaseKingdom(Kingdom):
    """The kingdom of a case.

    ``without_pile`` are cards that the case uses without listing their piles. Their piles are empty, and do not count
    as empty piles. They change no other cards.
    """

    without_pile: frozenset[str] = frozenset()
    max_cards: ClassVar[int] = N_PILES - len(BASIC) - len(COLONY_CARDS)

    @property
    def card_changes(self) -> list[CardChange]:
        """The changes that cards with a listed pile make to other cards."""
        listed = [find_card(name) for name in self.cards if name not in self.without_pile]
        return [card.changes for card in listed if card.changes]


def _kingdom_of(case: Case) -> CaseKingdom:
    """Return the kingdom of a case: its listed piles, and the cards that it uses without a pile.

    If there are more than `CaseKingdom.max_cards`, leave out listed piles that the case does not use.
    """
    setup = case.setup
    mentioned = dict.fromkeys(_mentioned(case))
    colony = [card.name for card in COLONY_CARDS]
    basic = {*colony, *(card.name for card in BASIC)}
    used = [name for name in mentioned if name not in basic]
    listed = [*names(setup.kingdom, "kingdom"), *names(list(setup.supply), "supply")]
    if not setup.platinum_colony and not set(colony).isdisjoint(listed):
        raise UsageError("Platinum and Colony have piles only with platinum_colony: true.")
    listed = [name for name in dict.fromkeys(listed) if name not in basic]
    without_pile = [name for name in used if name not in listed]
    with_pile = [name for name in listed if name in used]
    room = max(CaseKingdom.max_cards - len(without_pile) - len(with_pile), 0)
    with_pile += [name for name in listed if name not in used][:room]
    n_cards = len(with_pile) + len(without_pile)
    if n_cards > CaseKingdom.max_cards:
        raise UsageError(f"the case has {n_cards} kingdom cards. Allowed: up to {CaseKingdom.max_cards}.")
    if not setup.platinum_colony and not mentioned.keys().isdisjoint(colony):
        without_pile += colony
    cards = (*with_pile, *without_pile, *(colony if setup.platinum_colony else ()))
    return CaseKingdom(cards, without_pile=frozenset(without_pile))


def _mentioned(case: Case) -> Iterator[str]:
    """Yield the names of the cards in zones, steps, answers, the trash, and changed or expected piles and costs."""
    for seat, player in enumerate(case.setup.players):
        for zone in ("hand", "deck", "discard", "in_play"):
            yield from names(getattr(player, zone), f"{zone} of player {seat}")
        for mat, cards in player.mats.items():
            yield from names(cards, f"{mat} of player {seat}")
    for each in case.steps:
        yield from each.named or ()
        for answer in answers_of(each, 0):
            for key, part in answer.cards.items():
                yield from part if key != CHOSEN else ()
    yield from names(case.setup.trash, "trash")
    yield from names(list(case.setup.supply), "supply")
    yield from names(list(case.expect.supply), "the expected supply")
    yield from names(list(case.expect.costs), "the expected costs")


# The steps.


def _take(game: DominionGame, each: CaseStep) -> DominionGame:
    """Return the game after a step. Raise IllegalChoice if the engine does not allow it."""
    if game.is_over:
        raise IllegalChoice("the game is over.")
    state = game.state
    resolution = Resolution(game, answers_of(each, int(state.active)), partial(_choose, phase=_PHASES[each.op]))
    if each.op == "end_turn":
        while _ask(game) < PhaseEffect.BUY:
            apply_choice(game.rules, state, PASS)
        apply_choice(game.rules, state, PASS)
        resolution.ends_turn = True
    elif each.op == "play_treasures":
        state.phase = max(state.phase, Phase.TREASURE)
        hand = game.cards(Zone.HAND + state.active)
        treasures = (name for name in hand.elements() if TREASURE in game.piles[game.kingdom.pile(name)].types)
        resolution.cards = list(treasures) if each.named is None else each.named
        resolution.plays_what_is_left = each.named is None
    else:
        resolution.cards = each.named or []
    game = resolution.resolve().game
    if each.op == "end_turn" and not game.is_over:  # back from the first question of the turn
        game.state.phase, game.state.decider = Phase.ACTION, NONE
    return game


_PHASES = {
    "play": PhaseEffect.PLAY_ACTION,
    "play_treasures": PhaseEffect.PLAY_TREASURE,
    "buy": PhaseEffect.BUY,
    "end_turn": PhaseEffect.BUY,
}


def _choose(game: DominionGame, name: str, *, phase: PhaseEffect) -> None:
    """Choose a card in a phase of the turn, passing the phases before it."""
    state = game.state
    turn = f"Actions: {state.actions}, Buys: {state.buys}, coins: {state.coins}, {PHASE_NAMES[state.phase]} phase"
    while _ask(game) < phase:
        apply_choice(game.rules, state, PASS)
    [pile] = [pile for pile, card in enumerate(game.piles) if card.name == name]
    if state.asked_effect != phase or not state.legal >> pile & 1 or (phase == PhaseEffect.BUY and state.buys == 0):
        raise IllegalChoice(f"{name} cannot be {'bought' if phase == PhaseEffect.BUY else 'played'} now ({turn}).")
    apply_choice(game.rules, state, pile)


def _ask(game: DominionGame) -> int:
    """Advance the engine to the next question of the turn and return the index of its Effect, a `PhaseEffect`.

    The turn temporarily has at least one Buy: without a Buy the engine would run the clean-up.
    """
    state = game.state
    buys, state.decider = int(state.buys), NONE
    state.buys = max(buys, 1)
    step(game.rules, state)
    state.buys = buys
    return int(state.asked_effect)


# The result.


def mismatches(game: DominionGame, expect: Expected) -> list[str]:
    """Return a text for each mismatch. Only listed entries are compared."""
    state = game.state
    phase = PHASE_NAMES[state.phase]
    if (expect.phase, phase) == ("buy", "treasure"):  # Treasures are played in the buy phase
        phase = "buy"
    found = [
        *_equal("actions", expect.actions, int(state.actions)),
        *_equal("buys", expect.buys, int(state.buys)),
        *_equal("coins", expect.coins, int(state.coins)),
        *_equal("current", expect.current, int(state.active)),
        *_equal("phase", expect.phase, phase),
        *_cards("trash", expect.trash, game.cards(Zone.TRASH)),
        *_equal("game_over", expect.game_over, game.is_over),
    ]
    if expect.scores is not None:
        found += _equal("scores", expect.scores, list(game.scores))
    if expect.winners is not None:
        winners = sorted(seat for place, seat in game.standings if place == 1)
        found += _equal("winners", sorted(expect.winners), winners)
    piles = game.cards(Zone.SUPPLY)
    for name, n in counts(expect.supply, "the expected supply").items():
        found += _equal(f"supply of {name}", n, piles[name])
    for name, n in counts(expect.costs, "the expected costs").items():
        found += _equal(f"cost of {name}", n, int(cost_of(game.rules, state, game.kingdom.pile(name))))
    for seat, player in enumerate(expect.players):
        if player:
            found += _of_player(game, seat, player)
    return found


def _of_player(game: DominionGame, seat: int, expect: ExpectedPlayer) -> list[str]:
    state, whose = game.state, f"of player {seat}"
    return [
        *_cards(f"hand {whose}", expect.hand, game.cards(Zone.HAND + seat)),
        *_deck(f"deck {whose}", expect.deck, game, seat),
        *_cards(f"discard {whose}", expect.discard, game.cards(Zone.DISCARD + seat)),
        *_cards(f"in_play {whose}", expect.in_play, game.cards(Zone.IN_PLAY + seat)),
        *_cards(f"set_aside {whose}", expect.set_aside, game.cards(Zone.SET_ASIDE + seat)),
        *_equal(f"vp_tokens {whose}", expect.vp_tokens, int(state.vp_tokens[seat])),
        *(
            found
            for mat, cards in (expect.mats or {}).items()
            for found in _cards(f"{mat} {whose}", cards, game.cards(_MATS[mat] + seat))
        ),
        *_equal(f"hand_size {whose}", expect.hand_size, int(state.n_cards[Zone.HAND + seat])),
        *_equal(f"deck_size {whose}", expect.deck_size, int(deck_size(state, seat))),
        *_equal(f"discard_size {whose}", expect.discard_size, int(state.n_cards[Zone.DISCARD + seat])),
        *_equal(f"turns {whose}", expect.turns, int(state.turns[seat])),
    ]


def _deck(what: str, cards: Cards | None, game: DominionGame, seat: int) -> list[str]:
    """Compare a deck: known cards at their places, shuffled cards between and below them in any order."""
    if cards is None:
        return []
    expected = names(cards, what)
    known = deck_to_lowest_known(game, seat)
    shuffled = game.cards(Zone.DECK + seat)
    pairs = list(zip_longest(known, expected, fillvalue=""))
    expected_shuffled = Counter(name for card, name in pairs if not card)
    if expected_shuffled == shuffled and all(card in ("", name) for card, name in pairs):
        return []
    got = ", ".join(card or "?" for card in known) or ("nothing" if not shuffled else "")
    joint = "; shuffled: " if "" in known else ", then shuffled " if got else "shuffled "
    rest = f"{joint}{_listed(shuffled)}" if shuffled else ""
    return [f"{what}: expected {', '.join(expected) or 'nothing'}; got {got}{rest}"]


def _cards(what: str, cards: Cards | None, got: Counter[str]) -> list[str]:
    if cards is None:
        return []
    expected = Counter(names(cards, what))
    return [] if expected == got else [f"{what}: expected {_listed(expected)}; got {_listed(got)}"]


def _equal(what: str, expected: object, got: object) -> list[str]:
    return [] if expected in (None, got) else [f"{what}: expected {expected}, got {got}"]


def _listed(counts: Counter[str]) -> str:
    return name_cards(counts) or "nothing"


# Setup cases.


def _run_setup(case: SetupCase) -> list[str]:
    """Run a case about the position before the first turn."""
    supply = counts(case.supply_after_dealing, "supply_after_dealing")
    included = [*names(case.kingdom_includes, "kingdom_includes"), *supply]
    colony = [card.name for card in COLONY_CARDS if case.platinum_colony]
    kingdom = tuple(dict.fromkeys(name for name in (*included, *colony) if CARDS[name] not in BASIC))
    game = DominionGame(Kingdom(kingdom), case.players, log=False)
    found = mismatches(game, Expected(supply=case.supply_after_dealing))
    each = case.each_player
    for seat in range(game.n_players):
        if each.cards is not None:
            found += _cards(f"cards of player {seat}", each.cards, game.owned(seat))
        found += _of_player(game, seat, each)
    return found
