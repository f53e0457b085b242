"""Sentences that several reports share."""

from evodom.presentation.documents.common import playing_sentence
from evodom.reports.measure import ByTurn


def test_the_first_sentence_says_what_to_buy_in_each_stage_and_what_to_trash():
    reached = [1.0] * 12 + [0.5] * 4
    none = [0.0] * 16
    bought = {
        "Silver": [0.9, 0.8, *none[2:]],
        "Chapel": [0.1, 0.2, *none[2:]],
        "Witch": [*none[:2], 0.4, 0.4, *none[4:]],
        "Moat": [0.29, *none[1:]],
        "Gold": [*none[:6], *[0.5] * 6, 0.0, 0.0, 0.0, 0.0],
        "Province": [*none[:12], *[0.9] * 4],
        "Duchy": [*none[:12], *[0.1] * 4],
    }
    turns = ByTurn(1, 100, reached, none, none, none, bought, {}, {})

    assert playing_sentence(turns, {"Copper": 5.0, "Estate": 2.8, "Silver": 0.1}) == (
        "To play like it, buy Silver and Chapel on turns 1-2; Witch on turns 3-6; Gold on turns 7-12; Province from "
        "turn 13 on. Trash Coppers and Estates."
    )
    bought |= {name: [0.5, *none[1:]] for name in ("Market", "Smithy", "Village")}
    turns = ByTurn(1, 100, reached, none, none, none, bought, {}, {})
    # The four most frequent, the most expensive first.
    assert playing_sentence(turns, {}).startswith(
        "To play like it, buy Market, Smithy, Silver and Village on turns 1-2; "
    )
    assert playing_sentence(ByTurn(1, 100, [], [], [], [], {}, {}, {}), {}) == ""
