// A camera that is not there yet, freezes, dies, comes back and changes, as a page shows it. Arguments:
// the browser, the page's first address, a folder for pictures; a Python, the script of the camera, its
// port, and the video whose first picture it shows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { HANGS_MS, launch, somebody, step } from './browser.mjs';

const [browserPath, first, pictures, python, script, port, video] = process.argv.slice(2);
const browser = await launch(browserPath);
const context = await somebody(browser, { width: 1280, height: 800 });
const page = await context.newPage();
let camera;
process.on('exit', () => camera?.kill('SIGKILL'));

async function plug(width, height) {
  camera = spawn(python, [script, port, video, width, height], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(camera.stdout, 'data');
}
const shown = (state) => page.locator(`.card[data-state=${state}]`).waitFor();
const picture = (name) => page.screenshot({ path: `${pictures}/camera-${name}.png` });
const asked = async (path) => (await page.request.get(new URL(path, first).href)).json();
const board = async () => (await asked('/api/boards'))[0];
const noted = async (kind) => (await asked('/api/log')).filter((entry) => entry.kind === kind);
/** A change of the picture that the log tells. */
async function changed(what) {
  for (const until = Date.now() + HANGS_MS; Date.now() < until; ) {
    const found = (await noted('picture')).find(({ body }) => body.change.what === what);
    if (found) return found.body.change;
    await page.waitForTimeout(100);
  }
  throw new Error(`the log does not tell that the ${what} changed`);
}

await page.goto(first);
await page.getByLabel('Name').fill('anna');
await page.getByLabel('Password').fill('three words will do');
await page.keyboard.press('Enter');
await shown('camera_lost');
const why = await page.locator('.card .advice').innerText();
assert.match(why, /does not answer/);
assert.doesNotMatch(await page.content(), /secret/);
await page.getByText('Not watched now: Board 1').waitFor();
await picture('1-not-there');
step('not there');

await plug(960, 540);
await shown('playing');
await page.locator('.card img.live').waitFor();
const begun = await board();
assert.ok(begun.game, 'a game has begun');
step('found');

camera.kill('SIGSTOP');
const frozen = Date.now();
await shown('camera_lost');
console.log(`seen after ${Date.now() - frozen} ms`);
await picture('2-frozen');
camera.kill('SIGCONT');
await shown('playing');
assert.ok((await noted('gap')).length >= 1, 'the gap is in the log');
step('frozen and back');

camera.kill('SIGKILL');
await shown('camera_lost');
await plug(1280, 720);
await shown('playing');
assert.deepEqual(await changed('size'), { what: 'size', from: [960, 540], to: [1280, 720] });
// The board is looked for in the new pictures, and the same game goes on.
await shown('playing');
step('dead and back in another size');

camera.kill('SIGUSR1');
const light = await changed('light');
assert.ok(light.to < light.from, 'darker');
await shown('playing');
await picture('3-darker');
const { game, fen } = await board();
assert.deepEqual([game, fen], [begun.game, begun.fen], 'the game and its position are kept');
step('darker');
camera.kill('SIGKILL');
await browser.close();
