"""The example of docs/spire.md is a fight that can be played."""

import re
from pathlib import Path

from evodom.spire.engine.game import SpireFight
from evodom.spire.fights import fight_from_toml, fight_to_toml, state_of

PAGE = (Path(__file__).parents[3] / "docs" / "spire.md").read_text()


def test_the_fight_of_the_page_can_be_played():
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    fight = fight_from_toml(example)
    game = SpireFight(fight.setup)
    moves = {game.action_name(move) for move in game.actions(state_of(fight, game))}

    assert moves == {
        "end",
        "Strike at enemy 1",
        "Defend",
        "Shrug It Off",
        "Searing Blow+2 at enemy 1",
        "Fire Potion (1) at enemy 1",
    }
    assert fight_from_toml(fight_to_toml(fight)) == fight
