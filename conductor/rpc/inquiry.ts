/**
 * What is asked of the node about a payload that cannot simply be appended: whether its parents lead to the
 * committed head (rule 4), or whether the rollup itself has left the committed chain (rule 6). One inquiry
 * runs at a time; whatever it finds counts only if leadership, term and tip are still the same.
 */
import { buildRollbackEntry } from '../payload/rollback-entry.ts';
import { prefixedHex } from '../payload/hex.ts';
import type { BlockSummary } from '../payload/block-summary.ts';
import type { Admission, HeldBlock } from '../payload/admission.ts';
import type { BlockHeader, CallResult } from '../control/calls.ts';
import type { Steps } from '../control/effects.ts';
import { Procedure } from '../control/procedure.ts';
import { examineRollback, type RollbackVerdict } from '../control/rollback.ts';
import { WALK_STEPS_MAX, walkToTip, type Walk } from '../control/walk.ts';
import { mayAdmit, type CommitHost } from './commit-host.ts';
import type { WaitingPayload } from './waiting-payloads.ts';

type Gap = Extract<Admission, { kind: 'gap' }>;
type Contest = Extract<Admission, { kind: 'refused' }>;

/** What is to become of the payload. */
export type Finding =
  | { readonly kind: 'append'; readonly entry: Uint8Array }
  /** The block that stands in its way stays. */
  | { readonly kind: 'held'; readonly contest: Contest }
  /** Nothing shows that it descends from `tip`. */
  | { readonly kind: 'gap'; readonly message: string; readonly tip: HeldBlock }
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
    const { vouchedHash } = this.#host;
    if (steps > BigInt(WALK_STEPS_MAX) && vouchedHash === null) {
      const way = `at most ${WALK_STEPS_MAX} are walked; --consensus.allow-gap=<hash> vouches for a block that descends from it`;
      return this.#asker.found(waiting, { kind: 'gap', message: `${gap}; ${way}`, tip });
    }
    this.#ask(waiting, walkToTip(headerOf(waiting.block), tip, vouchedHash), (walk: Walk) => {
      if (walk.kind !== 'reached') {
        const why = walk.kind === 'lost' ? walk.message : 'its parents do not lead there';
        return this.#asker.found(waiting, { kind: 'gap', message: `${gap}: ${why}`, tip });
      }
      const again = this.#admission(waiting.block);
      if (again?.kind !== 'gap' || again.tip.hash !== tip.hash) return this.#asker.found(waiting, { kind: 'stale' });
      this.#host.logger.log('warn', 'accepted a payload above a gap', { gap });
      this.#host.metrics.count('payload_gaps_total');
      this.#asker.found(waiting, { kind: 'append', entry: waiting.ssz });
    });
  }

  /** The log holds another chain. It stays, unless the rollup itself has left it (rule 6). */
  contested(waiting: WaitingPayload, contest: Contest): void {
    const { chain, rollback, hasStartedSequencer } = this.#host;
    if (chain.pendingCount > 0 || this.#running !== null) return this.#asker.found(waiting, { kind: 'held', contest });
    const isOwnSequencer = (): boolean => hasStartedSequencer() || this.#asker.hasCommittedIn(waiting.term);
    const steps = examineRollback({ ...rollback, isOwnSequencer }, headerOf(waiting.block));
    this.#ask(waiting, steps, (verdict: RollbackVerdict) => {
      const again = this.#admission(waiting.block);
      const isSame = again?.kind === 'refused' && again.held.hash === contest.held.hash && chain.pendingCount === 0;
      if (!isSame) return this.#asker.found(waiting, { kind: 'stale' });
      if (verdict.kind === 'allowed') return this.#rollBack(waiting, verdict.evidence);
      this.#asker.found(waiting, { kind: 'held', contest });
      if (verdict.kind === 'transfer') this.#host.handTo(verdict.target);
      else if (verdict.kind === 'refused') this.#host.rollbackRefused(verdict.why);
    });
  }

  /** What is asked about it is not needed any more. */
  drop(waiting: WaitingPayload): void {
    if (this.#running?.waiting !== waiting) return;
    this.#running.run.cancel();
    this.#running = null;
  }

  callDone(id: number, callResult: CallResult): void {
    this.#running?.run.callDone(id, callResult);
  }

  #rollBack(waiting: WaitingPayload, evidence: string): void {
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
    this.#asker.found(waiting, { kind: 'append', entry: buildRollbackEntry(waiting.ssz) });
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
