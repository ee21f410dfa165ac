/**
 * One real RaftNode with its disk, driven by hand: every input is handled and drained as a host does it, and what
 * it sends is kept apart by what was durable at that moment, so that the process can die anywhere in between.
 */
import { atOnce, Driver } from '#conductor/core/drive';
import { RaftNode } from '#conductor/core/raft/node';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import type { RaftEvent, RaftOptions, Ready } from '#conductor/core/raft/events';
import type { OutboundRequest, StateMachine, WriteBatch } from '#conductor/core/ports';
import type { Entry, HardState, RpcRequest, RpcResponse } from '#conductor/core/raft/types';
import { Disk } from '../disk.ts';
import type { Input, Lane } from './input.ts';
import { addressOf, idOf, type Messages } from './message.ts';
import type { Scope } from './scope.ts';

/** Timeouts so long, and everything else so short beside them, that only the search decides which timer runs out. */
const LONG_MS = 1e9;
const SHORT_MS = 1e6;
const NEVER_MS = 1e15;
const CONNECTION = { vote: 1, replicate: 3 } as const satisfies Record<Lane, number>;

const encoder = new TextEncoder();

/** What a disk holds; the log begins at index 1. */
export interface Durable {
  readonly hard: HardState;
  readonly entries: readonly Entry[];
}

/** A request on its way out: to a peer, on a lane, by its message's number. */
export interface Sent {
  readonly to: number;
  readonly lane: Lane;
  readonly message: number;
}

/** Part of handling an input, between two moments at which a crash makes a difference. */
export interface Stage {
  /** The disk after the write with which it begins; null if there is none. */
  readonly durable: Durable | null;
  readonly sent: readonly Sent[];
  /** Answers to the request that was handled: one or none. */
  readonly replies: readonly number[];
}

/** A stage whose end has not come. */
interface OpenStage extends Stage {
  readonly sent: Sent[];
  readonly replies: number[];
}

/** A request without an answer. */
export interface Outstanding {
  readonly requestId: number;
  readonly request: RpcRequest;
  /** What the answer will be held against: the round of a ballot, or how often replication to the peer had begun anew. */
  readonly epoch: number;
}

const machine: StateMachine = {
  summarize: () => null,
  appended: () => undefined,
  truncated: () => undefined,
  compacted: () => undefined,
  apply: () => null,
  snapshot: () => null,
  restore: () => 'no snapshots here',
};

export class Server {
  readonly node: RaftNode;
  readonly scope: Scope;
  readonly #disk = new Disk();
  readonly #messages: Messages;
  readonly #outstanding = new Map<string, Outstanding[]>();
  readonly #driver: Driver<Ready>;
  /** Stages of the input that is being handled, and the one that is not over yet. */
  #stages: Stage[] = [];
  #stage: OpenStage = openStage(null);
  #nowMs = 0;
  #inboundId = 0;

  constructor(scope: Scope, messages: Messages, durable: Durable) {
    this.scope = scope;
    this.#messages = messages;
    this.#disk.write({ hardState: durable.hard, entries: durable.entries.map((entry) => ({ entry, summary: null })) });
    const ports = {
      store: this.#disk,
      stateMachine: machine,
      random: { next: () => 0.5 },
      wallClock: { unixMs: () => 0, aheadMs: () => 0 },
      version: 'searched',
    };
    this.node = new RaftNode(optionsOf(scope), ports, 0);
    this.#driver = new Driver({
      core: this.node,
      writer: atOnce({ write: (batch) => this.#write(batch) }),
      transport: {
        send: (message) => this.#send(message),
        reply: (_inboundId, response) => this.#reply(response),
        forget: () => undefined,
      },
      nowMs: () => this.#nowMs,
      deliver: () => this.#endStage(null),
    });
    this.#driver.drain();
  }

  /** Requests without an answer, oldest first. */
  outstanding(peer: number, lane: Lane): readonly Outstanding[] {
    return this.#outstanding.get(`${peer} ${lane}`) ?? [];
  }

