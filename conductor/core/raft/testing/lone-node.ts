/**
 * One RaftNode whose peers are the test: what it sends is collected and answered by hand, its time is the test's.
 */
import { atOnce, Driver } from '../../drive.ts';
import type { FailureReason, OutboundRequest, WriteBatch } from '../../ports.ts';
import type { RaftCommand, RaftEvent, RaftNotice, RaftOptions, RaftResult, Ready } from '../events.ts';
import { RaftNode } from '../node.ts';
import { RAFT_DEFAULTS } from '../options.ts';
import type { RaftStatus } from '../status.ts';
import type { Configuration, RpcRequest, RpcResponse } from '../types.ts';
import { ListMachine } from './list-machine.ts';
import { MemoryStore } from './memory-store.ts';
import { appendReply, ballot, configurationEntry, storeWith } from './messages.ts';

export interface LoneNodeOptions {
  readonly id?: string;
  readonly raft?: Partial<RaftOptions>;
  readonly store?: MemoryStore;
  readonly machine?: ListMachine;
  /** What the random port returns, 0.5 unless told. */
  readonly random?: () => number;
}

type WithoutId<Command> = Command extends RaftCommand ? Omit<Command, 'requestId'> : never;

export class LoneNode {
  readonly id: string;
  readonly node: RaftNode;
  readonly store: MemoryStore;
  readonly machine: ListMachine;
  nowMs = 0;
  /** What the wall clock has run ahead of the monotonic one. */
  unseenMs = 0;
  /** Requests not taken yet, in the order sent. */
  sent: OutboundRequest[] = [];
  readonly replies = new Map<number, RpcResponse>();
  readonly results = new Map<number, RaftResult>();
  readonly notices: RaftNotice[] = [];
  readonly forgotten: string[] = [];
  /** Order of effects: `send <kind>` and `write`. */
  readonly trace: string[] = [];
  readonly #driver: Driver<Ready>;
  #nextId = 1;

  constructor(options: LoneNodeOptions = {}) {
    this.id = options.id ?? 'n1';
    this.store = options.store ?? new MemoryStore();
    this.machine = options.machine ?? new ListMachine();
    const ports = {
      store: this.store,
      stateMachine: this.machine,
      random: { next: options.random ?? (() => 0.5) },
      wallClock: { unixMs: () => this.nowMs + this.unseenMs, aheadMs: () => this.unseenMs },
      version: 'test',
    };
    this.node = new RaftNode({ ...RAFT_DEFAULTS, ...options.raft, id: this.id, address: `${this.id}:1` }, ports, 0);
    this.#driver = new Driver({
      core: this.node,
      writer: atOnce({ write: (batch) => this.#write(batch) }),
      transport: {
        send: (message) => this.#send(message),
        reply: (inboundId, response) => this.replies.set(inboundId, response),
        forget: (peerId) => this.forgotten.push(peerId),
      },
      nowMs: () => this.nowMs,
      deliver: (ready) => this.#deliver(ready),
    });
    this.#driver.drain();
  }

  /** A leader of `configuration` in term 2 whose no-op at index 2 every other member has acknowledged. */
  static leader(configuration: Configuration, options: LoneNodeOptions = {}): LoneNode {
    const lone = new LoneNode({ store: storeWith([configurationEntry(1, 1, configuration)]), ...options });
    lone.elect();
    lone.acknowledgeAll();
    return lone;
  }

  /** The same, whose other members are of this software and answer with this status; nothing is under way. */
  static nativeLeader(configuration: Configuration, peerStatus: Uint8Array): LoneNode {
    const lone = new LoneNode({ store: storeWith([configurationEntry(1, 1, configuration)]) });
    lone.elect();
    for (const message of lone.take('append')) lone.acknowledge(message, peerStatus);
    lone.acknowledgeAll();
    lone.sent = [];
    return lone;
  }

  get status(): RaftStatus {
    return this.node.status();
  }

  /** Lets the election timer run out and grants everything asked for. */
  elect(): void {
    this.run(2 * RAFT_DEFAULTS.electionTimeoutMs, () => this.sent.some(({ request }) => request.kind !== 'append'));
    for (const kind of ['prevote', 'vote'] as const) {
      for (const message of this.take(kind)) {
        const { request } = message;
        const term = 'term' in request ? request.term : 0;
        this.answer(message, ballot(message.peerId, kind, term, true));
      }
    }
  }

