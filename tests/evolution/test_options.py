"""The settings of a run: what is not chosen follows the model."""

import json

import pytest

from evodom.errors import UsageError
from evodom.evolution.options import Options
from evodom.options import specs_of


def test_by_default_preferences_are_graded_choices_evolved_and_the_switch_too():
    options = Options()

    assert (options.model, options.choices) == ("graded", "evolved")
    assert (options.switch_low, options.switch_high) == (6, 25)


def test_the_classic_model_has_simple_choices_and_a_fixed_switch():
    options = Options(model="classic")

    assert options.choices == "simple"
    assert (options.switch_low, options.switch_high) == (12, 12)


@pytest.mark.parametrize(("model", "choices"), [("classic", "evolved"), ("graded", "simple")])
def test_what_is_chosen_is_not_replaced(model, choices):
    options = Options(model=model, choices=choices, switch_low=3, switch_high=7)

    assert (options.choices, options.switch_low, options.switch_high) == (choices, 3, 7)


def test_an_unknown_model_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"^--model is 'flat'\. Allowed: graded, classic, buy-list\.$"):
        Options(model="flat")


def test_unknown_choices_are_refused_with_the_known_ones():
    with pytest.raises(UsageError, match=r"^--choices is 'none'\. Allowed: evolved, simple\.$"):
        Options(choices="none")


@pytest.mark.parametrize("rate", ["limit_mutation", "worth_mutation"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_the_new_rates_are_probabilities(rate, value):
    with pytest.raises(UsageError, match=rf"^--{rate.replace('_', '-')} is .*\. Allowed: 0 to 1\.$"):
        Options(**{rate: value})


def test_a_limit_of_one_switch_alone_is_refused():
    with pytest.raises(UsageError, match="--switch-index is 0"):
        Options(switch_high=9)


@pytest.mark.parametrize("options", [Options(), Options(model="classic"), Options(model="classic", choices="evolved")])
def test_settings_come_back_from_json(options):
    assert Options.from_json(json.loads(json.dumps(options.to_json()))) == options


def test_a_run_of_menus_is_one_of_buy_lists_now():
    saved = Options(model="buy-list", n_strategies=8).to_json() | {"model": "menu"}

    assert Options.from_json(saved) == Options(model="buy-list", n_strategies=8)


def test_the_help_tells_what_a_run_is_before_how_it_breeds():
    names = list(specs_of(Options))

    assert names[:2] == ["n_generations", "n_strategies"]
    assert names.index("vp_penalty") < names.index("model") < names.index("worth_mutation")
