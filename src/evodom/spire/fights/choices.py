"""What may be chosen between fights: to take a card, to upgrade one, to rest. Each is the fight that comes after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from evodom.errors import UsageError
from evodom.spire.engine.rules import Setup
from evodom.spire.fights.fight import Fight
from evodom.spire.fights.names import MAX_COPIES, find_card
from evodom.spire.rows.cards import CARDS, rest_heals

SEARING_BLOW = "Searing Blow"

SKIP, REST = "skip", "rest"
"""Names of choices other than cards."""


def choices_of(fight: Fight, text: str | None, *, upgrade: bool = False, rest: bool = False) -> dict[str, Fight]:
    """Return the fight after each choice of a text such as "Cleave, Anger, skip", by the name of the choice.

    The cards are added to the deck; with `upgrade` or `rest` they are upgraded. None means all that can be upgraded.
    """
    if upgrade and rest:
        raise UsageError("--rest has the upgrades among its choices. Leave --upgrade out.")
    if text is None and not (upgrade or rest):
        raise UsageError('name the cards to choose among: "Cleave, Anger, skip". Only --upgrade and --rest need none.')
    found: dict[str, Fight] = {REST: rested(fight)} if rest else {}
    for word in upgradable(fight) if text is None else [word.strip() for word in text.split(",")]:
        if word.casefold() == SKIP:
            found[SKIP] = fight
        elif rest and word.casefold() == REST:
            continue
        elif upgrade or rest:
            name = find_card(word)
            found[upgraded(name) or name] = with_upgrade(fight, name)
        else:
            found[find_card(word)] = with_card(fight, find_card(word))
    if len(found) < 2:
        what = "the deck" if text is None else repr(text)
        raise UsageError(f'there is nothing to choose among in {what}. Give two or more: "Cleave, Anger, skip"')
    return found


def is_choice(text: str) -> bool:
    """Return True if a text names cards, or SKIP or REST, and nothing else."""
    try:
        for word in text.split(","):
            if word.strip().casefold() not in (SKIP, REST):
                find_card(word)
    except UsageError:
        return False
    return True


def with_card(fight: Fight, name: str) -> Fight:
    """Return a fight with a card added to the deck."""
    return _with(fight, replace(fight.setup, deck=fight.setup.player()[2] + Counter([name])))


def with_upgrade(fight: Fight, name: str) -> Fight:
    """Return a fight with a card of the deck upgraded; UsageError if the deck lacks it, or it cannot be upgraded."""
    deck, better = fight.setup.player()[2], upgraded(name)
    if not deck[name]:
        raise UsageError(f"only a card of the deck can be upgraded, and it has no {name}.")
    if better is None:
        raise UsageError(f"{name} cannot be upgraded.")
    return _with(fight, replace(fight.setup, deck=deck - Counter([name]) + Counter([better])))


def upgraded(name: str) -> str | None:
    """Return the name of an upgraded card, None if it cannot be upgraded; Searing Blow can be upgraded again."""
    base, plus, times = name.partition("+")
    if base == SEARING_BLOW and plus:
        n = int(times or 1) + 1
        return f"{base}+{n}" if n <= MAX_COPIES else None
    return f"{name}+" if f"{name}+" in CARDS else None


def upgradable(fight: Fight) -> tuple[str, ...]:
    """Return the cards of the deck that can be upgraded, each once."""
    return tuple(name for name in fight.setup.player()[2] if upgraded(name))


def rested(fight: Fight) -> Fight:
    """Return a fight after a rest: 30 % of the maximum of HP are healed, rounded down."""
    hp, max_hp, _ = fight.setup.player()
    return _with(fight, replace(fight.setup, hp=min(max_hp, hp + rest_heals(max_hp))))


def _with(fight: Fight, setup: Setup) -> Fight:
    """Return a fight with another setup; UsageError for one that has begun."""
    if fight.state is not None:
        raise UsageError("a fight that has begun has its deck and HP already. Leave [state] out of the file.")
    return replace(fight, setup=setup)
