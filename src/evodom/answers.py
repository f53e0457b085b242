"""The answers of advice among the saved runs: which runs belong to one, what it is called, and what it plays.

    find_answer("chapel-gardens-witch", root)           the answer, by its name or by the key that it is saved under
    resolved("chapel-gardens-witch-network:2", root)    "advise6a6cac3cnetwork:2": the word with the key of a run

An answer is saved as up to four runs. Their keys are its own key with the ends in PARTS. Its name is that of its
kingdom, or of its distinctive cards; with a key that the user chose, it is that key.
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
from evodom.errors import EvodomError, RunError, UsageError
from evodom.store import KEY, Run, RunInfo, describe, known_keys

PARTS = {"graded": "graded", "buy-list": "buylist", "network": "network", "reply": "reply"}
"""What is put behind the key of an answer for the run of each model, and of the reply that became the answer."""

EVOLVED = ("graded", "buy-list")
LEARNED = "network"

USUAL_PLAYERS = 2

NOTE = "answer"
"""Where the meta of the learner's run has what is noted of an answer."""

GIVEN, BEST, PLAN = "given", "best", "plan"
"""What is noted: the cards that were asked for, the strategy that is the answer, the list to follow as TOML."""

LEAST_CARDS, MOST_GIVEN = 3, 5
"""A name has at least so many cards; cards that were asked for are in it if they are at most so many."""

LONGEST_NAME = 48

_WORD = re.compile(rf"({KEY.pattern})(@[0-9]{{1,6}})?(:[0-9]{{1,6}})?")
_BEST = re.compile(rf"({'|'.join(PARTS.values())})((?:@[0-9]{{1,6}})?:[0-9]{{1,6}})")
_DEFAULT = re.compile(r"advise[A-Za-z0-9]+")


@dataclass(frozen=True)
class Answer:
    """An answer: its ``name``, the ``key`` it is saved under, its table, and its runs by the names of PARTS.

    ``note`` is what is noted of it, unchecked.
    """

    name: str
    key: str
    runs: Mapping[str, RunInfo]
    kingdom: Kingdom
    players: int = USUAL_PLAYERS
    note: Mapping[str, Any] = field(default_factory=dict)

    @property
    def best(self) -> str:
        """The strategy that is the answer, as a word for `find_entrants`: one of a run, or a baseline.

        Of a search that is not finished it is the learner. Where nothing is noted, as in earlier versions, the reply
        comes first.
        """
        noted = self.note.get(BEST)
        if isinstance(noted, str):
            found = _BEST.fullmatch(noted)
            for part, run in self.runs.items():
                if found and found[1] == PARTS[part]:
                    return f"{run.key}{found[2]}"
            if not found and KEY.fullmatch(noted):
                return noted
        order = (LEARNED, *EVOLVED[::-1]) if self.note else ("reply", LEARNED, *EVOLVED[::-1])
        part = next((part for part in order if part in self.runs), LEARNED)
        return f"{self.key}{PARTS[part]}:1"

    @property
    def plan(self) -> str | None:
        """The list to follow by hand, as the text of a strategy file, unchecked; None if none is noted."""
        noted = self.note.get(PLAN)
        return noted if isinstance(noted, str) else None

    def part_name(self, part: str) -> str:
        """Return what to type for a run of it."""
        return f"{self.name}-{PARTS[part]}"


def default_key(kingdom: Kingdom, players: int) -> str:
    """Return the key of advice on a kingdom: with its name, else with a digest of its cards."""
    if kingdom.name != CUSTOM:
        name = "".join(char for char in kingdom.name if char.isascii() and char.isalnum())
    else:
        name = blake2b(",".join(sorted(kingdom.cards)).encode(), digest_size=4).hexdigest()
    return f"advise{name}" + (f"{players}p" if players != USUAL_PLAYERS else "")


def answers(root: Path) -> list[Answer]:
    """Return the saved answers, sorted by key; no run belongs to two."""
    keys = known_keys(root)
    found = [_answer(key, ends, root) for key, ends in _groups(keys).items()]
    return _named([answer for answer in found if answer is not None], keys)


def find_answer(word: str, root: Path) -> Answer | None:
    """Return the answer of a name or a key; None if there is none."""
    if not KEY.fullmatch(word) or word in known_keys(root):
        return None
    return next((answer for answer in answers(root) if word in (answer.name, answer.key)), None)


def answer_of(key: str, root: Path) -> Answer | None:
    """Return the answer that a run is a part of; None if it is no part of any."""
    if not any(key.endswith(end) for end in PARTS.values()):
        return None
    return next((answer for answer in answers(root) if any(run.key == key for run in answer.runs.values())), None)


def learned_answer(word: str, root: Path) -> Answer | None:
    """Return the answer of whose learner or reply a word names a strategy; None for other words."""
    found = _WORD.fullmatch(word)
    if found is None:
        return None
    key = real_key(found[1], root) if find_answer(found[1], root) is None else ""
    answer = answer_of(key, root)
    if answer is None or key in [answer.runs[part].key for part in EVOLVED if part in answer.runs]:
        return None
    return answer


def real_key(key: str, root: Path) -> str:
    """Resolve the name of an answer or part to the key of a run. Drop a generation or rank.

    For an answer, the run is that of its best strategy. If this is a baseline, it is the first run of the answer.
    Other words are returned unchanged.
    """
    meaning = resolved(key, root)
    found = _WORD.fullmatch(meaning.word)
    if meaning.answer is None:
        return found[1] if found and found[1] in known_keys(root) else key
    keys = [run.key for run in meaning.answer.runs.values()]
    return found[1] if found and found[1] in keys else keys[0]


