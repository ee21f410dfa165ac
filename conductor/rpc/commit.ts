/**
 * conductor_commitUnsafePayload: parse, verify, admit and append in one step, answer when committed
 * (rules 1, 2, 4 and 5). Commits that come before this term's first entry is applied wait for it;
 * the same hash again waits for the entry that holds it.
 */
import type { Logger, Metrics } from '../ports.ts';
import type { RaftResult } from '../raft/events.ts';
import type { RaftStatus } from '../raft/status.ts';
import { summaryOf, type BlockSummary } from '../payload/block-summary.ts';
import { EnvelopeError, parseEnvelope } from '../payload/parse-envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { checkSsz, SszError } from '../payload/ssz-check.ts';
import { encodeSsz, NO_WITHDRAWALS } from '../payload/ssz.ts';
import type { Admission, HeldBlock } from '../payload/admission.ts';
import { buildRollbackEntry } from '../payload/rollback-entry.ts';
import type { UnsafeChain } from '../payload/unsafe-chain.ts';
import type { BlockHeader, CallResult } from '../control/calls.ts';
import type { Steps } from '../control/effects.ts';
import { Procedure, type ProcedureHost } from '../control/procedure.ts';
import { examineRollback, type RollbackHost, type RollbackVerdict } from '../control/rollback.ts';
import { WALK_STEPS_MAX, walkToTip, type Walk } from '../control/walk.ts';
import type { Outcome } from './message.ts';
import { invalidParams, nothing, refused, unknown } from './outcomes.ts';
import { verifyHash, type Verification } from './verify-hash.ts';

/** Longest wait of one commit, milliseconds; then its outcome is unknown. */
const commitDeadlineMs = 5000;
/** Bytes of payloads that may wait for their verification behind another; more are refused. */
export const unverifiedBytesMax = 128 * 1024 * 1024;
/** Payloads up to this size are verified in the turn in which they were read. */
const unpausedBytesMax = 2 * 1024 * 1024;
/** Commits that may wait at once for anything; more are refused. */
const commitsWaitingMax = 1024;

export interface CommitHost extends ProcedureHost {
  readonly chain: UnsafeChain;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly isHashVerified: boolean;
  /** A block an operator says descends from the committed head (--consensus.allow-gap); null for none. */
  readonly vouchedHash: string | null;
  readonly rollback: Omit<RollbackHost, 'isOwnSequencer'>;
  status(): RaftStatus;
  /** Appends an entry and returns the id its result comes under. */
  propose(data: Uint8Array): number;
  answer(answerId: number, outcome: Outcome): void;
  /** The node offered a block where a committed one stands (rule 3). */
  nodeIsOff(): void;
  /** This loop started the sequencer in this term. */
  hasStartedSequencer(): boolean;
  /** Hands leadership to a peer whose node holds the committed head (rule 6). */
  handTo(target: string): void;
  /** A rollback is wanted and cannot be: an operator is needed. */
  rollbackRefused(why: string): void;
}

/** A payload on its way. */
interface Waiting {
  readonly answerId: number;
  readonly block: BlockSummary;
  readonly ssz: Uint8Array;
  readonly sinceMs: number;
  readonly verification: Verification | null;
  /** 'unverified': for its hash; 'term': for this term's first entry; 'same': for the entry that already holds it; 'proposed': for its own; 'inquiry': for the node. */
  state: 'unverified' | 'term' | 'same' | 'proposed' | 'inquiry';
  /** Term in which it was proposed or found; leadership of another ends the wait. */
  term: number;
}

const notLeaderMessage = 'failed to apply payload envelope: node is not the leader';

export class PayloadCommits {
  readonly #host: CommitHost;
  readonly #waiting = new Map<number, Waiting>();
  readonly #proposals = new Map<number, Waiting>();
  /** What is asked of the node about a payload before it is decided on; one at a time. */
  #inquiry: { readonly waiting: Waiting; readonly run: Procedure<never> } | null = null;
  /** Term of the last payload that was committed here. */
  #committedInTerm = 0;
  #isClosed = false;
  /** Height of a pending block for which another was refused: the node is brought to it when it commits (rule 3). */
  #offAtHeight: bigint | null = null;

  constructor(host: CommitHost) {
    this.#host = host;
  }

  /** Commits that have no answer yet. */
  get inFlight(): number {
    return this.#waiting.size;
  }

