const COLOURINGS = { label: "label", answer: "answer", mistake: "mistakes" };
const RIGHT = 0, WRONG = 1, UNKNOWN = 2;

function showMap(data, section) {
  section.append(heading("Map"));
  if (data.map.reason) {
    section.append(...notes([data.map.reason]));
    return null;
  }
  const map = new EmbeddingMap(data);
  section.append(...map.parts);
  map.resize();
  new ResizeObserver(() => map.resize()).observe(map.canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.draw());
  return map;
}

/** The nodes in the plane; click one to go there. */
class EmbeddingMap {
  constructor(data) {
    this.data = data;
    this.colouring = "answer";
    this.only = null; // the class that stands out, or all
    this.selected = -1;
    const { kind, drawn, width } = data.map;
    this.canvas = element("canvas", {
      role: "img",
      "aria-label": `Map of ${counted(drawn.length, "node")}. Search finds each node by keyboard.`,
      onclick: (event) => this.go(this.nearest(event)),
      onmousemove: (event) => this.tell(this.nearest(event)),
    });
    this.told = element("p", { class: "note" }, "Click a point to see its node.");
    this.legend = element("div", { class: "legend", role: "group", "aria-label": "Show only" });
    const choice = element("select", { id: "colouring", onchange: () => this.colour(choice.value) },
      Object.entries(COLOURINGS).map(([value, text]) =>
        element("option", { value, selected: value === this.colouring }, text)));
    const how = kind === "pca" ? "principal components" : "t-SNE";
    const sample = drawn.length < data.numNodes ? `a sample of ${counted(drawn.length, "node")}` : "all nodes";
    this.parts = [
      ...notes([`The last hidden layer (${counted(width, "column")}) of ${sample}, by ${how}. Few far outliers lie on the border.`]),
      element("p", {}, element("label", { for: "colouring" }, "Colour by "), choice),
      this.canvas, this.legend, this.told,
    ];
    this.fillLegend();
  }

  /** The group of a node: a class, or right, wrong and unknown. */
  group(node) {
    const { label, answer } = this.data.nodes;
    if (this.colouring !== "mistake") return this.data.nodes[this.colouring][node];
    if (label[node] < 0) return UNKNOWN;
    return label[node] === answer[node] ? RIGHT : WRONG;
  }

  groups() {
    if (this.colouring === "mistake") {
      return [["right", "var(--for)", RIGHT], ["wrong", "var(--against)", WRONG], ["no label", "var(--others)", UNKNOWN]];
    }
    const classes = this.data.classes.map((name, i) => [name, classColour(this.data, i), i]);
    return this.colouring === "label" ? [...classes, ["no label", "var(--others)", -1]] : classes;
  }

  colour(kind) {
    this.colouring = kind;
    this.only = null;
    this.fillLegend();
    this.draw();
  }

  fillLegend() {
    this.legend.replaceChildren(...this.groups().map(([name, colour, number]) => element("button", {
      type: "button", "aria-pressed": String(this.only === number),
      onclick: () => {
        this.only = this.only === number ? null : number;
        this.fillLegend();
        this.draw();
      },
    }, swatch(colour), name)));
  }

  resize() {
    const width = this.canvas.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    this.height = Math.round(Math.min(width, 560) * 0.8);
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = this.height * devicePixelRatio;
    this.canvas.style.height = `${this.height}px`;
    this.draw();
  }

  place(i) {
    const { places } = this.data.map, margin = 10;
    return [margin + places[2 * i] * (this.width - 2 * margin), margin + places[2 * i + 1] * (this.height - 2 * margin)];
  }

  draw() {
    const { drawn } = this.data.map;
    const pen = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    const real = (colour) => (colour.startsWith("var(") ? style.getPropertyValue(colour.slice(4, -1)) : colour);
    const colours = new Map(this.groups().map(([, colour, number]) => [number, real(colour)]));
    const radius = drawn.length > 5000 ? 1.8 : drawn.length > 500 ? 2.6 : 4;
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    for (let i = 0; i < drawn.length; i++) {
      const group = this.group(drawn[i]);
      pen.globalAlpha = this.only === null || this.only === group ? 0.85 : 0.08;
      pen.fillStyle = colours.get(group);
      this.dot(pen, i, radius);
      pen.fill();
    }
    pen.globalAlpha = 1;
    const chosen = drawn.indexOf(this.selected);
    if (chosen < 0) return;
    pen.strokeStyle = style.color;
    pen.lineWidth = 2.5;
    this.dot(pen, chosen, 8);
    pen.stroke();
  }

  dot(pen, i, radius) {
    const [x, y] = this.place(i);
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
  }

  nearest(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    let best = -1, least = 20 ** 2;
    for (let i = 0; i < this.data.map.drawn.length; i++) {
      const [px, py] = this.place(i);
      const square = (px - x) ** 2 + (py - y) ** 2;
      if (square < least) [best, least] = [i, square];
    }
    return best < 0 ? -1 : this.data.map.drawn[best];
  }

  tell(node) {
    if (node < 0) return;
    const { ids, label, answer } = this.data.nodes;
    this.told.textContent =
      `${ids[node]}: answer ${className(this.data, answer[node])}, label ${className(this.data, label[node])}`;
  }

  go(node) {
    if (node >= 0) location.hash = nodeAddress(this.data, node);
  }

  select(node) {
    this.selected = node;
    this.draw();
  }
}
