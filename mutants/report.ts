/** What came of the mutants, as lines for people, and as the tables that are kept. */
import { laws, type LawName } from '../simulator/oracles/laws.ts';
import { catcherText, type Catcher, type Mutant } from './mutant.ts';
import type { Outcome } from './simulation/outcome.ts';

export interface Method {
  readonly budgetSeconds: number;
  readonly seed: number;
  /** Day, as YYYY-MM-DD. */
  readonly date: string;
}

export interface MutantRecord extends Omit<Mutant, 'hunks' | 'caughtBy'>, Method {
  /** Who had to catch it, as the mutant says. */
  readonly by: string;
  readonly result: Outcome;
}

const SIMULATION = 'simulation';

const METHOD =
  'A mutant that a test has to catch is loaded by a run of that test, which must fail then and pass without it. For those of the simulator one process each loads the core with the bug in it and goes through random runs (scrambles of the log, storms, single faults) with seeds in order, until a law is broken or its processor time is spent. The run is shrunk, and the core without the bug passes what remains. What remains is carried on to its end under every law; a law kills alone when no other one is broken by then.';

/** What is kept of a hunt: no more of the story than people will read. */
export function recordOf(mutant: Mutant, catcher: Catcher, result: Outcome, method: Method): MutantRecord {
  const { id, subjects, why, isPolicy, aim, equivalent } = mutant;
  return { id, subjects, why, by: catcherText(catcher), isPolicy, aim, equivalent, ...method, result };
}

export function isCaught({ kind }: Outcome): boolean {
  return kind === 'killed' || kind === 'noticed';
}

export function lineOf({ id, by, equivalent, result }: MutantRecord): string {
  const name = id.padEnd(40);
  switch (result.kind) {
    case 'killed': {
      const { law, runs, seconds, events, shrunkEvents, message } = result;
      return `${name} killed by ${law}: run ${runs}, ${seconds} s, ${events} events, shrunk to ${shrunkEvents}: ${message}`;
    }
    case 'survived':
      return `${name} ${equivalent === null ? 'SURVIVED' : 'equivalent'}: ${result.runs} runs, ${result.seconds} s`;
    case 'noticed':
      return `${name} caught by ${by}`;
    case 'unnoticed':
      return `${name} SURVIVED ${by}: ${result.message}`;
    case 'broken':
      return `${name} BROKEN: ${result.message}`;
  }
}

/** The last result of each mutant and each of its catchers. */
export class Results {
  readonly #records: Map<string, MutantRecord>;
  #control: Outcome | null;

  /** From what was kept, or empty. */
  constructor(json: string | null) {
    const data = json === null ? null : (JSON.parse(json) as { control: Outcome | null; mutants: MutantRecord[] });
    this.#records = new Map((data?.mutants ?? []).map((record) => [keyOf(record.id, record.by), record]));
    this.#control = data?.control ?? null;
  }

  isCaught(id: string, by: string): boolean {
    const record = this.#records.get(keyOf(id, by));
    return record !== undefined && isCaught(record.result);
  }

  /** Takes newer results in. */
  with(records: readonly MutantRecord[], control: Outcome | null): this {
    for (const record of records) this.#records.set(keyOf(record.id, record.by), record);
    this.#control = control ?? this.#control;
    return this;
  }

  /** Forgets mutants that there are no more, and catchers that they no longer name. */
  only(mutants: readonly Mutant[]): this {
    const known = new Set(mutants.flatMap(({ id, caughtBy }) => caughtBy.map((one) => keyOf(id, catcherText(one)))));
    for (const key of this.#records.keys()) if (!known.has(key)) this.#records.delete(key);
    return this;
  }

  get #sorted(): MutantRecord[] {
    const key = ({ id, by }: MutantRecord): string => keyOf(id, by);
    return [...this.#records.values()].toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
  }

  /** How many mutants each law catches by itself, and how many only it does. */
  get #lawCounts(): Record<string, { catches: number; alone: number }> {
    const names = Object.keys(laws) as LawName[];
    const counts: Record<string, { catches: number; alone: number }> = {};
    for (const name of names) counts[name] = { catches: 0, alone: 0 };
    for (const { result } of this.#records.values()) {
      if (result.kind !== 'killed') continue;
      for (const law of result.laws) if (counts[law] !== undefined) counts[law].catches++;
      if (result.laws.length === 1 && counts[result.laws[0]!] !== undefined) counts[result.laws[0]!]!.alone++;
    }
    return counts;
  }

