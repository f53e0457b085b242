"""Compile a `Setup`: the rows of its cards, enemies, relics and potions become one record of tables.

Open it to add a field of a setup, or to change how rows are turned into `layout.RULES`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evodom.distribution import Distribution
from evodom.errors import UsageError
from evodom.spire.content import cards as card_rows
from evodom.spire.content import effects as e
from evodom.spire.content import enemies as enemy_rows
from evodom.spire.content.cards import SpireCard
from evodom.spire.content.encounters import Group, groups_of
from evodom.spire.content.intents import Intent
from evodom.spire.content.potions import POTIONS
from evodom.spire.content.relics import BOSSES, ELITES, RELICS, Relic
from evodom.spire.engine import layout as at
from evodom.spire.engine.kinds import CHANGES_OF_CARDS, COSTS, POOL_OPS, Change, kinds_of_fight

_CARD_TYPES = {"Attack": at.ATTACK, "Skill": at.SKILL, "Power": at.POWER, "Status": at.STATUS, "Curse": at.CURSE}

_HEALING_OPS = frozenset((e.OP_HEAL, e.OP_REAP))

_STRIKE_OPS = frozenset((e.OP_HIT, e.OP_HIT_STRIKES))

CARD_FIELDS = (
    "targeted", "exhausts", "ethereal", "innate", "end_turn_damage", "end_turn_hp_loss",
    "energy_when_drawn", "energy_when_exhausted", "returns", "max_cards_per_turn", "hp_loss_per_other_card",
)  # fmt: skip
"""Fields of a card that the record has with the same name and value."""

_COUNTING_CHANGES = ("velvet_choker", "pocketwatch", "art_of_war", "orange_pellets")
"""Names of changes whose rules depend on the cards played in a turn."""

_KIND_OF_MARK = {ELITES: enemy_rows.ELITE, BOSSES: enemy_rows.BOSS}
"""Kinds of enemies, by the mark of a relic that acts only against them."""

_PILE_OPS = frozenset((e.OP_CREATE, e.OP_CHOOSE, e.OP_MAKE))

_SCOPE_OPS = frozenset((e.OP_MAKE, e.OP_OFFER, e.OP_FREE_RANDOM, e.OP_LIMIT_COSTS))
"""Operations whose third column is a scope instead of a number of hits."""


@dataclass(frozen=True, kw_only=True)
class Setup:
    """Setup of a fight: enemies, player, deck, relics and potions.

    `enemies` is a distribution of groups, each from left to right. `enemy_hp` has the HP of the enemies of a single
    group; None means rolled HP. HP, maximum HP and deck default to the values of the ascension. `counters` are the
    counters of relics after earlier fights; for Girya the number of lifts, 3 by default. A fight not won after
    `max_turns` turns is lost. `burning` is the mark of a burning elite: "Strength", "HP", "Metallicize" or
    "Regenerate".
    """

    enemies: Distribution[Group] = field(default_factory=lambda: groups_of("Cultist"))
    ascension: int = enemy_rows.MAX_ASCENSION
    deck: Mapping[str, int] | None = None
    hp: int | None = None
    max_hp: int | None = None
    relics: tuple[str, ...] = ("Burning Blood",)
    potions: tuple[str, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    enemy_hp: tuple[int | None, ...] = ()
    max_turns: int | None = None
    burning: str = ""

    def player(self) -> tuple[int, int, Counter[str]]:
        """Return (HP, maximum HP, deck) of the player, with the ascension's values as defaults."""
        hp, max_hp, deck = card_rows.ironclad(self.ascension)
        max_hp = max_hp if self.max_hp is None else self.max_hp
        hp = min(hp, max_hp) if self.hp is None else self.hp
        return hp, max_hp, Counter(deck if self.deck is None else self.deck)


BURNING_MARKS = ("", "Strength", "HP", "Metallicize", "Regenerate")
"""Marks of a burning elite. Their order is that of the constants in `turns`."""


