/**
 * Holds what the commands of a page print against what the page shows; with CONDUCTOR_DOCS_RECORD=1
 * (`npm run docs:record`) writes it down instead, where the page takes it from.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readRecordings, recordingsPath } from '../../site/engine/generated/recorded-outputs.ts';
import { SWITCH_FILE, type SwitchTimes } from '../../site/engine/generated/conductor-blue-green.ts';
import { shapeOf } from './shape.ts';

const isRecording = process.env['CONDUCTOR_DOCS_RECORD'] === '1';
const SWITCH_SOURCE =
  'Measured by tests/pages/op-conductor-deployments.process.test.ts while the commands of the page moved sequencing; npm run docs:record writes this file.';
const SOURCE = 'Printed by the commands of the page in the tests of tests/pages; npm run docs:record writes this file.';

/** Fails when the page shows something of another shape than was printed. */
export function checkOutput(
  page: string,
  name: string,
  output: { readonly printed: string; readonly shown: string },
): void {
  if (isRecording) record(page, name, output.printed);
  else
    expect(shapeOf(output.printed), `${name} printed something else than the page shows`).toBe(shapeOf(output.shown));
}

/** Keeps when sequencing moved, where the drawing of it takes its milliseconds from; does nothing unless recording. */
export function keepSwitchTimes(times: SwitchTimes): void {
  if (!isRecording) return;
  const kept = JSON.parse(readFileSync(SWITCH_FILE, 'utf8')) as SwitchTimes;
  // About as long as before: it stays, so that recording again changes nothing.
  if (times.gapMs <= 2 * kept.gapMs && kept.gapMs <= 2 * times.gapMs) return;
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(SWITCH_FILE, `${JSON.stringify({ source: SWITCH_SOURCE, date, ...times }, null, 2)}\n`);
}

function record(page: string, name: string, printed: string): void {
  const before = readRecordings(page).outputs;
  const text = printed.trimEnd();
  // What differs in nothing but hashes and numbers stays, so that recording again changes nothing.
  if (before[name] !== undefined && shapeOf(before[name]) === shapeOf(text)) return;
  const outputs = Object.fromEntries(
    Object.entries({ ...before, [name]: text }).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  );
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(recordingsPath(page), `${JSON.stringify({ source: SOURCE, date, outputs }, null, 2)}\n`);
}
