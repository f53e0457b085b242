"""The fight of a game state, as CommunicationMod writes it: JSON with ids, powers and the last moves of each enemy.

Open it to change how a fight of the running game is read. https://github.com/ForgottenArbiter/CommunicationMod
describes the fields. The draw pile is read as a set of cards: its order is hidden from the player.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct, field

from evodom.distribution import certain
from evodom.errors import UsageError, short
from evodom.reading import convert
from evodom.spire.content.cards import BLOOD_FOR_BLOOD, CARDS, HAND_SIZE, MAX_HP, RAMPAGE, SKILL, X, card_row, variant
from evodom.spire.content.effects import PILES, THIS_FIGHT
from evodom.spire.content.enemies import DEFENSIVE, MAX_ASCENSION, EnemyRow, enemy_row
from evodom.spire.engine import layout as at
from evodom.spire.engine.card_play import CARDS_OF_PANACHE
from evodom.spire.engine.compiler import FightRules, Setup
from evodom.spire.fights import ids, states
from evodom.spire.fights.fight import POTION_PRICE, EnemyState, Fight, FightState, Payoff
from evodom.spire.fights.names import MAX_COPIES

MAX_LENGTH = 1000
"""Maximum length of the lists of a game state."""

CHOICE_SCREENS = ("HAND_SELECT", "GRID", "CARD_REWARD")
"""Screens that ask for a choice of cards. If one is open in a fight, a choice is pending."""

POTION_SLOT = "Potion Slot"
"""Id of an empty place for a potion."""

DEFENCE = (DEFENSIVE, "Roll Attack", "Twin Slam")
"""Intents of The Guardian in the three turns after a shift."""

USED_UP = -2
"""Counter of a relic that acts no more, such as a used Lizard Tail."""

MIDDLE_SENTRY = "Middle Sentry"
SENTRIES = ("Sentry", MIDDLE_SENTRY, "Sentry")
"""The encounter of three Sentries. All have one id, but the middle one has another move pattern."""

HAND, EXHAUST = PILES[0], PILES[-1]

LASTING_CHANGES = {name for name, card in CARDS.items() if any(one.scope == THIS_FIGHT for one in card.effects)}
"""Cards that change the cost of other cards for the rest of a fight."""

_CARD_COUNTERS = ("Velvet Choker", "Pocketwatch")
"""Relics whose counter is the number of cards played this turn."""

Hp = Annotated[int, Meta(ge=0, le=MAX_HP)]
MaxHp = Annotated[int, Meta(ge=1, le=MAX_HP)]
Amount = Annotated[int, Meta(ge=-states.MAX_AMOUNT, le=states.MAX_AMOUNT)]
Block = Annotated[int, Meta(ge=0, le=states.MAX_AMOUNT)]
Number = Annotated[int, Meta(ge=-(2**15), le=2**15)]


class CardEntry(Struct):
    """A card with its cost in this turn. Unknown fields are ignored here and in the other structs."""

    id: str
    upgrades: Annotated[int, Meta(ge=0, le=MAX_COPIES)] = 0
    cost: Annotated[int, Meta(ge=-2, le=9)] | None = None


class Power(Struct):
    """A power of the player or of a monster.

    `misc` is the HP that Combust costs. `damage` is the damage of Panache or The Bomb; their `amount` is the number of
    cards or turns until it.
    """

    id: str
    amount: Amount
    misc: Amount = 0
    damage: Amount = 0


class RelicEntry(Struct):
    """A relic with its counter."""

    id: str
    counter: Number = -1


class PotionEntry(Struct):
    """A potion, or an empty slot."""

    id: str


Cards = Annotated[list[CardEntry], Meta(max_length=at.MAX_COUNT)]
Powers = Annotated[list[Power], Meta(max_length=MAX_LENGTH)]


class Monster(Struct):
    """A monster with its move, the two moves before it, and the damage of its attack without Strength."""

    id: str
    current_hp: Hp
    max_hp: MaxHp
    block: Block = 0
    powers: Powers = []
    is_gone: bool = False
    move_id: int | None = None
    last_move_id: int | None = None
    second_last_move_id: int | None = None
    move_base_damage: Number = 0


class Player(Struct):
    """The player in a fight."""

    energy: Annotated[int, Meta(ge=0, le=states.MAX_ENERGY)]
    block: Block = 0
    powers: Powers = []


class Combat(Struct):
    """A fight in progress."""

    player: Player
    monsters: Annotated[list[Monster], Meta(min_length=1, max_length=MAX_LENGTH)]
    hand: Cards
    draw_pile: Cards
    discard_pile: Cards
    exhaust_pile: Cards = []
    turn: Annotated[int, Meta(ge=1, le=states.MAX_AMOUNT)] = 1
    times_damaged: Number = 0


class GameState(Struct):
    """A game state."""

    current_hp: MaxHp
    max_hp: MaxHp
    deck: Cards
    relics: Annotated[list[RelicEntry], Meta(max_length=MAX_LENGTH)] = []
    potions: Annotated[list[PotionEntry], Meta(max_length=MAX_LENGTH)] = []
    ascension_level: Annotated[int, Meta(ge=0, le=MAX_ASCENSION)] = 0
    character: Literal["IRONCLAD"] = field(default="IRONCLAD", name="class")
    screen_type: str = "NONE"
    combat_state: Combat | None = None


class GameFight(NamedTuple):
    """A fight of a game state.

    `skipped` are the unsupported parts, with the reasons. `idle` are relics without effect in fights. `assumed` are
    the facts that the state does not have, with the values taken for them.
    """

    fight: Fight
    skipped: tuple[str, ...]
    idle: tuple[str, ...]
    assumed: tuple[str, ...]

    def notes(self) -> Iterator[str]:
        """Yield a line each for skipped parts, relics without effect, and assumed facts, if there are any."""
        yield from ids.notes_on(self.skipped, self.idle)
        if self.assumed:
            yield f"Not in the file, assumed: {'; '.join(self.assumed)}."


def fight_from_game(contents: Mapping[str, object], *, skip: bool = False) -> GameFight:
    """Return the fight of a game state. Raise UsageError if it is invalid.

    Unsupported cards, relics, potions and powers are an error, unless `skip` is true.
    """
    game = convert(contents, GameState)
    if (combat := game.combat_state) is None:
        raise UsageError("combat_state is missing: the game is in no fight. Save a message of a fight.")
    if game.screen_type in CHOICE_SCREENS:
        raise UsageError(
            f"a choice of cards is pending ({game.screen_type}). Make it in the game, then save a message."
        )
    if game.current_hp > game.max_hp:
        raise UsageError(f"current_hp is {game.current_hp}. Allowed: 1 to {game.max_hp}, max_hp.")
    return _Reader(game, combat).fight(skip=skip)


class _Reader:
    """Read one game state, and collect the facts that it lacks and the parts that are not supported.

    Unsupported parts that act only if the player uses them, or never, are in `_unused`. They never block a fight.
    """

    def __init__(self, game: GameState, combat: Combat) -> None:
        self._game, self._combat = game, combat
        self._skipped: list[str] = []
        self._unused: list[str] = []
        self._assumed: list[str] = []

    def fight(self, *, skip: bool) -> GameFight:
        """Return the fight."""
        group = self._group()
        combat = self._combat
        given = (combat.hand, combat.draw_pile, combat.discard_pile, combat.exhaust_pile)
        piles = {name: self._cards(name, cards) for name, cards in zip(PILES, given, strict=True)}
        setup, idle = self._setup(group, piles.values())
        rules = states.compile_rules(setup)
        statuses = self._statuses(combat.player.powers, states.PLAYER_STATUSES)
        enemies = tuple(
            self._enemy(one, MIDDLE_SENTRY if group == SENTRIES and place == 1 else ids.MONSTERS[one.id][0], rules)
            for place, one in enumerate(combat.monsters)
            if not one.is_gone and one.current_hp
        )
        if self._skipped and not skip:
            named = "; ".join(dict.fromkeys(self._skipped))
            raise UsageError(f"not supported: {named}. Skip with --skip-unknown (Python: skip=True).")
        state = FightState(
            turn=combat.turn,
            energy=combat.player.energy,
            block=combat.player.block,
            statuses=statuses,
            top=(),
            potions=None,
            played=self._played(rules),
            enemies=enemies,
            **piles,
        )
        states.check_state(state, rules)
        setup = replace(setup, counters=self._counters(states.max_counters(rules)))
        fight = Fight(setup, Payoff(potion=POTION_PRICE), state, certain(", ".join(group)))
        skipped = dict.fromkeys(self._skipped + self._unused)
        return GameFight(fight, tuple(skipped), idle, tuple(dict.fromkeys(self._assumed)))

    def _group(self) -> tuple[str, ...]:
        """Return the enemies at the start of the fight, without the children of enemies that have split."""
        monsters = self._combat.monsters
        if unknown := [short(one.id) for one in monsters if one.id not in ids.MONSTERS and not one.is_gone]:
            raise UsageError(f"the enemies {', '.join(dict.fromkeys(unknown))} are not supported. Allowed: act 1.")
        children: Counter[str] = Counter()
        group: list[str] = []
        for one in monsters:
            if one.is_gone and one.id in ids.MONSTERS:
                children.update(enemy_row(ids.MONSTERS[one.id][0], 0).children)
        for one in monsters:
            name = ids.MONSTERS[one.id][0] if one.id in ids.MONSTERS else ""
            if children[name]:
                children[name] -= 1
            elif name:
                group.append(name)
        return SENTRIES if group == ["Sentry"] * 3 else tuple(group)

    def _cards(self, pile: str, given: Sequence[CardEntry]) -> dict[str, int]:
        """Return the counts of the supported cards of a pile by name."""
        found: Counter[str] = Counter()
        for full, cost in _names_and_costs(given, self._unused if pile == EXHAUST else self._skipped):
            found[self._with_cost(full, cost, pile)] += 1
            if full.startswith(RAMPAGE) and self._combat.turn > 1:
                self._assumed.append(f"damage of {full}: as printed")
        if many := [name for name, n in found.items() if n > MAX_COPIES]:
            raise UsageError(f"a pile has {found[many[0]]} {many[0]}. Allowed: at most {MAX_COPIES}.")
        return dict(found)

    def _with_cost(self, name: str, cost: int | None, pile: str) -> str:
        """Return the name of a card with its cost in the message.

        A cost that differs from the card's is assumed to end this turn. Outside the hand it is ignored. If costs last,
        it is the cost in this fight.
        """
        found = variant(name)
        is_fixed = cost is None or cost < 0 or found.cost in (None, X, cost)
        if is_fixed or (found.row.kind == SKILL and self._has_power("Corruption")):
            return name
        if self._costs_last or name.startswith(BLOOD_FOR_BLOOD):
            return found._replace(cost=cost, now=cost).name
        if pile != HAND:
            return name
        self._assumed.append(f"cost {cost} of {name}: this turn")
        return found._replace(now=cost).name

    @cached_property
    def _costs_last(self) -> bool:
        """Whether changed costs last for the fight: some are random, or one of LASTING_CHANGES was played."""
        if self._has_power("Confusion"):
            return True
        combat = self._combat
        gone = _names_and_costs([*combat.discard_pile, *combat.exhaust_pile], [])
        here = _names_and_costs([*combat.hand, *combat.draw_pile], [])
        is_raised = any((cost or 0) > max(card_row(name).cost or 0, 0) for name, cost in gone + here)
        return is_raised or any(name in LASTING_CHANGES for name, _ in gone)

    def _has_power(self, power_id: str) -> bool:
        return any(power.id == power_id for power in self._combat.player.powers)

    def _setup(self, group: tuple[str, ...], piles: Iterable[Mapping[str, int]]) -> tuple[Setup, tuple[str, ...]]:
        """Return the setup without counters, and the relics without effect in fights."""
        game = self._game
        relics, idle = ids.supported_relics(
            [one.id for one in game.relics if one.counter != USED_UP or "Neow" in one.id], self._skipped
        )
        held = [one.id for one in game.potions if one.id != POTION_SLOT]
        deck = dict(Counter(ids.supported_cards([(card.id, card.upgrades) for card in game.deck], self._unused)))
        setup = Setup(
            enemies=certain(group),
            ascension=game.ascension_level,
            deck=deck,
            hp=game.current_hp,
            max_hp=game.max_hp,
            relics=tuple(relics),
            potions=tuple(ids.supported_potions(held, self._unused)),
        )
        if len(setup.potions) > at.N_POTIONS:
            raise UsageError(f"potions are {len(setup.potions)}. Allowed: at most {at.N_POTIONS}.")
        # Rules need all cards of the piles. So add cards to the deck that neither the deck nor its effects contain.
        known = {card.name for card in states.compile_rules(setup).kinds}
        added = {name: 1 for pile in piles for name in pile if name not in known}
        return replace(setup, deck=deck | added), tuple(idle)

    def _statuses(self, powers: Iterable[Power], known: tuple[str, ...]) -> dict[str, int]:
        """Return the amounts of the statuses of a fighter."""
        found: dict[str, int] = {}
        for power in powers:
            name = ids.status_of(power.id.rstrip("0123456789"), known)  # several bombs have numbers
            if name is None:
                if power.id not in ids.POWERS_WITHOUT_STATUS:
                    self._skipped.append(f"{short(power.id)} (power)")
                continue
            amount = 1 if name in states.WITHOUT_AMOUNT else power.amount
            if name == "Combust":
                found["Combust cost"] = max(power.misc, 1)
            elif name == "Panache":
                found["Panache cards"] = min(max(CARDS_OF_PANACHE - amount, 0), CARDS_OF_PANACHE - 1)
                amount = power.damage
            elif name == ids.BOMB:
                name = f"Bomb in {min(amount, 3)} turns" if amount > 1 else name
                amount = power.damage + found.get(name, 0)
            found[name] = amount if name in states.MAY_BE_NEGATIVE else max(amount, 0)
        return {name: amount for name, amount in found.items() if amount}

    def _counters(self, known: Mapping[str, int]) -> dict[str, int]:
        """Return the counters of relics that are not 0. `known` are their maxima."""
        relics = self._relics()
        found = {name: min(max(relics[name].counter, 0), most) for name, most in known.items()}
        if "Centennial Puzzle" in found:
            found["Centennial Puzzle"] = int(self._combat.times_damaged > 0)
        return {name: n for name, n in found.items() if n or name == "Girya"}  # by default Girya has all lifts

    def _relics(self) -> dict[str, RelicEntry]:
        """Return the relics that affect fights, by name."""
        return {name: one for one in self._game.relics for name in ids.supported_relics([one.id], [])[0]}

    def _played(self, rules: FightRules) -> tuple[str, ...]:
        """Return the assumed types of the cards played this turn: those of the last discarded cards, then Skills.

        The number of cards is the counter of a relic. Without such a relic it is HAND_SIZE minus the cards in hand.
        """
        if not rules.record.counts_cards:
            return ()
        counts = [one.counter for name, one in self._relics().items() if name in _CARD_COUNTERS]
        n = min(max([0, *(counts or [HAND_SIZE - len(self._combat.hand)])]), states.MAX_ENERGY)
        last = _names_and_costs(self._combat.discard_pile, [])
        types = [card_row(name).kind for name, _ in last[len(last) - min(n, len(last)) :]]
        found = (*types, *["Skill"] * (n - len(types)))
        self._assumed.append(f"cards played this turn: {', '.join(found) or 'none'}")
        return found

    def _enemy(self, monster: Monster, name: str, rules: FightRules) -> EnemyState:
        """Return an enemy with its intent. If Runic Dome hides the intent, return the most likely possible one."""
        _, moves = ids.MONSTERS[monster.id]
        row = enemy_row(name, rules.setup.ascension)
        if monster.move_id is not None and monster.move_id not in moves:
            raise UsageError(f"move_id of {name} is {monster.move_id}. Allowed: {', '.join(map(str, moves))}.")
        given = (monster.second_last_move_id, monster.last_move_id)
        observed: list[Container[str] | None] = [moves.get(move, ()) for move in given if move is not None]
        observed.append(None if monster.move_id is None else moves[monster.move_id])
        found = states.likely_intents(name, rules, observed, self._combat.turn)
        statuses = self._statuses(monster.powers, states.ENEMY_STATUSES)
        enemies = [
            EnemyState(
                name=name,
                hp=monster.current_hp,
                max_hp=max(monster.max_hp, monster.current_hp),
                intent=move,
                history=history,
                block=monster.block,
                statuses=statuses | self._hidden_statuses(monster, row, move, statuses),
            )
            for move, history in found
        ]
        if monster.move_id is None:
            interrupted = [replace(enemies[0], intent=row.interrupt_move, history=None)] if row.interrupt_move else []
            enemies = [one for one in [*enemies, *interrupted] if _is_possible(one, rules)] or enemies
            self._assumed.append(f"intent of {name}: {enemies[0].intent}")
        elif len(found) > 1:
            self._assumed.append(f"earlier moves of {name}: the most likely")
        return enemies[0]

    def _hidden_statuses(self, monster: Monster, row: EnemyRow, move: str, shown: Mapping[str, int]) -> dict[str, int]:
        """Return the statuses that are no powers of the game: Bite, Divider and Shifts. `shown` are the others."""
        if "Bite" in row.random_statuses:
            least, most = row.random_statuses["Bite"]
            if move == "Bite" and monster.move_base_damage > 0:
                return {"Bite": monster.move_base_damage}
            self._assumed.append(f"bite of {ids.MONSTERS[monster.id][0]}: {(least + most) // 2} ({least} to {most})")
            return {"Bite": (least + most) // 2}
        if move == "Divider":
            return {"Divider": monster.move_base_damage or self._game.current_hp // 12 + 1}
        if "Mode Shift" in row.statuses:
            lost = monster.max_hp - monster.current_hp
            first, left = row.statuses["Mode Shift"], shown.get("Mode Shift", 0)
            # The turn of the last shift, if it is in defence.
            turn = self._combat.turn - (DEFENCE.index(move) if move in DEFENCE else 0)
            if n := max_shifts(lost, first, left, turn):
                self._assumed.append(f"shifts of The Guardian: {n}, from the turn and the HP that it has lost")
                return {"Shifts": n}
        return {}


def _names_and_costs(cards: Iterable[CardEntry], skipped: list[str]) -> list[tuple[str, int | None]]:
    """Return the names of supported cards, with their costs in the message. Add the others to `skipped`."""
    named = ((card, ids.supported_cards([(card.id, card.upgrades)], skipped)) for card in cards)
    return [(name, card.cost) for card, names in named for name in names]


def _is_possible(enemy: EnemyState, rules: FightRules) -> bool:
    """Return whether HP and statuses of an enemy allow its intent."""
    try:
        states.check_enemy(enemy, rules, "")
    except UsageError:
        return False
    return True


def max_shifts(lost: int, first: int, left: int, turn: int) -> int:
    """Return the maximum number of times that The Guardian can have returned to offence after losing `lost` HP.

    It shifts to defence after a loss of `first` HP, then of `first` + 10, and so on. The next shift is `left` HP away.
    It returns three turns after each shift.
    """
    n = max(0, -(-(left - first) // 10))
    while n < (turn - 1) // 3 and (n + 2) * first + 5 * (n + 2) * (n + 1) - left <= lost:
        n += 1
    return n
