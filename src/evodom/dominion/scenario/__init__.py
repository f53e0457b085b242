"""Rules cases: a position, what is done, and what must come of it. Run a file of them with

    python -m evodom.dominion.scenario FILE

which prints a line for each case, and exits with 0 if all hold, 1 if one does not, 2 if the file cannot be read. A file
is JSON: ``{"scenarios": [...], "setup_scenarios": [...]}`` or a list of cases. `run` runs one.

**A case** has an ``id``, ``setup``, ``steps`` and ``expect``. Cards go by name, players by seat from 0.

``setup``
    ``players``: for each seat ``hand``, ``deck`` (top card first), ``discard``, ``in_play`` (the active player's) and
    ``turns`` (taken, the current one included; 1 if not told). ``kingdom``: the kingdom piles there are. ``supply``:
    piles that are not full. ``current``: whose turn it is (0). ``turn``: ``actions``, ``buys``, ``coins`` (1, 1, 0) and
    ``phase`` (action, treasure or buy). ``trash``. Cards without a pile may be used; they count as no empty pile.
``steps``
    ``op`` is ``play`` (with ``card``), ``play_treasures`` (``cards``; none named: all), ``buy`` (``card``) or
    ``end_turn``: clean-up happens there and nowhere else. ``decisions`` answer what is asked on the way. A step with
    ``"illegal": true`` must be refused, itself or an answer to it; the game stays as it was.
``expect``
    ``actions``, ``buys``, ``coins``, ``current``, ``phase``, ``game_over``, ``scores``, ``winners``, ``trash``,
    ``supply`` (of the piles listed), and for each of ``players`` ``hand``, ``deck``, ``discard``, ``in_play``,
    ``set_aside``, ``hand_size``, ``deck_size``, ``discard_size``, ``turns``. Only what is listed is compared: decks in
    order, as far as they were not shuffled, all else in any order.

**A decision** is ``player`` (the seat asked), ``kind`` and the choice: ``card``, ``cards`` or ``answer``. ``true``
takes the only card on offer; ``null``, ``false`` and ``[]`` decline. A question is answered by the first decision of
its player and kind that is left; where more cards must be chosen, the next one goes on. A question nobody answers is
declined if that is allowed; one that leaves no choice goes without saying; any other makes the step illegal. So do too
few cards, and cards or a "yes" that nobody asks for.

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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evodom.dominion.cards import BASIC, CARDS, TREASURE
from evodom.dominion.engine.effects import (
    BUY_ROW,
    DECK,
    DISCARD,
    HAND,
    IN_PLAY,
    PLAY_ACTION_ROW,
    PLAY_TREASURE_ROW,
    SUPPLY,
    TRASH,
)
from evodom.dominion.engine.rules import NONE, PASS
from evodom.dominion.engine.state import MAX_KNOWN, PHASE_CLEANUP, PHASE_NAMES, PLAYING, State, begin_turn, refresh
from evodom.dominion.engine.turn import resolve_choice, step
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import note_treasures
from evodom.dominion.scenario.answers import Resolution
from evodom.dominion.scenario.case import (
    Case,
    ScenarioError,
    Step,
    items,
    known,
    names,
    number,
    read_case,
    table,
)
from evodom.dominion.scenario.expect import mismatches
from evodom.errors import IllegalChoice, UsageError
from evodom.files import parse_json

__all__ = ["ScenarioError", "main", "run"]

_NEVER = 2**31 - 1


def run(case: Any) -> list[str]:
    """Run a case, as read from JSON, and return what is not as expected, a text each; none if the case holds.

    Raises ScenarioError for a case that does not keep to the format.
    """
    if isinstance(case, dict) and "supply_after_dealing" in case:
        return _run_setup(case)
    read = read_case(case)
    game = _set_up(read)
    for nth, each in enumerate(read.steps, start=1):
        after = game.copy()
        try:
            after = _take(after, each)
        except IllegalChoice as error:
            if not each.illegal:
                return [f"step {nth}, {_told(each)}: {error}"]
            continue
        if each.illegal:
            return [f"step {nth}, {_told(each)}: it is legal, though the case says that it is not"]
        game = after
    return mismatches(game, read.expect)


# The position.


def _set_up(case: Case) -> DominionGame:
    """Return the game at the position of a case, with nothing asked yet."""
    game = DominionGame(case.kingdom, len(case.players), log=False)
    state = game.state
    game.rules.max_turns = _NEVER
    piles = {card.name: pile for pile, card in enumerate(game.piles)}
    state.cards[:SUPPLY] = state.cards[TRASH] = state.owned[:] = state.n_top[:] = 0
    state.depth, state.decider, state.ended = 0, NONE, PLAYING
    begin_turn(state, case.current)
    for counter, n in case.turn.items():
        state[counter] = n
    state.phase = case.phase
    for seat, player in enumerate(case.players):
        state.turns[seat] = player.turns
        for zone, cards in player.zones.items():
            _place(state, zone, seat, [piles[name] for name in cards])
    for name in case.trash:
        state.cards[TRASH, piles[name]] += 1
    for name, n in (dict.fromkeys(case.extra, 0) | dict(case.supply)).items():
        state.cards[SUPPLY, piles[name]] = n
    refresh(state)
    state.n_empty = sum(state.cards[SUPPLY, pile] == 0 for name, pile in piles.items() if name not in case.extra)
    note_treasures(state, game.kingdom.names)
    return game


def _place(state: State, zone: str, seat: int, cards: list[int]) -> None:
    """Put cards where they belong; a deck comes top card first."""
    for pile in cards:
        state.owned[seat, pile] += 1
    if zone == "deck":
        ordered, cards = cards[:MAX_KNOWN], cards[MAX_KNOWN:]
        state.n_top[seat] = len(ordered)
        state.top[seat, : len(ordered)] = ordered[::-1]
    row = {"hand": HAND + seat, "deck": DECK + seat, "discard": DISCARD + seat, "in_play": IN_PLAY}[zone]
    for pile in cards:
        state.cards[row, pile] += 1


# The steps.


def _take(game: DominionGame, each: Step) -> DominionGame:
    """Return the game after a step; raises IllegalChoice if the engine does not allow it."""
    if game.is_over:
        raise IllegalChoice("the game is over.")
    resolution = Resolution(game, [*each.answers])
    if each.op == "play":
        for name in each.cards or ():
            _choose(game, PLAY_ACTION_ROW, name)
        return resolution.resolve().game
    if each.op == "play_treasures":
        _play_treasures(game, each.cards)
    elif each.op == "buy":
        for name in each.cards or ():
            _choose(game, BUY_ROW, name)
    else:
        game.state.phase = PHASE_CLEANUP
        game.state.decider = NONE
        step(game.rules, game.state)
    resolution.finish()
    return game


def _play_treasures(game: DominionGame, cards: Sequence[str] | None) -> None:
    """Play the named Treasures, or all."""
    if cards is None:
        hand = game.cards(HAND + game.state.active)
        cards = [name for name in hand.elements() if TREASURE in CARDS[name].types]
    for name in cards:
        _choose(game, PLAY_TREASURE_ROW, name)


def _choose(game: DominionGame, row: int, name: str) -> None:
    """Choose a card in a phase of the turn, passing the phases before it."""
    state = game.state
    told = f"Actions: {state.actions}, Buys: {state.buys}, coins: {state.coins}, {PHASE_NAMES[state.phase]} phase"
    while _ask(game) < row:
        resolve_choice(game.rules, state, PASS)
    [pile] = [pile for pile, card in enumerate(game.piles) if card.name == name]
    if state.asking != row or not state.legal >> pile & 1 or (row == BUY_ROW and state.buys == 0):
        raise IllegalChoice(f"{name} cannot be {'bought' if row == BUY_ROW else 'played'} now ({told}).")
    resolve_choice(game.rules, state, pile)


def _ask(game: DominionGame) -> int:
    """Have the engine ask what comes next in the turn and return its row.

    It is lent a Buy: without any it would go on to the clean-up.
    """
    state = game.state
    buys, state.decider = int(state.buys), NONE
    state.buys = max(buys, 1)
    step(game.rules, state)
    state.buys = buys
    return int(state.asking)


def _told(each: Step) -> str:
    return f"{each.op} {', '.join(each.cards)}" if each.cards else each.op


# Setup cases.


def _run_setup(case: Mapping[str, Any]) -> list[str]:
    """Run a case about the position before the first turn."""
    known(
        case, ("edition", "card", "players", "kingdom_includes", "supply_after_dealing", "each_player"), "a setup case"
    )
    supply = table(case["supply_after_dealing"], "supply_after_dealing")
    included = [*names(case.get("kingdom_includes", []), "kingdom_includes"), *names(list(supply), "supply")]
    kingdom = tuple(dict.fromkeys(name for name in included if CARDS[name] not in BASIC))
    try:
        game = DominionGame(Kingdom(kingdom), number(case.get("players"), "players"), log=False)
    except UsageError as error:
        raise ScenarioError(str(error)) from None
    found = mismatches(game, {"supply": supply})
    expected = dict(table(case.get("each_player", {}), "each_player"))
    cards = expected.pop("cards", None)
    for seat in range(game.n_players):
        if cards is not None and sorted(game.owned(seat).elements()) != sorted(names(cards, "cards")):
            found.append(f"cards of player {seat}: expected {cards}, got {dict(game.owned(seat))}")
    return found + mismatches(game, {"players": [expected] * game.n_players})


# The command line.


def main(arguments: Sequence[str]) -> int:
    """Run the cases of a file, print a line for each and return the exit code."""
    try:
        cases = _read_file(arguments)
    except ScenarioError as error:
        print(f"scenario: {error}", file=sys.stderr)
        return ScenarioError.exit_code
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


def _read_file(arguments: Sequence[str]) -> list[Any]:
    """Return the cases of the file named on the command line."""
    if len(arguments) != 1:
        raise ScenarioError("name one file of cases: python -m evodom.dominion.scenario FILE")
    path = Path(arguments[0])
    try:
        content = parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScenarioError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise ScenarioError(f"{path} is not JSON: {error}.") from None
    if isinstance(content, dict) and ("steps" in content or "supply_after_dealing" in content):
        content = [content]
    if isinstance(content, dict):
        lists = [content[key] for key in ("setup_scenarios", "scenarios") if key in content]
        if not lists:
            raise ScenarioError(f"{path} holds no cases. Allowed: an object with scenarios, or a list of cases.")
        content = [case for part in lists for case in items(part, str(path))]
    return items(content, str(path))
