"""The baselines: buy lists written by hand, as data.

Those called "ultimate" and their kin are the published ones of simulator communities (Big Money Ultimate and what is
built on it); docs/baselines.md has what all of them come to.
"""

from evodom.dominion.strategies.buy_lists.rules import BuyList


def big_money(*extra: str) -> tuple[str, ...]:
    """Return Big Money: Provinces, Gold, Silver, Duchies and Estates late, and ``extra`` rules before Silver."""
    return (
        "Province",
        "Duchy if count_in_supply(Province) <= 4",
        "Estate if count_in_supply(Province) <= 2",
        "Gold",
        *extra,
        "Silver",
    )


def ultimate(first: str, *extra: str, duchies: int = 4, more_duchies: int = 6) -> tuple[str, ...]:
    """Return the ultimate form of Big Money: Provinces once ``first`` holds, greening in two steps around Gold."""
    later = (f"Duchy if count_in_supply(Province) <= {more_duchies}",) if more_duchies > duchies else ()
    return (
        f"Province if {first}",
        f"Duchy if count_in_supply(Province) <= {duchies}",
        "Estate if count_in_supply(Province) <= 2",
        "Gold",
        *later,
        *extra,
        "Silver",
    )


def greening(
    *extra: str, first: str = "", coins: int = 12, duchies: tuple[int, int] = (8, 10), estates: int = 4
) -> tuple[str, ...]:
    """Return Big Money that goes for points by how soon the game can end, not by the Provinces alone.

    ``first`` is a rule after Provinces, which are bought with more than ``coins`` in the deck; ``extra`` rules come
    before Silver. ``duchies`` says from how many gains to the end on they are bought, rather than Gold and after it.
    """
    return (
        f"Province if total_money > {coins}",
        *((first,) if first else ()),
        f"Duchy if gains_to_end <= {duchies[0]}",
        f"Estate if gains_to_end <= {estates}",
        "Gold",
        *((f"Duchy if gains_to_end <= {duchies[1]}",) if duchies[1] > duchies[0] else ()),
        *extra,
        "Silver",
    )


