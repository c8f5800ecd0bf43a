"use strict";
// The data of the page, and how numbers are written. Texts come from models: they are only ever shown as
// text.

const data = JSON.parse(document.getElementById("data").textContent);

const MEMORY =
    ["none", "in the model", "arena", "a buffer of its own", "sized by the inference", "the program's"];
const ON_CPU = -1;
const UNRESOLVED = -2;
const INPUT = 0;
const NODE = 1;
const OUTPUT = 2;

function byId(id) {
  return document.getElementById(id);
}

/** An element with attributes, listeners (functions) and children, which are elements or text. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      made.addEventListener(name, value);
    else if (value !== undefined && value !== false)
      made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** With so many digits, and never as 1.00e+3. */
function numberText(value, digits) {
  const text = value.toPrecision(digits);
  return text.includes("e+") ? String(Math.round(value)) : text;
}

function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    unit++;
  }
  return `${unit === 0 ? bytes : numberText(bytes, 3)} ${units[unit]}`;
}

function timeText(ns) {
  if (ns === undefined) return "–";
  if (ns >= 1e9) return `${numberText(ns / 1e9, 4)} s`;
  if (ns >= 1e6) return `${numberText(ns / 1e6, 4)} ms`;
  return `${numberText(ns / 1e3, 3)} µs`;
}

function countText(count) {
  if (count >= 1e9) return `${numberText(count / 1e9, 3)} G`;
  if (count >= 1e6) return `${numberText(count / 1e6, 3)} M`;
  if (count >= 1e4) return `${numberText(count / 1e3, 3)} k`;
  return String(Number(count.toPrecision(3)));
}

function shapeText(shape) {
  if (!shape) return "?";
  return shape.length === 0 ? "scalar" : shape.join("×");
}

function quantizationText(quantization) {
  const {count, low, high, axis, zero, zeroMost} = quantization;
  const scale = count === 1 ? `scale ${low}` : `${count} scales ${low} … ${high} along axis ${axis}`;
  const zeros =
      zero === undefined ? "" : `, zero point ${zero}${zeroMost === undefined ? "" : ` … ${zeroMost}`}`;
  return scale + zeros;
}

/** The beginning of a text that fits into `width`, in the canvas' present font. */
function cutText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let fits = 0;
  for (let least = 1, most = text.length - 1; least <= most;) {
    const middle = (least + most) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) {
      fits = middle;
      least = middle + 1;
    } else {
      most = middle - 1;
    }
  }
  return fits > 0 ? `${text.slice(0, fits)}…` : "";
}

/**
 * What follows from a subgraph's data: who writes and reads tensors, partitions, boxes and lines with their
 * bounds.
 */
class Graph {
  constructor(source, number) {
    Object.assign(this, source);
    this.number = number;
    this.writer = new Array(this.tensors.length).fill(-1);
    this.readers = this.tensors.map(() => []);
    this.partitions = [];
    this.modelNodes = [];
    this.nodes.forEach((node, index) => this.addNode(node, index));
    this.stepOf = new Map(this.plan.map((node, step) => [node, step]));
    this.total = this.modelNodes.reduce((sum, node) => sum + (this.nodes[node].time ?? 0), 0);
    this.slowest = Math.max(...this.modelNodes.map((node) => this.nodes[node].time ?? 0), 0);
    this.readLayout();
  }

  addNode(node, index) {
    if (node.replaced) {
      this.partitions.push(index);
      return;
    }
    this.modelNodes.push(index);
    for (const tensor of new Set(node.inputs))
      if (tensor >= 0) this.readers[tensor].push(index);
    for (const tensor of node.outputs)
      if (tensor >= 0) this.writer[tensor] = index;
  }

  /** Nanoseconds of a run of the view: on the device, for nodes that it computes. */
  timeOf(index) {
    const node = this.nodes[index];
    return node.source === TIMED ? node.time : undefined;
  }

  sumOf(nodes, timeOf) {
    return nodes.reduce((sum, node) => sum + (timeOf(this.nodes[node]) ?? 0), 0);
  }

  /** What an inference of the main subgraph consists of, all of it measured: names and nanoseconds. */
  partsOfTime() {
    const host = (node) => node.host;
    const onCpu = this.sumOf(this.modelNodes.filter((node) => this.nodes[node].place < 0), host);
    const inPartitions = this.sumOf(this.partitions, host);
    const onDevice =
        this.sumOf(this.modelNodes.filter((node) => this.nodes[node].place >= 0), (node) => node.device);
    const parts = [["nodes on the CPU", onCpu]];
    if (this.partitions.length > 0) parts.push(...partsOfPartition(inPartitions, onDevice));
    parts.push(["between the nodes", Math.max(0, data.ns - onCpu - inPartitions)]);
    return parts;
  }

  readLayout() {
    const {vertices, lines, width, height} = this.layout;
    this.boxes = [];
    this.boxOfNode = new Map();
    for (let at = 0; at < vertices.length; at += 5) {
      const [kind, index, x, y, boxWidth] = vertices.slice(at, at + 5);
      const box = {
        id: this.boxes.length,
        kind,
        index,
        x: x - boxWidth / 2,
        y: y - BOX_HEIGHT / 2,
        width: boxWidth,
        height: BOX_HEIGHT,
        lines: []
      };
      if (kind === NODE) this.boxOfNode.set(index, box.id);
      this.boxes.push(box);
    }
    this.curves = lines.map(([from, to, ...points]) => new Curve(from, to, points));
    for (const curve of this.curves) {
      this.boxes[curve.from].lines.push(curve);
      this.boxes[curve.to].lines.push(curve);
    }
    this.width = width;
    this.height = height;
  }

  nodeName(index) {
    return `#${index} ${this.nodes[index].op}`;
  }

  placeName(place) {
    if (place === ON_CPU) return "CPU";
    return place === UNRESOLVED ? "unresolved" : `${data.device ? "OpenCL" : "delegate"}, partition ${place}`;
  }
}

/** Of the time that the host waits for partitions: kernels, and what is around them. */
function partsOfPartition(host, kernels) {
  if (kernels === 0 || kernels > host)
    return [["partitions; their kernels overlap, or were not timed", host]];
  return [["kernels, by the device's clock", kernels], ["launches, transfers, waiting", host - kernels]];
}

const BOX_HEIGHT = 40;

/** Bezier curves between two boxes. */
class Curve {
  constructor(from, to, points) {
    this.from = from;
    this.to = to;
    this.points = points;
    const xs = points.filter((_, i) => i % 2 === 0);
    const ys = points.filter((_, i) => i % 2 === 1);
    this.left = Math.min(...xs);
    this.right = Math.max(...xs);
    this.top = Math.min(...ys);
    this.bottom = Math.max(...ys);
  }
}
