/**
 * What is asked of the node about a payload that cannot simply be appended: whether its parents lead to the
 * committed head (rule 4), or whether the rollup itself has left the committed chain (rule 6). One inquiry
 * runs at a time; whatever it finds counts only if leadership, term and tip are still the same.
 */
import { buildRollbackEntry } from '../payload/rollback-entry.ts';
import { prefixedHex } from '../payload/hex.ts';
import type { BlockSummary } from '../payload/block-summary.ts';
import type { Admission, HeldBlock } from '../payload/admission.ts';
import type { BlockHeader } from '../node/calls.ts';
import type { Steps } from '../node/effects.ts';
import { Procedure } from '../node/procedure.ts';
import { examineRollback, type RollbackVerdict } from '../control/rollback.ts';
import { WALK_STEPS_MAX, walkToTip, wayAcross, type Walk } from '../control/walk.ts';
import { mayAdmit, type CommitHost } from './commit-host.ts';
import type { WaitingPayload } from './waiting-payloads.ts';

/** A walk that does not end on another branch. */
type WayOn = Exclude<Walk, { kind: 'otherBranch' }>;
type Gap = Extract<Admission, { kind: 'gap' }>;
type Contest = Extract<Admission, { kind: 'refused' }>;

/** What is to become of the payload. */
export type Finding =
  | { readonly kind: 'append'; readonly entry: Uint8Array }
  /** The block that stands in its way stays. */
  | { readonly kind: 'held'; readonly contest: Contest }
  /** Nothing shows that it descends from `tip`; or it is known to descend from another block at its height. */
  | { readonly kind: 'gap'; readonly message: string; readonly tip: HeldBlock; readonly isOnOtherBranch: boolean }
  /** Time has passed and the chain is another one: to be admitted anew. */
  | { readonly kind: 'stale' }
  /** Leadership of its term is lost. */
  | { readonly kind: 'not-leader' };

/** Whose payloads these are. */
export interface InquiryAsker {
  /** A payload was committed here in this term. */
  hasCommittedIn(term: number): boolean;
  found(waiting: WaitingPayload, finding: Finding): void;
}

export class Inquiry {
  readonly #host: CommitHost;
  readonly #asker: InquiryAsker;
  #running: { readonly waiting: WaitingPayload; readonly run: Procedure<never> } | null = null;

  constructor(host: CommitHost, asker: InquiryAsker) {
    this.#host = host;
    this.#asker = asker;
  }

