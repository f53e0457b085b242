"""Games and fights at a terminal: `DominionTerminal` and `FightTerminal` show a session on a `Console`.

They read typed lines, execute them and print screens. `SessionEnd` is the reason why a session ended.
"""

from typing import TYPE_CHECKING

from evodom._lazy import attach

if TYPE_CHECKING:
    from evodom.terminal.console import Console as Console, SessionEnd as SessionEnd
    from evodom.terminal.dominion import DominionTerminal as DominionTerminal
    from evodom.terminal.fight import FightTerminal as FightTerminal


__getattr__, __dir__ = attach(__name__)
