/**
 * A conductor with a store in memory and a node that answers at once, for tests of the whole core.
 * Time is a number that `run` moves; nothing here waits.
 */
import { VirtualNode, type Block } from '../node/testing/virtual-node.ts';
import { Conductor } from '../conductor.ts';
import { CONDUCTOR_DEFAULTS } from '../conductor-options.ts';
import { atOnce, Driver } from '../drive.ts';
import type { ConductorEvent, ConductorReady, StartedCall } from '../events.ts';
import type { Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { EnvelopeError, parseEnvelope } from '../payload/parse-envelope.ts';
import type { LogStore, OutboundRequest } from '../ports.ts';
import type { PublishedEvent } from '../published-event.ts';
import { RAFT_DEFAULTS } from '../raft/options.ts';
import { MemoryStore } from '../raft/testing/memory-store.ts';
import type { RpcResponse } from '../raft/types.ts';
import type { Outcome } from '../rpc/message.ts';
import type { MethodName } from '../rpc/methods.ts';
import type { ParamValue } from '../rpc/params.ts';
import type { ValidationPolicy } from '../rpc/validation.ts';

/** The time of day when the monotonic clock says 0, milliseconds. */
const UNIX_MS = 1_700_000_000_000;

/** A JSON-RPC answer as a client sees it. */
export interface ClientAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export class ConductorWorld {
  now = 1000;
  readonly published: PublishedEvent[] = [];
  /** What the wall clock has run ahead of the monotonic one. */
  unseenMs = 0;
  readonly node = new VirtualNode({
    unixMs: () => UNIX_MS + this.now,
    posted: (json) => {
      const envelope = parseEnvelope(json);
      if (envelope instanceof EnvelopeError) return null;
      this.knowBlocks([envelope]);
      return blockOf(envelope);
    },
    below: (head, number) => {
      let at: Block | undefined = head;
      while (at !== undefined && at.number > number) at = this.node.blocks.get(at.parentHash);
      return at ?? null;
    },
  });
  /** Requests of these methods are carried out and answered only when released. */
  readonly held = new Set<string>();
  exit: ConductorReady['exit'] = null;
  readonly logs: string[] = [];
  /** The fields of the last line of each text. */
  readonly lastFields = new Map<string, Readonly<Record<string, unknown>>>();
  /** The fields of every audit line. */
  readonly audited: Readonly<Record<string, unknown>>[] = [];
  /** Counters by name and labels, separated by spaces. */
  readonly counts = new Map<string, number>();
  readonly asked: string[] = [];
  /** What it sent to other servers, and its answers to them. */
  sent: OutboundRequest[] = [];
  readonly replies: RpcResponse[] = [];
  /** What other servers answer at once; null for nothing yet, which leaves the message in `sent`. */
  respond: (message: OutboundRequest) => RpcResponse | null = () => null;
  readonly store: LogStore;
  readonly conductor: Conductor;
  readonly #driver: Driver<ConductorReady>;
  readonly #envelopes = new Map<string, Envelope>();
  readonly #answers = new Map<number, ClientAnswer>();
  readonly #waiting: StartedCall[] = [];
  #nextAnswerId = 1;
  #seed = 1;

  constructor(
    options: {
      readonly store?: LogStore;
      readonly rollback?: 'proof' | 'refuse';
      readonly isPaused?: boolean;
      readonly validation?: ValidationPolicy;
    } = {},
  ) {
    this.store = options.store ?? new MemoryStore();
    const nothing = (): void => undefined;
    this.conductor = new Conductor(
      {
        ...CONDUCTOR_DEFAULTS,
        raft: { ...RAFT_DEFAULTS, id: 'a', address: '127.0.0.1:1' },
        healthIntervalMs: 1000,
        blockTimeMs: 1000,
        isPaused: options.isPaused ?? false,
        isActive: false,
        hasEngine: options.validation !== undefined && options.validation !== 'off',
        validation: options.validation ?? 'off',
        rollback: options.rollback ?? 'proof',
        version: 'v0',
      },
      {
        store: this.store,
        random: { next: () => (this.#seed = (this.#seed * 16_807) % 2_147_483_647) / 2_147_483_647 },
        wallClock: {
          unixMs: () => UNIX_MS + this.now + this.unseenMs,
          aheadMs: () => UNIX_MS + this.unseenMs,
        },
        metrics: {
          count: (name: string, labels: Readonly<Record<string, string>> = {}, by = 1) => {
            const key = [name, ...Object.values(labels)].join(' ');
            this.counts.set(key, (this.counts.get(key) ?? 0) + by);
          },
          gauge: nothing,
          observe: nothing,
        },
        logger: {
          log: (level, message, fields) => {
            this.logs.push(`${level} ${message}`);
            this.lastFields.set(message, fields ?? {});
            if (message === 'admin call') this.audited.push(fields ?? {});
          },
        },
        events: { publish: (event) => void this.published.push(event) },
      },
      this.now,
    );
    this.#driver = new Driver({
      core: this.conductor,
      writer: atOnce(this.store),
      transport: {
        send: (message) => this.sent.push(message),
        reply: (_inboundId, response) => this.replies.push(response),
        forget: nothing,
      },
      nowMs: () => this.now,
      deliver: (ready) => this.#deliver(ready),
    });
  }

  /** A cluster of one that has elected itself. */
  static bootstrapped(options: ConstructorParameters<typeof ConductorWorld>[0] = {}): ConductorWorld {
    const world = new ConductorWorld(options);
    world.push({ kind: 'bootstrap' });
    world.run(200);
    return world;
  }

  /** The block at the head of the own node; its client keeps what it once had. */
  get nodeHead(): Envelope | null {
    return this.#envelopes.get(this.node.head?.hash ?? '') ?? null;
  }

  set nodeHead(head: Envelope | null) {
    this.node.head = head === null ? null : blockOf(head);
    if (head !== null) this.knowBlocks([head]);
  }

  /** Feeds an event and carries out all that follows. */
  push(event: ConductorEvent): void {
    this.conductor.handle(event, this.now);
    this.#driver.drain();
    this.#hearPeers();
  }

  /** Lets time pass, from deadline to deadline. */
  run(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const due = Math.max(this.now, this.conductor.nextDeadlineMs());
      if (due > end) break;
      this.now = due === this.now ? this.now + 1 : due;
      this.push({ kind: 'tick' });
    }
    this.now = end;
    this.push({ kind: 'tick' });
  }

  /** Makes a call and returns its answer, letting up to ten seconds pass. */
  ask(method: MethodName, values: readonly ParamValue[] = []): ClientAnswer {
    const answerId = this.#nextAnswerId++;
    this.push({ kind: 'rpc', answerId, method, values, from: 'test', as: 'alice' });
    for (let step = 0; step < 1000 && !this.#answers.has(answerId); step += 1) this.run(10);
    const answer = this.#answers.get(answerId);
    if (answer === undefined) throw new Error(`${method} was not answered`);
    return answer;
  }

  /** Lets the requests held back go on, and holds no more. */
  release(): void {
    this.held.clear();
    for (const request of this.#waiting.splice(0)) this.#finish(request);
    this.#driver.drain();
  }

  /** Blocks the execution client can be asked for by hash. */
  knowBlocks(envelopes: readonly Envelope[]): void {
    for (const envelope of envelopes) {
      const block = blockOf(envelope);
      this.#envelopes.set(block.hash, envelope);
      this.node.blocks.set(block.hash, block);
    }
  }

  #hearPeers(): void {
    for (let at = 0; at < this.sent.length;) {
      const { requestId } = this.sent[at]!;
      const response = this.respond(this.sent[at]!);
      if (response === null) at += 1;
      else {
        this.sent.splice(at, 1);
        this.conductor.handle({ kind: 'response', requestId, response }, this.now);
        this.#driver.drain();
      }
    }
  }

  #deliver(ready: ConductorReady): void {
    for (const { answerId, outcome } of ready.answers) this.#answers.set(answerId, answerOf(outcome));
    this.exit ??= ready.exit;
    for (const request of ready.calls) {
      this.asked.push(request.method);
      if (this.held.has(request.method)) this.#waiting.push(request);
      else this.#finish(request);
    }
  }

  #finish(request: StartedCall): void {
    this.conductor.handle({ kind: 'callResult', callId: request.callId, result: this.node.answer(request) }, this.now);
  }
}

function answerOf(outcome: Outcome): ClientAnswer {
  if (outcome.kind === 'result') return { result: JSON.parse(outcome.json) as unknown };
  const { code, message, data } = outcome;
  return { error: { code, message, ...(data === undefined ? {} : { data: JSON.parse(data) as unknown }) } };
}

/** A payload by its place in the chain. */
export function blockOf({ executionPayload }: Envelope): Block {
  return {
    number: executionPayload.blockNumber,
    hash: prefixedHex(executionPayload.blockHash),
    parentHash: prefixedHex(executionPayload.parentHash),
  };
}
