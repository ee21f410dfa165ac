/**
 * Measures the log store alone: commits of 256 B, 100 kB and batches of 8, with and without idle
 * moments. Each row runs in a process of its own on a fresh directory; the numbers are of the
 * median of three runs. Usage: bun bench/micro/store.ts [directory on the disk to measure]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textRow } from '../../scripts/text-table.ts';

const program = join(import.meta.dirname, '../../conductor/adapters/sqlite/testing/workload.ts');
const runsPerRow = 3;

/** Entries, bytes of each, entries per transaction, entries kept. */
const rows: readonly (readonly [entries: number, entryBytes: number, batch: number, keep: number])[] = [
  [5000, 256, 1, 1000],
  [16_000, 256, 8, 1000],
  [4000, 100_000, 1, 1000],
  [8000, 100_000, 8, 1000],
  [400, 1_000_000, 1, 100],
];

const titles = [
  ...['entry B', 'batch', 'idle', 'write p50', 'p99', 'max ms', 'maintain p99', 'max ms'],
  ...['entries/s', 'WAL MB', 'RSS MB', 'open ms'],
];
const widths = titles.map((title) => Math.max(title.length, 7));
const isNumber = (column: number): boolean => column !== 2;

interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The line that the workload program prints. */
interface Measurement {
  readonly write: Spread;
  readonly maintain: Spread;
  readonly totalMs: number;
  readonly databaseBytesMax: number;
  readonly walBytesMax: number;
  readonly residentBytes: number;
  readonly openMs: number;
}

function measure(
  parent: string,
  [entries, entryBytes, batch, keep]: (typeof rows)[number],
  maintain: boolean,
): Measurement {
  const directory = mkdtempSync(join(parent, 'conductor-bench-'));
  try {
    const workload = JSON.stringify({ directory, entries, entryBytes, batch, keep, compactEvery: keep, maintain });
    const outcome = Bun.spawnSync([process.execPath, program, workload], { stderr: 'inherit' });
    if (!outcome.success) throw new Error(`${program} ended with exit code ${outcome.exitCode}; see its message above`);
    return JSON.parse(outcome.stdout.toString()) as Measurement;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function main(parent: string): void {
  console.log(textRow(titles, widths, isNumber));
  for (const row of rows) {
    for (const maintain of [true, false]) {
      const runs = Array.from({ length: runsPerRow }, () => measure(parent, row, maintain));
      const median = (pick: (run: Measurement) => number): number =>
        runs.map(pick).toSorted((a, b) => a - b)[Math.floor(runsPerRow / 2)] ?? Number.NaN;
      const numbers = [
        median((run) => run.write.p50).toFixed(2),
        median((run) => run.write.p99).toFixed(2),
        median((run) => run.write.max).toFixed(2),
        median((run) => run.maintain.p99).toFixed(2),
        median((run) => run.maintain.max).toFixed(2),
        (row[0] / (median((run) => run.totalMs) / 1000)).toFixed(0),
        (median((run) => run.walBytesMax) / 1e6).toFixed(1),
        (median((run) => run.residentBytes) / 1e6).toFixed(0),
        median((run) => run.openMs).toFixed(1),
      ];
      const cells = [String(row[1]), String(row[2]), maintain ? 'yes' : 'no', ...numbers];
      console.log(textRow(cells, widths, isNumber));
    }
  }
}

if (import.meta.main) main(process.argv[2] ?? tmpdir());
