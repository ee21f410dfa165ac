/**
 * What a long soak of the simulator showed, from bench/results/simulator-soak.json: the merged report of its shards, and of each
 * run that broke a law whether it holds by now. Nobody types these numbers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generator } from './generator.ts';
import { code, grouped, table } from './mdx-text.ts';

const RESULTS_FILE = join(import.meta.dirname, '../../../bench/results/simulator-soak.json');

interface Kept {
  readonly at: string;
  /** Of the simulator that did the runs, and of the one that did those again that broke a law. */
  readonly commit: string;
  readonly againAt: string;
  readonly seed: number;
  readonly runs: number;
  readonly virtualSeconds: number;
  readonly published: number;
  readonly statesReached: number;
  readonly findings: readonly { readonly law: string; readonly run: string; readonly holdsNow: boolean }[];
}

/** A paragraph, and a table of the laws that were broken. */
export const soak: Generator = () => {
  const kept = JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Kept;
  const { findings, seed, commit, againAt } = kept;
  const laws = [...new Set(findings.map(({ law }) => law))].toSorted();
  const rows = laws.map((law) => {
    const broken = findings.filter((one) => one.law === law);
    return [code(law), String(broken.length), String(broken.filter(({ holdsNow }) => holdsNow).length)];
  });
  return [
    `**${grouped(kept.runs)} runs** of all kinds from seed ${seed}, ${kept.at.slice(0, 10)}, commit ${code(commit)}:`,
    `${grouped(kept.virtualSeconds)} seconds of virtual time, ${grouped(kept.published)} published blocks, ${grouped(kept.statesReached)} notable states.`,
    `${findings.length} runs broke a law; the last column counts those that hold at commit ${code(againAt)}.\n\n`,
    table(['Law', 'Broken in', 'Holds since in'], rows),
  ].join(' ');
};
