/**
 * Drawings of what happens when a server fails or is upgraded, with the milliseconds of recorded runs: bench/results/gaps.json,
 * which `npm run bench -- gaps` writes. Nobody types their numbers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generator } from './generator.ts';
import { fence } from './mdx-text.ts';

const RESULTS_FILE = join(import.meta.dirname, '../../../bench/results/gaps.json');

interface Results {
  readonly at: string;
  readonly results: readonly {
    readonly harm: string;
    readonly side: string;
    readonly samples: readonly { readonly gapMs: number; readonly startMs?: number | null }[];
  }[];
}

interface Drawing {
  /** As the benchmark names it. */
  readonly harm: string;
  readonly title: string;
  readonly description: string;
  /** Lines of the diagram; `{start}` and `{gap}` are the medians. */
  readonly lines: readonly string[];
}

const drawings: Readonly<Record<string, Drawing>> = {
  failover: {
    harm: "the leader's conductor is killed",
    title: 'Failover after a process died',
    description:
      'The conductor of the leader dies. Its connections close, a follower asks for votes, is elected, brings its sequencer to the committed head and starts it.',
    lines: [
      'participant A as Leader',
      'participant B as Next',
      'participant C as Third',
      'A->>A: dies',
      'A--xB: closed',
      'A--xC: closed',
      'B->>C: vote for me?',
      'C-->>B: yes',
      'B->>B: start',
      'Note over B,C: sequencer starts after {start} ms',
      'B->>C: next block',
      'Note over B,C: {gap} ms between two blocks',
    ],
  },
  'rolling-upgrade': {
    harm: 'every conductor is restarted in turn',
    title: 'A rolling upgrade',
    description:
      'Two followers are restarted, one after the other. The leader is told to end: it finishes its block, hands leadership over, stops its sequencer, and is restarted as a follower.',
    lines: [
      'participant A as Leader',
      'participant B as Next',
      'participant C as Third',
      'C->>C: restart',
      'B->>B: restart',
      'A->>A: SIGTERM',
      'A->>B: lead now',
      'B->>B: start',
      'B->>C: next block',
      'Note over B,C: longest gap {gap} ms',
      'A->>A: restart',
    ],
  },
};

/** Attribute `of`: `failover` or `rolling-upgrade`. */
export const conductorFailover: Generator = ({ of = '' }) => {
  const drawing = drawings[of];
  if (drawing === undefined)
    throw new Error(`conductor/drawing: of must be one of ${Object.keys(drawings).join(', ')}`);
  const { at, results } = JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results;
  const samples = (side: string): Results['results'][number]['samples'] => {
    const found = results.find((one) => one.harm === drawing.harm && one.side === side);
    if (found === undefined || found.samples.length === 0)
      throw new Error(`bench/results/gaps.json has no runs of ${side} in which ${drawing.harm}`);
    return found.samples;
  };
  const ours = samples('bun');
  const gap = (side: string): number => median(samples(side).map(({ gapMs }) => gapMs));
  const start = ours.flatMap(({ startMs }) => startMs ?? []);
  const values: Readonly<Record<string, number>> = {
    gap: gap('bun'),
    ...(start.length === 0 ? {} : { start: median(start) }),
  };
  const lines = [
    'sequenceDiagram',
    `accTitle: ${drawing.title}`,
    `accDescr: ${drawing.description}`,
    ...drawing.lines.map((line) => line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))),
  ];
  const note = `The times are medians of ${ours.length} recorded runs at one block per second, of ${at.slice(0, 10)}. op-conductor v1.19.6 on the same machine: ${gap('go')} ms between two blocks.`;
  return `${fence('mermaid', lines.join('\n'))}\n\n*${note}*`;
};

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)] as number);
}
