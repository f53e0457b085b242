"""Facts of an answer of `evodom advise` as JSON, and the commands that repeat the answer or play against it."""

from typing import Any

from evodom.advice import DEFAULT_GAMES, DEFAULT_MINUTES, DEFAULT_STRATEGIES
from evodom.advice.answer import default_key
from evodom.advice.search import AdviceResult, Question, best_saved_opponent
from evodom.dominion.kingdom import CUSTOM, Kingdom, slug


def repeat_command(question: Question, found: AdviceResult | None = None) -> list[str]:
    """Return the words of the command that continues the search, or with ``found`` repeats the answer."""
    request = question.request
    words = ["evodom", "advise", "--kingdom", kingdom_argument(request.kingdom)]
    words += ["--players", str(request.players)] if request.players != 2 else []
    words += ["--nstrat", str(request.n_strategies)] if request.n_strategies != DEFAULT_STRATEGIES else []
    words += ["--evaluation-games", str(question.games)] if question.games != DEFAULT_GAMES else []
    words += ["--key", request.key] if request.key != default_key(request.kingdom, request.players) else []
    words += [word for one in question.users for word in ("--against", one.name)]
    n_generations = found.n_generations if found else question.n_generations
    n_games = found.n_games if found else question.learned_games
    words += ["--training-games", str(n_games)] if n_games else []
    if n_generations:
        words += ["--seed", str(question.seed), "--ngen", str(n_generations)]
    elif question.minutes:
        words += ["--minutes", f"{question.minutes:g}"]
    return words


def play_command(question: Question, found: AdviceResult) -> list[str]:
    """Return the words of the command that plays against the answer."""
    name, in_run = best_saved_opponent(question, found)
    kingdom = [] if in_run else ["--kingdom", kingdom_argument(question.request.kingdom)]
    return ["evodom", "play", "--opponent", name, *kingdom]


def summary_of(question: Question, found: AdviceResult) -> dict[str, Any]:
    """Return the facts of a question and its result as plain JSON types, for reports."""
    kingdom = question.request.kingdom
    limit = {"minutes": question.minutes or DEFAULT_MINUTES} if question.is_timed else {}
    return limit | {
        "kingdom": {"name": kingdom.name, "cards": list(kingdom.cards), "drawn": list(kingdom.drawn)},
        "players": question.request.players,
        "seed": question.seed,
        "generations": found.n_generations,
        "learned_games": found.n_games,
        "games": question.games,
        "key": question.request.key,
        "answer": found.name,
        "plays_answer": found.is_answer_saved,
    }


def kingdom_argument(kingdom: Kingdom) -> str:
    """Return the command-line word for a kingdom: its name without quotes, or its cards."""
    return ",".join(map(slug, kingdom.cards)) if kingdom.name == CUSTOM else slug(kingdom.name)
