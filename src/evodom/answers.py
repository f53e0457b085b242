"""Group the saved runs of `evodom advise` into answers. Resolve the names of answers to keys of runs.

    find_answer("chapel-gardens-witch", root)         returns the `Answer` with this name or key
    resolved("chapel-gardens-witch-network:2", root)  returns a `ResolvedWord` whose `word` is "advise71905bc9network:2"

An answer is saved as up to four runs. The key of each run is the key of the answer plus a suffix from KEY_SUFFIXES. An
answer is named after its kingdom, or after its distinctive cards. If the user chose a key, the key is the name.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from evodom.dominion.kingdom import CUSTOM, KINGDOMS, Kingdom, slug
from evodom.dominion.strategies.registry import MODEL_PRESETS
from evodom.errors import EvodomError, RunError, UsageError
from evodom.runs import KEY, Run, RunInfo, describe, known_keys

EVOLVED = tuple(name for name, preset in MODEL_PRESETS.items() if preset.key_suffix)
"""The values of ``--model`` that advice evolves."""

KEY_SUFFIXES = {name: MODEL_PRESETS[name].key_suffix for name in EVOLVED} | {"network": "network", "reply": "reply"}
"""Suffix of the key for each part: one run per model, and the reply if it became the answer."""

LEARNED = "network"

USUAL_PLAYERS = 2

META_KEY = "answer"
"""Entry of the learner's `meta` that holds the notes on an answer."""

GIVEN, BEST, PLAN = "given", "best", "plan"
"""Keys of the notes: requested cards, best strategy, buy list as TOML."""

MIN_CARDS_IN_NAME, MAX_REQUESTED_IN_NAME = 3, 5
"""Minimum number of cards in a name. A name contains the requested cards if there are at most MAX_REQUESTED_IN_NAME."""

LONGEST_NAME = 48

_WORD = re.compile(rf"(?P<key>{KEY.pattern})(?P<generation>@[0-9]{{1,6}})?(?P<rank>:[0-9]{{1,6}})?")
_RANK_IN_PART = re.compile(rf"({'|'.join(KEY_SUFFIXES.values())})((?:@[0-9]{{1,6}})?:[0-9]{{1,6}})")
_DEFAULT_KEY = re.compile(r"advise[A-Za-z0-9]+")


@dataclass(frozen=True)
class Answer:
    """An answer: the ``name`` shown to users and the ``key`` it is saved under.

    ``runs`` maps each part to its run. ``kingdom`` and ``players`` describe the table. ``note`` holds the unvalidated
    notes.
    """

    name: str
    key: str
    runs: Mapping[str, RunInfo]
    kingdom: Kingdom
    players: int = USUAL_PLAYERS
    note: Mapping[str, Any] = field(default_factory=dict)

    @property
    def best(self) -> str:
        """Return the word of the best strategy for `find_entrants`. It names a strategy of a run, or a baseline.

        If the search has not finished, return the learner. Runs of earlier versions have no notes. For them, prefer the
        reply.
        """
        from evodom.dominion.strategies.baselines import BASELINES

        noted = self.note.get(BEST)
        if isinstance(noted, str):
            found = _RANK_IN_PART.fullmatch(noted)
            for part, run in self.runs.items():
                if found and found[1] == KEY_SUFFIXES[part]:
                    return f"{run.key}{found[2]}"
            if noted in BASELINES:
                return noted
        order = (LEARNED, *EVOLVED[::-1]) if self.note else ("reply", LEARNED, *EVOLVED[::-1])
        part = next((part for part in order if part in self.runs), LEARNED)
        return f"{self.key}{KEY_SUFFIXES[part]}:1"

    @property
    def plan(self) -> str | None:
        """Return the unvalidated text of the strategy file to follow by hand. Return None if no list is noted."""
        noted = self.note.get(PLAN)
        return noted if isinstance(noted, str) else None

    def part_name(self, part: str) -> str:
        """Return the name of one part, such as "chapel-gardens-witch-network"."""
        return f"{self.name}-{KEY_SUFFIXES[part]}"


def default_key(kingdom: Kingdom, players: int) -> str:
    """Return the default key for a kingdom. It contains the kingdom's name, or a digest of its cards."""
    if kingdom.name != CUSTOM:
        name = "".join(char for char in kingdom.name if char.isascii() and char.isalnum())
    else:
        name = blake2b(",".join(sorted(kingdom.cards)).encode(), digest_size=4).hexdigest()
    return f"advise{name}" + (f"{players}p" if players != USUAL_PLAYERS else "")


