// window.load(plan) builds the scene; window.frame(i) renders frame i (only the rectangle that changed) and posts RGBA rows to /frame.
import * as T from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import { Arm } from './arm.js';
import { pieceGeometry, slitGeometry } from './pieces.js';
import * as L from './looks.js';

const J = (u) => fetch(u).then((r) => r.json());
const [SETS, ARM_M, ARM_F] = await Promise.all(['/assets/sets.json', '/assets/arm_m.json', '/assets/arm_f.json'].map(J));
const v3 = (a) => new T.Vector3(...a); const lin = (c) => new T.Color().setRGB(c[0] / 255, c[1] / 255, c[2] / 255, T.SRGBColorSpace);
const mj = (t) => { t = Math.min(1, Math.max(0, t)); return t * t * t * (10 - 15 * t + 6 * t * t); };
const ss = (t) => { t = Math.min(1, Math.max(0, t)); return t * t * (3 - 2 * t); };
const key = (K, t, f = ss) => { if (!K.length) return 0; if (t <= K[0][0]) return K[0][1]; for (let i = 1; i < K.length; i++) if (t <= K[i][0]) { const a = K[i - 1], b = K[i]; return a[1] + (b[1] - a[1]) * f((t - a[0]) / Math.max(1e-6, b[0] - a[0])); } return K.at(-1)[1]; };
const step = (K, t) => { let v = K[0][1]; for (const k of K) if (k[0] <= t) v = k[1]; return v; };
function segPos(tr, t) {
  let last = null; for (const s of tr.segs) { if (t < s.t0) break; last = s; }
  if (!last) return v3(tr.segs[0].p0);
  const s = last, u = Math.min(1, (t - s.t0) / (s.t1 - s.t0)), a = v3(s.p0), b = v3(s.p1);
  const h0 = s.hw?.[0] ?? 0, h1 = s.hw?.[1] ?? 1; const h = s.linear ? u : mj((u - h0) / (h1 - h0)), y = s.linear ? u : mj((u - (s.vw?.[0] ?? 0)) / ((s.vw?.[1] ?? 1) - (s.vw?.[0] ?? 0)));
  return new T.Vector3(a.x + (b.x - a.x) * h, a.y + (b.y - a.y) * y + (s.arch || 0) * 16 * u * u * (1 - u) * (1 - u) + (s.wig ? 0 : 0), a.z + (b.z - a.z) * h);
}

