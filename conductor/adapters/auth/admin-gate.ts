/**
 * The gate of the admin methods for the HTTP server: who may pass, by the credentials where there are
 * any, and an audit line for every call that was turned away. Lines about refused calls have a rate, so
 * that whoever may not call cannot fill the disk with them either; calls beyond it are counted.
 */
import type { AdminGate } from '#conductor/adapters/http/calls';
import { auditAdminCall, type AuditPorts } from '#conductor/core/rpc/audit';
import { anybody } from '#conductor/core/rpc/identity';
import { asksWhoCalls } from '#conductor/core/rpc/method';
import { methodTable } from '#conductor/core/rpc/methods';
import type { Credentials } from './credentials.ts';

/** What a caller that looks like a web page is told after why it does. */
const advice =
  ', and no page may change this conductor without a proof of who calls: set --rpc.auth.tokens-file or ' +
  '--rpc.auth.jwt-secret and send the header "Authorization: Bearer ..."';

/** Most lines about refused calls per second. */
export const refusalLinesPerSecondMax = 100;

export interface AdminGateOptions extends AuditPorts {
  /** null: everybody may call, but for web pages. */
  readonly credentials: Credentials | null;
  /** Monotonic milliseconds. */
  now(): number;
}

export function createAdminGate({ credentials, logger, metrics, events, now }: AdminGateOptions): AdminGate {
  // From the start at 0, so that alerts see the rise though the first thousands come between two scrapes.
  for (const method of methodTable.filter(asksWhoCalls))
    metrics.count('admin_calls_total', { method: method.name, outcome: 'unauthorized' }, 0);
  let second = -1;
  let lines = 0;
  return {
    identify: ({ authorization, pageSign }, guard) => {
      if (guard === 'no-page' && pageSign === null) return anybody;
      if (credentials !== null) return credentials.identify(authorization);
      return pageSign === null ? anybody : { kind: 'refused', message: `unauthorized: ${pageSign}${advice}` };
    },
    refused: ({ params }, { method, reason }, { from, message }) => {
      const nowSecond = Math.floor(now() / 1000);
      if (nowSecond !== second) {
        const unsaid = lines - refusalLinesPerSecondMax;
        if (unsaid > 0) logger.log('warn', 'more admin calls were refused than are shown', { unsaid });
        second = nowSecond;
        lines = 0;
      }
      lines += 1;
      if (lines > refusalLinesPerSecondMax) metrics.count('admin_calls_total', { method, outcome: reason });
      else {
        const call = { method, params: params.values ?? [], from, as: '', outcome: reason, error: message };
        auditAdminCall({ logger, metrics, events }, call);
      }
    },
  };
}
