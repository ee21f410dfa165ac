/**
 * conductor_commitUnsafePayload: parse, verify, admit and append in one step, answer when committed
 * (rules 1, 2, 4 and 5). Commits that come before this term's first entry is applied wait for it;
 * the same hash again waits for the entry that holds it.
 */
import type { VoterVerdict } from '../raft/types.ts';
import type { RaftResult } from '../raft/events.ts';
import type { RaftStatus } from '../raft/status.ts';
import { summaryOf, type BlockSummary } from '../payload/block-summary.ts';
import { SszError } from '../payload/ssz-check.ts';
import { decodeSsz } from '../payload/ssz.ts';
import { prefixedHex } from '../payload/hex.ts';
import type { Admission, HeldBlock } from '../payload/admission.ts';
import { isProvedInvalid } from '../control/rollback.ts';
import { mayAdmit, type CommitHost } from './commit-host.ts';
import { cannotTake } from './committed-and-refused.ts';
import { CommitRefusals, notLeaderMessage, type PayloadRefusalReason } from './commit-refusals.ts';
import { Inquiry, type Finding } from './inquiry.ts';
import { OffChainNode } from './off-chain-node.ts';
import { invalidParams, nothing } from './outcomes.ts';
import { readPayload, whyUnsupported } from './read-payload.ts';
import { Validation } from './validation.ts';
import { verifyHash } from './verify-hash.ts';
import { isReady, WaitingPayloads, type WaitingPayload } from './waiting-payloads.ts';

/** Payloads up to this size are verified in the turn in which they were read. */
const unpausedBytesMax = 2 * 1024 * 1024;

export class PayloadCommits {
  readonly #host: CommitHost;
  readonly #refusals: CommitRefusals;
  readonly #offChain: OffChainNode;
  readonly #waiting = new WaitingPayloads();
  readonly #inquiry: Inquiry;
  readonly #validation: Validation | null;
  /** Term of the last payload that was committed here. */
  #committedInTerm = 0;
  /** The term in which an entry was not committed in time, and the committed tip then; null for none. */
  #overdue: { readonly term: number; readonly tipHash: string | undefined } | null = null;
  #isClosed = false;

