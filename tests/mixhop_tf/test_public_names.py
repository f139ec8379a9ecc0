"""The public names of the library, and what importing them costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mixhop_tf

NAMES = [
    "AdjacencySpec",
    "Architecture",
    "ArgumentError",
    "AttentiveMixHopLayer",
    "BatchTrainer",
    "Batches",
    "BlockOptions",
    "Budget",
    "Candidate",
    "Checkpoint",
    "Choice",
    "ClassScores",
    "Counterfactual",
    "CurvePoint",
    "DealScore",
    "Decision",
    "DeltaCount",
    "DivergedError",
    "Evaluation",
    "Explainer",
    "Explanation",
    "FieldSizeError",
    "Graph",
    "GraphData",
    "GraphModel",
    "GraphNorm",
    "GroupLasso",
    "LassoError",
    "LayerSpec",
    "LearnSettings",
    "LearnedArchitecture",
    "Learner",
    "LinearDecrement",
    "LiveGraph",
    "MethodTrainer",
    "MixHopClassifier",
    "MixHopLayer",
    "MixHopModel",
    "ModelExplanation",
    "Observer",
    "Peak",
    "Pruning",
    "PsumOutput",
    "Recipe",
    "RowNormalize",
    "Run",
    "RunResult",
    "SavedModel",
    "SettingError",
    "Settings",
    "Snapshot",
    "SparseDropout",
    "SplitError",
    "StabilitySettings",
    "StableArchitecture",
    "Standardize",
    "Store",
    "Trainer",
    "__version__",
    "architecture_from_dict",
    "architecture_from_json",
    "block_embeddings",
    "block_logits",
    "build_model",
    "can_block",
    "check_activations",
    "choose_settings",
    "count_deltas",
    "counterfactual",
    "evaluate",
    "explain",
    "explain_model",
    "export_saved_model",
    "freeze_in_blocks",
    "freeze_statistics",
    "largest_eigenvalue",
    "learn_architecture",
    "learn_stable_architecture",
    "load_model",
    "load_saved_model",
    "make_trainer",
    "normalized_adjacency",
    "prediction_milliseconds",
    "rescaled_laplacian",
    "shrink_to",
    "sparse_tensor",
    "train",
]
ROOT = Path(mixhop_tf.__file__).parents[1]


def test_public_names_are_these():
    assert sorted(mixhop_tf.__all__) == NAMES
    assert sorted(dir(mixhop_tf)) == NAMES


def test_the_stub_exports_each_name_under_its_own_name():
    stub = ast.parse(Path(mixhop_tf.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    aliases = [
        alias for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    assert all(alias.asname == alias.name for alias in aliases)
    assert sorted([alias.name for alias in aliases] + ["__version__"]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_name_resolves_to_something_documented(name):
    assert getattr(mixhop_tf, name).__doc__


def test_the_version_is_that_of_the_project():
    assert mixhop_tf.__version__ == (ROOT / "VERSION").read_text(encoding="utf-8").strip()


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'mixhop'"):
        mixhop_tf.mixhop  # noqa: B018


def test_what_needs_no_tensorflow_does_not_start_it():
    script = (
        "import sys\n"
        "from mixhop_tf import Architecture, Settings, LearnSettings, GraphData, Budget\n"
        "assert 'tensorflow' not in sys.modules and 'keras' not in sys.modules\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
