"""Games of Dominion on the page: a player's view as JSON, and the operations of requests.

`seen` is the only way from a game to the page. It reads the player's `View`, the pending `Decision` and the player's
log. A game with other hidden cards therefore gives the same JSON. The seed is not sent before the game is over: it
determines the hidden cards.
"""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from evodom.dominion import log
from evodom.dominion.cards import points_of
from evodom.dominion.effects.ops import Op, Zone
from evodom.dominion.engine.rules import FIRST_OPTION, PASS
from evodom.dominion.game import PASS_NAME, Decision, DominionGame, View
from evodom.dominion.zones import SeenCards
from evodom.errors import UsageError, short
from evodom.sessions.content import read_game
from evodom.sessions.dominion import ASK_TREASURES, PERSON, PLAY_TREASURES, DominionSession, own_vp
from evodom.sessions.files import GAMES, Slot
from evodom.sessions.questions import aim, all_treasures, choose_names, max_at_once, plain_question, yes_and_no
from evodom.sessions.sentences import bought, end_warning, headline
from evodom.tasks import Workers
from evodom.web.faces import changed_faces
from evodom.web.pool import PATIENCE, Seat, SessionPool
from evodom.web.site import Conflict, Json, NotReady, Site

_ZONES = {
    Zone.SUPPLY: "supply",
    Zone.HAND: "hand",
    Zone.REVEALED: "revealed",
    Zone.DISCARD: "discard",
    Zone.TRASH: "trash",
}
"""The page's name of each zone that cards are chosen from. The page shows no pile for other zones."""


def seen(match: DominionSession, seat: int | None, *, whole_log: bool = False) -> Json:
    """Return the view of the person at ``seat``; for None, public information only.

    ``at`` is the number of choices made so far. A page sends it back with a choice, to name the state it answers.
    """
    game, decision = match.game, match.decision
    view = game.view(_watcher(match) if seat is None else seat)
    fields = {
        "at": len(match.choices),
        "over": game.is_over,
        "people": list(match.setup.people),
        "asked": None if decision is None else decision.seat,
        "seat": seat,
        "canUndo": match.can_undo,
        "players": [_player(match, view, each, seat) for each in range(game.n_players)],
        "supply": [{"name": name, "left": left, "cost": view.costs[name]} for name, left in view.supply.items()],
        "faces": changed_faces(game.piles),
        "inPlay": _pairs(view.in_play[view.active]),
        "trash": _pairs(view.trash),
        "turn": {
            "seat": view.active,
            "number": view.turns[view.active],
            "actions": view.actions,
            "buys": view.buys,
            "coins": view.coins,
            "extra": view.is_extra,
        },
        "warning": "" if game.is_over else end_warning(view, int(game.rules.piles_to_end)),
        "log": _log(match, seat, whole=whole_log),
        "aim": [] if match.choices else aim(game),
    }
    if seat is not None:
        fields |= _own(match, view, decision)
    return fields | ({"end": _end(match)} if game.is_over else {})


def _watcher(match: DominionSession) -> int:
    """Return a seat that does not decide. Its view of revealed cards is public."""
    return next(seat for seat in range(match.game.n_players) if seat != match.game.state.decider)


def _player(match: DominionSession, view: View, seat: int, viewer: int | None) -> Json:
    """Return the facts of a player that the viewer has seen.

    All gains and trashings are public. A card passed between two players is hidden from the others.
    """
    owned = match.game.owned_seen(seat, viewer)
    return {
        "name": names_for(match, viewer)[seat],
        "person": seat in match.setup.people,
        "hand": view.hand_sizes[seat],
        "deck": view.deck_sizes[seat],
        "discard": view.discard_sizes[seat],
        "top": view.discard_tops[seat],
        "turns": view.turns[seat],
        "cards": _pairs(_by_worth(match.game, owned)),
        "vp": points_of(owned) + view.vp_tokens[seat],
        "tokens": view.vp_tokens[seat],
        "places": _places(match.game, view, seat, viewer),
    }


def _places(game: DominionGame, view: View, seat: int, viewer: int | None) -> list[Json]:
    """Return a player's cards in play, set aside and on mats, and those with effects for the next turn.

    ``unseen`` is the number of further cards that the viewer does not see.
    """
    kept = Counter(entry.card for entry in view.pending[seat] for _ in range(entry.times))
    places = {"in play": SeenCards(view.in_play[seat], 0), "next turn": SeenCards(kept, 0)}
    places |= game.contract.places(game.state, seat, viewer)
    return [
        {"place": name[0].upper() + name[1:], "cards": _pairs(seen.cards), "unseen": seen.unseen}
        for name, seen in places.items()
        if seen.cards or seen.unseen
    ]


