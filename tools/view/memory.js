// The memory plan: every tensor of the arenas is a rectangle, as wide as its steps and as high as its bytes.

// As large as the window, with steps that can be seen.

const HUE_STEP = 137.508;
const LABEL_HEIGHT = 18;
const CURVE_HEIGHT = 70;  // of the bytes in use at each step, above
const PLAN_TOP = LABEL_HEIGHT + CURVE_HEIGHT + 14;
const PLAN_BOTTOM = 44;  // where the buttons are
const LEAST_PLAN_HEIGHT = 160;
const LEAST_STEP_WIDTH = 1.5;
const LEAST_NAME_LENGTH = 40;
const NAME_HEIGHT = 14;

class MemoryScene {
  constructor(canvas, onSelect) {
    this.onSelect = onSelect;
    this.leastScale = 1;
    this.window = {width: 1000, height: 700};
    this.colours = themeColours();
    this.camera = new Camera(canvas, this);
  }

  show(graph) {
    this.graph = graph;
    this.selected = -1;
    this.steps = Math.max(graph.plan.length, 1);
    this.bytes = graph.arenas.reduce((sum, bytes) => sum + bytes, 0);
    this.place();
    this.countInUse();
    this.camera.reset();
    this.camera.drawSoon();
  }

  place() {
    const {graph} = this;
    this.stepWidth = Math.max((this.window.width - 32) / this.steps, LEAST_STEP_WIDTH);
    this.planHeight = Math.max(this.window.height - 32 - PLAN_TOP - PLAN_BOTTOM, LEAST_PLAN_HEIGHT);
    const bases =
        graph.arenas.map((_, arena) => graph.arenas.slice(0, arena).reduce((sum, bytes) => sum + bytes, 0));
    this.rectangles = [];
    graph.tensors.forEach((tensor, index) => {
      if (tensor.arena === undefined || tensor.first === undefined) return;
      this.rectangles.push(this.rectangleOf(tensor, index, bases[tensor.arena]));
    });
  }

  resize(width, height) {
    if (!this.graph || (this.window.width === width && this.window.height === height)) return false;
    this.window = {width, height};
    this.place();
    return true;
  }

  rectangleOf(tensor, index, base) {
    const last = Math.min(tensor.last ?? tensor.first, this.steps - 1);
    const height = (tensor.bytes * this.planHeight) / this.bytes;
    const bottom = ((base + tensor.offset) * this.planHeight) / this.bytes;
    return {
      tensor: index,
      first: tensor.first,
      last,
      x: tensor.first * this.stepWidth,
      y: PLAN_TOP + this.planHeight - bottom - height,
      width: (last - tensor.first + 1) * this.stepWidth,
      height,
      colour: `hsl(${(index * HUE_STEP) % 360} 45% 65%)`,
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
    return {width: this.steps * this.stepWidth, height: PLAN_TOP + this.planHeight + PLAN_BOTTOM};
  }

  start() {
    return 0;
  }

  draw(context, camera) {
    if (!this.graph || this.bytes === 0) return;
    const seen = camera.visible();
    const pixel = 1 / camera.scale;
    const {width} = this.size();
    context.fillStyle = this.colours.raised;
    context.fillRect(0, PLAN_TOP, width, this.planHeight);
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
    context.fillRect(
        this.peak * this.stepWidth, LABEL_HEIGHT, Math.max(this.stepWidth, pixel),
        PLAN_TOP + this.planHeight - LABEL_HEIGHT);
    context.globalAlpha = 1;
    context.font = `${12 * pixel}px system-ui, sans-serif`;
    context.textAlign = this.peak < this.steps / 2 ? "left" : "right";
    context.fillText(
        `most in use: ${bytesText(this.inUse[this.peak])}`,
        (this.peak + (this.peak < this.steps / 2 ? 0 : 1)) * this.stepWidth, LABEL_HEIGHT - 5 * pixel);
  }

  drawInUse(context) {
    const path = new Path2D();
    const most = this.inUse[this.peak];
    const bottom = LABEL_HEIGHT + CURVE_HEIGHT;
    path.moveTo(0, bottom);
    this.inUse.forEach((bytes, step) => {
      const y = bottom - (CURVE_HEIGHT * bytes) / most;
      path.lineTo(step * this.stepWidth, y);
      path.lineTo((step + 1) * this.stepWidth, y);
    });
    path.lineTo(this.steps * this.stepWidth, bottom);
    context.fillStyle = this.colours.edge;
    context.fill(path);
  }

  /** In a box that is narrow and high, upwards. */
  drawName(context, camera, box) {
    const width = box.width * camera.scale;
    const height = box.height * camera.scale;
    const isUpright = height > 2 * width;
    const [along, across] = isUpright ? [height, width] : [width, height];
    if (along < LEAST_NAME_LENGTH || across < NAME_HEIGHT) return;
    context.save();
    context.translate(box.x, box.y + (isUpright ? box.height : 0));
    context.scale(1 / camera.scale, 1 / camera.scale);
    if (isUpright) context.rotate(-Math.PI / 2);
    context.fillStyle = "#000";
    context.textAlign = "left";
    context.font = "11px system-ui, sans-serif";
    const fitting = this.namesOf(box.tensor).slice(0, Math.max(1, Math.floor(across / NAME_HEIGHT)));
    fitting.forEach(
        (line, i) => context.fillText(cutText(context, line, along - 8), 4, 11 + NAME_HEIGHT * i));
    context.restore();
  }

  /** Who writes it first: names often begin alike. */
  namesOf(index) {
    const {name, bytes} = this.graph.tensors[index];
    const writer = this.graph.writer[index];
    return [
      ...(writer >= 0 ? [this.graph.nodeName(writer)] : []), bytesText(bytes), name || "(without a name)"
    ];
  }

  click(x, y) {
    const hit = this.rectangles.find(
        (box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
    this.selected = hit ? hit.tensor : -1;
    this.camera.drawSoon();
    this.onSelect(hit ? hit.tensor : null);
  }
}
