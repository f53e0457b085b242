"""Convert the buy rules of DominionSim's bots to strategy files, and count how many bots the language can express.

    python benchmarks/dominionsim_bots.py DomBots.xml
    python benchmarks/dominionsim_bots.py DomBots.xml --output FOLDER

DomBots.xml is in the folder src/main/java/be/aga/dominionSimulator of github.com/Geronimoo/DominionSim. The script
prints how many bots load, and the reasons of each other bot: cards that evodom does not have, conditions without a
quantity, a start state, or more rules than a list has room for. With --output, each bot that loads is written as a
strategy file with the published play values.

Differences remain. A play strategy of a bot, such as "aggressiveTrashing", is left out and printed.
`countAvailableMoney` leaves out the Treasures in hand during the Action phase. `coins` includes them.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

from evodom.dominion.cards import BASIC, find_card, is_card
from evodom.dominion.kingdom import Kingdom, slug
from evodom.dominion.strategies.files import dump_strategy, parse_strategy
from evodom.dominion.strategies.models.buy_lists.columns import TYPES
from evodom.errors import UsageError
from evodom.files import toml_value

QUANTITIES = {
    "countCardsInDeck": "count_in_deck",
    "countCardsInSupply": "count_in_supply",
    "countCardsInHand": "count_in_hand",
    "countCardsInPlay": "count_in_play",
    "countAllCardsInDeck": "cards_in_deck",
    "countAvailableMoney": "coins",
    "countBuysLeft": "buys",
    "countEmptyPiles": "empty_piles",
    "countMAXOpponentVP": "opponent_vp",
    "countTurns": "turn_number",
    "countVP": "vp",
    "gainsNeededToEndGame": "gains_to_end",
    "getTotalMoney": "total_money",
    "getTotalMoneyExcludingMats": "available_money",
    "isActionPhase": "action_phase",
}
"""Quantities by the names of DominionSim's functions, except countCardTypeInDeck."""

GROUPS = {
    "Village": (
        "Bazaar", "City", "Festival", "Fishing Village", "Mining Village", "Native Village", "Nobles", "Shanty Town",
        "Village", "Worker's Village",
    ),
    "Cycler": (
        "Bazaar", "Caravan", "Cellar", "City", "Grand Market", "Harbinger", "Haven", "Laboratory", "Market", "Merchant",
        "Mill", "Mining Village", "Pawn", "Peddler", "Poacher", "Sea Chart", "Secret Passage", "Sentry", "Spy",
        "Tide Pools", "Treasury", "Upgrade", "Village", "Warehouse", "Wishing Well", "Worker's Village",
    ),
}  # fmt: skip
"""Groups of cards that DominionSim counts like types. A condition counts the cards of a group that the bot buys."""

COMPARISONS = {
    "smallerThan": "<",
    "smallerOrEqualThan": "<=",
    "greaterThan": ">",
    "greaterOrEqualThan": ">=",
    "equalTo": "==",
}

OPERATORS = {"plus": "+", "minus": "-", "multiplyWith": "*", "divideBy": "/"}

MISSING_CARDS, CONDITIONS, START, SIZE = "cards", "conditions", "start state", "size"
"""Kinds of reasons why a bot does not load. The report lists a bot under the first of its kinds."""


@dataclass
class Bot:
    """A bot: its rules as text, and the reasons why it does not load, as kind and value."""

    name: str
    rules: list[str] = field(default_factory=list)
    bought: set[str] = field(default_factory=set)
    play_strategies: set[str] = field(default_factory=set)
    reasons: dict[tuple[str, str], None] = field(default_factory=dict)
    text: str = ""
    """The strategy file of a bot that loads."""

    def card(self, name: str) -> str:
        """Return the name of a card, and add a reason if evodom does not have it."""
        name = name.replace("_", " ").replace("$", "'")
        if not is_card(name):
            self.reasons[MISSING_CARDS, name] = None
            return name
        return find_card(name).name

    def operand(self, side: ElementTree.Element) -> str:
        """Return one side of a condition in the language of buy lists."""
        kind, argument = side.get("type", ""), side.get("attribute", "")
        if kind == "constant":
            return f"{float(argument):g}"
        if kind == "countCardTypeInDeck":
            if argument in TYPES:
                return f"count_type_in_deck({argument})"
            if argument == "Terminal":
                return "terminals"
            if counted := sorted(self.bought.intersection(GROUPS.get(argument, ()))):
                return f"({' + '.join(f'count_in_deck({name})' for name in counted)})"
        if kind in QUANTITIES:
            quantity = QUANTITIES[kind]
            return f"{quantity}({self.card(argument)})" if quantity.startswith("count_in_") else quantity
        self.reasons[CONDITIONS, f"{kind} {argument}".strip()] = None
        return "0"

    def condition(self, element: ElementTree.Element) -> str:
        """Return a condition in the language of buy lists."""
        left, sign, right = (element.find(tag) for tag in ("left", "operator", "right"))
        if left is None or sign is None or right is None:
            raise UsageError(f"a condition of {self.name} lacks left, operator or right.")
        text = f"{self.operand(left)} {COMPARISONS[sign.get('type', '')]} {self.operand(right)}"
        for extra in element.iter("extra_operation"):
            text += f" {OPERATORS[extra.get('type', '')]} {float(extra.get('attribute', '0')):g}"
        return text


