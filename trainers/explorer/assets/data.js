"use strict";

// Kinds of numbers, as trainers/explorer/packing.py names them.
const ARRAYS = {
  u1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array, f4: Float32Array,
};
const NO_NODE = 4294967295;

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Restores typed arrays inside plain containers. */
function withArrays(value) {
  if (Array.isArray(value)) return typeof value[0] === "object" ? value.map(withArrays) : value;
  if (value === null || typeof value !== "object") return value;
  if (value.kind in ARRAYS && typeof value.data === "string") {
    return new ARRAYS[value.kind](bytesOf(value.data).buffer);
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withArrays(each)]));
}

/** Restores what trainers/explorer/packing.py packed. */
async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return withArrays(JSON.parse(await new Response(stream).text()));
}

const SPLITS = ["", "train", "validation", "test"];

/** The positions of a node's neighbours in the page. */
function neighboursOf(data, node) {
  const { starts, neighbours } = data.nodes;
  return neighbours.subarray(starts[node], starts[node + 1]);
}

function className(data, number) {
  return number < 0 ? "unknown" : data.classes[number];
}

/** The class's colour: the largest classes have one each, the others share a grey. */
function classColour(data, number) {
  const rank = number < 0 ? -1 : data.ranks[number];
  return rank >= 0 && rank < data.colours.length ? data.colours[rank] : "var(--others)";
}

/** Adds to the data what follows from them. */
function prepared(data) {
  const order = data.classSizes.map((size, i) => [size, i]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  data.ranks = [];
  order.forEach(([, number], rank) => { data.ranks[number] = rank; });
  data.positions = new Map(data.nodes.ids.map((id, i) => [id, i]));
  const rows = data.explanations.rows;
  data.explained = new Map(rows ? Array.from(rows, (node, row) => [node, row]) : []);
  return data;
}
