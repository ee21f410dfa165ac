/**
 * Our own rules as models in TLA+: what each is checked for, within which bounds, and the changes that break it. A model says
 * less than the code and says it exactly: every state that can be reached within the bounds is looked at.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkModel } from './checker.ts';
import { joinModules } from './modules.ts';

/** Names become model values; a list of pairs is of a number and a name. */
type Constant = number | readonly string[] | readonly (readonly [number, string])[];
export type Bounds = Readonly<Record<string, Constant>>;

/** A model that has to fail: a text of it is replaced, and one of the invariants no longer holds. */
export interface BrokenModel {
  readonly why: string;
  readonly find: string;
  readonly replace: string;
  readonly bounds: Bounds;
}

export interface Model {
  /** The file in `models/`, without `.tla`. */
  readonly name: string;
  readonly rule: string;
  readonly invariants: readonly string[];
  /** What it says of a model that lets nothing happen: it has to fail. */
  readonly vacuous: string;
  readonly small: Bounds;
  readonly large: Bounds;
  readonly broken: readonly BrokenModel[];
}

const abc = ['a', 'b', 'c'];

const recovery = {
  Server: abc,
  TermMax: 2,
  LengthMax: 1,
  LossesMax: 1,
  Losers: ['c'],
  Candidates: [
    [1, 'a'],
    [2, 'b'],
  ],
} as const;

const fast = { Server: abc, TermMax: 3, CrashesMax: 2, ClosesMax: 1, Fooled: ['c'] } as const;

const membership = {
  Server: ['a', 'b', 'c', 'd'],
  First: ['a', 'b'],
  LengthMax: 4,
  Candidates: [
    [1, 'a'],
    [2, 'b'],
    [3, 'a'],
  ],
  Adds: ['c', 'd'],
  Removes: [],
} as const;

/** Three members, of whom two may be taken out. */
const leaving = {
  ...membership,
  Server: abc,
  First: abc,
  LengthMax: 3,
  Candidates: [
    [1, 'a'],
    [2, 'b'],
  ],
  Adds: [],
  Removes: ['b', 'c'],
} as const;

const rollback = { Voter: abc, Liars: ['c'], RestartsMax: 2 } as const;

export const models: readonly Model[] = [
  {
    name: 'recovery',
    rule: 'rule 9',
    invariants: ['OneLeaderPerTerm', 'OneEntryPerIndex', 'LeadersAreComplete'],
    vacuous: 'NobodyRecovers',
    small: recovery,
    large: {
      ...recovery,
      Losers: abc,
      Candidates: [1, 2].flatMap((term) => abc.map((name) => [term, name] as const)),
    },
    broken: [
      {
        why: 'a server with a new store acknowledges before it has asked the others for their terms',
        find: 'MayAcknowledge(j) == ~recovering[j] \\/ asked[j] = Server \\ {j}',
        replace: 'MayAcknowledge(j) == TRUE',
        bounds: recovery,
      },
      {
        why: 'a server with a new store votes',
        find: '    /\\ ~recovering[j]\n    /\\ term[j] < term[i] \\/',
        replace: '    /\\ term[j] < term[i] \\/',
        bounds: {
          ...recovery,
          TermMax: 1,
          Candidates: [
            [1, 'a'],
            [1, 'b'],
          ],
        },
      },
    ],
  },
  {
    name: 'fastElections',
    rule: 'rule 13',
    invariants: ['OneLeaderPerTerm', 'NobodyAliveIsDeposed'],
    vacuous: 'NobodyIsElected',
    small: fast,
    large: { ...fast, TermMax: 4, CrashesMax: 3, ClosesMax: 2 },
    broken: [
      {
        why: 'a closed connection is proof that nobody leads',
        find: 'Redialled(j) == LeaderOf(term[j]) = {} \\/ j \\in Fooled',
        replace: 'Redialled(j) == TRUE',
        bounds: { ...fast, CrashesMax: 1, ClosesMax: 2 },
      },
      {
        why: 'a voter waives what it owes the leader on the evidence of others',
        find: 'Waives(k, t) == Evident(k, t)',
        replace: 'Waives(k, t) == up[k] /\\ term[k] = t',
        bounds: fast,
      },
    ],
  },
  {
    name: 'membership',
    rule: 'thesis 4.1',
    invariants: ['OneEntryPerIndex', 'LeadersAreComplete', 'NewcomersAreNotNeeded'],
    vacuous: 'NobodyJoins',
    small: membership,
    large: { ...membership, LengthMax: 5 },
    broken: [
      {
        why: 'a voter is added before the log has reached it',
        find: 'CaughtUp(i, x) == Last(log[i]).learner = x /\\ match[i][x] = Len(log[i])',
        replace: 'CaughtUp(i, x) == TRUE',
        bounds: membership,
      },
      {
        why: 'members change while a change is not committed',
        find: 'MayChange(i) == leads[i] /\\ commit[i] = Len(log[i])',
        replace: 'MayChange(i) == leads[i]',
        bounds: leaving,
      },
    ],
  },
  {
    name: 'rollback',
    rule: 'rule 6',
    invariants: ['SoundBlocksStay', 'HonestRefusalProves'],
    vacuous: 'NothingMovesBack',
    small: rollback,
    large: { ...rollback, RestartsMax: 4 },
    broken: [
      {
        why: 'the word of a client that has lost the parent counts as a refusal',
        find: 'MayCount(v) == atParent[v]',
        replace: 'MayCount(v) == TRUE',
        bounds: rollback,
      },
      {
        why: 'a node that has restarted below the block counts as having left it',
        find: '    /\\ stood[v]\n    /\\ ~stands[v]',
        replace: '    /\\ ~stands[v]',
        bounds: rollback,
      },
      {
        why: 'the word of any voter is enough',
        find: 'Proved == Majority(Speak("left")) \\/ (Majority(Speak("invalid"))',
        replace: 'Proved == Majority(Speak("left")) \\/ (Speak("invalid") # {}',
        bounds: rollback,
      },
    ],
  },
];

