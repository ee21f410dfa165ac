/**
 * `npm run bench -- realnet`: the same leader's death and transfer as on development sequencers, with op-node and
 * op-geth in their place, on nets of three of ours and of three op-conductors in turn. Skipped, with the reason, where
 * the programs of the OP Stack can neither be found nor built.
 */
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { harms } from '../../tests/cluster/service-harms.ts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import type { ResultRow } from '../gaps/gaps.ts';
import type { Sample } from '../gaps/rounds.ts';
import { needOpStack } from '../op-stack.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { runDirectory } from '../directories.ts';
import { writeResults } from '../results.ts';
import { conductorCommand } from '../rpc/conductors.ts';
import { summarize } from '../statistics.ts';
import { HeadWatch } from './head-watch.ts';
import { RealNet } from './real-net.ts';
import type { RealNode } from './real-node.ts';

/** Rounds of each kind per side. */
const ROUNDS = { full: 6, quick: 2 };
const PASSES = { full: 2, quick: 1 };
const SLOT_MS = 1000;
const ROUND_MS_MAX = 30_000;
const LOOK_EVERY_MS = 3;
/** Blocks after the harm that end a round. */
const BLOCKS_AFTER = 3;

interface Move {
  readonly title: string;
  readonly inflict: (leader: RealNode, target: RealNode) => Promise<unknown>;
}

const moves: readonly Move[] = [
  { title: harms.conductorKilled.title, inflict: (leader) => leader.conductor.kill() },
  {
    title: harms.transferred.title,
    inflict: (leader, target) =>
      leader.callConductor('conductor_transferLeaderToServer', [target.id, target.raftAddress]),
  },
];

export async function benchRealNet(options: BenchRun): Promise<void> {
  const geth = await needOpStack('op-geth');
  const opNode = await needOpStack('op-node');
  const missing = [geth, opNode].find((found) => 'missing' in found);
  if (missing !== undefined && 'missing' in missing) return console.log(`skipped the real net: ${missing.missing}`);
  const programs = { geth: pathOf(geth), opNode: pathOf(opNode) };
  const random = Seeded.announced('realnet');
  const passes = amountAt(options, PASSES);
  const rounds = Math.ceil(amountAt(options, ROUNDS) / passes);
  const rows = moves.flatMap(({ title }) =>
    options.sides.map((side) => ({ harm: title, side, samples: [] as Sample[] })),
  );
  for (let pass = 0; pass < passes; pass += 1) {
    for (const side of pass % 2 === 0 ? options.sides : options.sides.toReversed()) {
      const samples = await playPass(side, programs, rounds, random);
      for (const row of rows) if (row.side === side) row.samples.push(...(samples.get(row.harm) ?? []));
    }
  }
  const results = rows.map((row) => resultOf(row));
  for (const { harm, side, samples } of results) console.log(describe(harm, side, samples));
  const method = { seed: random.seed, passes, rounds, slotMs: SLOT_MS };
  writeResults(options, { name: 'realnet', method, results });
}

/** Both moves, `rounds` times each, on a fresh net. */
async function playPass(
  side: Implementation,
  programs: { readonly geth: string; readonly opNode: string },
  rounds: number,
  random: Seeded,
): Promise<Map<string, Sample[]>> {
  const found = conductorCommand(side);
  if ('missing' in found) throw new Error(found.missing);
  console.log(`${side}: starting an L1, three op-geths, three op-nodes and three conductors …`);
  await using net = await RealNet.start({ ...programs, conductor: found.command, parent: runDirectory() });
  const samples = new Map<string, Sample[]>(moves.map(({ title }) => [title, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const move of moves) {
      const sample = await playRound(net, move, random);
      samples.get(move.title)?.push(sample);
      console.log(
        `${side} ${move.title}: another started after ${sample.startMs ?? '–'} ms, longest gap ${sample.gapMs} ms`,
      );
    }
  }
  return samples;
}

async function playRound(net: RealNet, { inflict }: Move, random: Seeded): Promise<Sample> {
  const leader = await net.steady();
  const others = net.others(leader);
  const watch = new HeadWatch(others);
  try {
    await pause(random.between(SLOT_MS, 2 * SLOT_MS));
    const sinceMs = performance.now();
    const inflicted = inflict(leader, others[0] as RealNode);
    const startedMs = await firstStart(others);
    await inflicted;
    const isPublishing = await waitFor('blocks after it', ROUND_MS_MAX, () =>
      watch.countSince(startedMs ?? performance.now()) >= BLOCKS_AFTER ? true : null,
    ).catch(() => false);
    const gapMs = isPublishing ? Math.round(watch.longestGapMs(sinceMs)) : ROUND_MS_MAX;
    if (leader.conductor.isDown) leader.startConductor('again');
    return { gapMs, startMs: startedMs === null ? null : Math.round(startedMs - sinceMs), broken: [] };
  } finally {
    await watch.stop();
  }
}

/** When the op-node of any of them sequenced first; null when none did in time. */
async function firstStart(nodes: readonly RealNode[]): Promise<number | null> {
  const deadlineMs = performance.now() + ROUND_MS_MAX;
  for (; performance.now() < deadlineMs; await pause(LOOK_EVERY_MS)) {
    const active = await Promise.all(nodes.map((node) => node.callNode('admin_sequencerActive').catch(() => false)));
    if (active.includes(true)) return performance.now();
  }
  return null;
}

function resultOf({ harm, side, samples }: { harm: string; side: Implementation; samples: Sample[] }): ResultRow {
  const summary = summarize(samples.map(({ startMs }) => startMs ?? ROUND_MS_MAX));
  return { harm, side, measure: 'start', limitMs: ROUND_MS_MAX, share: 1, summary, samples };
}

function describe(harm: string, side: string, samples: readonly Sample[]): string {
  const of = (values: readonly number[]): string => {
    const { min, p50, max } = summarize(values);
    return `${min}/${p50}/${max}`;
  };
  const starts = of(samples.map(({ startMs }) => startMs ?? ROUND_MS_MAX));
  return `${harm}, ${side}: ${samples.length} rounds, ms min/median/max: start ${starts}, gap ${of(samples.map(({ gapMs }) => gapMs))}`;
}

function pathOf(found: Awaited<ReturnType<typeof needOpStack>>): string {
  return 'path' in found ? found.path : '';
}
