/**
 * conductor_overrideLeader: the answer about leadership is overridden, and the sequencer is the operator's (the control
 * loop leaves it alone). Commits still need raft leadership (rule 27), so an override beside another leader is an alarm.
 */
import { alarmAgainMs } from './control/control-report.ts';
import type { Logger, Metrics } from './ports.ts';

const begun = 'leadership is overridden: this conductor leaves its sequencer to the operator until that is taken back';
const over = 'leadership is no longer overridden: this conductor looks after its sequencer again';

export interface LeaderOverrideHost {
  readonly selfId: string;
  /** Monotonic milliseconds. */
  nowMs(): number;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Whom this server knows as leader; null for nobody. */
  leaderId(): string | null;
}

export class LeaderOverride {
  readonly #host: LeaderOverrideHost;
  #isOn = false;
  /** The other leader beside whom the alarm was counted last, and when; null while there is none. */
  #alarmed: { readonly leader: string; readonly atMs: number } | null = null;

  constructor(host: LeaderOverrideHost) {
    this.#host = host;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  set(isOn: boolean): void {
    if (isOn !== this.#isOn) this.#host.logger.log(isOn ? 'warn' : 'info', isOn ? begun : over, {});
    this.#isOn = isOn;
    this.leaderMayHaveChanged();
  }

  /** To be called whenever another leader may be known. */
  leaderMayHaveChanged(): void {
    const leader = this.#host.leaderId();
    if (!this.#isOn || leader === null || leader === this.#host.selfId) {
      this.#alarmed = null;
      return;
    }
    const isKnown = this.#alarmed?.leader === leader;
    const nowMs = this.#host.nowMs();
    if (isKnown && nowMs < this.nextDeadlineMs()) return;
    this.#alarmed = { leader, atMs: nowMs };
    this.#host.metrics.count('alarms_total', { kind: 'override' });
    this.#host.logger.log(
      isKnown ? 'debug' : 'error',
      'leadership is overridden here while another server leads: only its payloads are committed',
      { leader },
    );
  }

  /** While another server leads, the alarm is counted again. */
  tick(): void {
    this.leaderMayHaveChanged();
  }

  /** When `tick` wants to be called. */
  nextDeadlineMs(): number {
    return this.#alarmed === null ? Infinity : this.#alarmed.atMs + alarmAgainMs;
  }
}
