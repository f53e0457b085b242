"""Fights after a choice of the player between fights: a card added to the deck, an upgrade, or a rest.

Open it to add a kind of choice.
"""

from collections import Counter
from dataclasses import replace

from evodom.errors import UsageError
from evodom.spire.content.cards import CARDS, SEARING_BLOW, rest_heals
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights.fight import Fight
from evodom.spire.fights.names import MAX_COPIES, find_card

SKIP, REST = "skip", "rest"
"""Names of choices other than cards."""


def fights_by_choice(fight: Fight, text: str | None, *, upgrade: bool = False, rest: bool = False) -> dict[str, Fight]:
    """Return the fight after each choice in a text such as "Cleave, Anger, skip", by the name of the choice.

    Each choice adds one card of the text to the deck. With `upgrade` or `rest`, each choice upgrades one card of the
    deck instead; `text` None means all upgradable cards. `rest` also adds the choice REST.

    Raises:
        UsageError: for unknown cards, fewer than two choices, and contradicting options.
    """
    if upgrade and rest:
        raise UsageError("--rest has the upgrades among its choices. Leave --upgrade out.")
    if text is None and not (upgrade or rest):
        raise UsageError('name the cards to choose among: "Cleave, Anger, skip". Only --upgrade and --rest need none.')
    choices: dict[str, Fight] = {REST: after_rest(fight)} if rest else {}
    for word in upgradable(fight) if text is None else [word.strip() for word in text.split(",")]:
        if word.casefold() == SKIP:
            choices[SKIP] = fight
        elif rest and word.casefold() == REST:
            continue
        elif upgrade or rest:
            name = find_card(word)
            choices[upgraded(name) or name] = with_upgrade(fight, name)
        else:
            name = find_card(word)
            choices[name] = with_card(fight, name)
    if len(choices) < 2:
        source = "the deck" if text is None else repr(text)
        raise UsageError(f'there is nothing to choose among in {source}. Give two or more: "Cleave, Anger, skip"')
    return choices


def is_choice_text(text: str) -> bool:
    """Return True if every part of a text is a card, SKIP or REST."""
    try:
        for word in text.split(","):
            if word.strip().casefold() not in (SKIP, REST):
                find_card(word)
    except UsageError:
        return False
    return True


def with_card(fight: Fight, name: str) -> Fight:
    """Return a fight with a card added to the deck."""
    return _with_setup(fight, replace(fight.setup, deck=fight.setup.player()[2] + Counter([name])))


def with_upgrade(fight: Fight, name: str) -> Fight:
    """Return a fight with a card of the deck upgraded; UsageError if that is impossible."""
    deck, better = fight.setup.player()[2], upgraded(name)
    if not deck[name]:
        raise UsageError(f"only a card of the deck can be upgraded, and it has no {name}.")
    if better is None:
        raise UsageError(f"{name} cannot be upgraded.")
    return _with_setup(fight, replace(fight.setup, deck=deck - Counter([name]) + Counter([better])))


def upgraded(name: str) -> str | None:
    """Return the name of a card after an upgrade between fights, None if it cannot be upgraded.

    Searing Blow has up to MAX_COPIES upgrades.
    """
    base, plus, times = name.partition("+")
    if base == SEARING_BLOW and plus:
        n = int(times or 1) + 1
        return f"{base}+{n}" if n <= MAX_COPIES else None
    return f"{name}+" if f"{name}+" in CARDS else None


def upgradable(fight: Fight) -> tuple[str, ...]:
    """Return the names of the upgradable cards of the deck."""
    return tuple(name for name in fight.setup.player()[2] if upgraded(name))


def after_rest(fight: Fight) -> Fight:
    """Return a fight after a rest, which heals 30 % of the maximum HP, rounded down."""
    hp, max_hp, _ = fight.setup.player()
    return _with_setup(fight, replace(fight.setup, hp=min(max_hp, hp + rest_heals(max_hp))))


def _with_setup(fight: Fight, setup: Setup) -> Fight:
    """Return a fight with another setup. Raise UsageError if it is in progress."""
    if fight.state is not None:
        raise UsageError("a fight that has begun has its deck and HP already. Leave [state] out of the file.")
    return replace(fight, setup=setup)
