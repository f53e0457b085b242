"""What the tests of fights say in one line: positions as text, and what playing cards or ending a turn makes of them.

A position reads "block 5, Weak 1 | Cultist 40, Dark Strike 1, Vulnerable 2": what the player has (energy 3, block 0 and
turn 1 unless told), then each enemy with its HP, its block, its move with the run, and its statuses.
"""

import re

from evodom.spire.exact.board import Amounts, Combat, Enemy
from evodom.spire.exact.fight import Fight, FightSetup, PlayerTurn
from evodom.spire.exact.known import CARDS
from evodom.spire.exact.statuses import KNOWN
from evodom.spire.exact.turn import CardResult, FightRules, TurnResult
from evodom.spire.fights.names import cards_from_text
from evodom.spire.rows.enemies import enemy_row


def at(position: str) -> Combat:
    """Return the combat of a position."""
    player, *enemies = position.split("|")
    given = _items(player)
    return Combat(
        given.pop("block", 0),
        given.pop("energy", 3),
        given.pop("turn", 1),
        _amounts(given),
        tuple(_enemy(text) for text in enemies),
    )


def play(position: str, cards: str, *, target: int = 0) -> CardResult:
    """Play cards such as "Bash, Strike" one after the other and return what came of the last; HP lost add up."""
    rules, combat, lost = FightRules(20, ()), at(position), 0
    for name in cards.split(", "):
        played = rules.play(combat, CARDS[name], target)
        lost += played.lost
        if played.combat is None:
            break
        combat = played.combat
    return played._replace(lost=lost)


def after(position: str, cards: str, *, target: int = 0) -> Combat:
    """Return the combat after playing cards; the fight must go on."""
    combat = play(position, cards, target=target).combat
    assert combat is not None
    return combat


def end(position: str, *, ascension: int = 20, relics: tuple[str, ...] = (), burn: int = 0) -> TurnResult:
    """End the turn, let the enemies move and start the next turn."""
    return FightRules(ascension, relics).end(at(position), burn)


def next_turn(position: str, **options: object) -> Combat:
    """Return the combat of the next turn, where the enemies have no choice of their moves."""
    ended = end(position, **options)
    (combat, _), *others = ended.after
    assert not others, "the enemies have a choice: use `end`"
    return combat


def fight(enemies: str = "Cultist", deck: str | None = None, **options: object) -> Fight:
    """Return a fight against "Cultist 20, Sentry" (HP if given); `relics` as "Vajra, Anchor", options as of Setup."""
    found = [re.fullmatch(r"(.+?)(?: (\d+))?", part.strip()) for part in enemies.split(",")]
    rules = {name: options.pop(name) for name in ("mode", "spend_all") if name in options}
    relics = tuple(filter(None, str(options.pop("relics", "")).split(", ")))
    setup = FightSetup(
        enemies=tuple(match[1] for match in found if match),
        enemy_hp=tuple(int(match[2]) if match[2] else None for match in found if match),
        deck=None if deck is None else cards_from_text(deck),
        relics=relics,
        **options,
    )
    return Fight(setup, **rules)


def decision(game: Fight, position: str, hand: str, *, draw: str = "", discard: str = "", hp: int = 50) -> PlayerTurn:
    """Return a decision of a fight."""
    piles = (game.kinds.pack(cards_from_text(text)) for text in (hand, draw, discard))
    return PlayerTurn(hp, at(position), *piles)


def in_words(game: Fight, pile: int) -> str:
    """Write a pile in the order of the fight's kinds."""
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in game.kinds.unpack(pile).items())


def _enemy(text: str) -> Enemy:
    who, *_ = text.split(",")
    match = re.fullmatch(r"(.+) (\d+)", who.strip())
    assert match, f"an enemy needs its HP: {text!r}"
    given = _items(text.partition(",")[2])
    moves = list(enemy_row(match[1], 20).moves)
    move, run = next(((name, given.pop(name)) for name in moves if name in given), (moves[0], 0))
    return Enemy(match[1], int(match[2]), given.pop("block", 0), move, run, _amounts(given))


def _items(text: str) -> dict[str, int]:
    pairs = [part.strip().rpartition(" ") for part in text.split(",") if part.strip()]
    return {name: int(n) for name, _, n in pairs}


def _amounts(given: dict[str, int]) -> Amounts:
    assert given.keys() <= KNOWN, f"not statuses: {given.keys() - KNOWN}"
    return tuple(sorted(given.items()))
