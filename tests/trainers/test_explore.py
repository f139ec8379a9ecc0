"""`python -m trainers.explore`, and its page in a browser, if there is one."""

import re
import shutil

import numpy as np
import pytest
from commands import assert_one_clear_sentence, run_command
from small_pages import HOSTILE, arrays, hostile_graph, made

from mixhop_tf import Architecture
from trainers.explorer import packing

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with a graph and a model, and what the command printed."""
    graph = hostile_graph()
    folder = tmp_path_factory.mktemp("world")
    graph.save(folder / "town")
    trained, _ = made(graph, Architecture.default(3, hidden_dims=[6]), tmp_path_factory)
    (tmp_path_factory.getbasetemp() / "exported0" / "saved_model").rename(folder / "model")
    answer = run_command("explore", "--model", "model", "--dataset", "town", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return folder, answer, trained


def content(path):
    text = path.read_text(encoding="utf-8")
    return arrays(packing.unpacked(re.search(r'id="data">([^<]*)<', text)[1]))


def test_the_command_writes_one_file(world):
    folder, answer, _ = world
    assert re.fullmatch(r"(.*\n)?wrote explore\.html \(\d\.\d MB\)\n", answer.stdout)
    assert sorted(path.name for path in folder.iterdir()) == ["explore.html", "model", "town"]
    held = content(folder / "explore.html")
    assert held["nodes"]["ids"][0] == HOSTILE
    assert len(held["explanations"]["rows"]) == 12


@pytest.mark.parametrize(
    ("flags", "parts"),
    [
        (["--model", "model"], ["--dataset must be given"]),
        (["--model", "model", "--dataset", "town", "--out", "page.txt"], ["--out", ".html"]),
        (["--model", "model", "--dataset", "town", "--points", "0"], ["--points must be from 1"]),
    ],
)
def test_a_wrong_flag_gets_one_sentence(world, flags, parts):
    assert_one_clear_sentence(run_command("explore", *flags, cwd=world[0]), *parts)


class Watched:
    """A page in a browser, and everything that it should not do."""

    def __init__(self, browser, address, width, height):
        self.page = browser.new_page(viewport={"width": width, "height": height})
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append("a dialog"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(address)
        self.page.wait_for_selector("#node h2")

    def search(self, text):
        self.page.fill("#search", text)
        self.page.press("#search", "Enter")

    def shows(self, name):
        """Waits until the page shows a node."""
        self.page.locator("#node h2", has_text=re.compile(f"^{re.escape(name)}$")).wait_for()

    def close(self, address):
        """Nothing went wrong, and nothing but the file was asked for."""
        assert self.complaints == []
        assert {url.partition("#")[0] for url in self.requests} == {address}
        self.page.close()


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is in requirements-dev.lock"
    )
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no browser: install Debian's package chromium")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def opened(world, browser):
    """A function that opens the page and, at the end of the test, asserts that all went well."""
    address = (world[0] / "explore.html").as_uri()
    pages = []

    def open_page(width=1280, height=900, place=""):
        pages.append(Watched(browser, address + place, width, height))
        return pages[-1]

    yield open_page
    for each in pages:
        each.close(address)


def test_search_walk_and_back(opened):
    shown = opened()
    shown.search("PERSON 3")
    shown.shows("person 3")
    assert shown.page.url.endswith("#node=person%203")
    links = shown.page.locator("#node svg a")
    names = [links.nth(i).get_attribute("aria-label").partition(",")[0] for i in (0, 1)]
    links.nth(0).locator("circle").click()
    shown.shows(names[0])
    shown.page.go_back()
    shown.shows("person 3")
    links.nth(1).focus()
    links.nth(1).press("Enter")
    shown.shows(names[1])
    assert len({"person 3", *names}) == 3


def test_names_that_look_like_html_are_text(opened):
    shown = opened()
    shown.search("<img")
    shown.shows(HOSTILE)
    assert shown.page.locator("img").count() == 0
    shown.search("nobody")
    assert "No node has this id." in shown.page.inner_text("#matches")


def test_a_cell_of_the_confusion_matrix_lists_its_nodes(opened, world):
    shown = opened()
    cells = shown.page.locator(".matrix button")
    total = 0
    for i in range(cells.count()):
        cells.nth(i).click()
        count = int(cells.nth(i).inner_text())
        assert shown.page.locator("#quality ul.nodes a").count() == count
        total += count
    assert total == (world[2].graph.labels >= 0).sum()


def test_a_click_on_the_map_and_a_block_of_the_model(opened, world):
    held = content(world[0] / "explore.html")
    shown = opened()
    box = shown.page.locator("canvas").bounding_box()
    places = held["map"]["places"].reshape(-1, 2)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9 * np.eye(12)
    alone = int(gaps.min(axis=1).argmax())  # no other point is near
    x, y = 10 + places[alone] * (np.array([box["width"], box["height"]]) - 22)
    shown.page.locator("canvas").click(position={"x": float(x), "y": float(y)})
    shown.shows(held["nodes"]["ids"][held["map"]["drawn"][alone]])
    for kind in ("label", "mistake"):
        shown.page.select_option("#colouring", kind)
        shown.page.locator(".legend button").first.click()
    block = shown.page.locator(".layer button").first
    block.focus()
    told = shown.page.inner_text("output")
    assert re.match(r"Layer 1, power 0: 2 of 6 columns; \d+\.\d % of the contributions;", told)
    assert "12" in shown.page.inner_text("#model table tbody tr")


def test_a_phone_shows_everything_without_sideways_scrolling(opened):
    shown = opened(400, 800, "#node=person%205")
    shown.shows("person 5")
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 400
    assert "by feature" in shown.page.inner_text("#node")


_DRAWN = """() => {
  const count = 16;
  const tree = Array.from({ length: count }, (_, i) => ({
    node: i, distance: i === 15 ? 2 : Math.min(i, 1), parent: i === 15 ? 9 : 0, rank: i,
    contribution: 0.5, flow: i,
  }));
  const nodes = { ids: tree.map((each) => `1234567${each.node}`), answer: tree.map(() => 0) };
  const data = { nodes, classes: ["tea"], ranks: [0], colours: ["#009E73"] };
  const drawn = drawTree(data, tree, 600);
  document.body.append(drawn);
  const boxes = (kind) => Array.from(drawn.querySelectorAll(kind), (each) => {
    const { x, y, width, height } = each.getBBox();
    return [x, y, x + width, y + height];
  });
  const [, , ...space] = drawn.getAttribute("viewBox").split(" ").map(Number);
  const found = { circles: boxes("circle"), labels: boxes("a > text:not(.rank)"), space };
  drawn.remove();
  return found;
}"""


def test_a_drawing_fills_its_space_and_no_label_covers_a_node(opened):
    shown = opened()
    found = shown.page.evaluate(_DRAWN)
    circles, labels = np.array(found["circles"]), np.array(found["labels"])
    assert (circles.shape, labels.shape) == ((16, 4), (15, 4))
    both = np.concatenate([circles, labels])
    assert both.min() >= 0
    assert (both[:, 2:] <= found["space"]).all()
    assert (np.ptp(circles[:, [1, 3]]) / found["space"][1]) > 0.75
    apart = (labels[:, None, :2] >= circles[None, :, 2:]) | (
        labels[:, None, 2:] <= circles[None, :, :2]
    )
    assert apart.any(axis=2).all()


def test_a_power_without_columns_has_no_block(opened):
    blocks = opened().page.evaluate(
        """() => layerBlocks([{ heads: 0, powers: [{ name: "power 0", power: 0, columns: 0 },
           { name: "power 1", power: 1, columns: 7 }] }], null)[0].innerText"""
    )
    assert blocks == "power 1: 7"
