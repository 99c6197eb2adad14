// The browser of these tests, and pages in it.
import { chromium } from 'playwright-core';

/** A step that takes this long hangs: so a test says where it stands instead of waiting for ever. No
    limit of speed: the slowest step takes seconds. */
export const HANGS_MS = 300_000;

export const launch = (executablePath) =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic'] });

/** Somebody with cookies of their own. */
export async function somebody(browser, viewport, more = {}) {
  const context = await browser.newContext({ locale: 'en-GB', viewport, ...more });
  context.setDefaultTimeout(HANGS_MS);
  return context;
}

export const step = (what) => console.log(`done: ${what}`);