  constructor(host: CommitHost) {
    this.#host = host;
    this.#refusals = new CommitRefusals(host);
    this.#offChain = new OffChainNode(host);
    this.#validation = host.validation === 'off' ? null : new Validation(host.validation, host.blockTimeMs, host);
    this.#inquiry = new Inquiry(host, {
      hasCommittedIn: (term) => this.#committedInTerm === term,
      found: (waiting, finding) => this.#found(waiting, finding),
    });
  }

  /** Commits that have no answer yet. */
  get inFlight(): number {
    return this.#waiting.count;
  }

  /** A payload was in the log of this term for as long as a commit may take, and neither it nor another was committed since. */
  isOverdueIn(term: number): boolean {
    return this.#overdue?.term === term && this.#overdue.tipHash === this.#host.chain.tip()?.hash;
  }

  /** Admits nothing any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** Takes the parsed JSON of an envelope. */
  commit(answerId: number, json: unknown): void {
    const reading = readPayload(json);
    if (reading.kind === 'invalid') return this.#host.answer(answerId, invalidParams(reading.message));
    if (reading.kind === 'malformed') return this.#refusals.refuse(answerId, 'malformed', reading.message);
    const { envelope, ssz } = reading;
    const status = this.#host.status();
    const block = summaryOf(envelope);
    // One that is in the log may commit, or has, whoever leads: it is not refused any more (rule 5).
    const isInLog = (): boolean => this.#host.chain.admit(block).kind === 'same';
    if (status.role !== 'leader') {
      if (isInLog()) return this.#refusals.unknown(answerId, 'not-leader', notLeaderMessage);
      return this.#refusals.refuseBlock(answerId, block, 'not-leader', notLeaderMessage);
    }
    if (this.#isClosed) return this.#refusals.refuse(answerId, 'shutting-down', 'this conductor is shutting down');
    const full = this.#waiting.whyFull();
    if (full !== null) return this.#refusals.refuse(answerId, 'busy', full);
    const unsupported = whyUnsupported(ssz);
    if (unsupported !== null) return this.#refusals.refuse(answerId, 'unsupported', unsupported);
    const tooLarge = this.#waiting.whyTooLarge(ssz.length);
    if (tooLarge !== null) return this.#refusals.refuse(answerId, 'busy', tooLarge);
    const refusal = this.#validation?.refusalOf(prefixedHex(block.hash)) ?? null;
    if (refusal !== null && !isInLog()) return this.#refusals.invalid(answerId, block, refusal);
    const isBehindOthers = this.#waiting.firstUnverified() !== null;
    const waiting: WaitingPayload = {
      answerId,
      block,
      ssz,
      sinceMs: this.#host.nowMs(),
      verification: this.#host.isHashVerified ? verifyHash(envelope) : null,
      state: 'unverified',
      verdict: null,
      isShared: false,
      term: status.term,
    };
    this.#waiting.add(waiting);
    // A large one has cost a long turn already: peers are heard before its first step.
    if (!isBehindOthers && ssz.length <= unpausedBytesMax) this.#verify(waiting, status);
  }

  /** One step of the verification, and what follows from its end. */
  #verify(waiting: WaitingPayload, status: RaftStatus): void {
    const step = waiting.verification?.next();
    if (step?.done === false) return;
    waiting.state = 'term';
    if (typeof step?.value === 'string') this.#finishRefused(waiting, 'block-hash', step.value);
    else this.#admit(waiting, status);
  }

  /** The result of a proposal. */
  #proposed(waiting: WaitingPayload, done: RaftResult): void {
    if (!this.#waiting.has(waiting)) return; // Its deadline has passed.
    if (done.kind === 'refused') this.#finishRefused(waiting, done.reason, done.message);
    else if (done.kind === 'unknown') this.#finishUnknown(waiting, done.reason);
    else this.#succeed(waiting);
  }

  /** What another voter's client says of a block that it was given (rule 28). */
  voterAnswered(questionId: number, answer: VoterVerdict): void {
    this.#validation?.voterAnswered(questionId, answer);
  }

  /** Looks again at what waits; to be called after anything was applied, and at the deadline. */
  review(): void {
    if (this.#host.nowMs() >= this.#inquiry.nextDeadlineMs()) this.#inquiry.tick();
    this.#validation?.tick();
    this.#offChain.review();
    if (this.#waiting.count === 0) return;
    const status = this.#host.status();
    for (const waiting of this.#waiting.values()) {
      if (this.#waiting.isOverdue(waiting, this.#host.nowMs())) this.#giveUpOn(waiting, 'timeout');
      else if (waiting.state === 'proposed') continue;
      else if (status.role !== 'leader' || status.term !== waiting.term) this.#giveUpOn(waiting, 'not-leader');
      else if (isReady(waiting)) this.#admit(waiting, status);
    }
  }

  /** Takes the next step of a verification; to be called after `review`, when the host comes back from its other work. */
  verifyNext(): void {
    const unverified = this.#waiting.firstUnverified();
    if (unverified !== null) this.#verify(unverified, this.#host.status());
  }

  /** When `review` is wanted for a deadline, or `verifyNext`. */
  nextDeadlineMs(): number {
    if (this.#waiting.firstUnverified() !== null) return this.#host.nowMs();
    const verdictAtMs = this.#validation?.nextDeadlineMs() ?? Infinity;
    return Math.min(this.#waiting.nextOverdueMs(), this.#inquiry.nextDeadlineMs(), verdictAtMs);
  }

  /** Answers all that wait. */
  giveUp(reason: PayloadRefusalReason): void {
    for (const waiting of [...this.#waiting.values()]) this.#giveUpOn(waiting, reason);
  }

  /** One atomic step: the check against the log with its uncommitted tail, and the append. */
  #admit(waiting: WaitingPayload, status: RaftStatus): void {
    if (!mayAdmit(status)) return; // Waits for this term's first entry.
    const admission = this.#host.chain.admit(waiting.block);
    switch (admission.kind) {
      case 'append':
        return this.#validateThen(waiting, () => this.#propose(waiting, waiting.ssz));
      case 'same':
        if (admission.committed) return this.#heldAlready(waiting);
        waiting.state = 'same';
        return;
      case 'refused':
        return this.#inquiry.contested(waiting, admission);
      case 'gap':
        return this.#inquiry.aboveGap(waiting, admission);
    }
  }

  #propose(waiting: WaitingPayload, entry: Uint8Array): void {
    waiting.state = 'proposed';
    waiting.isShared = true;
    this.#host.propose(entry, waiting.verdict === 'valid', (result) => {
      this.#proposed(waiting, result);
      if (result.kind === 'done') this.#host.blockCommitted(waiting.verdict === 'valid');
    });
  }

  /**
   * Goes on at once where the client was asked; otherwise it is asked, and with its verdict the payload is admitted
   * anew: the log may be another one by then.
   */
  #validateThen(waiting: WaitingPayload, append: () => void): void {
    if (this.#validation === null || waiting.verdict !== null) return append();
    const decoded = decodeSsz(waiting.ssz);
    if (decoded instanceof SszError) return append();
    waiting.state = 'validating';
    waiting.isShared = true;
    this.#validation.begin(prefixedHex(waiting.block.hash), decoded.envelope, waiting.ssz, (verdict) => {
      if (!this.#waiting.has(waiting)) return;
      if (verdict.kind === 'invalid') {
        this.#end(waiting);
        return this.#refusals.invalid(waiting.answerId, waiting.block, verdict.message);
      }
      if (verdict.kind === 'unable') {
        this.#end(waiting);
        return this.#refusals.unable(waiting.answerId, waiting.block, decoded.envelope);
      }
      waiting.verdict = verdict.kind;
      waiting.state = 'term';
      this.review();
    });
  }

  /** The node was asked. */
  #found(waiting: WaitingPayload, finding: Finding): void {
    switch (finding.kind) {
      case 'append':
        return this.#validateThen(waiting, () => this.#propose(waiting, finding.entry));
      case 'held':
        return this.#refuseHeld(waiting, finding.contest);
      case 'gap':
        this.#finishRefused(waiting, 'gap', finding.message, finding.tip);
        if (finding.isOnOtherBranch) this.#host.nodeIsOff();
        return;
      case 'stale':
        waiting.state = 'term';
        return this.#admit(waiting, this.#host.status());
      case 'not-leader':
        return this.#giveUpOn(waiting, 'not-leader');
    }
  }

  /** op-node would offer and publish for ever what its client refuses: the same job gives the same block. */
  #heldAlready(waiting: WaitingPayload): void {
    const { number } = waiting.block;
    const block = { number, hash: prefixedHex(waiting.block.hash) };
    const isProved = isProvedInvalid(block, this.#host.rollback);
    if (isProved && this.#host.sealedAgain(block)) {
      const text = `block ${number} (${block.hash}) is committed, and proved to be given up: execution clients refuse it`;
      return this.#finishRefused(waiting, 'invalid', text, { ...block, committed: true });
    }
    this.#succeed(waiting);
    const refusal = isProved ? null : this.#ownRefusal(waiting.block);
    if (refusal !== null) cannotTake(block, refusal, this.#host);
  }

  #succeed(waiting: WaitingPayload): void {
    this.#end(waiting);
    this.#committedInTerm = waiting.term;
    this.#host.metrics.observe('commit_seconds', (this.#host.nowMs() - waiting.sinceMs) / 1000);
    // Its client may have refused it since it went on without a verdict: committed, it need not be published, too.
    const refusal = this.#ownRefusal(waiting.block);
    if (refusal !== null)
      return this.#refusals.unknown(waiting.answerId, `invalid, says the execution client: ${refusal}`);
    this.#host.answer(waiting.answerId, nothing);
  }

  /** What the own client says against a block, when it was asked for its commit or since; null for nothing. */
  #ownRefusal(block: BlockSummary): string | null {
    const hash = prefixedHex(block.hash);
    const refusal = this.#host.rollback.refusal({ number: block.number, hash });
    return this.#validation?.refusalOf(hash) ?? (refusal?.kind === 'invalid' ? refusal.reason : null);
  }

  /** Leadership or time is lost. Nothing of it was appended, unless the log holds its block: then that may still commit. */
  #giveUpOn(waiting: WaitingPayload, reason: PayloadRefusalReason): void {
    const admission = this.#host.chain.admit(waiting.block);
    const isPending = waiting.state === 'proposed' || (admission.kind === 'same' && !admission.committed);
    const isInLog = isPending || admission.kind === 'same';
    if (isPending && reason === 'timeout')
      this.#overdue = { term: waiting.term, tipHash: this.#host.chain.tip()?.hash };
    if (isInLog) return this.#finishUnknown(waiting, reason === 'not-leader' ? 'leadership-lost' : reason);
    this.#finishRefused(waiting, reason, `failed to apply payload envelope: nothing was appended (${reason})`);
  }

  /** No longer waits; what is asked about it is not needed any more. */
  #end(waiting: WaitingPayload): void {
    this.#waiting.remove(waiting);
    this.#inquiry.drop(waiting);
  }

  #refuseHeld(waiting: WaitingPayload, admission: Extract<Admission, { kind: 'refused' }>): void {
    this.#end(waiting);
    this.#refusals.held(waiting.answerId, waiting.block, admission);
    this.#offChain.refused(admission.held);
  }

  #finishRefused(waiting: WaitingPayload, reason: PayloadRefusalReason, message: string, held?: HeldBlock): void {
    this.#end(waiting);
    const text = reason === 'not-leader' ? notLeaderMessage : message;
    this.#refusals.refuseBlock(waiting.answerId, waiting.block, reason, text, held);
  }

  #finishUnknown(waiting: WaitingPayload, reason: string): void {
    this.#end(waiting);
    this.#refusals.unknown(waiting.answerId, reason);
  }
}
