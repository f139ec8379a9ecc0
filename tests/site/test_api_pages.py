"""The API reference has every public name, once."""

import re
from pathlib import Path

import pytest

import datasets
import mixhop_tf
from mixhop_tf import baselines, layers

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "api").glob("*.md"))
SHOWN = [
    name
    for page in PAGES
    for name in re.findall(r"^::: (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
]


def public_names():
    names = {f"mixhop_tf.{name}" for name in mixhop_tf.__all__ if name != "__version__"}
    names |= {f"datasets.{name}" for name in datasets.__all__}
    names |= {f"mixhop_tf.layers.{name}" for name in set(layers.__all__) - set(mixhop_tf.__all__)}
    described = [baselines.Baseline, *baselines.BASELINES.values()]
    return names | {f"{kind.__module__}.{kind.__name__}" for kind in described}


def test_every_public_name_is_on_one_page():
    public = public_names()
    assert public - set(SHOWN) == set(), "add `::: name` to a page in docs/api"
    assert set(SHOWN) - public == set(), "no longer public: remove from docs/api"
    assert len(SHOWN) == len(set(SHOWN))


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != "index"], ids=str)
def test_the_index_links_to_every_page(page):
    index = (ROOT / "docs" / "api" / "index.md").read_text(encoding="utf-8")
    assert f"]({page.name})" in index
