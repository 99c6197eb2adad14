// What an arbiter does, from the first start to the first ruling and on, in a real browser.
// Arguments: the browser, the page's first address, a folder for pictures. Whatever is not as it
// should be throws; each step that was done is printed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { accessible } from './axe.mjs';
import { launch, somebody, step } from './browser.mjs';

const [browserPath, first, pictures] = process.argv.slice(2);
const browser = await launch(browserPath);
const context = await somebody(browser, { width: 1280, height: 800 });
const page = await context.newPage();
const console_ = [];
page.on('console', (message) => console_.push(message.text()));
page.on('pageerror', (error) => console_.push(String(error)));
page.on('dialog', (dialog) => void dialog.accept());
const outside = [];
page.on('request', (request) => {
  if (!request.url().startsWith(new URL(first).origin) && !/^(data|blob):/.test(request.url())) outside.push(request.url());
});
const picture = (name) => page.screenshot({ path: `${pictures}/${name}.png` });
const text = (css) => page.locator(css).first().innerText();
const press = (key) => page.keyboard.press(key);

// --- first start, by keyboard alone
await page.goto(first);
await page.getByText('This station is new').waitFor();
await picture('1-first-start');
await page.keyboard.type('anna');
await press('Tab');
await page.keyboard.type('short');
await press('Enter');
await page.getByText('at least 10 characters', { exact: false }).nth(1).waitFor();
await page.keyboard.type(' but now long enough');
await press('Enter');
await page.locator('.desk').waitFor();
assert.equal(new URL(page.url()).hash, '', 'the code is gone from the address');
step('first start');

// --- the wall
await page.locator('.card').first().waitFor();
assert.equal(await page.locator('.card').count(), 2);
assert.match(await text('.next'), /What to do now/);
await page.locator('.card img.live').first().waitFor();
await page.locator('.card piece.king').first().waitFor({ state: 'attached' });
await picture('2-wall');
step('wall');

// --- a board that cannot be found says why, and stops no other
await page.getByText('no board was found', { exact: false }).waitFor();
step('refusal shown');

// --- an alert
const early = await page.locator('.row').count();
await page.locator('.row').first().waitFor();
if (!early) await page.locator('.news:not(:empty)').waitFor();
assert.match(await text('.row'), /White touched the knight on g1 and played d4\./);
assert.match(await page.title(), /^\(\d\) Adoube/);
await picture('3-alert');
await accessible(page, 'alert');
step('alert');

// --- opened, stepped through, ruled on: keys only
await page.locator('.queue [role=listbox]').focus();
await press('Enter');
await page.locator('.incident').waitFor();
const caption = () => text('.caption');
const frame = async () => Number(/Frame (\d+) of/.exec(await caption())[1]);
await page.waitForFunction(() => document.querySelector('.stage img')?.naturalWidth > 0);
const begun = await frame();
await press('ArrowRight');
assert.equal(await frame(), begun + 1);
await press('ArrowLeft');
await press('ArrowLeft');
assert.equal(await frame(), begun - 1);
await press('Home');
assert.equal(await frame(), 1);
await press('End');
const count = Number(/of (\d+)/.exec(await caption())[1]);
assert.equal(await frame(), count);
assert.ok(count > 20, `${count} frames`);
await press('1');
assert.match(await caption(), /[+\u2212]0\.0\d s/);
await page.waitForFunction(() => document.querySelector('.stage img')?.naturalWidth > 0);
assert.match(await text('.case'), /4\.3\.1/);
assert.match(await text('.case'), /Nf3/);
assert.match(await text('.case'), /touched/);
assert.match(await text('.case'), /Nf3/);
assert.doesNotMatch(await text('.case'), /g1f3/, 'moves are told as players write them');
// What hands did, and where the picture is in it.
assert.match(await page.locator('.timeline text.about').textContent(), /White, knight g1: touched/);
assert.ok((await page.locator('.timeline text').count()) >= 2, 'the pawn that was moved too');
const now = () => page.locator('.timeline line.now').getAttribute('x1');
const there = await now();
await press('ArrowRight');
assert.notEqual(await now(), there);
await press('ArrowLeft');
assert.equal(await now(), there);
await picture('4-incident');
await accessible(page, 'incident');
await press('Space');
await page.waitForFunction((at) => !document.querySelector('.caption').textContent.includes(`Frame ${at} `), await frame());
await press('Space');
step('frames');

await press('n');
await page.keyboard.type('seen from both sides');
await press('Enter');
await press('u');
await page.getByText('Upheld by anna').waitFor();
await press('z');
await page.getByText('Not ruled on yet').waitFor();
await press('d');
await page.getByText('Dismissed by anna').waitFor();
await picture('5-ruled');
await accessible(page, 'ruled');
step('ruling and undo');

// --- what no camera shows: the turn is judged again; the last thing done is taken back first
await press('j');
await page.getByText("j'adoube was announced before this touch. With that there was no breach.", { exact: false }).waitFor();
assert.match(await text('.case'), /With what was said of the touch there was no breach/);
assert.equal(await page.locator('.case ul').count(), 0, 'reasons of a breach that there was not');
await picture('5-corrected');
await press('z');
await page.locator('.corrected:empty').waitFor({ state: 'attached' });
assert.match(await text('.ruling .ruled'), /Dismissed by anna/);
await press('a');
await page.getByText('the touch was accidental. With that', { exact: false }).waitFor();
await press('z');
await page.locator('.corrected:empty').waitFor({ state: 'attached' });
step('corrections');