  /** Heights are missing below it (rule 4). While another inquiry runs, the payload waits. */
  aboveGap(waiting: WaitingPayload, { tip, steps }: Gap): void {
    const { number } = waiting.block;
    const gap = `block ${number} leaves ${steps} heights open above the committed chain's ${tip.number} (${tip.hash})`;
    const { trustedHash } = this.#host;
    if (steps > BigInt(WALK_STEPS_MAX) && trustedHash === null) {
      const way = `at most ${WALK_STEPS_MAX} are walked; ${wayAcross(prefixedHex(waiting.block.hash))}`;
      return this.#asker.found(waiting, { kind: 'gap', message: `${gap}; ${way}`, tip, isOnOtherBranch: false });
    }
    this.#ask(waiting, this.#walkOrExamine(waiting, tip), (answer: WayOn | RollbackVerdict) => {
      if (answer.kind === 'lost') {
        return this.#asker.found(waiting, {
          kind: 'gap',
          message: `${gap}: ${answer.message}`,
          tip,
          isOnOtherBranch: false,
        });
      }
      const again = this.#admission(waiting.block);
      if (again?.kind !== 'gap' || again.tip.hash !== tip.hash) return this.#asker.found(waiting, { kind: 'stale' });
      if (answer.kind !== 'reached') {
        const message = `${gap}: its parents do not lead there`;
        return this.#conclude(waiting, answer, { kind: 'gap', message, tip, isOnOtherBranch: true });
      }
      this.#host.logger.log('warn', 'accepted a payload above a gap', { gap });
      this.#host.metrics.count('payload_gaps_total');
      this.#asker.found(waiting, { kind: 'append', entry: waiting.ssz });
    });
  }

  /** The walk of rule 4; where it ends on another branch, whether the rollup itself has left the committed one (rule 6). */
  *#walkOrExamine(waiting: WaitingPayload, tip: HeldBlock): Steps<WayOn | RollbackVerdict> {
    const walk = yield* walkToTip(headerOf(waiting.block), tip, this.#host.trustedHash);
    return walk.kind === 'otherBranch' ? yield* this.#examine(waiting) : walk;
  }

  #examine(waiting: WaitingPayload): Steps<RollbackVerdict> {
    const { rollback, hasStartedSequencer } = this.#host;
    const isOwnSequencer = (): boolean => hasStartedSequencer() || this.#asker.hasCommittedIn(waiting.term);
    const nowMs = (): number => this.#host.nowMs();
    return examineRollback({ ...rollback, nowMs, isOwnSequencer }, headerOf(waiting.block));
  }

  /** The log holds another chain. It stays, unless the rollup itself has left it (rule 6). */
  contested(waiting: WaitingPayload, contest: Contest): void {
    const { chain } = this.#host;
    if (chain.pendingCount > 0 || this.#running !== null) return this.#asker.found(waiting, { kind: 'held', contest });
    this.#ask(waiting, this.#examine(waiting), (verdict: RollbackVerdict) => {
      const again = this.#admission(waiting.block);
      const isSame = again?.kind === 'refused' && again.held.hash === contest.held.hash && chain.pendingCount === 0;
      if (!isSame) return this.#asker.found(waiting, { kind: 'stale' });
      this.#conclude(waiting, verdict, { kind: 'held', contest });
    });
  }

  /** Moves the chain back where that is allowed, with nothing pending; otherwise `refusal` is what was found. */
  #conclude(waiting: WaitingPayload, verdict: RollbackVerdict, refusal: Finding): void {
    if (verdict.kind === 'allowed' && this.#host.chain.pendingCount === 0) return this.#rollBack(waiting, verdict);
    this.#asker.found(waiting, refusal);
    if (verdict.kind === 'transfer') this.#host.handTo(verdict.target);
    else if (verdict.kind === 'refused') this.#host.rollbackRefused(verdict.why);
  }

  /** What is asked about it is not needed any more. */
  drop(waiting: WaitingPayload): void {
    if (this.#running?.waiting !== waiting) return;
    this.#running.run.cancel();
    this.#running = null;
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    return this.#running?.run.deadlineMs() ?? Infinity;
  }

  tick(): void {
    this.#running?.run.tick();
  }

  #rollBack(
    waiting: WaitingPayload,
    { evidence, asPlainPayload }: Extract<RollbackVerdict, { kind: 'allowed' }>,
  ): void {
    const { number, hash } = waiting.block;
    const from = this.#host.chain.tip();
    this.#host.logger.log('warn', 'moving the committed chain back: what stands in the way is proved to be given up', {
      number,
      hash: prefixedHex(hash),
      committed: from?.hash ?? '',
      committedNumber: from?.number ?? 0n,
      evidence,
    });
    this.#host.metrics.count('rollbacks_total');
    const entry = asPlainPayload ? waiting.ssz : buildRollbackEntry(waiting.ssz);
    this.#asker.found(waiting, { kind: 'append', entry });
  }

  /** Asks the node; `conclude` is called once leadership was checked again. */
  #ask<Answer>(waiting: WaitingPayload, steps: Steps<Answer>, conclude: (answer: Answer) => void): void {
    if (this.#running !== null) return;
    waiting.state = 'inquiry';
    const run = new Procedure<Answer>(steps, this.#host, (answer) => {
      this.#running = null;
      const status = this.#host.status();
      if (status.role === 'leader' && status.term === waiting.term) conclude(answer);
      else this.#asker.found(waiting, { kind: 'not-leader' });
    });
    this.#running = { waiting, run: run as unknown as Procedure<never> };
    run.begin();
  }

  /** The log as it is now; null while nothing can be admitted. */
  #admission(block: BlockSummary): Admission | null {
    return mayAdmit(this.#host.status()) ? this.#host.chain.admit(block) : null;
  }
}

function headerOf({ number, hash, parentHash }: BlockSummary): BlockHeader {
  return { number, hash: prefixedHex(hash), parentHash: prefixedHex(parentHash) };
}
