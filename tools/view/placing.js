// Where nodes were placed, why, and what the other side would have taken. What is not known is left out.

// How a node's time is known (tools/view/times.h).
const TIMED = 1;
const TRIED = 2;
const ESTIMATED = 3;
const SOURCES = {
  [TIMED]: "measured in these runs",
  [TRIED]: "measured in the delegate's trials",
  [ESTIMATED]: "estimated by the delegate"
};

/** How all times of a graph are known; "" where there are none. */
function sourcesText(graph) {
  const found = new Set(graph.modelNodes.map((node) => graph.nodes[node].source).filter(Boolean));
  return [...found].sort().map((source) => SOURCES[source]).join(", ");
}

/** A time by which the delegate has placed a node. */
function costText(cost, isMeasured) {
  if (cost === undefined) return undefined;
  if (isMeasured && cost === 0) return "as one with another node, measured";
  return `${timeText(cost)}, ${isMeasured ? "measured" : "estimated"}`;
}

/** Why a node is where it is; undefined where there was nothing to decide. */
function whyThere(graph, index) {
  const {place, asked, reason, hostCost, deviceCost} = graph.nodes[index];
  if (reason) return reason;
  if (place < 0 || !asked) return undefined;
  if (!graph.placement) return "the delegate takes what it can here, without a comparison of costs";
  if (hostCost === undefined && deviceCost !== undefined) return "the CPU cannot run it";
  return "an inference was expected to take the least time so";
}

/**
 * The nodes that a cut decides about together: a node's partition, or on the CPU the nodes that follow each
 * other and that the device could run. These could be a partition: no path leads out of them and back.
 */
function cutAround(graph, index) {
  const {place} = graph.nodes[index];
  if (place >= 0) return graph.modelNodes.filter((node) => graph.nodes[node].place === place);
  const isLeft = (node) => graph.nodes[node]?.place === ON_CPU && graph.nodes[node].deviceCost !== undefined;
  const at = graph.modelNodes.indexOf(index);
  if (!isLeft(index)) return [];
  let first = at;
  let end = at + 1;
  while (isLeft(graph.modelNodes[first - 1])) first--;
  while (isLeft(graph.modelNodes[end])) end++;
  return graph.modelNodes.slice(first, end);
}

/** What nodes take on either side, as a partition on the device; undefined where one of them is not known. */
function bothSides(graph, nodes) {
  const sum = (key) => nodes.reduce((total, node) => total + (graph.nodes[node][key] ?? NaN), 0);
  const known = (ns) => (Number.isNaN(ns) ? undefined : ns);
  return {
    host: known(sum("hostCost")),
    device: known(sum("deviceCost") + (graph.placement?.partition ?? NaN)),
  };
}

/** Names and texts: the cut that was made around a node, and the one that was not. */
function cutTexts(graph, index) {
  const nodes = cutAround(graph, index);
  if (!graph.placement || nodes.length === 0) return [];
  const {host, device} = bothSides(graph, nodes);
  const onDevice = graph.nodes[index].place >= 0;
  const those = nodes.length === 1 ? "the node" : `${nodes.length} nodes, #${nodes[0]} to #${nodes.at(-1)}`;
  const transfers = data.sharesMemory ? "" : ", without transfers";
  const sides = [
    ["on the CPU", host],
    ["as a partition on the device", device],
  ];
  const [made, other] = onDevice ? sides.reverse() : sides;
  const text = ([where, ns]) => {
    if (ns === undefined) return undefined;
    return `${those} ${where}: ${timeText(ns)}${where === "on the CPU" ? "" : transfers}`;
  };
  return [["the cut here", text(made)], ["the one not taken", text(other)]];
}

/** Names and texts: whole inferences as they were measured, else the sums by which the graph was placed. */
function placementTexts(graph) {
  const {placement} = graph;
  if (!placement) return [];
  const text = (key) => {
    if (placement[`${key}Run`] !== undefined)
      return `${timeText(placement[`${key}Run`])}, measured as a whole`;
    return placement[key] === undefined ? undefined : `${timeText(placement[key])}, sum of its nodes`;
  };
  // Only a mixture has been run as such.
  const alike = ["host", "all"].find((key) => placement[key] === placement.chosen);
  const together = placement.overlappedRun === undefined ? undefined : text("overlapped");
  return [
    ["as chosen", placement.overlapped ? together ?? text("chosen") : text(alike ?? "chosen")],
    ["with both at work at the same time", together],
    ["all on the CPU", text("host")],
    ["all on the device that it can run", text("all")],
    [
      "a partition, beside its nodes",
      placement.partition === undefined ? undefined : timeText(placement.partition)
    ],
  ];
}
