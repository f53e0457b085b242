"""What can go wrong, as one small tree.

EvodomError                     a failure a person can read in one line (exit code 1)
├── UsageError                  bad input: what, got, allowed, next step (exit code 2)
│   └── IllegalChoice           an answer that the pending Decision does not allow
├── AgentError                  an agent of the user's own that fails or answers what is not allowed
└── RunError                    a saved run that is missing, damaged, newer than this program or in use
"""


class EvodomError(Exception):
    """Base of every error evodom raises on purpose; its text is one line for a person."""

    exit_code = 1


class UsageError(EvodomError, ValueError):
    """The input cannot be used; the text says what, got, allowed and the next step."""

    exit_code = 2


class IllegalChoice(UsageError):
    """The pending Decision does not allow this answer."""


class AgentError(EvodomError):
    """An agent of the user's own fails, or answers what the Decision does not allow."""


class RunError(EvodomError):
    """A saved run is missing, damaged, newer than this program, or in use."""
