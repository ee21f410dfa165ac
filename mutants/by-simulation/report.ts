/** What came of the mutants, as lines for people, and as the tables that are kept. */
import { laws, type LawName } from '../../simulator/oracles/laws.ts';
import type { Outcome } from './outcome.ts';
import type { Mutant } from './patch.ts';

interface Method {
  readonly budgetSeconds: number;
  readonly seed: number;
  /** Day, as YYYY-MM-DD. */
  readonly date: string;
}

export interface MutantRecord extends Omit<Mutant, 'hunks'>, Method {
  readonly result: Outcome;
}

const METHOD =
  'One process per mutant loads the core with the bug in it and goes through random runs (scrambles of the log, storms, single faults) with seeds in order, until a law is broken or its processor time is spent. The run is shrunk, and the core without the bug passes what remains. What remains is carried on to its end under every law; a law kills alone when no other one is broken by then.';

/** What is kept of a hunt: no more of the story than people will read. */
export function recordOf(mutant: Mutant, result: Outcome, method: Method): MutantRecord {
  const { id, subjects, why, isPolicy, aim, equivalent } = mutant;
  return { id, subjects, why, isPolicy, aim, equivalent, ...method, result };
}

export function lineOf({ id, equivalent, result }: MutantRecord): string {
  const name = id.padEnd(40);
  switch (result.kind) {
    case 'killed': {
      const { law, runs, seconds, events, shrunkEvents, message } = result;
      return `${name} killed by ${law}: run ${runs}, ${seconds} s, ${events} events, shrunk to ${shrunkEvents}: ${message}`;
    }
    case 'survived':
      return `${name} ${equivalent === null ? 'SURVIVED' : 'equivalent'}: ${result.runs} runs, ${result.seconds} s`;
    case 'broken':
      return `${name} BROKEN: ${result.message}`;
  }
}

/** The last result of each mutant, by id. */
export class Results {
  readonly #records: Map<string, MutantRecord>;
  #control: Outcome | null;

  /** From what was kept, or empty. */
  constructor(json: string | null) {
    const data = json === null ? null : (JSON.parse(json) as { control: Outcome | null; mutants: MutantRecord[] });
    this.#records = new Map((data?.mutants ?? []).map((record) => [record.id, record]));
    this.#control = data?.control ?? null;
  }

  isKilled(id: string): boolean {
    return this.#records.get(id)?.result.kind === 'killed';
  }

  /** Takes newer results in. */
  with(records: readonly MutantRecord[], control: Outcome | null): this {
    for (const record of records) this.#records.set(record.id, record);
    this.#control = control ?? this.#control;
    return this;
  }

  /** Forgets those that there are no more. */
  only(ids: ReadonlySet<string>): this {
    for (const id of this.#records.keys()) if (!ids.has(id)) this.#records.delete(id);
    return this;
  }

  get #sorted(): MutantRecord[] {
    return [...this.#records.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1));
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
    const killed = all.filter(({ result }) => result.kind === 'killed');
    const survived = all.filter(({ result, equivalent }) => result.kind === 'survived' && equivalent === null);
    const equivalents = all.filter(({ result, equivalent }) => result.kind === 'survived' && equivalent !== null);
    const broken = all.filter(({ result }) => result.kind === 'broken');
    const silent = Object.entries(this.#lawCounts).filter(([, { alone }]) => alone === 0);
    const named = (records: readonly MutantRecord[]): string => records.map(({ id }) => id).join(', ');
    return [
      '',
      `${all.length} mutants: ${killed.length} killed, ${survived.length} survived, ${equivalents.length} equivalent, ${broken.length} broken`,
      ...(survived.length > 0 ? [`survivors: ${named(survived)}`] : []),
      ...(broken.length > 0 ? [`broken: ${named(broken)}`] : []),
      `laws that never kill alone: ${silent.map(([name]) => name).join(', ') || 'none'}`,
      ...(this.#control === null ? [] : [controlLine(this.#control)]),
    ].join('\n');
  }

  json(): string {
    const data = { method: METHOD, control: this.#control, laws: this.#lawCounts, mutants: this.#sorted.map(kept) };
    return `${JSON.stringify(data, null, 2)}\n`;
  }

  /** Mutants × time to kill, for the documentation. */
  table(): string {
    const all = this.#sorted;
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
    return `${JSON.stringify({ source: 'npm run mutants -- --write', date, mutants }, null, 2)}\n`;
  }

  markdown(): string {
    const rows = this.#sorted.map(({ id, subjects, why, equivalent, result }) => {
      const cells =
        result.kind === 'killed'
          ? [
              result.law,
              result.laws.join(', '),
              result.runs,
              result.seconds,
              result.virtualSeconds,
              result.shrunkEvents,
            ]
          : [equivalent === null ? `**${result.kind}**` : `equivalent: ${equivalent}`, '', '', '', '', ''];
      return `| ${[id, subjects.join(', '), why, ...cells].map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
    });
    return [
      '<!-- made by npm run mutants -- --write -->',
      '',
      METHOD,
      '',
      this.summary().trim().replaceAll('\n', '\n\n'),
      '',
      '| mutant | breaks | why it is wrong | killed by | all laws it breaks | runs | seconds | virtual seconds | shrunk events |',
      '|---|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  }
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
  if (control.kind === 'broken') return `the core as it is could not be run: ${control.message}`;
  return `the core as it is FAILS ${control.law}: ${control.message} ${control.shrunk}`;
}
