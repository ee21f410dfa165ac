/** What commits of payloads need of the conductor: the log, the chain it leads to, and the node's own side. */
import type { Logger, Metrics } from '../ports.ts';
import type { RaftResult } from '../raft/events.ts';
import type { RaftStatus } from '../raft/status.ts';
import type { UnsafeChain } from '../payload/unsafe-chain.ts';
import type { Envelope } from '../payload/envelope.ts';
import type { ProcedureHost } from '../node/procedure.ts';
import type { RollbackHost } from '../control/rollback.ts';
import type { ValidationHost, ValidationPolicy } from './validation.ts';
import type { BlockRef } from '../node/calls.ts';
import type { RefusedBlocks } from './refused-blocks.ts';
import type { Outcome } from './message.ts';

export interface CommitHost extends ProcedureHost, Pick<ValidationHost, 'voters' | 'askVoters'> {
  readonly chain: UnsafeChain;
  /** Those that were refused last. */
  readonly refusedBlocks: Pick<RefusedBlocks, 'add'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly isHashVerified: boolean;
  /** A block an operator says descends from the committed head (--consensus.allow-gap); null for none. */
  readonly trustedHash: string | null;
  readonly rollback: Omit<RollbackHost, 'isOwnSequencer' | 'nowMs'>;
  status(): RaftStatus;
  /** Whose execution clients execute a block before it is appended (rule 28). */
  readonly validation: ValidationPolicy;
  readonly blockTimeMs: number;
  /** Appends an entry; a validated block is marked as one. `then` is called once, with the result. */
  propose(data: Uint8Array, isValidated: boolean, then: (result: RaftResult) => void): void;
  /** A proposal was committed: the own sequencer builds. `isValidated`: its client has found the block valid. */
  blockCommitted(isValidated: boolean): void;
  /** The own client refused a block that the own sequencer offered (rule 29). */
  sealRefused(block: BlockRef, message: string): void;
  /** The own sequencer offered the committed tip again, which is proved to be refused by clients. False where nothing is done about it. */
  sealedAgain(block: BlockRef): boolean;
  /** The own client executes nothing that follows its head, as this block of the own sequencer shows. */
  clientIsUnable(envelope: Envelope): void;
  answer(answerId: number, outcome: Outcome): void;
  /** The node offered a block where a committed one stands (rule 3). */
  nodeIsOff(): void;
  /** This loop started the sequencer in this term. */
  hasStartedSequencer(): boolean;
  /** Hands leadership to a peer whose node holds the committed head (rule 6). */
  handTo(target: string): void;
  /** Where each member's node and client stand, in a few words for the log. */
  whoStandsWhere?(): string;
  /** A rollback is wanted and cannot be: an operator is needed. */
  rollbackRefused(why: string): void;
}

/** Whether the log as this leader has it is the one to admit by: its first entry is applied. */
export function mayAdmit(status: RaftStatus): boolean {
  return status.isReady || status.isTransferring;
}
