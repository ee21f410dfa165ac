/**
 * A picture of a page, for whoever works on it: `bun tests/browser/screenshot.ts <url> <out.png> [options]`.
 * Also prints what the page wrote to its console and which of its requests failed. Options: --width=1280 --height=800
 * --dark --full (the whole page) --wait=<selector> --scale=1 --click=<selector> --no-js --reduced-motion
 */
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openBrowser } from './chromium.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      width: { type: 'string', default: '1280' },
      height: { type: 'string', default: '800' },
      scale: { type: 'string', default: '1' },
      dark: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      'no-js': { type: 'boolean', default: false },
      'reduced-motion': { type: 'boolean', default: false },
      wait: { type: 'string', default: 'body' },
      click: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [url, path] = positionals;
  if (url === undefined || path === undefined) {
    console.error(
      'Usage: bun tests/browser/screenshot.ts <url> <out.png> [--width=390] [--dark] [--full] [--wait=<selector>]',
    );
    return 2;
  }
  const browser = await openBrowser();
  if (typeof browser === 'string') {
    console.error(`No picture: ${browser}.`);
    return 1;
  }
  try {
    const page = await browser.newPage({
      viewport: { width: Number(values.width), height: Number(values.height) },
      deviceScaleFactor: Number(values.scale),
      colorScheme: values.dark ? 'dark' : 'light',
      reducedMotion: values['reduced-motion'] ? 'reduce' : 'no-preference',
      javaScriptEnabled: !values['no-js'],
    });
    tellTroubles(page);
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForSelector(values.wait);
    if (values.click !== undefined) await page.click(values.click);
    await page.screenshot({ path, fullPage: values.full });
  } finally {
    await browser.close();
  }
  return 0;
}

function tellTroubles(page: Page): void {
  page.on('console', (message) => console.log(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => console.log(`page error: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request) => console.log(`failed: ${request.url()} ${request.failure()?.errorText ?? ''}`));
  page.on('response', (response) => {
    if (response.status() >= 400) console.log(`${response.status()}: ${response.url()}`);
  });
}
