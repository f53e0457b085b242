"""The venue: common random numbers, rotated seats, results independent of threads and batches."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evodom.dominion.kingdom import FIRST_GAME
from evodom.dominion.strategies.baselines import baseline
from evodom.errors import UsageError
from evodom.matches import Purpose, Tally, Use, Venue, Workers, standing, venue, win_share
from evodom.matches.seating import game_seeds, rotated
from evodom.matches.tournament import shares_against_copies

MONEY, SMITHY, MILITIA = (baseline(name, FIRST_GAME) for name in ("big-money", "big-money-smithy", "big-money-militia"))


def test_against_seats_a_strategy_everywhere_equally_often_and_repeats_the_others():
    three, four = Venue(FIRST_GAME, 3, 1), Venue(FIRST_GAME, 4, 1)

    tables = np.concatenate([batch for batch, _ in three.against(SMITHY, [MONEY], 7, three.stream(Purpose.CARDS))])
    ((mixed, _),) = four.against(SMITHY, [MONEY, MILITIA], 4, four.stream(Purpose.CARDS))

    assert len(tables) == 9
    assert [(tables[:, seat] == 0).sum() for seat in range(3)] == [3, 3, 3]
    assert set(tables.ravel()) == {0, 1}
    assert all(sorted(table) == [0, 1, 1, 2] for table in mixed.tolist())


def test_equal_streams_give_common_random_numbers():
    place = Venue(FIRST_GAME, 2, 1)
    stream = place.stream(Purpose.CARDS)

    (tables, one), (again, other) = (next(place.against(MONEY, [MONEY], 50, stream)) for _ in range(2))
    together, alone = place.table([SMITHY, MONEY], 20, stream), place.against(SMITHY, [MONEY], 20, stream)

    assert (tables == again).all()
    assert (one == other).all()
    assert (next(together)[1] == next(alone)[1]).all()


def test_threads_and_batches_do_not_change_games(monkeypatch):
    counted = []

    def played(workers=None):
        place = Venue(FIRST_GAME, 4, 3, Use.ADVICE, workers, on_games=counted.append)
        tally = Tally.of(place.against(SMITHY, [MONEY], 100, place.stream(Purpose.CARDS)))
        return standing(tally.games, 0), tally.deck(0).tolist()

    alone = played()
    with ThreadPoolExecutor(3) as executor:
        assert played(Workers(executor, 3)) == alone
    counted.clear()
    monkeypatch.setattr(venue, "BATCH", 37)
    assert played() == alone
    assert counted == [37, 37, 26]


def test_the_census_plays_the_games_of_the_table():
    place = Venue(FIRST_GAME, 2, 1)
    stream = place.stream(Purpose.TABLE)

    tally, census = place.census([SMITHY, MONEY], 100, stream)

    assert standing(tally.games, 0) == standing(Tally.of(place.table([SMITHY, MONEY], 100, stream)).games, 0)
    assert census["games"].tolist() == [26, 26]


def test_shares_against_copies_are_those_of_the_venue():
    place = Venue(FIRST_GAME, 3, 1)
    luck = game_seeds(place.stream(Purpose.CARDS), 1, 30)
    players = np.array([MONEY, SMITHY, MILITIA])

    shares = shares_against_copies(
        lambda tables, seeds: place.play(players, tables, seeds), np.array([1, 2]), np.array([0]), 3, luck
    )

    for number, one in enumerate((SMITHY, MILITIA)):
        tally = Tally.of(place.against(one, [MONEY], 30, place.stream(Purpose.CARDS)))
        assert shares[number].mean() == pytest.approx(win_share(tally.games, 0).share)


def test_a_table_needs_a_strategy_for_each_seat():
    place = Venue(FIRST_GAME, 4)

    with pytest.raises(UsageError, match="2 strategies do not fill a table of 4"):
        list(place.table([MONEY, SMITHY], 10, place.stream(Purpose.TABLE)))


def test_a_tally_sums_the_decks_of_copies_and_of_the_winners():
    place = Venue(FIRST_GAME, 2, 1)
    tables = rotated(np.array([[0, 0]]), 4)
    results = place.play([MONEY], tables, game_seeds(place.stream(Purpose.TABLE), 4))

    tally = Tally.of([(tables, results)])

    assert tally.deck(0) == pytest.approx(results["owned"][:, :2].mean(axis=(0, 1)))
    by_hand = (results["owned"][:, :2] * results["win"][:, :2, None]).sum(axis=1).mean(axis=0)
    assert tally.winners_deck == pytest.approx(by_hand)


def test_a_census_among_many_counts_every_game():
    place = Venue(FIRST_GAME, 2, 3)

    tally, census = place.census_among([SMITHY, MONEY, MILITIA], 10, place.stream(Purpose.PURCHASES))

    assert len(tally.games) == 20
    assert census["games"].sum() == 40
    assert census["games"].min() >= 10
    assert (census["bought"].sum(axis=(1, 2)) > 0).all()
