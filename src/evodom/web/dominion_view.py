"""What a person may see of a game, as plain JSON types: pure functions, and the only way from a game to the page.

All of it comes from a `View`, from the pending Decision and from the log as it is told to that person, so that a game
in which everything that the person cannot know is dealt anew looks the same. Seeds stay here as long as a game goes on:
with one, everything could be dealt again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from evodom.dominion import log
from evodom.dominion.cards import CARDS, points_of
from evodom.dominion.engine.ops import Op, Zone
from evodom.dominion.engine.rules import PASS
from evodom.dominion.game import Decision, DominionGame, View
from evodom.sessions.dominion import PERSON, Match
from evodom.sessions.questions import all_treasures, asked, most_at_once, yes_and_no
from evodom.sessions.screen import near_end
from evodom.sessions.standings import bought, headline

Json = dict[str, Any]

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


def seen(match: Match, seat: int | None, *, whole_log: bool = False) -> Json:
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


def _watcher(match: Match) -> int:
    """Return a seat that is not asked: what it sees of cards that are looked at, everybody sees."""
    return next(seat for seat in range(match.game.n_players) if seat != match.game.state.decider)


def _player(match: Match, view: View, seat: int, viewer: int | None) -> Json:
    return {
        "name": names_for(match, viewer)[seat],
        "person": seat in match.setup.people,
        "hand": view.hand_sizes[seat],
        "deck": view.deck_sizes[seat],
        "discard": view.discard_sizes[seat],
        "top": view.discard_tops[seat],
        "turns": view.turns[seat],
    }


def names_for(match: Match, viewer: int | None) -> tuple[str, ...]:
    """Return the players' names as a person reads them: their own is "You"."""
    return tuple(PERSON if seat == viewer else name for seat, name in enumerate(match.setup.names))


def _own(match: Match, view: View, decision: Decision | None) -> Json:
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


def _question(match: Match, view: View, decision: Decision) -> Json:
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


def _log(match: Match, seat: int | None, *, whole: bool) -> list[Json]:
    """Return the turns as they are told to a person: the own one in progress event by event, others a line each."""
    turns, names = log.turns(match.game.events), names_for(match, seat)
    first = 0 if whole else max(0, len(turns) - ROUNDS_TOLD * len(names) - 1)
    told = []
    for index, turn in enumerate(turns[first:], first):
        tell = log.story if turn.seat == seat and index == len(turns) - 1 else log.line
        text = tell(turn, names, seat).removeprefix(f"{names[turn.seat]}: ")
        told.append({"index": index, "turn": turn.number, "seat": turn.seat, "text": text})
    return told


def _end(match: Match) -> Json:
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
