const MOST_PLAIN = 15; // neighbours in a drawing without contributions

/** The tree of an explanation, or the node and its neighbours if there is none. */
function treeOf(data, node) {
  const row = data.explained.get(node);
  if (row === undefined) {
    const others = Array.from(neighboursOf(data, node).subarray(0, MOST_PLAIN));
    return [node, ...others].map((each, i) =>
      ({ node: each, distance: i ? 1 : 0, parent: 0, contribution: null, flow: 0, rank: i }));
  }
  const { width, nodes, distances, parents, contributions, flows } = data.explanations;
  const found = [];
  for (let i = row * width; i < (row + 1) * width; i++) {
    if (found.length && distances[i] === 0) break; // only fillers follow
    found.push({
      node: nodes[i], distance: distances[i], parent: parents[i], contribution: contributions[i], flow: flows[i],
    });
  }
  [...found.slice(1)].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .forEach((each, i) => { each.rank = i + 1; });
  return found;
}

/** Gives each node an angle: leaves share the circle, and a parent is amid its children. */
function withAngles(tree) {
  const children = tree.map(() => []);
  tree.forEach((each, i) => { if (i) children[each.parent].push(i); });
  const leaves = tree.filter((_, i) => i && !children[i].length).length;
  let next = 0;
  const visit = (i) => {
    if (!children[i].length) {
      tree[i].angle = (2 * Math.PI * next++) / Math.max(leaves, 1) - Math.PI / 2;
      return tree[i].angle;
    }
    const angles = children[i].map(visit);
    tree[i].angle = (angles[0] + angles[angles.length - 1]) / 2;
    return tree[i].angle;
  };
  visit(0);
  return tree;
}

/** Places the nodes: rings around the first node, as large as the space allows. Returns the height. */
function place(tree, width, wide) {
  const sides = wide ? [115, 40] : [24, 24]; // a label stands beside its node, or above or below it
  const spaces = [width - 2 * sides[0], 380];
  withAngles(tree);
  const axes = [Math.cos, Math.sin].map((turn, axis) => {
    const places = tree.map((each) => each.distance * turn(each.angle));
    const first = Math.min(...places);
    const span = Math.max(...places) - first;
    const reach = Math.min(170, spaces[axis] / Math.max(span, 1));
    const shift = axis ? sides[1] : (width - span * reach) / 2;
    return { places: places.map((each) => shift + (each - first) * reach), length: span * reach };
  });
  tree.forEach((each, i) => { [each.x, each.y] = axes.map((axis) => axis.places[i]); });
  return axes[1].length + 2 * sides[1];
}

function drawTree(data, tree, width) {
  const wide = width >= 520;
  const height = place(tree, width, wide);
  const most = Math.max(1e-9, ...tree.slice(1).map((each) => Math.abs(each.flow)));
  const edges = tree.slice(1).map((each) => shape("line", {
    class: `edge ${each.contribution === null ? "" : each.flow < 0 ? "against" : "for"}`,
    x1: tree[each.parent].x, y1: tree[each.parent].y, x2: each.x, y2: each.y,
    "stroke-width": (1 + (7 * Math.abs(each.flow)) / most).toFixed(2),
  }));
  const circles = tree.map((each, i) => drawNode(data, each, i, wide));
  return shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Neighbourhood of the node" },
    edges, circles.slice(1), circles[0]);
}

function drawNode(data, each, i, wide) {
  const known = each.node !== NO_NODE;
  const id = known ? data.nodes.ids[each.node] : "a node outside this page";
  const answer = known ? data.nodes.answer[each.node] : -1;
  const what = [id, known ? `answer ${className(data, answer)}` : null,
    each.contribution === null ? null : `contributes ${signed(each.contribution)}`].filter(Boolean).join(", ");
  const label = wide && i ? shape("text", labelPlace(each), shortened(id, 14)) : null;
  const colour = classColour(data, answer);
  const parts = [
    shape("title", {}, what),
    shape("circle", { cx: each.x, cy: each.y, r: i ? 12 : 15, style: { fill: colour, stroke: "CanvasText" } }),
    shape("text", { class: "rank", x: each.x, y: each.y, style: { fill: inkOn(colour) } }, i ? String(each.rank) : "●"),
    label,
  ];
  if (!known || !i) return shape("g", { "aria-label": what }, parts);
  return shape("a", { href: nodeAddress(data, each.node), "aria-label": what }, parts);
}

/** Where the label of a node stands: away from the centre, above and below it in the middle. */
function labelPlace({ x, y, angle }) {
  const [across, down] = [Math.cos(angle), Math.sin(angle)];
  if (Math.abs(across) < 0.35) return { x, y: y + (down < 0 ? -18 : 27), "text-anchor": "middle" };
  return { x: x + (across < 0 ? -16 : 16), y: y + 4, "text-anchor": across < 0 ? "end" : "start" };
}

/** Black or white, whichever is easier to read on a colour. */
function inkOn(colour) {
  if (!colour.startsWith("#")) return "black";
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "black" : "white";
}
