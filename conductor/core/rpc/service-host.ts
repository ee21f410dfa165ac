/** What the RPC service needs of the conductor, and the commands it gives to the log. */
import type { Logger, Metrics } from '../ports.ts';
import type { EventSink } from '../published-event.ts';
import type { RaftCommand, RaftResult, RefusalReason } from '../raft/events.ts';
import type { BlockRef, CallResult, NodeRequest } from '../node/calls.ts';
import type { ControlLoop } from '../control/loop.ts';
import type { TransferTarget } from '../control/target.ts';
import type { OwnEvent } from '../events.ts';
import type { PayloadCommits } from './commit.ts';
import type { Outcome } from './message.ts';
import type { ReadHost } from './reads.ts';

/** A command without its request id. */
export type Command = RaftCommand extends infer One
  ? One extends RaftCommand
    ? Omit<One, 'requestId'>
    : never
  : never;
/** A call as it comes in. */
export type RpcEvent = Extract<OwnEvent, { kind: 'rpc' }>;

export interface ServiceHost extends ReadHost {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: EventSink;
  readonly control: ControlLoop;
  readonly commits: PayloadCommits;
  nowMs(): number;
  /** Puts behind a snapshot a rollback that a new server would read past (rule 6); false while that cannot be. */
  compactRollback(): boolean;
  /** Gives a committed block up on an operator's word; why not, as a sentence, else null. Of the leader only. */
  giveUp(block: BlockRef): string | null;
  /** `done` is called when it is in force and the node was told what it has to know. */
  setOverridden(isOverridden: boolean, done: () => void): void;
  /** Whom leadership should go to when nobody is named (rule 18). */
  transferTarget(): TransferTarget;
  /** Gives a command to the log; `then` is called once, with its result. */
  command(command: Command, then: (result: RaftResult) => void): void;
  /** Asks the node or a peer; `then` is called once, with the result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
  answer(answerId: number, outcome: Outcome): void;
  /** Begins conductor_stop; the answer is given when it is done. */
  stop(answerId: number): void;
  pauseChanged(): void;
}

/** Refusals that pass by themselves: a server that has just joined is still being brought up when it is promoted. */
export function isTooEarly(reason: RefusalReason, command: Command | null): boolean {
  if (reason === 'not-caught-up') return command?.kind === 'addServer';
  return reason === 'not-ready' || reason === 'change-in-progress';
}
