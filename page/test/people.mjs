// What an administrator and those they let in do: people, boards, codes, keys, alerts in use, the
// log; where a board lies. Arguments: the browser, the page's first address, a folder for pictures.
import assert from 'node:assert/strict';
import { accessible } from './axe.mjs';
import { launch, somebody, step } from './browser.mjs';

const [browserPath, first, pictures] = process.argv.slice(2);
const browser = await launch(browserPath);
const wide = { width: 1280, height: 800 };
const tablet = { width: 820, height: 1180 };

async function visitor() {
  const context = await somebody(browser, wide, { ignoreHTTPSErrors: true });
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  page.on('dialog', (dialog) => void dialog.accept());
  return page;
}

const anna = await visitor();
const picture = (page, name) => page.screenshot({ path: `${pictures}/${name}.png` });
const fits = async (page, what) => {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(over, 0, `${what} is wider than the screen`);
};
const section = (page, name) => page.getByRole('region', { name, exact: true });
const row = (page, name, text) => section(page, name).locator('tr', { hasText: text });

// --- first start
await anna.goto(first);
await accessible(anna, 'first start');
await anna.getByLabel('Name').fill('anna');
await anna.getByLabel('Password').fill('three words will do');
await anna.getByRole('button', { name: 'Make the administrator' }).click();
await anna.locator('.desk').waitFor();
await anna.locator('.card img.live').first().waitFor();
await accessible(anna, 'desk');

// --- people, by keyboard
await anna.getByRole('button', { name: 'Administration' }).focus();
await anna.keyboard.press('Enter');
await anna.getByRole('dialog', { name: 'Administration' }).waitFor();
await row(anna, 'People', 'anna').waitFor();
await section(anna, 'People').getByLabel('Name', { exact: true }).focus();
await anna.keyboard.type('ben');
await anna.keyboard.press('Enter');
await row(anna, 'People', 'ben').getByText('chooses a password until').waitFor();
const invitation = await anna.locator('.secret code').nth(1).innerText();
await picture(anna, 'people-1-invited');
await accessible(anna, 'administration');
step('somebody is invited');

// --- one board only
await row(anna, 'People', 'ben').locator('summary').click();
await row(anna, 'People', 'ben').getByRole('checkbox', { name: 'Nothing' }).click();
await row(anna, 'People', 'ben').locator('summary', { hasText: /^Board 1$/ }).waitFor();
// The box is still there for the next board, and the keyboard on it.
const box = row(anna, 'People', 'ben').getByRole('checkbox', { name: 'Nothing' });
await box.waitFor();
assert.ok(await box.evaluate((e) => e === document.activeElement), 'the keyboard stays on the box');
await picture(anna, 'people-2-boards');
step('a board is assigned');

// --- ben chooses a password, and sees his board alone
const ben = await visitor();
await ben.goto(invitation);
await ben.getByText('Choose your password').waitFor();
await accessible(ben, 'invitation');
await picture(ben, 'people-3-invitation');
assert.equal(await ben.getByLabel('Name').inputValue(), 'ben');
await ben.getByLabel('Password').fill('another three words');
await ben.keyboard.press('Enter');
await ben.locator('.card').first().waitFor();
assert.deepEqual(await ben.locator('.card h3').allInnerTexts(), ['Board 1']);
assert.equal(await ben.getByRole('button', { name: 'Administration' }).count(), 0);
step('the invited one comes in');

// --- a reviewer sees and does not rule
await row(anna, 'People', 'ben').getByRole('combobox').selectOption('reviewer');
await ben.getByRole('button', { name: 'Calibrate' }).waitFor({ state: 'detached' });
await ben.locator('.card').first().waitFor();
await row(anna, 'People', 'ben').getByRole('combobox').selectOption('arbiter');
await ben.getByRole('button', { name: 'Calibrate' }).waitFor();
step('roles change at once');

// --- keys, alerts in use, sessions
const keys = section(anna, 'Keys for broadcasts');
await keys.getByLabel('Name').fill('website');
await keys.getByRole('button', { name: 'Make a key' }).click();
await row(anna, 'Keys for broadcasts', 'website').waitFor();
const key = await anna.locator('.secret code').nth(1).innerText();
const asked = await anna.request.get(`${key}api/me`);
assert.equal((await asked.json()).key, 'website');
assert.equal((await anna.request.get(`${key}api/incidents`)).status(), 403);
await row(anna, 'Keys for broadcasts', 'website').getByRole('button', { name: 'Take back' }).click();
await row(anna, 'Keys for broadcasts', 'website').waitFor({ state: 'detached' });
assert.equal((await anna.request.get(`${key}api/me`)).status(), 401);
await anna.getByRole('checkbox', { name: 'two hands for one move' }).uncheck();
await row(anna, 'Log', 'alert switched').getByText('in_use: false').waitFor();
await anna.getByRole('heading', { name: 'Log', exact: true }).scrollIntoViewIfNeeded();
await picture(anna, 'people-4-log');
step('keys and alerts');

