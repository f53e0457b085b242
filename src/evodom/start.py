"""Where the program starts: Ctrl-C ends it at once, and without a traceback, as long as it is still being loaded."""

import os

from evodom.exit_codes import INTERRUPTED

try:
    import signal
except KeyboardInterrupt:
    os._exit(INTERRUPTED)


def main() -> None:
    """Run the command line."""
    asked_for = signal.getsignal(signal.SIGINT)
    is_usual = asked_for is signal.default_int_handler  # a shell has what runs in the background ignore Ctrl-C
    if is_usual:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    from evodom.cli import main as run

    signal.signal(signal.SIGINT, asked_for)
    try:
        run()
    finally:
        if is_usual:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # the interpreter, too, ends without a traceback
