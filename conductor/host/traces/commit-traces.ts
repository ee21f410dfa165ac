/**
 * Follows commits by what goes into the core and comes out of it, which names them: the call, the calls and messages of each
 * Ready, its write, the answers of peers, the committed head. The core knows nothing of it. A trace is told when its commit is
 * answered and every peer has been heard, or a second later.
 */
import type { Arrival } from '#conductor/adapters/http/arrival-times';
import type { TraceSink } from '#conductor/adapters/tracing/finished-trace';
import type { ConductorEvent, ConductorReady, StartedCall } from '#conductor/core/events';
import { membersOf } from '#conductor/core/node/calls';
import { identityOf, readSummary } from '#conductor/core/payload/block-summary';
import { prefixedHex } from '#conductor/core/payload/hex';
import type { OutboundRequest } from '#conductor/core/ports';
import type { PublishedEvent } from '#conductor/core/published-event';
import type { Outcome } from '#conductor/core/rpc/message';
import type { ParamValue } from '#conductor/core/rpc/params';
import { commitTrace, type Asked, type CommitRecord } from './commit-record.ts';

export const committingMethod = 'conductor_commitUnsafePayload';

/** How long an answered commit waits for the answers of slower peers, milliseconds. */
const slowPeerMs = 1000;
/** Most commits that are followed at once; more have no trace. */
const recordsMax = 64;

export interface CommitTracesOptions {
  readonly serverId: string;
  readonly sink: TraceSink;
  readonly nowMs: () => number;
  /** Calls `then` after so many milliseconds. */
  readonly later: (ms: number, then: () => void) => void;
}

export class CommitTraces {
  readonly #options: CommitTracesOptions;
  /** Under way, by answer id. */
  readonly #records = new Map<number, CommitRecord>();
  /** Calls to the execution client and requests to peers that belong to commits. */
  readonly #calls = new Map<number, Asked>();
  readonly #requests = new Map<number, Asked>();
  /** When the core was last done with an event. */
  #idleMs = 0;
  /** Records whose entry is being written. */
  #writing: CommitRecord[] = [];

  constructor(options: CommitTracesOptions) {
    this.#options = options;
  }

