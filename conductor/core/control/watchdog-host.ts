/** What the watchdog on commits is given to work with, and what it says (rule 31). */
import type { Unhealthy } from '../health/verdict.ts';
import type { BlockRef, CallResult, NodeRequest } from '../node/calls.ts';
import type { Standing } from './control-host.ts';
import type { StandingHead } from './standing-head.ts';

/** What the watchdog goes by, read whenever something may have changed. */
export interface WatchedState {
  readonly term: number;
  /** This server leads, nothing keeps it from acting, and its sequencer is believed to build. */
  readonly isSequencing: boolean;
  /** Payloads are in validation or pending, and not overdue, or the node is being told something: that time does not count. */
  readonly isBusy: boolean;
  /** A payload was pending for as long as one may be, and none was committed since: followers are heard, and take no entries. */
  readonly isOverdue: boolean;
}

export interface WatchdogHost {
  nowMs(): number;
  /** Wall time, milliseconds. */
  unixMs(): number;
  /** Starts a request; `then` is called once, with its result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
  state(): WatchedState;
  /** The committed head; null while none is held. `timestamp` is Unix seconds. */
  tip(): (BlockRef & { readonly timestamp: bigint }) | null;
  /** The newest L1 block, and the highest safe head, that any peer's node has told of lately; null for none. */
  peersL1Number(): bigint | null;
  peersSafeNumber(): bigint | null;
  /** A voter that could lead holds the head, and it has not stood under it. */
  isLeftToTry(head: StandingHead): boolean;
  /** It has stood under another voter. */
  wasTried(head: StandingHead): boolean;
  /** The own op-node's driver loop does not turn, and these other voters that are heard are unfit, too: the cause may be common. */
  heldUpWith(): 'nobody' | 'some' | 'all';
  /** The own client executes nothing that follows its head before it has synced or was refilled. */
  needsSync(): boolean;
  /** The node or its client does not answer. */
  silent(verdict: Unhealthy): void;
  /** What the head's standing still asks for; null when it does not stand, or nothing more is known against moving. */
  stands(standing: Standing | null): void;
  /** The head that stands came from another leader: the own node may lack what it was built on. */
  standsOnAnothers(): void;
  /** The node's head rises above the committed one, and its op-node has offered nothing meanwhile. */
  risesUncommitted(head: BlockRef): void;
  /** The sequencer commits again: what was said of the head before is of the past. */
  goesOn(): void;
}
