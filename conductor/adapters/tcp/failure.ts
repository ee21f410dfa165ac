/**
 * What a socket's error means for a request. 'refused' and 'reset' are evidence that nobody listens
 * (rule 13), so they are given only where the kernel said that.
 */
import type { FailureReason } from '#conductor/core/ports';

export interface Failure {
  readonly reason: FailureReason;
  /** For logs. */
  readonly message: string;
}

/** How a failed connect went; see `connectFailure`. */
export interface ConnectAttempt {
  /** Did it fail inside the call of connect? */
  readonly isSynchronous: boolean;
  readonly elapsedMs: number;
}

/** A refusal is one answer of the peer's kernel. What takes longer is a router or ARP giving up. */
const REFUSAL_MS_MAX = 1000;

/**
 * Bun 1.4.5 reports every failed connect as ECONNREFUSED. Told apart by how they fail: a missing
 * route fails inside the call, an unanswered neighbour after seconds, a closed port in between.
 * (What is left: a router that answers at once with ICMP unreachable counts as refused.)
 */
export function connectFailure(error: Error, attempt: ConnectAttempt): Failure {
  const code = codeOf(error);
  const message = `${code || error.message} after ${attempt.elapsedMs.toFixed(1)} ms`;
  if (code === 'ECONNREFUSED') {
    if (attempt.isSynchronous) return { reason: 'unreachable', message: 'no route to the address' };
    if (attempt.elapsedMs > REFUSAL_MS_MAX) return { reason: 'unreachable', message };
    return { reason: 'refused', message };
  }
  return { reason: code === 'ECONNRESET' ? 'reset' : 'unreachable', message };
}

/** An open connection that ended, with the socket's error if it gave one (none: closed by the peer in order). */
export function closeFailure(error: Error | undefined): Failure {
  if (error === undefined) return { reason: 'reset', message: 'closed by the peer' };
  const code = codeOf(error);
  const isReset = code === 'ECONNRESET' || code === 'EPIPE' || code === '';
  return { reason: isReset ? 'reset' : 'unreachable', message: error.message.split('\n')[0]! };
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
