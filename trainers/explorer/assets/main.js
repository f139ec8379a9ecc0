async function start() {
  const part = (id) => document.getElementById(id);
  const status = part("status");
  if (!("DecompressionStream" in window)) {
    status.textContent = "This browser is too old for the page; use one from 2023 or later.";
    return;
  }
  const data = prepared(await unpacked(part("data").textContent));
  document.querySelector("h1").textContent = `${data.graph}: model explorer`;
  document.querySelector("main").hidden = false;
  status.textContent = "";
  showGraph(data, part("graph"));
  showModel(data, part("model"));
  showQuality(data, part("quality"));
  const map = showMap(data, part("map"));
  startSearch(data, part("search"), part("matches"));
  const follow = (isFirst) => {
    const match = /^#node=(.*)$/.exec(location.hash);
    if (match) openNode(data, decoded(match[1]), map, isFirst);
    else if (!location.hash) openNode(data, null, map, true);
  };
  addEventListener("hashchange", () => follow(false));
  follow(true);
}

/** The text of an address; an address that was mistyped stays as it is. */
function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Shows the node with an id; without an id, how to choose one. */
function openNode(data, id, map, isFirst) {
  const section = document.getElementById("node");
  const node = id === null ? undefined : data.positions.get(id);
  map?.select(node ?? -1);
  if (node === undefined) {
    const text = id === null ? "Search for a node, click one on the map, or choose a cell of the confusion matrix."
      : `The page holds no node ${id}.`;
    section.replaceChildren(heading("Node"), ...notes([text]));
    return;
  }
  const title = showNode(data, node, section);
  section.scrollTop = 0;
  if (isFirst) return;
  title.focus({ preventScroll: true });
  if (section.getBoundingClientRect().top < 0 || section.getBoundingClientRect().top > innerHeight / 2) {
    section.scrollIntoView();
  }
}

start().catch((error) => {
  document.getElementById("status").textContent = `The page cannot be opened: ${error.message}`;
  throw error;
});
