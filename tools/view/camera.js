// Panning and zooming of a canvas by mouse, fingers and keys. Draws when something has changed, once a frame.

class Camera {
  /**
   * `scene` has size(): the world's width and height, start(): where on its width it begins, leastScale:
   * below which it is not shown as a whole at first, draw(context, camera) and click(x, y), in the world's
   * units. It may have resize(width, height), which tells whether the window's size has changed the world.
   */
  constructor(canvas, scene) {
    this.canvas = canvas;
    this.scene = scene;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.pointers = new Map();
    this.waiting = false;
    this.isMoved = false;  // by the user, since all was fitted
    canvas.addEventListener("wheel", (event) => this.onWheel(event), {passive: false});
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => this.onUp(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.onResize()).observe(canvas);
    const name = canvas.id.replace("-canvas", "");
    const zoom = document.querySelector(`.zoom[data-for="${name}"]`);
    zoom.append(
        element("button", {type: "button", "aria-label": "Zoom in", click: () => this.zoomBy(1.4)}, "+"),
        element("button", {type: "button", "aria-label": "Zoom out", click: () => this.zoomBy(1 / 1.4)}, "−"),
        element("button", {type: "button", title: "Fit (0)", click: () => this.fit()}, "Fit"),
    );
  }

  get width() {
    return this.canvas.clientWidth;
  }

  get height() {
    return this.canvas.clientHeight;
  }

  onResize() {
    if (this.width === 0 || this.height === 0) return;
    const isFirst = this.canvas.dataset.ready === undefined;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.dataset.ready = "";
    const isOther = !this.isMoved && this.scene.resize?.(this.width, this.height);
    if (isFirst || isOther) this.reset();
    this.drawNow();
  }

  drawSoon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    this.waiting = false;
    if (this.canvas.dataset.ready === undefined) return;
    const context = this.canvas.getContext("2d");
    const ratio = this.canvas.width / this.width;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, ratio * this.x, ratio * this.y);
    this.scene.draw(context, this);
  }

  /** The part of the world that is seen. */
  visible() {
    return {
      left: -this.x / this.scale,
      top: -this.y / this.scale,
      right: (this.width - this.x) / this.scale,
      bottom: (this.height - this.y) / this.scale,
    };
  }

  toWorld(x, y) {
    return {x: (x - this.x) / this.scale, y: (y - this.y) / this.scale};
  }

  /** Where a point of the world is in the window. */
  toWindow(x, y) {
    const frame = this.canvas.getBoundingClientRect();
    return {x: frame.left + x * this.scale + this.x, y: frame.top + y * this.scale + this.y};
  }

  fitScale() {
    const {width, height} = this.scene.size();
    return Math.min((this.width - 32) / Math.max(width, 1), (this.height - 32) / Math.max(height, 1), 2);
  }

  fit() {
    this.isMoved = false;
    if (this.width > 0) this.scene.resize?.(this.width, this.height);
    const {width, height} = this.scene.size();
    this.scale = this.fitScale();
    this.x = (this.width - width * this.scale) / 2;
    this.y = (this.height - height * this.scale) / 2;
    this.drawSoon();
  }

  /** All of it, unless that would be too small to read: then its beginning. */
  reset() {
    this.fit();
    const least = this.scene.leastScale;
    if (this.scale >= least) return;
    const {width} = this.scene.size();
    const needed = this.width - 32;
    this.scale = Math.min(1, Math.max(least, needed / Math.max(width, 1)));
    const isWide = width * this.scale > needed;
    this.x = this.width / 2 - (isWide ? this.scene.start() : width / 2) * this.scale;
    if (isWide) this.x = Math.min(16, this.x);  // nothing empty on its left
    this.y = 24;
  }

  zoomBy(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(8, Math.max(Math.min(this.fitScale(), 0.4) / 2, this.scale * factor));
    const applied = scale / this.scale;
    this.x = x - (x - this.x) * applied;
    this.y = y - (y - this.y) * applied;
    this.scale = scale;
    this.isMoved = true;
    this.drawSoon();
  }

  moveBy(x, y) {
    this.x += x;
    this.y += y;
    this.isMoved = true;
    this.drawSoon();
  }

  /** What a sheet at the bottom leaves free of the canvas. */
  freeHeight() {
    const frame = this.canvas.getBoundingClientRect();
    const sheet = byId("panel").getBoundingClientRect();
    const isCovered = sheet.height > 0 && sheet.left < frame.right && sheet.top < frame.bottom;
    return isCovered ? Math.max(sheet.top - frame.top, 80) : this.height;
  }

  centre(x, y) {
    this.scale = Math.max(this.scale, 0.7);
    this.x = this.width / 2 - x * this.scale;
    this.y = this.freeHeight() / 2 - y * this.scale;
    this.drawSoon();
  }

  /** Moves the view if a point is not seen. */
  uncover(x, y) {
    const at = {x: x * this.scale + this.x, y: y * this.scale + this.y};
    if (at.x < 0 || at.x > this.width || at.y < 0 || at.y > this.freeHeight() - 30) this.centre(x, y);
  }

  onWheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.zoomBy(Math.exp((-event.deltaY * lines) / 400), event.offsetX, event.offsetY);
  }

  onDown(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({preventScroll: true});
    this.pointers.set(event.pointerId, {x: event.offsetX, y: event.offsetY});
    this.moved = this.pointers.size > 1 ? Infinity : 0;
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = {x: event.offsetX, y: event.offsetY};
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.pointers.size === 1 && this.moved > 4) this.moveBy(now.x - before.x, now.y - before.y);
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    this.pointers.set(event.pointerId, now);
  }

  pinch(moving, before, now) {
    const [other] = [...this.pointers].filter(([id]) => id !== moving).map(([, at]) => at);
    const distance = (at) => Math.max(1, Math.hypot(at.x - other.x, at.y - other.y));
    this.moveBy((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.zoomBy(distance(now) / distance(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  onUp(event) {
    const at = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!at || this.moved > 4) return;
    const world = this.toWorld(at.x, at.y);
    this.scene.click(world.x, world.y);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = 80;
    const actions = {
      "+": () => this.zoomBy(1.4),
      "=": () => this.zoomBy(1.4),
      "-": () => this.zoomBy(1 / 1.4),
      0: () => this.fit(),
      ArrowLeft: () => this.moveBy(step, 0),
      ArrowRight: () => this.moveBy(-step, 0),
      ArrowUp: () => this.moveBy(0, step),
      ArrowDown: () => this.moveBy(0, -step),
    };
    if (this.scene.key?.(event.key))
      event.preventDefault();
    else if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }
}

/** Sides of a box that has x, y, width and height. */
function boundsOf(box) {
  return {left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height};
}

function overlap(a, b) {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}
