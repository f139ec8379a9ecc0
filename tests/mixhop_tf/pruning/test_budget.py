"""Which units stay within a budget, on wide architectures of any shape."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixhop_tf import Architecture, Budget, build_model, shrink_to
from mixhop_tf.models.weights import weights_of
from mixhop_tf.pruning.budget import thresholds
from mixhop_tf.pruning.shrink import unit_norms

NUM_FEATURES, NUM_CLASSES = 7, 3
WIDE = Architecture.from_notation(
    "0:20:30,1:20:30,2:20:30", num_classes=NUM_CLASSES, hidden_dims=[60]
)


def random_scores(seed, architecture=WIDE):
    rng = np.random.default_rng(seed)
    sizes = architecture.unit_sizes(NUM_CLASSES)
    return [
        # Coarse numbers make ties common.
        {p: rng.integers(8, size=d // n) / 4 for p, d in zip(layer.powers, layer.dims, strict=True)}
        for layer, n in zip(architecture.layers, sizes, strict=True)
    ]


def widths(kept):
    return [sum(map(len, layer.values())) for layer in kept]


@given(hidden=st.integers(1, 60), groups=st.integers(1, 30), seed=st.integers(0, 99))
def test_columns_are_met_exactly_and_the_best_stay(hidden, groups, seed):
    scores = random_scores(seed)
    budget = Budget(columns=(hidden, groups * NUM_CLASSES))
    kept = budget.kept(WIDE, scores, NUM_FEATURES, NUM_CLASSES)
    assert widths(kept) == [hidden, groups]
    for layer, stays, threshold in zip(scores, kept, thresholds(scores, kept), strict=True):
        inside = np.concatenate([layer[power][stays[power]] for power in layer])
        outside = np.concatenate([np.delete(layer[power], stays[power]) for power in layer])
        assert inside.min() >= threshold
        assert not outside.size or outside.max() <= threshold


@given(limit=st.integers(0, 2000))
def test_parameters_are_the_most_that_fit(limit):
    budget = Budget(parameters=limit)
    smallest = NUM_FEATURES + 1 + NUM_CLASSES + 1  # a column with its offset, a group with its q
    if limit < smallest:
        with pytest.raises(ValueError, match=f"takes {smallest} parameters"):
            budget.num_units(WIDE, NUM_FEATURES, NUM_CLASSES)
        return
    counts = budget.num_units(WIDE, NUM_FEATURES, NUM_CLASSES)

    def size(hidden, groups):
        return (NUM_FEATURES + 1) * hidden + hidden * groups * NUM_CLASSES + groups

    assert size(*counts) <= limit
    if counts != (60, 30):
        share = min(
            (counts[0] + 1) / 60, (counts[1] + 1) / 30
        )  # the share at which one more unit is kept
        assert size(max(1, int(60 * share + 1e-9)), max(1, int(30 * share + 1e-9))) > limit


@pytest.mark.parametrize(
    ("percentile", "counts"), [(0, (60, 30)), (90, (6, 3)), (50.0, (30, 15)), (99.9, (1, 1))]
)
def test_a_percentile_is_the_share_that_goes(percentile, counts):
    budget = Budget(percentile=percentile)
    assert budget.num_units(WIDE, NUM_FEATURES, NUM_CLASSES) == counts


@pytest.mark.parametrize("budget", [Budget(parameters=2000), Budget(percentile=10.0)])
def test_what_has_vanished_counts_towards_what_goes(budget):
    scores = random_scores(0)
    for power in (0, 1):
        scores[0][power][:] = -np.inf
    counts = budget.num_units(WIDE, NUM_FEATURES, NUM_CLASSES, scores)
    assert counts[0] == 20
    assert counts[1] > 10


def test_the_output_has_a_group_a_power_or_as_many_as_are_left():
    budget = Budget.parse("baseline")
    assert budget.columns == (60,)
    assert budget.num_units(WIDE, NUM_FEATURES, NUM_CLASSES) == (60, 3)
    scores = random_scores(0)
    for power, left in ((0, 0), (1, 1), (2, 1)):
        scores[-1][power][left:] = -np.inf
    assert budget.num_units(WIDE, NUM_FEATURES, NUM_CLASSES, scores) == (60, 2)
    kept = budget.kept(WIDE, scores, NUM_FEATURES, NUM_CLASSES)
    assert {power: units.tolist() for power, units in kept[-1].items()} == {0: [], 1: [0], 2: [0]}
    # All removed units have vanished, so the threshold is the lowest kept score.
    assert thresholds(scores, kept)[-1] == min(scores[-1][1][0], scores[-1][2][0])
    assert Budget.parse("baseline", num_hidden=2).columns == (60, 60)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("columns=", "`budget` must be baseline, columns"),
        ("columns=60,x", "`budget` must be"),
        ("width=3", "`budget` must be"),
        ("columns=0", "at least one column"),
        ("percentile=100", "less than 100"),
        ("parameters=many", "`budget` must be"),
    ],
)
def test_what_is_no_budget_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        Budget.parse(text)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((60, 4), "multiple of the 3 classes"),
        ((61, 3), "Layer 1 of the wide model has 60 columns and cannot keep 61"),
        ((60, 60, 3), "2 layers, but the budget has 3"),
        ((3,) * 4, "2 layers, but the budget has 4"),
    ],
)
def test_a_budget_that_does_not_fit_is_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        Budget(columns=columns).num_units(WIDE, NUM_FEATURES, NUM_CLASSES)
    with pytest.raises(ValueError, match="A budget must be one of"):
        Budget(columns=columns, parameters=5)


@given(seed=st.integers(0, 99))
@settings(max_examples=10)
def test_shrink_to_goes_by_norms_unless_told_otherwise(seed):
    model = build_model(WIDE, NUM_FEATURES, NUM_CLASSES, seed=seed)
    weights = weights_of(model)
    budget = Budget(columns=(8, 6))
    small, left = shrink_to(WIDE, weights, budget, NUM_CLASSES)
    assert [layer.width for layer in small.layers] == [8, 6]
    norms = unit_norms(WIDE, weights, NUM_CLASSES)
    strongest = np.sort(np.concatenate(list(norms[0].values())))[-8:]
    found = np.concatenate(list(unit_norms(small, left, NUM_CLASSES)[0].values()))
    np.testing.assert_allclose(np.sort(found), strongest)
    other = [{power: -values for power, values in layer.items()} for layer in norms]
    weakest, _ = shrink_to(WIDE, weights, budget, NUM_CLASSES, other)
    assert [layer.width for layer in weakest.layers] == [8, 6]
    assert weakest != small
