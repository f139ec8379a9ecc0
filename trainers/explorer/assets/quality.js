const MOST_LISTED = 300;

function showQuality(data, section) {
  const found = data.quality;
  section.append(heading("Quality"));
  if (!found) {
    section.append(...notes(["No labels to compare with, so there are no metrics."]));
    return;
  }
  const list = element("div", { "aria-live": "polite" });
  section.append(
    ...notes([`${counted(found.count, "node")} (${found.nodes}).`, ...found.notes]),
    table(null, found.metrics, { label: "Metrics" }),
    element("h3", {}, "Classes"),
    table(["class", "precision", "recall", "F1"], found.classes, { label: "Metrics of each class" }),
    element("h3", {}, "Confusion matrix"),
    ...notes(["A row for each label, a column for each answer. Choose a cell to see its nodes."]),
    confusionTable(data, found.confusion, list),
    list,
    element("h3", {}, "Reliability"),
    ...notes(["How often the model is right, against how sure it is. On the line it is as sure as it should be."]),
    reliabilityDiagram(found),
  );
}

function confusionTable(data, confusion, list) {
  const { names, counts } = confusion;
  const head = element("tr", {}, element("th", {}, "label ╲ answer"),
    names.map((name) => element("th", { scope: "col" }, name)));
  const rows = counts.map((row, i) => {
    const total = row.reduce((a, b) => a + b, 0);
    return element("tr", {}, element("th", { scope: "row" }, names[i]),
      row.map((count, j) => element("td", {}, confusionCell(data, confusion, i, j, count / (total || 1), list))));
  });
  return element("div", { class: "scroll" }, element("table", { class: "matrix", "aria-label": "Confusion matrix" },
    element("thead", {}, head), element("tbody", {}, rows)));
}

function confusionCell(data, confusion, i, j, share, list) {
  const count = confusion.counts[i][j];
  if (!count) return "";
  const colour = i === j ? "var(--for)" : "var(--against)";
  const text = `label ${confusion.names[i]}, answer ${confusion.names[j]}`;
  const button = element("button", {
    type: "button", "aria-pressed": "false", "aria-label": `${counted(count, "node")}: ${text}`,
    style: { background: `color-mix(in srgb, ${colour} ${Math.round(70 * share)}%, transparent)` },
    onclick: () => {
      for (const other of button.closest("table").querySelectorAll("button")) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", "true");
      listNodes(data, nodesOfCell(data, confusion.places, i, j), count, text, list);
    },
  }, count.toLocaleString("en"));
  return button;
}

function nodesOfCell(data, places, i, j) {
  const { label, answer, scored, ids } = data.nodes;
  const found = [];
  for (let node = 0; node < ids.length; node++) {
    if (scored[node] && places[label[node]] === i && places[answer[node]] === j) found.push(node);
  }
  return found;
}

function listNodes(data, found, count, text, list) {
  const shown = found.slice(0, MOST_LISTED);
  const cut = shown.length < count ? ` ${shown.length.toLocaleString("en")} of them are listed.` : "";
  list.replaceChildren(
    element("p", { class: "note" }, `${counted(count, "node")}: ${text}.${cut}`),
    element("ul", { class: "nodes" }, shown.map((node) => element("li", {}, nodeLink(data, node)))),
  );
}

function reliabilityDiagram(found) {
  const size = 260, margin = 56;
  const x = (share) => margin + share * size, y = (share) => 10 + (1 - share) * size;
  const ticks = [0, 0.5, 1].flatMap((at) => [
    shape("text", { x: x(at), y: y(0) + 18, "text-anchor": "middle" }, String(at)),
    shape("text", { x: margin - 8, y: y(at) + 4, "text-anchor": "end" }, String(at)),
  ]);
  const line = (points, kind, name) => [
    shape("polyline", { class: `edge ${kind}`, points: points.map(([sure, right]) => `${x(sure)},${y(right)}`).join(" ") }),
    ...points.map(([sure, right, count]) => shape("circle",
      { cx: x(sure), cy: y(right), r: 4, fill: `var(--${kind})` },
      shape("title", {}, `${name}: confidence ${percent(sure)}, right ${percent(right)}, ${counted(count, "node")}`))),
  ];
  const before = found.uncalibrated ? line(found.uncalibrated, "against", "before calibration") : [];
  const points = found.reliability.map(([sure, right]) => `${percent(sure)} sure, ${percent(right)} right`);
  return element("figure", {},
    shape("svg", {
      viewBox: `0 0 ${size + margin + 20} ${size + 60}`, role: "img", style: { maxWidth: "24rem" },
      "aria-label": `Reliability: ${points.join("; ")}`,
    },
    shape("rect", { class: "axis", x: margin, y: 10, width: size, height: size }),
    shape("line", { class: "axis", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    ...ticks, ...before, ...line(found.reliability, "for", "model"),
    shape("text", { x: x(0.5), y: y(0) + 38, "text-anchor": "middle" }, "confidence"),
    shape("text", { x: 12, y: y(0.5), "text-anchor": "middle", transform: `rotate(-90 12 ${y(0.5)})` }, "share right")),
    found.uncalibrated ? element("figcaption", { class: "note" }, "Dashed: before calibration.") : null);
}
