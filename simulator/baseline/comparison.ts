/** Carries out recorded runs again, and tells which cost other than recorded. */
import { runFromText, runToText } from '../run-value.ts';
import { differences, differenceText, namesOf } from './differences.ts';
import { measure } from './measure.ts';
import type { RecordedRun } from './recorded.ts';

/** Differences of a run that are told, and runs between two lines of progress. */
const SHOWN_MAX = 5;
const PROGRESS_RUNS = 50;

export interface Comparison {
  /** All runs, with what they cost now. */
  readonly now: readonly RecordedRun[];
  /** So many break a law, and so many cost other than recorded. */
  readonly broken: number;
  readonly differing: number;
}

/** `added`: runs that are not recorded yet. Throws RunTextError for one of them that is none. */
export function compareRuns(
  recorded: readonly RecordedRun[],
  added: readonly string[],
  print: (line: string) => void,
): Comparison {
  const known = new Set(recorded.map(({ run }) => run));
  const more = added.map((text) => runToText(runFromText(text))).filter((text) => !known.has(text));
  const all = [...recorded, ...more.map((run) => ({ run, costs: null }))];
  const names = namesOf(recorded);
  const now: RecordedRun[] = [];
  let broken = 0;
  let differing = 0;
  for (const { run, costs: was } of all) {
    const { report, costs } = measure(runFromText(run));
    now.push({ run, costs });
    const { violation } = report;
    const found = was === null ? [] : differences(was, costs, names);
    if (violation !== null) print(`${run}\n  breaks ${violation.law}: ${violation.message}`);
    if (found.length > 0)
      print([run, ...found.slice(0, SHOWN_MAX).map((one) => `  ${differenceText(one)}`)].join('\n'));
    if (violation !== null) broken++;
    if (found.length > 0) differing++;
    if (now.length % PROGRESS_RUNS === 0) print(`${now.length} of ${all.length} runs`);
  }
  return { now, broken, differing };
}
