"""Define the model of preferences: draw cards by weights, under the strategy's conditions.

The model reads and writes strategy files, edits strategies, and describes them in words or as rules of a buy list.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evodom.dominion.cards import ACTION_CLASS_NAMES, CARDS, PROVINCE
from evodom.dominion.effects.effect import Type
from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies import record
from evodom.dominion.strategies.base import PREFERENCES, Change, Genetics, IsAsGood, StrategyModel
from evodom.dominion.strategies.describe import (
    BuyOrder,
    BuyOrders,
    StrategyDescription,
    counted,
    end_near,
    numbers_in_words,
)
from evodom.dominion.strategies.files import OPTIONS_FIELD, Field, explicit_options, table_lines
from evodom.dominion.strategies.models.buy_lists.buy_list import computed_piles
from evodom.dominion.strategies.models.buy_lists.language import parse_rules
from evodom.dominion.strategies.models.buy_lists.model import rule_in_words
from evodom.dominion.strategies.models.preferences import genetics
from evodom.dominion.strategies.models.preferences.changes import CHANGES
from evodom.dominion.strategies.models.preferences.columns import PreferenceColumns
from evodom.dominion.strategies.models.preferences.select import BUY_SAMPLES, select_preferred
from evodom.dominion.strategies.operators import terminal_piles
from evodom.dominion.strategies.play.card_values import DECK_VALUES, HAND_VALUES
from evodom.dominion.strategies.play.deck_values import MANY_POINTS
from evodom.dominion.strategies.play.menu_weights import OPTION_VALUES
from evodom.errors import UsageError
from evodom.files import toml_value

FIELDS = (
    Field("switch", "switch", 12),
    Field("switch_on", "switch_on", record.SWITCH_TURN),
    Field("switch_left", "switch_left", 0),
    Field("pass_weights", "preferences.pass_weights", [0.0, 0.0]),
    Field("province_coins", "preferences.province_coins", 0),
    Field("terminals", "preferences.terminals", record.UNLIMITED),
    Field("terminal_per", "preferences.terminal_per", 0),
    Field("graded", "preferences.graded", 1, is_flag=True),
    Field("uses_card_values", "uses_card_values", 1, is_flag=True),
    Field("cellar_victory_only", "preferences.cellar_victory_only", 0, is_flag=True),
    Field("play_values", "play_values", names=record.PLAY_VALUES),
    Field("class_weights", "preferences.class_weights", [0.999, 0.001, 1e-09]),
    Field("trash_below", "trash_below", [record.TRASH_BELOW, record.TRASH_BELOW]),
    Field("coin_floor", "coin_floor", record.COMPUTED),
    Field("discard_to", "discard_to", record.COMPUTED),
    Field("early", "preferences.weights", row=record.EARLY),
    Field("late", "preferences.weights", row=record.LATE),
    Field("limits", "preferences.limits", record.UNLIMITED),
    Field("max_gains_to_end", "preferences.max_gains_to_end", record.UNLIMITED),
    Field("deck_value", "deck_value", DECK_VALUES, computed=record.DECK_ROW),
    Field("hand_value", "hand_value", HAND_VALUES, computed=record.HAND_ROW),
    OPTIONS_FIELD,
)
"""Fields of a preferences file. Numbers come before tables, as TOML requires."""

TOP_WEIGHT_RATIO = 20.0
"""Ratio of the weight of an added card to the next lower weight if no other card has a higher weight."""

MIN_WEIGHT_SHARE = 0.25
"""Cards with a weight below this share of the pass weight are rarely bought. Descriptions leave them out."""

MAX_LIMIT = 12
"""Maximum limit that has an effect: the largest kingdom pile has this number of cards."""

GRADED_BUYING = "It draws each buy by its weights, among passing and the cards that it can afford and wants."
CLASSIC_BUYING = (
    f"It draws up to {BUY_SAMPLES} different cards by its weights and buys the first of them that it can afford."
)
ENDING = "It ends the game only to win or to tie."


@dataclass(frozen=True, slots=True)
class PreferencesContent:
    """The values of a strategy file by the keys of FIELDS."""

    values: Mapping[str, Any]

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards named in tables of the file."""
        tables = [self.values[each.key] for each in FIELDS if each.is_table and each.key in self.values]
        return tuple(dict.fromkeys(card for table in tables for card in table))

    def encode(self, kingdom: Kingdom, strategy: record.Strategy) -> None:
        """Write the values into a blank record."""
        for each in FIELDS:
            if each.entries:
                strategy[each.column] = tuple((OPTION_VALUES | self.values.get(each.key, {})).values())
            elif each.is_table:
                table = self.values.get(each.key, {})
                numbers = each.numbers(strategy)
                numbers[: len(kingdom.names)] = [table.get(name, each.default_of(name)) for name in kingdom.names]
            else:
                part, name = record.find_column(strategy, each.column)
                part[name] = self.values.get(each.key, each.default)
            if each.computed is not None and strategy.play_values == record.COMPUTED_VALUES:
                strategy.computed[each.computed] = computed_piles(kingdom.names, self.values.get(each.key, {}))