  summary(): string {
    const all = this.#sorted;
    const escaped = all.filter(
      ({ result, equivalent }) => !isCaught(result) && !isBroken(result) && equivalent === null,
    );
    const broken = all.filter(({ result }) => isBroken(result));
    const silent = Object.entries(this.#lawCounts).filter(([, { alone }]) => alone === 0);
    const named = (records: readonly MutantRecord[]): string => records.map(({ id }) => id).join(', ');
    const simulated = all.filter(({ by }) => by === SIMULATION);
    return [
      '',
      ...countLine('the simulator', simulated),
      ...countLine(
        'the exhaustive search',
        all.filter(({ by }) => by.startsWith('search ')),
      ),
      ...countLine(
        'a test',
        all.filter(({ by }) => by.includes('.test.')),
      ),
      ...(escaped.length > 0 ? [`survivors: ${named(escaped)}`] : []),
      ...(broken.length > 0 ? [`broken: ${named(broken)}`] : []),
      ...(simulated.length > 0
        ? [`laws that never kill alone: ${silent.map(([name]) => name).join(', ') || 'none'}`]
        : []),
      ...(this.#control === null ? [] : [controlLine(this.#control)]),
    ].join('\n');
  }

  json(): string {
    const data = { method: METHOD, control: this.#control, laws: this.#lawCounts, mutants: this.#sorted.map(kept) };
    return `${JSON.stringify(data, null, 2)}\n`;
  }

  /** Mutants of the simulator × time to kill, for the documentation. */
  table(): string {
    const all = this.#sorted.filter(({ by }) => by === SIMULATION);
    const mutants = all.map(({ id, subjects, why, equivalent, result }) => {
      const killed = result.kind === 'killed' ? result : null;
      return {
        id,
        breaks: subjects,
        why,
        outcome: killed === null && equivalent !== null ? 'equivalent' : result.kind,
        law: killed?.law ?? null,
        runs: killed?.runs ?? null,
        seconds: killed?.seconds ?? null,
        virtualSeconds: killed?.virtualSeconds ?? null,
        shrunkEvents: killed?.shrunkEvents ?? null,
      };
    });
    const date = all.reduce((latest, record) => (record.date > latest ? record.date : latest), '');
    return `${JSON.stringify({ source: 'npm run mutants -- --by=simulation --write', date, mutants }, null, 2)}\n`;
  }

  markdown(): string {
    const rows = this.#sorted.map((record) => {
      const cells = [record.id, record.subjects.join(', '), record.why, ...resultCells(record)];
      return `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
    });
    return [
      '<!-- made by npm run mutants -- --write -->',
      '',
      METHOD,
      '',
      this.summary().trim().replaceAll('\n', '\n\n'),
      '',
      '| mutant | breaks | the law, or what goes wrong | caught by | all laws it breaks | runs | seconds | virtual seconds | shrunk events |',
      '|---|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  }
}

/** What came of it, in the columns of the table; tests and searches have no random runs. */
function resultCells({ by, equivalent, result }: MutantRecord): readonly (string | number)[] {
  if (result.kind === 'killed') {
    const { law, laws: all, runs, seconds, virtualSeconds, shrunkEvents } = result;
    return [law, all.join(', '), runs, seconds, virtualSeconds, shrunkEvents];
  }
  const rest = ['', '', '', '', ''];
  if (result.kind === 'noticed') return [by, ...rest];
  return [equivalent === null ? `**${result.kind}** (${by})` : `equivalent: ${equivalent}`, ...rest];
}

function countLine(whose: string, records: readonly MutantRecord[]): string[] {
  if (records.length === 0) return [];
  const equivalent = records.filter((record) => !isCaught(record.result) && record.equivalent !== null).length;
  const broken = records.filter(({ result }) => isBroken(result)).length;
  const caught = records.filter(({ result }) => isCaught(result)).length;
  const survived = records.length - caught - broken - equivalent;
  return [
    `${records.length} mutants of ${whose}: ${caught} caught, ${survived} survived, ${equivalent} equivalent, ${broken} broken`,
  ];
}

function isBroken({ kind }: Outcome): boolean {
  return kind === 'broken';
}

function keyOf(id: string, by: string): string {
  return `${id} ${by}`;
}

/** Lines of a story that are kept, the last ones: there the law is broken. */
const STORY_LINES_MAX = 60;

/** Only policy mutants keep their story. */
function kept(record: MutantRecord): MutantRecord {
  const { result } = record;
  if (result.kind !== 'killed') return record;
  const story = record.isPolicy ? result.story.split('\n').slice(-STORY_LINES_MAX).join('\n') : '';
  return { ...record, result: { ...result, found: '', story } };
}

function controlLine(control: Outcome): string {
  if (control.kind === 'survived') return `the core as it is lives through ${control.runs} of the same runs`;
  if (control.kind === 'killed') return `the core as it is FAILS ${control.law}: ${control.message} ${control.shrunk}`;
  return `the core as it is could not be run${'message' in control ? `: ${control.message}` : ''}`;
}
