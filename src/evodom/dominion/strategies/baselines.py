"""The baselines: strategies written by hand, as data.

Those called "ultimate" and their kin are the published ones of simulator communities (Big Money Ultimate and what is
built on it).
"""

from evodom.dominion.strategies.menus import Menu


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


MENUS: dict[str, Menu] = {
    "big-money": Menu(big_money()),
    "big-money-ultimate": Menu(ultimate("total_money > 18")),
    "big-money-smithy": Menu(big_money("Smithy if count_in_deck(Smithy) < 2")),
    "big-money-militia": Menu(big_money("Militia if count_in_deck(Militia) < 1")),
    "big-money-laboratory": Menu(ultimate("count_in_deck(Gold) > 0", "Laboratory", more_duchies=4)),
    "big-money-council-room": Menu(
        ultimate(
            "count_in_deck(Gold) > 0",
            "Council Room if count_in_deck(Council Room) < 1",
            "Council Room if count_in_deck(Council Room) < total_money / 13",
        )
    ),
    "smithy-ultimate": Menu(
        ultimate("total_money > 15", "Smithy if count_in_deck(Smithy) < count_type_in_deck(Treasure) / 11")
    ),
    "triple-militia": Menu(ultimate("count_in_deck(Gold) > 0", "Militia if count_in_deck(Militia) < 3", duchies=6)),
    "village-smithy": Menu(
        big_money(
            "Smithy if count_in_deck(Smithy) < 5 and count_in_deck(Smithy) <= count_in_deck(Village)",
            "Village if count_in_deck(Village) < 5",
        )
    ),
    "workshop-gardens": Menu(("Gardens if count_in_deck(Workshop) > 8", "Workshop", "Estate", "Silver", "Copper")),
    "bureaucrat-gardens": Menu(
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
    "chapel-witch": Menu(
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
    "double-witch": Menu(
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
}
"""The menus by name; a kingdom that lacks one of the cards they buy is not for them."""
