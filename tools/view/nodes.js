// The table of nodes.

const ROWS_AT_ONCE = 300;

const ALL_COLUMNS = [
  {title: "#", number: true, value: (graph, node) => node, text: (graph, node) => String(node)},
  {
    title: "Operator",
    value: (graph, node) => graph.nodes[node].op,
    text: (graph, node) => graph.nodes[node].op.replaceAll("_", "_\u200b")  // where a line may break
  },
  {
    title: "Time",
    number: true,
    value: (graph, node) => -(graph.nodes[node].time ?? -1),
    text: (graph, node) =>
        (graph.nodes[node].source === ESTIMATED ? "≈ " : "") + timeText(graph.nodes[node].time)
  },
  {
    title: "Share",
    number: true,
    value: (graph, node) => -(graph.nodes[node].time ?? -1),
    text: shareText,
    bar: true
  },
  {
    title: "Runs on",
    value: (graph, node) => graph.nodes[node].place,
    text: (graph, node) => graph.placeName(graph.nodes[node].place)
  },
  {title: "Output", value: outputText, text: outputText},
  costColumn("On the CPU", "hostCost", "hostMeasured"),
  costColumn("On the device", "deviceCost", "deviceMeasured"),
];

// Columns that no node has a value in are left out.
const COLUMNS = ALL_COLUMNS.filter((column) => column.isShown?.() ?? true);

/** By which the delegate has placed the nodes. */
function costColumn(title, key, measured) {
  return {
    title,
    number: true,
    value: (graph, node) => -(graph.nodes[node][key] ?? -1),
    text: (graph, node) => costText(graph.nodes[node][key], graph.nodes[node][measured]) ?? "–",
    isShown: () => data.graphs.some((graph) => graph.nodes.some((node) => node[key] !== undefined))
  };
}

function shareOf(graph, node) {
  const {time} = graph.nodes[node];
  return time === undefined || graph.total === 0 ? undefined : time / graph.total;
}

function shareText(graph, node) {
  const share = shareOf(graph, node);
  return share === undefined ? "–" : `${(share * 100).toFixed(1)} %`;
}

function outputText(graph, node) {
  const tensor = graph.tensors[graph.nodes[node].outputs[0]];
  return tensor ? `${tensor.type} ${shapeText(tensor.shape)}` : "";
}

class NodeTable {
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.column = COLUMNS.findIndex((column) => column.title === (data.runs > 0 ? "Time" : "#"));
    this.direction = 1;
    this.headers = COLUMNS.map(
        (column, index) => element(
            "th", {scope: "col", class: column.number && "number"},
            element("button", {type: "button", click: () => this.sortBy(index)}, column.title)),
    );
    document.querySelector("#table thead tr").append(...this.headers);
    byId("more").addEventListener("click", () => this.addRows());
  }

  show(graph) {
    this.graph = graph;
    byId("nodes-summary").textContent = timesText(graph);
    this.showParts(graph);
    this.fill();
  }

  /** What an inference consists of, besides the nodes. */
  showParts(graph) {
    const isKnown = data.runs > 0 && graph.number === 0;
    byId("parts").hidden = !isKnown;
    if (!isKnown) return;
    const rows = [...graph.partsOfTime(), ["an inference", data.ns]].map(([name, ns]) => {
      const share = data.ns > 0 ? ns / data.ns : 0;
      return element(
          "tr", {}, element("th", {scope: "row"}, name), element("td", {class: "number"}, timeText(ns)),
          element("td", {class: "number"}, `${(share * 100).toFixed(1)} %`), element("td", {}, barOf(share)));
    });
    byId("parts").replaceChildren(element("tbody", {}, ...rows));
  }

  sortBy(index) {
    this.direction = index === this.column ? -this.direction : 1;
    this.column = index;
    this.fill();
  }

  fill() {
    const {value} = COLUMNS[this.column];
    const keys = new Map(this.graph.modelNodes.map((node) => [node, value(this.graph, node)]));
    const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    this.order = [...this.graph.modelNodes].sort(
        (a, b) => this.direction * compare(keys.get(a), keys.get(b)) || a - b);
    this.headers.forEach((header, index) => {
      if (index === this.column)
        header.setAttribute("aria-sort", this.direction > 0 ? "ascending" : "descending");
      else
        header.removeAttribute("aria-sort");
    });
    document.querySelector("#table tbody").replaceChildren();
    this.addRows();
  }

  addRows() {
    const body = document.querySelector("#table tbody");
    const first = body.childElementCount;
    body.append(...this.order.slice(first, first + ROWS_AT_ONCE).map((node) => this.rowOf(node)));
    const left = this.order.length - body.childElementCount;
    byId("more").hidden = left === 0;
    byId("more").textContent = `${left} more`;
  }

  rowOf(node) {
    const cells = COLUMNS.map((column) => {
      const cell = element("td", {class: column.number && "number"}, column.text(this.graph, node));
      const share = column.bar ? shareOf(this.graph, node) : undefined;
      if (share !== undefined) cell.append(barOf(share));
      return cell;
    });
    const choose = () => this.onSelect(node);
    return element(
        "tr", {
          tabindex: "0",
          "data-node": node,
          click: choose,
          keydown: (event) => event.key === "Enter" && choose()
        },
        ...cells);
  }

  select(node) {
    for (const row of document.querySelectorAll("#table tbody tr"))
      row.setAttribute("aria-selected", String(row.dataset.node === String(node)));
  }
}

function barOf(share) {
  const bar = element("span", {class: "bar"});
  bar.style.width = `${Math.max(1, Math.round(share * 80))}px`;
  return bar;
}

function timesText(graph) {
  const known = sourcesText(graph);
  if (data.runs === 0) {
    const delegates = known && ` The times here are ${known} before it placed the nodes.`;
    return `Nothing was measured: oclite view --runs 20 writes a page with times.${delegates}`;
  }
  const parts = [`Means of ${data.runs} inferences`];
  if (graph.number > 0) parts[0] += `, ${timeText(graph.total)} in the nodes of this subgraph`;
  const others = graph.modelNodes.filter((node) => (graph.nodes[node].source ?? TIMED) !== TIMED);
  if (others.length > 0)
    parts.push(`Times of ${others.length} nodes that the runs do not tell are the delegate's`);
  if (graph.kernels.length > 0) {
    parts.push(
        "Nodes of a partition by the device's own clock, which does not see launches, transfers and waiting",
        "Timing each kernel costs time itself: oclite bench measures without");
  }
  return `${parts.join(". ")}.`;
}
