"""A game on the page: what a player may see of it as JSON, and what a request does with it.

`seen` is the only way from a game to the page. All of it comes from a `View`, from the pending Decision and from the
log as that player reads it, so that a game in which everything that the player cannot know is dealt anew looks the
same. Seeds stay here as long as a game goes on: with one, everything could be dealt again.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from evodom.dominion import events as log
from evodom.dominion.cards import CARDS, points_of
from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.engine.rules import PASS
from evodom.dominion.game import PASS_NAME, Decision, DominionGame, View
from evodom.errors import UsageError, short
from evodom.sessions.content import read_game
from evodom.sessions.dominion import PERSON, DominionSession
from evodom.sessions.ending import bought, headline
from evodom.sessions.files import GAMES, Slot
from evodom.sessions.questions import all_treasures, asked, most_at_once, take, yes_and_no
from evodom.sessions.screen import near_end
from evodom.tasks import Workers
from evodom.web.pool import PATIENCE, Seat, SessionPool
from evodom.web.site import Conflict, Json, NotReady, Site

_ZONES = {
    Zone.SUPPLY: "supply",
    Zone.HAND: "hand",
    Zone.REVEALED: "revealed",
    Zone.DISCARD: "discard",
    Zone.TRASH: "trash",
}
"""Where cards lie among which is chosen; elsewhere they are on no pile of the page."""

ROUNDS_TOLD = 2
"""So many rounds of the log come with every answer; a page that has just been opened asks for all."""


def seen(match: DominionSession, seat: int | None, *, whole_log: bool = False) -> Json:
    """Return what the person at ``seat`` sees; for None what lies open, which everybody sees.

    ``at`` counts the choices made so far: with it a page says which state it answers.
    """
    game, decision = match.game, match.decision
    view = game.view(_watcher(match) if seat is None else seat)
    told = {
        "at": len(match.choices),
        "over": game.is_over,
        "people": list(match.setup.people),
        "asked": None if decision is None else decision.seat,
        "seat": seat,
        "canUndo": match.can_undo,
        "players": [_player(match, view, each, seat) for each in range(game.n_players)],
        "supply": [{"name": name, "left": left} for name, left in view.supply.items()],
        "inPlay": _pairs(view.in_play),
        "setAside": _pairs(view.set_aside),
        "trash": _pairs(view.trash),
        "turn": {
            "seat": view.active,
            "number": view.turns[view.active],
            "actions": view.actions,
            "buys": view.buys,
            "coins": view.coins,
        },
        "warning": "" if game.is_over else near_end(view, int(game.rules.piles_to_end)),
        "log": _log(match, seat, whole=whole_log),
    }
    if seat is not None:
        told |= _own(match, view, decision)
    return told | ({"end": _end(match)} if game.is_over else {})


def _watcher(match: DominionSession) -> int:
    """Return a seat that is not asked: what it sees of cards that are looked at, everybody sees."""
    return next(seat for seat in range(match.game.n_players) if seat != match.game.state.decider)


def _player(match: DominionSession, view: View, seat: int, viewer: int | None) -> Json:
    return {
        "name": names_for(match, viewer)[seat],
        "person": seat in match.setup.people,
        "hand": view.hand_sizes[seat],
        "deck": view.deck_sizes[seat],
        "discard": view.discard_sizes[seat],
        "top": view.discard_tops[seat],
        "turns": view.turns[seat],
    }


def names_for(match: DominionSession, viewer: int | None) -> tuple[str, ...]:
    """Return the players' names as a person reads them: their own is "You"."""
    return tuple(PERSON if seat == viewer else name for seat, name in enumerate(match.setup.names))


def _own(match: DominionSession, view: View, decision: Decision | None) -> Json:
    """Return what only the one who looks sees."""
    asks = not match.game.state.auto_treasures >> view.seat & 1
    return {
        "hand": _pairs(_by_pile(view.hand, view)),
        "owned": _pairs(_by_pile(view.owned, view)),
        "vp": points_of(view.owned),
        "coinsInHand": sum(CARDS[name].coins * n for name, n in view.hand.items()),
        "asksTreasures": asks,
        "question": _question(match, view, decision) if decision and decision.seat == view.seat else None,
    }


