// The drawing of a subgraph. What is not seen is not drawn; what is too small to be read is drawn without
// text.

const TEXT_SCALE = 0.45;   // from which on there is text,
const CURVE_SCALE = 0.25;  // and lines are curves
const FAINT = 0.25;        // of what is not chosen
const BAR_HEIGHT = 3.5;    // of a node's time, below its text
const BAR_INSET = 5;

/** The colours of the style sheet, for canvases. */
function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["page", "raised", "text", "faint", "edge", "accent", "cpu", "end", "unresolved"];
  const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const isDark = document.documentElement.dataset.theme === "dark";
  colours.partition = (place) => {
    const [hue, saturation, lightness] = data.colours[place];
    return isDark ? `hsl(${hue} ${0.7 * saturation}% ${0.65 * lightness - 22}%)` :
                    `hsl(${hue} ${saturation}% ${lightness}%)`;
  };
  colours.heat = (share) => `hsl(${50 - 50 * share} ${20 + 70 * share}% ${isDark ? 32 : 80}%)`;
  return colours;
}

class GraphScene {
  constructor(canvas, onSelect) {
    this.onSelect = onSelect;
    this.leastScale = 0.4;
    this.colouring = "place";
    this.colours = themeColours();
    this.frames = [];  // milliseconds of the latest ones
    this.camera = new Camera(canvas, this);
  }

  show(graph) {
    this.graph = graph;
    this.selected = -1;
    this.shownPlace = null;
    this.camera.reset();
    this.camera.drawSoon();
  }

  size() {
    return this.graph ?? {width: 1, height: 1};
  }

  /** Where the graph begins. */
  start() {
    return this.graph.boxes[0].x + this.graph.boxes[0].width / 2;
  }

  colourOf(box) {
    if (box.kind !== NODE) return this.colours.end;
    const node = this.graph.nodes[box.index];
    if (this.colouring === "time")
      return this.colours.heat(Math.round((10 * (node.time ?? 0)) / (this.graph.slowest || 1)) / 10);
    return this.placeColour(node.place);
  }

  placeColour(place) {
    if (place >= 0) return this.colours.partition(place);
    return place === UNRESOLVED ? this.colours.unresolved : this.colours.cpu;
  }

  draw(context, camera) {
    if (!this.graph) return;
    const start = performance.now();
    const seen = camera.visible();
    this.drawLines(context, camera, seen);
    this.drawBoxes(context, camera, seen);
    this.frames = [...this.frames.slice(-99), performance.now() - start];
  }

  drawLines(context, camera, seen) {
    const strokes = {edge: new Path2D(), accent: new Path2D()};
    for (const curve of this.graph.curves) {
      if (!overlap(seen, curve)) continue;
      const isSelected = this.selected >= 0 && (curve.from === this.selected || curve.to === this.selected);
      tracePath(strokes[isSelected ? "accent" : "edge"], curve.points, camera.scale);
    }
    context.lineWidth = Math.max(1, 0.7 / camera.scale);
    context.strokeStyle = this.colours.edge;
    context.stroke(strokes.edge);
    context.lineWidth = Math.max(2.5, 2 / camera.scale);
    context.strokeStyle = this.colours.accent;
    context.stroke(strokes.accent);
  }

  drawBoxes(context, camera, seen) {
    const groups = new Map();
    for (const box of this.graph.boxes) {
      if (!overlap(seen, boundsOf(box))) continue;
      const isFaint = this.isFaint(box);
      const colour = this.colourOf(box);
      const key = colour + isFaint;
      if (!groups.has(key)) groups.set(key, {colour, isFaint, boxes: []});
      groups.get(key).boxes.push(box);
    }
    for (const {colour, isFaint, boxes} of groups.values()) {
      context.globalAlpha = isFaint ? FAINT : 1;
      this.fillBoxes(context, camera, colour, boxes);
    }
    if (camera.scale >= CURVE_SCALE)
      for (const {isFaint, boxes} of groups.values()) this.drawBars(context, boxes, isFaint ? FAINT : 1);
    context.globalAlpha = 1;
    if (camera.scale < TEXT_SCALE) return;
    for (const {isFaint, boxes} of groups.values())
      for (const box of boxes) this.drawText(context, box, isFaint ? FAINT : 1);
  }

  /** With a place chosen, what is elsewhere. */
  isFaint(box) {
    return this.shownPlace !== null &&
        (box.kind !== NODE || this.graph.nodes[box.index].place !== this.shownPlace);
  }

  fillBoxes(context, camera, colour, boxes) {
    const path = new Path2D();
    for (const box of boxes) {
      if (camera.scale < CURVE_SCALE)
        path.rect(box.x, box.y, box.width, Math.max(BOX_HEIGHT, 1.5 / camera.scale));
      else
        path.roundRect(box.x, box.y, box.width, BOX_HEIGHT, box.kind === NODE ? 5 : BOX_HEIGHT / 2);
    }
    context.fillStyle = colour;
    context.fill(path);
    context.strokeStyle = this.colours.edge;
    context.lineWidth = 1;
    if (camera.scale >= CURVE_SCALE || boxes[0].kind !== NODE) context.stroke(path);
    const selected = boxes.find((box) => box.id === this.selected);
    if (!selected) return;
    context.strokeStyle = this.colours.accent;
    context.lineWidth = 3 / Math.min(1, camera.scale);
    context.strokeRect(selected.x, selected.y, selected.width, BOX_HEIGHT);
  }

