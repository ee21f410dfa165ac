/** What is told on the command line of `npm run histories`. */
import { parseArgs } from 'node:util';
import { CommandLineError } from '../options.ts';

export interface HistoriesOptions {
  readonly count: number;
  /** Seed of the first; the others follow it one by one. */
  readonly seed: number;
  /** No further one is begun after this many minutes; null for as long as it takes. */
  readonly minutes: number | null;
  /** Put aside rather than into bench/results. */
  readonly isTrial: boolean;
}

export const usage = `npm run histories -- [--count N] [--seed S] [--minutes M] [--trial]

Plays N histories (20): three or five conductors as processes, clients that commit and ask on all of them, and faults. What
the clients saw is judged by porcupine: a register per height, the set of acknowledged heads, one head. --seed is that of the
first (a fresh one without it), --minutes ends earlier, --trial keeps nothing. Exit code 1 when a law is broken or a history
could not be played, 2 when nothing can be judged here, with the reason.`;

const COUNT_DEFAULT = '20';
const SEED_MAX = 2 ** 32;

/** Parses the arguments, null for --help; throws CommandLineError for anything it does not know. */
export function parseHistoriesOptions(args: readonly string[]): HistoriesOptions | null {
  const { count, seed, minutes, trial, help } = parse(args);
  if (help) return null;
  return {
    count: whole('--count', count),
    seed: seed === undefined ? Math.floor(Math.random() * SEED_MAX) : whole('--seed', seed),
    minutes: minutes === undefined ? null : whole('--minutes', minutes),
    isTrial: trial,
  };
}

function whole(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new CommandLineError(`${name}=${text}: a whole number`);
  return Number(text);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        count: { type: 'string', default: COUNT_DEFAULT },
        seed: { type: 'string' },
        minutes: { type: 'string' },
        trial: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
