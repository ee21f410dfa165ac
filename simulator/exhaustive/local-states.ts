/**
 * Every state one server can be in, each with a number, and what comes of each input in it: a table that the real
 * core fills in, one line at a time. A state is kept as the inputs that lead to it, since a RaftNode cannot be copied;
 * a search over whole clusters then only looks things up. All three servers share the table, seen from each of them.
 */
import { assert } from '#conductor/assert';
import type { Role } from '#conductor/raft/events';
import type { HardState } from '#conductor/raft/types';
import { fingerprint } from './fingerprint.ts';
import { inputNumber, lanes, mirrored, type Input } from './input.ts';
import { addressOf, idOf, Messages } from './message.ts';
import type { Scope } from './scope.ts';
import { Server, type Durable, type Outstanding, type Sent, type Stage } from './server.ts';

/** What a server has shown to the world, in this life and earlier ones: never forgotten, to judge it by. */
interface Deeds {
  /** Term → the peer that got its vote (0 for itself), in the order of terms. */
  readonly votes: ReadonlyMap<number, number>;
  /** Terms that it led. */
  readonly led: readonly number[];
}

/** One state of one server; everything that other parts of the search look at is worked out once. */
export interface LocalState {
  readonly number: number;
  readonly term: number;
  readonly role: Role;
  readonly commitIndex: number;
  /** Each entry in words: its term, type and data. */
  readonly log: readonly string[];
  readonly deeds: Deeds;
  readonly hasShortTimers: boolean;
  /** What waits for an answer, oldest first, for each laneNumber. */
  readonly waiting: readonly (readonly Standing[])[];
}

/** What the answer to a request can still change. `over`: nothing. `old`: only news of a later term can. */
export type Standing = 'open' | 'old' | 'over';

/** What comes of an input, or of a crash in the middle of it. */
export type Outcome =
  | { readonly kind: 'state'; readonly next: number; readonly sent: readonly Sent[]; readonly reply: number | null }
  | { readonly kind: 'broken'; readonly law: string; readonly message: string };

export interface Transition {
  readonly whole: Outcome;
  /** The process died in between: before or after a write. */
  readonly cut: readonly Outcome[];
}

interface Held extends LocalState {
  readonly durable: Durable;
  readonly boot: Durable;
  readonly inputs: readonly Input[];
  readonly transitions: Map<number, Transition>;
  mirror: number | null;
}

export class LocalStates {
  readonly messages = new Messages();
  readonly #scope: Scope;
  readonly #numbers = new Map<string, number>();
  readonly #states: Held[] = [];
  /** Inputs handled by the real core, replays included. */
  handled = 0;
  /** Lines of the table. */
  lines = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  get size(): number {
    return this.#states.length;
  }

  get(number: number): LocalState {
    return this.#states[number]!;
  }

  /** A process that has just started, with this on its disk. */
  started(durable: Durable, deeds: Deeds): number {
    return this.#intern(durable, [], deeds, this.#boot(durable, []));
  }

  /** The process dies at rest and is started again: one that is down is no different from one that is slow to start. */
  restart(number: number): number {
    const { durable, deeds } = this.#states[number]!;
    return this.started(durable, deeds);
  }

  /** The same state with the names of the peers exchanged. */
  mirror(number: number): number {
    const state = this.#states[number]!;
    if (state.mirror !== null) return state.mirror;
    const boot = mirroredDurable(state.boot);
    const inputs = state.inputs.map(mirrored);
    const votes = new Map([...state.deeds.votes].map(([term, peer]) => [term, peer === 0 ? 0 : 3 - peer]));
    state.mirror = this.#intern(boot, inputs, { ...state.deeds, votes }, this.#boot(boot, inputs));
    this.#states[state.mirror]!.mirror = number;
    return state.mirror;
  }

  take(number: number, input: Input): Transition {
    const state = this.#states[number]!;
    const key = inputNumber(input);
    let known = state.transitions.get(key);
    if (known === undefined) {
      known = this.#work(state, input);
      state.transitions.set(key, known);
      this.lines++;
    }
    return known;
  }

  #boot(durable: Durable, inputs: readonly Input[]): Server {
    const server = new Server(this.#scope, this.messages, durable);
    for (const input of inputs) server.take(input);
    this.handled += inputs.length;
    return server;
  }

