/**
 * Walks through steps with the model checker: raft.tla and raftTrace.tla, then so many steps at once as a module of their
 * own, which begins in the state that the ones before led to. Every step has one successor; one that has none is refused.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkModel } from './checker.ts';
import type { Recording, SpecEntry } from './facts.ts';
import { joinModules } from './modules.ts';
import { nameOf, type Step } from './steps.ts';

/** Steps that the checker is given at once: reading the modules takes as long as ten steps. */
const STEPS_AT_ONCE = 24;

/** The published specification, as it was published, and its SHA-256. */
export const PUBLISHED_FILE = join(import.meta.dirname, 'raft.tla');
export const PUBLISHED_SHA256 = '2cf54dbedc5d81f3b108596a24644279a3bbc94cc0980108ee51590c7461cc3b';

export interface Replay {
  /** Steps that raft.tla allows, from the first one on. */
  readonly allowed: number;
  /** The first one that it does not allow, and the state before it; null when it allows all of them. */
  readonly refused: { readonly step: Step; readonly why: string; readonly state: readonly string[] } | null;
}

export function replay(recording: Recording, steps: readonly Step[]): Replay {
  let state = startOf(recording);
  for (let from = 0; from < steps.length; from += STEPS_AT_ONCE) {
    const part = steps.slice(from, from + STEPS_AT_ONCE);
    const { text, configuration } = moduleOf(recording, state, part);
    const bound = part.length + 2;
    const result = checkModel({ text, configuration, statesMax: bound, depthMax: bound });
    const isThrough = result.complaint?.kind === 'InvariantViolation' && result.trace.length === part.length + 1;
    if (!isThrough) {
      const done = Math.max(0, result.states - 1);
      const why = result.complaint === null ? 'no step of raft.tla' : result.complaint.message;
      return { allowed: from + done, refused: { step: part[done] ?? part.at(-1)!, why, state } };
    }
    state = result.trace.at(-1)!.map(withoutHistory);
  }
  return { allowed: steps.length, refused: null };
}

let specification: string | null = null;

/** Steps as a module: `pos` counts them, and that there are more to come is the invariant that ends the walk. */
function moduleOf(recording: Recording, state: readonly string[], steps: readonly Step[]) {
  specification ??= [PUBLISHED_FILE, join(import.meta.dirname, 'raftTrace.tla')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\f');
  const walk = [
    '---- MODULE walk ----',
    'EXTENDS raftTrace',
    'VARIABLE pos',
    'Begin ==',
    ...state.map((line) => `    /\\ ${line}`),
    'Step ==',
    ...steps.map(({ action }, at) => `    \\/ pos = ${at} /\\ ${action}`),
    'Walk ==',
    `    /\\ pos < ${steps.length}`,
    "    /\\ pos' = pos + 1",
    '    /\\ Step',
    '    /\\ History',
    `More == pos < ${steps.length}`,
    '====',
  ].join('\n');
  return { text: joinModules('walk', [...specification.split('\f'), walk]), configuration: configurationOf(recording) };
}

/** Names are model values, which nothing equals but itself. */
function configurationOf({ servers }: Recording): string {
  const names = servers.map((_, at) => nameOf(at));
  const values = ['Follower', 'Candidate', 'Leader', 'Nil'];
  const messages = ['RequestVoteRequest', 'RequestVoteResponse', 'AppendEntriesRequest', 'AppendEntriesResponse'];
  return [
    'CONSTANTS',
    `Server = {${names.join(', ')}}`,
    'Value = {}',
    ...[...names, ...values, ...messages].map((name) => `${name} = ${name}`),
    'INIT Begin',
    'NEXT Walk',
    'INVARIANT More',
    '',
  ].join('\n');
}

/**
 * What raft.tla keeps for its proof alone, and no guard of it reads, begins anew with each module: it grows with the
 * square of what happens. Messages that differ in nothing else are then the same one, as often as they were together.
 */
function withoutHistory(line: string): string {
  const [, name, value] = /^(\w+) = (.*)$/.exec(line) as unknown as [string, string, string];
  switch (name) {
    case 'pos':
      return 'pos = 0';
    case 'allLogs':
    case 'elections':
      return `${name} = {}`;
    case 'voterLog':
      return 'voterLog = [i \\in Server |-> [j \\in {} |-> <<>>]]';
    case 'messages':
      return `messages = ${bagOf(value)}`;
    default:
      return line;
  }
}

function bagOf(value: string): string {
  const bag = new Map<string, number>();
  for (const [, message, times] of value
    .replaceAll(/mlog \|-> <<[^<>]*>>/g, 'mlog |-> <<>>')
    .matchAll(/(\[m.*?\]) :> (\d+)/g))
    bag.set(message!, (bag.get(message!) ?? 0) + Number(times));
  return bag.size === 0 ? value : [...bag].map(([message, times]) => `${message} :> ${times}`).join(' @@ ');
}

/** A formed cluster: one leader, and followers whose logs are beginnings of its log, and who have acknowledged them. */
function startOf({ servers }: Recording): string[] {
  const each = (valueOf: (server: Recording['servers'][number]) => string): string =>
    `[${'i'} \\in Server |-> CASE ${servers.map((server, at) => `i = ${nameOf(at)} -> ${valueOf(server)}`).join(' [] ')}]`;
  const perPeer = (own: (server: Recording['servers'][number]) => number, other: number): string =>
    each(
      ({ isLeader }) =>
        `[j \\in Server |-> CASE ${servers.map((peer, at) => `j = ${nameOf(at)} -> ${isLeader ? own(peer) : other}`).join(' [] ')}]`,
    );
  const longest = servers.find(({ isLeader }) => isLeader)?.log.length ?? 0;
  return [
    'messages = [m \\in {} |-> 0]',
    'elections = {}',
    'allLogs = {}',
    `currentTerm = ${each(({ term }) => String(term))}`,
    `state = ${each(({ isLeader }) => (isLeader ? 'Leader' : 'Follower'))}`,
    `votedFor = ${each(({ votedFor }) => (votedFor === null ? 'Nil' : nameOf(votedFor)))}`,
    `log = ${each(({ log }) => logText(log))}`,
    `commitIndex = ${each(({ commitIndex }) => String(commitIndex))}`,
    'votesResponded = [i \\in Server |-> {}]',
    'votesGranted = [i \\in Server |-> {}]',
    'voterLog = [i \\in Server |-> [j \\in {} |-> <<>>]]',
    `nextIndex = ${perPeer(() => longest + 1, 1)}`,
    `matchIndex = ${perPeer(({ log }) => log.length, 0)}`,
    `highest = ${each(({ commitIndex }) => String(commitIndex))}`,
    'pos = 0',
  ];
}

function logText(log: readonly SpecEntry[]): string {
  return `<<${log.map(({ term, value }) => `[term |-> ${term}, value |-> "${value}"]`).join(', ')}>>`;
}
