/**
 * The drawing of a blue/green switch, with the milliseconds of a run in which the commands of the Conductor page moved
 * sequencing between two development sequencers: content/data/blue-green-run.json, which `npm run docs:record` writes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Generator } from './generator.ts';
import { fence } from './mdx-text.ts';

export const SWITCH_FILE = join(import.meta.dirname, '../../../content/data/blue-green-run.json');

/** Milliseconds after the last block of the server that stopped. */
export interface SwitchTimes {
  /** Until the other server's sequencer was started. */
  readonly startMs: number;
  /** Until that server published its first block. */
  readonly gapMs: number;
}

const schema = z.strictObject({
  source: z.string(),
  date: z.iso.date(),
  startMs: z.int().nonnegative(),
  gapMs: z.int().positive(),
});

export const blueGreenSwitch: Generator = () => {
  const { date, startMs, gapMs } = schema.parse(JSON.parse(readFileSync(SWITCH_FILE, 'utf8')));
  const lines = [
    'sequenceDiagram',
    'accTitle: A blue/green switch',
    'accDescr: A script stops the original and gets the hash of its last block, waits until the candidate has that block, and starts the candidate there. The candidate builds the next block.',
    'participant O as Original',
    'participant S as Script',
    'participant C as Candidate',
    'O->>C: last block',
    'S->>O: admin_stopSequencer',
    'O-->>S: its hash',
    'S->>C: latest block?',
    'C-->>S: the same hash',
    'S->>C: admin_startSequencer',
    `Note over S,C: starts after ${startMs} ms`,
    'C->>O: next block',
    `Note over O,C: ${gapMs} ms between two blocks`,
  ];
  const note = `The times are those of a recorded run of the page's commands, of ${date}, counted from the last block of the original, at one block per second.`;
  return `${fence('mermaid', lines.join('\n'))}\n\n*${note}*`;
};
