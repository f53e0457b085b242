"""The content of saved games and fights: their start and all choices. Reading a session replays it.

The file of a game holds the strategies' records, so it does not depend on their run. It holds the name and the answers
of an agent written in Python. The replay calls the agent again and refuses the game if an answer differs. The agent's
code is run only if the caller trusts it. A network's record has a memory address, so the file adds the weights.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType

from evodom.dominion.kingdom import Kingdom
from evodom.dominion.strategies.lineup import LearnedStrategy
from evodom.dominion.strategies.models.networks.layers import Networks, networks_of
from evodom.dominion.strategies.record import STRATEGY, Strategy
from evodom.dominion.strategies.registry import is_sound, was_learned
from evodom.errors import UsageError, one_line, short
from evodom.matches.agents import PythonAgent, decoded_weights
from evodom.matches.entrants import searching_network
from evodom.matches.loading import load_agent
from evodom.matches.names import PlayerKind, parse_player
from evodom.reading import convert
from evodom.sessions.dominion import MAX_PLAYERS, MIN_PLAYERS, DominionSession, GameSetup, Participant
from evodom.sessions.files import FIGHTS, GAMES, LARGEST_SEED, MAX_PLAYER_NAME, read_content, usable
from evodom.spire.content.fingerprint import rules_fingerprint
from evodom.spire.fights import Fight, fight_from_toml
from evodom.tasks import Workers

Trust = Callable[[str], bool]
"""A function that returns True if the code of an agent, named by `PlayerName.source`, may be run."""


class UntrustedAgent(UsageError):
    """A saved game names an agent in Python, and the caller does not trust it."""


class PlayerContent(Struct):
    """A player in a file: the hexadecimal digits of a strategy, the name of an agent, or neither for a person."""

    name: str
    strategy: str | UnsetType | None = UNSET
    agent: str | UnsetType = UNSET
    network: int | None = None


class GameContent(Struct, forbid_unknown_fields=True):
    """The content of a game's file. ``networks`` are in base64. `PlayerContent.network` is an index of them."""

    command: str
    seed: Annotated[int, Meta(ge=0)]
    kingdom: list[str]
    players: Annotated[list[PlayerContent], Meta(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    networks: list[str]
    choices: list[str]
    checksum: int
    answers: list[str]
    seat: int | None
    turn: int | None
    over: bool


def read_game(
    path: Path,
    workers: Workers | None = None,
    trust: Trust = lambda source: False,
    before_replay: Callable[[GameSetup], object] = lambda setup: None,
) -> DominionSession:
    """Return a saved game, replayed up to where it was left. Raises RunError if it is missing or damaged.

    Searching opponents use the threads ``workers``. ``before_replay`` is called between the check of the file and the
    replay, which needs compiled kernels. Raises UntrustedAgent, before any code is run, if the game names an agent in
    Python for which ``trust`` returns False.
    """
    content = read_content(path, GAMES, lambda saved: Kingdom(tuple(saved["kingdom"])).rules_fingerprint)
    with usable(path, GAMES):
        record = convert(content, GameContent)
        named = (parse_player(player.agent) for player in record.players if player.agent is not UNSET)
        untrusted = next((one.word for one in named if one.is_agent and not trust(one.source)), None)
    if untrusted is not None:
        raise UntrustedAgent(
            f"game '{path.stem}' names the agent {short(untrusted, 200)}, and its code is run when the game is read. "
            "Only the terminal does so, if you trust the code: "
            f"evodom play {path.stem} --continue --trust-agent (or --review)."
        )
    with usable(path, GAMES):
        setup = _setup(record)
        before_replay(setup)
        return _replayed(setup, record, workers)


def needs_consent(setup: GameSetup) -> bool:
    """Return True if reading the saved game needs consent: an agent in Python is among the players."""
    strategies = [player.strategy for player in setup.players]
    return any(isinstance(one, PythonAgent) and parse_player(one.source).is_agent for one in strategies)


def _setup(record: GameContent) -> GameSetup:
    kingdom = Kingdom(tuple(record.kingdom))
    weights = [decoded_weights(text) for text in record.networks]
    networks = [networks_of(one) for one in weights if one is not None]
    if len(networks) < len(weights):
        raise ValueError("a network is damaged")
    players = tuple(
        Participant(one_line(player.name, MAX_PLAYER_NAME), _strategy(player, kingdom, networks))
        for player in record.players
    )
    setup = GameSetup(kingdom, players, record.seed, one_line(record.command))
    if not setup.people:
        raise ValueError("there is no seat for a person")
    return setup


def _strategy(player: PlayerContent, kingdom: Kingdom, networks: list[Networks]) -> Strategy | PythonAgent | None:
    """Return a player's strategy after checks, because kernels do not check records."""
    if player.agent is not UNSET:
        named = parse_player(player.agent)
        return searching_network(named, kingdom) if named.kind is PlayerKind.SEARCH else load_agent(named)
    if player.strategy is UNSET:
        raise ValueError("the strategy of a player is missing")
    if player.strategy is None:
        return None
    found = np.frombuffer(bytes.fromhex(player.strategy), STRATEGY)
    if len(found) != 1:
        raise ValueError("a strategy has the wrong size")
    strategy: Strategy = found.copy()[0]
    if not is_sound(strategy):
        raise ValueError("a strategy is damaged")
    if not was_learned(strategy):
        return strategy
    if player.network not in range(len(networks)):
        raise ValueError("a network is missing")
    assert player.network is not None
    return LearnedStrategy.of(strategy, networks[player.network])


def _replayed(setup: GameSetup, record: GameContent, workers: Workers | None) -> DominionSession:
    game = DominionSession(setup, record.answers, workers)
    game.revision = record.checksum
    for number, choice in enumerate(record.choices, 1):
        try:
            game.play_on()
            game.mark()
            game.choose(choice)
        except UsageError as error:
            raise ValueError(f"choice {number} ('{choice}') is not possible there") from error
    return game


MAX_MOVES = 600
"""Maximum number of moves and changes by hand in a fight."""

MAX_CHANGES = 1_000_000
"""Maximum of `FightContent.at`, which counts undone moves too."""


class FightForm(Struct, forbid_unknown_fields=True, kw_only=True):
    """A fight as a form of a page describes it, in the names that people type."""

    enemies: Annotated[str, Meta(max_length=600)] = "Cultist"
    deck: Annotated[str, Meta(max_length=600)] = ""
    relics: Annotated[str, Meta(max_length=600)] = ""
    potions: Annotated[str, Meta(max_length=600)] = ""
    ascension: Annotated[int, Meta(ge=0, le=20)] | None = None
    hp: Annotated[int, Meta(ge=1, le=999)] | None = None
    max_hp: Annotated[int, Meta(ge=1, le=999)] | None = None
    payoff: Annotated[str, Meta(max_length=200)] = "hp"
    seed: Annotated[int, Meta(ge=0, le=LARGEST_SEED)] | None = None

    def fight(self) -> Fight:
        """Return the fight. Raises UsageError, in one line, if there is no such fight."""
        words = {"enemies": self.enemies.strip() or "Cultist", "deck": self.deck.strip(), "relics": self.relics.strip()}
        words["potions"] = self.potions.strip()
        numbers = {"ascension": self.ascension, "hp": self.hp, "max_hp": self.max_hp}
        lines = [f"{name} = {json.dumps(word)}" for name, word in words.items() if word]
        lines += [f"{name} = {number}" for name, number in numbers.items() if number is not None]
        lines += ["[payoff]", f"kind = {json.dumps(self.payoff)}"]
        return fight_from_toml("\n".join(lines).replace("\x7f", ""), name="the fight")


class ShownMove(Struct, tag="move", frozen=True):
    """A move whose random outcome the user entered, as answers to questions."""

    move: str
    answers: tuple[str, ...] = ()


class NextCards(Struct, tag="next cards", frozen=True):
    """A change by hand of the next cards of the draw pile, in the order of drawing."""

    cards: tuple[str, ...] = ()


class ChangedHp(Struct, tag="hp", frozen=True):
    """A change by hand of the HP of the player (place 0) or of an enemy."""

    place: int
    hp: int


Entry = str | ShownMove | NextCards | ChangedHp
"""A step of a fight: the name of a move in the engine, a move with shown chance, or a change by hand."""


class FightContent(Struct, forbid_unknown_fields=True, kw_only=True):
    """The content of a fight's file. ``fight`` is TOML.

    ``given`` is True if the user chose the seed. Only then is it shown before the end. ``at`` is `FightSession.at`.
    ``start`` has the answers about the start if the user entered its random outcomes.
    """

    title: str
    stage: str
    over: bool
    fight: str
    seed: Annotated[int, Meta(ge=0)]
    given: bool
    at: Annotated[int, Meta(ge=0, le=MAX_CHANGES)]
    moves: Annotated[list[Entry], Meta(max_length=MAX_MOVES)]
    checksum: int
    start: list[str] | None = None


def read_fight_content(path: Path) -> FightContent:
    """Return the content of a saved fight. Raises RunError if it is missing or damaged."""
    content = read_content(path, FIGHTS, lambda saved: rules_fingerprint())
    with usable(path, FIGHTS):
        return convert(content, FightContent)
