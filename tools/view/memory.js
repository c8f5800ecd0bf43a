// The memory plan: every tensor of the arenas is a rectangle, as wide as its steps and as high as its bytes.

const PLAN_HEIGHT = 600;
const CURVE_HEIGHT = 90;  // of the bytes in use at each step, above
const PLAN_GAP = 24;

class MemoryScene {
  constructor(canvas, onSelect) {
    this.onSelect = onSelect;
    this.colours = themeColours();
    this.camera = new Camera(canvas, this);
  }

  show(graph) {
    this.graph = graph;
    this.selected = -1;
    this.steps = Math.max(graph.plan.length, 1);
    this.stepWidth = Math.max(1000 / this.steps, 3);
    this.bytes = graph.arenas.reduce((sum, bytes) => sum + bytes, 0);
    const bases =
        graph.arenas.map((_, arena) => graph.arenas.slice(0, arena).reduce((sum, bytes) => sum + bytes, 0));
    this.rectangles = [];
    graph.tensors.forEach((tensor, index) => {
      if (tensor.arena === undefined || tensor.first === undefined) return;
      this.rectangles.push(this.rectangleOf(tensor, index, bases[tensor.arena]));
    });
    this.countInUse();
    this.camera.reset();
    this.camera.fit();
  }

  rectangleOf(tensor, index, base) {
    const last = Math.min(tensor.last ?? tensor.first, this.steps - 1);
    const height = (tensor.bytes * PLAN_HEIGHT) / this.bytes;
    const bottom = ((base + tensor.offset) * PLAN_HEIGHT) / this.bytes;
    return {
      tensor: index,
      first: tensor.first,
      last,
      x: tensor.first * this.stepWidth,
      y: CURVE_HEIGHT + PLAN_GAP + PLAN_HEIGHT - bottom - height,
      width: (last - tensor.first + 1) * this.stepWidth,
      height,
      colour: `hsl(${(index * HUE_STEP) % 360} 45% 55%)`,
    };
  }

  countInUse() {
    const change = new Array(this.steps + 1).fill(0);
    for (const {tensor, first, last} of this.rectangles) {
      change[first] += this.graph.tensors[tensor].bytes;
      change[last + 1] -= this.graph.tensors[tensor].bytes;
    }
    let inUse = 0;
    this.inUse = change.slice(0, this.steps).map((by) => (inUse += by));
    this.peak = this.inUse.reduce((best, bytes, step) => (bytes > this.inUse[best] ? step : best), 0);
  }

  summary() {
    const {graph} = this;
    const sum = (memory) => {
      const there = graph.tensors.filter((tensor) => tensor.memory === memory);
      return there.reduce((all, tensor) => all + tensor.bytes, 0);
    };
    const device = data.deviceMemory > 0 ? `, partitions on the device ${bytesText(data.deviceMemory)}` : "";
    const others =
        `Constants in the model ${bytesText(sum(1))}, inputs and variables ${bytesText(sum(3))}${device}.`;
    if (!data.allocated) return `The tensors could not be allocated: there is no plan. ${others}`;
    if (this.bytes === 0) {
      return "No tensor of this subgraph is in an arena: it was not prepared, or a delegate has it all. " +
          others;
    }
    const arena = `Arena ${bytesText(this.bytes)} for ${this.rectangles.length} tensors`;
    const peak =
        `step ${this.peak}, ${graph.nodeName(graph.plan[this.peak])}: ${bytesText(this.inUse[this.peak])}`;
    return `${arena}; most is in use at ${peak}. ${others}`;
  }

  size() {
    return {width: this.steps * this.stepWidth, height: CURVE_HEIGHT + PLAN_GAP + PLAN_HEIGHT};
  }

  start() {
    return 0;
  }

  draw(context, camera) {
    if (!this.graph || this.bytes === 0) return;
    const seen = camera.visible();
    const pixel = 1 / camera.scale;
    const {width, height} = this.size();
    context.fillStyle = this.colours.raised;
    context.fillRect(0, CURVE_HEIGHT + PLAN_GAP, width, PLAN_HEIGHT);
    this.drawInUse(context);
    for (const box of this.rectangles) {
      if (!overlap(seen, boundsOf(box))) continue;
      context.fillStyle = box.colour;
      context.fillRect(box.x, box.y, box.width, Math.max(box.height, pixel));
      context.lineWidth = (box.tensor === this.selected ? 3 : 0.5) * pixel;
      context.strokeStyle = box.tensor === this.selected ? this.colours.accent : this.colours.page;
      context.strokeRect(box.x, box.y, box.width, box.height);
      this.drawName(context, camera, box);
    }
    context.fillStyle = this.colours.accent;
    context.globalAlpha = 0.35;
    context.fillRect(this.peak * this.stepWidth, 0, Math.max(this.stepWidth, pixel), height);
    context.globalAlpha = 1;
    context.font = `${12 * pixel}px system-ui, sans-serif`;
    context.textAlign = this.peak < this.steps / 2 ? "left" : "right";
    context.fillText(
        `most in use: ${bytesText(this.inUse[this.peak])}`,
        (this.peak + (this.peak < this.steps / 2 ? 1 : 0)) * this.stepWidth, 12 * pixel);
  }

  drawInUse(context) {
    const path = new Path2D();
    const most = this.inUse[this.peak];
    path.moveTo(0, CURVE_HEIGHT);
    this.inUse.forEach((bytes, step) => {
      const y = CURVE_HEIGHT * (1 - bytes / most);
      path.lineTo(step * this.stepWidth, y);
      path.lineTo((step + 1) * this.stepWidth, y);
    });
    path.lineTo(this.steps * this.stepWidth, CURVE_HEIGHT);
    context.fillStyle = this.colours.edge;
    context.fill(path);
  }

  drawName(context, camera, box) {
    if (box.width * camera.scale < 50 || box.height * camera.scale < 14) return;
    context.fillStyle = "#000";
    context.textAlign = "left";
    context.font = `${11 / camera.scale}px system-ui, sans-serif`;
    context.fillText(
        (this.graph.tensors[box.tensor].name ?? "").slice(0, 60), box.x + 4 / camera.scale,
        box.y + 12 / camera.scale, box.width - 8 / camera.scale);
  }

  click(x, y) {
    const hit = this.rectangles.find(
        (box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
    this.selected = hit ? hit.tensor : -1;
    this.camera.drawSoon();
    this.onSelect(hit ? hit.tensor : null);
  }
}