export interface ModelReport {
  readonly states: number;
  /** The invariant that does not hold, and after how many steps; null when all hold in all states. */
  readonly broken: { readonly invariant: string; readonly steps: number } | null;
}

/** More states than any of them has: what is not finished by then is an error. */
const STATES_MAX = 2_000_000;

/** Every state of a model, or of a broken one. Throws where the checker cannot finish, or the change finds no place. */
export function explore(model: Model, bounds: Bounds, change?: Pick<BrokenModel, 'find' | 'replace'>): ModelReport {
  const source = textOf(model);
  if (change !== undefined && source.split(change.find).length !== 2)
    throw new Error(`${model.name} does not hold this text once: ${change.find}`);
  const text = change === undefined ? source : source.replace(change.find, () => change.replace);
  const result = checkModel({
    text: joinModules(model.name, [text]),
    configuration: configurationOf(model, bounds),
    statesMax: STATES_MAX,
    depthMax: STATES_MAX,
  });
  const { complaint, states, trace } = result;
  if (complaint === null) return { states, broken: null };
  const [, number] = /^Invariant (\d+) violated/.exec(complaint.message) ?? [];
  const invariant = number === undefined ? undefined : model.invariants[Number(number)];
  if (invariant === undefined) throw new Error(`${model.name}: ${complaint.kind}: ${complaint.message}`);
  return { states, broken: { invariant, steps: trace.length - 1 } };
}

/** A model as it is in its file. */
export function textOf({ name }: Pick<Model, 'name'>): string {
  return readFileSync(join(import.meta.dirname, 'models', `${name}.tla`), 'utf8');
}

function configurationOf({ invariants }: Model, bounds: Bounds): string {
  const names = new Set<string>();
  const lines = Object.entries(bounds).map(([constant, value]) => {
    if (typeof value === 'number') return `${constant} = ${value}`;
    const items = value.map((item) => {
      const [term, name] = typeof item === 'string' ? [null, item] : item;
      names.add(name);
      return term === null ? name : `<<${term}, ${name}>>`;
    });
    return `${constant} = {${items.join(', ')}}`;
  });
  return [
    'CONSTANTS',
    ...lines,
    ...[...names].map((name) => `${name} = ${name}`),
    'INIT Init',
    'NEXT Next',
    ...invariants.map((name) => `INVARIANT ${name}`),
    '',
  ].join('\n');
}