class Meaning(NamedTuple):
    """What a word for a strategy means: a ``word`` with the key of a run, or a baseline, and what tables call it.

    ``answer`` is the answer that was named itself, not by a part.
    """

    word: str
    label: str
    answer: Answer | None = None


def resolved(word: str, root: Path) -> Meaning:
    """Return what a word means that may have the name of an answer, or of a part of it, in place of a run's key.

    The answer itself is one strategy. Raises UsageError for a generation or a rank of it.
    """
    found = _WORD.fullmatch(word)
    if found is None or found[1] in (keys := known_keys(root)) or not any(map(_has_part_end, keys)):
        return Meaning(word, word)
    for answer in answers(root):
        for part, run in answer.runs.items():
            if found[1] == answer.part_name(part):
                return Meaning(run.key + word[len(found[1]) :], word)
        if found[1] in (answer.name, answer.key):
            if found[2] or (found[3] or ":1") != ":1":
                parts = ", ".join(f"{answer.part_name(part)}:1" for part in answer.runs)
                raise UsageError(
                    f"'{word}': an answer is one strategy. Allowed: {answer.name}, or of its parts: {parts}."
                )
            return Meaning(answer.best, answer.name, answer)
    return Meaning(word, word)


def is_saved(key: str, root: Path) -> bool:
    """Tell whether a run has this key, or an answer or a part of it is called so."""
    return real_key(key, root) in known_keys(root)


def shown_names(root: Path) -> list[str]:
    """Return what the saved runs are called in lists: an answer by its name in place of its runs."""
    found = answers(root)
    parts = {run.key for answer in found for run in answer.runs.values()}
    return sorted([*(key for key in known_keys(root) if key not in parts), *(answer.name for answer in found)])


def note(key: str, root: Path, **noted: Any) -> bool:
    """Note something of an answer with its learner's run; returns False where that cannot be written."""
    try:
        with Run.open(f"{key}{PARTS[LEARNED]}", root=root, write=True) as run:
            before = run.meta.get(NOTE)
            run.set_meta(**{NOTE: (before if isinstance(before, dict) else {}) | noted})
    except RunError:
        return False
    return True


def _has_part_end(key: str) -> bool:
    return key.endswith(tuple(PARTS.values()))


def _groups(keys: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the runs by the key of the answer whose parts they may be, and by part.

    They are one if the key is like those that advice chooses, or if both evolved models are there.
    """
    found: dict[str, dict[str, str]] = {}
    for key in keys:
        for part, end in PARTS.items():
            own = key.removesuffix(end)
            if own != key and KEY.fullmatch(own):
                found.setdefault(own, {})[part] = key
    return {
        own: parts
        for own, parts in found.items()
        if own not in keys and (_DEFAULT.fullmatch(own) or set(EVOLVED) <= set(parts))
    }


def _answer(key: str, parts: Mapping[str, str], root: Path) -> Answer | None:
    """Return the answer of some runs, None if they are none; a run of another table or model is no part of it."""
    runs = {part: describe(run, root) for part, run in parts.items()}
    readable = [(part, run) for part, run in runs.items() if not run.problem]
    tables = {part: table for part, run in readable if _fits(part, run.meta) and (table := _table(run.meta))}
    if not tables:
        return None
    kingdom, players = Counter(tables.values()).most_common(1)[0][0]
    own = {part: run for part, run in runs.items() if run.problem or tables.get(part) == (kingdom, players)}
    if key != default_key(kingdom, players) and not set(EVOLVED) <= set(own):
        return None
    noted = own[LEARNED].meta.get(NOTE) if LEARNED in own else None
    return Answer(key, key, own, kingdom, players, noted if isinstance(noted, dict) else {})


def _fits(part: str, meta: Mapping[str, Any]) -> bool:
    """Tell whether a run can be a part of an answer, by its kind and model."""
    options = meta.get("options")
    if part in EVOLVED:
        return "kind" not in meta and isinstance(options, dict) and options.get("model") == part
    return meta.get("kind") == "train"


def _table(meta: Mapping[str, Any]) -> tuple[Kingdom, int] | None:
    """Return the kingdom and the number of players of a run; None if its settings name none."""
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
    """Return answers under names that nothing else has; where there is none, the key is the name.

    Cards are added to names that answers share until each is the name of one.
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
    return len(name) > LONGEST_NAME or name in taken or any(f"{name}-{end}" in taken for end in PARTS.values())


def _names(answer: Answer) -> Iterator[str]:
    """Give names of an answer, the shortest first; the last is its key."""
    kingdom = answer.kingdom
    if answer.key == default_key(kingdom, answer.players):
        table = f"-{answer.players}p" if answer.players != USUAL_PLAYERS else ""
        if kingdom.name != CUSTOM:
            yield slug(kingdom.name) + table
        else:
            cards = _distinctive(answer)
            yield from ("-".join(map(slug, cards[:n])) + table for n in range(_n_given(answer), len(cards) + 1))
    yield answer.key


def _given(answer: Answer) -> list[str]:
    """Return the cards that were asked for, where they are few enough for a name."""
    noted = answer.note.get(GIVEN)
    given = [card for card in answer.kingdom.cards if isinstance(noted, list) and card in noted]
    return given if len(given) <= MOST_GIVEN else []


def _n_given(answer: Answer) -> int:
    return max(LEAST_CARDS, len(_given(answer)))


def _distinctive(answer: Answer) -> list[str]:
    """Return the cards of an answer's kingdom: those asked for, then the rarest in recommended kingdoms first."""
    uses = Counter(card for cards in KINGDOMS.values() for card in cards)
    given = _given(answer)
    others = sorted(answer.kingdom.cards, key=lambda card: (uses[card], card))
    return [*given, *(card for card in others if card not in given)]
