"""Activations that an architecture may name."""

import pytest

from mixhop_tf import Architecture, LayerSpec, SettingError, check_activations
from mixhop_tf.baselines import GAT, GCN


@pytest.mark.parametrize("name", ["relu", "tanh", "elu", "sigmoid", "gelu"])
def test_what_keras_applies_entry_by_entry_is_taken(name):
    check_activations(Architecture.default(3, activation=name))
    check_activations(GCN(hidden_width=4, activation=name))


def test_layers_without_an_activation_are_taken():
    check_activations(Architecture(layers=(LayerSpec(powers=(0,), dims=(3,)),)))


@pytest.mark.parametrize("name", ["rel", "", "glu"])
def test_anything_else_is_refused_with_its_name(name):
    with pytest.raises(SettingError, match=f"`activation` must be .* Received: '{name}'"):
        check_activations(GAT(hidden_width=8, activation=name))
