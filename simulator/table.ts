/**
 * What the laws have been held against, as data for the documentation: law × runs × events, from the same seeds
 * each time, so that whoever runs it again gets the same table.
 */
import { spendBudget } from './budget.ts';
import { usualKinds } from './fault-sets.ts';
import { laws, type LawName } from './oracles/laws.ts';
import { runKinds, type RunKind } from './run-kinds.ts';
import { sometimesNames, type SometimesName } from './sometimes.ts';

/** Laws that have nothing to say about most runs: a run counts when this happened in it. */
const conditions: Partial<Record<LawName, SometimesName>> = {
  availability: 'the availability of a run is judged',
  linearizableReads: 'a linearizable read is judged',
  overrideStandsAlone: 'an operator overrides the leader',
  overriddenStandsStill: 'an operator overrides the leader',
};

export interface SimulationTable {
  readonly command: string;
  readonly kinds: readonly {
    readonly kind: RunKind;
    readonly runs: number;
    readonly virtualSeconds: number;
    readonly publishedBlocks: number;
    /** Events handled by conductors. */
    readonly events: number;
  }[];
  /** `events`: how many of the things that a law looks at there were. */
  readonly laws: readonly { readonly law: LawName; readonly runs: number; readonly events: number }[];
  /** How often each fault and each sometimes-assertion happened. */
  readonly faults: Readonly<Record<string, number>>;
  readonly sometimes: Readonly<Record<string, number>>;
}

export interface TableOptions {
  /** Runs of each kind that have to count. */
  readonly runs: number;
  nowMs(): number;
  /** Told after every run how far it is: a line now and then is enough. */
  progressed?(line: string): void;
}

/** The table, or the story of the first run that broke a law. */
export function makeTable({ runs: count, nowMs, progressed }: TableOptions): SimulationTable | string {
  const kinds: SimulationTable['kinds'][number][] = [];
  const tallies = new Map<LawName, { runs: number; events: number }>();
  const sometimes = new Map<string, number>();
  for (const kind of Object.keys(runKinds) as RunKind[]) {
    let runs = 0;
    const report = spendBudget({
      runs: runKinds[kind],
      firstSeed: 1,
      count,
      nowMs,
      done: ({ judge }) => {
        runs++;
        progressed?.(`${kind}: ${runs} runs; ${count} have to count`);
        for (const [name, times] of judge.sometimes) sometimes.set(name, (sometimes.get(name) ?? 0) + times);
        for (const [law, events] of judge.tally()) {
          const condition = conditions[law];
          if (condition !== undefined && !judge.sometimes.has(condition)) continue;
          const known = tallies.get(law) ?? { runs: 0, events: 0 };
          tallies.set(law, { runs: known.runs + 1, events: known.events + events });
        }
      },
    });
    if (report.failure !== null) return report.failure;
    const virtualSeconds = Math.round(report.virtualMs / 1000);
    kinds.push({ kind, runs, virtualSeconds, publishedBlocks: report.published, events: report.handled });
  }
  const named = (names: readonly string[], key: (name: string) => string): Record<string, number> =>
    Object.fromEntries(names.map((name) => [name, sometimes.get(key(name)) ?? 0]));
  return {
    command: `npm run sim -- table --runs ${count}`,
    kinds,
    laws: (Object.keys(laws) as LawName[]).map((law) => ({ law, ...(tallies.get(law) ?? { runs: 0, events: 0 }) })),
    faults: named(usualKinds, (kind) => `event ${kind}`),
    sometimes: named(sometimesNames, (name) => name),
  };
}

/** The table for a terminal. */
export function tableText({ kinds, laws: rows }: SimulationTable): string {
  const lines = [
    ...kinds.map(
      ({ kind, runs, virtualSeconds, publishedBlocks }) =>
        `${kind.padEnd(12)} ${runs} runs, ${virtualSeconds} virtual seconds, ${publishedBlocks} blocks published`,
    ),
    '',
    `${'law'.padEnd(24)} ${'runs'.padStart(8)} ${'events'.padStart(12)}`,
    ...rows.map(
      ({ law, runs, events }) => `${law.padEnd(24)} ${String(runs).padStart(8)} ${String(events).padStart(12)}`,
    ),
  ];
  return lines.join('\n');
}