class FightRules:
    """A compiled fight.

    `record` is a record of `layout.RULES`. `groups` are the possible groups of enemies: row numbers by place. `kinds`
    are the cards by kind, `enemy_names` the enemies by row (row 0 is none), `intents` the names of moves by intent.
    """

    def __init__(self, setup: Setup) -> None:
        """Compile the fight. Raise `UsageError` for an invalid setup."""
        self.setup = setup
        self.hp, self.max_hp, deck = setup.player()
        self.deck: Counter[str] = Counter()
        for name, n in deck.items():
            self.deck[card_rows.card_row(name).name] += n
        self.potions = tuple(setup.potions)
        check_setup(self)
        self.record: Any = np.zeros(1, at.RULES)[0]
        self.record.hp, self.record.max_hp = self.hp, self.max_hp
        self.record.max_turns = setup.max_turns or 0
        self._n_effects = 0
        self.enemy_names = ["", *enemy_rows.with_children(name for group, _ in setup.enemies for name in group)]
        if len(self.enemy_names) > at.N_ROWS:
            raise UsageError(
                f"{len(self.enemy_names) - 1} different enemies may occur in this fight; at most {at.N_ROWS - 1}"
            )
        self.enemy_kinds = {enemy_rows.enemy_kind(name) for name in self.enemy_names[1:]}
        self.relics = [RELICS[name] for name in setup.relics]
        kinds = kinds_of_fight(*self._sources_of_cards())
        self.kinds, self.n_left_out = list(kinds.found.values()), len(kinds.left_out)
        self._kinds_by_name = {card.name: kind for kind, card in enumerate(self.kinds)}
        self._cards()
        self.intents: list[str] = []
        self.chains: dict[int, dict[Intent, int]] = {}
        for row, name in enumerate(self.enemy_names[1:], 1):
            self._enemy(row, name)
        self._relics()
        self._potions()
        self.groups, self.group_weights = self._groups(setup.enemies)
        self._healing()

    def kind(self, name: str) -> int:
        """Return the kind of a card of this fight."""
        return self._kinds_by_name[name]

    def counts(self, counters: Mapping[str, int]) -> list[int]:
        """Return the counters of the triggered relics, in order; 0 for relics with lifts (constant in a fight)."""
        return [0 if RELICS[name].max_lifts else counters.get(name, 0) for name in self.triggered_relics]

    def _add_effects(self, effects: Iterable[e.SpireEffect]) -> tuple[int, int]:
        """Write effects into the record. Return the index of the first effect and the number of effects."""
        first = self._n_effects
        for effect in effects:
            if self._n_effects == at.N_EFFECTS:
                raise UsageError(f"a fight of more than {at.N_EFFECTS} effects; leave cards out")
            self.record.effects[self._n_effects] = self._effect_row(effect)
            self._n_effects += 1
        return first, self._n_effects - first

    def _effect_row(self, effect: e.SpireEffect) -> tuple[int, ...]:
        """Return the columns of an effect."""
        item = 0
        if effect.op in (e.OP_GIVE, e.OP_LOSE):
            item = at.STATUS_INDEX[effect.name]
        elif effect.op in (e.OP_CREATE, e.OP_UPGRADE_COPIES):
            item = self._kinds_by_name[effect.name]
        elif effect.op in POOL_OPS:
            item = list(card_rows.POOLS).index(effect.name)
        more = effect.pile if effect.op in _PILE_OPS else effect.strength if effect.op == e.OP_HIT else effect.more
        if effect.op == e.OP_UPGRADE_COPIES:
            more = self._kinds_by_name[effect.name + "+"]
        times = effect.scope if effect.op in _SCOPE_OPS else effect.times
        return effect.op, effect.n, times, effect.to, item, more, 0

    def _sources_of_cards(self) -> tuple[list[SpireCard], list[e.SpireEffect]]:
        """Return the cards of the deck, and the effects of enemies, relics and potions."""
        rows = [enemy_rows.enemy_row(name, self.setup.ascension) for name in self.enemy_names[1:]]
        effects = [effect for row in rows for effects in row.moves.values() for effect in effects]
        effects += [effect for relic in self.relics for effect in relic.effects]
        effects += [effect for name in self.potions for effect in POTIONS[name].effects]
        deck = [card for name, card in card_rows.CARDS.items() if self.deck[name]]
        deck += [card_rows.card_row(name) for name, n in self.deck.items() if name not in card_rows.CARDS and n]
        return deck, effects

    def _cards(self) -> None:
        """Fill the tables of cards."""
        rules = self.record
        rules.n_kinds = len(self.kinds)
        rules.end_turn_status[:] = at.NONE
        for table, change in CHANGES_OF_CARDS.items():
            rules[table][:] = at.NONE
            for kind, card in enumerate(self.kinds):
                rules[table][kind] = self._kind_after(change, card)
        rules.recost[:] = at.NONE
        for scope, changes in enumerate(COSTS.values()):
            for cost, change in enumerate(changes):
                for kind, card in enumerate(self.kinds):
                    rules.recost[kind, scope, cost] = self._kind_after(change, card)
        for place, pool in enumerate(card_rows.POOLS.values()):
            for card in pool:
                if card.name in self._kinds_by_name:
                    rules.pools[self.kind(card.name)] |= 1 << place
        getting_cheaper = [kind for kind in range(len(self.kinds)) if rules.cheaper[kind] != at.NONE]
        getting_cheaper.sort(key=lambda kind: card_rows.variant(self.kinds[kind].name).cost or 0)
        rules.n_cheaper = len(getting_cheaper)
        rules.by_cost[: rules.n_cheaper] = getting_cheaper
        rules.any_reverts = (rules.reverts != at.NONE).any()
        rules.discarded[:] = np.where(rules.reverts == at.NONE, np.arange(at.N_KINDS), rules.reverts)
        rules.any_pain = any(card.hp_loss_per_other_card for card in self.kinds)
        rules.any_ethereal = any(card.ethereal for card in self.kinds)
        rules.any_acts_at_turn_end = any(
            card.end_turn_damage or card.end_turn_hp_loss or card.end_turn_status for card in self.kinds
        )
        for kind, card in enumerate(self.kinds):
            rules.deck[kind] = self.deck[card.name]
            rules.cost[kind] = -2 if card.cost is None else card.cost
            rules.type[kind] = _CARD_TYPES[card.kind]
            for name in CARD_FIELDS:
                rules[name][kind] = getattr(card, name)
            rules.condition[kind] = at.ONLY_ATTACKS if card.needs_only_attacks else 0
            if card.needs_in_draw_pile:
                rules.condition[kind] = at.IN_DRAW_PILE + _CARD_TYPES[card.needs_in_draw_pile]
            if card.end_turn_status:
                rules.end_turn_status[kind] = at.STATUS_INDEX[card.end_turn_status]
            rules.strike[kind] = "Strike" in card.name
            rules.exhume[kind] = card.name.startswith("Exhume")
            rules.first_effect[kind], rules.n_effects[kind] = self._add_effects(self._effects(card))
        rules.counts_cards = any(card.max_cards_per_turn for card in self.kinds)

    def _kind_after(self, change: Change, card: SpireCard) -> int:
        """Return the kind of a card after a change; NONE if it does not change or is not in the fight then."""
        changed = change(card)
        return at.NONE if changed is None else self._kinds_by_name.get(changed.name, at.NONE)

    def _effects(self, card: SpireCard) -> Iterable[e.SpireEffect]:
        """Return the effects of a card, with the bonus of Strike Dummy."""
        more = sum(relic.changes.get("strike_damage", 0) for relic in self.relics) if "Strike" in card.name else 0
        return [replace(effect, n=effect.n + more * (effect.op in _STRIKE_OPS)) for effect in card.effects]

    def _enemy(self, row: int, name: str) -> None:
        """Fill the tables of an enemy, and the chain of its intents."""
        rules, found = self.record, enemy_rows.enemy_row(name, self.setup.ascension)
        for status, amount in found.statuses.items():
            rules.status[row, at.STATUS_INDEX[status]] = amount
        rules.enemy_hp[row] = found.hp
        rules.enemy_block[row] = found.block
        rules.random_statuses[row, :, 0] = at.NONE
        for place, (status, (least, most)) in enumerate(found.random_statuses.items()):
            rules.random_statuses[row, place] = at.STATUS_INDEX[status], least, most
        rules.elite[row] = enemy_rows.enemy_kind(name) == enemy_rows.ELITE
        for child, child_name in enumerate(found.children):
            rules.children[row, child] = self.enemy_names.index(child_name)
        rules.opening[row] = self._add_intent((), "")
        self._chain(row, found)

    def _chain(self, row: int, found: enemy_rows.EnemyRow) -> None:
        """Write the intents of an enemy, and the successors of each."""
        rules, pattern = self.record, found.pattern
        chain = self.chains[row] = {}
        to_do: list[Intent] = []

        def place_of(intent: Intent) -> int:
            if intent not in chain:
                chain[intent] = self._add_intent(found.moves[intent[0]], intent[0])
                to_do.append(intent)
            return chain[intent]

        def follow(place: int, following: Distribution[Intent]) -> None:
            pairs = following.merge().pairs
            rules.n_following[place] = len(pairs)
            for n, (intent, weight) in enumerate(pairs):
                rules.following[place, n], rules.weights[place, n] = place_of(intent), weight

        follow(rules.opening[row], pattern.first())
        for name in ("interrupt_move", "move_when_alone"):
            move = getattr(found, name)
            rules[name][row] = place_of(pattern.intent_of(move)) if move else at.NONE
        while to_do:
            move, run = to_do.pop()
            if not (found.children and move == found.interrupt_move):  # a split removes the enemy
                follow(chain[move, run], pattern.following(move, run))

    def _add_intent(self, effects: tuple[e.SpireEffect, ...], name: str) -> int:
        """Add an intent and return its place."""
        place = len(self.intents)
        if place == at.N_INTENTS:
            raise UsageError("too many enemies of different kinds in one fight; leave some out")
        self.intents.append(name)
        rules = self.record
        rules.intent_effect[place], rules.intent_n_effects[place] = self._add_effects(effects)
        rules.attacks[place] = any(effect.op in (e.OP_HIT, e.OP_BITE, e.OP_DIVIDE) for effect in effects)
        return place

    def _relics(self) -> None:
        rules = self.record
        self.triggered_relics: list[str] = []
        for name, relic in zip(self.setup.relics, self.relics, strict=True):
            if relic.only_against and self.enemy_kinds.isdisjoint(map(_KIND_OF_MARK.get, relic.only_against)):
                continue
            for change, amount in relic.changes.items():
                rules.change[at.CHANGE_INDEX[change]] += amount
                if change == "pocketwatch":
                    rules.before_pocketwatch = rules.n_relics
            if relic.when is not None:
                self._relic(name, relic)
                self.triggered_relics.append(name)
        rules.counts_cards |= any(rules.change[at.CHANGE_INDEX[name]] for name in _COUNTING_CHANGES)
        asks_first_turn = rules.change[at.C_ART_OF_WAR] or rules.change[at.C_POCKETWATCH]
        rules.last_turn = max((rules.max_turns, *(relic.turn for relic in self.relics), int(bool(asks_first_turn))))

    def _relic(self, name: str, relic: Relic) -> None:
        rules, place = self.record, int(self.record.n_relics)
        effects = relic.effects
        if relic.max_lifts:
            n_lifts = self.setup.counters.get(name, relic.max_lifts)
            effects = tuple(replace(effect, n=n_lifts) for effect in effects if n_lifts)
        if relic is RELICS["Du-Vu Doll"]:
            n_curses = sum(n for name, n in self.deck.items() if card_rows.card_row(name).kind == card_rows.CURSE)
            effects = (e.apply_status("Strength", n_curses),) if n_curses else ()
        rules.relic_when[place], rules.relic_turn[place] = relic.when, relic.turn
        rules.relic_every[place] = 0 if relic.once else relic.every
        rules.relic_kept[place] = relic.keeps_count
        rules.relic_effect[place], rules.relic_n_effects[place] = self._add_effects(effects)
        rules.n_relics += 1

    def _potions(self) -> None:
        rules = self.record
        double = 2 if rules.change[at.C_SACRED_BARK] else 1
        rules.n_potions = 0 if rules.change[at.C_SOZU] else len(self.potions)
        self.potion_effects: list[list[e.SpireEffect]] = []
        for place, name in enumerate(self.potions):
            potion = POTIONS[name]
            factor = double if potion.doubles else 1
            effects = [replace(effect, n=effect.n * factor) for effect in potion.effects]
            self.potion_effects.append(effects)
            rules.potion_targeted[place] = potion.targeted
            rules.potion_revives[place] = potion.revives * double
            flees = any(effect.op == e.OP_FLEE for effect in potion.effects)
            rules.potion_usable[place] = not potion.revives and not (flees and enemy_rows.BOSS in self.enemy_kinds)
            rules.potion_effect[place], rules.potion_n_effects[place] = self._add_effects(effects)

    def _healing(self) -> None:
        """Determine whether the player can heal during the fight, and by how much the maximum HP can rise."""
        cards = [effect for card in self.kinds for effect in card.effects]
        relics = [effect for relic in self.relics for effect in relic.effects]
        potions = [effect for effects in self.potion_effects for effect in effects]
        self.feed_max_hp = max((effect.more for effect in cards if effect.op == e.OP_FEED), default=0)
        self.potion_max_hp = [sum(one.n for one in effects if one.op == e.OP_MAX_HP) for effects in self.potion_effects]
        self.row_widths = [0, *(enemy_rows.n_places(name) for name in self.enemy_names[1:])]
        self.can_heal = (
            any(effect.op in _HEALING_OPS or effect.name == "Regen" for effect in (*cards, *relics, *potions))
            or any(POTIONS[name].revives for name in self.potions)
            or bool(self.record.change[at.C_LIZARD_TAIL] or self.record.change[at.C_MAGIC_FLOWER])
        )

    def _groups(self, enemies: Distribution[Group]) -> tuple[Any, Any]:
        """Return the groups as rows by place, int32 (n, MAX_ENEMIES), and their weights, int64 (n,)."""
        pairs = enemies.merge().pairs
        groups = np.zeros((len(pairs), at.MAX_ENEMIES), np.int32)
        for number, (group, _) in enumerate(pairs):
            place = 0
            for name in group:
                width = enemy_rows.n_places(name)
                if place + width > at.MAX_ENEMIES:
                    raise UsageError(f"{', '.join(group)} are too many: {at.MAX_ENEMIES} at most, those of splits too")
                groups[number, place] = self.enemy_names.index(name)
                place += width
        return groups, np.array([weight for _, weight in pairs], np.int64)


