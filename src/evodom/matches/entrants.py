"""Resolve the words by which users name players: strategies of runs, baselines, networks, files, Python agents.

    demo        the champion of the run `demo`        demo:2     the second best of its last generation
    demo@50     the champion of generation 50         demo@50:3  the third best of that generation
    demo:mixture   the mixture of its lines: each game draws one     demo:mixture@50   that of generation 50
    first-game  the best strategy of a saved answer   first-game:list  its list    first-game:network:2  of a part
    big-money   a baseline                            mine.toml  a strategy file: ends in .toml or names a folder
    network     the network of all kingdoms           network:0.5s   the same with a search of 0.5 s a decision
    ./mine.py   the agent called `agent` in a file    mine.py:greedy, module:greedy   an agent by file or module

The name of a baseline always means the baseline, and `network` the network. The champion of a run called `random` is
`random:1`.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

from evodom.dominion.cards import BASIC, COLONY_CARDS, KINGDOM_SIZE
from evodom.dominion.kingdom import CUSTOM, FIRST_GAME, Kingdom, differs_in_colony, slug
from evodom.dominion.strategies.baselines import (
    BASELINES,
    BUY_LIST_BASELINES,
    baseline,
    baseline_buy_list,
    fitting_baselines,
    missing_cards,
)
from evodom.dominion.strategies.files import load_strategy, parse_strategy
from evodom.dominion.strategies.models.networks.model import network_strategy
from evodom.dominion.strategies.models.networks.shipped import shipped_weights
from evodom.dominion.strategies.record import Strategy
from evodom.errors import RunError, UsageError, did_you_mean, one_line, short, suggest_names
from evodom.files import near_file
from evodom.matches.agents import Entrant, PythonAgent
from evodom.matches.loading import load_agent
from evodom.matches.mixtures import Mixture
from evodom.matches.names import LIST, MIXTURE, NETWORK, POLICY_FILES, PlayerKind, PlayerName, parse_player
from evodom.matches.policies import PolicyAgent
from evodom.runs import Generation, Run, RunStore, StrategyName, parse_name
from evodom.runs.lifecycle import kind_of, saved_kind

_MIN_SECONDS, _MAX_SECONDS = 0.01, 60.0

_MISSPELT = 0.8
"""Minimum similarity, from 0 to 1, of an unknown key to a baseline. The key then counts as a misspelt name."""

LONGEST_NAME = 40
"""Maximum number of characters of a strategy file's name that are shown."""

_SUGGESTED = 0.3
"""Minimum similarity, from 0 to 1, of a name that is suggested for an unknown key."""


class TableOptions(Protocol):
    """Settings of a run: the kingdom and the number of players of its games."""

    kingdom: Kingdom
    players: int


@dataclass(frozen=True)
class Answer:
    """A saved answer of `evodom advise`.

    ``parts`` are the names of its parts. ``best`` names the best strategy, as in `find_entrants`. ``plan`` is the
    list for play by hand: the text of a strategy file, not validated. It is None before the first search ends.
    """

    key: str
    kingdom: Kingdom
    players: int
    parts: tuple[str, ...]
    best: str
    plan: str | None

    @property
    def best_part(self) -> str:
        """Return the key of the part with the best strategy, or of the last part if that is a baseline."""
        found = None if self.best in BASELINES else parse_name(self.best)
        return found.key if found else f"{self.key}:{self.parts[-1]}"


def find_answer(key: str, store: RunStore) -> Answer | None:
    """Return the saved answer with this key, or None if there is no run with this key or it is of another kind."""
    if key not in store:
        return None
    with store.open(key) as run:
        answer: Answer | None = kind_of(run).answer_in(run)
    return answer


@dataclass(frozen=True)
class _Meaning:
    """The meaning of a user's word. ``label`` is shown in tables.

    ``answer`` is set if the word names the best strategy or the list of a saved answer.
    """

    name: PlayerName
    label: str
    answer: Answer | None = None

    @property
    def is_list(self) -> bool:
        return self.answer is not None and self.name.word == f"{self.answer.key}:{LIST}"

    @property
    def in_run(self) -> StrategyName | None:
        """The run and the place of the strategy, None for another strategy."""
        found = self.name.in_run
        if found and self.name.is_mixture:
            found = found._replace(key=found.file)
        return None if self.is_list else found


