/**
 * `npm run bench -- incidents`: each public incident is done to op-conductors and to ours, in one run, and it is told for
 * how long the chain stood. The page on incidents has its table from what is kept.
 */
import type { IncidentId } from '#simulator/incidents';
import type { Implementation } from '../../tests/cluster/node-process.ts';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { keptBeside, merged } from '../partial.ts';
import { writeResults } from '../results.ts';
import { textTable } from '../../scripts/text-table.ts';
import { playOnNet } from './net.ts';
import type { Round, Sample } from './round.ts';
import { scenes, titleOf, type Measure, type Scene } from './scenes.ts';
import { playOnService } from './service.ts';

const ROUNDS = { full: 3, quick: 1 };

/** One incident on one side, as it is kept. */
export interface ResultRow {
  readonly id: IncidentId;
  readonly on: Scene['on'];
  readonly title: string;
  readonly side: Implementation;
  readonly measure: Measure;
  readonly at: string;
  readonly commit: string;
  readonly samples: readonly Sample[];
}

export async function benchIncidents(run: BenchRun): Promise<void> {
  const random = Seeded.announced('incidents');
  const rounds = run.rounds ?? amountAt(run, ROUNDS);
  const results: ResultRow[] = [];
  for (const scene of scenes.filter((one) => isWanted(run, one))) {
    for (const side of run.sides) {
      const samples = await play(scene, { side, rounds, random });
      if (samples === null) continue;
      const commit = run.versions['commit'] ?? 'unknown';
      const row = { id: scene.id, on: scene.on, title: titleOf(scene), side, measure: scene.measure, commit, samples };
      results.push({ ...row, at: new Date().toISOString() });
      console.log(cellsOf(results.at(-1) as ResultRow).join(' | '));
    }
  }
  console.log(tableOf(results));
  const leftOut = [...run.leftOut, ...(run.matching === null ? [] : [`only incidents that match ${run.matching}`])];
  const method = { seed: random.seed, rounds };
  const all = merged(keptBeside<ResultRow>(run, 'incidents'), results, ({ id, side }) => `${side} ${id}`);
  writeResults({ ...run, leftOut }, { name: 'incidents', method, results: all });
}

/** Null where the programs for it cannot be had here. */
function play(scene: Scene, round: Round): Promise<readonly Sample[] | null> {
  return scene.on === 'service' ? playOnService(scene, round) : playOnNet(scene, round);
}

function isWanted({ matching }: BenchRun, scene: Scene): boolean {
  return matching === null || new RegExp(matching).test(`${scene.id} ${titleOf(scene)}`);
}

function tableOf(results: readonly ResultRow[]): string {
  const header = ['incident', 'what is done', 'side', 'measure', 'rounds', 'worst, ms', 'faults'];
  return textTable([header, ...results.map(cellsOf)], (column) => column >= 4).join('\n');
}

function cellsOf({ id, title, side, measure, samples }: ResultRow): string[] {
  const worst = samples.some(({ ms }) => ms === null) ? 'never' : Math.max(...samples.map(({ ms }) => ms ?? 0));
  const faults = samples.flatMap((sample) => sample.faults);
  return [id, title, side, measure, String(samples.length), String(worst), faults[0] ?? ''];
}
