const MOST_MATCHES = 12;

/** The nodes whose id contains a text: the same id first, then ids that begin with it. */
function matchesOf(data, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  data.lowerIds ||= data.nodes.ids.map((id) => id.toLowerCase());
  const same = [], begin = [], contain = [];
  for (let i = 0; i < data.lowerIds.length; i++) {
    const at = data.lowerIds[i].indexOf(wanted);
    if (at < 0) continue;
    if (data.lowerIds[i].length === wanted.length) same.push(i);
    else if (at === 0 && begin.length < MOST_MATCHES) begin.push(i);
    else if (at > 0 && contain.length < MOST_MATCHES) contain.push(i);
  }
  return [...same, ...begin, ...contain].slice(0, MOST_MATCHES);
}

function startSearch(data, input, list) {
  let found = [], chosen = -1;
  const go = (node) => {
    close();
    input.value = data.nodes.ids[node];
    location.hash = nodeAddress(data, node);
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const show = () => {
    list.replaceChildren(...found.map((node, i) => element("li", {
      role: "option", id: `match-${i}`, "aria-selected": String(i === chosen),
      onmousedown: (event) => { event.preventDefault(); go(node); },
    }, data.nodes.ids[node])));
    if (!found.length) list.append(element("li", { role: "option", "aria-disabled": "true" }, "No node has this id."));
    list.hidden = !input.value.trim();
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (chosen >= 0) input.setAttribute("aria-activedescendant", `match-${chosen}`);
    else input.removeAttribute("aria-activedescendant");
  };
  input.addEventListener("input", () => { found = matchesOf(data, input.value); chosen = -1; show(); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && found.length) go(found[Math.max(chosen, 0)]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !found.length) return;
    event.preventDefault();
    chosen = (chosen + step + found.length) % found.length;
    show();
  });
}