def _question(match: DominionSession, view: View, decision: Decision) -> Json:
    """Return the pending question with its answers: the cards to choose from, where they lie, and what passing means.

    ``most`` is how many can be chosen at once, ``least`` how many of them have to be.
    """
    effect = decision.effect
    names = [answer.name for answer in decision.consequences if answer.pile != PASS]
    most, labels = most_at_once(view, decision), yes_and_no(decision)
    return {
        "text": asked(view, decision, match.trashed),
        "card": decision.card.name if decision.card else None,
        "kind": decision.kind,
        "verb": effect.verb,
        "zone": _ZONES.get(effect.source),
        "choices": names,
        "most": most,
        "least": 0 if decision.optional else most,
        "optional": decision.optional,
        "labels": list(labels) if labels else None,
        "there": _pairs(_there(view, decision, names)),
        "all": all_treasures(view, decision) if effect.op == Op.PLAY_TREASURE else [],
        "owner": decision.owner if decision.owner != decision.seat else None,
    }


def _there(view: View, decision: Decision, names: Sequence[str]) -> Counter[str]:
    """Return the cards beside the hand and the Supply that are chosen from, or that the question is about."""
    places = {Zone.REVEALED: view.revealed, Zone.DISCARD: view.looked_through, Zone.TRASH: Counter(names)}
    return places.get(decision.effect.source, Counter())


def _log(match: DominionSession, seat: int | None, *, whole: bool) -> list[Json]:
    """Return the turns as they are told to a person: the own one in progress event by event, others a line each."""
    turns, names = log.turns(match.game.events), names_for(match, seat)
    first = 0 if whole else max(0, len(turns) - ROUNDS_TOLD * len(names) - 1)
    told = []
    for index, turn in enumerate(turns[first:], first):
        tell = log.story if turn.seat == seat and index == len(turns) - 1 else log.line
        text = tell(turn, names, seat).removeprefix(f"{names[turn.seat]}: ")
        told.append({"index": index, "turn": turn.number, "seat": turn.seat, "text": text})
    return told


def _end(match: DominionSession) -> Json:
    """Return how the game ended, with the cards of all players and what each of them bought; now the seed is told."""
    game, setup = match.game, match.setup
    return {
        "headline": headline(game, setup),
        "places": [
            {
                "place": place,
                "seat": seat,
                "vp": game.scores[seat],
                "turns": int(game.state.turns[seat]),
                "cards": _pairs(_by_worth(game, game.owned(seat))),
            }
            for place, seat in game.standings
        ],
        "bought": [_pairs(_by_worth(game, counts)) for counts in bought(game)],
        "seed": setup.seed,
        "command": setup.command,
    }


def _by_pile(cards: Counter[str], view: View) -> Counter[str]:
    """Return cards in the order of the piles."""
    return Counter({name: cards[name] for name in view.supply if cards[name]})


def _by_worth(game: DominionGame, cards: Counter[str]) -> Counter[str]:
    """Return cards, dear ones first."""
    piles = sorted(game.piles, key=lambda card: (-card.cost, card.name))
    return Counter({card.name: cards[card.name] for card in piles if cards[card.name]})


def _pairs(cards: Counter[str]) -> list[tuple[str, int]]:
    return list(cards.items())


