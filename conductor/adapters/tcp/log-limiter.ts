/**
 * Warnings about what strangers do, at most one per second and remote address, so that nobody can
 * fill the log by sending garbage. What was left out is told with the next one.
 */
import type { Logger } from '#conductor/core/ports';

const INTERVAL_MS = 1000;
/** Addresses remembered; the one longest known makes room. */
const ADDRESSES_MAX = 1024;

interface Remembered {
  loggedMs: number;
  suppressed: number;
}

export class LogLimiter {
  readonly #logger: Logger | null;
  readonly #now: () => number;
  readonly #addresses = new Map<string, Remembered>();

  constructor(logger: Logger | null, now: () => number) {
    this.#logger = logger;
    this.#now = now;
  }

  warn(remoteAddress: string, message: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#logger === null) return;
    const nowMs = this.#now();
    const known = this.#addresses.get(remoteAddress);
    if (known !== undefined && nowMs - known.loggedMs < INTERVAL_MS) {
      known.suppressed += 1;
      return;
    }
    const suppressed = known?.suppressed ?? 0;
    if (known === undefined && this.#addresses.size >= ADDRESSES_MAX)
      this.#addresses.delete(this.#addresses.keys().next().value ?? '');
    this.#addresses.set(remoteAddress, { loggedMs: nowMs, suppressed: 0 });
    this.#logger.log('warn', message, { remote: remoteAddress, ...fields, ...(suppressed > 0 ? { suppressed } : {}) });
  }
}
