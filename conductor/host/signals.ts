/**
 * SIGTERM and SIGINT: the first asks for an orderly end, the second forces one, as SIGQUIT does at once. SIGHUP ends
 * nothing: it asks that what can change while the process runs is read again.
 */
import type { ProcessLogger } from '#conductor/adapters/logging/logging';

/** Exit code of a forced end. */
const forcedExitCode = 2;

/** Installed before anything else: as PID 1 there is no default action. */
export function listenToSignals(logger: ProcessLogger): {
  readonly first: Promise<void>;
  onDrain(begin: (reason: string) => void): void;
  onReload(reload: () => void): void;
} {
  const { promise: first, resolve } = Promise.withResolvers<void>();
  let begin: ((reason: string) => void) | null = null;
  let reload = (): void => logger.log('info', 'received SIGHUP while starting: files are read as they are needed');
  let received = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      received += 1;
      if (received > 1) {
        logger.crit('forced to end by a second signal', { signal });
        process.exit(forcedExitCode);
      }
      logger.log('info', 'received a signal, ending in order (again: at once)', { signal });
      resolve();
      begin?.(signal);
    });
  }
  process.on('SIGHUP', () => reload());
  process.on('SIGQUIT', () => {
    logger.crit('forced to end by a signal', { signal: 'SIGQUIT' });
    process.exit(forcedExitCode);
  });
  return {
    first,
    onDrain: (drainNow) => void (begin = drainNow),
    onReload: (reloadNow) => void (reload = reloadNow),
  };
}
