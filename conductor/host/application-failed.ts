/**
 * The last line of a process that cannot go on, as op-conductor writes it. Where the documentation has a section for
 * the error, the line leads there: whoever reads it was woken by it.
 */
import { MigrationError } from '#conductor/migration/migration-error';
import type { ProcessLogger } from '#conductor/adapters/logging/logging';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { messageOf } from '#conductor/core/errors';
import { errorsPage } from '#conductor/cli/documentation';

export function reportFailure(logger: Pick<ProcessLogger, 'crit'>, thrown: unknown): void {
  const runbook = runbookOf(thrown);
  logger.crit('Application failed', { message: messageOf(thrown), ...(runbook === null ? {} : { runbook }) });
}

/** Address of the section about an error with a code; null for others, whose message is all there is to say. */
export function runbookOf(thrown: unknown): string | null {
  const hasSection = thrown instanceof StoreError || thrown instanceof MigrationError;
  return hasSection ? `${errorsPage}#${thrown.code}` : null;
}
