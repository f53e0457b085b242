"""A `Fight` with its payoff and state, the fights after choices of cards, and `.run` files of the game.

The game writes a `.run` file (JSON) at the end of each run. It contains ids of cards, relics and potions. Most ids have
the letters of the displayed name; CARD_IDS, RELIC_IDS and POTION_IDS list the others. The remaining potions and the
counters of relics are not in the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from evodom.distribution import Distribution
from evodom.errors import UsageError, errors_at, short
from evodom.files import parse_json, read_text
from evodom.reading import convert
from evodom.spire.content import cards, potions, relics
from evodom.spire.content.cards import CARDS, MAX_HP, ironclad, rest_heals
from evodom.spire.content.encounters import Group
from evodom.spire.content.enemies import MAX_ASCENSION
from evodom.spire.engine.rules import Setup
from evodom.spire.fights.names import INACTIVE_RELICS, MAX_COPIES, find_card, find_enemies, normalise

HP, WIN, BOTH = "hp", "win", "both"

POTION_PRICE = 4.0
"""Default price of a used potion, in HP.

The rounded number of HP that a potion saves in a later fight: 4.2 against strong monsters of act 1, the mean of eight
common potions (1.2 to 7.5). Measured in 80 fights each, by searches of 100 simulations, at ascension 20 with 75 HP and
the starter deck with Pommel Strike and Shrug It Off.
"""


@dataclass(frozen=True)
class Payoff:
    """Payoff of a fight: the HP left, the win, or both.

    `potion` is the price in HP of each used potion, 0 for none. `gain` is the reward in HP for each maximum HP gained.
    """

    kind: str = HP
    potion: float = 0.0
    gain: float = 0.0

    def prices(self, max_hp: int) -> tuple[float, float, float, float]:
        """Return the prices of an HP left, a win, a used potion and a maximum HP gained.

        "both" is (win + HP / maximum) / 2.
        """
        hp, win = {HP: (1.0, 0.0), WIN: (0.0, 1.0), BOTH: (0.5 / max_hp, 0.5)}[self.kind]
        unit = hp or 1.0 / max_hp
        return hp, win, self.potion * unit, self.gain * unit


@dataclass(frozen=True, kw_only=True)
class EnemyState:
    """An enemy in a fight in progress.

    `intent` is its next move; `history` distinguishes intents with the same move (None: the first).
    """

    name: str
    hp: int
    max_hp: int
    intent: str
    history: int | None = None
    block: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class FightState:
    """A fight in progress, at a decision of the player. HP and relic counters are in the `Setup`.

    Piles count cards by name. `draw` includes the known cards `top`, next card first. `potions` are the potions left,
    None for all. `played` are the types of the cards played this turn, in order.
    """

    energy: int
    hand: Mapping[str, int]
    draw: Mapping[str, int]
    discard: Mapping[str, int]
    enemies: tuple[EnemyState, ...]
    turn: int = 1
    block: int = 0
    statuses: Mapping[str, int] = field(default_factory=dict)
    exhaust: Mapping[str, int] = field(default_factory=dict)
    top: tuple[str, ...] = ()
    potions: tuple[str, ...] | None = None
    played: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fight:
    """A fight: its setup, its payoff, and its state if it is in progress.

    `encounters` is a distribution of names; None means the groups of the setup.
    """

    setup: Setup
    payoff: Payoff = field(default_factory=Payoff)
    state: FightState | None = None
    encounters: Distribution[str] | None = None

    def encounter_names(self) -> Distribution[str]:
        """Return the distribution of encounters by name."""
        return self.encounters or self.setup.enemies.map(", ".join).merge()

    @property
    def text(self) -> str:
        """Short description: "Gremlin Nob, ascension 20, 68 of 75 HP"."""
        hp, max_hp, _ = self.setup.player()
        names = [name for name, _ in self.encounter_names()]
        many = f"{len(names)} encounters" if len(names) > 4 else " or ".join(names)
        return f"{many}, ascension {self.setup.ascension}, {hp} of {max_hp} HP"

    def encounter_setups(self) -> Iterator[tuple[str, Fraction, Setup]]:
        """Yield (name, probability, setup) of each encounter. One setup may be too small for all of them."""
        for name, chance in self.encounter_names():
            yield name, Fraction(chance), replace(self.setup, enemies=find_enemies(name))


SEARING_BLOW = "Searing Blow"

SKIP, REST = "skip", "rest"
"""Names of choices other than cards."""


def fights_by_choice(fight: Fight, text: str | None, *, upgrade: bool = False, rest: bool = False) -> dict[str, Fight]:
    """Return the fight after each choice in a text such as "Cleave, Anger, skip", by the name of the choice.

    A card is added to the deck. With `upgrade` or `rest` a card of the deck is upgraded, and a `text` of None is all
    upgradable cards of the deck. `rest` adds the choice of resting.

    Raises:
        UsageError: for unknown cards, fewer than two choices, and contradicting options.
    """
    if upgrade and rest:
        raise UsageError("--rest has the upgrades among its choices. Leave --upgrade out.")
    if text is None and not (upgrade or rest):
        raise UsageError('name the cards to choose among: "Cleave, Anger, skip". Only --upgrade and --rest need none.')
    found: dict[str, Fight] = {REST: after_rest(fight)} if rest else {}
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
    return _with(fight, replace(fight.setup, deck=fight.setup.player()[2] + Counter([name])))


def with_upgrade(fight: Fight, name: str) -> Fight:
    """Return a fight with a card of the deck upgraded; UsageError if that is impossible."""
    deck, better = fight.setup.player()[2], upgraded(name)
    if not deck[name]:
        raise UsageError(f"only a card of the deck can be upgraded, and it has no {name}.")
    if better is None:
        raise UsageError(f"{name} cannot be upgraded.")
    return _with(fight, replace(fight.setup, deck=deck - Counter([name]) + Counter([better])))


def upgraded(name: str) -> str | None:
    """Return the name of a card after an upgrade, None if it has none. Searing Blow has MAX_COPIES upgrades."""
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
    return _with(fight, replace(fight.setup, hp=min(max_hp, hp + rest_heals(max_hp))))


def _with(fight: Fight, setup: Setup) -> Fight:
    """Return a fight with another setup. Raise UsageError if it is in progress."""
    if fight.state is not None:
        raise UsageError("a fight that has begun has its deck and HP already. Leave [state] out of the file.")
    return replace(fight, setup=setup)


CARD_IDS = {"Strike_R": "Strike", "Defend_R": "Defend"}

RELIC_IDS = {
    "Boot": "The Boot",
    "CultistMask": "Cultist Headpiece",
    "Frozen Egg 2": "Frozen Egg",
    "GremlinMask": "Gremlin Visage",
    "Molten Egg 2": "Molten Egg",
    "NeowsBlessing": "Neow's Lament",
    "NlothsMask": "N'loth's Hungry Face",
    "Paper Frog": "Paper Phrog",
    "Sling": "Sling of Courage",
    "Toxic Egg 2": "Toxic Egg",
    "WingedGreaves": "Winged Boots",
}

POTION_IDS = {"ElixirPotion": "Elixir", "FairyPotion": "Fairy in a Bottle", "SteroidPotion": "Flex Potion"}

LAMENT, LAMENT_FIGHTS = "Neow's Lament", 3
MAX_BYTES = 2_000_000
MAX_LENGTH = 1000
"""Maximum length of lists in files."""

Ids = Annotated[list[str], Meta(max_length=MAX_LENGTH)]
FloorHp = Annotated[list[Annotated[int, Meta(ge=0, le=MAX_HP)]], Meta(max_length=MAX_LENGTH)]


class ObtainedPotion(Struct):
    """A potion of a `.run` file. Unknown fields are ignored."""

    key: str


class RunContents(Struct):
    """The contents of a `.run` file. Unknown fields are ignored."""

    master_deck: Ids
    relics: Ids
    ascension_level: Annotated[int, Meta(ge=0, le=MAX_ASCENSION)] = 0
    character_chosen: Literal["IRONCLAD"] = "IRONCLAD"
    potions_obtained: Annotated[list[ObtainedPotion], Meta(max_length=MAX_LENGTH)] = []
    current_hp_per_floor: FloorHp = []
    max_hp_per_floor: FloorHp = []
    damage_taken: Annotated[list[object], Meta(max_length=MAX_LENGTH)] = []


_CARD = re.compile(r"(.*?)(?:\+([0-9]{1,2}))?", re.DOTALL)


@dataclass(frozen=True)
class RunFile:
    """The Ironclad at the end of a run, with the HP before the fight that was lost.

    `potions` are the potions obtained during the run, in order. `skipped` are the unsupported cards and relics, with
    the reasons.
    """

    deck: Mapping[str, int]
    relics: tuple[str, ...]
    hp: int
    max_hp: int
    ascension: int
    potions: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    def setup(self, enemies: Distribution[Group], *, potions: tuple[str, ...] = ()) -> Setup:
        """Return a fight of this Ironclad."""
        return Setup(
            enemies=enemies,
            ascension=self.ascension,
            deck=self.deck,
            hp=self.hp,
            max_hp=self.max_hp,
            relics=self.relics,
            potions=potions,
        )


def read_run(path: Path | str, *, skip: bool = False) -> RunFile:
    """Read a `.run` file. Raise UsageError if it is invalid.

    Unsupported cards and relics are an error, unless `skip` is true.
    """
    return run_from_json(read_text(path, "a run", "JSON", MAX_BYTES), name=str(path), skip=skip)


def run_from_json(text: str, *, name: str = "the run", skip: bool = False) -> RunFile:
    """Read a run from JSON. `name` is its name in error messages. Raise UsageError if it is invalid."""
    try:
        page = parse_json(text)
    except ValueError as error:
        raise UsageError(f"{name} is not JSON: {str(error)[:200]}.") from error
    with errors_at(name):
        run = _run(convert(page, RunContents))
        if run.skipped and not skip:
            raise UsageError(f"not supported: {'; '.join(run.skipped)}. Skip with --skip-unknown (Python: skip=True).")
    return run


def _run(page: RunContents) -> RunFile:
    skipped: list[str] = []
    deck = _deck(page.master_deck, skipped)
    if not deck:
        raise UsageError("master_deck has no supported card. Allowed: at least one.")
    held = _relics(page.relics, skipped)
    if LAMENT in held and len(page.damage_taken) >= LAMENT_FIGHTS:
        held.remove(LAMENT)
    known = _by_letters(potions.POTIONS)
    keys = [normalise(POTION_IDS.get(one.key, one.key)) for one in page.potions_obtained]
    obtained = tuple(known[key] for key in keys if key in known)
    hp, max_hp = _hp(page)
    return RunFile(deck, tuple(held), hp, max_hp, page.ascension_level, obtained, tuple(dict.fromkeys(skipped)))


def _deck(ids: list[str], skipped: list[str]) -> dict[str, int]:
    """Return the supported cards, and add the others to `skipped`."""
    known = _by_letters(card for card in cards.CARDS if "+" not in card)
    deck: Counter[str] = Counter()
    for one in ids:
        match = _CARD.fullmatch(one)
        base, upgrades = (match[1], match[2]) if match else (one, None)
        name = known.get(normalise(CARD_IDS.get(base, base)))
        if name is None:
            skipped.append(_reason(base, cards.UNSUPPORTED))
            continue
        with errors_at("master_deck"):
            deck[find_card(f"{name}+{upgrades}" if upgrades else name)] += 1
    if many := [name for name, n in deck.items() if n > MAX_COPIES]:
        raise UsageError(f"master_deck has {many[0]} {deck[many[0]]} times. Allowed: at most {MAX_COPIES}.")
    return dict(deck)


def _relics(ids: list[str], skipped: list[str]) -> list[str]:
    """Return the relics that affect fights. Add unsupported relics to `skipped`."""
    known = _by_letters((*relics.RELICS, *INACTIVE_RELICS))
    found: list[str] = []
    for one in ids:
        name = known.get(normalise(RELIC_IDS.get(one, one)))
        if name is None:
            skipped.append(_reason(one, relics.UNSUPPORTED))
        elif name in relics.RELICS and name not in found:
            found.append(name)
    return found


def _hp(page: RunContents) -> tuple[int, int]:
    """Return the last HP above 0 and the maximum HP on that floor."""
    now, most = page.current_hp_per_floor, page.max_hp_per_floor
    if len(now) != len(most):
        raise UsageError(
            f"max_hp_per_floor has {len(most)} floors. Allowed: {len(now)}, as many as current_hp_per_floor."
        )
    found = ironclad(page.ascension_level)[:2]
    for floor, (hp, limit) in enumerate(zip(now, most, strict=True)):
        if hp > limit:
            raise UsageError(f"current_hp_per_floor[{floor}] is {hp}. Allowed: 0 to {limit}.")
        found = (hp, limit) if hp else found
    return found


def _by_letters(names: Iterable[str]) -> dict[str, str]:
    return {normalise(name): name for name in names}


def _reason(name: str, unsupported: Mapping[str, str]) -> str:
    """Return a name with the reason why it is not supported."""
    for other, why in unsupported.items():
        if normalise(other) == normalise(name):
            return f"{other} ({why})"
    return f"{short(name)} (not in the tables)"
