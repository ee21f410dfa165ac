/**
 * Public incidents: how long the chain stood when they were done to op-conductors and to conductors of this software, from
 * bench/results/incidents.json (`npm run bench -- incidents`), and links that play them in the simulator. Nobody types these numbers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { doneForReal, incidents, runTextOf, type IncidentId } from '#simulator/incidents';
import type { Generator } from './generator.ts';
import { code, table } from './mdx-text.ts';

const RESULTS_FILE = join(import.meta.dirname, '../../../bench/results/incidents.json');
/** The page with the cluster that plays runs. */
const CLUSTER = '/builders/chain-operators/tools/op-conductor';

interface Row {
  readonly id: IncidentId;
  readonly on: 'service' | 'net';
  readonly side: 'bun' | 'go';
  readonly measure: 'gap' | 'two-started';
  readonly at: string;
  readonly samples: readonly { readonly ms: number | null; readonly faults: readonly string[] }[];
}

const ids = Object.keys(incidents) as IncidentId[];

function readRows(): readonly Row[] {
  if (!existsSync(RESULTS_FILE)) return [];
  return (JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as { readonly results: readonly Row[] }).results;
}

/** All of them: what is done, and what both sides made of it. */
const overview: Generator = () => {
  const rows = readRows();
  const lines = ids.map((id) => {
    const of = (side: Row['side']): Row | undefined => rows.find((row) => row.id === id && row.side === side);
    const title = `${incidents[id].title} ${code(id)}`;
    return [title, timeOf(of('go')), timeOf(of('bun')), `[play](${playOf(id)})`];
  });
  const header = ['Incident', 'op-conductor v1.19.6', 'Conductor', 'Simulated'];
  const days = [...new Set(rows.map(({ at }) => at.slice(0, 10)))].toSorted();
  const measured = days.length === 0 ? 'not measured yet' : days.join(', ');
  return `${table(header, lines)}\n\nMade by ${code('npm run bench -- incidents')}, ${measured}. The table has the longest time between two blocks in all rounds, at one block per second, so 1.0 s is normal. “Stands” means that there was no block within 30 seconds.`;
};

/** Attribute `of`: one incident. What was done to real processes, what came of it, and the link that plays it. */
const result: Generator = ({ of = '' }) => {
  const id = ids.find((one) => one === of);
  if (id === undefined) throw new Error(`incidents/result: of must be one of ${ids.join(', ')}`);
  const play = `[Play it](${playOf(id)}) in the simulated cluster.`;
  const rows = readRows().filter((row) => row.id === id);
  const [first] = rows;
  if (first === undefined) return `This was not tried with real processes. ${play}`;
  const where = first.on === 'net' ? 'With real op-nodes and op-geths' : 'With development sequencers';
  const measure =
    first.measure === 'gap' ? 'the longest time between two blocks is' : 'the time with two active sequencers is';
  const times = rows.map((row) => `**${timeOf(row)}** with ${row.side === 'go' ? 'op-conductor' : 'Conductor'}`);
  return `${where} (${doneForReal[id] ?? incidents[id].title}) ${measure} ${times.join(' and ')}. ${play}`;
};

function playOf(id: IncidentId): string {
  return `${CLUSTER}#run=${runTextOf(id)}`;
}

/** The worst of all rounds in words; with what else was broken. */
function timeOf(row: Row | undefined): string {
  if (row === undefined || row.samples.length === 0) return 'not tried';
  const { samples, measure } = row;
  const never = samples.filter(({ ms }) => ms === null).length;
  const worst = Math.max(...samples.map(({ ms }) => ms ?? 0));
  const of = never === samples.length ? '' : ` in ${never} of ${samples.length} rounds`;
  const time = never > 0 ? `${measure === 'gap' ? 'stands' : 'for good'}${of}` : `${(worst / 1000).toFixed(1)} s`;
  const faults = samples.filter((sample) => sample.faults.length > 0).length;
  return faults === 0 ? time : `${time}, and two blocks at one height in ${faults} of ${samples.length} rounds`;
}

export const incidentGenerators: Readonly<Record<string, Generator>> = {
  'incidents/overview': overview,
  'incidents/result': result,
};
