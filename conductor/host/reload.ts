/**
 * What SIGHUP asks of a conductor that runs: the files of credentials and certificates are read at once, rather than when
 * they are seen to have changed. It disturbs nobody: leadership, connections and calls go on.
 */
import type { Logger } from '#conductor/core/ports';

/** Has files that can be read again; null where they are not given. */
export type Rereadable = { reload(): void } | null;

/** Reads all files again; each says in the log what came of it. */
export function rereadFiles(holders: readonly Rereadable[], logger: Logger): void {
  for (const holder of holders) holder?.reload();
  logger.log('info', 'received SIGHUP: tokens, secrets and certificates were read again; other options need a restart');
}
