/**
 * The last line of a process that cannot go on, as op-conductor writes it. Where the runbook has a section for
 * the error, the line has its address and the command that prints it: whoever reads it was woken by it.
 */
import { MigrationError } from '#conductor/migration/migration-error';
import type { ProcessLogger } from '#conductor/adapters/logging/logging';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { messageOf } from '#conductor/core/errors';
import { errorsPage } from '#conductor/cli/documentation';

export function reportFailure(logger: Pick<ProcessLogger, 'crit'>, thrown: unknown): void {
  logger.crit('Application failed', { message: messageOf(thrown), ...runbookOf(thrown) });
}

/** Where an error is explained. */
export interface Runbook {
  /** Address of its section. */
  readonly runbook: string;
  /** The command that prints the same, without a network. */
  readonly command: string;
}

/** The section about an error with a code; null for others, whose message is all there is to say. */
export function runbookOf(thrown: unknown): Runbook | null {
  if (!(thrown instanceof StoreError || thrown instanceof MigrationError)) return null;
  return { runbook: `${errorsPage}#${thrown.code}`, command: `conductor runbook ${thrown.code}` };
}
