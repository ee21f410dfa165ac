/**
 * Verdicts on the own sequencer in the log, in op-conductor's words, levels and rhythm: alerts on its log match on them.
 * A line per health check, not per look between two, and one at once when the cause changes.
 */
import type { Logger } from '../ports.ts';
import { causes, type Verdict } from './verdict.ts';

export interface HealthLogOptions {
  readonly logger: Logger;
  readonly serverId: string;
  /** From one health check to the next, milliseconds. */
  readonly intervalMs: number;
}

export class HealthLog {
  readonly #options: HealthLogOptions;
  /** As in op-conductor, healthy is what a sequencer counts as before its first check. */
  #isHealthy = true;
  /** The cause of the last line, '' for healthy; null before the first one. */
  #cause: string | null = null;
  #writtenAtMs = -Infinity;

  constructor(options: HealthLogOptions) {
    this.#options = options;
  }

  verdict(verdict: Verdict, nowMs: number): void {
    const { logger, serverId, intervalMs } = this.#options;
    const cause = verdict.isHealthy ? '' : causes[verdict.cause];
    // Answers do not take the same time at each check, and looks between two may be nearer.
    if (cause === this.#cause && nowMs - this.#writtenAtMs < intervalMs / 2) return;
    this.#cause = cause;
    this.#writtenAtMs = nowMs;
    if (verdict.isHealthy) logger.log('info', 'sequencer is healthy', {});
    else logger.log('error', 'Sequencer is unhealthy', { server: serverId, err: cause, detail: verdict.detail });
    if (verdict.isHealthy === this.#isHealthy) return;
    this.#isHealthy = verdict.isHealthy;
    logger.log('info', 'Health state changed', { old: !verdict.isHealthy, new: verdict.isHealthy });
  }
}
