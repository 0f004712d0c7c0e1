// SPDX-License-Identifier: MIT
// A tower in three dimensions, with three.js: a plate, posts, beads. Beads stand on each other, or where `free` says so in
// any cell of a column. It is drawn only when something changes. Drag turns it, the wheel or two fingers zoom.
import { isDark, onPref } from "../prefs.js";

let THREE; // large, and fetched by the first scene

const START = { turn: 0.6, tilt: 0.42, far: 15.5 };
const COLOURS = {
  light: { plate: 0xcfcabb, tile: 0xe9e6dd, post: 0xb0ab9c, black: 0x26292d, white: 0xffffff, rim: 0x9a9fa6 },
  dark: { plate: 0x4b5058, tile: 0x7b8088, post: 0x8d929a, black: 0x1b1e22, white: 0xf6f7f8, rim: 0x8b9097 },
};
const ACCENT = 0x1d5bd6;

const TOWER = { rows: 6, columns: 6, layers: 6, step: 0.94 /* of a layer, in columns */, free: false };

function label(text, colour, background) {
  const canvas = document.createElement("canvas");
  canvas.width = 128;
  canvas.height = 64;
  const pen = canvas.getContext("2d");
  if (background) {
    pen.fillStyle = background;
    pen.beginPath();
    pen.arc(32, 32, 28, Math.PI / 2, Math.PI * 1.5);
    pen.arc(96, 32, 28, -Math.PI / 2, Math.PI / 2);
    pen.fill();
  }
  pen.fillStyle = colour;
  pen.font = "bold 36px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, 64, 34);
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: !background }));
  sprite.scale.set(background ? 1.1 : 0.8, background ? 0.55 : 0.4, 1);
  return sprite;
}

export class Scene {
  static async make(host, events, size = TOWER) {
    THREE ??= await import("/static/three.js");
    return new Scene(host, events, size);
  }

  constructor(host, events, size) {
    this.host = host;
    this.events = events;
    this.size = size;
    this.middle = [(size.rows - 1) / 2, (size.columns - 1) / 2];
    this.high = size.layers * size.step;
    this.scale = Math.max(size.rows + 0.5, size.columns + 0.5, this.high + 0.86) / 6.5; // the tower of six is 1
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    host.append(this.renderer.domElement);
    this.camera = new THREE.PerspectiveCamera(36, 1, 0.1, 100);
    this.reset();
    this.ray = new THREE.Raycaster();
    this.bead = new THREE.SphereGeometry(0.43, 28, 20);
    this.ringShape = new THREE.TorusGeometry(0.2, 0.02, 8, 32);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(host);
    this.stopPref = onPref((key) => key === "theme" && this.state && this.show(this.state));
    this.resize();
  }

  reset() { this.view = { ...START, far: START.far * this.scale }; }

  place(l, r, c) { return new THREE.Vector3(c - this.middle[1], l * this.size.step + 0.36, r - this.middle[0]); }

