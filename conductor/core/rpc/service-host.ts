/**
 * The parts of the conductor that methods read and change, and the commands that are given to the log. A method calls the part
 * that it is about; only what stands above this room is named here function by function.
 */
import type { CallResult, NodeRequest } from '../node/calls.ts';
import type { WholeChainView } from '../node/chain-view.ts';
import type { Logger, Metrics } from '../ports.ts';
import type { EventSink } from '../published-event.ts';
import type { RaftCommand, RaftResult, RefusalReason } from '../raft/events.ts';
import type { RaftNode } from '../raft/node.ts';
import type { ControlLoop } from '../control/loop.ts';
import type { TransferTarget } from '../control/target.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { NodeView } from '../evidence/node-views.ts';
import type { OperatorWord } from '../evidence/operator-word.ts';
import type { OwnEvent } from '../events.ts';
import type { UnsafeChain } from '../payload/unsafe-chain.ts';
import type { PayloadCommits } from './commit.ts';
import type { Outcome } from './message.ts';

/** A command without its request id. */
export type Command = RaftCommand extends infer One
  ? One extends RaftCommand
    ? Omit<One, 'requestId'>
    : never
  : never;
/** A call as it comes in. */
export type RpcEvent = Extract<OwnEvent, { kind: 'rpc' }>;

export interface ServiceHost {
  /** The version is the binary's. */
  readonly options: { readonly version: string };
  readonly ports: { readonly logger: Logger; readonly metrics: Metrics; readonly events: EventSink };
  /** Of the event that is being handled, monotonic milliseconds. */
  readonly time: { readonly nowMs: number };
  readonly raft: RaftNode;
  readonly chain: UnsafeChain;
  /** The committed part of it. */
  readonly view: WholeChainView;
  readonly control: ControlLoop;
  readonly commits: PayloadCommits;
  readonly evidence: Evidence;
  readonly operatorWord: OperatorWord;
  readonly outbox: {
    /** Asks the node or a peer; `then` is called once, with the result. */
    call(request: NodeRequest, then: (result: CallResult) => void): void;
    answer(answerId: number, outcome: Outcome): void;
  };
  readonly health: {
    /** null before the first round. */
    readonly verdict: { readonly isHealthy: boolean } | null;
    tellPeers(): void;
  };
  readonly override: { readonly isOn: boolean; set(isOn: boolean): void };
  /** Begins conductor_stop; the answer is given when it is done. */
  readonly shutdown: { stop(answerId: number): void };
  /** Every member's node, as this server knows it. */
  nodeViews(): readonly NodeView[];
  /** Whom leadership should go to when nobody is named (rule 18). */
  transferTarget(): TransferTarget;
  /** Gives a command to the log; `then` is called once, with its result. */
  command(command: Command, then: (result: RaftResult) => void): void;
}

/** Refusals that pass by themselves: a server that has just joined is still being brought up when it is promoted. */
export function isTooEarly(reason: RefusalReason, command: Command | null): boolean {
  if (reason === 'not-caught-up') return command?.kind === 'addServer';
  return reason === 'not-ready' || reason === 'change-in-progress';
}
