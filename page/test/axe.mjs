// Whether a page state has a serious fault of accessibility, by axe-core.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Looks at a page as it is now. The policy of the page forbids strange scripts, the debugger does not. */
export async function accessible(page, what) {
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const faults = grave.map(({ id, nodes }) => `${id}: ${nodes.map((n) => `${n.target} (${n.failureSummary})`).join('; ')}`);
  assert.deepEqual(faults, [], `faults of accessibility: ${what}`);
}