@dataclass(frozen=True)
class Entrants:
    """The entrants that a user named, and their shared kingdom.

    ``made_for`` maps the key of each run to its number of players.
    """

    entrants: tuple[Entrant, ...]
    kingdom: Kingdom
    made_for: dict[str, int]

    @property
    def has_agents(self) -> bool:
        """True if an entrant is a Python agent."""
        return any(isinstance(entrant.strategy, PythonAgent) for entrant in self.entrants)

    @property
    def has_searching_agents(self) -> bool:
        """True if an entrant is a network with search."""
        return any(
            isinstance(entrant.strategy, PythonAgent) and entrant.strategy.is_searching for entrant in self.entrants
        )

    @property
    def players(self) -> int | None:
        """The number of players of the runs, None without runs. Raises UsageError if it differs between runs."""
        if len(set(self.made_for.values())) > 1:
            numbers = ", ".join(f"'{key}' for {players}" for key, players in self.made_for.items())
            raise UsageError(f"the runs were made for different numbers of players: {numbers}. Say --players.")
        return next(iter(self.made_for.values()), None)

    def seated(self, n: int | None = None) -> "Entrants":
        """Add copies of the last entrant up to ``n`` entrants, by default up to the number of players of the runs."""
        n = n or max(len(self.entrants), self.players or 0)
        return replace(self, entrants=self.entrants + self.entrants[-1:] * (n - len(self.entrants)))

    def size_note(self, n: int, what: str) -> str:
        """Return a sentence with the runs that were made for another number of players than ``n``, or ""."""
        others = [f"{key} was made for {own} players" for key, own in self.made_for.items() if own != n]
        return f"{', '.join(others)}; this {what} has {n}." if others else ""


def find_entrants(
    words: Sequence[str],
    *,
    store: RunStore,
    kingdom: Kingdom | None = None,
    agents: bool = True,
    files: bool = True,
    by_file_name: bool = False,
) -> Entrants:
    """Return the entrants that ``words`` name, all in one kingdom.

    It is the given kingdom, that of the runs and of the policies with metadata, or First Game.

    Args:
        words: the words of the user.
        store: the saved runs.
        kingdom: the kingdom of all entrants.
        agents: allow Python agents and policies. Otherwise they are refused, and their code is not run.
        files: allow strategy files. Otherwise they are refused and not read.
        by_file_name: name strategy files after the file. Otherwise a file has the ``name`` in it, unless that is taken.

    Raises:
        UsageError: an unknown word, runs of different kingdoms, or a strategy with a card that the kingdom lacks.
        RunError: a run that is missing or damaged.
    """
    allowed = [kind for kind in PlayerKind if (agents or not kind.is_agent) and (files or kind is not PlayerKind.FILE)]
    meant = [_meaning(_allowed(word, allowed), store) for word in words]
    words = [one.name.word for one in meant]
    with ExitStack() as opened:
        keys = dict.fromkeys(one.in_run.key for one in meant if one.in_run)
        _refuse_unknown(keys, store, allowed)
        runs = {key: opened.enter_context(store.open(key)) for key in keys}
        options = {key: settings_of(run) for key, run in runs.items()}
        kingdoms = {key: own.kingdom for key, own in options.items()}
        made_for = {key: own.players for key, own in options.items()}
        for one in meant:
            if one.answer and not one.in_run:
                kingdoms[one.label], made_for[one.label] = one.answer.kingdom, one.answer.players
        loaded = {one.name.word: load_agent(one.name) for one in meant if one.name.is_agent}
        for word, agent in loaded.items():
            if isinstance(agent, PolicyAgent) and agent.made_for:
                kingdoms[word] = agent.made_for
        shared = _shared(kingdom, kingdoms)
        found = [
            Entrant(word, ("agent", loaded[word].source), loaded[word])
            if word in loaded
            else _entrant(one, words, runs, shared, fixed=bool(kingdoms))
            for one, word in zip(meant, words, strict=True)
        ]
        entrants = [
            replace(entrant, name=one.label) if one.answer else entrant
            for one, entrant in zip(meant, found, strict=True)
        ]
        taken = {*BASELINES, NETWORK, *store}
        return Entrants(_distinct_names(entrants, words, taken, by_file_name=by_file_name), shared, made_for)


