// The pictures of docs/: see scripts/pictures. Arguments: the browser, the page's first address, the
// folder for the pictures.
import { launch, somebody } from './browser.mjs';

const [browserPath, first, folder] = process.argv.slice(2);
const browser = await launch(browserPath);
const context = await somebody(browser, { width: 1280, height: 860 });
const page = await context.newPage();
const picture = (name) => page.screenshot({ path: `${folder}/${name}.jpg`, type: 'jpeg', quality: 60 });

await page.goto(first);
await page.locator('#name').waitFor();
await page.keyboard.type('anna');
await page.keyboard.press('Tab');
await page.keyboard.type('three words will do');
await page.keyboard.press('Enter');
await page.locator('.card').nth(1).waitFor();
const text = 'board,white,black,round\n1,"Müller, Anna","Roth, Ben",3\n2,"Ode, Carla","Weiß, Dirk",3\n';
await page.request.post(new URL('/api/pairings', first).href, { data: { text } });
// Both games have begun, and one has its incident.
await page.locator('.row').filter({ hasText: 'White touched the knight on g1' }).first().waitFor();
await page.locator('.card').nth(1).locator('.moves').filter({ hasText: '1.' }).waitFor();
await page.locator('.card img.live').nth(1).waitFor();
await picture('wall');
await page.locator('.row').filter({ hasText: 'White touched the knight on g1' }).first().click();
await page.locator('.timeline text.about').waitFor();
await page.keyboard.press('1');
await page.waitForFunction(() => document.querySelector('.stage img')?.naturalWidth > 0);
await picture('incident');
await page.keyboard.press('Escape');

// Where a board lies, with a corner that was dragged.
await page.locator('.card').first().getByRole('button', { name: 'Calibrate' }).click();
await page.locator('.calibrate[data-good]').waitFor();
await page.getByRole('button', { name: 'Corner h8' }).focus();
for (let k = 0; k < 4; k += 1) await page.keyboard.press('Shift+ArrowRight');
await page.locator('.calibrate[data-good=false] .doubts li').first().waitFor();
await page.locator('.loupe').waitFor();
await picture('calibrate');
await page.keyboard.press('Escape');

// People, and what may be shown of what is found.
await page.request.post(new URL('/api/users', first).href, { data: { name: 'ben', role: 'arbiter', boards: [1] } });
await page.request.post(new URL('/api/users', first).href, { data: { name: 'carla', role: 'reviewer' } });
await page.getByRole('button', { name: 'Administration' }).click();
await page.getByRole('cell', { name: 'carla' }).or(page.getByRole('rowheader', { name: 'carla' })).first().waitFor();
await picture('people');
await browser.close();
