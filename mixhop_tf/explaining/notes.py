"""Says in words what a contribution is."""

from __future__ import annotations

from mixhop_tf.explaining.program import Program

_SCALINGS = {
    "rows": "a feature after its node's row was scaled to norm one; the norm counts as fixed",
    "standardize": "a standardised feature: its distance from the mean of the training graph, in "
    "deviations, so that a feature at its mean contributes nothing",
    "none": "a feature",
}
_SLOPE = "A unit counts with what features change in it, so"
_METHODS = {
    "exact": f"{_SLOPE} the sum is exact, and the constant is the logit without any features.",
    "fixed attention": f"{_SLOPE} the sum is exact. Attention coefficients count as fixed: how "
    "features change them is not attributed.",
    "gradient": "The head is not piecewise linear and counts with its gradient; `rest` is what the "
    "gradient leaves out.",
}


def note(program: Program, scaling: str) -> str:
    """Returns two sentences: what a contribution is, and how exact the sum is."""
    what = f"A contribution is what the model makes of {_SCALINGS[scaling]}."
    return f"{what} {_METHODS[program.method]}"
