/**
 * How late timers come: the sign of a loop held up by a slow write, a long computation, garbage
 * collection or a starved machine, each of which can cost a leader its lease (rule 15).
 */
import type { Metrics } from '#conductor/core/ports';
import { monotonicMs } from './clock.ts';

/** Time between two probes; ten wake-ups a second cost far below a thousandth of a core. */
const probeIntervalMs = 100;

/** Observes loop_lag_seconds until the returned function is called. Does not keep the process alive. */
export function startLoopLagMeter(metrics: Metrics): () => void {
  let due = monotonicMs() + probeIntervalMs;
  const timer = setInterval(() => {
    const now = monotonicMs();
    metrics.observe('loop_lag_seconds', Math.max(0, now - due) / 1000);
    due = now + probeIntervalMs;
  }, probeIntervalMs).unref();
  return () => clearInterval(timer);
}