let P, R, scene, cam, W, H, lights = [], hands = {}, pieces = [], blobs = [], extras = {}, FB, prevRect = null, full = true, lastState = '', rtBuf;
window.load = async (plan) => {
  P = plan; W = P.W; H = P.H; FB = new Uint8Array(W * H * 4);
  const first = !R; R ||= new T.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true, powerPreference: 'high-performance' }); if (first) R.setPixelRatio(1); R.setSize(W, H);
  R.shadowMap.enabled = true; R.shadowMap.type = T.PCFShadowMap; R.toneMapping = P.look.tone === 'aces' ? T.ACESFilmicToneMapping : P.look.tone === 'neutral' ? T.NeutralToneMapping : T.AgXToneMapping;
  scene = new T.Scene(); const pm = new T.PMREMGenerator(R); extras.env = pm.fromScene(new RoomEnvironment(), .05).texture;
  scene.background = lin(P.look.floor).multiplyScalar(.6);
  build(); camera0(); window.corners = corners(P.t ?? 0); return { corners: corners(0), gl: R.getContext().getParameter(R.getContext().VERSION) };
};
function mat(o) { const { clearcoat, clearcoatRoughness, ...q } = o; return new T.MeshStandardMaterial(q); }
function glossy(o) { const m = mat(o); m.envMap = extras.env; m.envMapIntensity = P.look.env * 1.3; (extras.glossy ||= []).push(m); return m; }
function add(g, m, x = 0, y = 0, z = 0, cast = true) { const o = new T.Mesh(g, m); o.position.set(x, y, z); o.castShadow = cast; o.receiveShadow = true; scene.add(o); return o; }
function build() {
  const K = P.look, rng = L.rngOf(K.seed), b = K.board, S = b.sq, half = 4 * S + b.border, th = b.kind === 'wood' ? 1.6 : .3; extras.half = half;
  const bt = L.boardTexture(b, rng); const top = mat({ map: bt, roughness: b.rough ?? .6, clearcoat: b.coat ?? 0, clearcoatRoughness: .35 });
  const side = mat({ color: lin(b.frame).multiplyScalar(.8), roughness: .7 });
  add(new T.BoxGeometry(2 * half, th, 2 * half), [side, side, top, side, side, side], 0, -th / 2, 0);
  // table, floor, walls of the room (background only)
  const tt = L.tableTexture(K.table, rng); tt.repeat.set(K.table.rep ?? 2, K.table.rep ?? 2); const tw = K.table.size[0], td = K.table.size[1];
  add(new T.BoxGeometry(tw, 3, td), [0, 0, 1, 0, 0, 0].map((q) => (K.table.rough > .9 ? (o) => new T.MeshLambertMaterial({ map: o.map, color: o.color }) : mat)({ map: q ? tt : null, color: q ? 0xffffff : lin(K.table.color).multiplyScalar(.6), roughness: K.table.rough ?? .8 })), 0, -th - 1.5, K.table.z ?? 0); extras.tableY = -th;
  const fl = add(new T.PlaneGeometry(900, 900), new T.MeshLambertMaterial({ map: L.floorTexture(rng, K.floor) }), 0, -75, 0, false); fl.rotation.x = -Math.PI / 2;
  const wall = new T.MeshLambertMaterial({ color: lin(K.wall), side: T.DoubleSide }); for (const [x, z, r] of [[0, -320, 0], [320, 0, Math.PI / 2], [-320, 0, Math.PI / 2], [0, 320, 0]]) { const w = add(new T.PlaneGeometry(700, 300), wall, x, 60, z, false); w.rotation.y = r; }
  // pieces
  const set = K.set.def ?? SETS[K.set.name], geo = {}, slit = {}; for (const t of 'PNBRQK') { geo[t] = pieceGeometry(set[t]); slit[t] = slitGeometry(set[t]); }
  const mk = (c) => glossy({ color: lin(c.color), roughness: c.rough, clearcoat: c.coat, clearcoatRoughness: .3, map: null });
  const M = { w: mk(K.set.white), b: mk(K.set.black) }; const felt = new T.MeshStandardMaterial({ color: 0x1d3a2a, roughness: 1 }); const dark = { w: mat({ color: lin(K.set.white.color).multiplyScalar(.35), roughness: .8 }), b: mat({ color: lin(K.set.black.color).multiplyScalar(.3), roughness: .8 }) };
  const bm = new T.MeshBasicMaterial({ map: L.blobTexture(), transparent: true, depthWrite: false, toneMapped: false, opacity: .5 });
  pieces = P.pieces.map((p) => {
    const c = p.piece === p.piece.toUpperCase() ? 'w' : 'b', t = p.piece.toUpperCase(); const o = new T.Group(); const m = new T.Mesh(geo[t], M[c]); m.castShadow = m.receiveShadow = true; o.add(m);
    if (slit[t]) o.add(new T.Mesh(slit[t], dark[c])); const s = .985 + .02 * rng(); m.scale.setScalar(1); scene.add(o);
    const bl = new T.Mesh(new T.PlaneGeometry(1, 1), bm.clone()); bl.rotation.x = -Math.PI / 2; bl.renderOrder = 1; bl.scale.setScalar(set[t].base_r * 3.1); scene.add(bl); blobs.push(bl);
    return Object.assign(p, { o, m, bl, def: set[t], pos: new T.Vector3(), yawNow: 0 });
  });
  // clock
  const ck = K.clock, cg = new T.Group(); const body = glossy({ color: lin(ck.color), roughness: .45 });
  const shp = new T.Shape(); shp.moveTo(-4.2, 0); shp.lineTo(4.2, 0); shp.lineTo(4.2, 2.2); shp.lineTo(-1.2, 6.2); shp.lineTo(-4.2, 6.2); shp.closePath();
  const bg = new T.ExtrudeGeometry(shp, { depth: 19, bevelEnabled: true, bevelSize: .35, bevelThickness: .35, bevelSegments: 2 }); bg.translate(0, 0, -9.5); const bmh = new T.Mesh(bg, body); bmh.castShadow = bmh.receiveShadow = true; cg.add(bmh);
  const lcd = new T.Mesh(new T.PlaneGeometry(13.5, 4.2), new T.MeshStandardMaterial({ map: L.lcdTexture(ck.left, ck.right), roughness: .25 })); lcd.rotation.order = 'YXZ'; lcd.rotation.y = Math.PI / 2; lcd.rotation.x = -Math.atan2(5.4, 4.0); lcd.position.set(1.95, 4.55, 0); cg.add(lcd);
  const lever = new T.Mesh(new T.BoxGeometry(2.2, .7, 17), mat({ color: lin(ck.lever), roughness: .4 })); lever.position.set(-2.7, 6.95, 0); lever.castShadow = true; cg.add(lever); extras.lever = lever;
  cg.position.set(ck.x, -th, ck.z); cg.rotation.y = ck.x > 0 ? Math.PI : 0; scene.add(cg); extras.clock = cg; extras.clockFlip = ck.x > 0 ? -1 : 1;
  // scoresheets and pens
  for (const s of K.sheets) { const sh = add(new T.PlaneGeometry(14.8, 21), new T.MeshLambertMaterial({ map: L.sheetTexture(rng, s.moves) }), s.x, -th + .05, s.z, false); sh.rotation.set(-Math.PI / 2, 0, s.yaw); const pen = add(new T.CylinderGeometry(.42, .42, 13.5, 12), mat({ color: lin(s.pen), roughness: .35 }), s.x + s.px, -th + .5, s.z + s.pz); pen.rotation.set(Math.PI / 2, 0, s.pyaw); const tip = new T.Mesh(new T.CylinderGeometry(.4, .1, 1.4, 10), mat({ color: 0xcccccc, metalness: .8, roughness: .3 })); tip.position.y = -7.4; pen.add(tip); }
  for (const g of K.props || []) if (g.kind === 'cup') { const c = add(new T.CylinderGeometry(3.6, 3.0, 9, 32, 1, true), mat({ color: lin(g.color), roughness: .3, side: T.DoubleSide }), g.x, -th + 4.5, g.z); const cof = new T.Mesh(new T.CircleGeometry(3.4, 28), mat({ color: 0x2a1508, roughness: .1 })); cof.rotation.x = -Math.PI / 2; cof.position.y = 2.6; c.add(cof); } else if (g.kind === 'bottle') { add(new T.CylinderGeometry(3.1, 3.1, 15, 28), mat({ color: lin(g.color), roughness: .1, transparent: true, opacity: .55 }), g.x, -th + 7.5, g.z); add(new T.CylinderGeometry(1.3, 3.1, 3.4, 24), mat({ color: lin(g.color), roughness: .1, transparent: true, opacity: .55 }), g.x, -th + 16.6, g.z); add(new T.CylinderGeometry(1.45, 1.45, 1.8, 20), mat({ color: 0x2255aa, roughness: .5 }), g.x, -th + 19, g.z); }
  // players
  extras.torso = {};
  for (const pl of ['white', 'black']) {
    const pk = K.players[pl], D = pk.body === 'f' ? ARM_F : ARM_M, sg = pl === 'white' ? 1 : -1; const tx = pk.sleeve ? L.clothTexture(pk.sleeve.pattern, rng) : null;
    const sh = new T.Vector3(sg * Math.abs(D.torso.shoulder[0]) * .97, 33, sg * (half + 25));
    for (const side of ['right', 'left']) { const a = new Arm(D, side === 'left', { skin: pk.skin.map((c) => Math.pow(c / 255, 2.2)), sleeve: pk.sleeve, watch: pk.watch === side, glove: pk.glove?.map((c) => Math.pow(c / 255, 2.2)), rings: (pk.rings ?? []).filter((r) => r.side === side) }, rng, tx); scene.add(a.group);
      a.player = pl; a.side = side; a.sg = sg; a.shoulder = sh.clone(); a.stretch = !K.torso.includes(pl); if (a.stretch) a.shoulder.z += sg * 9; if (side === 'left') a.shoulder.x *= -1; hands[pl[0] + side[0]] = a; }
    { const cap = new T.Mesh(new T.SphereGeometry(1, 20, 14), new T.MeshLambertMaterial({ color: new T.Color(...(pk.sleeve ? pk.sleeve.color : pk.shirt)), map: tx })); cap.scale.set(7.3, 7.1, 7.1); for (const h of ['r', 'l']) { const c = cap.clone(); c.castShadow = true; hands[pl[0] + h].bones[0].add(c); } }
    if (K.torso.includes(pl)) { const t = torso(D, pk, sg, sh, tx); scene.add(t); extras.torso[pl] = t; }
  }
  if (P.head) { const pk = K.players[P.head.player], D = pk.body === 'f' ? ARM_F : ARM_M; const h = headMesh(D, pk); scene.add(h); extras.head = h; h.visible = false; }
  if (P.shadowBlob) { const s = new T.Mesh(new T.SphereGeometry(P.shadowBlob.r, 24, 16), new T.MeshBasicMaterial({ colorWrite: false, depthWrite: false })); s.castShadow = true; s.scale.set(1, 1.6, 1); scene.add(s); extras.blob = s; }
  // lights
  for (const l of K.lights) { let o; if (l.kind === 'spot') { o = new T.SpotLight(lin(l.color), l.i * 1000, 0, l.angle ?? .9, l.pen ?? .8, 2); } else { o = new T.DirectionalLight(lin(l.color), l.i); }
    o.position.set(...l.pos); o.target.position.set(...(l.to || [0, 0, 0])); scene.add(o, o.target); if (l.shadow) { o.castShadow = true; o.shadow.mapSize.set(l.map ?? 1024, l.map ?? 1024); o.shadow.radius = l.radius ?? 4; o.shadow.bias = -.0006; o.shadow.normalBias = .04; if (l.kind !== 'spot') { const c = o.shadow.camera; c.left = c.bottom = -48; c.right = c.top = 48; c.near = 20; c.far = 320; } else { o.shadow.camera.near = 30; o.shadow.camera.far = 320; } }
    lights.push({ o, l, base: o.intensity }); }
  const hemi = new T.HemisphereLight(lin(K.hemi.sky), lin(K.hemi.ground), K.hemi.i); scene.add(hemi); extras.hemi = hemi;
}
function torso(D, pk, sg, sh, tx) {
  const g = new T.BufferGeometry(); const p = D.torso.pos.slice(), col = []; const neck = D.torso.neck; const shirt = pk.sleeve ? pk.sleeve.color : pk.shirt;
  for (let i = 0; i < p.length; i += 3) { const y = p[i + 1]; const isNeck = y > neck - 6 && Math.hypot(p[i], p[i + 2] + 3) < 9.5; const c = y > neck + 13 ? pk.hair.map((q) => Math.pow(q / 255, 2.2)) : isNeck || y > neck ? pk.skin.map((q) => Math.pow(q / 255, 2.2)) : shirt; col.push(...c); }
  g.setAttribute('position', new T.Float32BufferAttribute(p, 3)); g.setAttribute('color', new T.Float32BufferAttribute(col, 3)); g.setIndex(D.torso.index); g.computeVertexNormals();
  const q = g.attributes.position, n = g.attributes.normal; for (let i = 0; i < q.count; i++) if (q.getY(i) < neck - 4) q.setXYZ(i, q.getX(i) + n.getX(i) * 1.2, q.getY(i) + n.getY(i) * .8, q.getZ(i) + n.getZ(i) * 1.2);
  const m = new T.Mesh(g, new T.MeshLambertMaterial({ vertexColors: true, side: T.DoubleSide })); m.castShadow = m.receiveShadow = true; const o = new T.Group(); o.add(m); m.rotation.order = 'YXZ'; m.rotation.y = sg > 0 ? Math.PI : 0; m.rotation.x = .28;
  for (const s of [1, -1]) { const b = new T.Mesh(new T.SphereGeometry(7.4, 20, 14), new T.MeshStandardMaterial({ color: new T.Color(...shirt), roughness: .95 })); b.position.set(s * Math.abs(sh.x) * .93, 0, sg * 2); o.add(b); }
  o.position.set(0, sh.y, sh.z); return o;
}
function headMesh(D, pk) {
  const p = D.torso.pos, neck = D.torso.neck, keep = [], g = new T.BufferGeometry(), col = [];
  for (let i = 0; i < D.torso.index.length; i += 3) { const t = D.torso.index.slice(i, i + 3); if (t.every((k) => p[3 * k + 1] > neck - 3)) keep.push(...t); }
  const q = p.slice(); for (let i = 0; i < q.length; i += 3) { const y = q[i + 1] - neck, z = q[i + 2]; const hair = y > 11 + .55 * (z + 2) || (z < -4 && y > 2); if (hair && y > -2) { q[i] *= 1.10; q[i + 1] += 1.2; q[i + 2] -= .8; } col.push(...(hair ? pk.hair : pk.skin).map((c) => Math.pow(c / 255, 2.2))); q[i + 1] -= neck; }
  g.setAttribute('position', new T.Float32BufferAttribute(q, 3)); g.setAttribute('color', new T.Float32BufferAttribute(col, 3)); g.setIndex(keep); g.computeVertexNormals();
  const m = new T.Mesh(g, new T.MeshStandardMaterial({ vertexColors: true, roughness: .85 })); m.castShadow = m.receiveShadow = true; return m;
}
// ---------- camera: direction from the plan, then fitted so that board (and clock) fill the frame
function camera0() {
  const c = P.camera; cam = new T.PerspectiveCamera(c.fov, W / H, 5, 1500); cam.position.set(...c.pos); cam.up.set(...(c.up || [0, 1, 0])); const tgt = v3(c.to); if (c.raw) { cam.lookAt(tgt); cam.updateProjectionMatrix(); cam.userData = { q: cam.quaternion.clone(), p: cam.position.clone() }; return; } const half = extras.half + .6, pts = [];
  for (const x of [-half, half]) for (const z of [-half, half]) { pts.push(new T.Vector3(x, 0, z)); if (c.fit !== 'overhead') pts.push(new T.Vector3(x * .97, 7, z * .97)); }
  if (c.clock) { const k = P.look.clock; for (const z of [-9, 9]) pts.push(new T.Vector3(k.x - 4, 0, k.z + z), new T.Vector3(k.x + 4, 6, k.z + z)); }
  for (let it = 0; it < 12; it++) {
    cam.lookAt(tgt); cam.rotateZ(c.roll || 0); cam.fov = c.fov; cam.updateProjectionMatrix(); cam.updateMatrixWorld(true); let a = 9, b = -9, d = 9, e = -9; for (const p of pts) { const q = p.clone().project(cam); a = Math.min(a, q.x); b = Math.max(b, q.x); d = Math.min(d, q.y); e = Math.max(e, q.y); }
    const right = new T.Vector3().setFromMatrixColumn(cam.matrixWorld, 0), up = new T.Vector3().setFromMatrixColumn(cam.matrixWorld, 1), dist = cam.position.distanceTo(tgt), k = Math.tan(c.fov * Math.PI / 360) * dist;
    tgt.addScaledVector(right, ((a + b) / 2 - (c.dx || 0)) * k * W / H).addScaledVector(up, ((d + e) / 2 - (c.dy || 0)) * k);
    const s = Math.max((b - a) / 2, (e - d) / 2) / c.fill; c.fov = Math.atan(Math.tan(c.fov * Math.PI / 360) * s) * 360 / Math.PI;
  }
  cam.lookAt(tgt); cam.rotateZ(c.roll || 0); cam.fov = c.fov; cam.updateProjectionMatrix(); cam.userData = { q: cam.quaternion.clone(), p: cam.position.clone() };
}
function cameraAt(t) { // jumps: rotation offsets that stay, plus a decaying shake while it happens
  let q = cam.userData.q.clone(), p = cam.userData.p.clone(), st = 'c';
  for (const j of P.jumps || []) if (t >= j.from) { const u = Math.min(1, (t - j.from) / (j.to - j.from)), k = mj(u), w = (1 - u) * Math.sin(u * Math.PI * j.cycles); const e = new T.Euler((j.pitch * k + j.pitch * .8 * w), (j.yaw * k + j.yaw * .8 * w), j.roll * k); q.multiply(new T.Quaternion().setFromEuler(e)); p.add(v3(j.move).multiplyScalar(k)); st += u.toFixed(4); }
  cam.quaternion.copy(q); cam.position.copy(p); cam.updateMatrixWorld(true); return st;
}
function corners(t) { cameraAt(t); cam.clearViewOffset(); cam.updateProjectionMatrix(); const s = 4 * P.look.board.sq; const f = (x, z) => { const q = new T.Vector3(x, 0, z).project(cam); return [+(((q.x + 1) / 2) * W).toFixed(2), +(((1 - q.y) / 2) * H).toFixed(2)]; }; return { a1: f(-s, s), h1: f(s, s), h8: f(s, -s), a8: f(-s, -s) }; }
window.cornersAt = corners;
// ---------- animation
function handState(id, t) {
  const tr = P.hands[id], a = hands[id]; const p = segPos(tr, t); const r = key(tr.ap, t); const sg = a.sg, lr = a.side === 'right' ? 1 : -1;
  const dx = p.x - a.shoulder.x, dz = p.z - a.shoulder.z; let yaw = Math.atan2(-dx * sg, -dz * sg) * .62 + lr * .16 + key(tr.yaw, t);
  return { p, r, free: key(tr.free, t), freeName: step(tr.freeName, t), yaw: yaw + (sg < 0 ? Math.PI : 0), pitch: key(tr.pitch, t), roll: key(tr.roll, t) * lr, raw: yaw };
}
function setTime(t) {
  const bounds = []; let moved = false; const hs = {};
  for (const id in hands) {
    const a = hands[id], tr = P.hands[id]; const on = !!tr && key(tr.on || [[0, 1]], t, (u) => u >= 1 ? 1 : 0) > .5; a.group.visible = on; if (!on) continue;
    const s = hs[id] = handState(id, t); const lr = a.side === 'right' ? 1 : -1; s.shoulder = a.shoulder.clone(); s.pole = new T.Vector3(a.sg * lr * .75, -.75, a.sg * .25); a.pose(s); a.lean = a.shoulder.distanceTo(s.shoulder);
    a.stamp = [s.p.x, s.p.y, s.p.z, s.r, s.free, s.yaw, s.pitch, s.roll].map((q) => q.toFixed(3)).join(); if (a.stamp !== a.last) { bounds.push(...a.bounds()); if (a.lastB) bounds.push(...a.lastB); a.lastB = a.bounds(); a.last = a.stamp; }
  }
  for (const pl in extras.torso) { let l = 0; for (const h of ['r', 'l']) if (hands[pl[0] + h].group.visible) l = Math.max(l, hands[pl[0] + h].lean || 0); const o = extras.torso[pl], sg = pl === 'white' ? 1 : -1; const z = sg * (extras.half + 25 - l * .75); if (Math.abs(o.position.z - z) > .01) { o.position.z = z; for (const x of [-22, 0, 22]) for (const y of [10, 35, 62]) bounds.push([new T.Vector3(x, y, z), 20]); } }
  for (let i = 0; i < pieces.length; i++) {
    const p = pieces[i]; const pos = new T.Vector3(p.x, p.y0 || 0, p.z); let yaw = p.yaw, tilt = new T.Vector2();
    for (const h of P.holds) if (h.piece === p.id && t >= h.t0) {
      const tt = Math.min(t, h.t1), tr = P.hands[h.hand]; pos.add(segPos(tr, tt)).sub(segPos(tr, h.t0)); yaw += (handState(h.hand, tt).raw - handState(h.hand, h.t0).raw);
      if (t < h.t1 && pos.y > .02) { const va = segPos(tr, tt - 30), vb = segPos(tr, tt + 30), k = Math.min(1, pos.y / 2) * .0028 * 60; tilt.set((vb.x - va.x) * k * .11, (vb.z - va.z) * k * .11); }
      for (const q of [h.rel, h.rel2]) if (q) { const k = ss((t - q.t0) / (q.t1 - q.t0)); pos.add(v3(q.d).multiplyScalar(k)); if (t < h.t1) { tilt.x += q.tilt[0] * k; tilt.y += q.tilt[1] * k; } }
      if (h.yEnd !== undefined && t >= h.t1) pos.y = h.yEnd;
    }
    for (const q of P.pushes || []) if (q.piece === p.id && t >= q.t0) { const k = ss((t - q.t0) / (q.t1 - q.t0)); pos.x += q.dx * k; pos.z += q.dz * k; yaw += (q.dyaw || 0) * k; if (q.rock && t < q.t1) tilt.x += q.rock * Math.sin(Math.PI * Math.min(1, (t - q.t0) / (q.t1 - q.t0))); }
    const stamp = [pos.x, pos.y, pos.z, yaw, tilt.x, tilt.y].map((q) => q.toFixed(3)).join(); p.o.visible = pos.y > -50 && t >= (p.from ?? 0); 
    p.o.position.copy(pos); p.o.rotation.set(-tilt.y, yaw, tilt.x); const onb = Math.abs(pos.x) < extras.half && Math.abs(pos.z) < extras.half, gy = onb ? 0 : extras.tableY; p.bl.position.set(pos.x, gy + .03, pos.z); p.bl.material.opacity = .55 * Math.exp(-Math.max(0, pos.y - gy) / 1.2); p.bl.visible = p.o.visible;
    p.now = pos; if (stamp !== p.last) { const c = pos.clone(); c.y += p.def.h / 2; const b = [[c, p.def.h / 2 + 1.8]]; bounds.push(...b); if (p.lastB) bounds.push(...p.lastB); p.lastB = b; p.last = stamp; }
  }
  let fullNow = false; const cst = cameraAt(t); let lf = key(P.light || [[0, 1]], t), ex = P.look.exposure * key(P.exposure || [[0, 1]], t);
  let side = P.clock0 ?? 1; for (const c of P.clockEvents || []) if (t >= c.ms) side = c.side; extras.lever.rotation.x = side * extras.clockFlip * .075;
  lights.forEach((q) => { q.o.intensity = q.base * (q.l.switched ? lf : 1); }); for (const m of extras.glossy) m.envMapIntensity = P.look.env * 1.3 * (.35 + .65 * lf); extras.hemi.intensity = P.look.hemi.i * (.35 + .65 * lf); R.toneMappingExposure = ex;
  let st = [cst, lf.toFixed(3), ex.toFixed(4), side].join();
  if (extras.head) { const h = P.head; const on = t > h.from && t < h.to; extras.head.visible = on; if (on) { const u = (t - h.from) / (h.to - h.from), k = ss(Math.min(u * 3.2, (1 - u) * 3.2, 1)); const sg = h.player === 'white' ? 1 : -1; extras.head.position.set(h.x + Math.sin(u * 5) * 1.2, 42 - 10 * k, sg * (extras.half + 26 - 24 * k)); extras.head.rotation.set(.75 * k + .2, sg > 0 ? Math.PI : 0, 0, 'YXZ'); bounds.push([extras.head.position.clone().add(new T.Vector3(0, 10, 0)), 24]); } st += on; }
  if (extras.blob) { const h = P.shadowBlob; extras.blob.position.set(key(h.x, t), key(h.y, t), key(h.z, t)); st += extras.blob.position.toArray().map((q) => q.toFixed(2)); }
  if (st !== lastState) { fullNow = true; lastState = st; }
  return { bounds, fullNow, hs };
}
window.setTime = setTime; window.dbgR = () => ({ R, draw }); window.dbg = () => ({ scene, cam, hands, pieces, extras, T, P });
function rectOf(bounds) {
  let a = 1e9, b = 1e9, c = -1e9, d = -1e9; const f = H / (2 * Math.tan(cam.fov * Math.PI / 360)); const put = (p, r) => { const q = p.clone().applyMatrix4(cam.matrixWorldInverse); const z = Math.max(6, -q.z); const x = W / 2 + q.x / z * f, y = H / 2 - q.y / z * f, k = r / z * f + 2; a = Math.min(a, x - k); b = Math.min(b, y - k); c = Math.max(c, x + k); d = Math.max(d, y + k); };
  for (const [p, r] of bounds) { put(p, r); for (const { o, l } of lights) if (l.shadow) { const lp = o.position, dir = l.kind === 'spot' ? p.clone().sub(lp) : o.target.position.clone().sub(lp); if (dir.y < -1e-3) { const q = p.clone().addScaledVector(dir, (-.3 - p.y) / dir.y); put(q, r * (l.kind === 'spot' ? 1.15 : 1) + 1.2); } } }
  a = Math.max(0, Math.floor(a / 2) * 2); b = Math.max(0, Math.floor(b / 2) * 2); c = Math.min(W, Math.ceil(c)); d = Math.min(H, Math.ceil(d)); return c > a && d > b ? [a, b, c - a, d - b] : null;
}
function cullCasters(rect) { // a caster whose own image and shadow miss the rectangle cannot change it
  const hit = (b) => { const r = rectOf(b); return r && r[0] < rect[0] + rect[2] && r[0] + r[2] > rect[0] && r[1] < rect[1] + rect[3] && r[1] + r[3] > rect[1]; };
  for (const p of pieces) p.m.castShadow = hit(p.lastB);
  for (const id in hands) { const a = hands[id]; if (a.group.visible && a.lastB) { const h = hit(a.lastB); a.skin.castShadow = h; if (a.sleeve) a.sleeve.castShadow = h; } }
}
function draw(rect) {
  cullCasters(rect);
  const [x, y, w, h] = rect; cam.setViewOffset(W, H, x, y, w, h); R.setViewport(x, H - y - h, w, h); R.setScissor(x, H - y - h, w, h); R.setScissorTest(true); R.render(scene, cam); cam.clearViewOffset();
  const gl = R.getContext(); const n = w * h * 4; if (!rtBuf || rtBuf.length < n) rtBuf = new Uint8Array(W * H * 4); gl.readPixels(x, H - y - h, w, h, gl.RGBA, gl.UNSIGNED_BYTE, rtBuf); return rtBuf;
}
/** render the state at frame i; blur: list of sub-frame offsets in ms for fast motion */
window.frame = async (i, post = true) => {
  const t0 = performance.now(); const t = i * 1000 / P.fps; let N = 1;
  if (P.shutter) { let v = 0; for (const id in hands) if (P.hands[id]) { const a = segPos(P.hands[id], t), b = segPos(P.hands[id], t + P.shutter); v = Math.max(v, a.distanceTo(b)); } N = v > 1.2 ? 3 : v > .6 ? 2 : 1; }
  let rect = null, acc = null, isFull = i === 0; const states = [];
  const t2 = []; for (let k = 0; k < N; k++) t2.push(N === 1 ? t : t + P.shutter * k / (N - 1));
  // union rectangle over the sub-frames
  let all = []; for (const tt of t2) { const s = setTime(tt); all.push(...s.bounds); isFull ||= s.fullNow; }
  rect = isFull ? [0, 0, W, H] : all.length ? rectOf(all) : null;
  if (rect) {
    const [x, y, w, h] = rect, n = w * h * 4; if (N > 1) acc = new Uint16Array(n);
    for (let k = 0; k < N; k++) { if (N > 1) setTime(t2[k]); const b = draw(rect); if (N > 1) for (let q = 0; q < n; q++) acc[q] += b[q]; }
    const src = acc || rtBuf; for (let r = 0; r < h; r++) { const o = ((y + r) * W + x) * 4, s = (h - 1 - r) * w * 4; if (acc) for (let q = 0; q < w * 4; q++) FB[o + q] = src[s + q] / N; else FB.set(src.subarray(s, s + w * 4), o); }
  }
  if (post) await fetch('/frame', { method: 'POST', body: rect ? FB : 'same' }); return [performance.now() - t0, rect ? rect[2] * rect[3] / (W * H) : 0, N];
};
/** audit: smallest distance (cm, negative = inside) between every visible hand and every piece near it at time t */
window.audit = (t) => {
  setTime(t); const out = []; const q = new T.Vector3();
  for (const id in hands) {
    const a = hands[id]; if (!a.group.visible) continue; const best = {}; const D = a.data.t; a.skin.skeleton.update();
    const near = pieces.filter((p) => Math.hypot(p.now.x - P.hands[id].segs.length * 0 - segPos(P.hands[id], t).x, p.now.z - segPos(P.hands[id], t).z) < 16 && p.now.y > -20);
    for (let v = 0; v < D.length; v++) { if (D[v] > 12) continue; a.skin.getVertexPosition(v, q); a.skin.localToWorld(q);
      for (const p of near) { const pr = p.def.profile, h = p.def.h, y = q.y - p.now.y, d = Math.hypot(q.x - p.now.x, q.z - p.now.z); if (d > 6 || y > h + 5) continue; let r = 0; const R = p.def.head ? p.def.grip_r * 1.15 : 0;
        const at = (yy) => { if (p.def.head && yy > 1.3) return R; for (let i = 1; i < pr.length; i++) if (yy <= pr[i][1] && yy >= pr[i - 1][1]) { const k = (yy - pr[i - 1][1]) / Math.max(1e-6, pr[i][1] - pr[i - 1][1]); return pr[i - 1][0] + (pr[i][0] - pr[i - 1][0]) * k; } return 0; };
        let e; if (y >= h) e = Math.hypot(y - h, Math.max(0, d - .25)); else if (y < 0) e = 99; else e = Math.min(Math.max(d - at(y), d > .5 ? -9 : y - h), 9); if (!(p.id in best) || e < best[p.id]) best[p.id] = e; } }
    out.push([id, Object.entries(best).filter(([, e]) => e < 2.5).map(([k, e]) => [pieces[k].piece, +k, +e.toFixed(2)])]);
  } return out; };
