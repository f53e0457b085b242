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
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evodom.dominion.cards import BASIC, CARDS, TREASURE
from evodom.dominion.engine.ops import Ending, Phase, PhaseRow, Zone
from evodom.dominion.engine.rules import NONE, PASS
from evodom.dominion.engine.state import MAX_KNOWN, PHASE_NAMES, State, begin_turn, refresh
from evodom.dominion.engine.turn import resolve_choice, step
from evodom.dominion.events import name_cards
from evodom.dominion.game import DominionGame
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.position import note_treasures
from evodom.dominion.scenario.answers import Resolution
from evodom.dominion.scenario.case import (
    PHASES,
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
from evodom.errors import IllegalChoice, UsageError
from evodom.files import parse_json

_ROWS = {"hand": Zone.HAND, "discard": Zone.DISCARD}
_OF_THE_ACTIVE = {"in_play": Zone.IN_PLAY, "set_aside": Zone.SET_ASIDE}


def mismatches(game: DominionGame, expect: Mapping[str, Any]) -> list[str]:
    """Return a text for each thing that is not as expected; what is not mentioned is not compared."""
    found = []
    for key, value in expect.items():
        if key == "players":
            found += _of_players(game, value)
        elif key == "supply":
            found += _of_supply(game, value)
        elif key in _COMPARED:
            found += _COMPARED[key](game, value)
        else:
            known = ", ".join([*_COMPARED, "supply", "players"])
            found.append(f"nothing is known of '{key}', which is expected. Known: {known}.")
    return found


def _of_players(game: DominionGame, expected: object) -> list[str]:
    seats = items(expected, "expected players")
    if len(seats) > game.n_players:
        raise ScenarioError(f"{len(seats)} players are expected. Allowed: up to {game.n_players}.")
    found = []
    for seat, player in enumerate(seats):
        for key, value in table(player or {}, f"expected player {seat}").items():
            found += _of_player(game, seat, key, value)
    return found


def _of_player(game: DominionGame, seat: int, key: str, value: object) -> list[str]:
    what = f"{key} of player {seat}"
    state = game.state
    if key in _ROWS:
        return _cards(what, value, game.cards(_ROWS[key] + seat))
    if key in _OF_THE_ACTIVE:
        return _cards(what, value, game.cards(_OF_THE_ACTIVE[key]) if seat == state.active else Counter())
    if key == "deck":
        return _deck(what, value, game, seat)
    sizes = {
        "hand_size": state.n_cards[Zone.HAND + seat],
        "deck_size": state.n_cards[Zone.DECK + seat] + state.n_top[seat],
        "discard_size": state.n_cards[Zone.DISCARD + seat],
        "turns": state.turns[seat],
    }
    if key in sizes:
        return _equal(what, number(value, what), int(sizes[key]))
    return [f"nothing is known of '{key}' of a player. Known: {', '.join([*_ROWS, *_OF_THE_ACTIVE, 'deck', *sizes])}."]


def _of_supply(game: DominionGame, expected: object) -> list[str]:
    found = []
    piles = game.view(0).supply
    for name, n in table(expected, "the expected supply").items():
        [card] = names([name], "the expected supply")
        found += _equal(f"supply of {card}", number(n, f"supply of {card}"), piles.get(card, 0))
    return found


def _deck(what: str, value: object, game: DominionGame, seat: int) -> list[str]:
    """Compare a deck: what is known of it in order, the rest, which was shuffled, in any order."""
    expected = names(value, what)
    known = [game.piles[pile].name for pile in reversed(game.state.top[seat, : game.state.n_top[seat]])]
    shuffled = game.cards(Zone.DECK + seat)
    if expected[: len(known)] == known and Counter(expected[len(known) :]) == shuffled:
        return []
    got = ", ".join(known) or ("nothing" if not shuffled else "")
    rest = f"{', then ' if got else ''}shuffled {_listed(shuffled)}" if shuffled else ""
    return [f"{what}: expected {', '.join(expected) or 'nothing'}; got {got}{rest}"]


def _cards(what: str, value: object, got: Counter[str]) -> list[str]:
    expected = Counter(names(value, what))
    return [] if expected == got else [f"{what}: expected {_listed(expected)}; got {_listed(got)}"]


def _equal(what: str, expected: object, got: object) -> list[str]:
    return [] if expected == got else [f"{what}: expected {expected}, got {got}"]


def _listed(counts: Counter[str]) -> str:
    return name_cards(tuple(counts.elements())) or "nothing"


def _winners(game: DominionGame, value: object) -> list[str]:
    """Compare who stands first as of now; equals share the place."""
    expected = sorted(number(seat, "winners") for seat in items(value, "winners"))
    return _equal("winners", expected, sorted(seat for place, seat in game.standings if place == 1))


def _scores(game: DominionGame, value: object) -> list[str]:
    return _equal("scores", items(value, "scores"), list(game.scores))


def _phase(game: DominionGame, value: object) -> list[str]:
    """Compare the phase; playing Treasures is part of the buy phase, and may be told apart from it."""
    if value not in list(PHASES):
        raise ScenarioError(f"phase is expected to be {value!r}. Allowed: {', '.join(PHASES)}.")
    got = next(name for name, phase in PHASES.items() if phase == game.state.phase)
    return [] if (value, got) == ("buy", "treasure") else _equal("phase", value, got)


def _of_turn(key: str, column: str) -> "_Comparison":
    return lambda game, value: _equal(key, number(value, key), int(game.state[column]))


_Comparison = Callable[[DominionGame, Any], Iterable[str]]

_COMPARED: dict[str, _Comparison] = {
    "actions": _of_turn("actions", "actions"),
    "buys": _of_turn("buys", "buys"),
    "coins": _of_turn("coins", "coins"),
    "current": _of_turn("current", "active"),
    "phase": _phase,
    "trash": lambda game, value: _cards("trash", value, game.cards(Zone.TRASH)),
    "game_over": lambda game, value: _equal("game_over", value, game.is_over),
    "scores": _scores,
    "winners": _winners,
}


__all__ = ["ScenarioError", "main", "run"]

_NEVER = 2**31 - 1


def run(case: object) -> list[str]:
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
    state.cards[: Zone.SUPPLY] = state.cards[Zone.TRASH] = state.owned[:] = state.n_top[:] = 0
    state.depth, state.decider, state.ended = 0, NONE, Ending.PLAYING
    begin_turn(state, case.current)
    for counter, n in case.turn.items():
        state[counter] = n
    state.phase = case.phase
    for seat, player in enumerate(case.players):
        state.turns[seat] = player.turns
        for zone, cards in player.zones.items():
            _place(state, zone, seat, [piles[name] for name in cards])
    for name in case.trash:
        state.cards[Zone.TRASH, piles[name]] += 1
    for name, n in (dict.fromkeys(case.extra, 0) | dict(case.supply)).items():
        state.cards[Zone.SUPPLY, piles[name]] = n
    refresh(state)
    state.n_empty = sum(state.cards[Zone.SUPPLY, pile] == 0 for name, pile in piles.items() if name not in case.extra)
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
    row = {"hand": Zone.HAND + seat, "deck": Zone.DECK + seat, "discard": Zone.DISCARD + seat, "in_play": Zone.IN_PLAY}[
        zone
    ]
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
            _choose(game, PhaseRow.PLAY_ACTION, name)
        return resolution.resolve().game
    if each.op == "play_treasures":
        _play_treasures(game, each.cards)
    elif each.op == "buy":
        for name in each.cards or ():
            _choose(game, PhaseRow.BUY, name)
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
        _choose(game, PhaseRow.PLAY_TREASURE, name)


def _choose(game: DominionGame, row: int, name: str) -> None:
    """Choose a card in a phase of the turn, passing the phases before it."""
    state = game.state
    told = f"Actions: {state.actions}, Buys: {state.buys}, coins: {state.coins}, {PHASE_NAMES[state.phase]} phase"
    while _ask(game) < row:
        resolve_choice(game.rules, state, PASS)
    [pile] = [pile for pile, card in enumerate(game.piles) if card.name == name]
    if state.asking != row or not state.legal >> pile & 1 or (row == PhaseRow.BUY and state.buys == 0):
        raise IllegalChoice(f"{name} cannot be {'bought' if row == PhaseRow.BUY else 'played'} now ({told}).")
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
