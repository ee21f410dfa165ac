/**
 * What the oracles are told of a run, as it happens. The world calls; nothing here can change it.
 */
import type { RaftStatus } from '#conductor/raft/status';
import type { ConductorEvent } from '#conductor/events';
import type { LogLevel, WriteBatch } from '#conductor/ports';
import type { Block } from './blocks.ts';
import type { Machine } from './machine.ts';

export interface Witness {
  started(machine: Machine): void;
  ended(machine: Machine): void;
  /** A machine has lost its disk. */
  wiped(machine: Machine): void;
  /** A client asks for a linearizable read. */
  readBegins(machine: Machine): void;
  /** An event goes into a conductor. */
  handled(machine: Machine, event: ConductorEvent): void;
  /** A transaction is durable. */
  written(machine: Machine, batch: WriteBatch): void;
  /** A conductor has said all it wants for now. */
  observed(machine: Machine, status: RaftStatus): void;
  /** A commit was acknowledged to the sequencer; `isOverridden` ones never went to a conductor. */
  committed(machine: Machine, block: Block): void;
  /** A sequencer hands a block to the world. */
  published(machine: Machine, block: Block): void;
  said(machine: Machine, level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  counted(machine: Machine, name: string, labels?: Readonly<Record<string, string>>): void;
  threw(machine: Machine, error: unknown): void;
}
