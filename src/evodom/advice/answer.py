"""Answers of `evodom advise`. An answer is a saved file. Its parts are the runs of the search.

    first-game             the best strategy of the answer "first-game"
    first-game:list        its buy list to follow by hand
    first-game:network     its learning run; further parts are "graded", "buy-list" and "best-response"

A search can be stopped and resumed, since its parts are runs like those of `evodom train` and `evodom evolve`.
"""

from collections import Counter
from hashlib import blake2b
from typing import Annotated, Any, Self

from msgspec import Meta

from evodom.dominion.kingdom import CUSTOM, KINGDOMS, Kingdom, slug
from evodom.dominion.strategies.baselines import BASELINES
from evodom.dominion.strategies.registry import MODEL_PRESETS
from evodom.errors import RunError, short
from evodom.matches.entrants import Answer
from evodom.matches.names import LIST, NETWORK
from evodom.options import OptionStruct, settings_in
from evodom.reading import convert
from evodom.runs import Run, parse_name
from evodom.runs.lifecycle import SavedKind, kind_of

BEST_RESPONSE = "best-response"
EVOLVED = tuple(name for name, preset in MODEL_PRESETS.items() if preset.in_advice)
"""Names of the parts with evolved runs: values of ``--model``."""

PARTS = (NETWORK, *EVOLVED, BEST_RESPONSE)
"""All parts, in the order of the search."""

BEST = "best"
"""Key of the meta with the name of the best strategy: a baseline, or a strategy of a part, such as "network:1"."""

DEFAULT_PLAYERS = 2


class AnswerOptions(OptionStruct, frozen=True):
    """The kingdom and the number of players of a search, and the size of its populations."""

    kingdom: Kingdom
    players: Annotated[int, Meta(ge=2, le=6)]
    n_strategies: int

    def to_json(self) -> dict[str, object]:
        """Return the options as plain JSON types."""
        plain = {"players": self.players, "n_strategies": self.n_strategies}
        return plain | {"kingdom_name": self.kingdom.name, "kingdom": list(self.kingdom.cards)}

    @classmethod
    def from_json(cls, saved: object) -> Self:
        """Return saved options. Raise UsageError for invalid options."""
        known = settings_in(saved, (*cls.__struct_fields__, "kingdom_name"))
        kingdom = Kingdom(convert(known["kingdom"], tuple[str, ...], source="kingdom"))
        numbers = {name: convert(known[name], int, source=name) for name in ("players", "n_strategies")}
        return cls(kingdom=kingdom, **numbers)


class SavedAnswers(SavedKind[AnswerOptions]):
    """The kind of saved answers. An answer has parts instead of generations."""

    name = "answer"
    command, participle = "advise", "found by advice"
    has_kingdom = True
    read_options = staticmethod(AnswerOptions.from_json)

    def rules_of(self, options: AnswerOptions) -> str:
        return options.kingdom.rules_fingerprint

    def check_run(self, run: Run) -> None:
        """Raise RunError or UsageError unless the meta and all parts of an answer are valid."""
        options = self.options_of(run)
        run.provenance()
        self.answer_in(run)
        for part in map(run.part, run.parts):
            kind: Any = kind_of(part)
            kind.check_run(part)
            found = kind.options_of(part)
            model = part.key.rpartition(":")[2]
            if (found.kingdom, found.players) != (options.kingdom, options.players) or (
                getattr(found, "model", model) != model or (model in EVOLVED) != hasattr(found, "model")
            ):
                raise RunError(f"run '{part.key}' does not belong to the answer '{run.key}'.")

    def answer_in(self, run: Run) -> Answer:
        """Return the answer in a run of this kind. Raise RunError or UsageError for invalid contents."""
        options, meta, saved = self.options_of(run), run.meta, run.parts
        if unknown := set(saved) - set(PARTS):
            allowed = ", ".join(PARTS)
            raise RunError(f"run '{run.key}' has the part {short(min(unknown))}. Allowed: {allowed}. Delete it.")
        parts = tuple(part for part in PARTS if part in saved)
        best, plan = str(meta.get(BEST, f"{NETWORK}:1")), meta.get(LIST)
        if best not in BASELINES:
            found = parse_name(best := f"{run.key}:{best}")
            if found is None or found.part not in parts:
                raise RunError(f"run '{run.key}' names {short(best)} as its best strategy, which it lacks. Delete it.")
        if not isinstance(plan, str | None):
            raise RunError(f"run '{run.key}' has a list that is no text. Delete it.")
        return Answer(run.key, options.kingdom, options.players, parts, best, plan)


ANSWERS = SavedAnswers()


def default_key(kingdom: Kingdom, players: int) -> str:
    """Return the default key of an answer: the kingdom's name, or three rare cards and a digest of all its cards."""
    if kingdom.name != CUSTOM:
        words = [slug(kingdom.name)]
    else:
        uses = Counter(card for cards in KINGDOMS.values() for card in cards)
        rarest = sorted(kingdom.cards, key=lambda card: (uses[card], card))[:3]
        words = [*map(slug, rarest), blake2b(",".join(kingdom.cards).encode(), digest_size=3).hexdigest()]
    return "-".join([*words, *([f"{players}p"] if players != DEFAULT_PLAYERS else [])])
