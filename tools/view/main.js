// The page as a whole: tabs, subgraphs, what is chosen, keys, colours.

class Page {
  constructor() {
    this.graphs = data.graphs.map((source, number) => new Graph(source, number));
    this.panel = new Panel(
        (node) => this.selectNode(node, true), (number) => this.openGraph(number), () => this.close());
    this.scene = new GraphScene(byId("graph-canvas"), (box, isCentred) => this.selectBox(box, isCentred));
    this.memory = new MemoryScene(byId("memory-canvas"), (tensor) => this.selectTensor(tensor));
    this.table = new NodeTable((node) => this.selectNode(node, true));
    this.search = new Search((node) => this.selectNode(node, true));
    this.setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
    this.listen();
    this.writeHead();
    byId("legend-box").open = !matchMedia("(max-width: 700px)").matches;
    this.openTab("graph");
    this.openGraph(0);
  }

  listen() {
    for (const tab of document.querySelectorAll("[role=tab]"))
      tab.addEventListener("click", () => this.openTab(tab.getAttribute("aria-controls")));
    byId("theme").addEventListener("click", () => this.toggleTheme());
    byId("about").addEventListener("click", () => this.panel.showAbout());
    byId("subgraph").addEventListener("change", (event) => this.openGraph(Number(event.target.value)));
    byId("colours").addEventListener("change", (event) => {
      this.scene.colouring = event.target.value;
      this.scene.camera.drawSoon();
      this.writeLegend();
    });
    matchMedia("(prefers-color-scheme: dark)")
        .addEventListener("change", (event) => this.setTheme(event.matches));
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.close();
    if (event.target.matches("input, select")) return;
    if (event.key === "/") {
      event.preventDefault();
      byId("search").focus();
    }
    if (event.key === "d") this.toggleTheme();
  }

  writeHead() {
    const nodes = this.graphs.reduce((sum, graph) => sum + graph.modelNodes.length, 0);
    const delegated = this.graphs.reduce(
        (sum, graph) => sum + graph.modelNodes.filter((node) => graph.nodes[node].place >= 0).length, 0);
    const parts = [`${nodes} nodes`, bytesText(data.bytes), `${bytesText(data.memory)} for tensors`];
    if (data.device) parts.push(`${delegated} nodes on ${data.device}`);
    if (data.runs > 0) parts.push(`${timeText(data.ns)} an inference`);
    byId("model").textContent = data.model;
    document.title = `${data.model} – oclite view`;
    byId("summary").textContent = parts.join(" · ");
    byId("about").hidden = !data.about;
    byId("problem").textContent = [data.problem, data.deviceProblem].filter(Boolean).join("; ");
    byId("problem").hidden = byId("problem").textContent === "";
    const names = this.graphs.map(
        (graph) => `${graph.number}: ${graph.name || "subgraph"} (${graph.modelNodes.length})`);
    byId("subgraph")
        .replaceChildren(...names.map((name, number) => element("option", {value: number}, name)));
    byId("subgraph").hidden = this.graphs.length < 2;
  }

  writeLegend() {
    byId("legend").replaceChildren(
        ...(this.scene.colouring === "time" ? this.timeLegend() : this.placeLegend()));
    byId("bars").replaceChildren(...this.barLegend());
    if (this.graph.layout.simple)
      byId("legend").append(element("li", {class: "faint"}, "laid out without dot, or dot took too long"));
  }

  timeLegend() {
    if (this.graph.slowest === 0) return [element("li", {}, "nothing was measured")];
    return [1, 0.5, 0.1].map((share) => {
      const swatch = element("span", {class: "swatch"});
      swatch.style.background = this.scene.colours.heat(share);
      return element("li", {}, swatch, timeText(share * this.graph.slowest));
    });
  }

  /** What the bars in the boxes say: nothing where there are none. */
  barLegend() {
    const {slowest, total} = this.graph;
    if (slowest === 0) return [];
    const found = new Set(this.graph.modelNodes.map((node) => this.graph.nodes[node].source));
    const sample = (isHollow, text) =>
        element("li", {}, element("span", {class: isHollow ? "sample hollow" : "sample"}), text);
    const full = `full: ${timeText(slowest)}, ${((100 * slowest) / total).toFixed(1)} % of the nodes`;
    const items = [];
    for (const source of [TIMED, TRIED, ESTIMATED]) {
      if (!found.has(source)) continue;
      items.push(sample(source === ESTIMATED, `time, ${SOURCES[source]}`));
    }
    items[0].append(`; ${full}`);
    return items;
  }

  placeLegend() {
    const places = new Set(this.graph.modelNodes.map((node) => this.graph.nodes[node].place));
    return [...places].sort((a, b) => a - b).map((place) => {
      const count = this.graph.modelNodes.filter((node) => this.graph.nodes[node].place === place).length;
      const swatch = element("span", {class: "swatch"});
      swatch.style.background = this.scene.placeColour(place);
      const show = () => this.selectPlace(place);
      return element(
          "li", {},
          element(
              "button", {type: "button", click: show}, swatch, `${this.graph.placeName(place)} (${count})`));
    });
  }

  openTab(name) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isOpen = tab.getAttribute("aria-controls") === name;
      tab.setAttribute("aria-selected", String(isOpen));
      byId(tab.getAttribute("aria-controls")).hidden = !isOpen;
    }
    this.tab = name;
  }

  openGraph(number) {
    this.graph = this.graphs[number];
    this.close();
    if (!this.graph) return;
    byId("subgraph").value = String(number);
    for (const part of [this.scene, this.memory, this.table, this.search]) part.show(this.graph);
    byId("memory-summary").textContent = this.memory.summary();
    this.writeLegend();
  }

  selectNode(node, isCentred) {
    if (this.tab === "memory") this.openTab("graph");
    this.panel.showNode(this.graph, node);
    this.scene.shownPlace = null;
    this.table.select(node);
    this.scene.select(this.graph.boxOfNode.get(node), isCentred);
  }

  selectPlace(place) {
    this.panel.showPlace(this.graph, place);
    this.scene.select(-1);
    this.scene.showPlace(place);
  }

  selectBox(box, isCentred) {
    if (!box)
      this.close();
    else if (box.kind === NODE)
      this.selectNode(box.index, isCentred);
    else {
      const tensor = (box.kind === INPUT ? this.graph.inputs : this.graph.outputs)[box.index];
      this.panel.showTensor(this.graph, tensor, `${box.kind === INPUT ? "Input" : "Output"} ${box.index}`);
      this.scene.select(box.id, isCentred);
    }
  }

  selectTensor(tensor) {
    if (tensor === null)
      this.close();
    else
      this.panel.showTensor(this.graph, tensor);
  }

  close() {
    this.panel.hide();
    if (!this.graph || !this.scene.graph) return;
    this.scene.shownPlace = null;
    this.scene.select(-1);
  }

  toggleTheme() {
    this.setTheme(document.documentElement.dataset.theme !== "dark");
  }

  setTheme(isDark) {
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    for (const scene of [this.scene, this.memory]) {
      scene.colours = themeColours();
      scene.camera.drawSoon();
    }
    if (this.graph) this.writeLegend();
  }
}

window.page = new Page();