class GameSeat(Seat[DominionSession]):
    """One game of the server."""

    def __init__(self, slot: Slot, workers: Workers, is_closing: Callable[[], bool]) -> None:
        super().__init__(slot)
        self.news: list[str] = []
        """Messages for the next answer: what could not be chosen, what was taken back."""
        self._workers, self._is_closing = workers, is_closing

    def read(self) -> DominionSession:
        """Return the game of the file."""
        return read_game(self.slot.path, self._workers)

    def shown(self) -> Json:
        """Return what everybody sees."""
        return self.look(None)

    def look(self, seat: int | None, *, whole_log: bool = False) -> Json:
        """Return what the player at ``seat`` sees, or what everybody sees."""
        return self._shown(self.played_on(), seat, whole_log=whole_log)

    def played_on(self) -> DominionSession:
        """Return the game, in which a person has to choose or which is over."""
        game = self.session
        self._let_others_play(game)
        return game

    def choose(self, seat: int, at: int, names: list[str]) -> Json:
        """Take the choices of the player at ``seat``, whose page has seen ``at`` choices."""
        game = self._for_move(seat, at)
        known = {PASS_NAME, *game.setup.kingdom.names}
        if unknown := next((name for name in names if name not in known), None):
            raise UsageError(f"{short(unknown)} is no card of this game.")
        game.mark()
        taken = take(game, names)
        if game.at == at:
            raise UsageError(taken.notes[0] if taken.notes else "nothing was chosen.")
        self.news = taken.notes
        return self._go_on(game, seat)

    def switch_treasures(self, seat: int, at: int, choice: str) -> Json:
        """Play the Treasures of the player at ``seat`` in the other way from now on."""
        game = self._for_move(seat, at)
        game.mark()
        game.choose(choice)
        return self._go_on(game, seat)

    def undo(self, seat: int, at: int) -> Json:
        """Take back the last choices, whoever made them."""
        game = self.session_at(at)
        back = game.undo()
        self.news = [back.text if back else "There is nothing to take back."]
        return self._go_on(game, seat)

    def _for_move(self, seat: int, at: int) -> DominionSession:
        self.played_on()
        game = self.session_at(at)
        if game.decision is None:
            raise Conflict("the game is over.")
        if game.decision.seat != seat:
            raise Conflict(f"it is {game.setup.names[game.decision.seat]} who has to choose now.")
        return game

    def _go_on(self, game: DominionSession, seat: int) -> Json:
        """Save what was chosen, and let the others play; save also before that if they take their time."""
        if game.has_agents:
            self.save()
        self._let_others_play(game)
        self.save()
        return self._shown(game, seat)

    def _let_others_play(self, game: DominionSession) -> None:
        """Let the strategies play. Save the answers of those that search, and that the game is over."""
        before, last = (len(game.answers), game.over), time.monotonic()

        def each() -> None:
            nonlocal last
            if game.has_agents and self._is_closing():
                raise NotReady("the server is being stopped.")
            if time.monotonic() - last > PATIENCE / 2:
                last = time.monotonic()
                self.snapshot = seen(game, _only(game)) | {"waiting": True}

        game.play_on(each)
        self.snapshot = None
        if (len(game.answers), game.over) != before:
            self.save()

    def _shown(self, game: DominionSession, seat: int | None, *, whole_log: bool = False) -> Json:
        """Return what is shown: the own cards only to the player who decides, or who plays alone with strategies."""
        decision = game.decision
        may_look = seat is not None and (seat == _only(game) or (decision is not None and decision.seat == seat))
        news, self.news = self.news, []
        found = seen(game, seat if may_look else _only(game), whole_log=whole_log)
        return found | {"name": self.slot.name, "news": news, "waiting": False}


def _only(game: DominionSession) -> int | None:
    """Return the seat of the person who plays alone with strategies, None if several share the screen."""
    return game.setup.seat if len(game.setup.people) == 1 else None


class GamePool(SessionPool[GameSeat, DominionSession]):
    """The games of a site. Opponents that search have threads of their own."""

    kind = GAMES
    most_in_memory = 64
    most_saved = 2000
    patience = PATIENCE

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._pool = ThreadPoolExecutor(site.n_processors, "thinking")
        self.workers = Workers(self._pool, site.n_processors)

    def close(self) -> None:
        """Stop the threads in which opponents search."""
        self._pool.shutdown(cancel_futures=True)

    def make_seat(self, slot: Slot) -> GameSeat:
        """Return the seat of a slot."""
        return GameSeat(slot, self.workers, self.site.closing.is_set)