def settings_of(run: Run) -> TableOptions:
    """Return the settings of a run or an answer. Raise RunError if this version cannot read them."""
    kind = kind_of(run)
    options: TableOptions = (kind if kind.has_kingdom else saved_kind("")).options_of(run)
    return options


def check_run(run: Run) -> None:
    """Raise an EvodomError unless all contents of a run of any kind are valid."""
    kind_of(run).check_run(run)


def strongest(run: Run, n: int, generation: Generation | None = None) -> Sequence[Strategy]:
    """Return the ``n`` best strategies of a run, evolved or learned, best first; by default of its last generation.

    A generation of a learned run has one strategy for each start that was still being trained.
    """
    found: Sequence[Strategy] = kind_of(run).best(run, n, generation)
    return found


COLONY_NAMES = frozenset(card.name for card in COLONY_CARDS)

WITH_COLONIES = "Give --colonies yes, or name Colony among the cards of --kingdom."


def own_kingdom(word: str) -> Kingdom | None:
    """Return a kingdom of only the cards that a baseline or a file needs; None for other words, such as runs."""
    return Kingdom(_needed(word)) if word in BUY_LIST_BASELINES or _is_file(word) else None


def _needed(word: str) -> tuple[str, ...]:
    """Return the kingdom cards of a baseline or a file; none for other words."""
    if word in BUY_LIST_BASELINES:
        return tuple(set(baseline_buy_list(word).cards) - {card.name for card in BASIC})
    return load_strategy(word).cards if _is_file(word) else ()


def _is_file(word: str) -> bool:
    return parse_player(word).kind is PlayerKind.FILE


def searching_network(name: PlayerName, kingdom: Kingdom) -> PythonAgent:
    """Return the network with search of a name such as "network:0.5s"."""
    from evodom.matches.playout_search import searching_agent
    from evodom.search.playouts import PlayoutBudget

    word, seconds = name.word, name.seconds
    if not _MIN_SECONDS <= seconds <= _MAX_SECONDS:
        allowed = f"{NETWORK}:{_MIN_SECONDS:g}s to {NETWORK}:{_MAX_SECONDS:g}s"
        raise UsageError(f"'{word}' would search for {seconds:g} s a decision. Allowed: {allowed}.")
    return searching_agent(word, shipped_weights(kingdom), PlayoutBudget(seconds=seconds))


def _meaning(name: PlayerName, store: RunStore) -> _Meaning:
    """Replace the name of an answer by that of its best strategy. Return other words unchanged.

    Raise UsageError for a generation, a rank other than 1 or a mixture of an answer, and for a list that is not saved.
    """
    word, found = name.word, name.in_run
    if found is None:
        return _Meaning(name, word)
    key = found.file
    answer = find_answer(key, store) if found.part in ("", LIST, MIXTURE) else None
    if answer is None:
        return _Meaning(name, word)
    if name.is_mixture or found.generation is not None or found.rank not in (None, 1):
        parts = ", ".join(f"{key}:{part}:1" for part in answer.parts)
        raise UsageError(
            f"'{word}': an answer is one strategy. Allowed: {key}, {key}:{LIST}, or of its parts: {parts}."
        )
    strategy = _allowed(found.key if found.part else answer.best, (PlayerKind.RUN, PlayerKind.BASELINE))
    return _Meaning(strategy, found.key, answer)


def _allowed(word: str, kinds: Sequence[PlayerKind]) -> PlayerName:
    """Return the parsed name of a player. Raise UsageError unless its kind is one of ``kinds``."""
    found = parse_player(word)
    if found.kind in kinds and found.kind is not PlayerKind.UNKNOWN:
        return found
    if found.kind is not PlayerKind.UNKNOWN:
        what = f"{short(word, 60)} is {found.kind.value.partition(' (')[0]}, which does not play here."
        raise UsageError(f"{what} Allowed: {_forms(kinds)}.")
    ending = "The name of a strategy file ends in .toml. " if "." in word and PlayerKind.FILE in kinds else ""
    near = _near_file(word, kinds) or did_you_mean(word[:LONGEST_NAME], BASELINES)
    advice = near or f"{ending}The baselines are listed by: evodom strategies"
    raise UsageError(f"{short(word, 60)} names no strategy. Allowed: {_forms(kinds)}. {advice}")


