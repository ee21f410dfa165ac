/**
 * The read methods under k6: latency and rate as the caller sees them, and what a call costs the server, which
 * is the number that does not depend on how much processor k6 itself takes away.
 */
import { textTable } from '../../scripts/text-table.ts';
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { runDirectory } from '../directories.ts';
import { amountAt, type BenchOptions } from '../options.ts';
import { median } from '../statistics.ts';
import { Conductors, type ConductorProcess } from './conductors.ts';
import { runK6 } from './k6.ts';
import { pairedRatio } from './paired-ratio.ts';

const METHODS = ['conductor_leader', 'conductor_active', 'conductor_clusterMembership'] as const;
const USERS = [1, 16, 64] as const;
const NODES = 3;
const SECONDS = { full: 5, quick: 2 };
const WARM_UP_SECONDS = 2;

export interface ReadMeasured {
  readonly side: Implementation;
  readonly round: number;
  readonly method: string;
  readonly users: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** User and system time of the server's process per call, microseconds. */
  readonly serverCpuMicros: number;
  readonly failedThresholds: readonly string[];
}

/** Measures every method and number of users on every side, `rounds` times in alternating order; prints a table. */
export async function benchReads(
  k6: string,
  sides: readonly Implementation[],
  rounds: number,
  options: BenchOptions,
): Promise<{ readonly method: object; readonly measured: readonly ReadMeasured[] }> {
  const seconds = amountAt(options, SECONDS);
  const measured: ReadMeasured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
      await using cluster = await Conductors.start({ side, count: NODES, parent: runDirectory() });
      await load(k6, cluster.leader, METHODS[0], 16, WARM_UP_SECONDS);
      for (const method of METHODS) {
        for (const users of USERS) {
          const one = { side, round, method, users, ...(await load(k6, cluster.leader, method, users, seconds)) };
          measured.push(one);
          console.log(`round ${round} ${side.padEnd(3)} ${method}, ${users} users: ${describe(one)}`);
        }
      }
    }
  }
  console.log(table(measured, sides));
  return { method: { seconds, methods: METHODS, users: USERS, nodes: NODES, client: 'k6' }, measured };
}

async function load(
  k6: string,
  server: ConductorProcess,
  method: string,
  users: number,
  seconds: number,
): Promise<Omit<ReadMeasured, 'side' | 'round' | 'method' | 'users'>> {
  const settings = {
    RPC_URL: `http://127.0.0.1:${server.rpcPort}/`,
    METHOD: method,
    VUS: String(users),
    DURATION: `${seconds}s`,
  };
  const cpuBefore = server.cpuMs();
  const { summary, failedThresholds } = await runK6(k6, 'reads.ts', settings, runDirectory());
  const cpuMs = server.cpuMs() - cpuBefore;
  const { count = 0, rate = 0 } = summary.metrics['http_reqs']?.values ?? {};
  const times = summary.metrics['http_req_duration']?.values ?? {};
  return {
    perSecond: rate,
    p50Ms: times['med'] ?? Number.NaN,
    p95Ms: times['p(95)'] ?? Number.NaN,
    p99Ms: times['p(99)'] ?? Number.NaN,
    serverCpuMicros: (cpuMs * 1000) / count,
    failedThresholds,
  };
}

function describe(one: ReadMeasured): string {
  const times = `p50 ${one.p50Ms.toFixed(2)} p95 ${one.p95Ms.toFixed(2)} p99 ${one.p99Ms.toFixed(2)} ms`;
  const failed = one.failedThresholds.length > 0 ? `, MISSED: ${one.failedThresholds.join(', ')}` : '';
  return `${one.perSecond.toFixed(0)}/s, ${times}, server CPU ${one.serverCpuMicros.toFixed(0)} µs per call${failed}`;
}

function table(measured: readonly ReadMeasured[], sides: readonly Implementation[]): string {
  const rows = [
    ['reads', 'users', 'side', 'per second', 'p50 ms', 'p95 ms', 'p99 ms', 'server CPU µs', 'CPU ratio to Go (range)'],
  ];
  for (const method of METHODS) {
    for (const users of USERS) {
      const of = (side: Implementation): ReadMeasured[] =>
        measured.filter((one) => one.side === side && one.method === method && one.users === users);
      for (const side of sides) {
        const value = (pick: (one: ReadMeasured) => number, digits: number): string =>
          median(of(side).map(pick)).toFixed(digits);
        rows.push([
          method,
          String(users),
          side,
          value((one) => one.perSecond, 0),
          value((one) => one.p50Ms, 2),
          value((one) => one.p95Ms, 2),
          value((one) => one.p99Ms, 2),
          value((one) => one.serverCpuMicros, 1),
          side === 'bun' && sides.length === 2 ? pairedRatio(of('bun'), of('go'), (one) => one.serverCpuMicros) : '',
        ]);
      }
    }
  }
  return ['', ...textTable(rows, (column) => column === 1 || column > 2), ''].join('\n');
}
