/**
 * Validated commits (rule 28): the leader's own execution client executes a block before it is appended, with `quorum`
 * those of the other voters as well, and a majority must find it valid. INVALID is refused and never published; anything
 * but a verdict, and a verdict that takes too long, lets the commit go on and is counted; but for a client that is SYNCING
 * and stands on the block's parent: it would lose its state by what op-node does with the block. A client's INVALID is
 * kept, so that the same block is refused at once when it is offered again.
 */
import { newPayload, readPayloadStatus, verdictTimeoutMs, type PayloadStatus } from '../node/engine-calls.ts';
import { isHead, latestBlock, type CallResult, type NodeRequest } from '../node/calls.ts';
import type { Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import type { VoterVerdict } from '../raft/types.ts';
import { quorumSize } from '../raft/quorum.ts';
import type { Logger, Metrics } from '../ports.ts';

/**
 * --consensus.validate: nobody executes a block before it is committed, or the leader's execution client does, or the
 * clients of a majority of the voters do, the leader's among them (rule 28).
 */
export const validationPolicies = ['off', 'leader', 'quorum'] as const;
export type ValidationPolicy = (typeof validationPolicies)[number];

/** Longest part of a block time that a commit waits for the verdict, and its bound in milliseconds. */
const waitPart = 0.5;
const waitMaxMs = 500;
/** After so many late verdicts in a row the next is not waited for: waiting and op-node's own execution together would outlast a slot. */
const lateMax = 2;
/** Where the client stands is asked for so long, milliseconds. */
const headTimeoutMs = 300;
/** A refused hash is refused again without asking for so long, milliseconds; its client may have been sick. */
const refusedForMs = 60_000;
const refusedMax = 64;
/** So many blocks in a row without a verdict are an alarm. */
const unvalidatedMax = 10;

export interface ValidationHost {
  readonly metrics: Metrics;
  readonly logger: Logger;
  nowMs(): number;
  /** `then` is called once, with the result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
  /** Ids of all voters; and who of them is this server, which may be none. */
  voters(): { readonly ids: readonly string[]; readonly selfId: string };
  /** Gives the block to the other voters' clients; ids of those that were asked, each of which is heard of once in `voterAnswered`. */
  askVoters(questionId: number, ssz: Uint8Array, timeoutMs: number): readonly string[];
}

/** What is known before the append: 'unknown' goes on without a verdict. */
export type Verdict =
  | { readonly kind: 'valid' | 'unknown' }
  | { readonly kind: 'invalid'; readonly message: string }
  /** The own client executes nothing that follows its head. */
  | { readonly kind: 'unable' };

/** A block that is being executed. */
interface Asked {
  readonly questionId: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly number: bigint;
  /** When the commit goes on without a verdict. */
  readonly untilMs: number;
  readonly decided: (verdict: Verdict) => void;
  /** The voters were slow lately: the own client's word suffices, and the commit goes on with it. */
  readonly isOwnEnough: boolean;
  /** The commit went on without waiting for the rest. */
  isLate: boolean;
  /** The own client's word; null before it came. */
  own: PayloadStatus | null;
  isUnable: boolean;
  /** Voters that have not answered yet. */
  readonly missing: Set<string>;
  readonly valid: Set<string>;
  /** Who refuses it, and in what words. */
  readonly invalid: Map<string, string>;
}

export class Validation {
  readonly #host: ValidationHost;
  readonly #waitMs: number;
  readonly #isQuorum: boolean;
  readonly #asked = new Map<number, Asked>();
  readonly #refused = new Map<string, { readonly message: string; readonly atMs: number }>();
  #nextQuestionId = 1;
  #unvalidatedCount = 0;
  /** How many verdicts in a row came too late: the own client's, and with `quorum` the majority's. */
  #lateCount = 0;
  #lateQuorumCount = 0;

  constructor(policy: Exclude<ValidationPolicy, 'off'>, blockTimeMs: number, host: ValidationHost) {
    this.#host = host;
    this.#isQuorum = policy === 'quorum';
    this.#waitMs = Math.min(waitPart * blockTimeMs, waitMaxMs);
  }

  /** What was said of this hash when it was refused lately; null for nothing. */
  refusalOf(hash: string): string | null {
    const known = this.#refused.get(hash);
    return known !== undefined && this.#host.nowMs() - known.atMs < refusedForMs ? known.message : null;
  }

  /** Has the clients execute the block; `decided` is called once, at the latest when the bound has passed. */
  begin(hash: string, envelope: Envelope, ssz: Uint8Array, decided: (verdict: Verdict) => void): void {
    const questionId = this.#nextQuestionId++;
    const asked: Asked = {
      questionId,
      hash,
      parentHash: prefixedHex(envelope.executionPayload.parentHash),
      number: envelope.executionPayload.blockNumber,
      untilMs: this.#host.nowMs() + this.#waitMs,
      decided,
      isOwnEnough: this.#lateQuorumCount >= lateMax,
      isLate: this.#lateCount >= lateMax,
      own: null,
      isUnable: false,
      missing: new Set(this.#isQuorum ? this.#host.askVoters(questionId, ssz, verdictTimeoutMs) : []),
      valid: new Set(),
      invalid: new Map(),
    };
    this.#asked.set(questionId, asked);
    this.#host.call(newPayload(envelope, verdictTimeoutMs), (result) => this.#answered(asked, result));
    if (asked.isLate) this.#goOn(asked, 'slow');
  }

  /** A voter that was asked has answered, or will not. */
  voterAnswered(questionId: number, { peerId, verdict, message }: VoterVerdict): void {
    const asked = this.#asked.get(questionId);
    if (!asked?.missing.delete(peerId)) return;
    this.#host.metrics.count('voter_validations_total', { voter: peerId, verdict });
    if (verdict === 'valid') asked.valid.add(peerId);
    if (verdict === 'invalid') asked.invalid.set(peerId, message);
    this.#judge(asked);
  }

  #answered(asked: Asked, result: CallResult): void {
    const status = readPayloadStatus(result);
    if (status.kind !== 'none' || status.reason !== 'syncing') return this.#said(asked, status);
    this.#host.call({ ...latestBlock, timeoutMs: headTimeoutMs }, (head) => {
      asked.isUnable = isHead(head, asked.parentHash);
      this.#said(asked, status);
    });
  }

  #said(asked: Asked, status: PayloadStatus): void {
    asked.own = status;
    this.#lateCount = this.#host.nowMs() < asked.untilMs ? 0 : this.#lateCount + 1;
    this.#host.metrics.count('validations_total', { verdict: verdictName(status), late: String(asked.isLate) });
    if (asked.isOwnEnough && !asked.isLate && status.kind === 'valid') {
      asked.isLate = true;
      this.#goOn(asked, 'slow-voters');
    }
    this.#judge(asked);
  }

  /** Decides as soon as nothing that is still to come can change it, and is done when all is known. */
  #judge(asked: Asked): void {
    const refusal = this.#refusalBy(asked);
    const isOver =
      refusal !== null || asked.isUnable || this.#isValid(asked) || (asked.own !== null && asked.missing.size === 0);
    if (!isOver || !this.#asked.delete(asked.questionId)) return;
    if (this.#isQuorum) this.#lateQuorumCount = this.#host.nowMs() < asked.untilMs ? 0 : this.#lateQuorumCount + 1;
    if (refusal !== null) this.#remember(asked.hash, refusal);
    if (asked.isLate) {
      if (refusal !== null) this.#alarmLate(asked, refusal);
      return;
    }
    if (refusal === null && asked.isUnable) return asked.decided({ kind: 'unable' });
    if (refusal === null && !this.#isValid(asked)) return this.#goOn(asked, reasonOf(asked));
    this.#unvalidatedCount = 0;
    asked.decided(refusal === null ? { kind: 'valid' } : { kind: 'invalid', message: refusal });
  }

  /** Why the block is refused: the own client does, or so many voters' that the others are no majority; null for not. */
  #refusalBy({ own, invalid }: Asked): string | null {
    if (own?.kind === 'invalid') return own.message;
    const { ids } = this.#host.voters();
    if (!this.#isQuorum || invalid.size <= ids.length - quorumSize(ids.length)) return null;
    return [...invalid].map(([id, message]) => `${id}: ${message}`).join('; ');
  }

  #isValid({ own, valid }: Asked): boolean {
    if (own?.kind !== 'valid') return false;
    const { ids, selfId } = this.#host.voters();
    const count = ids.filter((id) => id === selfId || valid.has(id)).length;
    return !this.#isQuorum || count >= quorumSize(ids.length);
  }

  /** Lets those go on that have waited long enough. */
  tick(): void {
    for (const asked of this.#asked.values()) {
      if (asked.isLate || this.#host.nowMs() < asked.untilMs) continue;
      asked.isLate = true;
      this.#goOn(asked, 'late');
    }
  }

  nextDeadlineMs(): number {
    let nextMs = Infinity;
    for (const { isLate, untilMs } of this.#asked.values()) if (!isLate) nextMs = Math.min(nextMs, untilMs);
    return nextMs;
  }

  /**
   * Without the verdict that was wanted; the leader's own goes with the block where there is one and no voter's client
   * has refused it: what is on record as valid stays, though all refuse it later (rule 6).
   */
  #goOn({ number, hash, own, invalid, decided }: Asked, reason: string): void {
    this.#unvalidatedCount += 1;
    this.#host.metrics.count('payloads_unvalidated_total', { reason });
    if (this.#unvalidatedCount % unvalidatedMax === 0) {
      this.#host.metrics.count('alarms_total', { kind: 'unvalidated' });
      const count = this.#unvalidatedCount;
      const whose = this.#isQuorum ? 'a majority of the execution clients' : 'the execution client';
      this.#host.logger.log('error', `blocks are committed without a verdict of ${whose}`, { count, reason });
    } else {
      this.#host.logger.log('debug', 'a block goes on without a verdict', { number, hash, reason });
    }
    decided({ kind: own?.kind === 'valid' && invalid.size === 0 ? 'valid' : 'unknown' });
  }

  #alarmLate({ number, hash }: Asked, message: string): void {
    this.#host.metrics.count('alarms_total', { kind: 'invalid-committed' });
    const text = 'the execution client refuses a block that went on before it had said so';
    this.#host.logger.log('error', text, { number, hash, err: message });
  }

  #remember(hash: string, message: string): void {
    this.#refused.delete(hash);
    this.#refused.set(hash, { message, atMs: this.#host.nowMs() });
    const [oldest] = this.#refused.keys();
    if (this.#refused.size > refusedMax && oldest !== undefined) this.#refused.delete(oldest);
  }
}

/** Why there is no verdict though all have answered that do. */
function reasonOf({ own }: Asked): string {
  return own?.kind === 'none' ? own.reason : 'no-quorum';
}

function verdictName(status: PayloadStatus): string {
  return status.kind === 'none' ? status.reason : status.kind;
}