/** each visible hand at `ms`, in board squares (x from a to h, y from rank 1 to 8, z up) */
function handsAt(ms) {
  const S = P.look.board.sq;
  const board = (q) => [q.x / S + 4, 4 - q.z / S, q.y / S].map((v) => +v.toFixed(3));
  return Object.entries(hands).filter(([, a]) => a.group.visible).map(([id, a]) => {
    const bone = (n) => a.bones[a.ix[n]].matrixWorld, place = (n) => new T.Vector3().setFromMatrixPosition(bone(n)), hold = P.holds.find((h) => h.hand === id && ms >= h.t0 && ms < h.t1), p = hold && pieces[hold.piece];
    const tip = (f) => { const b = place(`finger${f}-3`); return b.addScaledVector(b.clone().sub(place(`finger${f}-2`)), .95); };   // the bones end where the last joint begins
    return { id, player: a.player, side: a.side, pinch: board(segPos(P.hands[id], ms)), aperture: +(key(P.hands[id].ap, ms) * 2 / S).toFixed(3), free: +key(P.hands[id].free, ms).toFixed(2), wrist: board(place('wrist')), knuckles: [2, 5].map((f) => board(place(`finger${f}-1`))), tips: [1, 2, 3, 4, 5].map((f) => board(tip(f))), touches: p ? p.id : null, lifted: !!p && p.now.y > .05 };
  });
}
/** image_from_space: board squares to pixels; the page's z axis runs from Black to White */
function imageFromSpace() {
  const S = P.look.board.sq;
  const M = new T.Matrix4().multiplyMatrices(cam.projectionMatrix, cam.matrixWorldInverse).multiply(new T.Matrix4().set(S, 0, 0, -4 * S, 0, 0, S, 0, 0, -S, 0, 4 * S, 0, 0, 0, 1)), e = M.elements, at = (r, c) => e[c * 4 + r];
  return [[0, 1, 2, 3].map((c) => (at(0, c) + at(3, c)) * W / 2), [0, 1, 2, 3].map((c) => (at(3, c) - at(1, c)) * H / 2), [0, 1, 2, 3].map((c) => at(3, c))];
}
/** training picture: the state at `ms` from `camera`, posted; returns camera matrix and what stands where */
window.still = async ({ ms, camera }) => {
  P.camera = camera; camera0(); full = true; setTime(ms); const from = cam.position.z;
  for (const pl in extras.torso) extras.torso[pl].visible = !((pl === 'white' ? 1 : -1) * from > extras.half);   // a body between camera and board would be all there is
  cam.updateProjectionMatrix(); cam.updateMatrixWorld(true); const b = draw([0, 0, W, H]); for (let r = 0; r < H; r++) FB.set(b.subarray((H - 1 - r) * W * 4, (H - r) * W * 4), r * W * 4);
  await fetch('/frame', { method: 'POST', body: FB }); const S = P.look.board.sq;
  const rows = imageFromSpace();
  const held = new Set(P.holds.filter((h) => ms >= h.t0 && ms < h.t1).map((h) => h.piece));
  return { imageFromSpace: rows, corners: corners(ms), hands: handsAt(ms), pieces: pieces.filter((p) => p.o.visible).map((p) => ({ piece: p.piece, x: p.now.x / S + 4, y: 4 - p.now.z / S, z: p.now.y / S, held: held.has(p.id), height: p.def.h / S, radius: p.def.base_r / S })) };
};
/** the n x n pixels around one hand's pinch point at `ms` from `camera`, posted; null when it is out of the picture */
window.patch = async ({ ms, camera, hand }, n) => {
  P.camera = camera; camera0(); full = true; setTime(ms); cam.updateProjectionMatrix(); cam.updateMatrixWorld(true); const from = cam.position.z;
  for (const pl in extras.torso) extras.torso[pl].visible = !((pl === 'white' ? 1 : -1) * from > extras.half);
  const h = handsAt(ms).find((q) => q.id === hand); if (!h) return null; const rows = imageFromSpace(), at = rows.map((r) => r[0] * h.pinch[0] + r[1] * h.pinch[1] + r[2] * h.pinch[2] + r[3]), x = Math.round(at[0] / at[2] - n / 2), y = Math.round(at[1] / at[2] - n / 2);
  if (x < 0 || y < 0 || x + n > W || y + n > H) return null; const b = draw([x, y, n, n]), F = new Uint8Array(n * n * 4); for (let r = 0; r < n; r++) F.set(b.subarray((n - 1 - r) * n * 4, (n - r) * n * 4), r * n * 4);
  await fetch('/frame', { method: 'POST', body: F }); return { x, y, imageFromSpace: rows, corners: corners(ms), hand: h };
};
/** the same view in flat colours: red White's arms, green Black's, blue all that hides the board (arms, bodies, lifted pieces), black the rest */
window.stillMask = async () => {
  const flat = (c) => new T.MeshBasicMaterial({ color: c, toneMapped: false, side: T.DoubleSide }), M = { white: flat(0xff00ff), black: flat(0x00ffff), other: flat(0x0000ff), none: flat(0) }, kept = [], bg = scene.background; const what = new Map();
  for (const pl in extras.torso) extras.torso[pl].traverse((o) => what.set(o, M.other)); for (const p of pieces) if (p.now.y > .3) p.o.traverse((o) => what.set(o, M.other)); for (const id in hands) hands[id].group.traverse((o) => what.set(o, M[hands[id].player]));
  scene.traverse((o) => { if (o.isMesh) { kept.push([o, o.material]); const m = what.get(o) || M.none; o.material = Array.isArray(o.material) ? o.material.map(() => m) : m; } }); for (const p of pieces) p.bl.visible = false;
  R.outputColorSpace = T.LinearSRGBColorSpace; scene.background = new T.Color(0); R.shadowMap.autoUpdate = false; const b = draw([0, 0, W, H]); for (let r = 0; r < H; r++) FB.set(b.subarray((H - 1 - r) * W * 4, (H - r) * W * 4), r * W * 4);
  for (const [o, m] of kept) o.material = m; scene.background = bg; R.shadowMap.autoUpdate = true; R.outputColorSpace = T.SRGBColorSpace; await fetch('/frame', { method: 'POST', body: FB });
};
/** the next plan in the same page: compiled shaders (10 s in software) live on, pictures and meshes of the old scene do not */
window.next = async (plan) => {
  scene.traverse((o) => { o.geometry?.dispose(); for (const m of o.isMesh ? [o.material].flat() : []) for (const k in m) if (m[k]?.isTexture && m[k] !== extras.env) m[k].dispose(); }); for (const { o } of lights) o.shadow?.dispose(); extras.env.dispose();
  lights = []; hands = {}; pieces = []; blobs = []; extras = {}; prevRect = null; full = true; lastState = ''; rtBuf = null; return window.load(plan);
};
window.ready = true;
