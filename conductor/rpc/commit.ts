/**
 * conductor_commitUnsafePayload: parse, verify, admit and append in one step, answer when committed
 * (rules 1, 2, 4 and 5). Commits that come before this term's first entry is applied wait for it;
 * the same hash again waits for the entry that holds it.
 */
import type { Logger, Metrics } from '../ports.ts';
import type { RaftResult } from '../raft/events.ts';
import type { RaftStatus } from '../raft/status.ts';
import { blockHash } from '../payload/block-hash.ts';
import { summaryOf, type BlockSummary } from '../payload/block-summary.ts';
import { EnvelopeError, parseEnvelope } from '../payload/parse-envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { checkSsz, SszError } from '../payload/ssz-check.ts';
import { encodeSsz } from '../payload/ssz.ts';
import { GAP_STEPS_MAX, type HeldBlock } from '../payload/admission.ts';
import type { UnsafeChain } from '../payload/unsafe-chain.ts';
import { blockByHash, readHeader } from '../control/calls.ts';
import { call, type Steps } from '../control/effects.ts';
import { Procedure, type ProcedureHost } from '../control/procedure.ts';
import type { CallResult } from '../control/calls.ts';
import type { Outcome } from './message.ts';
import { invalidParams, nothing, refused, unknown } from './outcomes.ts';

/** Longest wait of one commit, milliseconds; then its outcome is unknown. */
const commitDeadlineMs = 5000;
/** Commits that may wait at once for anything; more are refused. */
const commitsWaitingMax = 1024;

export interface CommitHost extends ProcedureHost {
  readonly chain: UnsafeChain;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly isHashVerified: boolean;
  status(): RaftStatus;
  /** Appends an entry and returns the id its result comes under. */
  propose(data: Uint8Array): number;
  answer(answerId: number, outcome: Outcome): void;
  /** The node offered a block where a committed one stands (rule 3). */
  nodeIsOff(): void;
}

/** A payload on its way. */
interface Waiting {
  readonly answerId: number;
  readonly block: BlockSummary;
  readonly ssz: Uint8Array;
  readonly sinceMs: number;
  /** 'term': for this term's first entry; 'same': for the entry that already holds it; 'proposed': for its own; 'gap': for the walk. */
  state: 'term' | 'same' | 'proposed' | 'gap';
  /** Term in which it was proposed or found; leadership of another ends the wait. */
  term: number;
}

const notLeaderMessage = 'failed to apply payload envelope: node is not the leader';