  /** What part of the slowest node's time each node takes; hollow where that is estimated. */
  drawBars(context, boxes, alpha) {
    const paths = {track: new Path2D(), known: new Path2D(), estimated: new Path2D()};
    for (const box of boxes) {
      const node = box.kind === NODE ? this.graph.nodes[box.index] : {};
      if (node.time === undefined || this.graph.slowest === 0) continue;
      const [x, y] = [box.x + BAR_INSET, box.y + BOX_HEIGHT - BAR_HEIGHT - 1];
      const width = box.width - 2 * BAR_INSET;
      paths.track.rect(x, y, width, BAR_HEIGHT);
      const length = Math.max(1, (width * node.time) / this.graph.slowest);
      paths[node.source === ESTIMATED ? "estimated" : "known"].rect(x, y, length, BAR_HEIGHT);
    }
    context.lineWidth = 1;
    context.fillStyle = context.strokeStyle = this.colours.text;
    context.globalAlpha = 0.15 * alpha;
    context.fill(paths.track);
    context.globalAlpha = 0.9 * alpha;
    context.fill(paths.known);
    context.stroke(paths.estimated);
  }

  drawText(context, box, alpha) {
    const [first, second] = this.textOf(box);
    const middle = box.x + box.width / 2;
    context.globalAlpha = alpha;
    context.textAlign = "center";
    context.fillStyle = this.colours.text;
    context.font = "600 13px system-ui, sans-serif";
    context.fillText(cutText(context, first, box.width - 6), middle, box.y + 15);
    context.globalAlpha = 0.85 * alpha;
    context.font = "11px system-ui, sans-serif";
    context.fillText(cutText(context, second, box.width - 6), middle, box.y + 30);
    this.drawPartition(context, box);
    context.globalAlpha = 1;
  }

  /** Its number, above the box: colours alone do not tell many partitions apart. */
  drawPartition(context, box) {
    const place = box.kind === NODE ? this.graph.nodes[box.index].place : ON_CPU;
    if (place < 0 || this.graph.partitions.length < 2) return;
    context.textAlign = "left";
    context.font = "10px system-ui, sans-serif";
    context.fillText(String(place), box.x + 2, box.y - 3);
  }

  textOf(box) {
    const {graph} = this;
    const ends = box.kind === INPUT ? graph.inputs : graph.outputs;
    const tensor = graph.tensors[box.kind === NODE ? graph.nodes[box.index].outputs[0] : ends[box.index]];
    const second = tensor ? `${tensor.type} ${shapeText(tensor.shape)}` : "";
    if (box.kind === NODE) return [graph.nodes[box.index].op.slice(0, 60), second];
    return [`${box.kind === INPUT ? "input" : "output"} ${box.index}`, second];
  }

  click(x, y) {
    const hit = this.graph.boxes.find(
        (box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + BOX_HEIGHT);
    this.onSelect(hit ?? null);
  }

  /** Makes what runs elsewhere faint; null for nothing. */
  showPlace(place) {
    this.shownPlace = place;
    const first = this.graph.modelNodes.find((node) => this.graph.nodes[node].place === place);
    const box = this.graph.boxes[this.graph.boxOfNode.get(first)];
    if (box) this.camera.uncover(box.x + box.width / 2, box.y + BOX_HEIGHT / 2);
    this.camera.drawSoon();
  }

  select(id, isCentred) {
    this.selected = id;
    const box = this.graph.boxes[id];
    if (box) {
      const middle = [box.x + box.width / 2, box.y + BOX_HEIGHT / 2];
      if (isCentred)
        this.camera.centre(...middle);
      else
        this.camera.uncover(...middle);
    }
    this.camera.drawSoon();
  }

  /** With a box chosen: along its lines, and to its neighbours in the order of execution. */
  key(key) {
    const box = this.graph.boxes[this.selected];
    if (!box) return false;
    const goals = {
      ArrowDown: box.lines.find((line) => line.from === box.id)?.to,
      ArrowUp: box.lines.find((line) => line.to === box.id)?.from,
      ArrowLeft: box.id - 1,
      ArrowRight: box.id + 1,
    };
    if (!(key in goals)) return false;
    const next = this.graph.boxes[goals[key]];
    if (next) this.onSelect(next, true);
    return true;
  }
}

function tracePath(path, points, scale) {
  path.moveTo(points[0], points[1]);
  const end = points.length;
  if (scale < CURVE_SCALE) {
    for (let at = 6; at + 1 < end; at += 6) path.lineTo(points[at], points[at + 1]);
    return;
  }
  for (let at = 2; at + 5 < end; at += 6) path.bezierCurveTo(...points.slice(at, at + 6));
  const [x, y] = points.slice(-2);
  const back = Math.atan2(y - points[end - 3], x - points[end - 4]) + Math.PI;
  for (const turn of [-0.4, 0.4]) {
    path.moveTo(x, y);
    path.lineTo(x + 8 * Math.cos(back + turn), y + 8 * Math.sin(back + turn));
  }
}
