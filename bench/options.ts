/** What is told on the command line of `npm run bench`, and how much work that asks for. */
import { parseArgs } from 'node:util';
import type { Implementation } from '../tests/cluster/node-process.ts';

export interface BenchOptions {
  /** The short form: same method, fewer and shorter measurements; its results are put aside. */
  readonly isQuick: boolean;
  /** From 0, as little as a quick run measures, to 1, everything; less than 1 only where --minutes asked for it. */
  readonly effort: number;
  /** Which sides to measure; both unless `--only=go` or `--only=bun`. */
  readonly sides: readonly Implementation[];
  /** `--rounds=N`: how many of each row *disagreement*, *gaps* (both at most their own number), *incidents* and *upstream* play; null for as many as the effort says. */
  readonly rounds: number | null;
  /** `--rows=WORDS`: a regular expression for the rows of *disagreement*, *gaps*, *incidents* and *upstream*; null for all. */
  readonly matching: string | null;
  /** `--keep`: results take the kept ones' place even where they say less. */
  readonly keepsAnyway: boolean;
}

/** What one benchmark is given: the command line's options, with what is known before it begins. */
export interface BenchRun extends BenchOptions {
  /** What is not measured that belongs to this benchmark, in sentences. */
  readonly leftOut: readonly string[];
  /** What is measured and with what, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface CommandLine {
  /** Benchmarks by name; none means all. */
  readonly names: readonly string[];
  readonly options: BenchOptions;
  /** Minutes that all benchmarks together may take, null for as long as they need. */
  readonly minutes: number | null;
  readonly wantsHelp: boolean;
}

/** Something on the command line is not known, or no value; the message says what. */
export class CommandLineError extends Error {
  readonly code = 'COMMAND_LINE';
}

/** Parses the arguments; throws CommandLineError for anything it does not know. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const { quick: isQuick, only, minutes, keep: keepsAnyway, rounds, rows } = values;
  if (only !== undefined && only !== 'go' && only !== 'bun') throw new CommandLineError(`--only=${only}: go or bun`);
  if (minutes !== undefined && !(Number(minutes) > 0))
    throw new CommandLineError(`--minutes=${minutes}: a number above 0`);
  if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds))
    throw new CommandLineError(`--rounds=${rounds}: a whole number`);
  return {
    names: positionals,
    options: {
      ...{ isQuick, effort: isQuick ? 0 : 1, sides: only === undefined ? ['go', 'bun'] : [only], keepsAnyway },
      ...{ rounds: rounds === undefined ? null : Number(rounds), matching: rows ?? null },
    },
    minutes: minutes === undefined ? null : Number(minutes),
    wantsHelp: values.help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        minutes: { type: 'string' },
        rounds: { type: 'string' },
        rows: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** How many of something to measure. */
export interface Amount {
  readonly full: number;
  readonly quick: number;
}

/** The amount at this effort, rounded to a whole number. */
export function amountAt({ effort }: Pick<BenchOptions, 'effort'>, { full, quick }: Amount): number {
  return Math.round(quick + (full - quick) * effort);
}

/** The effort at which benchmarks that take `full` and `quick` minutes fit into `minutes`, from 0 to 1. */
export function effortWithin(minutes: number, { full, quick }: Amount): number {
  if (full <= quick) return 1;
  return Math.min(Math.max((minutes - quick) / (full - quick), 0), 1);
}