class PreferenceModel(StrategyModel):
    """Strategies that draw buys and gains from an early and a late distribution."""

    name = PREFERENCES
    select = staticmethod(select_preferred)
    defaults: ClassVar[Mapping[str, int]] = {
        "preferences.limits": record.UNLIMITED,
        "preferences.max_gains_to_end": record.UNLIMITED,
        "preferences.terminals": record.UNLIMITED,
        "discard_to": record.COMPUTED,
        "play_values": record.PUBLISHED_VALUES,
    }
    identity_columns = ("preferences.weights",)
    genetics: ClassVar[Genetics | None] = genetics
    changes: ClassVar[Sequence[Change]] = CHANGES
    keys = tuple(each.key for each in FIELDS)

    def is_sound(self, strategy: record.Strategy) -> bool:
        """Return whether all weights are finite: kernels draw by them."""
        return bool(
            all(
                np.isfinite(strategy["preferences"][name]).all()
                for name in ("weights", "pass_weights", "class_weights")
            )
        )

    def read(self, fields: Mapping[str, object]) -> PreferencesContent:
        """Return the checked values of a file's fields. Without ``late`` the early preferences hold all game."""
        values = {each.key: each.read(fields[each.key]) for each in FIELDS if each.key in fields}
        if not any(weight > 0 for weight in values.get("early", {}).values()):
            raise UsageError("[early] prefers nothing. Allowed: cards with weights, such as Gold = 10.")
        values.setdefault("late", values["early"])
        return PreferencesContent(values)

    def dump(self, strategy: record.Strategy, kingdom: Kingdom) -> list[str]:
        """Return the lines of a file."""
        lines: list[str] = []
        for each in FIELDS:
            numbers = each.numbers(strategy)
            if each.entries:
                lines += table_lines(each.key, explicit_options(strategy))
            elif each.is_table:
                table = each.explicit_table(strategy, kingdom.names, [each.default_of(name) for name in kingdom.names])
                if each.column == "preferences.weights":
                    table = dict(sorted(table.items(), key=lambda item: -item[1]))
                lines += table_lines(each.key, table, write_empty=True)
            elif each.is_flag:
                lines.append(f"{each.key} = {'true' if numbers else 'false'}")
            elif each.names:
                lines.append(f"{each.key} = {toml_value(each.names[int(numbers)])}")
            elif each.shape:
                lines.append(f"{each.key} = {toml_value(list(numbers))}")
            elif numbers != record.COMPUTED:
                lines.append(f"{each.key} = {toml_value(numbers)}")
        return lines

    def describe(self, strategy: record.Strategy, kingdom: Kingdom, owned: Collection[str]) -> StrategyDescription:
        """Return the conditions, play order, values and trashing of a strategy for the cards it owns.

        The weights are not included: the buys show their effect.
        """
        wants: PreferenceColumns = strategy["preferences"]
        piles = [pile for pile, name in enumerate(kingdom.names) if name in owned]
        limits = [
            f"{strategy['preferences'].limits[pile]} {kingdom.names[pile]}"
            for pile in piles
            if wants.limits[pile] < MAX_LIMIT
        ]
        only = _conditions_in_words(strategy, kingdom, piles)
        facts = {"at most": ", ".join(limits)} if limits else {}
        facts |= {"only": "; ".join(only)} if only else {}
        classes = _classes(strategy, kingdom, piles)
        facts |= {"plays first": "; then ".join(classes)} if len(classes) > 1 else {}
        facts |= _card_values(strategy, kingdom, piles) if strategy.uses_card_values else {}
        facts |= {"values of options": numbers_in_words(options)} if (options := explicit_options(strategy)) else {}
        return StrategyDescription(
            f"{GRADED_BUYING if strategy['preferences'].graded else CLASSIC_BUYING} {ENDING}", facts=facts
        )

    def describe_buys(self, strategy: record.Strategy, kingdom: Kingdom) -> BuyOrders:
        """Return preferences in words: an order for each phase, or one if both are equal."""
        early, late = (_order_in_words(strategy, phase, kingdom) for phase in (record.EARLY, record.LATE))
        (until, then), _ = _phases(strategy)
        orders = [BuyOrder("", early)] if early == late else [BuyOrder(until, early), BuyOrder(then, late)]
        return BuyOrders(tuple(each for each in orders if each.lines), _terminals_in_words(strategy))

    def without_card(self, strategy: record.Strategy, card: str, kingdom: Kingdom) -> record.Strategy:
        """Return preferences with weight 0 for a card."""
        pile = kingdom.pile(card)
        changed = strategy.copy()
        changed["preferences"].weights[:, pile] = 0.0
        changed["preferences"].limits[pile] = 0
        return changed

    def with_card(self, strategy: record.Strategy, card: str, n: int, kingdom: Kingdom) -> record.Strategy:
        """Return preferences that prefer up to ``n`` of a card to all cards of at most its cost.

        Victory cards and more expensive cards keep their place.
        """
        pile = kingdom.pile(card)
        changed = strategy.copy()
        cost = CARDS[card].cost
        no_dearer = list(kingdom.piles_where(lambda other: other.cost <= cost and Type.VICTORY not in other.types))
        for phase in (record.EARLY, record.LATE):
            weights = changed["preferences"].weights[phase][: len(kingdom.piles)]
            # The weight to exceed: the highest of passing and the cards to precede; if 0, a weight below all others.
            floor = max(float(weights[no_dearer].max()), float(changed["preferences"].pass_weights[phase]))
            floor = floor or float(weights[weights > 0.0].min(initial=1.0)) / TOP_WEIGHT_RATIO
            before = [float(weight) for weight in np.delete(weights, no_dearer) if weight > floor]
            # The geometric mean of the floor and the next higher weight.
            changed["preferences"].weights[phase, pile] = (
                (floor * min(before)) ** 0.5 if before else TOP_WEIGHT_RATIO * floor
            )
        changed["preferences"].limits[pile] = n
        return changed

    def simplified(self, strategy: record.Strategy, kingdom: Kingdom, is_as_good: IsAsGood) -> record.Strategy:
        """Remove the second phase, then weights, then conditions, wherever ``is_as_good`` accepts the result."""
        n_piles = len(kingdom.piles)

        def was_removed(column: str, place: int | tuple[list[int], int] | list[int], value: object) -> bool:
            """Write a value into a column. Keep it and return True if the result is as good."""
            nonlocal strategy
            changed = strategy.copy()
            changed["preferences"][column][place] = value
            if np.array_equal(changed["preferences"][column], strategy["preferences"][column]) or not is_as_good(
                changed
            ):
                return False
            strategy = changed
            return True

        phases = [[record.EARLY], [record.LATE]]
        for phase, other in ((record.EARLY, record.LATE), (record.LATE, record.EARLY)):
            are_equal = np.array_equal(
                strategy["preferences"].weights[record.EARLY], strategy["preferences"].weights[record.LATE]
            )
            if are_equal or was_removed("weights", other, strategy["preferences"].weights[phase]):
                phases = [[record.EARLY, record.LATE]]
                break
        for phase_group in phases:
            was_removed("pass_weights", phase_group, 0.0)
            for pile in np.argsort(strategy["preferences"].weights[phase_group[0]][:n_piles], kind="stable"):
                was_removed("weights", (phase_group, int(pile)), 0.0)
        for column in ("limits", "max_gains_to_end"):
            for pile in range(n_piles):
                was_removed(column, pile, record.UNLIMITED)
        for column, nothing in (("terminals", record.UNLIMITED), ("province_coins", 0)):
            changed = strategy.copy()
            changed["preferences"][column] = nothing
            strategy = changed if is_as_good(changed) else strategy
        return strategy

    def as_rules(self, strategy: record.Strategy, kingdom: Kingdom) -> tuple[str, ...] | None:
        """Return a rule for each card of both phases, the most preferred first. Return None for classic preferences.

        Classic buys are drawn from flat weights among all cards. No ordered list is similar.
        """
        wants: PreferenceColumns = strategy["preferences"]
        if not wants.graded:
            return None
        early, late = (_rules(strategy, phase, kingdom) for phase in (record.EARLY, record.LATE))
        if early == late:
            return tuple(_rule_text(card, conditions) for card, conditions in early)
        _, (until, then) = _phases(strategy)
        phases = [(until, early), (then, late)]
        return tuple(_rule_text(card, [when, *conditions]) for when, rules in phases for card, conditions in rules)


