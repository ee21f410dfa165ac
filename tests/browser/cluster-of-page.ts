/** The worker of a page's cluster, told what no button of the page says. */
import type { Page } from 'playwright-core';

/** A run of a page ends after so long without an act, virtual milliseconds. */
const END_MS = 600_000;

/** Call it before the page starts its cluster: keeps the worker for `passToEnd`. */
export async function keepWorker(page: Page): Promise<void> {
  await page.evaluate(`globalThis.Worker = class extends Worker {
    constructor(...args) { super(...args); globalThis.keptWorker = this; }
  }`);
}

/** Lets time pass in the cluster until its run has ended. */
export async function passToEnd(page: Page): Promise<void> {
  await page.evaluate(`keptWorker.postMessage({ kind: 'step', by: ${END_MS} })`);
}
