/**
 * Traces as a collector has received them, span by span with its bar: content/data/conductor-traces.json, which
 * `CONDUCTOR_DOCS_RECORD=1` has the test of traces write. Nobody types their numbers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generator } from './generator.ts';
import { fence } from './mdx-text.ts';

const FILE = join(import.meta.dirname, '../../../content/data/conductor-traces.json');
/** Columns of the names and of the bars; a line then fits the column of text. */
const nameColumns = 36;
const barColumns = 24;

/** A span as it was received; milliseconds, `startMs` since its trace began. */
export interface KeptSpan {
  readonly name: string;
  readonly startMs: number;
  readonly ms: number;
  readonly children: readonly KeptSpan[];
}

interface Kept {
  readonly traces: Readonly<Record<string, KeptSpan>>;
}

/** Attribute `of`: `commit` or `failover`. */
export const conductorTrace: Generator = ({ of = '' }) => {
  const { traces } = JSON.parse(readFileSync(FILE, 'utf8')) as Kept;
  const trace = traces[of];
  if (trace === undefined) throw new Error(`conductor/trace: of must be one of ${Object.keys(traces).join(', ')}`);
  return fence('text output', drawTrace(trace));
};

/** A line for each span: its name by depth, how long it took, and where in the whole it lies. */
export function drawTrace(root: KeptSpan): string {
  const totalMs = Math.max(...spansOf(root).map(({ startMs, ms }) => startMs + ms), Number.MIN_VALUE);
  const lines = (span: KeptSpan, depth: number): string[] => {
    const name = `${'  '.repeat(depth)}${span.name}`.padEnd(nameColumns);
    const bar = barOf(span.startMs / totalMs, span.ms / totalMs);
    return [
      `${name} ${span.ms.toFixed(1).padStart(7)} ms  ${bar}`.trimEnd(),
      ...span.children.flatMap((child) => lines(child, depth + 1)),
    ];
  };
  return lines(root, 0).join('\n');
}

/** A bar of at least one column, at its place. */
function barOf(from: number, part: number): string {
  const begin = Math.min(Math.round(from * barColumns), barColumns - 1);
  const length = Math.min(Math.max(1, Math.round(part * barColumns)), barColumns - begin);
  return ' '.repeat(begin) + '█'.repeat(length);
}

function spansOf(span: KeptSpan): KeptSpan[] {
  return [span, ...span.children.flatMap(spansOf)];
}
