// Search in a subgraph: by number of a node, operator, name of a tensor.

const MOST_FOUND = 50;

function findNodes(graph, text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const number = /^#?\d+$/.test(wanted) ? Number(wanted.replace("#", "")) : -1;
  const found = [];
  for (const index of graph.modelNodes) {
    if (index === number)
      found.unshift({index, why: ""});
    else if (graph.nodes[index].op.toLowerCase().includes(wanted))
      found.push({index, why: ""});
    else {
      const tensor = graph.nodes[index]
                         .outputs.concat(graph.nodes[index].inputs)
                         .find((t) => graph.tensors[t]?.name?.toLowerCase().includes(wanted));
      if (tensor !== undefined) found.push({index, why: graph.tensors[tensor].name});
    }
    if (found.length >= MOST_FOUND && number < 0) break;
  }
  return found.slice(0, MOST_FOUND);
}

class Search {
  constructor(onNode) {
    this.onNode = onNode;
    this.input = byId("search");
    this.list = byId("found");
    this.input.addEventListener("input", () => this.update());
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.input.addEventListener("blur", () => setTimeout(() => this.hide(), 200));
    this.input.addEventListener("focus", () => this.update());
  }

  show(graph) {
    this.graph = graph;
    this.hide();
  }

  update() {
    this.found = findNodes(this.graph, this.input.value);
    this.chosen = 0;
    this.list.replaceChildren(
        ...this.found.map(
            ({index, why}, i) => element(
                "li", {role: "option", id: `found-${i}`, pointerdown: () => this.choose(i)},
                this.graph.nodeName(index), why && ` · ${why}`),
            ),
    );
    if (this.found.length === 0)
      this.list.append(element("li", {role: "option", "aria-disabled": "true"}, "nothing found"));
    const isOpen = this.input.value.trim() !== "";
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", String(isOpen));
    this.mark();
  }

  mark() {
    [...this.list.children].forEach(
        (item, i) => item.setAttribute("aria-selected", String(i === this.chosen && this.found.length > 0)));
    this.list.children[this.chosen]?.scrollIntoView({block: "nearest"});
    this.input.setAttribute("aria-activedescendant", this.found.length > 0 ? `found-${this.chosen}` : "");
  }

  hide() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  choose(i) {
    if (!this.found?.[i]) return;
    this.hide();
    this.onNode(this.found[i].index);
  }

  onKey(event) {
    const count = this.found?.length ?? 0;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (count > 0) this.chosen = (this.chosen + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
      this.mark();
    } else if (event.key === "Enter") {
      this.choose(this.chosen);
    } else if (event.key === "Escape") {
      this.hide();
      this.input.blur();
      event.stopPropagation();
    }
  }
}
