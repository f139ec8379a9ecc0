/** Makes an HTML element. Text becomes text nodes, never HTML. */
function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Makes an SVG element. */
function shape(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") Object.assign(made.style, value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((each) => each !== null));
  return made;
}

function heading(text) {
  return element("h2", {}, text);
}

function notes(texts) {
  return texts.map((text) => element("p", { class: "note" }, text));
}

/** A table whose first column names the rows. Other columns are numbers, except those without a head. */
function table(head, rows, { numbers = true, label = null } = {}) {
  const kind = (i) => ({ class: numbers && (i === 1 || (i > 1 && head?.[i])) ? "number" : null });
  const top = head && element("thead", {}, element("tr", {},
    head.map((text, i) => element("th", { scope: "col", ...kind(i) }, text))));
  const body = rows.map((row) => element("tr", {}, row.map((cell, i) =>
    element(i ? "td" : "th", { scope: i ? null : "row", ...kind(i) }, cell))));
  return element("div", { class: "scroll" },
    element("table", { "aria-label": label }, top || null, element("tbody", {}, body)));
}

function swatch(colour) {
  return element("span", { class: "swatch", style: { background: colour }, "aria-hidden": "true" });
}

function bar(share, kind = "", longest = 8) {
  const style = { width: `${Math.max(0, Math.min(1, share)) * longest}rem` };
  return element("span", { class: `bar ${kind}`, style, "aria-hidden": "true" });
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function signed(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Ids often begin alike, so both ends stay. */
function shortened(text, longest) {
  const half = Math.floor(longest / 2);
  return text.length <= longest ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
}

function nodeAddress(data, node) {
  return `#node=${encodeURIComponent(data.nodes.ids[node])}`;
}

function nodeLink(data, node) {
  return element("a", { href: nodeAddress(data, node) }, data.nodes.ids[node]);
}
