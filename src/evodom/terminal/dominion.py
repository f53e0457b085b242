"""Play a game of Dominion at the terminal: screens, commands, and the end of the game."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from evodom.dominion import log
from evodom.dominion.cards import CARDS, Card, counted
from evodom.dominion.effects.ops import Op, Zone
from evodom.dominion.game import PASS_NAME, Decision
from evodom.errors import UsageError
from evodom.kernel_groups import compile_text, groups_to_compile, load_groups
from evodom.matches.agents import PythonAgent
from evodom.sessions import questions
from evodom.sessions.content import read_game
from evodom.sessions.dominion import ASK_TREASURES, PLAY_TREASURES, DominionSession
from evodom.sessions.files import Slot
from evodom.sessions.review import hints, review, win_chances
from evodom.sessions.sentences import end_warning
from evodom.terminal import ending
from evodom.terminal import screen as table
from evodom.terminal.console import PROMPT, Console, PersonLeft, SessionEnd, Terminal, sentence
from evodom.terminal.ending import review_lines
from evodom.terminal.parser import NO_WORDS, YES_WORDS, Choices, TypedCommand, Unclear, parse


class DominionTerminal(Terminal[DominionSession]):
    """One person at one game."""

    def __init__(
        self,
        game: DominionSession,
        console: Console,
        slot: Slot,
        *,
        is_saved: bool = False,
        may_replace: bool = False,
        news: tuple[str, ...] = (),
        offers_review: bool = False,
    ) -> None:
        """Take a game. The first screen shows ``news``. With ``offers_review`` the end offers a review."""
        super().__init__(game, console, slot, is_saved=is_saved, may_replace=may_replace)
        self.news, self.offers_review = news, offers_review
        self._shown_turn = -1

    # The loop.

    def _play(self) -> None:
        self.session.play_on()
        if not self.session.choices:
            self._notes = self._welcome()
        while (decision := self.session.decision) is not None:
            self._show_table(decision)
            self._ask(decision)
            self._save_quietly()
            self.session.play_on()

    def _read_again(self) -> None:
        session = self.session
        trusted = {one.strategy.source for one in session.setup.players if isinstance(one.strategy, PythonAgent)}
        self.session = read_game(self.slot.path, session.workers, trusted.__contains__)
        self._shown_turn = -1

    def _ask(self, decision: Decision) -> None:
        """Read lines until one of them has chosen something."""
        before = len(self.session.choices)
        answers = [answer.name for answer in decision.consequences]
        menu = {answer.name: answer.text for answer in decision.consequences} if decision.has_options else None
        piles = [card.name for card in self.session.game.piles]
        guess: Choices | None = None
        has_warned = is_switch = False
        while len(self.session.choices) == before:
            line = self._read()
            meant = parse(line, piles, answers, menu)
            if guess and line.strip().casefold() in (*YES_WORDS, *NO_WORDS, ""):
                is_confirmed = line.strip().casefold() in YES_WORDS
                meant = replace(guess, is_guess=False) if is_confirmed else Unclear("Nothing is chosen.")
            guess = meant if isinstance(meant, Choices) and meant.is_guess else None
            if guess:
                self._say(guess.text)
            elif isinstance(meant, Unclear):
                self._say(meant.text)
            elif meant == TypedCommand("options") and not is_switch:
                self._say(self._treasure_mode())
            elif isinstance(meant, TypedCommand):
                if self._obey(meant):
                    return
            elif objection := self._objection(decision, meant):
                self._say(objection)
            elif (
                not meant.names
                and not has_warned
                and (warning := questions.unspent_warning(self.session.view, decision))
            ):
                has_warned = True
                self._say(warning)
            else:
                self.session.mark()
                self._choose(decision, meant)
            is_switch = meant == TypedCommand("options")

    def _objection(self, decision: Decision, meant: Choices) -> str:
        """Return why a line cannot be an answer, whatever its cards; "" if it can."""
        if not meant.names and not questions.enter_is_taken(decision):
            asked = questions.question(self.session.view, decision, self.session.trashed)
            return f"Enter chooses nothing here. {asked}"
        if meant.names == (questions.ALL,) and decision.effect.op != Op.PLAY_TREASURE:
            return f"'{questions.ALL}' is an answer to the Treasure question only. Name the cards here."
        return questions.wrong_verb(decision, meant.verb)

    def _choose(self, decision: Decision, meant: Choices) -> None:
        """Carry out the choices of one line. Show which names were not taken, and why."""
        n_before = len(self.session.choices)
        names = list(meant.names) or [PASS_NAME]
        if names == [questions.ALL]:
            names = questions.all_treasures(self.session.view, decision)
        notes = questions.choose_names(self.session, names).notes
        if len(self.session.choices) > n_before:
            self._notes, self._n_idle = notes, 0
        else:
            self._say(*notes)

    # Screens.

    def _show_table(self, decision: Decision) -> None:
        """Show the screen. A console without ``clear`` shows it in full only at new turns and for the Supply."""
        view, names = self.session.view, self.session.setup.names
        first = self._shown_turn != self.session.n_turns
        whole = self.console.clear is not None or first or decision.effect.source == Zone.SUPPLY
        if self.console.clear:
            self.console.clear()
        recent, trashed, size = self._recent(), self.session.trashed, self.console.size
        warning = end_warning(view, int(self.session.game.rules.piles_to_end))
        if whole:
            drawn = table.screen(view, decision, names, recent, trashed=trashed, warning=warning, size=size)
        else:
            drawn = table.brief(view, decision, recent, trashed=trashed, warning=warning, width=size.width)
        self.console.show(drawn)
        self._shown_turn = self.session.n_turns
        self._notes = []

    def _welcome(self) -> list[str]:
        session = self.session
        assert session.seat is not None
        place = f"You are P{session.seat + 1} of {len(session.setup.players)}"
        hand = ", ".join(counted(table.most_first(session.opening_hand)))
        rules = questions.aim(session.game)
        return [*rules, *self.news, f"{place}. Your opening hand was {hand}. The game is saved as '{self.slot.name}'."]

    def _recent(self) -> list[str]:
        """Return the log for the screen, one entry per turn. The person's turn in progress is shown event by event."""
        names, seat = self.session.setup.names, self.session.seat
        *before, now = log.turns(self.session.game.events)
        tell = log.turn_story if now.seat == seat else log.turn_line
        past = [log.turn_line(turn, names, seat) for turn in before[-self.console.size.height :]]
        return [*past, tell(now, names, seat), *self._notes]

    # The commands.

    def _obey(self, order: TypedCommand) -> bool:
        """Execute a command. Return True if the table has to be shown again."""
        if order.word in _CHANGES:
            return _CHANGES[order.word](self)
        self.console.show(self._answer(order))
        if (decision := self.session.decision) is not None:
            self._say(questions.question(self.session.view, decision, self.session.trashed))
        return False

    def _answer(self, order: TypedCommand) -> list[str]:
        """Return the lines of a command that changes nothing."""
        session, width = self.session, self._width
        view, names = session.view, session.setup.names
        turns, since = log.turns(session.game.events), list(self._since_own_turn())
        answers: dict[str, Callable[[], list[str]]] = {
            "help": lambda: table.about_help(width),
            "hand": lambda: table.about_hand(view, self._card, width),
            "play": lambda: table.about_play(view, width),
            "discard": lambda: table.about_discards(view, names, width),
            "deck": lambda: table.about_deck(view, width),
            "supply": lambda: table.supply(view, session.decision, self.console.size),
            "trash": lambda: table.about_cards("Trash:", view.trash, width),
            "players": lambda: table.players(view, names, width),
            "view": lambda: table.about_card(self._card(order.argument), view.costs, width),
            "log": lambda: table.about_log(turns, names, session.seat, width=width),
            "events": lambda: table.about_log(since, names, session.seat, full=True, width=width),
            "hint": self._hint,
        }
        return answers[order.word]()

    def _card(self, name: str) -> Card:
        """Return a card as it is in this game."""
        return next((card for card in self.session.game.piles if card.name == name), CARDS[name])

    def _hint(self) -> list[str]:
        """Return lines with the win probability of each choice and the strategies' choices."""
        session = self.session
        self._load_search()
        chances = win_chances(session.game, session.setup.seed + len(session.choices), session.workers)
        opinions = table.about_hints(hints(session.game, session.setup.players), self._width)
        return [*table.about_chances(chances, self._width), *opinions]

    def _load_search(self) -> None:
        """Load the kernels of playouts, or compile them."""
        if groups_to_compile("search"):
            self._say(f"{compile_text('search')} ...")
        load_groups("search")

    def _since_own_turn(self) -> Iterator[log.Turn]:
        """Yield the person's last turn and all turns after it."""
        yield from log.turns(self.session.game.events)[-len(self.session.setup.players) - 1 :]

    def _show_again(self) -> bool:
        self._shown_turn = -1
        return True

    def _undo(self) -> bool:
        try:
            back = self.session.undo()
        except UsageError as error:
            self._say(sentence(error))
            return False
        if back is None:
            self._say("There is nothing to undo.")
            return False
        self._notes = [back.text]
        return True

    def _treasure_mode(self) -> str:
        """Return how the Treasures are played, and how to change it."""
        now, other = ("one by one", "automatically") if self.session.asks_treasures else ("automatically", "one by one")
        return f"Your Treasures are played {now}. Type options again to play them {other}."

    def _switch_options(self) -> bool:
        self.session.mark()
        asks = self.session.asks_treasures
        self.session.choose(PLAY_TREASURES if asks else ASK_TREASURES)
        how = "automatically" if asks else "one by one"
        self._notes = [f"Your Treasures are now played {how}."]
        return True

    def _save(self) -> bool:
        self._say(self._write() or f"Saved. Continue later with: {self.slot.continue_command}")
        return bool(self._notes)

    def _quit(self) -> bool:
        raise PersonLeft

    # The end.

    def _end(self, outcome: SessionEnd) -> None:
        self._say(*self._notes)
        self._notes = []
        if outcome is not SessionEnd.LEFT:
            self._show_standings()
        if outcome is SessionEnd.OVER:
            self._look_back()
        elif self.session.is_begun or self.is_saved:
            objection = self._save_and_leave()
            if objection and outcome is SessionEnd.LEFT:
                self._show_standings()
            self._say(*filter(None, [objection]))

    def _show_standings(self) -> None:
        """Show the turns, purchases and standings. The standings are last, so that a small screen keeps them."""
        game, setup, width = self.session.game, self.session.setup, self._width
        shown = ["", *ending.standings(game, setup, width), "", *ending.play_again(setup)]
        if game.is_over:
            shown = ["", *ending.purchases(game, setup, width), *shown]
            # Up to 5 lines may follow: the review command, the offer of a review, and the prompt.
            shown = [*self._last_turns(self.console.size.height - len(shown) - 5), *shown]
        self.console.show(shown)

    def _last_turns(self, room: int) -> list[str]:
        """Return the turns from the person's last turn on: those that fit in ``room`` lines, all if negative."""
        session = self.session
        lines = [log.turn_line(turn, session.setup.names, session.seat) for turn in self._since_own_turn()]
        return table.tail(lines, room, self._width) if room >= 0 else table.wrapped(*lines, width=self._width)

    def _look_back(self) -> None:
        """Save the finished game, and offer its review."""
        if not self.session.choices:
            return
        objection = self._write()
        self._say(*self._notes)
        if objection:
            self._say(objection)
        else:
            self.console.show(["Review it with:", f"  {self.slot.review_command}"])
        if not self.offers_review:
            return
        self._say("Review it now and see your costliest mistakes? y = yes, Enter = no")
        with suppress(EOFError, KeyboardInterrupt):
            if self.console.read(PROMPT).strip().casefold() in YES_WORDS:
                self._review()

    def _review(self) -> None:
        """Show the costliest mistakes and the curve of win probabilities."""
        self._load_search()
        self._say("Reviewing the game ...")
        try:
            found = review(self.session, self.session.workers)
        except UsageError as error:
            self._say(sentence(error))
            return
        self.console.show(review_lines(found, self.slot, block_characters=self.console.has_block_characters))


_CHANGES: dict[str, Callable[[DominionTerminal], bool]] = {
    "table": DominionTerminal._show_again,
    "undo": DominionTerminal._undo,
    "options": DominionTerminal._switch_options,
    "save": DominionTerminal._save,
    "quit": DominionTerminal._quit,
}
