"""`evodom spire cards` and `draw`: list the available content of act 1, and print the odds of drawing cards."""

import json
from typing import Annotated, Any

import click

from evodom.api.progress import progress_bar
from evodom.cli.options import CommonArguments, takes
from evodom.cli.spire.fights import FightArguments, fight_of
from evodom.options import OptionStruct, option
from evodom.presentation.format import percent
from evodom.presentation.text import aligned_columns


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
            {"name": card.name, "cost": "X" if card.cost == cards.X else card.cost}
            | {"kind": card.kind, "rarity": card.rarity, "text": card_to_text(card)}
            for card in cards.CARDS.values()
        ],
        "relics": [{"name": name, "text": relic.text} for name, relic in relics.RELICS.items()],
        "potions": [{"name": name, "text": potion.text} for name, potion in potions.POTIONS.items()],
        "ascension": ascension,
        "enemies": [
            {"name": name, "kind": enemies.enemy_kind(name), "text": enemy_to_text(enemies.enemy_row(name, ascension))}
            for name in enemies.ENEMIES
        ],
        "encounters": [
            {"name": name, "pool": one.pool, "weight": one.weight}
            | {"groups": [{"enemies": list(group), "probability": float(share)} for group, share in one.groups]}
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


class DrawOptions(OptionStruct, frozen=True, kw_only=True):
    """Options of the odds."""

    turns: Annotated[int, option("--turns N", "Number of turns.", ge=1, le=20)] = 3
    no_plays: Annotated[bool, option("--no-plays", "Play no cards that draw.")] = False


@click.command("draw")
@click.argument("wanted", metavar="CARDS")
@takes(FightArguments, "asked", "file", "ascension", "deck", "add", "remove", "relics", "run_file", "skip_unknown")
@takes(DrawOptions, "options")
@takes(CommonArguments, "common", "quiet", "as_json")
def draw_command(wanted: str, asked: FightArguments, options: DrawOptions, common: CommonArguments) -> None:
    """Print the probabilities of drawing CARDS of your deck, such as "Bash, Shockwave", in each of the next turns.

    Copies of all CARDS are counted together. A copy that is drawn twice counts twice. The last column, such as "2 or
    more", has all larger numbers. The odds are exact, with shuffles, innate cards, Runic Pyramid, and relics that draw
    at the start or enlarge the hand. Cards whose only effect on cards is a draw are played as far as energy allows,
    such as Pommel Strike, Battle Trance and Offering. Other cards are discarded, or leave if they are ethereal.

    With --fight, a fight in progress continues with the end of its turn.
    """
    from evodom.spire.draws import Draws

    draws = Draws(fight_of(asked), wanted, plays=not options.no_plays)
    turns = draws.turns(options.turns)
    found: list[Any] = list(progress_bar(quiet=common.quiet, iterable=turns, total=options.turns, unit=" turns"))
    tables = dict(zip(("drawn_in_turn", "drawn_up_to_its_end"), zip(*found, strict=True), strict=True))
    if common.as_json:
        last = {draws.n_wanted: f"{draws.n_wanted} or more"}
        facts: dict[str, Any] = {"cards": draws.wanted, "copies": draws.n_wanted, "deck": draws.cards}
        facts |= {"played": draws.played, "first_turn": draws.first}
        for name, table in tables.items():
            facts[name] = [{last.get(n, n): share for n, share in sorted(odds.to_float())} for odds in table]
        click.echo(json.dumps(facts, indent=2))
        return
    played = f" Played: {', '.join(draws.played)}." if draws.played else ""
    click.echo(f"{', '.join(draws.wanted)}: {draws.n_wanted} of {draws.cards.total()} cards.{played}")
    below = range(min(draws.n_wanted, 5))
    for name, table in tables.items():
        rows = [(f"{name.replace('_', ' ')}, %", *map(str, below), *(f"{n + 1} or more" for n in below))]
        for turn, odds in enumerate(table, draws.first):
            at_least = [sum(share for drawn, share in odds if drawn > n) for n in below]
            rows.append((f"turn {turn}", *map(percent, (*map(odds.probability, below), *at_least))))
        click.echo("\n".join(["", *aligned_columns(rows)]))
