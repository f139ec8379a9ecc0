"""Settings for very short runs."""

from mixhop_tf import Settings

SETTINGS = Settings(
    learning_rate=0.5,
    decay_every=10,
    decay_fraction=0.01,
    max_steps=20,
    patience=20,
    l2=1e-3,
    lasso=1e-3,
    optimizer="gradient_descent",
)