export class PayloadCommits {
  readonly #host: CommitHost;
  readonly #waiting = new Map<number, Waiting>();
  readonly #proposals = new Map<number, Waiting>();
  #gap: { readonly waiting: Waiting; readonly run: Procedure<boolean> } | null = null;
  #isClosed = false;
  /** A block was refused for one that is still pending: the node is told when that commits. */
  #isNodeOffAfterCommit = false;

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
    if (this.#host.isHashVerified) {
      const expected = prefixedHex(blockHash(envelope));
      const claimed = prefixedHex(envelope.executionPayload.blockHash);
      if (expected !== claimed) {
        return this.#refuse(
          answerId,
          'block-hash',
          `the payload's block hash ${claimed} is not that of its fields, ${expected}`,
        );
      }
    }
    const waiting: Waiting = {
      answerId,
      block: summaryOf(envelope),
      ssz,
      sinceMs: this.#host.nowMs(),
      state: 'term',
      term: status.term,
    };
    this.#waiting.set(answerId, waiting);
    this.#admit(waiting, status);
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
    this.#gap?.run.callDone(id, callResult);
  }

  /** Looks again at what waits; to be called after anything was applied, and at the deadline. */
  review(): void {
    if (this.#waiting.size === 0) return;
    const status = this.#host.status();
    for (const waiting of this.#waiting.values()) {
      if (this.#host.nowMs() - waiting.sinceMs >= commitDeadlineMs) this.#finishUnknown(waiting, 'timeout');
      else if (waiting.state === 'proposed') continue;
      else if (status.role !== 'leader' || status.term !== waiting.term) this.#leadershipLost(waiting);
      else if (waiting.state !== 'gap') this.#admit(waiting, status);
    }
  }

  /** When `review` is wanted for a deadline. */
  nextDeadlineMs(): number {
    let earliest = Infinity;
    for (const waiting of this.#waiting.values()) earliest = Math.min(earliest, waiting.sinceMs + commitDeadlineMs);
    return earliest;
  }

  /** Answers all that wait as unknown. */
  giveUp(reason: string): void {
    for (const waiting of [...this.#waiting.values()]) this.#finishUnknown(waiting, reason);
  }

  /** One atomic step: the check against the log with its uncommitted tail, and the append. */
  #admit(waiting: Waiting, status: RaftStatus): void {
    if (!status.isReady && !status.isTransferring) return; // Waits for this term's first entry.
    const admission = this.#host.chain.admit(waiting.block);
    switch (admission.kind) {
      case 'append':
        return this.#propose(waiting);
      case 'same':
        if (admission.committed) return this.#succeed(waiting);
        waiting.state = 'same';
        return;
      case 'refused':
        return this.#refuseHeld(waiting, admission.reason, admission.held);
      case 'gap':
        return this.#walkGap(waiting, admission.tip, admission.steps);
    }
  }

  #propose(waiting: Waiting): void {
    waiting.state = 'proposed';
    this.#proposals.set(this.#host.propose(waiting.ssz), waiting);
  }

  #walkGap(waiting: Waiting, tip: HeldBlock, steps: bigint): void {
    const gapText = `block ${waiting.block.number} leaves ${steps} heights open above the committed chain's ${tip.number} (${tip.hash})`;
    if (steps > BigInt(GAP_STEPS_MAX))
      return this.#finishRefused(waiting, 'gap', `${gapText}; at most ${GAP_STEPS_MAX} are walked`, tip);
    if (this.#gap !== null) return; // One walk at a time; reviewed when it has ended.
    waiting.state = 'gap';
    const run = new Procedure<boolean>(
      reaches(tip.hash, prefixedHex(waiting.block.parentHash), Number(steps)),
      this.#host,
      (isReached) => {
        this.#gap = null;
        if (!this.#waiting.has(waiting.answerId)) return;
        if (!isReached)
          return this.#finishRefused(waiting, 'gap', `${gapText}, and its parents do not lead there`, tip);
        this.#afterWalk(waiting, tip, gapText);
      },
    );
    this.#gap = { waiting, run };
    run.begin();
  }

  /** Time has passed: leadership and tip are checked again. */
  #afterWalk(waiting: Waiting, tip: HeldBlock, gapText: string): void {
    const status = this.#host.status();
    if (status.role !== 'leader' || status.term !== waiting.term) return this.#leadershipLost(waiting);
    const again = this.#host.chain.admit(waiting.block);
    if (again.kind !== 'gap' || again.tip.hash !== tip.hash) {
      waiting.state = 'term';
      return this.#admit(waiting, status);
    }
    this.#host.logger.log('warn', 'accepted a payload above a gap', { gap: gapText });
    this.#host.metrics.count('payload_gaps_total');
    this.#propose(waiting);
  }

  #succeed(waiting: Waiting): void {
    this.#waiting.delete(waiting.answerId);
    this.#host.metrics.observe('commit_seconds', (this.#host.nowMs() - waiting.sinceMs) / 1000);
    this.#host.answer(waiting.answerId, nothing);
    if (!this.#isNodeOffAfterCommit) return;
    this.#isNodeOffAfterCommit = false;
    this.#host.nodeIsOff();
  }

  #leadershipLost(waiting: Waiting): void {
    // Its own entry was never appended; one that holds the same hash may still commit.
    if (waiting.state === 'same') this.#finishUnknown(waiting, 'leadership-lost');
    else this.#finishRefused(waiting, 'not-leader', notLeaderMessage);
  }

  #refuseHeld(waiting: Waiting, reason: string, held: HeldBlock): void {
    const { number, hash } = waiting.block;
    const state = held.committed ? 'committed' : 'pending';
    const text = `block ${number} (${prefixedHex(hash)}) cannot follow the replicated chain, which holds ${state} block ${held.number} (${held.hash}): ${reason}`;
    this.#finishRefused(waiting, reason, text, held);
    if (held.committed) this.#host.nodeIsOff();
    else this.#isNodeOffAfterCommit = true;
  }

  #finishRefused(waiting: Waiting, reason: string, message: string, held?: HeldBlock): void {
    this.#waiting.delete(waiting.answerId);
    const text = reason === 'not-leader' ? notLeaderMessage : message;
    this.#refuse(waiting.answerId, reason, text, held);
  }

  #finishUnknown(waiting: Waiting, reason: string): void {
    this.#waiting.delete(waiting.answerId);
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
    if (reason !== 'not-leader') this.#host.logger.log('warn', 'refused a payload', { reason, err: message });
    this.#host.answer(answerId, refused(message, reason, held));
  }
}

/** Follows `steps` parents from `from`; true when that arrives at `goal`. */
function* reaches(goal: string, from: string, steps: number): Steps<boolean> {
  let hash = from;
  for (let step = 0; step < steps; step += 1) {
    const answer = yield* call(blockByHash(hash));
    const header = answer.kind === 'result' ? readHeader(answer.value) : null;
    if (header === null) return false;
    hash = header.parentHash;
  }
  return hash === goal;
}
