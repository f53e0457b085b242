"""A clock that advances by the games played, so that limits of time are tested without waiting."""

from evodom.learning.ppo import Learner
from evodom.matches.seating import Use
from evodom.matches.venue import Venue


class WorkClock:
    """Seconds that pass as games are played: ``pace`` games a second, and ``later`` games after ``change`` seconds."""

    def __init__(self, pace, later=None, change=float("inf")):
        self.now, self._pace, self._later, self._change = 0.0, pace, later or pace, change

    def __call__(self):
        return self.now

    def play(self, n):
        """Let the time pass that ``n`` games take."""
        before = min(n, max(self._change - self.now, 0.0) * self._pace)
        self.now += before / self._pace + (n - before) / self._later

    def watch(self, monkeypatch):
        """Advance for all games that strategies and learners play, but for those that rank the baselines once."""
        play, record = Venue._play, Learner.play

        def played(venue, lineup, tables, seeds):
            self.play(len(tables) if venue.use != Use.BASELINES else 0)
            return play(venue, lineup, tables, seeds)

        def recorded(learner, lineup, is_recorded, games, *args, **options):
            self.play(len(games.tables))
            return record(learner, lineup, is_recorded, games, *args, **options)

        monkeypatch.setattr(Venue, "_play", played)
        monkeypatch.setattr(Learner, "play", recorded)
        return self
