/**
 * Runs and what they cost when they were recorded, as text that is read by people, too: a line with the run, and below it,
 * indented, one with its costs as "NAME VALUE, NAME VALUE".
 */
import type { Costs } from './meter.ts';

export interface RecordedRun {
  /** As a string that replays. */
  readonly run: string;
  readonly costs: Costs;
}

export function readRecorded(text: string): RecordedRun[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const runs: RecordedRun[] = [];
  for (let at = 0; at < lines.length; at += 2) runs.push({ run: lines[at]!, costs: costsOf(lines[at + 1] ?? '') });
  return runs;
}

export function recordedText(runs: readonly RecordedRun[]): string {
  return runs.map(({ run, costs }) => `${run}\n  ${textOf(costs)}\n`).join('');
}

function textOf(costs: Costs): string {
  return [...costs].map(([name, value]) => `${name} ${value}`).join(', ');
}

/** Throws RangeError for a line that is none. */
function costsOf(line: string): Costs {
  const parts = line.trim().split(', ');
  return new Map(
    parts.map((part): [string, number] => {
      const [, name, value] = /^(.+) (\d+)$/.exec(part) ?? [];
      if (name === undefined) throw new RangeError(`"${part}" is no cost`);
      return [name, Number(value)];
    }),
  );
}
