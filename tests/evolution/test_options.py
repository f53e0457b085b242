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
        *(({"limit_mutation": x}, r"^--limit-mutation is .*\. Allowed: 0 to 1\.$") for x in (-0.1, 1.1, float("nan"))),
    ],
)
def test_invalid_options_are_refused(given, message):
    with pytest.raises(UsageError, match=message):
        Options(**given)


def test_settings_are_read_from_json():
    for options in (Options(), Options(model="classic"), Options(model="classic", choices="evolved")):
        assert Options.from_json(json.loads(json.dumps(options.to_json()))) == options
    former = Options(model="buy-list", n_strategies=8).to_json() | {"model": "menu"}
    assert Options.from_json(former) == Options(model="buy-list", n_strategies=8)


def test_the_help_lists_the_size_of_a_run_before_rates_of_breeding():
    names = list(specs_of(Options))

    assert names[:2] == ["n_generations", "n_strategies"]
    assert names.index("vp_penalty") < names.index("model") < names.index("worth_mutation")
