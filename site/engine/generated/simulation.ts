/**
 * What the simulator was run for, and what it noticed: tables from content/data/simulation.json (`npm run sim -- table`)
 * and mutants.json (`npm run mutants -- --write`). Nobody types their numbers.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds, type EventKind } from '#simulator/faults';
import type { RunKind } from '#simulator/run-kinds';
import type { SimulationTable } from '#simulator/table';
import { readContentData, sourceNote, type Dated } from './content-data.ts';
import type { Generator } from './generator.ts';
import { histories } from './histories.ts';
import { lawGroups, lawNotes } from './law-notes.ts';
import { code, grouped, prose, sentence, table } from './mdx-text.ts';
import { soak } from './soak.ts';

const TABLE_FILE = join(import.meta.dirname, '../../../content/data/simulation.json');
const RUN_KINDS: Readonly<Record<RunKind, string>> = {
  storm: 'Many faults at once; judged by safety, and by whether the chain goes on afterwards.',
  single: 'One fault after the other, each over before the next; judged by availability, too.',
  overridden: 'An operator overrides the leader while the network fails.',
  scramble: 'Many short faults aimed at the log and at whoever has just come to lead.',
};

const readTable = (): SimulationTable => JSON.parse(readFileSync(TABLE_FILE, 'utf8')) as SimulationTable;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function madeBy({ command }: SimulationTable): string {
  return `Made by ${code(command)}; the same seeds give the same numbers everywhere.`;
}

/** A sentence: how many runs, how long, how many blocks. */
const summary: Generator = () => {
  const { kinds: rows, laws } = readTable();
  const total = (key: 'runs' | 'virtualSeconds' | 'publishedBlocks' | 'events'): number =>
    sum(rows.map((row) => row[key]));
  return [
    `In the **${grouped(total('runs'))} runs** counted below, ${(total('virtualSeconds') / 3600).toFixed(0)} hours of virtual time,`,
    `conductors handled ${grouped(total('events'))} events, their sequencers published ${grouped(total('publishedBlocks'))}`,
    `blocks, and none of the ${laws.length} laws was broken.`,
  ].join(' ');
};

const runs: Generator = () => {
  const data = readTable();
  const rows = data.kinds.map(({ kind, runs: count, virtualSeconds, publishedBlocks, events }) => [
    code(kind),
    RUN_KINDS[kind],
    ...[count, virtualSeconds, publishedBlocks, events].map(grouped),
  ]);
  const header = ['Kind', 'What happens in it', 'Runs', 'Virtual seconds', 'Blocks published', 'Events handled'];
  return `${table(header, rows)}\n\n${madeBy(data)}`;
};

/** Attribute `group`: one of `lawGroups`. A law that the data does not have yet is said to be so. */
const laws: Generator = ({ group = '' }) => {
  if (!(lawGroups as readonly string[]).includes(group))
    throw new Error(`simulation/laws needs \`group\`, one of ${lawGroups.join(', ')}`);
  const measured = new Map<string, SimulationTable['laws'][number]>(readTable().laws.map((row) => [row.law, row]));
  const stray = [...measured.keys()].find((law) => !Object.hasOwn(lawNotes, law));
  if (stray !== undefined) throw new Error(`simulation.json has the law ${stray}, which the simulator does not know`);
  const rows = Object.entries(lawNotes)
    .filter(([, note]) => note.group === group)
    .map(([law, { says }]) => [named(says, law), ...judged(measured.get(law))]);
  return table(['Law', 'Runs', 'Events'], rows);
};

/** A sentence and what it is called in the code: read first, looked up by the name. */
function named(says: string, name: string): string {
  return `${says} ${code(name)}`;
}

/** Runs and events in words where a number would mislead: nothing was judged, or the run as a whole was. */
function judged(row: SimulationTable['laws'][number] | undefined): [string, string] {
  if (row === undefined || row.runs === 0) return ['none yet', 'none yet'];
  return [grouped(row.runs), row.events === 0 ? 'each run as a whole' : grouped(row.events)];
}

const faults: Generator = () => {
  const data = readTable();
  const rows = Object.entries(data.faults).map(([name, times]) => {
    if (!Object.hasOwn(kinds, name)) throw new Error(`simulation.json has the fault ${name}, which nothing makes`);
    return [named(storyOf(name as EventKind), name), grouped(times)];
  });
  const filtered = `<TableFilter label="Filter faults">\n\n${table(['What happens', 'Times'], rows)}\n\n</TableFilter>`;
  return `${filtered}\n\n${madeBy(data)}`;
};

/** The sentence of stories, about a machine A and another one B. */
function storyOf(name: EventKind): string {
  const text = kinds[name].story.replaceAll('{at}', 'A').replaceAll('{to}', 'B').replaceAll(' ({n})', '');
  return prose(sentence(text.replaceAll('{n}', 'some')));
}

const sometimes: Generator = () => {
  const rows = Object.entries(readTable().sometimes).map(([name, times]) => [prose(sentence(name)), grouped(times)]);
  return table(['What happened', 'Times'], rows);
};

interface MutantData extends Dated {
  readonly mutants: readonly {
    readonly id: string;
    readonly breaks: readonly string[];
    readonly why: string;
    readonly outcome: 'killed' | 'survived' | 'equivalent' | 'broken';
    readonly law: string | null;
    readonly runs: number | null;
    readonly seconds: number | null;
    readonly shrunkEvents: number | null;
  }[];
}

const mutants: Generator = () => {
  const data = readContentData<MutantData>('mutants.json');
  const rows = data.mutants.map(({ id, why, breaks, outcome, law, ...killed }) => [
    named(prose(why), id),
    law === null ? outcome : code(law),
    ...[killed.seconds, killed.runs, killed.shrunkEvents].map((value) => (value === null ? '–' : grouped(value))),
    breaks.map(linked).join(', '),
  ]);
  const header = ['Bug', 'Noticed by', 'Seconds', 'Run', 'Events left', 'Breaks'];
  const filtered = `<TableFilter label="Filter bugs">\n\n${table(header, rows)}\n\n</TableFilter>`;
  return `${filtered}\n\n${sourceNote({ ...data, source: code(data.source) })}`;
};

/** What a bug breaks; a rule leads to its text. */
function linked(subject: string): string {
  const number = /^rule (\d+)$/.exec(subject)?.[1];
  return number === undefined ? subject : `[${subject}](/conductor/rules#rule-${number})`;
}

/** A sentence: how many bugs, how many were noticed, how soon. */
const mutantSummary: Generator = () => {
  const { mutants: all } = readContentData<MutantData>('mutants.json');
  const count = (outcome: string): number => all.filter((mutant) => mutant.outcome === outcome).length;
  const seconds = all.flatMap((mutant) => mutant.seconds ?? []).toSorted((a, b) => a - b);
  const [median = 0, slowest = 0] = [seconds[Math.floor(seconds.length / 2)], seconds.at(-1)];
  return [
    `Of ${all.length} bugs the simulator noticed **${count('killed')}**, half of them within ${median} s of processor time`,
    `and the slowest after ${slowest} s; ${count('survived') + count('broken')} escaped. ${count('equivalent')} change nothing`,
    'that can be seen from outside, each with a proof; the runs confirm it.',
  ].join(' ');
};

export const simulationGenerators: Readonly<Record<string, Generator>> = {
  'simulation/summary': summary,
  'simulation/runs': runs,
  'simulation/laws': laws,
  'simulation/faults': faults,
  'simulation/sometimes': sometimes,
  'simulation/histories': histories,
  'simulation/soak': soak,
  'simulation/mutants': mutants,
  'simulation/mutant-summary': mutantSummary,
};
