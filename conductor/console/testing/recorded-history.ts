/**
 * Writes into a history what hours of a cluster leave there: a block in every slot, a failover now and then with all
 * that its servers tell of it, and a server that is silent for a while after it.
 */
import type { History } from '../history.ts';
import type { ServerState } from '../protocol.ts';

export interface Recording {
  readonly cluster: string;
  readonly ids: readonly [string, string, string];
  readonly fromMs: number;
  readonly toMs: number;
  readonly blockMs: number;
  /** From one failover to the next. */
  readonly failoverEveryMs: number;
  /** How long the chain stands in one. */
  readonly gapMs: number;
}

const follows: ServerState = {
  answers: true,
  role: 'follower',
  isSequencing: false,
  isHealthy: true,
  isPaused: false,
};
const leads: ServerState = { ...follows, role: 'leader', isSequencing: true };
const silent: ServerState = { ...follows, answers: false, role: null, isSequencing: null, isHealthy: null };
/** How long a server that was lost stays away. */
const awayMs = 90_000;

/** The number of the last block. */
export function recordHistory(history: History, recording: Recording): number {
  const { cluster, ids, fromMs, toMs, blockMs, failoverEveryMs, gapMs } = recording;
  let leader = 0;
  let term = 2;
  let number = 1000;
  let nextFailoverMs = fromMs + failoverEveryMs;
  for (const [at, server] of ids.entries())
    history.lane(cluster, { server, atMs: fromMs, state: at === leader ? leads : follows });
  const event = (server: string, atMs: number, kind: string, data: Readonly<Record<string, unknown>>): void =>
    void history.event({ cluster, server, atMs, kind, data }, `${server}-${kind}-${atMs}`);
  event(ids[0], fromMs, 'role', { role: 'leader', term, reason: 'elected' });
  for (let atMs = fromMs; atMs < toMs; atMs += blockMs) {
    const isLate = atMs >= nextFailoverMs;
    if (isLate) {
      const before = ids[leader]!;
      leader = (leader + 1) % ids.length;
      const next = ids[leader]!;
      term += 1;
      const lostMs = atMs - blockMs + gapMs * 0.4;
      event(before, lostMs, 'silent', { why: 'connection refused' });
      event(next, lostMs + 4, 'role', { role: 'candidate', term, reason: 'the leader is gone' });
      event(next, lostMs + 31, 'role', { role: 'leader', term, reason: 'elected' });
      event(next, lostMs + 44, 'confirmed', { confirmed: true, message: '' });
      event(next, lostMs + 45, 'order', { order: 'start', target: '', payloads: 1 });
      event(next, lostMs + 58, 'orderDone', { order: 'start', done: true, message: '', ms: 13 });
      history.lane(cluster, { server: before, atMs: lostMs, state: silent });
      history.lane(cluster, { server: next, atMs: lostMs + 31, state: leads });
      history.lane(cluster, { server: before, atMs: lostMs + awayMs, state: follows });
      event(before, lostMs + awayMs, 'answers', {});
      nextFailoverMs += failoverEveryMs;
      atMs += gapMs - blockMs;
    }
    number += 1;
    history.block(cluster, { number, atMs }, isLate ? gapMs : 0);
  }
  return number;
}