MODEL = PreferenceModel()


def _classes(strategy: record.Strategy, kingdom: Kingdom, piles: Sequence[int]) -> list[str]:
    """Return the Actions among some piles by class, in the order of play."""
    wants: PreferenceColumns = strategy["preferences"]
    actions = [card for card in (kingdom.piles[pile] for pile in piles) if Type.ACTION in card.types]
    classes = []
    for index in np.argsort(-wants.class_weights, kind="stable"):
        cards = [card.name for card in actions if card.action_class == index]
        classes += [f"{ACTION_CLASS_NAMES[index]} ({', '.join(cards)})"] if cards else []
    return classes


def _card_values(strategy: record.Strategy, kingdom: Kingdom, piles: Sequence[int]) -> dict[str, str]:
    """Return some piles in the order of their deck values, and the trashed piles if one of them trashes."""
    order = sorted(piles, key=lambda pile: -strategy.deck_value[pile])
    ranks = {"deck values": " > ".join(kingdom.names[pile] for pile in order)}
    if not any(kingdom.piles[pile].trashes for pile in piles):
        return ranks

    def trashed(phase: int) -> str:
        below = [pile for pile in order if strategy.deck_value[pile] < strategy.trash_below[phase]]
        if strategy.play_values == record.COMPUTED_VALUES:
            below = [pile for pile in below if kingdom.piles[pile].vp < MANY_POINTS]
        return ", ".join(kingdom.names[pile] for pile in below) or "nothing"

    kept = {"keeps Treasures for": f"${strategy.coin_floor}"} if strategy.coin_floor > 0 else {}
    return {**ranks, "trashes early": trashed(record.EARLY), "trashes late": trashed(record.LATE), **kept}


