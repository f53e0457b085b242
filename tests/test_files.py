"""Text files: replaced in one step, and JSON that is read without trust."""

import os
import stat

import pytest

from evodom.errors import UsageError
from evodom.files import DEEPEST, parse_json, read_text, replace_text


def test_a_file_is_written_with_the_line_ends_of_the_text(tmp_path):
    replace_text(tmp_path / "new", "a\r\nb\n")

    assert (tmp_path / "new").read_bytes() == b"a\r\nb\n"
    assert os.listdir(tmp_path) == ["new"]


def test_the_old_text_stays_until_the_new_one_is_complete(tmp_path, monkeypatch):
    path = tmp_path / "page"
    path.write_text("old")

    with pytest.raises(UnicodeEncodeError):
        replace_text(path, "new" * 100_000 + "\ud800")

    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page"]


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        replace_text(tmp_path / "page", "new")

    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes and links")
def test_a_replaced_file_keeps_its_mode_and_the_links_to_it(tmp_path):
    path, link = tmp_path / "page", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)

    replace_text(link, "new")

    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="POSIX has /dev/null")
def test_what_is_no_file_is_written_to_and_stays(tmp_path):
    replace_text("/dev/null", "text")

    assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", "[Infinity]", "-Infinity", "[" * 100_000, "1" * 5000, "[" * 65 + "]" * 65, '"\x00"']
)
def test_what_is_no_plain_json_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  # each has words of its own
        parse_json(text)


def test_json_as_deep_as_allowed_is_read():
    assert parse_json("[" * DEEPEST + "]" * DEEPEST)[0][0] is not None


def test_a_text_that_is_too_long_is_refused_before_it_is_read_whole(tmp_path):
    (tmp_path / "big").write_bytes(b"x" * 100)

    with pytest.raises(UsageError, match="is too large for a list: more than 99 bytes"):
        read_text(tmp_path / "big", "a list", "TOML", 99)