HANDWRITTEN: dict[str, BuyList] = {
    "big-money": BuyList(big_money()),
    "big-money-ultimate": BuyList(ultimate("total_money > 18")),
    "big-money-smithy": BuyList(big_money("Smithy if count_in_deck(Smithy) < 2")),
    "big-money-militia": BuyList(big_money("Militia if count_in_deck(Militia) < 1")),
    "big-money-laboratory": BuyList(ultimate("count_in_deck(Gold) > 0", "Laboratory", more_duchies=4)),
    "big-money-council-room": BuyList(
        ultimate(
            "count_in_deck(Gold) > 0",
            "Council Room if count_in_deck(Council Room) < 1",
            "Council Room if count_in_deck(Council Room) < total_money / 13",
        )
    ),
    "smithy-ultimate": BuyList(
        ultimate("total_money > 15", "Smithy if count_in_deck(Smithy) < count_type_in_deck(Treasure) / 11")
    ),
    "triple-militia": BuyList(ultimate("count_in_deck(Gold) > 0", "Militia if count_in_deck(Militia) < 3", duchies=6)),
    "village-smithy": BuyList(
        big_money(
            "Smithy if count_in_deck(Smithy) < 5 and count_in_deck(Smithy) <= count_in_deck(Village)",
            "Village if count_in_deck(Village) < 5",
        )
    ),
    "workshop-gardens": BuyList(("Gardens if count_in_deck(Workshop) > 8", "Workshop", "Estate", "Silver", "Copper")),
    "bureaucrat-gardens": BuyList(
        (
            "Gardens if count_in_deck(Bureaucrat) > 4",
            "Province if count_in_supply(Gardens) == 0",
            "Duchy if count_in_supply(Gardens) == 0",
            "Estate if count_in_supply(Gardens) == 0",
            "Bureaucrat",
            "Silver",
            "Copper",
        )
    ),
    "chapel-witch": BuyList(
        (
            "Province",
            "Witch if count_in_deck(Witch) < 1",
            "Duchy if gains_to_end <= 5",
            "Estate if gains_to_end <= 2",
            "Gold",
            "Chapel if count_in_deck(Chapel) < 1 and turn_number <= 2",
            "Silver",
        )
    ),
    "double-witch": BuyList(
        (
            "Province if count_in_deck(Gold) > 0",
            "Duchy if count_in_supply(Province) <= 5",
            "Estate if count_in_supply(Province) <= 2",
            "Witch if count_in_deck(Witch) < 1",
            "Gold",
            "Witch if count_in_deck(Witch) < 2",
            "Silver",
        )
    ),
    # What follows was tuned by play at tables of four against what else fits a kingdom: docs/baselines.md.
    "smithy-duchies": BuyList(
        greening(
            "Smithy if count_in_deck(Smithy) < count_type_in_deck(Treasure) / 9",
            coins=14,
            duchies=(7, 10),
        )
    ),
    "militia-smithy": BuyList(
        greening(
            "Militia if count_in_deck(Militia) < 1",
            "Smithy if count_in_deck(Smithy) < count_type_in_deck(Treasure) / 11",
        )
    ),
    "market-militia": BuyList(
        greening(
            "Market if count_in_deck(Market) < 6",
            "Militia if count_in_deck(Militia) < 2",
            coins=16,
            duchies=(8, 9),
            estates=5,
        )
    ),
    "market-village": BuyList(
        greening(
            "Market if count_in_deck(Market) < 6",
            "Militia if count_in_deck(Militia) < 1",
            "Smithy if count_in_deck(Smithy) < count_in_deck(Village)",
            "Village if count_in_deck(Village) < 1",
            coins=14,
            duchies=(8, 8),
        )
    ),
    "gardens-rush": BuyList(
        (
            "Gardens if count_in_deck(Workshop) > 1",
            "Duchy if gains_to_end <= 12",
            "Workshop if count_in_deck(Workshop) < 6",
            "Estate if gains_to_end <= 8",
            "Silver if count_in_deck(Silver) < 10",
            "Copper",
        )
    ),
    "witch-gardens": BuyList(
        (
            "Witch if count_in_deck(Witch) < 1",
            "Province if total_money > 12",
            "Gardens if cards_in_deck >= 20",
            "Duchy if gains_to_end <= 8",
            "Estate if gains_to_end <= 8",
            "Gold",
            "Workshop if count_in_deck(Workshop) < 2",
            "Silver",
            "Copper if cards_in_deck >= 20",
        )
    ),
    "chapel-witch-duchies": BuyList(
        greening(
            "Chapel if count_in_deck(Chapel) < 1 and turn_number <= 2",
            first="Witch if count_in_deck(Witch) < 1",
            estates=7,
        )
    ),
    "council-room-duchies": BuyList(
        greening(
            "Council Room if count_in_deck(Council Room) < total_money / 16",
            duchies=(5, 8),
        )
    ),
    "council-room-militia": BuyList(
        greening(
            "Council Room if count_in_deck(Council Room) < total_money / 16",
            "Militia if count_in_deck(Militia) < 1",
            coins=16,
            duchies=(6, 10),
        )
    ),
    "moneylender-laboratory": BuyList(
        greening(
            "Laboratory",
            "Moneylender if count_in_deck(Moneylender) < 1",
            duchies=(5, 7),
            estates=2,
        )
    ),
    "festival-library": BuyList(
        greening(
            "Library if count_in_deck(Library) < 1",
            "Festival if count_in_deck(Festival) < 3",
            "Militia if count_in_deck(Militia) < 1",
            coins=16,
            duchies=(6, 10),
            estates=3,
        )
    ),
    "smithy-gardens": BuyList(
        (
            "Province if total_money > 14",
            "Duchy if gains_to_end <= 7",
            "Gold",
            "Gardens if cards_in_deck >= 20 and gains_to_end <= 8",
            "Estate if gains_to_end <= 4",
            "Smithy if count_in_deck(Smithy) < 1",
            "Silver",
        )
    ),
    "witch-moat": BuyList(
        (
            *greening(
                "Moat if count_in_deck(Moat) < count_in_deck(Witch)",
                first="Witch if count_in_deck(Witch) < 1",
                coins=14,
                duchies=(9, 10),
                estates=8,
            ),
            "Moat if count_in_deck(Moat) < 2",
        )
    ),
    "witch-remodel": BuyList(
        (
            *greening(
                "Remodel if count_in_deck(Remodel) < 1",
                first="Witch if count_in_deck(Witch) < 1",
                coins=16,
                duchies=(9, 9),
                estates=7,
            ),
            "Moat if count_in_deck(Moat) < 2",
        )
    ),
    "bandit-laboratory": BuyList(
        greening(
            "Laboratory if count_in_deck(Laboratory) < 5",
            "Moneylender if count_in_deck(Moneylender) < 1",
            first="Bandit if count_in_deck(Bandit) < 1",
            duchies=(6, 7),
            estates=3,
        )
    ),
    "bandit-bureaucrat": BuyList(
        greening(
            "Bandit if count_in_deck(Bandit) < 1",
            "Laboratory if count_in_deck(Laboratory) < 3",
            "Bureaucrat if count_in_deck(Bureaucrat) < 1",
            duchies=(8, 8),
        )
    ),
}
"""The buy lists by name; a kingdom that lacks one of the cards they buy is not for them."""
