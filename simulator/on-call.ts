/** Who reads the conductors' logs and answers alarms, as the world knows them (repair-operator.ts). */
import type { LogLevel } from '#conductor/core/ports';

export interface OnCall {
  /** An alarm is being looked into. */
  readonly isAtWork: boolean;
  /** Something was done about one, which takes a person's time. */
  readonly hasActed: boolean;
  /** Of whom the client was restarted, and when, the world's time. */
  readonly restarts: readonly { readonly id: string; readonly atMs: number }[];
  /** When an alarm first named a block by its hash, the world's time; null for never. */
  toldAtMs(hash: string): number | null;
  /** A line of a conductor's log. */
  read(id: string, level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}