// --- German, and a tablet
await anna.keyboard.press('Escape');
await anna.getByText('Not in use at this event: two hands for one move.').waitFor();
await anna.keyboard.press('l');
await anna.getByRole('button', { name: 'Verwaltung' }).click();
await row(anna, 'Personen', 'ben').waitFor();
await anna.setViewportSize(tablet);
await fits(anna, 'the administration');
await picture(anna, 'people-5-german-tablet');
await accessible(anna, 'administration in German on a tablet');
await anna.keyboard.press('Escape');
await anna.keyboard.press('l');
await anna.setViewportSize(wide);
step('German and tablet');

// --- where a board lies: found by itself, then dragged
const card = (page) => page.getByRole('article', { name: 'Board 1' });
await ben.locator('.card:is([data-state=playing], [data-state=hand])').waitFor();
await card(ben).getByRole('button', { name: 'Calibrate' }).focus();
await ben.keyboard.press('Enter');
await ben.locator('.calibrate[data-good]').waitFor();
const corner = (name) => ben.getByRole('button', { name: `Corner ${name}` });
const lines = () => ben.locator('.canvas path').getAttribute('d');
const found = await lines();
assert.equal(found.match(/M/g).length, 18, 'nine lines each way');
await picture(ben, 'place-1-found');
await accessible(ben, 'calibrating');

// By pointer.
const knob = await corner('h8').boundingBox();
await ben.mouse.move(knob.x + knob.width / 2, knob.y + knob.height / 2);
await ben.mouse.down();
await ben.mouse.move(knob.x + 90, knob.y + 70, { steps: 5 });
await ben.mouse.up();
await ben.waitForFunction((d) => document.querySelector('.canvas path')?.getAttribute('d') !== d, found);
await picture(ben, 'place-2-dragged');
// Turned by a quarter, light is where dark should be.
await ben.keyboard.press('z');
await ben.keyboard.press('r');
await ben.locator('.calibrate[data-good=false] .doubts li', { hasText: 'alternate' }).waitFor();
// As it was, then by keys: a little off is drawn to the edges.
await ben.keyboard.press('z');
await ben.waitForFunction((d) => document.querySelector('.canvas path')?.getAttribute('d') === d, found);
await corner('a1').focus();
for (const key of ['Shift+ArrowRight', 'ArrowUp', 'ArrowUp']) await ben.keyboard.press(key);
await ben.waitForFunction((d) => document.querySelector('.canvas path')?.getAttribute('d') !== d, found);
await ben.locator('.loupe').waitFor();
await picture(ben, 'place-3-loupe');
const at = () => corner('a1').evaluate((e) => [parseFloat(e.style.left), parseFloat(e.style.top)]);
const moved = await at();
await ben.waitForTimeout(500);
await ben.keyboard.press('f');
await ben.waitForFunction((left) => Math.abs(parseFloat(document.querySelector('.corner').style.left) - left) > 0.3, moved[0]);
await ben.keyboard.press('s');
await ben.getByText('The board is watched from there on').waitFor();
await ben.setViewportSize(tablet);
await fits(ben, 'calibrating');
await picture(ben, 'place-4-tablet');
await ben.setViewportSize(wide);
await ben.keyboard.press('Escape');
await ben.locator('.card:is([data-state=playing], [data-state=hand])').waitFor();
assert.ok(await card(ben).getByRole('button', { name: 'Calibrate' }).evaluate((e) => e === document.activeElement), 'the keyboard is where it was');
step('calibrated by pointer and keys');

// --- the password is lost: a new code, and the open page is closed
await anna.getByRole('button', { name: 'Administration' }).click();
await row(anna, 'People', 'ben').getByRole('button', { name: 'New password' }).click();
await anna.locator('.secret code').first().waitFor();
await ben.getByRole('heading', { name: 'Log in' }).waitFor();
await accessible(ben, 'logging in');
await row(anna, 'People', 'ben').getByRole('button', { name: 'Keep out' }).click();
await row(anna, 'People', 'ben').getByText('kept out').waitFor();
await row(anna, 'Log', 'board calibrated by hand').waitFor();
step('shut out');
await browser.close();