  /** Admits nothing any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** Takes the parsed JSON of an envelope. */
  commit(answerId: number, json: unknown): void {
    const envelope = parseEnvelope(json);
    if (envelope instanceof EnvelopeError) {
      return this.#host.answer(answerId, invalidParams(`invalid argument 0: ${envelope.message}`));
    }
    const ssz = encodeSsz(envelope);
    if (ssz instanceof SszError && ssz.message === NO_WITHDRAWALS) {
      const text = 'invalid argument 0: executionPayload has no withdrawals, which a payload of its version needs';
      return this.#host.answer(answerId, invalidParams(text));
    }
    if (ssz instanceof SszError) {
      return this.#refuse(answerId, 'malformed', `failed to marshal payload envelope: ${ssz.message}`);
    }
    const status = this.#host.status();
    if (status.role !== 'leader') return this.#refuse(answerId, 'not-leader', notLeaderMessage);
    if (this.#isClosed) return this.#refuse(answerId, 'shutting-down', 'this conductor is shutting down');
    if (this.#waiting.size >= commitsWaitingMax)
      return this.#refuse(answerId, 'busy', `${commitsWaitingMax} commits already wait`);
    const readable = checkSsz(ssz);
    if (readable instanceof SszError) {
      return this.#refuse(
        answerId,
        'unsupported',
        `no state machine can read this payload, so it must not be published: ${readable.message}`,
      );
    }
    const isBehindOthers = this.#firstUnverified() !== null;
    if (isBehindOthers && this.#unverifiedBytes() + ssz.length > unverifiedBytesMax)
      return this.#refuse(answerId, 'busy', `${unverifiedBytesMax} bytes of payloads already wait for verification`);
    const waiting: Waiting = {
      answerId,
      block: summaryOf(envelope),
      ssz,
      sinceMs: this.#host.nowMs(),
      verification: this.#host.isHashVerified ? verifyHash(envelope) : null,
      state: 'unverified',
      term: status.term,
    };
    this.#waiting.set(answerId, waiting);
    // A large one has cost a long turn already: peers are heard before its first step.
    if (!isBehindOthers && ssz.length <= unpausedBytesMax) this.#verify(waiting, status);
  }

  /** The first one whose hash is being verified; those behind it wait, so that blocks stay in order. */
  #firstUnverified(): Waiting | null {
    for (const waiting of this.#waiting.values()) if (waiting.state === 'unverified') return waiting;
    return null;
  }

  #unverifiedBytes(): number {
    let bytes = 0;
    for (const { state, ssz } of this.#waiting.values()) if (state === 'unverified') bytes += ssz.length;
    return bytes;
  }

  /** One step of the verification, and what follows from its end. */
  #verify(waiting: Waiting, status: RaftStatus): void {
    const step = waiting.verification?.next();
    if (step?.done === false) return;
    waiting.state = 'term';
    if (typeof step?.value === 'string') this.#finishRefused(waiting, 'block-hash', step.value);
    else this.#admit(waiting, status);
  }

  /** The result of a proposal; false when it is not one of ours. */
  resultDone(done: RaftResult): boolean {
    const waiting = this.#proposals.get(done.requestId);
    if (waiting === undefined) return false;
    this.#proposals.delete(done.requestId);
    if (!this.#waiting.has(waiting.answerId)) return true; // Its deadline has passed.
    if (done.kind === 'refused') this.#finishRefused(waiting, done.reason, done.message);
    else if (done.kind === 'unknown') this.#finishUnknown(waiting, done.reason);
    else this.#succeed(waiting);
    return true;
  }

  callDone(id: number, callResult: CallResult): void {
    this.#inquiry?.run.callDone(id, callResult);
  }

  /** Looks again at what waits; to be called after anything was applied, and at the deadline. */
  review(): void {
    if (this.#offAtHeight !== null) this.#tellNodeWhenCommitted(this.#offAtHeight);
    if (this.#waiting.size === 0) return;
    const status = this.#host.status();
    for (const waiting of this.#waiting.values()) {
      if (this.#host.nowMs() - waiting.sinceMs >= commitDeadlineMs) this.#giveUpOn(waiting, 'timeout');
      else if (waiting.state === 'proposed') continue;
      else if (status.role !== 'leader' || status.term !== waiting.term) this.#giveUpOn(waiting, 'not-leader');
      else if (waiting.state !== 'inquiry' && waiting.state !== 'unverified') this.#admit(waiting, status);
    }
  }

  /** Takes the next step of a verification; to be called after `review`, when the host comes back from its other work. */
  verifyNext(): void {
    const unverified = this.#firstUnverified();
    if (unverified !== null) this.#verify(unverified, this.#host.status());
  }

  /** When `review` is wanted for a deadline, or `verifyNext`. */
  nextDeadlineMs(): number {
    if (this.#firstUnverified() !== null) return this.#host.nowMs();
    let earliest = Infinity;
    for (const waiting of this.#waiting.values()) earliest = Math.min(earliest, waiting.sinceMs + commitDeadlineMs);
    return earliest;
  }

  /** Answers all that wait. */
  giveUp(reason: string): void {
    for (const waiting of [...this.#waiting.values()]) this.#giveUpOn(waiting, reason);
  }

  /** One atomic step: the check against the log with its uncommitted tail, and the append. */
  #admit(waiting: Waiting, status: RaftStatus): void {
    if (!mayAdmit(status)) return; // Waits for this term's first entry.
    const admission = this.#host.chain.admit(waiting.block);
    switch (admission.kind) {
      case 'append':
        return this.#propose(waiting);
      case 'same':
        if (admission.committed) return this.#succeed(waiting);
        waiting.state = 'same';
        return;
      case 'refused':
        return this.#contested(waiting, admission);
      case 'gap':
        return this.#aboveGap(waiting, admission);
    }
  }

  #propose(waiting: Waiting, entry = waiting.ssz): void {
    waiting.state = 'proposed';
    this.#proposals.set(this.#host.propose(entry), waiting);
  }

  /** Heights are missing below it (rule 4). */
  #aboveGap(waiting: Waiting, { tip, steps }: Extract<Admission, { kind: 'gap' }>): void {
    const { number } = waiting.block;
    const gap = `block ${number} leaves ${steps} heights open above the committed chain's ${tip.number} (${tip.hash})`;
    const { vouchedHash } = this.#host;
    if (steps > BigInt(WALK_STEPS_MAX) && vouchedHash === null) {
      const way = `at most ${WALK_STEPS_MAX} are walked; --consensus.allow-gap=<hash> vouches for a block that descends from it`;
      return this.#finishRefused(waiting, 'gap', `${gap}; ${way}`, tip);
    }
    this.#inquire(waiting, walkToTip(headerOf(waiting.block), tip, vouchedHash), (walk: Walk) => {
      if (walk.kind !== 'reached') {
        const why = walk.kind === 'lost' ? walk.message : 'its parents do not lead there';
        return this.#finishRefused(waiting, 'gap', `${gap}: ${why}`, tip);
      }
      const again = this.#admission(waiting);
      if (again?.kind !== 'gap' || again.tip.hash !== tip.hash) return this.#reconsider(waiting);
      this.#host.logger.log('warn', 'accepted a payload above a gap', { gap });
      this.#host.metrics.count('payload_gaps_total');
      this.#propose(waiting);
    });
  }

  /** The log holds another chain. It stays, unless the rollup itself has left it (rule 6). */
  #contested(waiting: Waiting, refusal: Extract<Admission, { kind: 'refused' }>): void {
    const { chain, rollback } = this.#host;
    if (chain.pendingCount > 0 || this.#inquiry !== null) return this.#refuseHeld(waiting, refusal);
    const { hasStartedSequencer } = this.#host;
    const isOwnSequencer = (): boolean => hasStartedSequencer() || this.#committedInTerm === waiting.term;
    const steps = examineRollback({ ...rollback, isOwnSequencer }, headerOf(waiting.block));
    this.#inquire(waiting, steps, (verdict: RollbackVerdict) => {
      const again = this.#admission(waiting);
      const isSame = again?.kind === 'refused' && again.held.hash === refusal.held.hash && chain.pendingCount === 0;
      if (!isSame) return this.#reconsider(waiting);
      if (verdict.kind === 'allowed') return this.#rollBack(waiting, verdict.evidence);
      this.#refuseHeld(waiting, refusal);
      if (verdict.kind === 'transfer') this.#host.handTo(verdict.target);
      else if (verdict.kind === 'refused') this.#host.rollbackRefused(verdict.why);
    });
  }

  #rollBack(waiting: Waiting, evidence: string): void {
    const { number, hash } = waiting.block;
    const from = this.#host.chain.tip();
    this.#host.logger.log('warn', 'moving the committed chain back: the rollup has left it', {
      number,
      hash: prefixedHex(hash),
      committed: from?.hash ?? '',
      committedNumber: from?.number ?? 0n,
      evidence,
    });
    this.#host.metrics.count('rollbacks_total');
    this.#propose(waiting, buildRollbackEntry(waiting.ssz));
  }

  /** Asks the node; `decide` is called once leadership was checked again. While another inquiry runs, the payload waits. */
  #inquire<Answer>(waiting: Waiting, steps: Steps<Answer>, decide: (answer: Answer) => void): void {
    if (this.#inquiry !== null) return;
    waiting.state = 'inquiry';
    const run = new Procedure<Answer>(steps, this.#host, (answer) => {
      this.#inquiry = null;
      const status = this.#host.status();
      if (status.role === 'leader' && status.term === waiting.term) decide(answer);
      else this.#giveUpOn(waiting, 'not-leader');
    });
    this.#inquiry = { waiting, run: run as unknown as Procedure<never> };
    run.begin();
  }

  /** The log as it is now; null while nothing can be admitted. */
  #admission(waiting: Waiting): Admission | null {
    return mayAdmit(this.#host.status()) ? this.#host.chain.admit(waiting.block) : null;
  }

  /** Time has passed and the chain is another one. */
  #reconsider(waiting: Waiting): void {
    waiting.state = 'term';
    this.#admit(waiting, this.#host.status());
  }

  #succeed(waiting: Waiting): void {
    this.#end(waiting);
    this.#committedInTerm = waiting.term;
    this.#host.metrics.observe('commit_seconds', (this.#host.nowMs() - waiting.sinceMs) / 1000);
    this.#host.answer(waiting.answerId, nothing);
  }

  #tellNodeWhenCommitted(height: bigint): void {
    const { chain, status, nodeIsOff } = this.#host;
    const tip = chain.tip();
    const isCommitted = tip !== null && tip.number >= height;
    if (!isCommitted && status().role === 'leader') return;
    this.#offAtHeight = null;
    if (isCommitted) nodeIsOff();
  }

  /** Leadership or time is lost. Nothing of it was appended, unless the log holds its block: then that may still commit. */
  #giveUpOn(waiting: Waiting, reason: string): void {
    const isInLog = waiting.state === 'proposed' || this.#host.chain.admit(waiting.block).kind === 'same';
    if (isInLog) return this.#finishUnknown(waiting, reason === 'not-leader' ? 'leadership-lost' : reason);
    this.#finishRefused(waiting, reason, `failed to apply payload envelope: nothing was appended (${reason})`);
  }

  /** No longer waits; what is asked about it is not needed any more. */
  #end(waiting: Waiting): void {
    this.#waiting.delete(waiting.answerId);
    if (this.#inquiry?.waiting !== waiting) return;
    this.#inquiry.run.cancel();
    this.#inquiry = null;
  }

  #refuseHeld(waiting: Waiting, { reason, held }: { readonly reason: string; readonly held: HeldBlock }): void {
    const { number, hash } = waiting.block;
    const state = held.committed ? 'committed' : 'pending';
    const text = `block ${number} (${prefixedHex(hash)}) cannot follow the replicated chain, which holds ${state} block ${held.number} (${held.hash}): ${reason}`;
    this.#finishRefused(waiting, reason, text, held);
    if (held.committed) this.#host.nodeIsOff();
    else this.#offAtHeight = held.number;
  }

  #finishRefused(waiting: Waiting, reason: string, message: string, held?: HeldBlock): void {
    this.#end(waiting);
    const text = reason === 'not-leader' ? notLeaderMessage : message;
    this.#refuse(waiting.answerId, reason, text, held);
  }

  #finishUnknown(waiting: Waiting, reason: string): void {
    this.#end(waiting);
    this.#host.metrics.count('payloads_unknown_total');
    this.#host.answer(
      waiting.answerId,
      unknown(
        `failed to apply payload envelope: the outcome is unknown (${reason}); the payload may still be committed`,
        reason,
      ),
    );
  }

  #refuse(answerId: number, reason: string, message: string, held?: HeldBlock): void {
    this.#host.metrics.count('payloads_refused_total', { reason });
    // A follower is asked now and then by an op-node that does not know better: nothing to warn of.
    const level = reason === 'not-leader' ? 'debug' : 'warn';
    this.#host.logger.log(level, 'refused a payload', { reason, err: message });
    this.#host.answer(answerId, refused(message, reason, held));
  }
}

/** Whether the log as this leader has it is the one to admit by: its first entry is applied. */
function mayAdmit(status: RaftStatus): boolean {
  return status.isReady || status.isTransferring;
}

function headerOf({ number, hash, parentHash }: BlockSummary): BlockHeader {
  return { number, hash: prefixedHex(hash), parentHash: prefixedHex(parentHash) };
}
