/**
 * What `npm run histories` showed, from bench/results/histories.json: how many histories of real processes a checker that
 * is not ours has judged, with their seeds. Nobody types these numbers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generator } from './generator.ts';
import { code, grouped, table } from './mdx-text.ts';

const RESULTS_FILE = join(import.meta.dirname, '../../../bench/results/histories.json');

interface Kept {
  readonly at: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly results: {
    readonly histories: number;
    readonly ofFive: number;
    readonly calls: number;
    readonly acknowledged: number;
    readonly refused: number;
    readonly unknown: number;
    readonly reads: number;
    readonly faults: Readonly<Record<string, number>>;
    readonly notKept: Readonly<Record<string, number>>;
    readonly unplayed: readonly unknown[];
    readonly seeds: readonly (readonly [number, number])[];
  };
}

/** What each law of the judge says; a law without a sentence cannot be shown. */
const LAWS: Readonly<Record<string, string>> = {
  'register-per-height': 'The block at a height never changes; a refused commit wrote nothing.',
  'acknowledged-heads': 'A block whose commit was answered with success stays on the chain.',
  'one-head': 'There is one head: a commit adds the next block to it, and no caller is told an older head.',
};
const FAULTS: Readonly<Record<string, string>> = {
  kill: 'kill −9 and restart',
  freeze: 'SIGSTOP and SIGCONT',
  cut: 'cut off both ways',
  deafen: 'receives nothing from the others',
  mute: 'the others receive nothing from it',
  disk: 'full disk',
  reboot: 'restart with a different monotonic clock',
  transfer: 'leadership transferred',
};

/** A paragraph and two tables. */
export const histories: Generator = () => {
  const { at, versions, results } = JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Kept;
  const { histories: count, ofFive, calls, acknowledged, refused, unknown, reads, unplayed, seeds } = results;
  const laws = Object.entries(results.notKept).map(([law, times]) => [
    `${sentenceOf(LAWS, law)} ${code(law)}`,
    String(count - times),
    String(times),
  ]);
  const faults = Object.entries(results.faults).map(([fault, times]) => [sentenceOf(FAULTS, fault), String(times)]);
  const rows = seeds.map(([first, last]) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
  return [
    `**${count} histories**, ${ofFive} of them of five servers: ${grouped(calls)} calls, of which ${grouped(acknowledged)} committed a block,`,
    `${grouped(refused)} were refused, ${grouped(unknown)} had no answer, and ${grouped(reads)} reads were answered.`,
    `${unplayed.length === 0 ? 'All were' : `${unplayed.length} could not be`} run to their end. Seeds ${rows};`,
    `${at.slice(0, 10)}, commit ${code(versions['commit'] ?? 'unknown')}.\n\n${table(['Law', 'Kept in', 'Not kept or not decided in'], laws)}`,
    `\n\n${table(['Fault', 'Times'], faults)}`,
  ].join(' ');
};

function sentenceOf(sentences: Readonly<Record<string, string>>, name: string): string {
  const found = sentences[name];
  if (found === undefined) throw new Error(`histories.json has ${name}, for which simulation/histories has no words`);
  return found;
}
