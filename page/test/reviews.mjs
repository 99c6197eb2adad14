// A recording is sent and reviewed on the page, in a real browser. Arguments: the browser, the page's first
// address, a folder for pictures, a recording.
import assert from 'node:assert/strict';
import { accessible } from './axe.mjs';
import { launch, somebody, step } from './browser.mjs';

const [browserPath, first, pictures, recording] = process.argv.slice(2);
const browser = await launch(browserPath);
const context = await somebody(browser, { width: 1280, height: 800 });
const page = await context.newPage();
await page.goto(first);
await page.getByLabel('Name').fill('anna');
await page.getByLabel('Password').fill('three words will do');
await page.keyboard.press('Enter');
await page.locator('.desk').waitFor();
await page.getByRole('button', { name: 'Recordings' }).click();
await page.getByText('No recording has been reviewed yet').waitFor();

// What is no recording is refused, and says why.
await page.locator('#review-file').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('1. e4') });
await page.getByRole('button', { name: 'Review' }).click();
await page.getByText('ends as a video', { exact: false }).waitFor();
await page.locator('#review-file').setInputFiles({ name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no video') });
await page.getByRole('button', { name: 'Review' }).click();
await page.getByRole('cell', { name: 'failed' }).waitFor();
step('refusals');

await page.locator('#review-file').setInputFiles(recording);
await page.getByRole('button', { name: 'Review' }).click();
await page.getByText('is being reviewed', { exact: false }).waitFor();
await page.getByText('%', { exact: false }).first().waitFor();
await page.screenshot({ path: `${pictures}/reviews-running.png` });
await page.getByRole('link', { name: 'Report' }).waitFor();
await accessible(page, 'reviews');
await page.screenshot({ path: `${pictures}/reviews-done.png` });
step('reviewed');

const opened = context.waitForEvent('page');
await page.getByRole('link', { name: 'Report' }).click();
const report = await opened;
await report.waitForLoadState();
assert.match(await report.locator('body').innerText(), /e4/);
// It has a script, which works, and reaches nothing of the station.
const reached = await report.evaluate(() => fetch('/api/me').then(() => true, () => false));
assert.equal(reached, false);
await report.screenshot({ path: `${pictures}/reviews-report.png` });
step('report');

page.on('dialog', (dialog) => void dialog.accept());
await page.getByRole('row', { name: 'broken.mp4' }).getByRole('button').click();
await page.getByRole('row', { name: 'broken.mp4' }).waitFor({ state: 'detached' });
step('deleted');
await browser.close();
