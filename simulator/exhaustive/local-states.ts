/**
 * Every state one server can be in, each with a number, and what comes of each input in it: a table that the real
 * core fills in, one line at a time. A state is kept as the inputs that lead to it, since a RaftNode cannot be copied;
 * a search over whole clusters then only looks things up. All three servers share the table, seen from each of them.
 */
import type { Role } from '#conductor/core/raft/events';
import type { HardState } from '#conductor/core/raft/types';
import { mirroredDeeds, withLeadership, withVotes, type Deeds } from './deeds.ts';
import { entryTexts, fingerprint, standingOf, type Standing } from './fingerprint.ts';
import { inputNumber, lanes, mirrored, type Input } from './input.ts';
import { addressOf, idOf, Messages } from './message.ts';
import type { Scope } from './scope.ts';
import { Server, type Durable, type Sent, type Stage } from './server.ts';

/** One state of one server; everything that other parts of the search look at is worked out once. */
export interface LocalState {
  readonly number: number;
  readonly term: number;
  readonly role: Role;
  readonly commitIndex: number;
  /** As entryTexts has it. */
  readonly log: readonly string[];
  readonly deeds: Deeds;
  readonly hasShortTimers: boolean;
  /** What waits for an answer, oldest first, for each laneNumber. */
  readonly waiting: readonly (readonly Standing[])[];
}

/** What comes of an input, or of a crash in the middle of it. */
export type Outcome =
  | { readonly kind: 'state'; readonly next: number; readonly sent: readonly Sent[]; readonly reply: number | null }
  /** `message` calls the server and its peers @0, @1 and @2. */
  | { readonly kind: 'broken'; readonly law: string; readonly message: string };

export interface Transition {
  readonly whole: Outcome;
  /** The process died in between, before or after a write, and was started again. */
  readonly cut: readonly Outcome[];
}

/** A way to a state: what the disk held when the process started, and what happened since. */
interface History {
  readonly boot: Durable;
  readonly inputs: readonly Input[];
}

interface Held extends LocalState {
  readonly durable: Durable;
  readonly history: History;
  /** Another way that leads here, the latest one met. */
  other: History | null;
  readonly transitions: Map<number, { readonly input: Input; readonly transition: Transition }>;
  mirror: number | null;
}

export class LocalStates {
  readonly messages = new Messages();
  readonly #scope: Scope;
  readonly #numbers = new Map<string, number>();
  readonly #states: Held[] = [];
  /** Inputs handled by real RaftNodes so far, replays included. */
  handled = 0;

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
    const history = { boot: durable, inputs: [] };
    return this.#intern(history, deeds, this.#replay(history));
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
    const { boot, inputs } = state.history;
    const history = { boot: mirroredDurable(boot), inputs: inputs.map(mirrored) };
    state.mirror = this.#intern(history, mirroredDeeds(state.deeds), this.#replay(history));
    this.#states[state.mirror]!.mirror = number;
    return state.mirror;
  }

  /** What comes of an input in a state. */
  take(number: number, input: Input): Transition {
    const state = this.#states[number]!;
    const key = inputNumber(input);
    const known = state.transitions.get(key);
    if (known !== undefined) return known.transition;
    const transition = this.#work(state, state.history, input);
    state.transitions.set(key, { input, transition });
    return transition;
  }

  /** Works out every line of states that were reached in two ways again, the second way; what differs, in sentences. */
  recheck(): { readonly lines: number; readonly differences: readonly string[] } {
    const differences: string[] = [];
    let lines = 0;
    for (const state of this.#states.slice()) {
      if (state.other === null) continue;
      for (const { input, transition } of state.transitions.values()) {
        lines++;
        const again = this.#work(state, state.other, input);
        if (JSON.stringify(again) !== JSON.stringify(transition))
          differences.push(`${JSON.stringify(input)} in state ${state.number} depends on how it was reached`);
      }
    }
    return { lines, differences };
  }

  #replay({ boot, inputs }: History): Server {
    const server = new Server(this.#scope, this.messages, boot);
    for (const input of inputs) server.take(input);
    this.handled += inputs.length;
    return server;
  }

  #work(state: Held, history: History, input: Input): Transition {
    const server = this.#replay(history);
    this.handled++;
    let stages: readonly Stage[];
    try {
      stages = server.take(input);
    } catch (error) {
      return { whole: { kind: 'broken', law: 'invariants of the core', message: String(error) }, cut: [] };
    }
    const cut: Outcome[] = [];
    const sent: Sent[] = [];
    let { deeds, durable } = state;
    let reply: number | null = null;
    const dies = (): void => {
      cut.push({ kind: 'state', next: this.started(durable, deeds), sent: [...sent], reply });
    };
    for (const stage of stages) {
      if (stage.durable !== null) {
        // With nothing said so far it is the same as dying before.
        if (sent.length > 0 || reply !== null) dies();
        durable = stage.durable;
        dies();
      }
      const after = withVotes(deeds, this.messages, input, stage);
      if (typeof after === 'string')
        return { whole: { kind: 'broken', law: 'one vote per term', message: after }, cut };
      deeds = after;
      sent.push(...stage.sent);
      reply = stage.replies[0] ?? reply;
    }
    const { role, term } = server.node.state;
    if (role === 'leader') deeds = withLeadership(deeds, term);
    const next = this.#intern({ boot: history.boot, inputs: [...history.inputs, input] }, deeds, server);
    return { whole: { kind: 'state', next, sent, reply }, cut };
  }

  #intern(history: History, deeds: Deeds, server: Server): number {
    const { durable, hasShortTimers } = server;
    const { role, term, commitIndex } = server.node.state;
    const log = entryTexts(durable);
    const key = fingerprint(server, log, deeds);
    const known = this.#numbers.get(key);
    if (known !== undefined) {
      const state = this.#states[known]!;
      // Two starts from one disk are the same way.
      if (history.inputs.length > 0 || state.history.inputs.length > 0) state.other = history;
      return known;
    }
    const number = this.#states.length;
    const waiting = waitingOf(server);
    const shown = { number, term, role, commitIndex, log, deeds, hasShortTimers, waiting };
    this.#states.push({ ...shown, durable, history, other: null, transitions: new Map(), mirror: null });
    this.#numbers.set(key, number);
    return number;
  }
}

function waitingOf(server: Server): Standing[][] {
  const standings = (peer: number): Standing[][] =>
    lanes.map((lane) => server.outstanding(peer, lane).map((one) => standingOf(server, one)));
  return [...standings(1), ...standings(2)];
}

function mirroredDurable(durable: Durable): Durable {
  const { votedFor } = durable.hard;
  if (votedFor === null || votedFor.id === idOf(0)) return durable;
  const peer = 3 - Number(votedFor.id!.slice(1));
  const hard: HardState = { ...durable.hard, votedFor: { id: idOf(peer), address: addressOf(peer) } };
  return { ...durable, hard };
}
