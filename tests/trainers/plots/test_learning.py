"""Pictures of architectures: boxes that can be compared, and text that can be read."""

from types import SimpleNamespace

import pytest
from matplotlib.colors import to_hex

from mixhop_tf import Architecture, LayerSpec
from trainers.plots import learning

GRAPH = SimpleNamespace(name="cora", num_features=1433, num_classes=7)


@pytest.fixture
def panel():
    layers = (
        LayerSpec(powers=(0, 1, 2), dims=(0, 29, 31)),
        LayerSpec(powers=(0, 1, 2), dims=(0, 3, 18)),
    )
    (panel,) = learning.architecture(Architecture(layers=layers), GRAPH, "seed 4").axes
    return panel


def boxes(panel):
    """Height by label, for the powers that stayed."""
    heights = {}
    for box in panel.patches:
        if to_hex(box.get_facecolor(), keep_alpha=True) == "#00000000":
            continue
        middle = box.get_y() + box.get_height() / 2
        (label,) = (
            text.get_text()
            for text in panel.texts
            if text.get_position()[1] == pytest.approx(middle)
            and box.get_x() <= text.get_position()[0] < box.get_x() + 0.7
        )
        heights[label] = box.get_height()
    return heights


def test_all_layers_have_one_scale(panel):
    heights = boxes(panel)
    assert heights.keys() == {"Â¹: 29", "Â²: 31", "Â¹: 3", "Â²: 18"}
    for label, height in heights.items():
        assert height == pytest.approx(int(label.split(": ")[1]) / 60)


def test_a_box_that_is_too_low_has_its_text_beside_it(panel):
    (text,) = (text for text in panel.texts if text.get_text() == "Â¹: 3")
    assert text.get_ha() == "left"
    assert text.get_color() == "black"


def test_text_is_white_on_blue_and_black_on_orange(panel):
    colours = {text.get_text(): text.get_color() for text in panel.texts}
    assert (colours["Â¹: 29"], colours["Â²: 31"]) == ("white", "black")


def test_a_power_that_vanished_is_an_empty_box(panel):
    assert sum(text.get_text() == "Â⁰: vanished" for text in panel.texts) == 2
    assert sum(box.get_linestyle() == "--" for box in panel.patches) == 2


def test_every_box_and_stage_is_within_the_picture(panel):
    low, high = panel.get_ylim()
    assert all(low <= box.get_y() and box.get_y() + box.get_height() <= 0 for box in panel.patches)
    stages = [text.get_text() for text in panel.texts if "\n" in text.get_text()]
    assert stages == [
        "1,433\nfeatures",
        "layer 1:\n60 columns",
        "layer 2:\n21 columns",
        "psum:\n7 classes",
    ]
    assert all(text.get_position()[1] < high for text in panel.texts)
