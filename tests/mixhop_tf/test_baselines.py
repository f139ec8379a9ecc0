"""The baselines' architectures, and the JSON of all kinds."""

import pytest
from small_models import LEARNED

import mixhop_tf as m
from mixhop_tf.baselines import BASELINES, GAT, GCN, MLP, NETWORKS, NGCN, Chebyshev
from mixhop_tf.models.build import MODELS


def test_every_kind_has_a_name_and_a_model_of_its_own():
    assert {name: kind.__name__ for name, kind in BASELINES.items()} == {
        "mlp": "MLP",
        "gcn": "GCN",
        "chebyshev": "Chebyshev",
        "gat": "GAT",
        "ngcn": "NGCN",
        "manireg": "ManiReg",
        "semiemb": "SemiEmb",
        "lp": "LabelPropagation",
        "ica": "ICA",
        "deepwalk": "DeepWalk",
        "planetoid": "Planetoid",
    }
    assert all(kind.model == name for name, kind in BASELINES.items())
    classes = [kind.architecture_class for kind in MODELS]
    assert classes == [m.Architecture, *NETWORKS.values()]


def test_mixhops_architecture_is_read_as_before():
    architecture = LEARNED
    assert m.architecture_from_dict(architecture.to_dict()) == architecture
    assert m.architecture_from_json(architecture.to_json()) == architecture


def test_an_architecture_says_what_it_is():
    text = str(GAT(hidden_width=60, heads=6))
    assert text.startswith("gat: hidden width 60, activation elu, input dropout 0.5")
    assert "heads 6, output heads 1" in text
    assert "powers 0,1,2,3" in str(NGCN(hidden_width=5))


@pytest.mark.parametrize(
    ("kind", "fields", "complaint"),
    [
        (GCN, {"hidden_width": 0}, "`hidden_width` must be 1 or more"),
        (GCN, {"hidden_width": 2.5}, "`hidden_width` must be 1 or more"),
        (MLP, {"hidden_width": 4, "input_dropout": 1.0}, r"`input_dropout` must be in \[0, 1\)"),
        (MLP, {"hidden_width": 4, "activation": None}, "`activation` must be a name"),
        (Chebyshev, {"hidden_width": 4, "order": -1}, "`order` must be 0 or more"),
        (Chebyshev, {"hidden_width": 4, "largest_eigenvalue": 2.5}, r"must be in \(0, 2\]"),
        (GAT, {"hidden_width": 9, "heads": 2}, "`hidden_width` must be a multiple of `heads`"),
        (GAT, {"hidden_width": 8, "attention_dropout": -1}, "`attention_dropout` must be in"),
        (NGCN, {"hidden_width": 4, "powers": (1, 1)}, "distinct"),
        (NGCN, {"hidden_width": 4, "powers": ()}, "distinct"),
        (NGCN, {"hidden_width": 4, "powers": (True, 2)}, "distinct"),
        (GCN, {"hidden_width": 4, "input_dropout": 0.999999}, r"must be in \[0, 1\)"),
        (Chebyshev, {"hidden_width": 4, "largest_eigenvalue": "2"}, r"must be in \(0, 2\]"),
        (NGCN, {"hidden_width": 4, "head": "mean"}, "`head` must be one of"),
    ],
)
def test_nonsense_is_refused(kind, fields, complaint):
    with pytest.raises(ValueError, match=complaint):
        kind(**fields)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"model": "gin"}', "`model` must be one of"),
        ('{"model": "gcn", "version": 9}', "not version 1 of a gcn"),
        ('{"model": "gcn", "version": 1}', "not the fields of a gcn"),
        ('{"model": "gcn", "version": 1, "hidden_width": 4, "depth": 3}', "not the fields"),
        ("5", "not the JSON of an architecture"),
        ("{", "not the JSON of an architecture"),
    ],
)
def test_unknown_kinds_versions_and_fields_are_refused(content, complaint):
    with pytest.raises(ValueError, match=complaint):
        m.architecture_from_json(content)
