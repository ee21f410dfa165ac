/**
 * `bun bench/main.ts detection`: needless elections per hour of virtual time under loss, jitter, long ways, starved
 * processors and slow disks, with learned election timeouts, with the flags' own times, and with hashicorp's; and how soon each
 * replaces a leader that falls silent. The same seeds for all. The column 'hashicorp' is this core with Go's timers, not Go's
 * raft: its servers do nothing while they write, where Go's goroutines send heartbeats and answer them, so that of slow disks it
 * says nothing about Go's.
 */
import { hardships, needlessElections, type Timers } from '#conductor/core/raft/testing/hardship';
import { detectionMs, silences, type Silence } from '#conductor/core/raft/testing/silence';
import { textRow } from '../scripts/text-table.ts';
import { amountAt, type BenchRun } from './options.ts';
import { writeResults } from './results.ts';
import { summarize, type Summary } from './statistics.ts';

const TIMERS: readonly Timers[] = ['learned', 'fixed', 'hashicorp'];
const HOUR_MS = 3_600_000;
/** Minutes of virtual time under each hardship, in runs of so many. */
const MINUTES = { full: 600, quick: 20 };
const RUN_MINUTES = 20;
const SILENCES = { full: 200, quick: 10 };
/** Of the columns: what is measured, and each of the timers. */
const WIDTHS = [47, 11, 11, 11];

export interface HardshipRow {
  readonly hardship: string;
  /** Elections by the timers' name. */
  readonly perHour: Readonly<Record<Timers, number>>;
}

export interface SilenceRow {
  readonly silence: string;
  /** Milliseconds from the silence to another leader. */
  readonly detectionMs: Readonly<Record<Timers, Summary>>;
}

export async function benchDetection(options: BenchRun): Promise<void> {
  const runs = Math.max(1, Math.round(amountAt(options, MINUTES) / RUN_MINUTES));
  const elections: HardshipRow[] = [];
  console.log(line('needless elections per hour'));
  for (const hardship of hardships) {
    const perHour = await forAll(async (timers) => {
      let count = 0;
      for (let seed = 1; seed <= runs; seed++)
        count += await needlessElections(hardship, { timers, seed, ms: RUN_MINUTES * 60_000 });
      return (count * HOUR_MS) / (runs * RUN_MINUTES * 60_000);
    });
    elections.push({ hardship: hardship.name, perHour });
    console.log(line(hardship.name, (timers) => perHour[timers].toFixed(1)));
  }
  const rounds = amountAt(options, SILENCES);
  const detections: SilenceRow[] = [];
  console.log(line('ms to another leader, median and longest'));
  for (const silence of Object.keys(silences) as Silence[]) {
    const times = await forAll(async (timers) => {
      const samples: number[] = [];
      for (let seed = 1; seed <= rounds; seed++) samples.push(await detectionMs(silence, { timers, seed }));
      return summarize(samples);
    });
    detections.push({ silence, detectionMs: times });
    console.log(line(silence, (timers) => `${Math.round(times[timers].p50)}, ${Math.round(times[timers].max)}`));
  }
  const method = {
    runs,
    runMinutes: RUN_MINUTES,
    rounds,
    servers: 3,
    hashicorp: 'this core with its timers; no heartbeats during writes',
  };
  writeResults(options, { name: 'detection', method, results: { elections, detections } });
}

async function forAll<T>(measure: (timers: Timers) => Promise<T>): Promise<Record<Timers, T>> {
  const measured: [Timers, T][] = [];
  for (const timers of TIMERS) measured.push([timers, await measure(timers)]);
  return Object.fromEntries(measured) as Record<Timers, T>;
}

function line(title: string, cell: (timers: Timers) => string = (timers) => timers): string {
  return textRow([title, ...TIMERS.map(cell)], WIDTHS, (column) => column > 0);
}
