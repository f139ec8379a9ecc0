"""The style of all figures: what is written, and how it looks."""

import time

import numpy as np
import pytest
from PIL import Image

import datasets
from trainers.plots import style
from trainers.plots.graph import graph_statistics


def path_graph(num_nodes):
    return datasets.Graph(
        name="path",
        num_nodes=num_nodes,
        num_classes=1,
        features=np.ones((num_nodes, 1)),
        edges=[[i, i + 1] for i in range(num_nodes - 1)],
        labels=[0] * num_nodes,
        train=[0],
        val=[1],
        test=[2],
    )


def simple_figure():
    figure, axes = style.new_figure(1, 1, width=2.0, height=1.0)
    axes[0, 0].plot([0, 1], color=style.COLOURS["blue"])
    return figure


def test_a_figure_is_written_for_screens_and_for_papers(tmp_path):
    paths = style.save(simple_figure(), tmp_path / "a.b")
    assert [path.name for path in paths] == ["a.b.png", "a.b.svg", "a.b.pdf"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert paths[2].read_bytes().startswith(b"%PDF")
    assert b"/Type3" not in paths[2].read_bytes()
    with Image.open(paths[0]) as image:
        assert image.size == (600, 300)
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_the_same_figure_gives_the_same_bytes(tmp_path):
    first = [path.read_bytes() for path in style.save(simple_figure(), tmp_path / "a")]
    time.sleep(1.1)  # a date would have changed
    assert [path.read_bytes() for path in style.save(simple_figure(), tmp_path / "a")] == first


def test_a_small_png_keeps_the_frequent_colours(tmp_path):
    (path, *_) = style.save(simple_figure(), tmp_path / "a")
    with Image.open(path) as image:
        assert image.mode == "P"
        colours = sorted(image.convert("RGB").getcolors(1 << 16), reverse=True)
    assert colours[0][1] == (255, 255, 255)
    assert (0x00, 0x72, 0xB2) in {colour for _, colour in colours}


def test_rare_colours_become_the_nearest_frequent_one(tmp_path):
    grey = np.repeat(np.arange(256, dtype=np.uint8), 2)[np.newaxis]
    pixels = np.stack([grey] * 3, axis=2)
    rare = np.array([[[254, 0, 0], [0, 0, 1]]], np.uint8)  # 258 colours
    Image.fromarray(np.concatenate([pixels, rare], axis=1)).save(tmp_path / "in.png")
    with open(tmp_path / "in.png", "rb") as drawn:
        style.write_small_png(drawn, tmp_path / "out.png", 300)
    with Image.open(tmp_path / "out.png") as image:
        shown = np.asarray(image.convert("RGB"))
    np.testing.assert_array_equal(shown[:, :512], pixels)
    assert shown[0, 513].tolist() == [0, 0, 0]


@pytest.mark.parametrize("num_nodes", [4, 9, 300])
def test_a_logarithmic_axis_has_plain_numbers(tmp_path, num_nodes):
    """Also one of less than a decade, which labels its minor ticks."""
    _, svg, _ = style.save(graph_statistics(path_graph(num_nodes)), tmp_path / "a")
    assert "mathdefault" not in svg.read_text()
    assert "$" not in svg.read_text()


def test_a_legend_lies_within_its_figure():
    figure = graph_statistics(path_graph(9))
    figure.draw_without_rendering()
    (legend,) = figure.legends
    box = legend.get_window_extent()
    assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
    assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1


def test_axes_of_a_decade_or_more_have_labels():
    figure = graph_statistics(path_graph(300))
    figure.draw_without_rendering()
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert {"1", "10", "100"} <= set(labels)


@pytest.mark.parametrize(
    ("background", "expected"), [("black", "white"), ("white", "black"), ("#0072B2", "white")]
)
def test_text_has_the_colour_with_more_contrast(background, expected):
    assert style.text_colour(background) == expected


def test_a_warning_about_glyphs_is_not_raised(tmp_path):
    figure = simple_figure()
    figure.suptitle("\U0001f600")
    assert len(style.save(figure, tmp_path / "a")) == len(style.KINDS)
