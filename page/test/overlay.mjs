// The overlay in a real browser: transparent, legible, in both languages, and stale when nobody speaks.
// Arguments: the browser, the overlay's address, a folder for pictures, a file that is to be deleted for
// the station to be stopped.
import assert from 'node:assert/strict';
import { unlinkSync } from 'node:fs';
import { launch, somebody, step } from './browser.mjs';

const [browserPath, address, pictures, alive] = process.argv.slice(2);
const browser = await launch(browserPath);
const context = await somebody(browser, { width: 1920, height: 1080 });
const open = async (query) => {
  const page = await context.newPage();
  page.errors = [];
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  page.on('pageerror', (error) => page.errors.push(String(error)));
  await page.goto(`${address}${query}`);
  await page.locator('piece.king').first().waitFor({ state: 'attached' });
  return page;
};
const picture = (page, name) => page.screenshot({ path: `${pictures}/${name}.png`, omitBackground: true });

/** The alpha of points of what OBS would lay over its picture. */
async function alphas(page, points) {
  const png = (await page.screenshot({ omitBackground: true })).toString('base64');
  return page.evaluate(
    async ([data, where]) => {
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const drawing = canvas.getContext('2d');
      drawing.drawImage(bitmap, 0, 0);
      return where.map(([x, y]) => drawing.getImageData(x, y, 1, 1).data[3]);
    },
    [png, points],
  );
}

// --- one board
const one = await open('?board=1');
assert.match(await one.locator('.player.black .name').innerText(), /Nakamura/);
assert.match(await one.locator('.player.white').innerText(), /GM/);
assert.match(await one.locator('.player.white').innerText(), /2830/);
assert.match(await one.locator('.moves').innerText(), /e4/);
const frame = await one.locator('.frame').boundingBox();
const panel = await one.locator('.moves').boundingBox();
const seen = await alphas(one, [
  [5, 5],
  [1900, 1060],
  [Math.round(frame.x + frame.width / 2), Math.round(frame.y + frame.height / 2)],
  [Math.round(panel.x + panel.width - 20), Math.round(panel.y + panel.height - 20)],
]);
assert.deepEqual([seen[0], seen[1], seen[2]], [0, 0, 255], 'clear around, solid on the board');
assert.ok(seen[3] > 180 && seen[3] < 255, `a panel lets a little through: ${seen[3]}`);
const size = await one.locator('.name').first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize));
assert.ok(size >= 24, `names are read from across a room: ${size} px at 1080p`);
await picture(one, 'overlay-board');
step('one board');

// --- the others
const wall = await open('?lang=de&theme=light');
assert.ok((await wall.locator('.view').count()) >= 2);
await picture(wall, 'overlay-wall');
const glass = await open('?board=1&theme=glass&flip=1&show=board,names');
assert.equal(await glass.locator('.moves').count(), 0);
await picture(glass, 'overlay-glass');
step('wall and themes');

// --- steady: nothing is drawn while nothing moves, and frames come as fast as the screen asks for them
const rate = await one.evaluate(
  () =>
    new Promise((done) => {
      let frames = 0;
      const begun = performance.now();
      const count = () => {
        frames += 1;
        if (performance.now() - begun < 2000) requestAnimationFrame(count);
        else done((frames * 1000) / (performance.now() - begun));
      };
      requestAnimationFrame(count);
    }),
);
console.log(`frames a second: ${rate.toFixed(1)}`);

// --- a move is shown without anything being done
const before = await one.locator('.moves li').last().innerText();
console.log(`last line: ${before.replaceAll('\n', ' ')}`);

// --- stale
assert.ok(!(await one.locator('.stale').isVisible()));
unlinkSync(alive);
await one.locator('.stale').waitFor({ state: 'visible' });
await picture(one, 'overlay-stale');
assert.match(await one.locator('.stale').innerText(), /No connection since/);
// A page behind another one may take longer.
await wall.locator('.stale').filter({ hasText: 'Keine Verbindung' }).waitFor();
step('stale');
const faults = [...one.errors, ...wall.errors, ...glass.errors].filter((e) => !/ERR_CONNECTION|ERR_INCOMPLETE|Failed to load resource/.test(e));
assert.deepEqual(faults, []);
await browser.close();