def check_setup(rules: FightRules) -> None:
    """Raise `UsageError` for an invalid setup."""
    setup = rules.setup
    if not 0 <= setup.ascension <= enemy_rows.MAX_ASCENSION:
        raise UsageError(f"ascension {setup.ascension} does not exist; allowed: 0 to {enemy_rows.MAX_ASCENSION}")
    for group, _ in setup.enemies:
        if unknown := [name for name in group if name not in enemy_rows.ENEMIES] or not group:
            raise UsageError(
                f"a fight needs enemies that are known, got {unknown}. Known: {', '.join(enemy_rows.ENEMIES)}"
            )
    if unknown := [name for name in setup.relics if name not in RELICS]:
        raise UsageError(f"no relic named {unknown[0]!r}. Known: {', '.join(RELICS)}")
    if unknown := [name for name in setup.potions if name not in POTIONS]:
        raise UsageError(f"no potion named {unknown[0]!r}. Known: {', '.join(POTIONS)}")
    if len(setup.potions) > at.N_POTIONS:
        raise UsageError(f"{len(setup.potions)} potions; at most {at.N_POTIONS}")
    if len(setup.relics) > at.N_RELICS:
        raise UsageError(f"{len(setup.relics)} relics; at most {at.N_RELICS}")
    if (n_innate := sum(n for name, n in rules.deck.items() if card_rows.card_row(name).innate)) > at.N_TOP:
        raise UsageError(f"{n_innate} innate cards; at most {at.N_TOP}")
    if setup.burning not in BURNING_MARKS:
        raise UsageError(f"no burning elite has {setup.burning!r}; allowed: {', '.join(BURNING_MARKS[1:])}")
    if rules.deck.total() < 1 or min(rules.deck.values()) < 0:
        raise UsageError("a deck needs at least one card")
    if not 1 <= rules.hp <= rules.max_hp <= card_rows.MAX_HP:
        raise UsageError(
            f"{rules.hp} HP of at most {rules.max_hp}; allowed: 1 to the maximum, and that up to {card_rows.MAX_HP}"
        )
    if setup.max_turns is not None and setup.max_turns < 1:
        raise UsageError(f"a fight of {setup.max_turns} turns cannot be won; allowed: 1 or more")
    if wrong := [hp for hp in setup.enemy_hp if hp is not None and not 1 <= hp <= card_rows.MAX_HP]:
        raise UsageError(f"an enemy cannot have {wrong[0]} HP; allowed: 1 to {card_rows.MAX_HP}")
    if setup.enemy_hp and any(len(group) != len(setup.enemy_hp) for group, _ in setup.enemies):
        raise UsageError(f"HP for {len(setup.enemy_hp)} enemies given, and that is not how many there are")