def read_bot(player: ElementTree.Element) -> Bot:
    """Return a bot of the file, with its text if it loads."""
    bot = Bot(player.get("name", ""))
    elements = player.findall("buy")
    bot.bought = {bot.card(element.get("name", "")) for element in elements}
    for element in elements:
        if bane := element.get("bane"):
            bot.reasons[CONDITIONS, f"bane {bane}"] = None
        bot.play_strategies |= {element.get("strategy", "standard")} - {"standard"}
        conditions = " and ".join(bot.condition(each) for each in element.iter("condition"))
        bot.rules.append(bot.card(element.get("name", "")) + (f" if {conditions}" if conditions else ""))
    if player.find("start_state") is not None:
        bot.reasons[START, "hand, draw pile or discard pile"] = None
    if not bot.reasons:
        convert(bot, player.get("author", ""))
    return bot


def convert(bot: Bot, author: str) -> None:
    """Set the strategy file of a bot, or the reason why its list exceeds the size of a list."""
    head = [f"name = {toml_value(bot.name)}", "endgame_check = true", 'play_values = "published"', "buy = ["]
    try:
        strategy = parse_strategy("\n".join([*head, *(f"{toml_value(rule)}," for rule in bot.rules), "]"]))
        named = [name for name in strategy.content.cards if find_card(name) not in BASIC]
        kingdom = Kingdom(tuple(named))
        comment = f"The bot {bot.name} by {author} (DominionSim)."
        bot.text = dump_strategy(strategy.record(kingdom), kingdom, name=bot.name, comment=comment)
    except UsageError as error:
        bot.reasons[SIZE, str(error)] = None


def report(bots: list[Bot]) -> Iterator[str]:
    """Yield the lines of the report."""
    loaded = [bot for bot in bots if bot.text]
    others = sorted((bot for bot in bots if bot.reasons), key=first_kind)
    yield f"{len(loaded)} of {len(bots)} bots load."
    for kind, group in groupby(others, key=first_kind):
        same = list(group)
        values = Counter(value for bot in same for of, value in bot.reasons if of == kind)
        yield f"\nnot loaded, {kind}: {len(same)}. Most frequent: " + ", ".join(
            f"{v} {n}" for v, n in values.most_common(8)
        )
        yield from (f"  {bot.name}: {'; '.join(f'{of} {value}' for of, value in bot.reasons)}" for bot in same)
    without = [f"{bot.name} ({', '.join(sorted(bot.play_strategies))})" for bot in loaded if bot.play_strategies]
    yield f"\nloaded without a play strategy: {', '.join(without) or 'none'}"


def first_kind(bot: Bot) -> str:
    """Return the first kind of reason that a bot has."""
    return next(kind for kind in (MISSING_CARDS, CONDITIONS, START, SIZE) if any(of == kind for of, _ in bot.reasons))


def main() -> int:
    """Print the report and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="DomBots.xml")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="write the strategy files into this folder")
    arguments = parser.parse_args()
    bots = [read_bot(player) for player in ElementTree.parse(arguments.file).getroot().iter("player")]
    print(*report(bots), sep="\n")
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        for bot in bots:
            if bot.text:
                name = re.sub(r"[^a-z0-9]+", "-", slug(bot.name)).strip("-")
                (arguments.output / f"{name}.toml").write_text(bot.text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
