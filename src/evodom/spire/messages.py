"""Files of the running game: messages of CommunicationMod, a mod that writes the game state as JSON, and autosaves.

Open it to change how a game state is found in a file. `fights.game_states` reads its fight, `map.files` its map,
`current_run` its player and place.
"""

import binascii
from base64 import b64decode
from collections.abc import Mapping
from contextlib import suppress
from itertools import cycle
from json import JSONDecodeError
from typing import Any

from evodom.errors import UsageError
from evodom.files import parse_json

_STATE_KEYS = frozenset(("combat_state", "map", "screen_type", "ascension_level"))
"""Keys of a game state. Other JSON files of fights and maps have none of them."""

KEY = b"key"
"""An autosave is JSON, with each byte XOR this key, in Base64."""

SAVED_NAMES = {
    "current_hp": "current_health", "max_hp": "max_health", "deck": "cards", "act": "act_num", "floor": "floor_num",
    "act_boss": "boss", "room_type": "current_room",
}  # fmt: skip
"""Names of fields of a game state, with their names in an autosave."""


def parse_contents(text: str) -> Any:
    """Return the value of a JSON text or of an autosave. Raise ValueError, in one line, for other texts."""
    with suppress(binascii.Error, JSONDecodeError):
        saved = b64decode("".join(text.split()).encode(), validate=True)
        return parse_json(bytes(byte ^ key for byte, key in zip(saved, cycle(KEY))).decode(errors="replace"))
    return parse_json(text)


def is_save(state: Mapping[str, Any]) -> bool:
    """Return whether a game state is that of an autosave, which has a path instead of a map."""
    return "path_x" in state and "map" not in state


def game_state(contents: object) -> Mapping[str, Any] | None:
    """Return the game state of a message or an autosave, or the data itself if it is one; None for other data.

    Raise UsageError if the message says that no run is in progress.
    """
    if not isinstance(contents, dict):
        return None
    state = contents.get("game_state")
    if "in_game" in contents and not (contents["in_game"] and isinstance(state, dict)):
        raise UsageError("in_game is false, or game_state is missing: no run is in progress. Save a message of a run.")
    if isinstance(state, dict):
        return state
    if is_save(contents):
        return contents | {name: contents[saved] for name, saved in SAVED_NAMES.items() if saved in contents}
    return contents if contents.keys() & _STATE_KEYS else None
