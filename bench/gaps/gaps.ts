/**
 * `bun bench/main.ts gaps`: how long a service of three publishes nothing after each harm to its leader,
 * all ours; and, where there is an op-conductor, all op-conductors and both together.
 */
import { textRow } from '../../scripts/text-table.ts';
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { keptBeside, leftOutOf, merged } from '../partial.ts';
import { writeResults } from '../results.ts';
import { summarize, type Summary } from '../statistics.ts';
import { goals, HEARTBEAT_TIMEOUT_MS, SETTINGS, SLOT_MS, type Goal, type Measure } from './goals.ts';
import { playRounds, ROUND_MS_MAX, type Sample } from './rounds.ts';

/** A cluster by what runs in it; a mixed one has a single op-conductor among the survivors. */
const sides: Readonly<Record<'bun' | 'go' | 'mixed', readonly Implementation[]>> = {
  bun: ['bun', 'bun', 'bun'],
  go: ['go', 'go', 'go'],
  mixed: ['bun', 'bun', 'go'],
};
type Side = keyof typeof sides;

/** Rounds of op-conductors and mixed clusters per harm; their failovers take seconds. */
const COMPARED_ROUNDS = { full: 12, quick: 2 };
/** The compared sides alternate in this many passes. */
const PASSES = 2;
/** Medians of so few rounds, of timeouts drawn at random, differ by this factor without a reason. */
const MEDIAN_NOISE = 1.1;

/** One harm on one side, as it is kept. */
export interface ResultRow {
  readonly harm: string;
  readonly side: Side;
  readonly measure: Measure;
  readonly limitMs: number;
  readonly share: number;
  readonly summary: Summary;
  readonly samples: readonly Sample[];
}

interface Row {
  readonly goal: Goal;
  readonly side: Side;
  readonly samples: Sample[];
}

export async function benchGaps(options: BenchRun): Promise<void> {
  const random = Seeded.announced('gaps');
  const hasOther = options.sides.includes('go');
  const rows: Row[] = [];
  const matching = options.matching === null ? null : new RegExp(options.matching, 'i');
  console.log(HEADER);
  for (const goal of goals) {
    if (matching !== null && !matching.test(goal.harm.title)) continue;
    const isCompared = hasOther && goal.isCompared;
    const ofGoal: Row[] = (isCompared ? (['bun', 'go', 'mixed'] as const) : (['bun'] as const)).map((side) => ({
      goal,
      side,
      samples: [],
    }));
    for (let pass = 0; pass < PASSES; pass += 1) {
      for (const row of pass % 2 === 0 ? ofGoal : ofGoal.toReversed()) {
        const rounds = row.side === 'bun' ? goal.rounds : COMPARED_ROUNDS;
        const count = Math.ceil(Math.min(options.rounds ?? Infinity, amountAt(options, rounds)) / PASSES);
        row.samples.push(...(await playRounds({ implementations: sides[row.side], ...goal, count, random })));
      }
    }
    for (const row of ofGoal) console.log(describe(row, ofGoal));
    rows.push(...ofGoal);
  }
  const method = {
    seed: random.seed,
    slotMs: SLOT_MS,
    heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS,
    ...SETTINGS,
    roundMsMax: ROUND_MS_MAX,
    passes: PASSES,
  };
  const leftOut = leftOutOf(options, { one: 'harm', many: 'harms' });
  const measured = rows.map(resultOf);
  const results = merged(keptBeside<ResultRow>(options, 'gaps'), measured, ({ harm, side }) => `${side} ${harm}`);
  writeResults({ ...options, leftOut }, { name: 'gaps', method, results });
}

const WIDTHS = [46, 5, 6, 6, 6, 6, 6];
const HEADER = line(['ms, harm', 'side', 'rounds', 'min', 'p50', 'p99', 'max', 'verdict']);

function line(cells: readonly (string | number)[]): string {
  return textRow(cells.map(String), WIDTHS, (column) => column > 0);
}

/** The measured times of a row; a round without a start counts as the longest. */
function timesOf({ goal, samples }: Row): number[] {
  return samples.map((sample) => (goal.measure === 'gap' ? sample.gapMs : (sample.startMs ?? ROUND_MS_MAX)));
}

function describe(row: Row, ofGoal: readonly Row[]): string {
  const { min, p50, p99, max } = summarize(timesOf(row));
  const what = `${row.goal.harm.title} (${row.goal.measure})`;
  const times = [min, p50, p99, max].map((ms) => Math.round(ms));
  return line([what, row.side, row.samples.length, ...times, verdictOf(row, ofGoal)]);
}

function verdictOf(row: Row, ofGoal: readonly Row[]): string {
  const broken = row.samples.flatMap((sample) => sample.broken);
  if (broken.length > 0) return `BROKEN: ${broken[0] ?? ''}`;
  if (row.side === 'go') return '';
  const times = timesOf(row);
  if (row.side === 'bun') {
    const { limitMs, share, gapMaxMs = ROUND_MS_MAX } = row.goal;
    const within = times.filter((ms) => ms <= limitMs).length;
    const longestGapMs = Math.max(...row.samples.map(({ gapMs }) => gapMs));
    const isMet = within >= Math.floor(share * times.length) && longestGapMs <= gapMaxMs;
    const gap = row.goal.gapMaxMs === undefined ? '' : `, longest gap ${longestGapMs} of ${gapMaxMs}`;
    return `${isMet ? 'pass' : 'FAIL'}: ${within} of ${times.length} within ${limitMs}${gap}`;
  }
  const go = ofGoal.find(({ side }) => side === 'go');
  const theirs = summarize(go === undefined ? [] : timesOf(go)).p50;
  const ours = summarize(times).p50;
  return `${ours <= theirs * MEDIAN_NOISE ? 'pass' : 'FAIL'}: median ${Math.round(ours)} beside ${Math.round(theirs)}`;
}

function resultOf(row: Row): ResultRow {
  const { goal, side, samples } = row;
  return {
    harm: goal.harm.title,
    side,
    measure: goal.measure,
    limitMs: goal.limitMs,
    share: goal.share,
    summary: summarize(timesOf(row)),
    samples,
  };
}
