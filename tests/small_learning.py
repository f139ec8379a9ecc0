"""Settings that learn an architecture within seconds."""

import dataclasses

from small_settings import SETTINGS

from mixhop_tf import LearnSettings, Recipe


def _recipe(input_dropout, hidden_dropout, **changes):
    pace = {"decay_every": 40, "decay_fraction": 0.01, "max_steps": 40, "patience": 40}
    return Recipe(
        settings=dataclasses.replace(SETTINGS, learning_rate=2.0, lasso=0.0, **{**pace, **changes}),
        input_dropout=input_dropout,
        hidden_dropout=hidden_dropout,
    )


WIDE = _recipe(0.3, 0.5, l2=5e-4, lasso_kind="scaled")
RETRAIN = _recipe(0.3, 0.9, l2=2e-2)


def learn_settings(lasso=0.02, **changes):
    """Makes the settings of a search that takes seconds."""
    fields = {
        "width": 12,
        "wide": WIDE,
        "lassos": (lasso,),
        "importance": "effect",
        "budget": "columns=9",
        "retrain": RETRAIN,
        "runs": 2,
    }
    return LearnSettings(**fields | changes)


def with_settings(recipe, **changes):
    """Changes settings of a recipe."""
    return dataclasses.replace(recipe, settings=dataclasses.replace(recipe.settings, **changes))
