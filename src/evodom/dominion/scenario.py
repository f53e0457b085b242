"""Run rules cases: a position, steps and the expected result. Open it to write or run such cases.

    python -m evodom.dominion.scenario FILE

The command prints a line for each case. It exits with 0 if all cases hold, 1 if a case fails, 2 if the file cannot be
read. A file is JSON: ``{"scenarios": [...], "setup_scenarios": [...]}`` or a list of cases. `run` runs one case.

**A case** has an ``id``, ``setup``, ``steps`` and ``expect``. Cards go by name, players by seat from 0.

``setup``
    ``players``: for each seat ``hand``, ``deck`` (top card first), ``discard``, ``in_play`` (the active player's) and
    ``turns`` (taken, including the current turn; default 1). ``kingdom``: the kingdom piles. ``supply``: piles that are
    not full. ``current``: the active player (default 0). ``turn``: ``actions``, ``buys``, ``coins`` (1, 1, 0) and
    ``phase`` (action, treasure or buy). ``trash``. Cards without a pile may be used; they do not count as empty piles.
``steps``
    ``op`` is ``play`` (with ``card``), ``play_treasures`` (``cards``; none named: all), ``buy`` (``card``) or
    ``end_turn``: only this step runs the clean-up. ``decisions`` answer the questions of the step. A step with
    ``"illegal": true`` must be refused, itself or one of its answers; the game does not change.
``expect``
    ``actions``, ``buys``, ``coins``, ``current``, ``phase``, ``game_over``, ``scores``, ``winners``, ``trash``,
    ``supply`` (of the piles listed), and for each of ``players`` ``hand``, ``deck``, ``discard``, ``in_play``,
    ``set_aside``, ``hand_size``, ``deck_size``, ``discard_size``, ``turns``. Only listed entries are compared. The
    unshuffled part of a deck is compared in order, other cards in any order.

**A decision** is ``player`` (the seat asked), ``kind`` and the choice: ``card``, ``cards`` or ``answer``. ``true``
takes the only card on offer; ``null``, ``false`` and ``[]`` decline. The first unused decision with the player and kind
of a question answers it. If more cards must be chosen, the next such decision continues. A question without a decision
is declined if optional, and a forced choice is made automatically. Otherwise the step is illegal. Too few cards, and
unused cards or an unused "yes", also make it illegal.

=========================  =============================================================================
``discard``                Cellar, Militia, Poacher: cards from hand
``discard_deck``           Chancellor: put the deck into the discard pile
``gain``                   Workshop, Remodel, Mine, Artisan, Feast: a card of the Supply
``play_discarded``         Vassal: play the Action it discarded
``reveal_moat``            every Attack: reveal Moat
``sentry``                 Sentry: ``answer`` is ``{"trash": [...], "discard": [...]}``; a third list, called
                           ``topdeck`` or otherwise, is the order of those put back, top card first. (The engine
                           asks three times: sentry_trash, sentry_discard, sentry_topdeck.)
``set_aside``              Library: set the drawn Action aside
``spy_discard``            Spy, asked of its player: discard the revealed card
``thief_trash``            Thief, asked of its player: the Treasure to trash
``thief_gain``             Thief: gain the trashed card
``throne``                 Throne Room: the Action to play twice
``topdeck``                Artisan: a card from hand
``topdeck_from_discard``   Harbinger: a card of the discard pile
``topdeck_victory``        Bureaucrat, asked of its victim: a Victory card from hand
``trash``                  Chapel, Remodel, Mine: cards from hand
``trash_copper``           Moneylender: a Copper from hand
``trash_treasure``         Bandit, asked of its victim: a revealed Treasure
=========================  =============================================================================

**A setup case** has ``players`` (how many), ``kingdom_includes``, and the ``supply_after_dealing`` and ``each_player``
(``cards`` owned, ``hand_size``, ``deck_size``, ``discard_size``) to be found before the first turn.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from evodom.dominion.cards import BASIC, CARDS, KINGDOM_SIZE, TREASURE, name_cards
from evodom.dominion.engine.ops import Ending, Phase, PhaseEffect, Zone
from evodom.dominion.engine.rules import NONE, PASS
from evodom.dominion.engine.state import PHASE_NAMES
from evodom.dominion.engine.turn import apply_choice, step
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import Position, SeatSetup, arrange
from evodom.dominion.scenario_case import (
    Cards,
    Case,
    CaseStep,
    Expected,
    ExpectedPlayer,
    Resolution,
    SetupCase,
    answers_of,
    counts,
    names,
    read_case,
)
from evodom.errors import IllegalChoice, UsageError
from evodom.files import parse_json
from evodom.reading import convert

_NEVER = 2**31 - 1


def run(case: object) -> list[str]:
    """Run a case, as read from JSON, and return a text for each mismatch; [] if the case holds.

    Raises UsageError for a case in a wrong format.
    """
    if isinstance(case, dict) and "supply_after_dealing" in case:
        return _run_setup(convert(case, SetupCase, source="the case"))
    read = read_case(case)
    game = _set_up(read)
    for nth, each in enumerate(read.steps, start=1):
        after = game.copy()
        try:
            after = _take(after, each, read.setup.current)
        except IllegalChoice as error:
            if not each.illegal:
                return [f"step {nth}, {each.text}: {error}"]
            continue
        if each.illegal:
            return [f"step {nth}, {each.text}: it is legal. The case marks it as illegal"]
        game = after
    return mismatches(game, read.expect)


# The position.


def _set_up(case: Case) -> DominionGame:
    """Return the game at the position of a case, without a pending Decision."""
    kingdom, extra = _piles_of(case)
    setup = case.setup
    game = DominionGame(kingdom, len(setup.players), log=False)
    game.rules.max_turns = _NEVER
    seats = [
        SeatSetup(
            hand=names(player.hand, f"hand of player {seat}"),
            top=names(player.deck, f"deck of player {seat}"),
            discard=names(player.discard, f"discard of player {seat}"),
            in_play=names(player.in_play, f"in_play of player {seat}"),
            turns=player.turns,
        )
        for seat, player in enumerate(setup.players)
    ]
    turn = setup.turn
    phase = Phase.ACTION if turn.phase == "action" else Phase.TREASURE
    counters = {"actions": turn.actions, "buys": turn.buys, "coins": turn.coins, "phase": phase}
    supply = dict.fromkeys(extra, 0) | counts(setup.supply, "supply")
    trash = names(setup.trash, "trash")
    arrange(game.state, kingdom, Position(seats, setup.current, counters, supply, trash, without_pile=extra))
    game.state.depth, game.state.decider, game.state.ended = 0, NONE, Ending.PLAYING
    return game


def _piles_of(case: Case) -> tuple[Kingdom, frozenset[str]]:
    """Return the kingdom to set up and its cards without a pile. They replace listed piles that the case never uses."""
    basic = {card.name for card in BASIC}
    setup = case.setup
    used = dict.fromkeys(name for name in _mentioned(case) if name not in basic)
    listed = [*names(setup.kingdom, "kingdom"), *names(list(setup.supply), "supply")]
    listed = [name for name in dict.fromkeys(listed) if name not in basic]
    extra = [name for name in used if name not in listed]
    kept = [name for name in listed if name in used]
    room = max(KINGDOM_SIZE - len(extra) - len(kept), 0)
    kept += [name for name in listed if name not in used][:room]
    if len(kept) + len(extra) > KINGDOM_SIZE:
        raise UsageError(f"the case has {len(kept) + len(extra)} kingdom cards. Allowed: up to {KINGDOM_SIZE}.")
    return Kingdom((*kept, *extra)), frozenset(extra)


def _mentioned(case: Case) -> Iterator[str]:
    """Yield the names of the cards in zones, steps, answers and the trash."""
    for seat, player in enumerate(case.setup.players):
        for zone in ("hand", "deck", "discard", "in_play"):
            yield from names(getattr(player, zone), f"{zone} of player {seat}")
    for each in case.steps:
        yield from each.named or ()
        for answer in answers_of(each, 0):
            for part in answer.cards.values():
                yield from part
    yield from names(case.setup.trash, "trash")


# The steps.


def _take(game: DominionGame, each: CaseStep, current: int) -> DominionGame:
    """Return the game after a step. Raise IllegalChoice if the engine does not allow it."""
    if game.is_over:
        raise IllegalChoice("the game is over.")
    resolution = Resolution(game, answers_of(each, current))
    if each.op == "play":
        for name in each.named or ():
            _choose(game, PhaseEffect.PLAY_ACTION, name)
        return resolution.resolve().game
    if each.op == "play_treasures":
        _play_treasures(game, each.named)
    elif each.op == "buy":
        for name in each.named or ():
            _choose(game, PhaseEffect.BUY, name)
    else:
        game.state.phase = Phase.CLEANUP
        game.state.decider = NONE
        step(game.rules, game.state)
    resolution.finish()
    return game


def _play_treasures(game: DominionGame, cards: Sequence[str] | None) -> None:
    """Play the named Treasures, or all."""
    if cards is None:
        hand = game.cards(Zone.HAND + game.state.active)
        cards = [name for name in hand.elements() if TREASURE in CARDS[name].types]
    for name in cards:
        _choose(game, PhaseEffect.PLAY_TREASURE, name)


def _choose(game: DominionGame, phase: PhaseEffect, name: str) -> None:
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
    winners = sorted(seat for place, seat in game.standings if place == 1)
    found = [
        *_equal("actions", expect.actions, int(state.actions)),
        *_equal("buys", expect.buys, int(state.buys)),
        *_equal("coins", expect.coins, int(state.coins)),
        *_equal("current", expect.current, int(state.active)),
        *_equal("phase", expect.phase, phase),
        *_cards("trash", expect.trash, game.cards(Zone.TRASH)),
        *_equal("game_over", expect.game_over, game.is_over),
        *_equal("scores", expect.scores, list(game.scores)),
        *_equal("winners", None if expect.winners is None else sorted(expect.winners), winners),
    ]
    piles = game.view(0).supply
    for name, n in counts(expect.supply, "the expected supply").items():
        found += _equal(f"supply of {name}", n, piles.get(name, 0))
    for seat, player in enumerate(expect.players):
        if player:
            found += _of_player(game, seat, player)
    return found


def _of_player(game: DominionGame, seat: int, expect: ExpectedPlayer) -> list[str]:
    state, whose = game.state, f"of player {seat}"
    deck_size = int(state.n_cards[Zone.DECK + seat] + state.n_known[seat])
    return [
        *_cards(f"hand {whose}", expect.hand, game.cards(Zone.HAND + seat)),
        *_deck(f"deck {whose}", expect.deck, game, seat),
        *_cards(f"discard {whose}", expect.discard, game.cards(Zone.DISCARD + seat)),
        *_cards(f"in_play {whose}", expect.in_play, game.cards(Zone.IN_PLAY + seat)),
        *_cards(f"set_aside {whose}", expect.set_aside, game.cards(Zone.SET_ASIDE + seat)),
        *_equal(f"hand_size {whose}", expect.hand_size, int(state.n_cards[Zone.HAND + seat])),
        *_equal(f"deck_size {whose}", expect.deck_size, deck_size),
        *_equal(f"discard_size {whose}", expect.discard_size, int(state.n_cards[Zone.DISCARD + seat])),
        *_equal(f"turns {whose}", expect.turns, int(state.turns[seat])),
    ]


def _deck(what: str, cards: Cards | None, game: DominionGame, seat: int) -> list[str]:
    """Compare a deck: known cards in order, the shuffled rest in any order."""
    if cards is None:
        return []
    expected = names(cards, what)
    known = [game.piles[pile].name for pile in reversed(game.state.known[seat, : game.state.n_known[seat]])]
    shuffled = game.cards(Zone.DECK + seat)
    if expected[: len(known)] == known and Counter(expected[len(known) :]) == shuffled:
        return []
    got = ", ".join(known) or ("nothing" if not shuffled else "")
    rest = f"{', then ' if got else ''}shuffled {_listed(shuffled)}" if shuffled else ""
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
    kingdom = tuple(dict.fromkeys(name for name in included if CARDS[name] not in BASIC))
    game = DominionGame(Kingdom(kingdom), case.players, log=False)
    found = mismatches(game, Expected(supply=case.supply_after_dealing))
    each = case.each_player
    for seat in range(game.n_players):
        if each.cards is not None:
            found += _cards(f"cards of player {seat}", each.cards, game.owned(seat))
        found += _of_player(game, seat, each)
    return found


# The command line.


def main(arguments: Sequence[str]) -> int:
    """Run the cases of a file, print a line for each and return the exit code."""
    try:
        cases = _read_file(arguments)
    except UsageError as error:
        print(f"scenario: {error}", file=sys.stderr)
        return error.exit_code
    failed = 0
    for nth, case in enumerate(cases, start=1):
        try:
            found = run(case)
        except UsageError as error:
            found = [str(error)]
        name = case.get("id", f"case {nth}") if isinstance(case, dict) else f"case {nth}"
        print(f"FAIL {name}: {'; '.join(found)}" if found else f"ok   {name}")
        failed += bool(found)
    print(f"{len(cases) - failed} of {len(cases)} cases hold.")
    return 1 if failed else 0


def _read_file(arguments: Sequence[str]) -> list[object]:
    """Return the cases of the file named on the command line."""
    if len(arguments) != 1:
        raise UsageError("name one file of cases: python -m evodom.dominion.scenario FILE")
    path = Path(arguments[0])
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}.") from None
    if isinstance(content, dict) and ("steps" in content or "supply_after_dealing" in content):
        content = [content]
    if isinstance(content, dict):
        lists = [content[key] for key in ("setup_scenarios", "scenarios") if key in content]
        if not lists:
            raise UsageError(f"{path} holds no cases. Allowed: an object with scenarios, or a list of cases.")
        content = [case for part in lists for case in convert(part, list[object], source=str(path))]
    return convert(content, list[object], source=str(path))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
