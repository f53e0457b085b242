"""Games and fights at a terminal: `DominionTerminal` and `FightTerminal` show a session on a `Console`.

They read typed lines, execute them and print screens. `SessionEnd` is the reason why a session ended.
"""
