/**
 * What a conductor is made of, as types: what all parts stand on, and all of them together. They are joined in
 * conductor-components.ts.
 */
import type { RaftResult } from './raft/events.ts';
import type { RaftNode } from './raft/node.ts';
import type { UnsafeChain } from './payload/unsafe-chain.ts';
import type { PeerMemory } from './cluster-view.ts';
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { WholeChainView } from './node/chain-view.ts';
import type { ControlHost } from './control/control-host.ts';
import type { ControlLoop } from './control/loop.ts';
import type { ProcedureHost } from './node/procedure.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { VoterVerdicts } from './evidence/voter-verdicts.ts';
import type { OperatorWord } from './evidence/operator-word.ts';
import type { NodeView } from './evidence/node-views.ts';
import type { CommitWatchdog } from './control/watchdog.ts';
import type { TransferTarget, Peer } from './control/target.ts';
import type { Shutdown } from './shutdown.ts';
import type { LeaderOverride } from './leader-override.ts';
import type { NodeHealth } from './node-health.ts';
import type { Outbox } from './outbox.ts';
import type { PayloadCommits } from './rpc/commit.ts';
import type { RefusedBlocks } from './rpc/refused-blocks.ts';
import type { RpcService } from './rpc/service.ts';
import type { Command } from './rpc/service-host.ts';

/** What every other part stands on. */
export interface Dependencies {
  readonly options: ConductorOptions;
  readonly ports: ConductorPorts;
  /** Of the event that is being handled, monotonic milliseconds; the conductor moves it on. */
  readonly time: { nowMs: number };
  readonly outbox: Outbox;
  readonly chain: UnsafeChain;
  /** The committed part of it, as control and commits see it. */
  readonly view: WholeChainView;
  readonly refusedBlocks: RefusedBlocks;
  readonly raft: RaftNode;
  readonly peers: PeerMemory;
  /** What procedures ask for goes to the outbox and to the log. */
  readonly procedures: ProcedureHost;
  /** Gives a command to the log; `then` is called once, with its result. */
  command(command: Command, then: (result: RaftResult) => void): void;
  /** All members but ourselves. */
  members(): readonly Peer[];
  /** Whom leadership should go to when nobody is named (rule 18). */
  transferTarget(): TransferTarget;
}

export interface ConductorComponents extends Dependencies {
  /** How the own node, and those of the other voters, take what is committed (rule 6). */
  readonly evidence: Evidence;
  /** What an operator said of a committed block, where they do not prove it. */
  readonly operatorWord: OperatorWord;
  /** Every member's node, as this server knows it. */
  nodeViews(): NodeView[];
  readonly override: LeaderOverride;
  readonly control: ControlLoop;
  readonly health: NodeHealth;
  /** Whether the own sequencer commits (rule 31). */
  readonly watchdog: CommitWatchdog;
  readonly commits: PayloadCommits;
  /** What the own client says of blocks that a leader asks about (rule 28). */
  readonly voterVerdicts: VoterVerdicts;
  readonly shutdown: Shutdown;
  readonly service: RpcService;
}

/** What is known against committed blocks, by the nodes and by operators. */
export type Judgement = Required<
  Pick<
    ControlHost,
    | 'proofAgainst'
    | 'refusal'
    | 'clientRefuses'
    | 'isLeft'
    | 'hasLeft'
    | 'needsSync'
    | 'isHeldUp'
    | 'isCommitting'
    | 'isForgetting'
    | 'isRefilling'
    | 'startTroubleChanged'
    | 'lookNow'
    | 'lookedAtMs'
    | 'whoStandsWhere'
  >
>;
