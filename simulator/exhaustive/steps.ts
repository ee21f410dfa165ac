/**
 * Everything that can happen next in a state of a cluster, and what comes of it. What can change nothing any more
 * (an answer to a ballot that is over) happens at once and is no step of its own.
 */
import { linkAt, peerOf, SERVERS, type Cluster, type ClusterState } from './cluster.ts';
import { laneNumber, lanes, type Input, type Lane } from './input.ts';
import { brokenLaw, names, type Violation } from './laws.ts';
import type { LocalState, Outcome } from './local-states.ts';
import type { Budget } from './scope.ts';
import { settle } from './settle.ts';
import { told } from './telling.ts';

export interface Step {
  /** What happened, in words. */
  readonly label: () => string;
  readonly next: ClusterState;
  readonly violation: Violation | null;
}

/** Steps are found one by one and given to `found`. */
export class Steps {
  readonly #cluster: Cluster;
  readonly #found: (step: Step) => void;

  constructor(cluster: Cluster, found: (step: Step) => void) {
    this.#cluster = cluster;
    this.#found = found;
  }

  from(state: ClusterState): void {
    for (let server = 0; server < SERVERS; server++) {
      this.#ofServer(state, server);
      for (const peer of [1, 2]) this.#ofLink(state, server, peer);
    }
  }