def names_for(match: DominionSession, viewer: int | None) -> tuple[str, ...]:
    """Return the players' names; the viewer's is "You"."""
    return tuple(PERSON if seat == viewer else name for seat, name in enumerate(match.setup.names))


def _own(match: DominionSession, view: View, decision: Decision | None) -> Json:
    """Return the information that only the viewer sees."""
    asks = not match.game.state.auto_treasures >> view.seat & 1
    return {
        "hand": _pairs(_by_pile(view.hand, view)),
        "owned": _pairs(_by_pile(view.owned, view)),
        "vp": own_vp(view),
        "coinsInHand": view.coins_in_hand,
        "asksTreasures": asks,
        "question": _question(match, view, decision) if decision and decision.seat == view.seat else None,
    }


def _question(match: DominionSession, view: View, decision: Decision) -> Json:
    """Return the pending question: the cards to choose from, their zone, and the labels of yes and no.

    ``most`` and ``least`` are the numbers of cards that one answer can and must contain.
    """
    effect = decision.effect
    names = [answer.name for answer in decision.consequences if answer.pile != PASS]
    most, labels = max_at_once(view, decision), yes_and_no(decision)
    # Other zones than the hand and the Supply.
    places = {Zone.REVEALED: view.revealed, Zone.DISCARD: view.looked_through, Zone.TRASH: Counter(names)}
    owner = f"P{decision.owner + 1} ", f"{names_for(match, view.seat)[decision.owner]} "
    return {
        "text": plain_question(view, decision, match.trashed).replace(*owner),
        "card": decision.card.name if decision.card else None,
        "kind": decision.kind,
        "verb": effect.verb,
        "zone": None if decision.has_options or effect.op == Op.START else _ZONES.get(effect.source),
        "choices": names,
        "options": {
            answer.name: answer.text
            for answer in decision.consequences
            if answer.pile >= FIRST_OPTION or (effect.op == Op.START and answer.pile != PASS)
        },
        "most": most,
        "least": 0 if decision.optional else most,
        "optional": decision.optional,
        "labels": list(labels) if labels else None,
        "there": _pairs(view.revealed if decision.has_options else places.get(effect.source, Counter())),
        "all": all_treasures(view, decision) if effect.op == Op.PLAY_TREASURE else [],
        "owner": decision.owner if decision.owner != decision.seat else None,
    }


def _log(match: DominionSession, seat: int | None, *, whole: bool) -> list[Json]:
    """Return the turns of the log: one line each. The viewer's own turn in progress lists every event.

    A text is a list of texts and of cards.
    """
    turns, names = log.turns(match.game.events), names_for(match, seat)
    # Two rounds in every response. A page that was just opened requests the whole log.
    first = 0 if whole else max(0, len(turns) - 2 * len(names) - 1)
    fields = []
    for index, turn in enumerate(turns[first:], first):
        is_own = turn.seat == seat and index == len(turns) - 1
        tokens = (log.story_tokens if is_own else log.turn_tokens)(turn, names, seat)
        text = [{"card": token} if isinstance(token, log.CardToken) else token for token in tokens]
        fields.append({"index": index, "turn": turn.number, "seat": turn.seat, "extra": turn.is_extra, "text": text})
    return fields


