#!/usr/bin/env node
// node stills.mjs OUT_DIR PLAN.still.json...: renders each plan's pictures at their times and cameras.
// Per picture: NAME-K.jpg (noise and blur of the look), NAME-K.mask.png (half the size; red White's arms, green Black's, blue all that
// hides the board), and one NAME.json with the camera (image_from_space, board squares, z up), what stands where, and each hand's
// pinch point, finger tips, wrist and knuckles (board squares, z up) and the piece it touches.
import fs from 'fs'; import path from 'path'; import { spawn } from 'child_process';
import { openPage } from './browser.mjs';
const [out, ...plans] = process.argv.slice(2); fs.mkdirSync(out, { recursive: true });
let frame = null; const { page, close } = await openPage(async (d) => { frame = d; }, { width: 640, height: 480 });
const encode = (args, rgba, w, h) => new Promise((r) => { const e = spawn('ffmpeg', ['-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${w}x${h}`, '-i', '-', ...args], { stdio: ['pipe', 'inherit', 'inherit'] }); e.on('close', r); e.stdin.end(rgba); });
let shown = 0;
try {
  for (const file of plans) {
    const plan = JSON.parse(fs.readFileSync(file)), name = path.basename(file, '.still.json'), rows = [], t0 = Date.now();
    if (fs.existsSync(path.join(out, name + '.json'))) continue;
    const anew = shown++ % 25 === 0; if (anew) { await page.reload(); await page.waitForFunction('window.ready', { timeout: 60000 }); }     // a page keeps its shaders, but also some memory
    plan.shutter = 0; for (const l of plan.look.lights) l.map = 512; await page.evaluate(([q, a]) => a ? window.load(q) : window.next(q), [plan, anew]);
    for (const [k, s] of plan.stills.entries()) {
      const row = await page.evaluate((q) => window.still(q), s); const jobs = [encode(['-vf', plan.filter.replace(/noise.*$/, 'noise=c0s=5:c0f=u'), '-q:v', '3', path.join(out, `${name}-${k}.jpg`)], frame, plan.W, plan.H)];
      await page.evaluate(() => window.stillMask()); jobs.push(encode(['-vf', `scale=${plan.W / 2}:${plan.H / 2}:flags=area,format=rgb24`, path.join(out, `${name}-${k}.mask.png`)], frame, plan.W, plan.H)); await Promise.all(jobs);
      rows.push({ file: `${name}-${k}.jpg`, mask: `${name}-${k}.mask.png`, ms: s.ms, ...row });
    }
    fs.writeFileSync(path.join(out, name + '.json'), JSON.stringify({ width: plan.W, height: plan.H, squareCm: plan.look.board.sq, pictures: rows })); console.log(name, ((Date.now() - t0) / rows.length).toFixed(0), 'ms a picture');
  }
} finally { await close(); }
