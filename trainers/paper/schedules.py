"""The two ways to train that presets share: the original's schedule, and Adam."""

from __future__ import annotations

from typing import Any

from mixhop_tf import Settings

MAX_STEPS = 400  # in the original's scripts


def descent(learning_rate: float, l2: float, lasso: float = 0.0, **changes: Any) -> Settings:
    """Gradient descent as in the original's scripts: every 40 steps the rate drops by 1 %."""
    schedule: dict[str, Any] = {
        "optimizer": "gradient_descent",
        "decay_every": 40,
        "decay_fraction": 0.01,
        "max_steps": MAX_STEPS,
        "patience": 200,
    }
    return Settings(learning_rate=learning_rate, l2=l2, lasso=lasso, **schedule | changes)


def adam(learning_rate: float, l2: float, max_steps: int, patience: int) -> Settings:
    """Adam at a constant learning rate."""
    return descent(
        learning_rate,
        l2,
        optimizer="adam",
        decay_fraction=0.0,
        max_steps=max_steps,
        patience=patience,
    )
