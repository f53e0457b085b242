"""Fights of Slay the Spire on the page: positions, moves and advice as JSON, and the operations of requests."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from evodom.errors import EvodomError
from evodom.kernel_groups import compile_groups, compile_text, groups_to_compile, load_groups
from evodom.search.estimate import ActionEstimate
from evodom.sessions.fight import FightSession, read_fight_session
from evodom.sessions.files import FIGHTS, Slot
from evodom.spire.content.cards import SpireCard, X
from evodom.spire.content.wording import card_to_text
from evodom.spire.embedding.hypernetwork import shipped
from evodom.spire.engine.layout import DISCARD, DRAW, EXHAUST, HAND, N_FIGHTERS, FightRecord
from evodom.spire.engine.moves import END, FIRST_CARD, FIRST_CHOICE, FIRST_POTION
from evodom.spire.fights.display import choice_to_text, intent_of, statuses_of
from evodom.spire.play.searcher import FightSearchOptions
from evodom.web.pool import Seat, SessionPool
from evodom.web.site import Compiling, Json, NotReady, Site

MAX_SIMULATIONS = 100_000
SIMULATIONS = 1000

PILES = {"draw": DRAW, "discard": DISCARD, "exhaust": EXHAUST}


def position(session: FightSession) -> Json:
    """Return a position as plain JSON types."""
    fight = session.view
    fields: Json = {
        "over": session.over,
        "played": session.n_played,
        "you": {"hp": int(fight.hp[0]), "max_hp": int(fight.max_hp[0]), "block": int(fight.block[0])}
        | {"energy": int(fight.energy), "statuses": _statuses(fight, 0)},
        "enemies": [_enemy(session, fight, place) for place in range(1, N_FIGHTERS) if fight.hp[place] > 0],
        "hand": _cards(session, fight, HAND),
        "piles": {name: _cards(session, fight, pile) for name, pile in PILES.items()},
        "next": [session.game.rules.kinds[fight.top[place]].name for place in range(fight.n_top - 1, -1, -1)],
        "potions": [name for name, here in zip(session.game.rules.potions, fight.potions, strict=False) if here],
        "question": "" if session.over else choice_to_text(fight),
        "moves": [] if session.over else [_move(session, move) for move in session.moves()],
        "can_end": session.can_end(),
    }
    if session.over:
        fields |= {"end": session.end, "won": session.won}
    return fields


def _enemy(session: FightSession, fight: FightRecord, place: int) -> Json:
    intent, damage = intent_of(session.game, fight, place)
    return {
        "place": place,
        "name": session.game.rules.enemy_names[fight.row[place]],
        "hp": int(fight.hp[place]),
        "max_hp": int(fight.max_hp[place]),
        "block": int(fight.block[place]),
        "intent": intent,
        "damage": damage,
        "statuses": _statuses(fight, place),
    }


def _statuses(fight: FightRecord, who: int) -> list[Json]:
    return [{"name": name, "n": n} for name, n in statuses_of(fight, who)]


def _cards(session: FightSession, fight: FightRecord, pile: int) -> list[Json]:
    """Return the cards of a pile by name."""
    kinds = session.game.rules.kinds
    return [_card(kinds[kind]) | {"n": int(n)} for kind, n in enumerate(fight.piles[pile]) if n]


def _card(card: SpireCard) -> Json:
    cost = "" if card.cost is None else "X" if card.cost == X else str(card.cost)
    return {"name": card.name, "kind": card.kind, "cost": cost, "text": card_to_text(card)}


def _move(session: FightSession, move: int) -> Json:
    """Return a move: its text, its card or potion, and its target (0: none).

    ``hand`` is True if the card is played or chosen from the hand.
    """
    fields: Json = {"move": move, "text": session.text(move), "card": "", "enemy": 0, "hand": False}
    if move == END:
        return fields
    if move >= FIRST_CHOICE:
        in_hand = bool(session.view.choose_pile == HAND)
        return fields | {"card": session.game.rules.kinds[move - FIRST_CHOICE].name, "hand": in_hand}
    if move >= FIRST_POTION:
        what, enemy = divmod(move - FIRST_POTION, N_FIGHTERS)
        return fields | {"potion": session.game.rules.potions[what], "enemy": enemy}
    what, enemy = divmod(move - FIRST_CARD, N_FIGHTERS)
    return fields | {"card": session.game.rules.kinds[what].name, "enemy": enemy, "hand": True}


def figures(found: Sequence[ActionEstimate[int]]) -> list[Json]:
    """Return the visits, the value and the probability of death of each move; None for moves of few visits."""
    return [
        {
            "move": one.action,
            "visits": one.visits,
            "worth": round(one.value, 3) if one.is_measured else None,
            "death": round(one.loss_probability, 4) if one.is_measured else None,
        }
        for one in found
    ]


class FightSeat(Seat[FightSession]):
    """One fight of the server, with the advice about its present position."""

    def __init__(self, slot: Slot) -> None:
        super().__init__(slot)
        self._advice: Json = {}
        self._simulations = 0
        self._advised_at = -1

    def read(self) -> FightSession:
        """Return the fight of the file."""
        return read_fight_session(self.slot.path, search_options())

    def shown(self) -> Json:
        """Return the page's JSON. It has the seed if the user gave it or the fight is over."""
        session = self.session
        if session.at != self._advised_at:
            self._advised_at, self._advice, self._simulations = session.at, {}, 0
        may_know = session.given or session.over
        facts = {"name": self.slot.name, "title": session.title, "at": session.at}
        facts |= {"seed": session.seed if may_know else None}
        facts |= {"turn": session.turn, "log": session.log, "searched": self._simulations}
        self.snapshot = facts | position(session) | self._advice
        return self.snapshot

    def change(self, at: int, act: Callable[[FightSession], object]) -> Json:
        """Call ``act`` on the fight in state ``at``, and save the fight if it changed."""
        session = self.session_at(at)
        act(session)
        if session.at != at:
            self.save()
        return self.shown()

    def weigh(self, at: int, simulations: int) -> Json:
        """Search the position, and keep the value of every move."""
        return self._keep({"figures": figures(self.session_at(at).move_values(simulations))}, simulations)

    def prove(self, at: int) -> Json:
        """Solve the position, and keep the exact value of every move."""
        found = self.session_at(at).exact_values(100_000)  # rows of the graph: seconds, and other searches wait
        return self._keep({"proven": [{"move": one.action, "worth": round(one.value, 4)} for one in found]})

    def find_line(self, at: int, simulations: int) -> Json:
        """Search the best line up to the next random event, and keep it."""
        steps = self.session_at(at).find_line(simulations)
        return self._keep(
            {"line": [{"move": one.move, "text": one.text, "worth": round(one.value, 3)} for one in steps]}
        )

    def _keep(self, advice: Json, simulations: int = 0) -> Json:
        """Add advice about the present position to the page's JSON, and return it."""
        self.shown()  # drops advice about an earlier position
        self._advice |= advice
        self._simulations += simulations
        return self.shown()