def answers(root: Path) -> list[Answer]:
    """Return the saved answers, sorted by key. Each run belongs to at most one answer."""
    keys = known_keys(root)
    found = [_answer(key, parts, root) for key, parts in _groups(keys).items()]
    return _named([answer for answer in found if answer is not None], keys)


def find_answer(word: str, root: Path) -> Answer | None:
    """Return the answer with this name or key, or None."""
    if not KEY.fullmatch(word) or word in known_keys(root):
        return None
    return next((answer for answer in answers(root) if word in (answer.name, answer.key)), None)


def answer_of(key: str, root: Path) -> Answer | None:
    """Return the answer that contains this run, or None."""
    if not _has_suffix(key):
        return None
    return next((answer for answer in answers(root) if any(run.key == key for run in answer.runs.values())), None)


def answer_of_learner_or_reply(word: str, root: Path) -> Answer | None:
    """Return the answer if the word names a strategy of its learner or reply. Otherwise return None."""
    found = _WORD.fullmatch(word)
    if found is None or find_answer(found["key"], root) is not None:
        return None
    key = real_key(found["key"], root)
    answer = answer_of(key, root)
    if answer is None or key in [answer.runs[part].key for part in EVOLVED if part in answer.runs]:
        return None
    return answer


def real_key(key: str, root: Path) -> str:
    """Resolve the name of an answer or part to the key of a run. Drop a generation or rank.

    An answer resolves to the run of its best strategy. If the best strategy is a baseline, it resolves to the first run
    of the answer. Return other words unchanged.
    """
    meaning = resolved(key, root)
    found = _WORD.fullmatch(meaning.word)
    if meaning.answer is None:
        return found["key"] if found and found["key"] in known_keys(root) else key
    keys = [run.key for run in meaning.answer.runs.values()]
    return found["key"] if found and found["key"] in keys else keys[0]


class ResolvedWord(NamedTuple):
    """A resolved name of a strategy. ``word`` has the key of a run, or a baseline. ``label`` is shown in tables.

    ``answer`` is set only if the user typed the name or key of a whole answer.
    """

    word: str
    label: str
    answer: Answer | None = None


def resolved(word: str, root: Path) -> ResolvedWord:
    """Replace the name of an answer or part by the key of its run. Return other words unchanged.

    A whole answer stands for its best strategy. Raise UsageError if the word adds a generation, or a rank other than 1.
    """
    found = _WORD.fullmatch(word)
    if found is None or found["key"] in (keys := known_keys(root)) or not any(map(_has_suffix, keys)):
        return ResolvedWord(word, word)
    for answer in answers(root):
        for part, run in answer.runs.items():
            if found["key"] == answer.part_name(part):
                return ResolvedWord(run.key + word[len(found["key"]) :], word)
        if found["key"] in (answer.name, answer.key):
            if found["generation"] or found["rank"] not in (None, ":1"):
                parts = ", ".join(f"{answer.part_name(part)}:1" for part in answer.runs)
                raise UsageError(
                    f"'{word}': an answer is one strategy. Allowed: {answer.name}, or of its parts: {parts}."
                )
            return ResolvedWord(answer.best, answer.name, answer)
    return ResolvedWord(word, word)


def is_saved(key: str, root: Path) -> bool:
    """Return whether this is the key of a run, or the name of an answer or part."""
    return real_key(key, root) in known_keys(root)


def shown_names(root: Path) -> list[str]:
    """Return the names shown in lists. The name of an answer replaces the keys of its runs."""
    found = answers(root)
    parts = {run.key for answer in found for run in answer.runs.values()}
    return sorted([*(key for key in known_keys(root) if key not in parts), *(answer.name for answer in found)])


def save_notes(key: str, root: Path, **notes: Any) -> bool:
    """Save notes on an answer in the `meta` of its learner. Return False if the run cannot be written."""
    try:
        with Run.open(f"{key}{KEY_SUFFIXES[LEARNED]}", root=root, write=True) as run:
            before = run.meta.get(META_KEY)
            run.set_meta(**{META_KEY: (before if isinstance(before, dict) else {}) | notes})
    except RunError:
        return False
    return True


def _has_suffix(key: str) -> bool:
    return key.endswith(tuple(KEY_SUFFIXES.values()))


