/**
 * The one error of moving a store from or to op-conductor. Each message says what was found, why going
 * on would be unsafe and which ways out there are; unless it says otherwise, nothing was changed.
 */
import { messageOf } from '#conductor/core/errors';
import { StoreError } from '#conductor/adapters/sqlite/store-error';

/**
 * damaged: bytes that are no bolt file, log entry or snapshot. inconsistent: readable parts that do not fit
 * together, as in a copy taken while op-conductor ran. incomplete: a file is missing. ambiguous: there are both
 * op-conductor's store and ours. in-use: another process has it open. unfinished: an export was
 * interrupted, or an import that a dry run of an export does not finish.
 * unsuitable: a store that must not be handed on (empty, recovering, unknown entries). io: the file system failed.
 */
export type MigrationErrorCode =
  | 'damaged'
  | 'inconsistent'
  | 'incomplete'
  | 'ambiguous'
  | 'in-use'
  | 'unfinished'
  | 'unsuitable'
  | 'io';

/** Thrown by everything in this folder, beside the StoreError of our own store. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code: MigrationErrorCode;

  constructor(code: MigrationErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The way out that always works. */
export const wipeAdvice =
  'Or remove this server from the cluster, move its directory away, start it empty and add it again.';

/** What was thrown while `doing` something, as a MigrationError; ours and the store's own stay as they are. */
export function migrationErrorFrom(thrown: unknown, doing: string): unknown {
  if (thrown instanceof MigrationError || thrown instanceof StoreError) return thrown;
  if (!(thrown instanceof Error) || !('code' in thrown)) return thrown;
  return new MigrationError(
    'io',
    `${doing} failed: ${messageOf(thrown)}. Check the volume and its permissions, then try again: it goes on where it stopped.`,
    { cause: thrown },
  );
}
