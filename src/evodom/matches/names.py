"""Parse the names that users give players. No file is read and no module is imported here.

demo, demo@50:3, demo:list, demo:mixture   RUN     big-money             BASELINE
network                                NETWORK     network:0.5s          SEARCH
mine.toml, folder/mine                 FILE        policy.onnx           POLICY
./mine.py, mine.py:greedy, package.module:greedy   AGENT
"""

import os
import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from evodom.dominion.strategies.baselines import BASELINES
from evodom.dominion.strategies.registry import MODEL_PRESETS
from evodom.runs.names import StrategyName, parse_name

NETWORK = "network"
"""Name of the general network in the package. Words that begin with ``network:`` name this network, or a run."""

LIST = "list"
"""Name of an answer's buy list, after the answer's key. It is also the key of the list in the saved answer."""

MIXTURE = "mixture"
"""Name of the mixture of a run's lines, after the run's key."""

DEFAULT_MEMBER = "agent"
"""Name of the agent in a file named without a colon."""

POLICY_FILES = ONNX, TORCH = (".onnx", ".pt2")
"""Endings of policy files. Loading a TORCH file can run code of the file, like an agent in Python."""

PARTS_OF_ANSWERS = (NETWORK, LIST, "best-response", *MODEL_PRESETS)
"""Names of parts of a saved answer, as in "first-game:list"."""

PARTS = (*PARTS_OF_ANSWERS, MIXTURE)
"""Names after a key. An agent with such a name must be named by its file."""

_SEARCH = re.compile(r"network:([0-9]{1,9}|[0-9]{0,9}\.[0-9]{1,9})s")
_IN_FILE = re.compile(r"(.+\.py)(?::(\w+))?", re.DOTALL)
_IN_MODULE = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")


class PlayerKind(Enum):
    """The kinds of players that a word can name. The values are for messages."""

    RUN = "a run's key (demo, demo:2, demo@50, demo:list, demo:mixture)"
    BASELINE = "a baseline"
    NETWORK = "the network of all kingdoms (network)"
    SEARCH = "the network with a search of 0.5 s a decision (network:0.5s)"
    FILE = "a strategy file (mine.toml)"
    POLICY = "a policy (policy.onnx)"
    AGENT = "an agent in Python (./mine.py, mine.py:name, module:name)"
    UNKNOWN = ""

    @property
    def is_agent(self) -> bool:
        """True for agents and policies: loading them needs the consent of the user."""
        return self in (PlayerKind.POLICY, PlayerKind.AGENT)


@dataclass(frozen=True)
class PlayerName:
    """The kind of player that ``word`` names, and the parts of the word.

    ``in_run`` is set for a RUN. ``seconds`` is the time for each Decision of a SEARCH. ``place`` is the file or module,
    ``member`` the name of an AGENT there.
    """

    word: str
    kind: PlayerKind
    in_run: StrategyName | None = None
    seconds: float = 0.0
    place: str = ""
    member: str = ""

    @property
    def is_mixture(self) -> bool:
        """True for the mixture of a run."""
        return self.in_run is not None and self.in_run.part == MIXTURE

    @property
    def is_agent(self) -> bool:
        """True for agents in Python and policies. They need the user's consent."""
        return self.kind.is_agent

    @property
    def is_in_file(self) -> bool:
        """True for a policy, and for an agent that is named by its file."""
        return self.is_agent and self.place.endswith((".py", *POLICY_FILES))

    @property
    def source(self) -> str:
        """The word, with the absolute path of the file of an agent or policy."""
        path = Path(self.place).resolve() if self.is_in_file else None
        return f"{path}:{self.member}".removesuffix(":") if path else self.word


def parse_player(word: str) -> PlayerName:
    """Return the kind and the parts of a word. The kind is UNKNOWN for a word that names no player."""
    if word in BASELINES:
        return PlayerName(word, PlayerKind.BASELINE)
    if word == NETWORK:
        return PlayerName(word, PlayerKind.NETWORK)
    if found := _SEARCH.fullmatch(word):
        return PlayerName(word, PlayerKind.SEARCH, seconds=float(found[1]))
    in_run = parse_name(word)
    if word.startswith(f"{NETWORK}:"):  # such a word never names a file or a module
        is_run = in_run is not None and in_run.part in ("", *PARTS)
        return PlayerName(word, PlayerKind.RUN if is_run else PlayerKind.UNKNOWN, in_run if is_run else None)
    if "\0" in word:
        return PlayerName(word, PlayerKind.UNKNOWN)
    if (found := _IN_FILE.fullmatch(word)) or word.endswith(POLICY_FILES):
        if found:
            return PlayerName(word, PlayerKind.AGENT, place=found[1], member=found[2] or DEFAULT_MEMBER)
        return PlayerName(word, PlayerKind.POLICY, place=word)
    if (found := _IN_MODULE.fullmatch(word)) and found[2] not in PARTS:
        return PlayerName(word, PlayerKind.AGENT, place=found[1], member=found[2])
    if word.endswith(".toml") or os.sep in word or bool(os.altsep and os.altsep in word):
        return PlayerName(word, PlayerKind.FILE, place=word)
    return PlayerName(word, PlayerKind.RUN if in_run else PlayerKind.UNKNOWN, in_run)
