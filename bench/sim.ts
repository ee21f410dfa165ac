/**
 * `bun bench/main.ts sim`: virtual seconds per second of one core that the simulator carries out, for clusters of
 * three with blocks of a second under the usual mix of faults, every law judging. The runs are always the same.
 */
import fc from 'fast-check';
import { storm } from '#simulator/arbitrary';
import { execute } from '#simulator/run';
import { amountAt, type BenchRun } from './options.ts';
import { writeResults } from './results.ts';
import { median } from './statistics.ts';

const SERVERS = 3;
const SEED = 1;
const RUNS = { full: 150, quick: 30 };
const ROUNDS = 5;
/** Run once before anything is measured: code is compiled while it runs. */
const WARM_UP_RUNS = 20;

interface Round {
  readonly virtualSeconds: number;
  readonly wallSeconds: number;
  /** Of this process, collecting garbage on other cores included. */
  readonly processorSeconds: number;
}

export async function benchSimulator(options: BenchRun): Promise<void> {
  const count = amountAt(options, RUNS);
  const ofThree = storm.map((run) => ({ ...run, configuration: { ...run.configuration, servers: SERVERS } }));
  const runs = fc.sample(ofThree, { seed: SEED, numRuns: count });
  for (const run of runs.slice(0, WARM_UP_RUNS)) execute(run);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beganMs = performance.now();
    const before = process.cpuUsage();
    let virtualMs = 0;
    for (const run of runs) virtualMs += execute(run).virtualMs;
    const { user, system } = process.cpuUsage(before);
    const wallSeconds = (performance.now() - beganMs) / 1000;
    rounds.push({ virtualSeconds: virtualMs / 1000, wallSeconds, processorSeconds: (user + system) / 1e6 });
  }
  const rates = rounds.map(({ virtualSeconds, processorSeconds }) => virtualSeconds / processorSeconds);
  const wallRates = rounds.map(({ virtualSeconds, wallSeconds }) => virtualSeconds / wallSeconds);
  console.log(`${Math.round(median(rates))} virtual seconds per second of processor time (median of ${ROUNDS} rounds)`);
  console.log(`${Math.round(median(wallRates))} virtual seconds per second of the wall clock, on one core`);
  const method = { runs: count, seed: SEED, servers: SERVERS, blockSeconds: 1, rounds: ROUNDS };
  writeResults(options, { name: 'sim', method, results: rounds });
}