  get durable(): Durable {
    const entries: Entry[] = [];
    for (let index = 1; index <= this.#disk.lastIndex; index++) entries.push(this.#disk.entryAt(index)!);
    return { hard: this.#disk.hardState!, entries };
  }

  /** Whether a leader has something to do shortly. */
  get hasShortTimers(): boolean {
    return this.node.state.role === 'leader' && this.node.nextDeadlineMs() - this.#nowMs <= SHORT_MS;
  }

  /** Lets something happen; the stages of what came of it, in order. */
  take(input: Input): Stage[] {
    this.#stages = [];
    for (const event of this.#events(input)) {
      this.node.handle(event, this.#nowMs);
      this.#driver.drain();
    }
    return this.#stages;
  }

  /** Sets the clock to when the input happens. */
  #events(input: Input): RaftEvent[] {
    switch (input.kind) {
      case 'timeout':
        this.#nowMs = this.node.nextDeadlineMs();
        return [{ kind: 'tick' }];
      case 'wait':
        this.#nowMs += SHORT_MS;
        return [{ kind: 'tick' }];
      case 'stall':
        this.#nowMs += LONG_MS + 1;
        return [{ kind: 'tick' }];
      case 'handOver': {
        this.#forgetLeader();
        const request = { kind: 'timeoutNow' as const, protocolVersion: 3, id: idOf(1), address: addressOf(1) };
        return [this.#request(2, request)];
      }
      case 'propose':
        return [{ kind: 'propose', requestId: ++this.#inboundId, data: encoder.encode(input.text) }];
      case 'request': {
        const request = this.#messages.sentBy(input.message, input.from) as RpcRequest;
        if (request.kind === 'vote' || request.kind === 'prevote') this.#forgetLeader();
        return [this.#request(CONNECTION[input.lane] + input.from, request)];
      }
      case 'response': {
        const { requestId } = this.#outstanding.get(`${input.from} ${input.lane}`)!.shift()!;
        const response = this.#messages.sentBy(input.message, input.from) as RpcResponse;
        return [{ kind: 'response', requestId, response }];
      }
      case 'failed': {
        const failed = this.#outstanding.get(`${input.from} ${input.lane}`)!.splice(0);
        return failed.map(({ requestId }) => ({ kind: 'failed', requestId, reason: 'reset', message: 'reset' }));
      }
    }
  }

  /** No candidate is refused, and no word to take over ignored, just because a leader was heard lately: that is a matter of time. */
  #forgetLeader(): void {
    const { role, leader, contactMs } = this.node.state;
    if (role !== 'leader' && leader !== null) this.#nowMs = Math.max(this.#nowMs, contactMs + LONG_MS);
  }

  #request(connectionId: number, request: RpcRequest): RaftEvent {
    return { kind: 'request', connectionId, inboundId: ++this.#inboundId, request };
  }

  /** A crash before it finds what was sent first, one after it the rest, too. */
  #write(batch: WriteBatch): void {
    this.#disk.write(batch);
    this.#endStage(this.durable);
  }

  /** `durable`: the disk as the next stage finds it. */
  #endStage(durable: Durable | null): void {
    this.#stages.push(this.#stage);
    this.#stage = openStage(durable);
  }

  #send({ requestId, peerId, channel, request }: OutboundRequest): void {
    // That somebody is told to take over can happen at any time ('handOver'), and not only to whom a leader would choose.
    const isBallot = request.kind === 'vote' || request.kind === 'prevote';
    if ((!isBallot && channel !== 'replicate') || request.kind === 'timeoutNow') return;
    const lane = isBallot ? 'vote' : 'replicate';
    const to = Number(peerId.slice(1));
    const { round, leadership } = this.node.state;
    const epoch = isBallot ? (round?.id ?? 0) : (leadership?.peers.get(peerId)?.epoch ?? 0);
    const key = `${to} ${lane}`;
    const waiting = this.#outstanding.get(key) ?? [];
    waiting.push({ requestId, request, epoch });
    this.#outstanding.set(key, waiting);
    this.#stage.sent.push({ to, lane, message: this.#messages.number(request) });
  }

  #reply(response: RpcResponse): void {
    if (response.kind !== 'timeoutNow') this.#stage.replies.push(this.#messages.number(response));
  }
}

function openStage(durable: Durable | null): OpenStage {
  return { durable, sent: [], replies: [] };
}

function optionsOf({ tellsCommits, appendEntriesMax, inflightRequestsMax }: Scope): RaftOptions {
  return {
    ...RAFT_DEFAULTS,
    id: idOf(0),
    address: addressOf(0),
    heartbeatTimeoutMs: LONG_MS,
    electionTimeoutMs: LONG_MS,
    leaderLeaseMs: LONG_MS,
    commitTimeoutMs: tellsCommits ? 1 : LONG_MS,
    snapshotIntervalMs: NEVER_MS,
    appendEntriesMax,
    inflightRequestsMax,
    fastElections: false,
  };
}
