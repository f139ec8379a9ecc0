function showGraph(data, section) {
  const held = data.nodes.ids.length;
  const known = data.classSizes.reduce((a, b) => a + b, 0);
  const largest = Math.max(1, ...data.classSizes);
  const classes = data.classes.map((name, i) => [
    element("span", {}, swatch(classColour(data, i)), name),
    data.classSizes[i].toLocaleString("en"),
    bar(data.classSizes[i] / largest),
  ]);
  section.append(
    heading("Graph"),
    ...notes(data.notes),
    table(null, data.statistics, { label: "Statistics of the graph" }),
    element("h3", {}, "Classes"),
    table(["class", "labels", ""], classes, { label: "Classes" }),
    ...notes([
      ...(known ? [] : ["No node has a label."]),
      held === data.numNodes
        ? `The page holds all ${counted(held, "node")}; you can search for each of them.`
        : `The page holds a sample of ${counted(held, "node")} of ${data.numNodes.toLocaleString("en")}. ` +
          "Only these can be searched for.",
    ]),
  );
}

function showModel(data, section) {
  const { layers, text, parameters } = data.architecture;
  section.append(heading("Model"));
  if (layers) section.append(...layerBlocks(layers, powerShares(data)));
  section.append(element("pre", {}, text), ...notes([counted(parameters, "parameter")]));
  if (!data.explained.size) return;
  const head = ["answer", "nodes"];
  for (let i = 0; i < data.explanations.numDistances; i++) head.push(i ? counted(i, "hop") : "itself");
  section.append(
    element("h3", {}, "How far it looks"),
    ...notes([`Share of each distance in the contributions, mean over the ${counted(data.explained.size, "explained node")}.`]),
    table(head, distanceShares(data), { label: "Contribution by distance" }),
  );
}

/** Calls a function with each explained node's row, and the magnitudes of its parts as shares. */
function forShares(values, length, call) {
  for (let row = 0; row * length < values.length; row++) {
    const parts = values.subarray(row * length, (row + 1) * length);
    const total = parts.reduce((sum, each) => sum + Math.abs(each), 0) || 1;
    call(row, Array.from(parts, (each) => Math.abs(each) / total));
  }
}

/** The share of each power of each layer in the contributions; null if the paths are unknown. */
function powerShares(data) {
  const { powers, powerSums } = data.explanations;
  const { layers } = data.architecture;
  if (!powers || powers.some((path) => path.length !== layers.length)) return null;
  const shares = layers.map(() => ({}));
  forShares(powerSums, powers.length, (_, parts) => parts.forEach((share, i) =>
    powers[i].forEach((power, layer) => {
      shares[layer][power] = (shares[layer][power] || 0) + share / data.explained.size;
    })));
  return shares;
}

/** Rows of a table: for all nodes and for each answer, the mean share of each distance. */
function distanceShares(data) {
  const { distanceSums, numDistances, targets } = data.explanations;
  const rows = ["all", ...data.classes].map((name) => ({ name, count: 0, sums: new Array(numDistances).fill(0) }));
  forShares(distanceSums, numDistances, (row, parts) => {
    for (const each of [rows[0], rows[targets[row] + 1]]) {
      each.count += 1;
      parts.forEach((share, i) => { each.sums[i] += share; });
    }
  });
  return rows.filter((each) => each.count).map(({ name, count, sums }) =>
    [name, count.toLocaleString("en"), ...sums.map((sum) => percent(sum / count))]);
}

/** A row of blocks for each layer, as wide as the powers have columns. */
function layerBlocks(layers, shares) {
  const told = element("output", { class: "note", "aria-live": "polite" },
    "Point at a block, or move the focus to it.");
  const rows = layers.map((layer, i) => {
    const total = layer.powers.reduce((sum, power) => sum + power.columns, 0);
    return element("div", { class: "layer", role: "group", "aria-label": `Layer ${i + 1}` },
      layer.powers.filter((power) => power.columns).map((power) => layerBlock(layer, power, i, total, shares && (shares[i][power.power] || 0), told)));
  });
  return [...rows, told];
}

function layerBlock(layer, power, number, total, contribution, told) {
  const parts = [`Layer ${number + 1}, ${power.name}: ${power.columns} of ${counted(total, "column")}`];
  if (contribution !== null) parts.push(`${percent(contribution)} of the contributions`);
  if (layer.heads) parts.push(counted(layer.heads, "attention head"));
  if (layer.batchNorm) parts.push("then batch norm");
  if (layer.activation) parts.push(`then ${layer.activation}`);
  const tell = () => { told.textContent = `${parts.join("; ")}.`; };
  const share = contribution === null ? null
    : element("span", { class: "share", style: { width: `${100 * contribution}%` } });
  return element("button",
    {
      type: "button", "aria-label": parts.join("; "), style: { flex: `${power.columns} 1 0` },
      onmouseenter: tell, onfocus: tell, onclick: tell,
    },
    `${power.name}: ${power.columns}`, share);
}
