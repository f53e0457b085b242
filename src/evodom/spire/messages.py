"""Messages of CommunicationMod, a mod that writes the state of the running game as JSON.

Open it to change how a game state is found in a message. `fights.game_states` reads its fight, `map.files` its map.
"""

from collections.abc import Mapping
from typing import Any

from evodom.errors import UsageError

_STATE_KEYS = frozenset(("combat_state", "map", "screen_type", "ascension_level"))
"""Keys of a game state. Other JSON files of fights and maps have none of them."""


def game_state(contents: object) -> Mapping[str, Any] | None:
    """Return the game state of a message, or the data itself if it is a game state; None for other data.

    Raise UsageError if the message says that no run is in progress.
    """
    if not isinstance(contents, dict):
        return None
    if isinstance(contents.get("game_state"), dict):
        return contents["game_state"]  # type: ignore[no-any-return]
    if "in_game" in contents:
        raise UsageError("the message has no game_state: no run is in progress. Save a message of a run.")
    return contents if contents.keys() & _STATE_KEYS else None