def _end(match: DominionSession) -> Json:
    """Return the result of a game that is over: places, the cards and purchases of all players, and the seed."""
    game, setup = match.game, match.setup
    return {
        "headline": headline(game, setup),
        "places": [
            {
                "place": place,
                "seat": seat,
                "vp": game.scores[seat],
                "tokens": int(game.state.vp_tokens[seat]),
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
    """Return cards by falling cost, then by name."""
    piles = sorted(game.piles, key=lambda card: (-card.cost, card.name))
    return Counter({card.name: cards[card.name] for card in piles if cards[card.name]})


def _pairs(cards: Counter[str]) -> list[tuple[str, int]]:
    return list(cards.items())


class GameSeat(Seat[DominionSession]):
    """One game of the server."""

    def __init__(self, slot: Slot, workers: Workers, is_closing: Callable[[], bool]) -> None:
        super().__init__(slot)
        self.news: list[str] = []
        """Messages for the next response: refused choices and the result of undo."""
        self._workers, self._is_closing = workers, is_closing

    def read(self) -> DominionSession:
        """Return the game of the file."""
        return read_game(self.slot.path, self._workers)

    def shown(self) -> Json:
        """Return the public view."""
        return self.look(None)

    def look(self, seat: int | None, *, whole_log: bool = False) -> Json:
        """Return the view of the player at ``seat``, or the public view for None."""
        try:
            game = self.played_on()
        except Conflict:  # another server has saved the answers of opponents that search
            game = self.played_on()
        return self._shown(game, seat, whole_log=whole_log)

    def step(self, turn: int) -> Json:
        """Return the view at the end of a turn, counted over all players from 0. Shared screens get the public view."""
        game = self.played_on()
        n = game.n_turns
        if turn >= n:
            raise UsageError(f"'turn' is {turn}. Allowed: 0 to {n - 1}.")
        return seen(game.end_of_turn(turn), _only(game)) | {"step": turn, "of": n}

    def played_on(self) -> DominionSession:
        """Let the strategies play until a person decides or the game is over. Return the game."""
        game = self.session
        self._let_others_play(game)
        return game

    def choose(self, seat: int, at: int, names: list[str]) -> Json:
        """Apply the choices of the player at ``seat``, made in the state after ``at`` choices."""
        game = self._for_move(seat, at)
        asked = game.decision.consequences if game.decision else ()
        known = {PASS_NAME, *game.setup.kingdom.names, *(answer.name for answer in asked)}
        if unknown := next((name for name in names if name not in known), None):
            raise UsageError(f"{short(unknown)} is no card of this game.")
        game.mark()
        taken = choose_names(game, names)
        if game.at == at:
            raise UsageError(taken.notes[0] if taken.notes else "nothing was chosen.")
        self.news = taken.notes
        return self._go_on(game, seat)

    def switch_treasures(self, seat: int, at: int, ask: bool) -> Json:
        """Let the player at ``seat`` play Treasures one by one (``ask``) or all together."""
        game = self._for_move(seat, at)
        game.mark()
        game.choose(ASK_TREASURES if ask else PLAY_TREASURES)
        return self._go_on(game, seat)

    def undo(self, seat: int, at: int) -> Json:
        """Undo the last choices, for any player."""
        game = self.session_at(at)
        back = game.undo()
        self.news = [back.text if back else "Nothing to undo."]
        return self._go_on(game, seat)

    def _for_move(self, seat: int, at: int) -> DominionSession:
        self.played_on()
        game = self.session_at(at)
        if game.decision is None:
            raise Conflict("the game is over.")
        if game.decision.seat != seat:
            raise Conflict(f"{game.setup.names[game.decision.seat]} has to choose now.")
        return game

    def _go_on(self, game: DominionSession, seat: int) -> Json:
        """Let the strategies play, then save. Games with agents are also saved before, because agents are slow."""
        if game.has_agents:
            self.save()
        self._let_others_play(game)
        self.save()
        return self._shown(game, seat)

    def _let_others_play(self, game: DominionSession) -> None:
        """Let the strategies play. Save the game if searching opponents answered or the game ended."""
        before, last = (len(game.answers), game.over), time.monotonic()

        def each() -> None:
            nonlocal last
            if game.has_agents and self._is_closing():
                raise NotReady("the server is stopping.")
            if time.monotonic() - last > PATIENCE / 2:
                last = time.monotonic()
                self.snapshot = seen(game, _only(game)) | {"waiting": True}

        game.play_on(each)
        self.snapshot = None
        if (len(game.answers), game.over) != before:
            self.save()

    def _shown(self, game: DominionSession, seat: int | None, *, whole_log: bool = False) -> Json:
        """Return the view. A player's own cards are shown on their decision, or if no other person plays."""
        decision = game.decision
        may_look = seat is not None and (seat == _only(game) or (decision is not None and decision.seat == seat))
        news, self.news = self.news, []
        found = seen(game, seat if may_look else _only(game), whole_log=whole_log)
        return found | {"name": self.slot.name, "news": news, "waiting": False}


def _only(game: DominionSession) -> int | None:
    """Return the seat of the only person, or None if several persons share the screen."""
    return game.setup.seat if len(game.setup.people) == 1 else None


class GamePool(SessionPool[GameSeat, DominionSession]):
    """The games of a site, with a thread pool for opponents that search."""

    kind = GAMES
    most_in_memory = 64
    most_saved = 2000
    patience = PATIENCE

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._pool = ThreadPoolExecutor(site.n_processors, "thinking")
        self.workers = Workers(self._pool, site.n_processors)

    def close(self) -> None:
        """Stop the threads of opponents that search."""
        self._pool.shutdown(cancel_futures=True)

    def make_seat(self, slot: Slot) -> GameSeat:
        """Return the seat of a slot."""
        return GameSeat(slot, self.workers, self.site.closing.is_set)
