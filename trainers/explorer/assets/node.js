function showNode(data, node, section) {
  const { ids, label, answer, split, degree, mostListed } = data.nodes;
  const title = element("h2", { tabindex: "-1" }, ids[node]);
  const facts = [
    ["answer", element("span", {}, swatch(classColour(data, answer[node])), className(data, answer[node]))],
    ["label", className(data, label[node]) + (label[node] >= 0 && label[node] !== answer[node] ? " (the answer is wrong)" : "")],
    ...(split[node] ? [["split", SPLITS[split[node]]]] : []),
    [data.directed ? "edges in and out" : "neighbours", degree[node].toLocaleString("en")],
  ];
  const tree = treeOf(data, node);
  section.replaceChildren(title, table(null, facts, { numbers: false, label: "The node" }),
    element("h3", {}, "Probabilities"), probabilities(data, node));
  const width = Math.max(280, Math.min(704, section.clientWidth));
  section.append(element("h3", {}, "Why"), element("figure", {}, drawTree(data, tree, width)));
  if (tree[0].contribution === null) section.append(...plainNeighbours(data, node, tree));
  else section.append(...explanation(data, node, tree));
  if (degree[node] > mostListed) {
    section.append(...notes([`The page lists at most ${counted(mostListed, "neighbour")} of a node.`]));
  }
  return title;
}

function probabilities(data, node) {
  const { top, topClasses, topShares } = data.nodes;
  const rows = [];
  for (let i = node * top; i < (node + 1) * top; i++) {
    const number = topClasses[i];
    rows.push([element("span", {}, swatch(classColour(data, number)), className(data, number)),
      percent(topShares[i]), bar(topShares[i])]);
  }
  return table(null, rows, { label: "Probabilities" });
}

function plainNeighbours(data, node, tree) {
  const { reason } = data.explanations;
  const rows = tree.slice(1).map((each) => [String(each.rank), nodeLink(data, each.node),
    className(data, data.nodes.answer[each.node]), direction(data, node, each.node)]);
  const why = reason || `The page explains ${counted(data.explained.size, "node")}, and this is none of them. ` +
    "The command `trainers.explain` explains every node; a larger --explanation_mb makes a larger page.";
  return [...notes([why]),
    rows.length ? table(["", "neighbour", "answer", ""], rows, { numbers: false, label: "Neighbours" })
      : notes(["The node has no neighbours in this page."])].flat();
}

function direction(data, node, other) {
  const { directions, starts } = data.nodes;
  if (!directions) return "";
  const at = starts[node] + neighboursOf(data, node).indexOf(other);
  return ["", "edge to it", "edge from it", "edges in both directions"][directions[at]];
}

/** A row for each contribution: name, number, bar. */
function contributionTable(head, entries, label) {
  const most = Math.max(1e-9, ...entries.map(([, value]) => Math.abs(value)));
  return table([head, "contribution", ""], entries.map(([name, value]) =>
    [name, signed(value), bar(Math.abs(value) / most, value < 0 ? "against" : "for", 6)]), { label });
}

function explanation(data, node, tree) {
  const found = data.explanations;
  const row = data.explained.get(node);
  const [logit, constant, rest] = found.sums.subarray(3 * row, 3 * row + 3);
  const part = (name, length) => found[name].subarray(row * length, (row + 1) * length);
  const distances = Array.from(part("distanceSums", found.numDistances), (value, i) =>
    [i ? `${counted(i, "hop")} away` : "the node itself", value]);
  const shown = tree.reduce((sum, each) => sum + each.contribution, 0);
  const ranked = [...tree].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const nodes = ranked.map((each) => [nodeName(data, each), each.contribution]);
  const features = Array.from(part("features", found.numFeatures), (number, i) =>
    [found.featureNames[number], part("featureSums", found.numFeatures)[i]]);
  const paths = found.powers.map((powers, i) =>
    [powers.map((each) => (each === null ? "skipped" : each)).join(" → "), part("powerSums", found.powers.length)[i]]);
  const target = className(data, found.targets[row]);
  return [
    ...notes([`Blue edges speak for ${target}, dashed edges against it. The contributions add up to its ` +
      `logit, ${signed(logit)}: by distance, by node, by feature, and by the powers on the way.`]),
    contributionTable("by distance", [...distances, ["constant", constant], ...(rest ? [["unexplained", rest]] : [])], "By distance"),
    contributionTable("by node", [...nodes, ["all other nodes", logit - constant - rest - shown]], "By node"),
    contributionTable("by feature", features, "By feature"),
    element("details", {}, element("summary", {}, "By powers, from the first layer to the last"),
      contributionTable("powers", paths, "By powers")),
    ...notes([found.note]),
  ];
}

function nodeName(data, each) {
  if (each.node === NO_NODE) return "a node outside this page";
  if (!each.rank) return "the node itself";
  const far = element("span", { class: "note" }, ` ${counted(each.distance, "hop")}, ${className(data, data.nodes.answer[each.node])}`);
  return element("span", {}, `${each.rank}. `, nodeLink(data, each.node), far);
}
