"""The venue: whoever plays has the same luck, seats are rotated, and neither threads nor batches change a game."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import UsageError
from evodom.matches import Figure, Tally, Use, Venue, Workers, standing, venue, win_share
from evodom.matches.seating import game_seeds, rotated
from evodom.matches.tournament import shares_against_copies

MONEY, SMITHY, MILITIA = (baseline(name, FIRST_GAME) for name in ("big-money", "big-money-smithy", "big-money-militia"))


def test_one_against_copies_sits_everywhere_equally_often():
    place = Venue(FIRST_GAME, 3, 1)

    tables = np.concatenate([batch for batch, _ in place.against(SMITHY, [MONEY], 7, place.stream(Figure.CARDS))])

    assert len(tables) == 9
    assert [(tables[:, seat] == 0).sum() for seat in range(3)] == [3, 3, 3]
    assert set(tables.ravel()) == {0, 1}


def test_several_others_take_the_other_seats_and_are_repeated_as_needed():
    place = Venue(FIRST_GAME, 4, 1)

    ((tables, _),) = place.against(SMITHY, [MONEY, MILITIA], 4, place.stream(Figure.CARDS))

    assert all(sorted(table) == [0, 1, 1, 2] for table in tables.tolist())


def test_whoever_plays_has_the_same_luck():
    place = Venue(FIRST_GAME, 2, 1)
    stream = place.stream(Figure.CARDS)

    (tables, one), (again, other) = (next(place.against(who, [MONEY], 50, stream)) for who in (MONEY, MONEY))

    assert (tables == again).all()
    assert (one == other).all()


def test_the_same_strategies_at_one_table_and_one_against_others_play_the_same_games():
    place = Venue(FIRST_GAME, 2, 1)
    stream = place.stream(Figure.CARDS)

    assert (
        next(place.table([SMITHY, MONEY], 20, stream))[1] == next(place.against(SMITHY, [MONEY], 20, stream))[1]
    ).all()


def test_threads_and_batches_do_not_change_games(monkeypatch):
    def played(workers=None):
        place = Venue(FIRST_GAME, 4, 3, Use.ADVICE, workers)
        tally = Tally.of(place.against(SMITHY, [MONEY], 400, place.stream(Figure.CARDS)))
        return standing(tally.games, 0), tally.deck(0).tolist()

    alone = played()
    with ThreadPoolExecutor(3) as executor:
        assert played(Workers(executor, 3)) == alone
    monkeypatch.setattr(venue, "BATCH", 37)
    assert played() == alone


def test_games_are_told_of_batch_by_batch(monkeypatch):
    told = []
    monkeypatch.setattr(venue, "BATCH", 30)
    place = Venue(FIRST_GAME, 2, 1, on_games=told.append)

    list(place.table([MONEY, MONEY], 100, place.stream(Figure.CARDS)))

    assert told == [30, 30, 30, 10]


def test_the_census_plays_the_games_of_the_table():
    place = Venue(FIRST_GAME, 2, 1)
    stream = place.stream(Figure.TABLE)

    tally, census = place.census([SMITHY, MONEY], 100, stream)

    assert standing(tally.games, 0) == standing(Tally.of(place.table([SMITHY, MONEY], 100, stream)).games, 0)
    assert census["games"].tolist() == [26, 26]


def test_shares_against_copies_are_those_of_the_venue():
    place = Venue(FIRST_GAME, 3, 1)
    luck = game_seeds(place.stream(Figure.CARDS), 1, 30)
    players = np.array([MONEY, SMITHY, MILITIA])

    shares = shares_against_copies(
        lambda tables, seeds: place.play(players, tables, seeds), np.array([1, 2]), np.array([0]), 3, luck
    )

    for number, one in enumerate((SMITHY, MILITIA)):
        tally = Tally.of(place.against(one, [MONEY], 30, place.stream(Figure.CARDS)))
        assert shares[number].mean() == pytest.approx(win_share(tally.games, 0).share)


def test_a_table_needs_a_strategy_for_each_seat():
    place = Venue(FIRST_GAME, 4)

    with pytest.raises(UsageError, match="2 strategies do not fill a table of 4"):
        list(place.table([MONEY, SMITHY], 10, place.stream(Figure.TABLE)))


def test_a_tally_sums_the_decks_of_copies_and_of_the_winners():
    place = Venue(FIRST_GAME, 2, 1)
    tables = rotated(np.array([[0, 0]]), 4)
    results = place.play([MONEY], tables, game_seeds(place.stream(Figure.TABLE), 4))

    tally = Tally.of([(tables, results)])

    assert tally.deck(0) == pytest.approx(results["owned"][:, :2].mean(axis=(0, 1)))
    by_hand = (results["owned"][:, :2] * results["win"][:, :2, None]).sum(axis=1).mean(axis=0)
    assert tally.winners_deck == pytest.approx(by_hand)


def test_a_census_among_many_counts_every_game():
    place = Venue(FIRST_GAME, 2, 3)

    tally, census = place.census_among([SMITHY, MONEY, MILITIA], 10, place.stream(Figure.PURCHASES))

    assert len(tally.games) == 20
    assert census["games"].sum() == 40
    assert census["games"].min() >= 10
    assert (census["bought"].sum(axis=(1, 2)) > 0).all()