def _near_file(word: str, kinds: Sequence[PlayerKind]) -> str:
    """Return a question that suggests a strategy file of a similar name; "" where files are refused."""
    return near_file(word, ".toml") if PlayerKind.FILE in kinds else ""


def _forms(kinds: Iterable[PlayerKind]) -> str:
    return ", ".join(kind.value for kind in kinds if kind.value)


def _refuse_unknown(keys: Iterable[str], store: RunStore, kinds: Sequence[PlayerKind]) -> None:
    """Raise UsageError for an unknown key that is similar to a baseline, RunError for any other unknown key."""
    names, known = (*BASELINES, NETWORK), [*store]
    for key in keys:
        if key.partition(":")[0] in known:
            continue
        near = get_close_matches(key, names, n=1, cutoff=_MISSPELT)
        if near and near[0] != key:
            raise UsageError(f"'{key}' names no strategy. Allowed: {_forms(kinds)}. Did you mean {near[0]}?")
        nearest = suggest_names(key, [*known, *names], "evodom runs, and evodom strategies", cutoff=_SUGGESTED)
        near_and_nearest = " ".join(filter(None, (_near_file(key, kinds), nearest)))
        raise RunError(f"no run named '{key}', nor any other strategy. {near_and_nearest}")


def _shared(given: Kingdom | None, kingdoms: dict[str, Kingdom]) -> Kingdom:
    """Return the shared kingdom. Raise UsageError if the runs and policies have different kingdoms."""

    def made(key: str) -> str:
        return f"{'policy' if key.endswith(POLICY_FILES) else 'run'} '{key}'"

    chosen = given or next(iter(kingdoms.values()), None) or FIRST_GAME
    for key, own in kingdoms.items():
        if own == chosen:
            continue
        if differs_in_colony(own, chosen):
            has, lacks = ("with", "without") if own.has_colony else ("without", "with")
            raise UsageError(
                f"{made(key)} was made in these ten cards {has} Platinum and Colony, and the game is {lacks} them: "
                "their kingdoms differ. Leave out --kingdom, or take those of one kingdom."
            )
        if given:
            asked = "the kingdom asked for" if given.name == CUSTOM else given.name
            raise UsageError(f"{made(key)} was made in {_named(own)}, not in {asked}. Play in its own.")
        other = next(iter(kingdoms))
        raise UsageError(
            f"{made(key)} was made in {_named(own)}, and '{other}' in {_named(chosen)}: they cannot meet. "
            "Take those of one kingdom."
        )
    return chosen


def _named(kingdom: Kingdom) -> str:
    return "a kingdom without a name" if kingdom.name == CUSTOM else kingdom.name


def _entrant(meant: _Meaning, words: Sequence[str], runs: dict[str, Run], kingdom: Kingdom, *, fixed: bool) -> Entrant:
    word, kind = meant.name.word, meant.name.kind
    if meant.answer and meant.is_list:
        return Entrant(word, (LIST, meant.answer.key), list_of(meant.answer))
    if kind is PlayerKind.BASELINE:
        return _baseline(word, kingdom)
    if kind is PlayerKind.NETWORK:
        return Entrant(NETWORK, (NETWORK,), network_strategy(shipped_weights(kingdom), kingdom))
    if kind is PlayerKind.SEARCH:
        return Entrant(word, (NETWORK, f"{meant.name.seconds:g}"), searching_network(meant.name, kingdom))
    if kind is PlayerKind.FILE:
        return _from_file(word, words, kingdom, fixed=fixed)
    assert meant.in_run is not None
    return _from_run(meant.name, runs[meant.in_run.key], meant.in_run)


def _distinct_names(
    entrants: Sequence[Entrant], words: Sequence[str], taken: Collection[str], *, by_file_name: bool
) -> tuple[Entrant, ...]:
    """Return the entrants under distinct names.

    A strategy file has the name in it. If that is ``taken`` or shared, it has the file's name, or else its path.
    """
    found = list(entrants)
    for place, (entrant, word) in enumerate(zip(entrants, words, strict=True)):
        if entrant.origin[0] == "file" and (by_file_name or entrant.name in taken):
            found[place] = replace(entrant, name=Path(word).name)
    for called in (lambda word: Path(word).name, str):
        origins: dict[str, set[tuple[str, ...]]] = {}
        for entrant in found:
            origins.setdefault(entrant.name, set()).add(entrant.origin)
        for place, (entrant, word) in enumerate(zip(found, words, strict=True)):
            if entrant.origin[0] == "file" and len(origins[entrant.name]) > 1:
                found[place] = replace(entrant, name=called(word))
    return tuple(found)


