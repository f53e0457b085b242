"""Settings of a run: defaults by model, bounds, JSON."""

import json

import pytest

from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.options import specs_of


def test_defaults_follow_the_model_unless_given():
    for given, expected in [
        ({}, ("graded", "evolved", 6, 25)),
        ({"model": "classic"}, ("classic", "simple", 12, 12)),
        ({"model": "classic", "choices": "evolved", "switch_low": 3, "switch_high": 7}, ("classic", "evolved", 3, 7)),
        ({"choices": "simple", "switch_low": 3, "switch_high": 7}, ("graded", "simple", 3, 7)),
    ]:
        options = Options(**given)
        assert (options.model, options.choices, options.switch_low, options.switch_high) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"model": "flat"}, r"^--model is 'flat'\. Allowed: graded, classic, buy-list\.$"),
        ({"choices": "none"}, r"^--choices is 'none'\. Allowed: evolved, simple\.$"),
        ({"switch_high": 9}, "--switch-index is 0"),
        ({"start": "best"}, r"^--start is 'best'\. Allowed: random, mixed\.$"),
        ({"search_rounds": 101}, r"^--search-rounds is 101\. Allowed: 0 to 100\.$"),
        (
            {"race": 0, "search_rounds": 2},
            r"^--search-rounds is 2, and --halving-games is 0.*Give --halving-games 16 too\.$",
        ),
        (
            {"clone_share": 0, "n_elite": 0, "search_rounds": 2},
            r"^--search-rounds is 2, and with --clone-share 0 .*0\.25 too\.$",
        ),
        ({"islands": 0}, "--islands is 0. Allowed: 1 to 1,024"),
        ({"islands": 1025}, "--islands is 1025"),
        ({"migrate_every": 0}, "--migrate-every is 0"),
        (
            {"islands": 3, "migrate_every": 2, "n_generations": 5},
            "--ngen is 5, and islands migrate every 2 generations.*--ngen 6, or",
        ),
        *(({"limit_mutation": x}, r"^--limit-mutation is .*\. Allowed: 0 to 1\.$") for x in (-0.1, 1.1, float("nan"))),
    ],
)
def test_invalid_options_are_refused(given, message):
    with pytest.raises(UsageError, match=message):
        Options(**given)


def test_start_and_local_search_follow_the_model_unless_given():
    for given, expected in [
        ({}, ("mixed", 6, 16)),
        ({"model": "buy-list"}, ("mixed", 6, 16)),
        ({"model": "classic"}, ("random", 0, 0)),
        ({"model": "classic", "race": 2, "start": "mixed"}, ("mixed", 6, 2)),
        ({"race": 0}, ("mixed", 0, 0)),
        ({"clone_share": 0, "n_elite": 0}, ("mixed", 0, 16)),
        ({"start": "random", "search_rounds": 3}, ("random", 3, 16)),
    ]:
        options = Options(**given)
        assert (options.start, options.search_rounds, options.race) == expected
        assert options.parent_share == (0.125 if options.search_rounds else 0.5)


def test_settings_are_read_from_json():
    for options in (Options(), Options(model="classic"), Options(model="classic", choices="evolved")):
        assert Options.from_json(json.loads(json.dumps(options.to_json()))) == options


def test_the_help_lists_the_size_of_a_run_before_rates_of_breeding():
    names = list(specs_of(Options))

    assert names[:2] == ["n_generations", "n_strategies"]
    assert names.index("vp_penalty") < names.index("model") < names.index("worth_mutation")