  #local(state: ClusterState, server: number): LocalState {
    return this.#cluster.locals.get(state[server]!);
  }

  #ofServer(state: ClusterState, server: number): void {
    const { scope } = this.#cluster;
    const local = this.#local(state, server);
    const has = (budget: Budget): boolean => this.#cluster.left(state, budget) > 0;
    const take = (input: Input, label: string, budget: Budget | null): void => {
      const from = budget === null ? state : this.#cluster.spend(state, budget);
      this.#take(from, server, input, () => `${names[server]} ${label}`);
    };
    if (local.role === 'leader') {
      const text = String(scope.proposals - this.#cluster.left(state, 'proposals') + 1);
      if (has('proposals')) take({ kind: 'propose', text }, `is given command ${text}`, 'proposals');
      if (has('stallsOfLeaders')) take({ kind: 'stall' }, 'hears no quorum for a lease', 'stallsOfLeaders');
      if (local.hasShortTimers) take({ kind: 'wait' }, 'waits a moment', null);
    } else if (local.term < scope.termMax) {
      if (has('timeouts')) take({ kind: 'timeout' }, 'hears of no leader for too long', 'timeouts');
      if (has('handOvers')) take({ kind: 'handOver' }, 'is told to take over', 'handOvers');
    }
    if (has('crashes')) this.#crash(state, server);
  }

  #crash(state: ClusterState, server: number): void {
    const next = this.#cluster.spend(state, 'crashes').with(server, this.#cluster.locals.restart(state[server]!));
    this.#judge(this.#cut(next, state, server), server, () => `${names[server]} dies and is started again`);
  }

  #ofLink(state: ClusterState, server: number, peer: number): void {
    const { links, locals } = this.#cluster;
    const at = linkAt(server, peer);
    const to = peerOf(server, peer);
    const link = links.get(state[at]!);
    const { waiting } = this.#local(state, server);
    const back = SERVERS - peer;
    for (const lane of lanes) {
      const { requests, responses, isDead } = link[lane];
      const [message] = requests;
      if (message !== undefined) {
        const input = { kind: 'request', from: back, lane, message } as const;
        this.#take(
          state,
          to,
          input,
          () => told(this.#cluster.locals.messages, server, to, message),
          (reply) => links.deliver(state[at]!, lane, reply),
        );
      }
      const [answer] = responses;
      if (answer !== undefined) {
        const input = { kind: 'response', from: peer, lane, message: answer } as const;
        this.#take(
          state,
          server,
          input,
          () => told(this.#cluster.locals.messages, to, server, answer),
          () => links.answer(state[at]!, lane),
        );
      }
      if (waiting[laneNumber(peer, lane)]!.length === 0) continue;
      const failed = { kind: 'failed', from: peer, lane } as const;
      const label = (): string => `${names[server]} finds its ${lane} connection to ${names[to]} closed`;
      if (isDead) this.#take(state, server, failed, label, () => links.break(state[at]!, lane));
      else if (this.#cluster.left(state, 'breaks') > 0)
        this.#take(this.#cluster.spend(state, 'breaks'), server, failed, label, () => links.break(state[at]!, lane));
    }
    for (let which = 0; which < link.orphans.length; which++) {
      const message = link.orphans[which]![0]!;
      const lane = locals.messages.get(message).kind === 'append' ? 'replicate' : 'vote';
      const input = { kind: 'request', from: back, lane, message } as const;
      this.#take(
        state,
        to,
        input,
        () => `late: ${told(this.#cluster.locals.messages, server, to, message)}`,
        () => links.deliverOrphan(state[at]!, which),
      );
    }
  }

  /** An input to a server, in all the ways it can end. `consume` gives the link that the input came over, with the reply. */
  #take(
    state: ClusterState,
    server: number,
    input: Input,
    label: () => string,
    consume: (reply: number | null) => number = () => 0,
  ): void {
    const { whole, cut } = this.#cluster.locals.take(state[server]!, input);
    this.#outcome(state, server, input, whole, label, consume, false);
    if (this.#cluster.left(state, 'crashes') === 0) return;
    const dying = this.#cluster.spend(state, 'crashes');
    for (const outcome of cut) {
      this.#outcome(
        dying,
        server,
        input,
        outcome,
        () => `${label()}, and ${names[server]} dies over it`,
        consume,
        true,
      );
    }
  }

  #outcome(
    state: ClusterState,
    server: number,
    input: Input,
    outcome: Outcome,
    label: () => string,
    consume: (reply: number | null) => number,
    hasDied: boolean,
  ): void {
    if (outcome.kind === 'broken') {
      const message = outcome.message.replaceAll(/@([0-2])/g, (_, peer) => names[peerOf(server, Number(peer))]!);
      const violation = { law: outcome.law, message: `${names[server]}: ${message}` };
      return this.#found({ label, next: state, violation });
    }
    let next: ClusterState = state.with(server, outcome.next);
    if (input.kind === 'request')
      next = next.with(linkAt(peerOf(server, input.from), SERVERS - input.from), consume(outcome.reply));
    if (input.kind === 'response' || input.kind === 'failed')
      next = next.with(linkAt(server, input.from), consume(null));
    for (const { to, lane, message } of outcome.sent) {
      const at = linkAt(server, to);
      next = next.with(at, this.#cluster.links.send(next[at]!, lane, message));
    }
    if (hasDied) next = this.#cut(next, state, server);
    this.#judge(next, server, label);
  }

  /** What becomes of the links of a server that has died. */
  #cut(next: ClusterState, before: ClusterState, server: number): ClusterState {
    let after: ClusterState = next;
    for (const peer of [1, 2]) {
      const out = linkAt(server, peer);
      after = after.with(out, this.#cluster.links.senderDied(after[out]!));
      const back = SERVERS - peer;
      const at = linkAt(peerOf(server, peer), back);
      const { waiting } = this.#local(before, peerOf(server, peer));
      const waits = (lane: Lane): boolean => waiting[laneNumber(back, lane)]!.length > 0;
      after = after.with(at, this.#cluster.links.receiverDied(after[at]!, waits));
    }
    return after;
  }

  #judge(state: ClusterState, server: number, label: () => string): void {
    const locals = state.slice(0, SERVERS).map((number) => this.#cluster.locals.get(number));
    const { committed } = this.#cluster;
    const known = committed.advance(this.#cluster.committedOf(state), locals[server]!);
    if (typeof known === 'string') {
      const violation = { law: 'state machine safety', message: `${names[server]}: ${known}` };
      return this.#found({ label, next: state, violation });
    }
    const next = this.#cluster.withCommitted(state, known);
    const violation = brokenLaw(locals, server, committed.get(known));
    this.#found({ label, next: violation === null ? settle(this.#cluster, next) : next, violation });
  }
}
