/**
 * What the commands of a page printed when they were last run for real (`npm run docs:record`). Pages show
 * these texts and nothing else; the process tests of tests/pages run every command again and compare.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generator } from './generator.ts';
import { fence } from './mdx-text.ts';

const DATA = join(import.meta.dirname, '../../../content/data');
/** Stands where a command was not run yet; the tests refuse it. */
export const NOT_RECORDED = '(not recorded yet: npm run docs:record)';

/** The file of recordings, content/data/<page>-outputs.json. */
export interface Recordings {
  /** How the outputs came about. */
  readonly source: string;
  /** ISO date of the last recording. */
  readonly date: string;
  /** By the name in `run="…"` on the command's fence. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Where the recordings of a page are kept; the page by the last part of its route. */
export function recordingsPath(page: string): string {
  return join(DATA, `${page}-outputs.json`);
}

/** Empty while nothing was recorded. */
export function readRecordings(page: string): Recordings {
  const path = recordingsPath(page);
  if (!existsSync(path)) return { source: '', date: '', outputs: {} };
  return JSON.parse(readFileSync(path, 'utf8')) as Recordings;
}

/** The block that shows what a command printed; '' for a command that prints nothing. */
export function outputFence(page: string, name: string): string {
  const text = readRecordings(page).outputs[name] ?? NOT_RECORDED;
  return text === '' ? '' : fence('text output', text.trimEnd());
}

/** `<Generated from="recorded/output" page="op-conductor" of="setup/switch" />` after the command of that name. */
export const recordedOutput: Generator = ({ page, of }) => {
  if (page === undefined || of === undefined) throw new Error('recorded/output needs page and of');
  return outputFence(page, of);
};
