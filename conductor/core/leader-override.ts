/**
 * conductor_overrideLeader: the answer about leadership is overridden, and the sequencer is the operator's (the control
 * loop leaves it alone). Commits still need raft leadership (rule 27), so an override beside another leader is an alarm.
 */
import type { Logger, Metrics } from './ports.ts';

const begun = 'leadership is overridden: this conductor leaves its sequencer to the operator until that is taken back';
const over = 'leadership is no longer overridden: this conductor looks after its sequencer again';

export interface LeaderOverrideHost {
  readonly selfId: string;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Whom this server knows as leader; null for nobody. */
  leaderId(): string | null;
}

export class LeaderOverride {
  readonly #host: LeaderOverrideHost;
  #isOn = false;

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
    if (!this.#isOn || leader === null || leader === this.#host.selfId) return;
    this.#host.metrics.count('alarms_total', { kind: 'override' });
    this.#host.logger.log(
      'error',
      'leadership is overridden here while another server leads: only its payloads are committed',
      {
        leader,
      },
    );
  }
}
