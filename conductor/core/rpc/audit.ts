/**
 * The audit log: one line and one count for every admin call, carried out or refused: who (address and
 * proved name), what (method and parameters), what it changed (before and after) and how it ended.
 */
import type { Logger, Metrics } from '../ports.ts';
import type { EventSink } from '../published-event.ts';
import type { RefusedAdmin } from './dispatch.ts';
import type { Outcome } from './message.ts';

/** Longest parameter written out, characters, and most parameters; the rest is counted. */
const paramLengthMax = 256;
const paramsMax = 8;

/** How an admin call ended. `done`: carried out; `failed`: answered with an error and nothing changed; `unknown`: it may still happen. */
export type AdminOutcome = 'done' | 'failed' | 'unknown' | RefusedAdmin['reason'];

/** A piece of state that a call may change. */
export interface StateChange {
  /** What it is: paused, stopped, overridden, leader or version. */
  readonly state: string;
  readonly before: string;
  readonly after: string;
}

export interface AdminCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly from: string;
  /** The proved name; '' when none was asked for, or none was proved. */
  readonly as: string;
  readonly outcome: AdminOutcome;
  /** The error that was answered; '' for none. */
  readonly error: string;
  readonly change?: StateChange;
}

/** Where the lines and counts go. */
export interface AuditPorts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: EventSink;
}

/** Writes the line, counts and publishes. */
export function auditAdminCall({ logger, metrics, events }: AuditPorts, call: AdminCall): void {
  const { method, outcome, from, as, error, change } = call;
  metrics.count('admin_calls_total', { method, outcome });
  const { state = '', before = '', after = '' } = change ?? {};
  events.publish({ kind: 'admin', method, from, as, outcome, state, before, after });
  logger.log('info', 'admin call', {
    method,
    params: paramTexts(call.params),
    from,
    ...(as === '' ? {} : { as }),
    outcome,
    ...change,
    ...(error === '' ? {} : { err: error }),
  });
}

/** The audit's word for the outcome of a call that was carried out. */
export function adminOutcome(outcome: Outcome): AdminOutcome {
  if (outcome.kind === 'result') return 'done';
  const data = outcome.data === undefined ? null : (JSON.parse(outcome.data) as { readonly outcome?: unknown });
  return data?.outcome === 'unknown' ? 'unknown' : 'failed';
}

function paramTexts(params: readonly unknown[]): string[] {
  const texts = params.slice(0, paramsMax).map((param) => shortened(textOf(param)));
  return params.length <= paramsMax ? texts : [...texts, `and ${params.length - paramsMax} more`];
}

/** No admin method takes anything but plain values; others are only named, for they may be of any size and depth. */
function textOf(param: unknown): string {
  return typeof param === 'object' && param !== null ? 'object' : String(param);
}

function shortened(text: string): string {
  if (text.length <= paramLengthMax) return text;
  return `${text.slice(0, paramLengthMax)}... (${text.length} characters)`;
}
