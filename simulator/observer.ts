/**
 * What the oracles are told of a run, as it happens. The world calls; nothing here can change it.
 */
import type { RaftPosition } from '#conductor/core/raft/status';
import type { ConductorEvent } from '#conductor/core/events';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { LogLevel, OutboundRequest, WriteBatch } from '#conductor/core/ports';
import type { Outcome } from '#conductor/core/rpc/message';
import type { MethodName } from '#conductor/core/rpc/methods';
import type { ParamValue } from '#conductor/core/rpc/params';
import type { Block } from './blocks.ts';
import type { PayloadStatus } from './execution-client.ts';
import type { Machine } from './machine.ts';

/** What somebody wants of a conductor: a method of its RPC, or a linearizable read of its log. */
export interface Call {
  readonly method: MethodName | 'read';
  readonly values: readonly ParamValue[];
  /** When it was made; the world's time. */
  readonly sinceMs: number;
}

export interface RunObserver {
  started(machine: Machine): void;
  ended(machine: Machine): void;
  /** A process ends by itself, in order; `undone` says what it had to leave, '' for nothing. */
  exited(machine: Machine, undone: string): void;
  /** A machine has lost its disk. */
  wiped(machine: Machine): void;
  /** A scrub has told the process of an entry that its disk cannot read. */
  scrubbed(machine: Machine, index: number): void;
  /** A client asks for a linearizable read. */
  readBegins(machine: Machine): void;
  /** Somebody calls a conductor that runs; the same object comes back with the answer, if there is one. */
  called(machine: Machine, call: Call): void;
  /** The caller has its answer, or has lost its connection. */
  answered(machine: Machine, call: Call, outcome: Outcome): void;
  /** A conductor asks its node, or another of those that it asks. */
  asked(machine: Machine, request: NodeRequest): void;
  /** An event goes into a conductor. */
  handled(machine: Machine, event: ConductorEvent): void;
  /** A conductor sends a request to another one; nobody knows whether it arrives. */
  sent(machine: Machine, message: OutboundRequest): void;
  /** A transaction is durable. */
  written(machine: Machine, batch: WriteBatch): void;
  /** A conductor has said all it wants for now. */
  observed(machine: Machine, status: RaftPosition): void;
  /** A commit was acknowledged to the sequencer. */
  committed(machine: Machine, block: Block): void;
  /** The sequencer was not told in time, or was told that it is not known, whether its block is committed. */
  leftInDoubt(machine: Machine, block: Block): void;
  /** A conductor tells its node to start sequencing on the block of that hash, or to stop ('' then). */
  ordered(machine: Machine, method: 'admin_startSequencer' | 'admin_stopSequencer', hash: string): void;
  /** An operator has a sequencer go on without its conductor from now on. */
  overridden(machine: Machine): void;
  /** An execution client says to its conductor what a block is worth (engine_newPayload). */
  judged(machine: Machine, block: Block, status: PayloadStatus): void;
  /** A sequencer hands a block to the world. */
  published(machine: Machine, block: Block): void;
  /**
   * A conductor tells another one to campaign at once; `isPastAppends`: which appends do not reach; `isAdvice`: that of a deposed
   * leader, which whoever could not sequence lets be.
   */
  handsOver(machine: Machine, to: string, isPastAppends: boolean, isAdvice: boolean): void;
  said(machine: Machine, level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** A conductor adds to a counter. */
  counted(machine: Machine, name: string, by: number): void;
  /** A conductor adds an observation to a histogram. */
  measured(machine: Machine, name: string, value: number): void;
  threw(machine: Machine, error: unknown): void;
}

/** How often each thing was told. */
export type TimesTold = Record<keyof RunObserver, number>;

export function noneTold(): TimesTold {
  return {
    started: 0,
    ended: 0,
    exited: 0,
    wiped: 0,
    scrubbed: 0,
    readBegins: 0,
    called: 0,
    answered: 0,
    asked: 0,
    handled: 0,
    sent: 0,
    written: 0,
    observed: 0,
    committed: 0,
    leftInDoubt: 0,
    ordered: 0,
    overridden: 0,
    judged: 0,
    published: 0,
    handsOver: 0,
    said: 0,
    counted: 0,
    measured: 0,
    threw: 0,
  };
}
