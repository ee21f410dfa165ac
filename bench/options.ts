/** What every benchmark is told on the command line. */
import { parseArgs } from 'node:util';
import type { Implementation } from '../tests/cluster/node-process.ts';

export interface BenchOptions {
  /** The short form: same method, fewer and shorter measurements. */
  readonly isQuick: boolean;
  /** Which sides to measure; both unless `--only=go` or `--only=bun`. */
  readonly sides: readonly Implementation[];
}

/** Parses what follows the benchmark's name; throws on anything unknown. */
export function parseOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  if (values.only !== undefined && values.only !== 'go' && values.only !== 'bun')
    throw new Error(`--only=${values.only}: go or bun`);
  return { isQuick: values.quick, sides: values.only === undefined ? ['go', 'bun'] : [values.only] };
}