  /** Answers every append sent so far, and those that follow from the answers, with success. */
  acknowledgeAll(except: readonly string[] = []): void {
    const held: OutboundRequest[] = [];
    for (let message = this.sent.shift(); message; message = this.sent.shift()) {
      if (message.request.kind !== 'append' || except.includes(message.peerId)) held.push(message);
      else this.acknowledge(message);
    }
    this.sent = held;
  }

  /** Success from a follower that held all up to the request's previous entry; a promise of what was asked for (rule 34). */
  acknowledge(message: OutboundRequest, peerStatus?: Uint8Array): void {
    if (message.request.kind !== 'append') throw new Error(`cannot acknowledge ${message.request.kind}`);
    const { term, prevLogIndex: lastLog, electionTimeoutMs } = message.request;
    const ours = {
      ...(peerStatus === undefined ? {} : { peerStatus }),
      ...(electionTimeoutMs === undefined ? {} : { electionTimeoutMs }),
    };
    this.answer(message, appendReply(message.peerId, { term, success: true, lastLog, ...ours }));
  }

  handle(event: RaftEvent): void {
    this.node.handle(event, this.nowMs);
    this.#driver.drain();
  }

  /** A request on a connection (1 unless told); its answer, if one came at once. */
  request(request: RpcRequest, connectionId = 1): RpcResponse | undefined {
    const inboundId = this.#nextId++;
    this.handle({ kind: 'request', connectionId, inboundId, request });
    return this.replies.get(inboundId);
  }

  /** A command; its id, by which `results` holds its outcome. */
  command(command: WithoutId<RaftCommand>): number {
    const requestId = this.#nextId++;
    this.handle({ ...command, requestId } as RaftCommand);
    return requestId;
  }

  propose(text: string): number {
    return this.command({ kind: 'propose', data: new TextEncoder().encode(text) });
  }

  answer(message: OutboundRequest, response: RpcResponse): void {
    this.handle({ kind: 'response', requestId: message.requestId, response });
  }

  fail(message: OutboundRequest, reason: FailureReason): void {
    this.handle({ kind: 'failed', requestId: message.requestId, reason, message: reason });
  }

  /** Takes what was sent, of one kind or to one peer. Heartbeats count as their own kind. */
  take(kind: RpcRequest['kind'] | 'heartbeat', peerId?: string): OutboundRequest[] {
    const isWanted = (message: OutboundRequest): boolean =>
      kindOf(message) === kind && (peerId === undefined || message.peerId === peerId);
    const taken = this.sent.filter(isWanted);
    this.sent = this.sent.filter((message) => !isWanted(message));
    return taken;
  }

  /** Lets time pass, waking the node at its deadlines; ends early once `until` holds. */
  run(ms: number, until: () => boolean = () => false): void {
    const endMs = this.nowMs + ms;
    for (;;) {
      if (until()) return;
      const atMs = this.node.nextDeadlineMs();
      if (atMs > endMs) break;
      if (atMs <= this.nowMs)
        throw new Error(`a deadline at ${atMs} is due again at ${this.nowMs}: the host would spin`);
      this.nowMs = atMs;
      this.handle({ kind: 'tick' });
    }
    this.nowMs = endMs;
    this.handle({ kind: 'tick' });
  }

  #write(batch: WriteBatch): void {
    this.store.write(batch);
    this.trace.push('write');
  }

  #deliver({ results, notices }: Ready): void {
    for (const result of results) {
      if (this.results.has(result.requestId)) throw new Error(`request ${result.requestId} is answered twice`);
      this.results.set(result.requestId, result);
    }
    this.notices.push(...notices);
  }

  #send(message: OutboundRequest): void {
    this.sent.push(message);
    this.trace.push(`send ${kindOf(message)}`);
  }
}

function kindOf({ request, channel }: OutboundRequest): RpcRequest['kind'] | 'heartbeat' {
  return request.kind === 'append' && channel === 'heartbeat' ? 'heartbeat' : request.kind;
}

/** What alarms notices tell of. */
export function alarmsOf(notices: readonly RaftNotice[]): string[] {
  return notices.flatMap((notice) => (notice.kind === 'alarm' ? [notice.alarm] : []));
}
