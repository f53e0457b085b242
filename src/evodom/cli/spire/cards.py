"""`evodom spire cards`: list the available cards, relics, potions, enemies and encounters of act 1."""

import json
from typing import Annotated, Any

import click

from evodom.cli.options import CommonArguments, takes
from evodom.options import OptionStruct, option


class ListingOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of the list."""

    ascension: Annotated[int, option("--ascension", "Ascension level.", ge=0, le=20)] = 20


@click.command("cards")
@takes(ListingOptions, "options")
@takes(CommonArguments, "common", "as_json")
def cards_command(options: ListingOptions, common: CommonArguments) -> None:
    """List the cards, relics, potions, enemies and encounters of act 1, and the missing content."""
    facts = _facts(options.ascension)
    click.echo(json.dumps(facts, indent=2) if common.as_json else _text(facts))


def _facts(ascension: int) -> dict[str, Any]:
    """Return the content of the list. `solved` (always True) states that `spire solve` supports it."""
    from evodom.spire.content import cards, enemies, potions, relics
    from evodom.spire.content.encounters import encounters
    from evodom.spire.content.statuses import STATUSES
    from evodom.spire.content.wording import card_to_text, enemy_to_text
    from evodom.spire.fights.names import INACTIVE_RELICS

    found: dict[str, Any] = {
        "cards": [
            {
                "name": card.name,
                "cost": "X" if card.cost == cards.X else card.cost,
                "kind": card.kind,
                "rarity": card.rarity,
                "text": card_to_text(card),
            }
            for card in cards.CARDS.values()
        ],
        "relics": [{"name": name, "text": relic.text} for name, relic in relics.RELICS.items()],
        "potions": [{"name": name, "text": potion.text} for name, potion in potions.POTIONS.items()],
        "ascension": ascension,
        "enemies": [
            {
                "name": name,
                "kind": enemies.enemy_kind(name),
                "text": enemy_to_text(enemies.enemy_row(name, ascension)),
            }
            for name in enemies.ENEMIES
        ],
        "encounters": [
            {
                "name": name,
                "pool": one.pool,
                "weight": one.weight,
                "groups": [{"enemies": list(group), "probability": float(share)} for group, share in one.groups],
            }
            for name, one in encounters().items()
        ],
        "statuses": {name: status.text for name, status in STATUSES.items()},
        "left_out": {"relics": relics.UNSUPPORTED, "potions": potions.UNSUPPORTED},
        "idle_relics": list(INACTIVE_RELICS),
    }
    for name in ("cards", "relics", "potions", "enemies"):
        found[name] = [one | {"solved": True} for one in found[name]]
    return found


def _text(facts: dict[str, Any]) -> str:
    """Return the list as text, one entry a line."""
    sections = {
        f"  {'Card':<17} Cost  {'Kind':<7} Effect": [
            f"  {one['name']:<17} {'-' if one['cost'] is None else one['cost']:>4}  {one['kind']:<7} {one['text']}"
            for one in facts["cards"]
        ],
        "  Relics": [f"  {one['name']:<20} {one['text']}" for one in facts["relics"]],
        "  Potions": [f"  {one['name']:<21} {one['text']}" for one in facts["potions"]],
        f"  Enemies at ascension {facts['ascension']}": [
            f"  {one['name']:<17} {one['text']}" for one in facts["enemies"]
        ],
        "  Encounters": [f"  {one['name']:<19} {one['pool']:<6} {_groups(one)}" for one in facts["encounters"]],
        "  Statuses": [f"  {name:<19} {text}" for name, text in facts["statuses"].items()],
        "  Left out": [f"  {name:<19} {why}" for table in facts["left_out"].values() for name, why in table.items()],
        "  Relics that do nothing in these fights": [f"  {', '.join(facts['idle_relics'])}"],
    }
    return "\n\n".join("\n".join([head, *lines]) for head, lines in sections.items())


def _groups(one: dict[str, Any]) -> str:
    """Return the groups of an encounter as text. More than four are shortened to a size and the names."""
    groups = [", ".join(group["enemies"]) for group in one["groups"]]
    if len(groups) <= 4:
        return " or ".join(groups)
    names = sorted({name for group in one["groups"] for name in group["enemies"]})
    return f"{len(one['groups'][0]['enemies'])} of {', '.join(names)}"