// --- evidence: held, exported; the test around this one verifies what was exported by the key shown
await press('h');
await page.getByText('These frames are held').waitFor();
await page.waitForFunction(() => /^[0-9a-f]{64}$/.test(document.querySelector('.evidence code').textContent));
writeFileSync(`${pictures}/key.txt`, await text('.evidence code'));
const [download] = await Promise.all([page.waitForEvent('download'), press('x')]);
assert.equal(download.suggestedFilename(), 'adoube-incident-1.zip');
await download.saveAs(`${pictures}/export.zip`);
await page.locator('.evidence').scrollIntoViewIfNeeded();
await picture('5-evidence');
step('evidence held and exported');

// --- German, with the incident open
await press('l');
await page.getByText('Verworfen durch anna').waitFor();
assert.match(await text('.case dl'), /Sf3/);
assert.match(await text('.case'), /Weiß hat den eigenen Springer auf g1 berührt/);
assert.match(await text('.incident h2'), /den Springer auf g1/);
await picture('6-german');
await press('Escape');
await page.locator('.overlay').waitFor({ state: 'hidden' });
assert.match(await text('.row.ruled'), /Verworfen/);
await press('l');
step('German');

// --- a board put right by hand: who plays, and what cannot be
await page.getByRole('button', { name: 'Put right' }).first().click();
await page.locator('dialog.fix[open]').waitFor();
await page.getByLabel('White', { exact: true }).fill('Müller, Anna');
await page.getByLabel('Black', { exact: true }).fill('Roth, Ben');
await page.getByRole('button', { name: 'Save' }).click();
await page.getByText('Done.').waitFor();
assert.match(await text('.card .names'), /Müller, Anna \u2013 Roth, Ben/);
// The pawn is dragged from e4 to e6; the field says the same.
const fen = page.getByLabel('The same as FEN');
await fen.fill('4k3/8/8/8/4P3/8/8/4K2R w K - 0 1');
await page.locator('dialog.fix .position').scrollIntoViewIfNeeded();
// Whoever scrolls or drags has seen the page first.
const seen = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
await seen();
const ground = await page.locator('dialog.fix .position cg-board').boundingBox();
const square = (file, rank) => [ground.x + ((file + 0.5) * ground.width) / 8, ground.y + ((7.5 - rank) * ground.height) / 8];
await page.mouse.move(...square(4, 3));
await page.mouse.down();
await page.mouse.move(...square(4, 4), { steps: 4 });
await page.locator('dialog.fix piece.dragging').waitFor();
await page.mouse.move(...square(4, 5), { steps: 4 });
await seen();
await page.mouse.up();
// The board tells what was done to it a moment later.
await page.waitForFunction((wanted) => document.querySelector('#fix-fen').value === wanted, '4k3/8/4P3/8/8/8/8/4K2R w K - 0 1');
await picture('9-put-right');
await accessible(page, 'put right');
await fen.fill('8/8');
await page.getByRole('button', { name: 'This stands' }).click();
await page.locator('dialog.fix .said.bad').waitFor();
await press('Escape');
step('put right');

// --- pairings from a file
await page.locator('input[type=file]').setInputFiles({
  name: 'round.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('board,white,black,round\n1,Carla,Dirk,4\n5,X,Y,4\n'),
});
await page.getByText('Players are known for: Board 1.').waitFor();
step('pairings');

// --- a board comes and goes
await page.getByRole('button', { name: 'Add a board' }).click();
await page.getByLabel('Name', { exact: true }).fill('Board 3');
await page.getByLabel('Camera or recording').fill('/dev/video250');
await page.getByRole('button', { name: 'Add it' }).click();
await page.getByText('the camera does not answer', { exact: false }).waitFor();
await picture('10-add-board');
await accessible(page, 'add a board');
await page.getByLabel('Camera or recording').fill('tests/data/from-above.mp4');
await press('Enter');
await page.locator('.card[aria-label="Board 3"]').waitFor();
await page.locator('.card[aria-label="Board 3"]').getByRole('button', { name: 'Remove' }).click();
await page.locator('.card[aria-label="Board 3"]').waitFor({ state: 'detached' });
step('boards come and go');

// --- the ruling is still there after the page was loaded anew; nothing was announced on the console
await page.reload();
await page.locator('.row.ruled').first().waitFor();
assert.match(await text('.row.ruled'), /Dismissed/);
await page.setViewportSize({ width: 820, height: 1180 });
await picture('7-tablet');
await accessible(page, 'tablet');
const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
assert.equal(wide, 0, 'the page is wider than a tablet');
step('reload and tablet');
await press('?');
await page.locator('dialog[open]').waitFor();
await picture('8-keys');
await accessible(page, 'keys');
await press('Escape');

await page.getByRole('button', { name: /Log out/ }).click();
await page.getByRole('heading', { name: 'Log in' }).waitFor();
assert.deepEqual(outside, [], 'something was fetched from elsewhere');
// Refused requests are part of this (a password too short, a picture not there yet), and chessground
// asks for light colours by a style attribute, which the policy keeps from it: nothing is lost.
const expected = ['Failed to load resource', 'sha256-SyXRxMCl6H7Kgy9uTmu1UZqVBsRmMBF4sHRiTO3FQc0='];
const said = console_.filter((text) => !expected.some((part) => text.includes(part)));
assert.deepEqual(said, [], 'the console said something');
step('log out');
await browser.close();