  resize() {
    const { clientWidth: w, clientHeight: high } = this.host;
    if (!w || !high) return;
    this.renderer.setSize(w, high, false);
    this.camera.aspect = w / high;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.render(); });
  }

  render() {
    const { turn, tilt, far } = this.view;
    const wide = this.camera.aspect < 1 ? far / this.camera.aspect ** 0.85 : far;
    this.camera.position.set(Math.sin(turn) * Math.cos(tilt) * wide, Math.sin(tilt) * wide + 2.4 * this.scale, Math.cos(turn) * Math.cos(tilt) * wide);
    this.camera.lookAt(0, 1.9 * this.scale, 0);
    if (this.scene) this.renderer.render(this.scene, this.camera);
  }

  // Builds what is there; some three hundred small things at most.
  show(state) {
    this.state = state;
    this.forget();
    const colours = COLOURS[isDark() ? "dark" : "light"];
    this.scene = new THREE.Scene();
    this.scene.add(new THREE.AmbientLight(0xffffff, 0.6));
    const sun = new THREE.DirectionalLight(0xffffff, 0.46);
    sun.position.set(-4, 9, 5);
    this.scene.add(sun);
    this.materials = {
      1: new THREE.MeshPhongMaterial({ color: colours.black, shininess: 40, specular: 0x555555 }),
      2: new THREE.MeshPhongMaterial({ color: colours.white, shininess: 20, specular: 0x222222 }),
      ring: new THREE.MeshBasicMaterial({ color: colours.rim }),
      mark: new THREE.MeshBasicMaterial({ color: ACCENT }),
    };
    this.addPlate(colours);
    this.targets = [];
    state.columns.forEach((row, r) => row.forEach((column, c) => { if (column) this.addColumn(column, r, c, colours); }));
    state.lines.forEach((line, i) => this.addLine(line, state.gains[i]));
    this.point(state.ghost);
    for (const [r, c, l] of state.hint) this.addHint(r, c, l);
    if (state.fresh && state.last && state.last[0] < state.top) this.drop(state.last);
    this.draw();
  }

  // Gives the graphics card back what the last picture took.
  forget() {
    this.scene?.traverse(({ geometry, material }) => {
      if (geometry && geometry !== this.bead && geometry !== this.ringShape) geometry.dispose();
      material?.map?.dispose();
      material?.dispose();
    });
  }

  close() {
    this.stopPref();
    this.forget();
    this.scene = null;
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  addPlate(colours) {
    const plate = new THREE.Mesh(new THREE.BoxGeometry(this.size.columns + 0.5, 0.4, this.size.rows + 0.5), new THREE.MeshLambertMaterial({ color: colours.plate }));
    plate.position.y = -0.32;
    this.scene.add(plate);
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--text-2").trim() || "#50524a";
    const { rows, columns } = this.size, [down, right] = this.middle;
    const put = (n, x, z) => { const sign = label(String(n), ink); sign.position.set(x, -0.3, z); this.scene.add(sign); };
    for (let i = 0; i < columns; i++) put(i, i - right, rows / 2 + 0.75);
    for (let i = 0; i < rows; i++) put(i, columns / 2 + 0.75, i - down);
  }

  addColumn(column, r, c, colours) {
    const tile = new THREE.Mesh(new THREE.BoxGeometry(0.92, 0.06, 0.92), new THREE.MeshLambertMaterial({ color: colours.tile }));
    const { x, z } = this.place(0, r, c);
    tile.position.set(x, -0.09, z);
    const post = new THREE.Mesh(new THREE.CylinderGeometry(0.035, 0.035, this.high, 8),
      new THREE.MeshLambertMaterial({ color: colours.post, transparent: true, opacity: 0.75 }));
    post.position.set(x, this.high / 2 - 0.05, z);
    this.scene.add(tile, post);
    if (this.size.free) for (let l = 0; l < this.size.layers; l++) this.addTarget(new THREE.SphereGeometry(0.4, 8, 6), this.place(l, r, c), [r, c, l]);
    else this.addTarget(new THREE.CylinderGeometry(0.42, 0.42, this.high, 8), post.position, [r, c]);
    column.slice(0, this.state.top).forEach((owner, l) => owner && this.addBead(l, r, c, owner));
  }

  // What is clicked, and not seen.
  addTarget(geometry, position, cell) {
    const key = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial());
    key.position.copy(position);
    key.userData.cell = cell;
    key.updateMatrixWorld();
    this.targets.push(key);
  }

  // Where a bead of a column goes: on the others, or where it is said.
  levelOf(r, c, level) { return level ?? this.state.columns[r][c].length; }

  addBead(l, r, c, owner) {
    const bead = new THREE.Mesh(this.bead, this.materials[owner]);
    bead.position.copy(this.place(l, r, c));
    bead.scale.y = 0.84;
    this.scene.add(bead);
    if (owner === 2) this.addRing(l, r, c, 0.2, this.materials.ring);
    const { last } = this.state;
    if (last && last[0] === l && last[1] === r && last[2] === c) {
      this.newest = bead;
      this.addRing(l, r, c, 0.27, this.materials.mark);
    }
    return bead;
  }

  addRing(l, r, c, size, material) {
    const ring = new THREE.Mesh(this.ringShape, material);
    ring.position.copy(this.place(l, r, c)).y += size > 0.25 ? 0.29 : 0.33;
    ring.rotation.x = Math.PI / 2;
    ring.scale.setScalar(size / 0.2);
    this.scene.add(ring);
  }

  addLine({ cells }, gain) {
    const [a, b] = [this.place(...cells[0]), this.place(...cells[3])];
    for (const [radius, colour, order] of [[0.1, 0xffffff, 1], [0.065, ACCENT, 2]]) {
      const rod = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, a.distanceTo(b), 12),
        new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.95 }));
      rod.position.copy(a).add(b).multiplyScalar(0.5);
      rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), b.clone().sub(a).normalize());
      rod.renderOrder = order;
      this.scene.add(rod);
    }
    if (!gain) return;
    const tag = label(`+${gain}`, "#ffffff", "#1d5bd6");
    tag.position.copy(a.y >= b.y ? a : b).y += 0.75;
    tag.renderOrder = 5;
    this.scene.add(tag);
  }

  addHint(r, c, l) {
    const ring = new THREE.Mesh(new THREE.TorusGeometry(0.46, 0.04, 8, 40), this.materials.mark);
    ring.position.copy(this.place(this.levelOf(r, c, l), r, c));
    ring.rotation.x = Math.PI / 2;
    this.scene.add(ring);
  }

  // Shows where a piece would land.
  point(ghost) {
    if (!this.scene) return;
    if (this.ghost) this.scene.remove(this.ghost);
    this.ghost = null;
    if (ghost) {
      const [r, c, owner, level] = ghost, { x, z } = this.place(0, r, c);
      this.ghost = new THREE.Group();
      const bead = new THREE.Mesh(this.bead, new THREE.MeshPhongMaterial({ color: this.materials[owner].color, transparent: true, opacity: 0.55 }));
      bead.position.copy(this.place(this.levelOf(r, c, level), r, c));
      bead.scale.y = 0.84;
      const ring = new THREE.Mesh(new THREE.TorusGeometry(0.47, 0.025, 8, 48), this.materials.mark);
      ring.position.copy(bead.position);
      ring.rotation.x = Math.PI / 2;
      const post = new THREE.Mesh(new THREE.CylinderGeometry(0.045, 0.045, this.high, 8), this.materials.mark);
      post.position.set(x, this.high / 2 - 0.05, z);
      const tile = new THREE.Mesh(new THREE.BoxGeometry(0.92, 0.07, 0.92), new THREE.MeshBasicMaterial({ color: ACCENT, transparent: true, opacity: 0.35 }));
      tile.position.set(x, -0.08, z);
      this.ghost.add(bead, ring, post, tile);
      this.scene.add(this.ghost);
    }
    this.draw();
  }

  // The newest bead falls, and springs back a little.
  drop(last) {
    const bead = this.newest, end = this.place(...last).y, begin = performance.now();
    const step = (now) => {
      if (bead !== this.newest) return;
      const k = Math.min(1, (now - begin) / 180), spring = Math.min(1, Math.max(0, (now - begin - 180) / 80));
      bead.position.y = k < 1 ? end + (this.high - end + 1) * (1 - k * k) : end + 0.06 * Math.sin(spring * Math.PI);
      this.render();
      if (spring < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  columnAt(event) {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.ray.setFromCamera(at, this.camera);
    const hit = this.ray.intersectObjects(this.targets || [])[0];
    return hit ? hit.object.userData.cell : null;
  }

  // Where a column's foot is on the screen, for whoever points at it from outside.
  screenOf(r, c, level) {
    const box = this.renderer.domElement.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const p = this.place(this.levelOf(r, c, level), r, c).project(this.camera);
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
  }

  listen() {
    const canvas = this.renderer.domElement, fingers = new Map();
    let moved = 0, span = 0;
    canvas.addEventListener("pointerdown", (e) => { fingers.set(e.pointerId, e); moved = 0; span = 0; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => {
      const before = fingers.get(e.pointerId);
      if (!before) { if (e.pointerType === "mouse") this.events.hover(this.columnAt(e)); return; }
      const [dx, dy] = [e.clientX - before.clientX, e.clientY - before.clientY];
      moved += Math.abs(dx) + Math.abs(dy);
      fingers.set(e.pointerId, e);
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()], now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        if (span) this.zoom(span / now);
        span = now;
      } else if (moved > 6) this.turn(-dx * 0.008, dy * 0.006);
    });
    const up = (e) => {
      fingers.delete(e.pointerId);
      if (e.type === "pointerup" && moved <= 6) this.events.choose(this.columnAt(e), e.pointerType !== "mouse");
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => this.events.hover(null));
    canvas.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(e.deltaY > 0 ? 1.08 : 0.93); }, { passive: false });
  }

  turn(sideways, up) {
    this.view.turn += sideways;
    this.view.tilt = Math.max(0.05, Math.min(1.45, this.view.tilt + up));
    this.draw();
  }

  zoom(factor) {
    this.view.far = Math.max(7 * this.scale, Math.min(26 * this.scale, this.view.far * factor));
    this.draw();
  }

  key(name) {
    const act = { q: () => this.turn(-0.2, 0), e: () => this.turn(0.2, 0), "+": () => this.zoom(0.9), "-": () => this.zoom(1.1),
      r: () => { this.reset(); this.draw(); } }[name.toLowerCase()];
    act?.();
    return Boolean(act);
  }
}
