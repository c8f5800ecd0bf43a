// What is told of the node, tensor or partition that was chosen.

function describe(pairs) {
  const list = element("dl");
  for (const [name, value] of pairs) {
    if (value === undefined || value === "") continue;
    list.append(element("dt", {}, name), element("dd", {}, String(value)));
  }
  return list;
}

class Panel {
  constructor(onNode, onGraph, onClose) {
    this.onNode = onNode;
    this.onGraph = onGraph;
    byId("close").addEventListener("click", onClose);
  }

  show(...content) {
    byId("panel-content").replaceChildren(...content.filter(Boolean));
    byId("panel").hidden = false;
    byId("panel").scrollTop = 0;
  }

  hide() {
    byId("panel").hidden = true;
  }

  nodeButton(graph, node) {
    return element("button", {type: "button", click: () => this.onNode(node)}, graph.nodeName(node));
  }

  links(graph, nodes) {
    const most = 20;
    const buttons = nodes.slice(0, most).map((node) => this.nodeButton(graph, node));
    if (nodes.length > most) buttons.push(element("span", {}, `and ${nodes.length - most} more`));
    return buttons.length > 0 ? element("div", {class: "links"}, ...buttons) : null;
  }

  showNode(graph, index) {
    const node = graph.nodes[index];
    const partition = node.place >= 0 ? graph.nodes[graph.partitions[node.place]] : undefined;
    this.show(
        element("h2", {}, graph.nodeName(index)),
        describe([
          ["version", node.version],
          ["operator", node.custom ? "custom" : "builtin"],
          ["runs on", graph.placeName(node.place)],
          [node.place < 0 ? "why not on the device" : "why there", whyThere(graph, index)],
          ["placed by, on the CPU", costText(node.hostCost, node.hostMeasured)],
          ["placed by, on the device", costText(node.deviceCost, node.deviceMeasured)],
          ...cutTexts(graph, index),
          ["step", partition ? undefined : graph.stepOf.get(index)],
          ["time", this.timeOf(graph, index)],
          ["time of the partition", partition?.host === undefined ? undefined : timeText(partition.host)],
          ...this.workOf(graph, index),
        ]),
        ...this.placementOf(graph),
        this.kernelsOf(graph, index),
        node.parameters.length > 0 && element("h3", {}, "Parameters"),
        node.parameters.length > 0 && describe(node.parameters),
        this.subgraphLinks(node),
        ...this.tensorList(
            graph, "Inputs", node.inputs,
            (tensor) => (graph.writer[tensor] >= 0 ? [graph.writer[tensor]] : [])),
        ...this.tensorList(graph, "Outputs", node.outputs, (tensor) => graph.readers[tensor]),
    );
  }

  /** To the bodies and conditions of control flow. */
  subgraphLinks(node) {
    const called = node.parameters.filter(([name, value]) => /subgraph/.test(name) && value in data.graphs);
    if (called.length === 0) return null;
    const buttons = called.map(([name, value]) => {
      const open = () => this.onGraph(Number(value));
      return element(
          "button", {type: "button", click: open}, `${name.replace("_subgraph_index", "")}: ${value}`);
    });
    return element("div", {class: "links"}, ...buttons);
  }

  /** What the delegate knows of whole inferences. */
  placementOf(graph) {
    const texts = placementTexts(graph);
    return texts.length > 0 ? [element("h3", {}, "An inference"), describe(texts)] : [];
  }

  timeOf(graph, index) {
    const {place, calls, time, source} = graph.nodes[index];
    if (time === undefined && data.runs === 0) return undefined;
    if (time === undefined) {
      if (place >= 0) return "none told: computed with a neighbour, on the host, or not profiled";
      return "none of its own: computed with a neighbour, or not at all";
    }
    const times = source === TIMED && calls > data.runs ? `, in ${calls / data.runs} calls` : "";
    return `${timeText(time)}, ${shareText(graph, index)} of the nodes${times}, ${SOURCES[source]}`;
  }