def _conditions_in_words(strategy: record.Strategy, kingdom: Kingdom, piles: Sequence[int]) -> tuple[str, ...]:
    """Return the conditions of some preferred piles in words, without plain limits."""
    wants: PreferenceColumns = strategy["preferences"]
    preferred = (wants.weights.max(axis=0) > 0.0) & (wants.max_gains_to_end > 0)  # no turn begins with 0 gains left
    said = []
    for pile in piles:
        words = _pile_in_words(strategy, pile, kingdom)
        if preferred[pile] and " once " in words:
            said.append(words)
    has_terminals = bool({*piles} & {*terminal_piles(kingdom)})
    return (*said, *(_terminals_in_words(strategy) if has_terminals else ()))


def _phases(strategy: record.Strategy) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the times of the early and the late preference, in words and as conditions of a buy list."""
    left = int(strategy.switch_left)
    if strategy.switch_on == record.SWITCH_PROVINCES:
        near, quantity = f"{counted(left, 'Province')} {'is' if left == 1 else 'are'} left", "count_in_supply(Province)"
    elif strategy.switch_on == record.SWITCH_GAINS:
        near, quantity = end_near(left), "gains_to_end"
    else:
        turn = int(strategy.switch)
        return (f"until turn {turn}", f"from turn {turn + 1}"), (f"turn_number <= {turn}", f"turn_number > {turn}")
    return (f"until {near}", f"once {near}"), (f"{quantity} > {left}", f"{quantity} <= {left}")


def preferred_piles(strategy: record.Strategy, phase: int, kingdom: Kingdom) -> list[int]:
    """Return the piles with a relevant weight in a phase, the most preferred first."""
    wants: PreferenceColumns = strategy["preferences"]
    weights = wants.weights[phase][: len(kingdom.piles)]
    least = MIN_WEIGHT_SHARE * float(wants.pass_weights[phase])
    order = np.argsort(-weights, kind="stable")
    return [int(pile) for pile in order if weights[pile] > least and wants.max_gains_to_end[pile]]


def _terminals_in_words(strategy: record.Strategy) -> tuple[str, ...]:
    wants: PreferenceColumns = strategy["preferences"]
    if wants.terminals >= record.UNLIMITED:
        return ()
    more = f", one more for each {strategy['preferences'].terminal_per} cards" if wants.terminal_per else ""
    return (f"terminal Actions: {strategy['preferences'].terminals} at a time{more}, and one more for each Village",)


def _order_in_words(strategy: record.Strategy, phase: int, kingdom: Kingdom) -> tuple[str, ...]:
    """Return the cards with a relevant weight and a limit above 0 in words, the most preferred first."""
    wants: PreferenceColumns = strategy["preferences"]
    order = preferred_piles(strategy, phase, kingdom)
    return tuple(_pile_in_words(strategy, pile, kingdom) for pile in order if wants.limits[pile])


def _pile_in_words(strategy: record.Strategy, pile: int, kingdom: Kingdom) -> str:
    """Return the conditions of a pile in words, without the limit of terminal Actions."""
    (rule,) = parse_rules(_rule_text(kingdom.names[pile], _pile_conditions(strategy, pile, kingdom)))
    return rule_in_words(rule)


def _rules(strategy: record.Strategy, phase: int, kingdom: Kingdom) -> list[tuple[str, list[str]]]:
    piles = preferred_piles(strategy, phase, kingdom)
    return [(kingdom.names[pile], _conditions(strategy, pile, kingdom)) for pile in piles]


def _rule_text(card: str, conditions: list[str]) -> str:
    return f"{card} if {' and '.join(conditions)}" if conditions else card


def _pile_conditions(strategy: record.Strategy, pile: int, kingdom: Kingdom) -> list[str]:
    """Return the conditions of a pile in the language of strategy files, without the limit of terminal Actions."""
    wants: PreferenceColumns = strategy["preferences"]
    name, limit, left = (kingdom.names[pile], int(wants.limits[pile]), int(wants.max_gains_to_end[pile]))
    conditions = [f"count_in_deck({name}) < {limit}"] if limit < record.UNLIMITED else []
    conditions += [f"gains_to_end <= {left}"] if left < record.UNLIMITED else []
    if pile == PROVINCE and wants.province_coins > 0:
        conditions.append(f"total_money > {strategy['preferences'].province_coins}")
    return conditions


def _conditions(strategy: record.Strategy, pile: int, kingdom: Kingdom) -> list[str]:
    """Return all conditions of a pile in the language of strategy files."""
    wants: PreferenceColumns = strategy["preferences"]
    conditions = _pile_conditions(strategy, pile, kingdom)
    if wants.terminals < record.UNLIMITED and pile in terminal_piles(kingdom):
        conditions.append(_room_for_terminals(strategy))
    return conditions


def _room_for_terminals(strategy: record.Strategy) -> str:
    """Return the condition that the deck has room for another terminal Action."""
    wants: PreferenceColumns = strategy["preferences"]
    room = str(int(wants.terminals))
    # The quotient can be a fraction. `excess + 1 <= room` equals `excess < floor(room)`.
    per_cards = f" + cards_in_deck / {int(wants.terminal_per)}"
    return f"excess_terminals + 1 <= {room}{per_cards}" if wants.terminal_per else f"excess_terminals < {room}"
