/**
 * Operating errors of the process as a whole. Each has a literal `code`; each message says what
 * happened, why it matters and how to fix it. Outcomes that a caller must handle (a refused
 * proposal, a node that does not answer) are return values instead.
 */

/** The command line or the environment cannot be used; the process ends with exit code 1. */
export class ConfigError extends Error {
  readonly code = 'config';
  override readonly name = 'ConfigError';
}

/** A start-up step failed for good (ports in use, node says no, store unusable); exit code 1. */
export class StartupError extends Error {
  readonly code = 'startup';
  override readonly name = 'StartupError';
}

/** The text of anything thrown, for logs and answers. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