def _baseline(name: str, kingdom: Kingdom) -> Entrant:
    if missing := missing_cards(name, kingdom):
        advice = WITH_COLONIES if {*missing} <= COLONY_NAMES else ""
        fitting = ", ".join(fitting_baselines(kingdom))
        raise UsageError(
            f"{name} buys {missing[0]}, which the kingdom does not have. {advice or f'Fitting here: {fitting}.'}"
        )
    return Entrant(name, ("baseline", name), baseline(name, kingdom))


def _from_file(word: str, words: Sequence[str], kingdom: Kingdom, *, fixed: bool) -> Entrant:
    """Return the entrant of a strategy file, one of ``words``. ``fixed`` is True if the kingdom is that of a run."""
    found = load_strategy(word)
    name = one_line(found.name, LONGEST_NAME) if found.is_named else Path(word).name
    if (missing := found.missing(kingdom)) and not fixed:
        needed = {card for one in words for card in _needed(one)}
        n_needed = len(needed - COLONY_NAMES)
        given = {*kingdom.cards} - {*kingdom.drawn} if kingdom.name == CUSTOM else set()
        advice = f"Give --kingdom {','.join(map(slug, sorted(needed | given)))}"
        if len((needed | given) - COLONY_NAMES) > KINGDOM_SIZE:
            advice = f"Name {', '.join(missing)} in place of other cards of --kingdom."
        if {*missing} <= COLONY_NAMES:
            advice = WITH_COLONIES
        if n_needed > KINGDOM_SIZE:
            advice = f"The strategies name {n_needed} cards, and a kingdom has {KINGDOM_SIZE}. Leave some out."
        raise UsageError(f"{name} names {missing[0]}, which the kingdom does not have. {advice}")
    return Entrant(name, ("file", str(Path(word).resolve())), found.record(kingdom))


def list_of(answer: Answer) -> Strategy:
    """Return the buy list of an answer. Raise UsageError if none is saved."""
    if answer.plan is None:
        raise UsageError(
            f"no list is saved with the answer '{answer.key}', as its search has not ended. Continue it: evodom advise"
        )
    return parse_strategy(answer.plan, where=f"the list of the answer '{answer.key}'").record(answer.kingdom)


def _from_run(name: PlayerName, run: Run, found: StrategyName) -> Entrant:
    word, chosen = name.word, run.last() if found.generation is None else run.generation(found.generation)
    number, size = 1 if found.rank is None else found.rank, len(chosen.genomes)
    every = kind_of(run).whole_interval
    if size == 1 and (number > 1 or name.is_mixture) and every:
        raise UsageError(
            f"'{word}': of generation {chosen.index}, run '{run.key}' keeps the champion only, as of most old ones. "
            f"Allowed: {run.key}@{chosen.index}, or a generation that {every} divides."
        )
    if not 1 <= number <= size:
        raise UsageError(
            f"'{word}': run '{run.key}' has no strategy {number}. Allowed: {run.key}:1 to {run.key}:{size}."
        )
    if name.is_mixture:
        return _mixture(name, run, chosen)
    strategy = strongest(run, number, chosen)[number - 1]
    return Entrant(word, ("run", run.key, str(chosen.index), str(number)), strategy)


def _mixture(name: PlayerName, run: Run, generation: Generation) -> Entrant:
    """Return the mixture of a generation. A mixture of one strategy is this strategy."""
    weights = kind_of(run).mixture(run, generation)
    if not weights or (name.in_run and name.in_run.rank is not None):
        why = "has one mixture" if weights else "has no mixture: all lines are young, or islands or no local search"
        allowed = f"{run.key}:mixture" if weights else run.key
        raise UsageError(f"'{name.word}': generation {generation.index} of run '{run.key}' {why}. Allowed: {allowed}.")
    best, origin = strongest(run, max(weights), generation), ("run", run.key, str(generation.index))
    strategies = [best[rank - 1] for rank in weights]
    if len(strategies) == 1:
        return Entrant(name.word, (*origin, str(max(weights))), strategies[0])
    return Entrant(name.word, (*origin, MIXTURE), Mixture(strategies, list(weights.values())))
