"""Exit codes of the program; import nothing here, so that Ctrl-C is handled as early as possible."""

INTERRUPTED = 130
"""After Ctrl-C."""