def _groups(keys: Sequence[str]) -> dict[str, dict[str, str]]:
    """Group keys of runs by the key of a possible answer, then by part.

    Keep a group if its key has the default form, or if it contains both evolved models. Drop a group if its key is that
    of a run.
    """
    found: dict[str, dict[str, str]] = {}
    for key in keys:
        for part, suffix in KEY_SUFFIXES.items():
            answer_key = key.removesuffix(suffix)
            if answer_key != key and KEY.fullmatch(answer_key):
                found.setdefault(answer_key, {})[part] = key
    return {
        answer_key: parts
        for answer_key, parts in found.items()
        if answer_key not in keys and (_DEFAULT_KEY.fullmatch(answer_key) or set(EVOLVED) <= set(parts))
    }


def _answer(key: str, parts: Mapping[str, str], root: Path) -> Answer | None:
    """Return the answer that these runs form, or None. Ignore runs of another kingdom, number of players or model."""
    runs = {part: describe(run, root) for part, run in parts.items()}
    readable = [(part, run) for part, run in runs.items() if not run.problem]
    tables = {part: table for part, run in readable if _fits(part, run.meta) and (table := _table(run.meta))}
    if not tables:
        return None
    kingdom, players = Counter(tables.values()).most_common(1)[0][0]
    runs_at_table = {part: run for part, run in runs.items() if run.problem or tables.get(part) == (kingdom, players)}
    if key != default_key(kingdom, players) and not set(EVOLVED) <= set(runs_at_table):
        return None
    noted = runs_at_table[LEARNED].meta.get(META_KEY) if LEARNED in runs_at_table else None
    return Answer(key, key, runs_at_table, kingdom, players, noted if isinstance(noted, dict) else {})


def _fits(part: str, meta: Mapping[str, Any]) -> bool:
    """Return whether the kind and model of a run are those of this part."""
    options = meta.get("options")
    if part in EVOLVED:
        return "kind" not in meta and isinstance(options, dict) and options.get("model") == part
    return meta.get("kind") == "train"


def _table(meta: Mapping[str, Any]) -> tuple[Kingdom, int] | None:
    """Return the kingdom and the number of players of a run, or None if its settings are invalid."""
    options = meta.get("options")
    if not isinstance(options, dict):
        return None
    cards, players = options.get("kingdom"), options.get("players")
    if type(players) is not int or not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        return None
    with suppress(EvodomError):
        return Kingdom(tuple(cards)), players
    return None


def _named(found: Sequence[Answer], keys: Sequence[str]) -> list[Answer]:
    """Give each answer a unique name. Use the key if no other name is free.

    While two answers share a name, add cards to it.
    """
    taken = {*keys, *(answer.key for answer in found)}
    names = {answer.key: list(_names(answer)) for answer in found}
    while True:
        first = {key: some[0] for key, some in names.items()}
        counts = Counter(first.values())
        shared = [key for key, name in first.items() if name != key and (counts[name] > 1 or _is_taken(name, taken))]
        if not shared:
            return [_called(answer, first[answer.key]) for answer in found]
        for key in shared:
            del names[key][0]


def _called(answer: Answer, name: str) -> Answer:
    return Answer(name, answer.key, answer.runs, answer.kingdom, answer.players, answer.note)


def _is_taken(name: str, taken: set[str]) -> bool:
    return len(name) > LONGEST_NAME or name in taken or any(f"{name}-{end}" in taken for end in KEY_SUFFIXES.values())


def _names(answer: Answer) -> Iterator[str]:
    """Yield candidate names, the shortest first. The last candidate is the key."""
    kingdom = answer.kingdom
    if answer.key == default_key(kingdom, answer.players):
        table = f"-{answer.players}p" if answer.players != USUAL_PLAYERS else ""
        if kingdom.name != CUSTOM:
            yield slug(kingdom.name) + table
        else:
            cards = _distinctive(answer)
            yield from (
                "-".join(map(slug, cards[:n])) + table for n in range(_min_cards_in_name(answer), len(cards) + 1)
            )
    yield answer.key


def _given(answer: Answer) -> list[str]:
    """Return the requested cards, or an empty list if there are more than MAX_REQUESTED_IN_NAME."""
    noted = answer.note.get(GIVEN)
    given = [card for card in answer.kingdom.cards if isinstance(noted, list) and card in noted]
    return given if len(given) <= MAX_REQUESTED_IN_NAME else []


def _min_cards_in_name(answer: Answer) -> int:
    return max(MIN_CARDS_IN_NAME, len(_given(answer)))


def _distinctive(answer: Answer) -> list[str]:
    """Return the cards of the kingdom: the requested cards, then the others by their number of recommended kingdoms."""
    uses = Counter(card for cards in KINGDOMS.values() for card in cards)
    given = _given(answer)
    others = sorted(answer.kingdom.cards, key=lambda card: (uses[card], card))
    return [*given, *(card for card in others if card not in given)]
