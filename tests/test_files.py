"""Text files: replaced in one step, and JSON that is read without trust."""

import os
import stat
from datetime import UTC
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evodom.errors import RunError, UsageError
from evodom.files import (
    MACHINE,
    MAX_DEPTH,
    modified_at,
    parse_json,
    parse_toml,
    read_text,
    replace_file,
    toml_value,
    write_output,
)


def test_a_file_is_written_with_the_line_ends_of_the_text(tmp_path):
    replace_file(tmp_path / "new", "a\r\nb\n")

    assert (tmp_path / "new").read_bytes() == b"a\r\nb\n"
    assert os.listdir(tmp_path) == ["new"]


def test_a_byte_order_mark_is_ignored(tmp_path):
    (tmp_path / "page").write_text("text", encoding="utf-8-sig")

    assert read_text(tmp_path / "page", "a page", "UTF-8", 9) == "text"


def test_the_old_text_stays_until_the_new_one_is_complete(tmp_path, monkeypatch):
    path = tmp_path / "page"
    path.write_text("old")

    with pytest.raises(UnicodeEncodeError):
        replace_file(path, "new" * 100_000 + "\ud800")

    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page"]


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        replace_file(tmp_path / "page", "new")

    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes and links")
def test_a_replaced_file_keeps_its_mode_and_the_links_to_it(tmp_path):
    path, link = tmp_path / "page", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)

    replace_file(link, "new")

    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="POSIX links")
def test_a_link_in_the_place_of_the_new_file_is_not_followed(tmp_path, monkeypatch):
    victim = tmp_path / "diary"
    victim.write_text("mine")
    monkeypatch.setattr("evodom.files._PARTIALS", repeat(0))
    (tmp_path / f".page.0.{MACHINE}.{os.getpid()}.partial").symlink_to(victim)

    replace_file(tmp_path / "page", "new")

    assert (victim.read_text(), (tmp_path / "page").read_text()) == ("mine", "new")
    assert sorted(os.listdir(tmp_path)) == ["diary", "page"]


@pytest.mark.skipif(os.name == "nt", reason="POSIX has /dev/null")
def test_what_is_no_file_is_written_to_and_stays(tmp_path):
    replace_file("/dev/null", "text")

    assert not os.path.isfile("/dev/null")


@pytest.mark.skipif(os.name == "nt", reason="POSIX has /dev/full and limits")
def test_a_failed_write_is_an_error_with_the_name_of_the_file(tmp_path):
    from resource import RLIMIT_FSIZE, getrlimit, setrlimit

    page = tmp_path / "page"
    page.write_text("old")
    if os.path.exists("/dev/full"):
        with pytest.raises(RunError, match="/dev/full cannot be written: No space left on device"):
            write_output(Path("/dev/full"), "new")
    before = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(RunError, match="page cannot be written: File too large"):
            write_output(page, "new")
    finally:
        setrlimit(RLIMIT_FSIZE, before)
    with pytest.raises(RunError, match=r"page.x cannot be written: Not a directory"):
        write_output(page / "x", "new")

    assert page.read_text() == "old"
    assert os.listdir(tmp_path) == ["page"]


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "NaN", "[Infinity]", "-Infinity", "[" * 100_000, "1" * 5000, "[" * 65 + "]" * 65, '"\x00"', "1" * 310,
        str(2**64), str(-(2**63) - 1), "[1e999]", "-1e999", r'"\ud800"', r'{"\uDFFFx": 1}', r'"\ude00\ud83d"',
        '"\ud800"',
    ],
)  # fmt: skip
def test_what_is_no_plain_json_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  # each has words of its own
        parse_json(text)


def test_the_largest_numbers_and_all_characters_of_json_are_read():
    assert parse_json(f"[{2**64 - 1}, {-(2**63)}, 1e308]") == [2**64 - 1, -(2**63), 1e308]
    assert parse_json(r'"\ud83d\ude00 \u00fc"') == parse_json('"\U0001f600 ü"') == "\U0001f600 ü"


@pytest.mark.parametrize(
    "number", [f"{2**64}", "1" * 310, f"[{{b = {-(2**63) - 1}}}]", "9" * 5000, f"-{'9' * 5000}", f"[0x{'F' * 5000}]"]
)
def test_integers_of_more_than_64_bits_are_no_toml_and_no_json(number):
    with pytest.raises(UsageError, match=r"^x is not TOML: an integer has more than 64 bits\.$"):
        parse_toml(f"a = {number}", "x")
    if number.strip("-").isdecimal():
        with pytest.raises(ValueError, match=r"^an integer has more than 64 bits$"):
            parse_json(f'{{"a": [{number}]}}')


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = TEXTS | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)


@given(st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=6))
def test_what_is_written_as_toml_reads_the_same(value):
    assert parse_toml(f"x = {toml_value(value)}", "x") == {"x": value}


def test_json_as_deep_as_allowed_is_read():
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)[0][0] is not None


def test_a_text_that_is_too_long_is_refused_before_it_is_read_whole(tmp_path):
    (tmp_path / "big").write_bytes(b"x" * 100)

    with pytest.raises(UsageError, match="is too large for a list: more than 99 bytes"):
        read_text(tmp_path / "big", "a list", "TOML", 99)


@pytest.mark.parametrize(("seconds", "year"), [(-(10**12), 1), (10**12, 9999), (253402300799.999, 9999), (0.5, 1970)])
def test_the_time_of_a_change_is_a_time_of_python(seconds, year):
    file = SimpleNamespace(stat=lambda: SimpleNamespace(st_mtime=seconds))

    found = modified_at(file)

    assert (found.year, found.tzinfo) == (year, UTC)
