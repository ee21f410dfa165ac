/**
 * A whole cluster as eleven numbers: three local states, six links, what was committed, and what may still happen.
 * Names of servers decide nothing, so of all states that differ by them only one is kept.
 */
import { Committed } from './committed.ts';
import { Links } from './links.ts';
import { LocalStates } from './local-states.ts';
import { addressOf, idOf } from './message.ts';
import { budgets, type Budget, type Scope } from './scope.ts';
import { firstEntry } from './start.ts';

/** [0..2] local states; [3 + 2i + r − 1] the link from server i to its peer r; then committed, then budgets. */
export type ClusterState = readonly number[];

export const SERVERS = 3;
const COMMITTED_AT = 9;
const BUDGETS_AT = 10;
const DIGIT = 16;

/** The server that is peer `peer` (1 or 2) of a server. */
export function peerOf(server: number, peer: number): number {
  return (server + peer) % SERVERS;
}

export function linkAt(server: number, peer: number): number {
  return SERVERS + 2 * server + peer - 1;
}

/** The tables that the numbers stand for. */
export class Cluster {
  readonly scope: Scope;
  readonly locals: LocalStates;
  readonly links = new Links();
  readonly committed = new Committed();

  constructor(scope: Scope) {
    this.scope = scope;
    this.locals = new LocalStates(scope);
  }

  /** Where every path begins. */
  start(): ClusterState {
    const { start } = this.scope;
    const locals = start.map(({ log, term, vote }, server) => {
      const peer = vote === null ? null : (vote - server + SERVERS) % SERVERS;
      const votedFor = peer === null ? null : { id: idOf(peer), address: addressOf(peer) };
      const hard = { term, votedTerm: votedFor === null ? 0 : term, votedFor, recovering: false };
      const entries = log.map((entryTerm, at) => firstEntry(at + 1, entryTerm));
      const votes = new Map(peer === null ? [] : [[term, peer] as const]);
      return this.locals.started({ hard, entries }, { votes, led: [] });
    });
    const links = Array.from({ length: 2 * SERVERS }, () => this.links.idle);
    const left = budgets.reduce((sum, budget, at) => sum + this.scope[budget] * DIGIT ** at, 0);
    return [...locals, ...links, this.committed.nothing, left];
  }

  committedOf(state: ClusterState): number {
    return state[COMMITTED_AT]!;
  }

  withCommitted(state: ClusterState, committed: number): ClusterState {
    return state.with(COMMITTED_AT, committed);
  }

  left(state: ClusterState, budget: Budget): number {
    return Math.floor(state[BUDGETS_AT]! / DIGIT ** budgets.indexOf(budget)) % DIGIT;
  }

  /** One less of it may happen from here on. */
  spend(state: ClusterState, budget: Budget): ClusterState {
    return state.with(BUDGETS_AT, state[BUDGETS_AT]! - DIGIT ** budgets.indexOf(budget));
  }

  /** The same text for all states that differ by the names of servers only. */
  key(state: ClusterState): string {
    let best: number[] | null = null;
    for (const isMirrored of [false, true]) {
      const locals = isMirrored ? mirrorImage.map((server) => this.locals.mirror(state[server]!)) : state;
      const lowest = Math.min(locals[0]!, locals[1]!, locals[2]!);
      for (let first = 0; first < SERVERS; first++) {
        if (locals[first] !== lowest || (best !== null && best[0]! < lowest)) continue;
        const other = arranged(state, locals, first, isMirrored);
        if (best === null || isBefore(other, best)) best = other;
      }
    }
    return String.fromCharCode(...best!.flatMap(codeUnits));
  }
}

/** One or two code units that cannot be mistaken for others. */
function codeUnits(number: number): readonly number[] {
  return number < 0x8000 ? [number] : [0x8000 | (number >>> 15), number & 0x7fff];
}

/** The servers in the order of a ring that runs backwards. */
const mirrorImage = [0, 2, 1];

/** The state with server `first` of `locals` called the first one; mirrored, they and their links are run through backwards. */
function arranged(state: ClusterState, locals: readonly number[], first: number, isMirrored: boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < SERVERS; at++) found.push(locals[(first + at) % SERVERS]!);
  for (let at = 0; at < SERVERS; at++) {
    const place = (first + at) % SERVERS;
    const server = isMirrored ? mirrorImage[place]! : place;
    const next = state[linkAt(server, 1)]!;
    const last = state[linkAt(server, 2)]!;
    if (isMirrored) found.push(last, next);
    else found.push(next, last);
  }
  found.push(state[COMMITTED_AT]!, state[BUDGETS_AT]!);
  return found;
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return left[at]! < right[at]!;
  return false;
}
