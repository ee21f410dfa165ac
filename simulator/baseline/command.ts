/** `npm run sim -- baseline`: whether recorded runs still cost what they did; and records them again, or more of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFromText, runToText } from '../run-value.ts';
import { differences, differenceText } from './compare.ts';
import { measure } from './measure.ts';
import { readRecorded, recordedText, type RecordedRun } from './recorded.ts';

const file = join(import.meta.dirname, 'recorded.txt');
const SHOWN_MAX = 5;

export interface BaselineOrder {
  /** Keeps what the runs cost now. */
  readonly mustWrite: boolean;
  /** Runs to record, too. */
  readonly added: readonly string[];
  readonly print: (line: string) => void;
}

/** The recorded runs, as they are on disk. */
export function loadRecorded(): RecordedRun[] {
  return readRecorded(readFileSync(file, 'utf8'));
}

/** Whether all runs hold every law at their recorded costs, or were written. Throws RunTextError for an added text that is none. */
export function baseline({ mustWrite, added, print }: BaselineOrder): boolean {
  const recorded = loadRecorded();
  const known = new Set(recorded.map(({ run }) => run));
  const more = added.map((text) => runToText(runFromText(text))).filter((text) => !known.has(text));
  const now: RecordedRun[] = [];
  let differing = 0;
  let broken = 0;
  for (const [at, { run, costs: was }] of [
    ...recorded,
    ...more.map((text) => ({ run: text, costs: null })),
  ].entries()) {
    const { report, costs } = measure(runFromText(run));
    now.push({ run, costs });
    const found = was === null ? [] : differences(was, costs);
    const { violation } = report;
    if (violation !== null) print(`${run}\n  breaks ${violation.law}: ${violation.message}`);
    if (found.length > 0)
      print([run, ...found.slice(0, SHOWN_MAX).map((one) => `  ${differenceText(one)}`)].join('\n'));
    broken += violation === null ? 0 : 1;
    differing += found.length > 0 ? 1 : 0;
    if ((at + 1) % 50 === 0) print(`${at + 1} of ${recorded.length + more.length} runs`);
  }
  if (mustWrite && broken === 0) writeFileSync(file, recordedText(now));
  print(
    `${now.length} runs: ${broken} break a law, ${differing} cost other than recorded${mustWrite && broken === 0 ? '; recorded anew' : ''}`,
  );
  return broken === 0 && (mustWrite || differing === 0);
}