  #work(state: Held, input: Input): Transition {
    const server = this.#boot(state.boot, state.inputs);
    this.handled++;
    let stages: readonly Stage[];
    try {
      stages = server.take(input);
    } catch (error) {
      const broken = { kind: 'broken', law: 'invariants of the core', message: String(error) } as const;
      return { whole: broken, cut: [] };
    }
    const cut: Outcome[] = [];
    const sent: Sent[] = [];
    let { deeds } = state;
    let reply: number | null = null;
    let durable = state.durable;
    for (const stage of stages) {
      if (stage.durable !== null) {
        // With nothing said so far it is the same as dying before.
        if (sent.length > 0 || reply !== null)
          cut.push({ kind: 'state', next: this.started(durable, deeds), sent: [...sent], reply });
        durable = stage.durable;
        cut.push({ kind: 'state', next: this.started(durable, deeds), sent: [...sent], reply });
      }
      const after = this.#judge(deeds, input, stage);
      if (typeof after === 'string')
        return { whole: { kind: 'broken', law: 'one vote per term', message: after }, cut };
      deeds = after;
      sent.push(...stage.sent);
      reply = stage.replies[0] ?? reply;
    }
    const { role, term } = server.node.state;
    if (role === 'leader' && !deeds.led.includes(term)) deeds = { ...deeds, led: [...deeds.led, term] };
    const next = this.#intern(state.boot, [...state.inputs, input], deeds, server);
    return { whole: { kind: 'state', next, sent, reply }, cut };
  }

  /** Takes note of votes that leave the server; a message if that is a second one in a term. */
  #judge(deeds: Deeds, input: Input, { sent, replies }: Stage): Deeds | string {
    const votes = new Map(deeds.votes);
    const cast = (term: number, peer: number): string | null => {
      const other = votes.get(term) ?? peer;
      votes.set(term, peer);
      return other === peer ? null : `two votes in term ${term}: for peers ${other} and ${peer} (0 is itself)`;
    };
    for (const { message } of sent) {
      const request = this.messages.get(message);
      const problem = request.kind === 'vote' && 'lastLogIndex' in request ? cast(request.term, 0) : null;
      if (problem !== null) return problem;
    }
    for (const number of replies) {
      const response = this.messages.get(number);
      const isVote = response.kind === 'vote' && 'granted' in response && response.granted;
      const problem = isVote && input.kind === 'request' ? cast(response.term, input.from) : null;
      if (problem !== null) return problem;
    }
    return { ...deeds, votes };
  }

  #intern(boot: Durable, inputs: readonly Input[], deeds: Deeds, server: Server): number {
    const { durable, hasShortTimers } = server;
    const { role, term, commitIndex } = server.node.state;
    const log = entryTexts(durable);
    const key = stateKey(server, log, deeds);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.length;
    const shown = { number, term, role, commitIndex, log, deeds, hasShortTimers, waiting: waitingOf(server) };
    this.#states.push({ ...shown, durable, boot, inputs, transitions: new Map(), mirror: null });
    this.#numbers.set(key, number);
    return number;
  }
}

function stateKey(server: Server, log: readonly string[], { votes, led }: Deeds): string {
  assert(server.node.state.log.lastIndex === log.length, 'at rest the log is what the disk holds');
  const waiting = [1, 2].flatMap((peer) =>
    lanes.map((lane) =>
      server
        .outstanding(peer, lane)
        .map((one) => waitingText(server, peer, one))
        .join(' '),
    ),
  );
  const deeds = [...votes].map(([term, peer]) => `${term}:${peer}`).toSorted();
  return [fingerprint(server.node.state, log), deeds, led, ...waiting].join('|');
}

/** What decides what the answer to a request does, in words. */
function waitingText(server: Server, peer: number, one: Outstanding): string {
  const standing = standingOf(server, one);
  const { request } = one;
  if (standing !== 'open' || request.kind !== 'append') return standing;
  const last = request.prevLogIndex + (request.entries?.length ?? 0);
  const isCurrent = server.node.state.leadership?.peers.get(idOf(peer))?.epoch === one.epoch;
  return isCurrent ? `${request.prevLogIndex}-${last}` : `late-${last}`;
}

function standingOf({ node }: Server, { request, epoch }: Outstanding): Standing {
  const { round, leadership, term } = node.state;
  if (request.kind !== 'append') return round?.id === epoch ? 'open' : 'over';
  return leadership !== null && request.term === term ? 'open' : 'old';
}

function waitingOf(server: Server): Standing[][] {
  const found = (peer: number): Standing[][] =>
    lanes.map((lane) => server.outstanding(peer, lane).map((one) => standingOf(server, one)));
  return [...found(1), ...found(2)];
}

function entryTexts({ entries }: Durable): string[] {
  return entries.map(
    ({ term, type, data }) => `${term}${type === 0 ? String.fromCharCode(...(data ?? [])) : `.${type}`}`,
  );
}

function mirroredDurable(durable: Durable): Durable {
  const { votedFor } = durable.hard;
  if (votedFor === null || votedFor.id === idOf(0)) return durable;
  const peer = 3 - Number(votedFor.id!.slice(1));
  const hard: HardState = { ...durable.hard, votedFor: { id: idOf(peer), address: addressOf(peer) } };
  return { ...durable, hard };
}
