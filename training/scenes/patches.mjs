#!/usr/bin/env node
// node patches.mjs OUT_DIR PLAN.patch.json...: renders the surroundings of one hand at each of a plan's times and cameras.
// Per look: NAME.raw (pictures of SIZE x SIZE RGB, one after the other) and NAME.json with, for each, where the picture lies and what
// stills.mjs tells of a hand.  Only the part around the hand is drawn, which is what makes it quick.
import fs from 'fs'; import path from 'path'; import { openPage } from './browser.mjs';
const SIZE = 256, [out, ...plans] = process.argv.slice(2); fs.mkdirSync(out, { recursive: true });
let frame = null; const { page, close } = await openPage(async (d) => { frame = d; }, { width: 1280, height: 960 }); let shown = 0;
try {
  for (const file of plans) {
    const plan = JSON.parse(fs.readFileSync(file)), name = path.basename(file, '.patch.json'), rows = [], pictures = [], t0 = Date.now();
    if (fs.existsSync(path.join(out, name + '.json'))) continue;
    const anew = shown++ % 25 === 0; if (anew) { await page.reload(); await page.waitForFunction('window.ready', { timeout: 60000 }); }
    plan.W = 1280; plan.H = 960; plan.shutter = 0; for (const l of plan.look.lights) l.map = 512; await page.evaluate(([q, a]) => a ? window.load(q) : window.next(q), [plan, anew]);
    for (const s of plan.patches) {
      const row = await page.evaluate(([q, n]) => window.patch(q, n), [s, SIZE]); if (!row) continue;
      const rgb = Buffer.alloc(SIZE * SIZE * 3); for (let i = 0; i < SIZE * SIZE; i++) { rgb[3 * i] = frame[4 * i]; rgb[3 * i + 1] = frame[4 * i + 1]; rgb[3 * i + 2] = frame[4 * i + 2]; }
      pictures.push(rgb); rows.push({ ms: s.ms, ...row });
    }
    fs.writeFileSync(path.join(out, name + '.raw'), Buffer.concat(pictures)); fs.writeFileSync(path.join(out, name + '.json'), JSON.stringify({ size: SIZE, width: plan.W, height: plan.H, pictures: rows })); console.log(name, rows.length, ((Date.now() - t0) / Math.max(1, rows.length)).toFixed(0), 'ms a picture');
  }
} finally { await close(); }
