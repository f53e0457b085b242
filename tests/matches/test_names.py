"""Names of players: each word has one kind, and nothing is read to find it."""

import pytest

from evodom.advice.answer import PARTS
from evodom.errors import EvodomError
from evodom.matches.entrants import find_entrants
from evodom.matches.names import LIST, PARTS_OF_ANSWERS, PlayerKind, parse_player
from tests.player_names import SERVED, WORDS, touched_files


def test_each_word_has_one_kind_and_nothing_is_read_or_imported(tmp_path, monkeypatch, store):
    with touched_files(tmp_path, monkeypatch) as touched:
        for word, kind in WORDS.items():
            found = parse_player(word)
            assert (found.kind, bool(found.in_run)) == (kind, kind is PlayerKind.RUN), word
            assert parse_player(found.source).source == found.source
            if kind not in SERVED:
                with pytest.raises(EvodomError) as refused:
                    find_entrants([word], store=store, agents=False, files=False)
                assert "Did you mean mine.toml" not in str(refused.value), "a page names no files"
    assert touched == []


def test_the_parts_of_a_name():
    assert parse_player("network:.25s").seconds == parse_player("network:0.25s").seconds == 0.25
    assert parse_player("run:graded@3:2").in_run == ("run:graded", 3, 2)
    assert [(one.place, one.member) for one in map(parse_player, ("./a.py", "a.py:b", "a.b:c", "a.onnx"))] == [
        ("./a.py", "agent"), ("a.py", "b"), ("a.b", "c"), ("a.onnx", ""),
    ]  # fmt: skip
    assert {LIST, *PARTS} <= {*PARTS_OF_ANSWERS}


def test_the_watch_sees_what_is_read(tmp_path, monkeypatch, store):
    with touched_files(tmp_path, monkeypatch) as touched:
        for word in ("mine.toml", "./mine.py", "evil:agent"):
            with pytest.raises(EvodomError):
                find_entrants([word], store=store)
    assert {*touched} >= {"open mine.toml", "open mine.py", "open evil.py"}
