"""The kinds of sessions for tests that hold for each: how one is begun, played and read."""

import numpy as np

from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.fight import FightSession, read_fight_session
from evodom.sessions.files import FIGHTS, GAMES
from evodom.spire.fights import fight_from_toml
from evodom.spire.play.searcher import FightSearchOptions
from evodom.terminal.dominion import DominionTerminal
from evodom.terminal.fight import FightTerminal

from .helpers import make_setup

OPTIONS = FightSearchOptions(20, playouts=1)


class Game:
    """Games of Dominion against two strategies."""

    kind = GAMES
    terminal = DominionTerminal
    line = "copper"
    """A line that always chooses something at the terminal."""

    def begin(self, seed=3):
        return DominionSession(make_setup("random", "big-money-militia", seed=seed))

    def read(self, path):
        return read_game(path)

    def play(self, session, rng, n):
        """Make ``n`` choices at random."""
        session.play_on()
        for _ in range(n):
            if session.decision is None:
                return
            session.mark()
            names = [answer.name for answer in session.decision.consequences]
            session.choose(names[int(rng.integers(len(names)))])
            session.play_on()

    def state(self, session):
        session.play_on()
        return session.game.state.tobytes(), session.choices


class SpireFight:
    """Fights against an encounter that is drawn, with cards that draw, choose and exhaust at random."""

    kind = FIGHTS
    terminal = FightTerminal
    line = "e"

    def begin(self, seed=3):
        deck = "5 Strike, 3 Defend, Headbutt, True Grit, Warcry, Pommel Strike"
        text = f'enemies = {{ act = "weak" }}\ndeck = "{deck}"\npotions = "Fire Potion"\n'
        return FightSession(fight_from_toml(text), seed, OPTIONS)

    def read(self, path):
        return read_fight_session(path, OPTIONS)

    def play(self, session, rng, n):
        """Make ``n`` moves at random."""
        for _ in range(n):
            if session.over:
                return
            session.play(int(rng.choice(session.game.actions(session.state))))

    def state(self, session):
        return session.state, session.log


KINDS = [Game(), SpireFight()]


def rng_of(seed):
    return np.random.default_rng(seed)