def search_options() -> FightSearchOptions:
    """Return the options of the page's searches."""
    return FightSearchOptions(SIMULATIONS, network=shipped())


class FightPool(SessionPool[FightSeat, FightSession]):
    """The fights of a site. The first request compiles or loads their kernels."""

    kind = FIGHTS
    most_in_memory = 12
    most_saved = 1000

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._slow = ThreadPoolExecutor(1, "fights")
        self._ready = False
        self._doing = self._problem = ""
        self._since = 0.0

    def close(self) -> None:
        """Stop searches."""
        self._slow.shutdown(wait=False, cancel_futures=True)

    def make_seat(self, slot: Slot) -> FightSeat:
        """Return the seat of a slot."""
        return FightSeat(slot)

    def check_ready(self) -> None:
        """Start to compile the kernels of fights in a thread. Raises Compiling until they are ready."""
        if self._ready:
            return
        if self._problem:
            raise EvodomError(self._problem)
        if not self._doing:
            missing = groups_to_compile("fights", "solver")
            self._doing = compile_text(*missing) if missing else "Loading the fights"
            self._since = time.monotonic()
            self._slow.submit(self._compile)
        raise Compiling(self._doing, self._since)

    async def look(self, name: str) -> Json:
        """Return the page's JSON of a fight. During a search this is the last snapshot."""
        seat = self.seat(name)
        if seat.lock.locked() and seat.snapshot:
            return seat.snapshot
        return await self.do(name, FightSeat.shown)

    async def do_at_once(self, name: str, work: Callable[[FightSeat], Json]) -> Json:
        """Return the result of quick work. Raises NotReady while the fight is searched."""
        if self.seat(name).lock.locked():
            raise NotReady("this fight is being searched ...")
        return await self.do(name, work)

    async def slowly(self, name: str, work: Callable[[FightSeat], Json]) -> Json:
        """Return the result of slow work. One thread does all slow work, so that games never wait for it."""
        seat = self.seat(name)
        async with seat.lock:
            return await asyncio.get_running_loop().run_in_executor(self._slow, partial(work, seat))

    def _compile(self) -> None:
        try:
            compile_groups("fights", "solver")
            load_groups("fights", "solver")
            self._ready = True
        except Exception as error:  # the page shows it
            self._problem = f"fights cannot be compiled: {error}"