  /** A call that commits goes to the core next, under this id. */
  called(answerId: number, values: readonly ParamValue[], arrival: Arrival): void {
    if (this.#records.size >= recordsMax) return;
    this.#records.set(answerId, {
      ...arrival,
      ...blockOf(values[0]),
      takenMs: this.#options.nowMs(),
      admittedMs: null,
      validations: [],
      appendedMs: null,
      durableMs: null,
      index: null,
      term: null,
      replications: [],
      majorityMs: null,
      committedMs: null,
      answeredMs: null,
      outcome: null,
    });
  }

  /** The core has taken an event in this time. */
  handled(event: ConductorEvent, beganMs: number, endedMs: number): void {
    this.#idleMs = endedMs;
    if (event.kind === 'callResult') {
      const { result } = event;
      ended(this.#calls, event.callId, beganMs, result.kind === 'result' ? null : result.message);
    } else if (event.kind === 'response') {
      ended(this.#requests, event.requestId, beganMs, refusalIn(event.response));
    } else if (event.kind === 'failed') ended(this.#requests, event.requestId, beganMs, event.message);
  }

  /** The host is about to carry out a Ready. */
  wanted(ready: ConductorReady): void {
    if (this.#records.size === 0) return;
    const nowMs = this.#options.nowMs();
    for (const call of ready.calls) this.#noteCall(call, nowMs);
    const entries = ready.write?.entries ?? [];
    for (const { entry, summary } of entries) {
      const block = summary === null ? null : readSummary(summary);
      if (block === null) continue;
      const record = this.#find(prefixedHex(block.hash), nowMs);
      if (record === undefined || record.appendedMs !== null) continue;
      Object.assign(record, { appendedMs: nowMs, index: entry.index, term: entry.term });
      this.#writing.push(record);
    }
    for (const message of ready.sendFirst) this.#noteMessage(message, nowMs);
    for (const message of ready.send) this.#noteMessage(message, nowMs);
  }

  /** The write of the last Ready is durable. */
  written(): void {
    const nowMs = this.#options.nowMs();
    for (const record of this.#writing.splice(0)) record.durableMs = nowMs;
  }

  /** The core has published something. */
  published(event: PublishedEvent): void {
    if (event.kind !== 'commit') return;
    for (const record of this.#records.values()) {
      if (record.appendedMs === null || record.committedMs !== null || (record.number ?? Infinity) > event.number)
        continue;
      // The last that was heard of it; the core looks at all of a turn together.
      const heard = record.replications.map(({ endedMs }) => endedMs ?? 0);
      record.majorityMs = Math.max(record.appendedMs, record.durableMs ?? 0, ...heard);
      record.committedMs = this.#options.nowMs();
    }
  }

  /** The caller is answered. */
  answered(answerId: number, outcome: Outcome): void {
    const record = this.#records.get(answerId);
    if (record === undefined) return;
    this.#records.delete(answerId);
    record.answeredMs = this.#options.nowMs();
    record.outcome = outcome;
    const tell = (): void => this.#tell(record);
    // Peers that were no part of the majority may answer later.
    if (record.replications.some(({ endedMs }) => endedMs === null)) this.#options.later(slowPeerMs, tell);
    else tell();
  }

  #tell(record: CommitRecord): void {
    const { sink, serverId } = this.#options;
    sink.emit(commitTrace(record, serverId));
    // What is still asked names nobody any more.
    const asked = new Set([...record.replications, ...record.validations]);
    for (const under of [this.#calls, this.#requests])
      for (const [id, one] of under) if (asked.has(one)) under.delete(id);
  }

  #noteCall({ callId, target, method, params }: StartedCall, nowMs: number): void {
    if (target !== 'engine' || !method.startsWith('engine_newPayload')) return;
    for (const record of this.#records.values()) {
      if (record.appendedMs !== null || record.hash === '' || !params.includes(record.hash)) continue;
      record.admittedMs ??= this.#idleMs;
      this.#calls.set(callId, begin(record.validations, 'the own client', nowMs));
    }
  }

  #noteMessage({ requestId, peerId, request }: OutboundRequest, nowMs: number): void {
    if (request.kind === 'validate') {
      const record = this.#find(identityOf(request.payload ?? new Uint8Array())?.hash ?? '', nowMs);
      if (record !== undefined) this.#requests.set(requestId, begin(record.validations, peerId, nowMs));
      return;
    }
    if (request.kind !== 'append' || request.entries === null || request.entries.length === 0) return;
    const [first, last] = [request.entries[0]!.index, request.entries.at(-1)!.index];
    for (const record of this.#records.values()) {
      if (record.index === null || record.index < first || record.index > last) continue;
      this.#requests.set(requestId, begin(record.replications, peerId, nowMs));
    }
  }

  #find(hash: string, nowMs: number): CommitRecord | undefined {
    for (const record of this.#records.values()) {
      if (record.hash !== hash) continue;
      record.admittedMs ??= Math.min(this.#idleMs, nowMs);
      return record;
    }
    return undefined;
  }
}

function begin(list: Asked[], whom: string, beganMs: number): Asked {
  const asked: Asked = { whom, beganMs, endedMs: null, error: null };
  list.push(asked);
  return asked;
}

function ended(under: Map<number, Asked>, id: number, endedMs: number, error: string | null): void {
  const asked = under.get(id);
  if (asked === undefined) return;
  under.delete(id);
  asked.endedMs = endedMs;
  asked.error = error;
}

function refusalIn(response: {
  readonly kind: string;
  readonly success?: boolean;
  readonly message?: string | null;
}): string | null {
  if (response.kind === 'error') return response.message ?? 'an error';
  return response.success === false ? 'refused' : null;
}

/** What the parameter says of its block; it is not checked yet. */
function blockOf(value: ParamValue | undefined): Pick<CommitRecord, 'hash' | 'number'> {
  const json = typeof value === 'object' ? value.payload : null;
  const { blockHash: hash, blockNumber: number } = membersOf(membersOf(json)['executionPayload']);
  return {
    hash: typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : '',
    number: typeof number === 'string' && /^0x[0-9a-f]{1,13}$/i.test(number) ? Number(number) : null,
  };
}
