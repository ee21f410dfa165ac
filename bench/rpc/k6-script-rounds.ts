/**
 * Rounds of a k6 script against whole clusters of both sides in alternating order: what the scripts that measure more
 * than single calls have in common. Each round has a fresh cluster; without k6 there is nothing but a sentence.
 */
import type { Implementation } from '../../tests/cluster/node-process.ts';
import type { BenchRun } from '../options.ts';
import { runDirectory } from '../directories.ts';
import { writeResults } from '../results.ts';
import { median } from '../statistics.ts';
import { Conductors, type ConductorsOptions } from './conductors.ts';
import { needK6, type K6Run } from './k6.ts';

const NODES = 3;

/** One round: numbers by name, and the thresholds that it missed. */
export interface ScriptMeasured {
  readonly side: Implementation;
  readonly round: number;
  readonly failedThresholds: readonly string[];
  readonly values: Readonly<Record<string, number>>;
}

export interface ScriptBenchmark {
  readonly name: string;
  readonly rounds: number;
  readonly sides: readonly Implementation[];
  readonly method: object;
  readonly flagsOf?: ConductorsOptions['flagsOf'];
  readonly play: (
    cluster: Conductors,
    k6: string,
    side: Implementation,
  ) => Promise<Omit<ScriptMeasured, 'side' | 'round'>>;
}

export async function benchScript(run: BenchRun, benchmark: ScriptBenchmark): Promise<void> {
  const { name, rounds, sides, method, flagsOf, play } = benchmark;
  const k6 = await needK6();
  if ('missing' in k6) return console.log(`skipped ${name}: ${k6.missing}`);
  const measured: ScriptMeasured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
      const options = { side, count: NODES, parent: runDirectory(), ...(flagsOf === undefined ? {} : { flagsOf }) };
      await using cluster = await Conductors.start(options);
      const one = { side, round, ...(await play(cluster, k6.path, side)) };
      measured.push(one);
      console.log(`round ${round} ${side.padEnd(3)} ${describe(one)}`);
    }
  }
  for (const side of sides) console.log(`${name}, ${side}, medians: ${describe(medians(measured, side))}`);
  const settings = { rounds, nodes: NODES, client: 'k6', ...method };
  writeResults(run, { name, method: settings, results: measured });
  if (measured.some((one) => one.side === 'bun' && one.failedThresholds.length > 0)) process.exitCode = 1;
}

/** A metric's value of k6's summary; NaN where it has none. */
export function valueOf({ summary }: K6Run, metric: string, value: string): number {
  return summary.metrics[metric]?.values[value] ?? Number.NaN;
}

function medians(measured: readonly ScriptMeasured[], side: Implementation): ScriptMeasured {
  const rounds = measured.filter((one) => one.side === side);
  const names = Object.keys(rounds[0]?.values ?? {});
  const values = Object.fromEntries(
    names.map((name) => [name, median(rounds.map((one) => one.values[name] ?? Number.NaN))]),
  );
  return { side, round: 0, failedThresholds: rounds.flatMap((one) => one.failedThresholds), values };
}

function describe({ values, failedThresholds }: ScriptMeasured): string {
  const numbers = Object.entries(values).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
  return `${numbers.join(', ')}${failedThresholds.length > 0 ? `, MISSED: ${failedThresholds.join(', ')}` : ''}`;
}
