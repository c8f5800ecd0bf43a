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

function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toPrecision(3)} ${units[unit]}`;
}

function timeText(ns) {
  if (ns === undefined) return "–";
  if (ns >= 1e9) return `${(ns / 1e9).toPrecision(4)} s`;
  if (ns >= 1e6) return `${(ns / 1e6).toPrecision(4)} ms`;
  return `${(ns / 1e3).toPrecision(3)} µs`;
}

function countText(count) {
  if (count >= 1e9) return `${(count / 1e9).toPrecision(3)} G`;
  if (count >= 1e6) return `${(count / 1e6).toPrecision(3)} M`;
  if (count >= 1e4) return `${(count / 1e3).toPrecision(3)} k`;
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
    this.total = this.modelNodes.reduce((sum, node) => sum + (this.timeOf(node) ?? 0), 0);
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

  /** Nanoseconds of a run: on the device, for nodes that it computes. */
  timeOf(index) {
    const node = this.nodes[index];
    return node.place >= 0 ? node.device : node.host;
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