  workOf(graph, index) {
    const {operations, moved} = graph.nodes[index];
    const time = data.runs > 0 ? graph.timeOf(index) : undefined;
    const rateOf = (amount, unit) => (time > 0 ? `, ${countText(amount / time)} ${unit}` : "");
    const work = `${countText(operations ?? 0)} operations${rateOf(operations, "Gop/s")}`;
    const traffic = `${bytesText(moved)}${rateOf(moved, "GB/s")}`;
    return [
      ["work", operations > 0 ? work : undefined], ["reads and writes", moved > 0 ? traffic : undefined]
    ];
  }

  kernelsOf(graph, index) {
    const kernels = graph.kernels.filter((kernel) => kernel.nodes.includes(index));
    if (kernels.length === 0) return null;
    const lines = kernels.map((kernel) => {
      const local = kernel.local[0] > 0 ? ` by ${kernel.local.join("×")}` : "";
      const others = kernel.nodes.filter((node) => node !== index).map((node) => graph.nodeName(node));
      const shared = others.length > 0 ? `, together with ${others.join(", ")}` : "";
      return [kernel.name, `${timeText(kernel.ns)}, ${kernel.global.join("×")} items${local}${shared}`];
    });
    return element("div", {}, element("h3", {}, "Kernels on the device"), describe(lines));
  }

  tensorList(graph, title, tensors, nodesOf) {
    if (tensors.length === 0) return [];
    const most = 64;
    const cards = tensors.slice(0, most).map((tensor) => this.tensorCard(graph, tensor, nodesOf));
    if (tensors.length > most) cards.push(element("p", {}, `and ${tensors.length - most} more`));
    return [element("h3", {}, title), ...cards];
  }

  tensorCard(graph, index, nodesOf) {
    const tensor = graph.tensors[index];
    if (!tensor) return element("div", {class: "tensor"}, "absent");
    return element(
        "div",
        {class: "tensor"},
        element("strong", {}, tensor.name || "(without a name)"),
        `${tensor.type} ${shapeText(tensor.shape)}`,
        describe([
          ["tensor", index],
          ["signature", tensor.signature && shapeText(tensor.signature)],
          ["quantization", tensor.quantization && quantizationText(tensor.quantization)],
          ["memory", memoryText(tensor)],
        ]),
        this.links(graph, nodesOf(index)),
    );
  }

  showAbout() {
    this.show(element("h2", {}, "About the model"), describe(data.about));
  }

  showTensor(graph, index, title = "Tensor") {
    const nodes =
        (tensor) => [...(graph.writer[tensor] >= 0 ? [graph.writer[tensor]] : []), ...graph.readers[tensor]];
    this.show(element("h2", {}, title), this.tensorCard(graph, index, nodes));
  }

  showPlace(graph, place) {
    const nodes = graph.modelNodes.filter((node) => graph.nodes[node].place === place);
    const partition = place >= 0 ? graph.nodes[graph.partitions[place]] : undefined;
    const time = nodes.reduce((sum, node) => sum + (graph.timeOf(node) ?? 0), 0);
    const parts =
        data.runs > 0 && partition?.host !== undefined ? partsOfPartition(partition.host, time) : [];
    this.show(
        element("h2", {}, graph.placeName(place)),
        describe([
          ["nodes", nodes.length],
          ["time in the nodes", data.runs > 0 && !partition ? timeText(time) : undefined],
          ...parts.map(([name, ns]) => [name, timeText(ns)]),
          ["time of the partition", partition?.host === undefined ? undefined : timeText(partition.host)],
          ...(nodes.length > 0 && partition ? cutTexts(graph, nodes[0]) : []),
          ["kernel", partition?.op],
        ]),
        ...this.placementOf(graph),
        element("h3", {}, "Nodes"),
        this.links(graph, nodes),
    );
  }
}

function memoryText(tensor) {
  const size = tensor.bytes > 0 ? `${bytesText(tensor.bytes)}, ` : "";
  const where = tensor.arena === undefined ? MEMORY[tensor.memory] : `arena at ${tensor.offset}`;
  const steps = tensor.first === undefined ? "" : `, steps ${tensor.first} to ${tensor.last}`;
  return `${size}${where}${tensor.variable ? ", variable" : ""}${steps}`;
}
