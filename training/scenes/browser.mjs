// Headless Chromium on the renderer's page, with frames posted back to this process.
import { chromium } from 'playwright-core'; import http from 'http'; import fs from 'fs'; import path from 'path';
const root = path.dirname(new URL(import.meta.url).pathname);
const TYPES = { '.js': 'text/javascript', '.html': 'text/html' };
const FLAGS = ['--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

/** Serves the page on the loopback address and opens it; `onFrame` gets each posted body. */
export async function openPage(onFrame, viewport) {
  const server = http.createServer((q, a) => {
    if (q.method === 'POST') { const ch = []; q.on('data', (c) => ch.push(c)); q.on('end', async () => { await onFrame(Buffer.concat(ch)); a.writeHead(204); a.end(); }); return; }
    try { const u = q.url.split('?')[0], p = path.join(root, u === '/' ? '/page/index.html' : decodeURIComponent(u)), b = fs.readFileSync(p); a.writeHead(200, { 'content-type': TYPES[path.extname(p)] || 'application/octet-stream' }); a.end(b); } catch { a.writeHead(404); a.end(); }
  });
  await new Promise((r) => server.listen(0, '127.0.0.1', r));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: FLAGS });
  const page = await browser.newPage({ viewport }); page.on('console', (m) => { if (!/GPU stall|GL Driver|Failed to load resource/.test(m.text())) console.log(m.text()); }); page.on('pageerror', (e) => console.log('ERR', e.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`); await page.waitForFunction('window.ready', { timeout: 60000 });
  return { page, close: async () => { await browser.close(); server.close(); } };
}
