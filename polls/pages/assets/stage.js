// The stage: one picture, or two side by side, each moved and zoomed in its
// own pane. The canvas that shows it is the picture that is uploaded.

const longest = 1600; // pixels: as much of a photograph as is kept
const composite = { width: 1280, height: 960, divider: 8 };

export class Stage extends EventTarget {
  constructor(canvas) {
    super();
    this.canvas = canvas;
    this.panes = [emptyPane(), emptyPane()];
    this.mode = 1;
    this.pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => this.grab(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get ready() { return this.panes.slice(0, this.mode).every((pane) => pane.source); }
  get empty() { return !this.panes.slice(0, this.mode).some((pane) => pane.source); }

  // put shows a file in a pane. It throws when the browser cannot read it.
  async put(index, file) {
    const bitmap = await createImageBitmap(file);
    this.panes[index] = { ...emptyPane(), source: shrink(bitmap) };
    bitmap.close();
    this.change();
  }

  swap() {
    this.panes.reverse();
    this.change();
  }

  // area is where a pane lies on the canvas.
  area(index) {
    const { width, height } = this.canvas;
    if (this.mode === 1) return { left: 0, width, height };
    const half = (width - composite.divider) / 2;
    return { left: index * (half + composite.divider), width: half, height };
  }

  measure() {
    const source = this.panes[0].source;
    if (this.mode === 2 || !source) return composite;
    const shape = Math.min(2, Math.max(.6, source.width / source.height));
    const width = Math.round(Math.min(source.width, source.height * shape));
    return { width, height: Math.round(width / shape) };
  }

  draw() {
    const { width, height } = this.measure();
    Object.assign(this.canvas, { width, height });
    const paint = this.canvas.getContext("2d");
    paint.fillStyle = "#ffffff"; // shows through pictures with transparency, and between two
    paint.fillRect(0, 0, width, height);
    for (let i = 0; i < this.mode; i++) this.drawPane(paint, i);
  }

  drawPane(paint, index) {
    const pane = this.panes[index];
    const area = this.area(index);
    if (!pane.source) return drawMissing(paint, area, index);
    const { scale, spareX, spareY } = fit(pane, area);
    paint.drawImage(pane.source, spareX * pane.x / scale, spareY * pane.y / scale, area.width / scale, area.height / scale,
      area.left, 0, area.width, area.height);
  }

  // blob is the picture as it will be seen.
  blob() {
    this.draw();
    return new Promise((done, failed) => {
      this.canvas.toBlob((b) => (b ? done(b) : failed(new Error("the browser cannot write this picture"))), "image/jpeg", .9);
    });
  }

  change() {
    this.draw();
    this.dispatchEvent(new Event("change"));
  }

  grab(event) {
    const box = this.canvas.getBoundingClientRect();
    this.pane = this.mode === 2 && event.clientX > box.left + box.width / 2 ? 1 : 0;
    this.pointers.set(event.pointerId, event);
    this.canvas.setPointerCapture(event.pointerId);
  }

  drag(event) {
    const last = this.pointers.get(event.pointerId);
    const pane = this.panes[this.pane];
    if (!last || !pane.source) return;
    const others = [...this.pointers.values()].filter((p) => p.pointerId !== event.pointerId);
    if (others.length) {
      const [other] = others;
      pane.zoom = within(1, 4, pane.zoom * distance(event, other) / Math.max(1, distance(last, other)));
    } else {
      const pixels = this.canvas.width / this.canvas.getBoundingClientRect().width;
      const { spareX, spareY } = fit(pane, this.area(this.pane));
      if (spareX > 0) pane.x = within(0, 1, pane.x - (event.clientX - last.clientX) * pixels / spareX);
      if (spareY > 0) pane.y = within(0, 1, pane.y - (event.clientY - last.clientY) * pixels / spareY);
    }
    this.pointers.set(event.pointerId, event);
    this.change();
  }

  // wheel zooms when a trackpad is pinched, which browsers tell as Ctrl and
  // wheel. The plain wheel belongs to the page.
  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = this.canvas.getBoundingClientRect();
    const pane = this.panes[this.mode === 2 && event.clientX > box.left + box.width / 2 ? 1 : 0];
    pane.zoom = within(1, 4, pane.zoom * Math.exp(-event.deltaY / 200));
    this.change();
  }
}

const emptyPane = () => ({ source: null, zoom: 1, x: .5, y: .5 });
const within = (least, most, value) => Math.min(most, Math.max(least, value));
const distance = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

// fit covers an area with a picture; spare is what sticks out, in pixels of the canvas.
function fit({ source, zoom }, { width, height }) {
  const scale = Math.max(width / source.width, height / source.height) * zoom;
  return { scale, spareX: source.width * scale - width, spareY: source.height * scale - height };
}

function shrink(bitmap) {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(16, Math.round(bitmap.width * scale));
  canvas.height = Math.max(16, Math.round(bitmap.height * scale));
  const paint = canvas.getContext("2d");
  paint.fillStyle = "#ffffff";
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function drawMissing(paint, { left, width, height }, index) {
  paint.fillStyle = "#e9dfd0";
  paint.fillRect(left, 0, width, height);
  paint.fillStyle = "#685a4e";
  paint.font = "44px system-ui, sans-serif";
  paint.textAlign = "center";
  paint.fillText(index === 0 ? "left picture" : "right picture", left + width / 2, height / 2);
}
