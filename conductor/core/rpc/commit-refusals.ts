/**
 * What a caller is told whose payload was not committed, and who else must know: the log, the metrics, and the control
 * loop where the fault is the own sequencer's or its client's.
 */
import type { BlockSummary } from '../payload/block-summary.ts';
import type { Admission, HeldBlock } from '../payload/admission.ts';
import type { Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import type { PayloadRefusal } from '../metrics/sequencing.ts';
import type { RefusalReason } from '../raft/events.ts';
import type { CommitHost } from './commit-host.ts';
import { refused, unknown } from './outcomes.ts';

/** A reason of ours that the metric does not know does not compile; of the log's, those of a proposal are among them. */
export type PayloadRefusalReason = PayloadRefusal | RefusalReason;

export const notLeaderMessage = 'failed to apply payload envelope: node is not the leader';

type RefusalHost = Pick<
  CommitHost,
  'metrics' | 'logger' | 'answer' | 'whoStandsWhere' | 'refusedBlocks' | 'sealRefused' | 'clientIsUnable'
>;

export class CommitRefusals {
  readonly #host: RefusalHost;

  constructor(host: RefusalHost) {
    this.#host = host;
  }

  /** Nothing was appended, or it can never commit (rule 5); `held` is the block in its place. */
  refuseBlock(
    answerId: number,
    { hash }: Pick<BlockSummary, 'hash'>,
    reason: PayloadRefusalReason,
    message: string,
    held?: HeldBlock,
  ): void {
    this.#host.refusedBlocks.add(prefixedHex(hash), reason);
    this.refuse(answerId, reason, message, held);
  }

  /** The same where no block could be read, or which one is of no interest. */
  refuse(answerId: number, reason: PayloadRefusalReason, message: string, held?: HeldBlock): void {
    this.#host.metrics.count('payloads_refused_total', { reason });
    // A follower is asked now and then by an op-node that does not know better: nothing to warn of.
    const level = reason === 'not-leader' ? 'debug' : 'warn';
    const nodes = isDisagreement(reason) ? this.#host.whoStandsWhere?.() : undefined;
    this.#host.logger.log(level, 'refused a payload', {
      reason,
      err: message,
      ...(nodes === undefined ? {} : { nodes }),
    });
    this.#host.answer(answerId, refused(message, reason, held));
  }

  /** The chain goes another way. */
  held(answerId: number, block: BlockSummary, { reason, held }: Extract<Admission, { kind: 'refused' }>): void {
    const state = held.committed ? 'committed' : 'pending';
    const text = `block ${block.number} (${prefixedHex(block.hash)}) cannot follow the replicated chain, which holds ${state} block ${held.number} (${held.hash}): ${reason}`;
    this.refuseBlock(answerId, block, reason, text, held);
  }

  /** An execution client says that the block breaks the rules of its chain. */
  invalid(answerId: number, block: BlockSummary, message: string): void {
    const { number, hash } = block;
    const text = `block ${number} (${prefixedHex(hash)}) is invalid, says the execution client: ${message}`;
    this.refuseBlock(answerId, block, 'invalid', text);
    this.#host.sealRefused({ number, hash: prefixedHex(hash) }, message);
  }

  /** op-node would publish the block, and its client could not follow. */
  unable(answerId: number, block: BlockSummary, envelope: Envelope): void {
    const { number, hash } = block;
    const text = `the execution client stands on the parent of block ${number} (${prefixedHex(hash)}) and cannot execute the block before it has synced or is restarted`;
    this.refuseBlock(answerId, block, 'client-syncing', text);
    this.#host.clientIsUnable(envelope);
  }

  /** Leadership or time was lost while it was pending. */
  unknown(answerId: number, reason: string, message = maybeCommitted(reason)): void {
    this.#host.metrics.count('payloads_unknown_total');
    this.#host.answer(answerId, unknown(message, reason));
  }
}

function maybeCommitted(reason: string): string {
  return `failed to apply payload envelope: the outcome is unknown (${reason}); the payload may still be committed`;
}

/** The node and the log, or the client, disagree: the line says where all nodes stand. */
function isDisagreement(reason: string): boolean {
  return ['invalid', 'client-syncing', 'height-held', 'parent-mismatch', 'below-chain', 'gap'].includes(reason);
}
