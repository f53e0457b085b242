"""The exceptions that evodom raises on purpose, as a tree.

EvodomError                     a failure, told in one line (exit code 1)
├── UsageError                  bad input (exit code 2)
│   └── IllegalChoice           an answer that the pending Decision does not allow
├── AgentError                  an agent of the user's own that fails or gives an answer that is not allowed
└── RunError                    a saved run that is missing, damaged, newer than this program or in use
"""


class EvodomError(Exception):
    """The base of every error that evodom raises on purpose; its text is one line that a user can read."""

    exit_code = 1


class UsageError(EvodomError, ValueError):
    """The input cannot be used; the text says what is wrong, what was given, what is allowed and what to do."""

    exit_code = 2


class IllegalChoice(UsageError):
    """The pending Decision does not allow this answer."""


class AgentError(EvodomError):
    """An agent of the user's own fails, or gives an answer that the Decision does not allow."""


class RunError(EvodomError):
    """A saved run is missing, damaged, newer than this program, or in use."""
