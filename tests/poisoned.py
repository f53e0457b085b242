"""A folder whose files are named like modules, and leave a trace if they are executed."""

NAMES = ("json", "numpy", "pickle", "selectors", "socket", "struct", "tempfile")
TRACE = "executed"


def poison(folder):
    """Fill a folder with such files."""
    for name in NAMES:
        text = f"import pathlib\npathlib.Path(__file__).with_name({TRACE!r}).write_text({name!r})\nraise ImportError\n"
        (folder / f"{name}.py").write_text(text)


def executed(folder):
    """Return the name of a file that was executed last; None if none was."""
    trace = folder / TRACE
    return trace.read_text() if trace.exists() else None
