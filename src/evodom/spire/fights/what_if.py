"""Fights after a choice of the player between fights: a card added to the deck, an upgrade, or a rest site.

Open it to add a kind of choice.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from evodom.errors import UsageError
from evodom.spire.content import rest_sites as sites
from evodom.spire.content.cards import CARDS, SEARING_BLOW
from evodom.spire.engine.compiler import Setup
from evodom.spire.fights.fight import Fight
from evodom.spire.fights.names import MAX_COPIES, find_card

SKIP, ADD = "skip", "add"
"""The choice that changes nothing, and the choice to add a card."""


def fights_by_choice(
    fight: Fight, text: str | None, *, upgrade: bool = False, rest: bool = False, can_recall: bool = False
) -> dict[str, Fight]:
    """Return the fight after each choice in a text such as "Cleave, Anger, skip", by the name of the choice.

    Each choice adds one card of the text to the deck. With `upgrade` or `rest`, each choice upgrades one card of the
    deck instead; `text` None means all upgradable cards. `rest` also adds the other options of the rest site: a rest,
    a lift, with `can_recall` the Ruby Key, and without a text the removal of each card. It does not add the HP that
    `enter_rest_site` heals.

    Raises:
        UsageError: for unknown cards, options that the rest site lacks, fewer than two choices, and contradicting
            options.
    """
    if upgrade and rest:
        raise UsageError("--rest has the upgrades among its choices. Leave --upgrade out.")
    if text is None and not (upgrade or rest):
        raise UsageError('name the cards to choose among: "Cleave, Anger, skip". Only --upgrade and --rest need none.')
    site = rest_site_of(fight) if rest else None
    words = [] if text is None else [word.strip() for word in text.split(",")]
    if site:
        options = [sites.REST, sites.LIFT, *[sites.RECALL] * can_recall]
        words = [*(option for option in options if option not in site.refused), *words]
    words += _changes_of_cards(fight, site) if text is None else ()
    choices = dict(_after(fight, word, sites.UPGRADE if upgrade or rest else ADD, site) for word in words)
    if len(choices) < 2:
        source = "the deck" if text is None else repr(text)
        source = " ".join([f"{source}.", *(site.notes if site else ())])
        raise UsageError(f'there is nothing to choose among in {source} Give two or more: "Cleave, Anger, skip"')
    return choices


def rest_site_of(fight: Fight) -> sites.RestSite:
    """Return the rest site of the player of a fight."""
    setup = fight.setup
    _, max_hp, deck = setup.player()
    return sites.rest_site(setup.relics, deck.total(), max_hp, setup.counters.get(sites.GIRYA, sites.MAX_LIFTS))


def enter_rest_site(fight: Fight) -> Fight:
    """Return a fight after entering a rest site, where a relic may heal."""
    return _healed(fight, rest_site_of(fight).on_entering)


def _changes_of_cards(fight: Fight, site: sites.RestSite | None) -> Iterator[str]:
    """Yield all upgrades of a deck, and with a rest site the removals, as far as it has them."""
    if site is None or sites.UPGRADE not in site.refused:
        yield from upgradable(fight)
    if site and sites.REMOVE not in site.refused:
        yield from (f"{sites.REMOVE} {name}" for name in fight.setup.player()[2] if name not in sites.UNREMOVABLE)


def _after(fight: Fight, word: str, by_default: str, site: sites.RestSite | None) -> tuple[str, Fight]:
    """Return the name of a choice and the fight after it. A word that names no option names a card for `by_default`."""
    option, _, card = word.casefold().partition(" ")
    if option == SKIP and not card:
        return SKIP, fight
    if site is None or option not in sites.OPTIONS or (option == sites.REMOVE) != bool(card):
        option, card = by_default, word
    if site and option in site.refused:
        raise UsageError(f"'{word}' is impossible at this rest site: {site.refused[option]}. Leave it out.")
    if option == sites.LIFT:
        lifts = fight.setup.counters.get(sites.GIRYA, sites.MAX_LIFTS) + 1
        return option, _with_setup(fight, replace(fight.setup, counters={**fight.setup.counters, sites.GIRYA: lifts}))
    if site and option in (sites.REST, sites.RECALL):
        return option, _healed(fight, site.by_rest * (option == sites.REST))
    name = find_card(card)
    if option == sites.REMOVE:
        return f"{option} {name}", without_card(fight, name)
    return (name, with_card(fight, name)) if option == ADD else (upgraded(name) or name, with_upgrade(fight, name))


def is_choice_text(text: str) -> bool:
    """Return True if every part of a text is a card, SKIP or an option of rest sites."""
    try:
        for word in text.split(","):
            if (option := word.strip().casefold()) not in (SKIP, *sites.OPTIONS):
                find_card(option.removeprefix(f"{sites.REMOVE} "))
    except UsageError:
        return False
    return True


def with_card(fight: Fight, name: str) -> Fight:
    """Return a fight with a card added to the deck."""
    return _with_setup(fight, replace(fight.setup, deck=fight.setup.player()[2] + Counter([name])))


def with_upgrade(fight: Fight, name: str) -> Fight:
    """Return a fight with a card of the deck upgraded; UsageError if that is impossible."""
    better = upgraded(name)
    if better is None:
        raise UsageError(f"{name} cannot be upgraded.")
    return with_card(without_card(fight, name), better)


def without_card(fight: Fight, name: str) -> Fight:
    """Return a fight with a card of the deck removed; UsageError if that is impossible."""
    deck = fight.setup.player()[2]
    if not deck[name]:
        raise UsageError(f"only a card of the deck can be changed, and it has no {name}.")
    if name in sites.UNREMOVABLE:
        raise UsageError(f"{name} cannot be removed.")
    return _with_setup(fight, replace(fight.setup, deck=deck - Counter([name])))


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


def _healed(fight: Fight, heals: int) -> Fight:
    """Return a fight with more HP, up to the maximum."""
    hp, max_hp, _ = fight.setup.player()
    return _with_setup(fight, replace(fight.setup, hp=min(max_hp, hp + heals)))


def _with_setup(fight: Fight, setup: Setup) -> Fight:
    """Return a fight with another setup. Raise UsageError if it is in progress."""
    if fight.state is not None:
        raise UsageError("a fight that has begun has its deck and HP already. Leave [state] out of the file.")
    return replace(fight, setup=setup)
