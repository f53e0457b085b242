"""Start the program. While it is loading, Ctrl-C ends it immediately and without a traceback."""

import os

from evodom.exit_codes import INTERRUPTED

try:
    import signal
except KeyboardInterrupt:
    os._exit(INTERRUPTED)


def main() -> None:
    """Run the command line."""
    asked_for = signal.getsignal(signal.SIGINT)
    is_usual = asked_for is signal.default_int_handler  # shells start background processes with Ctrl-C ignored
    if is_usual:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from evodom.cli import main as run

    signal.signal(signal.SIGINT, asked_for)
    try:
        run()
    finally:
        if is_usual:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback while the interpreter shuts down
