/**
 * Asking all peers of this software at once how they stand, before leadership is refused to any of them for what it said
 * some time ago: each is sent an append that carries peer status and is answered with it (rule 16), and whoever stays silent
 * is waited for a quarter of the heartbeat timeout.
 */
import type { Leadership } from './leadership.ts';
import type { RaftState } from './state.ts';
import { ASK_PART } from './timing.ts';

/** Questions that may wait for answers at once. */
const ASKS_MAX = 256;

export function askPeers(s: RaftState, led: Leadership, requestId: number): void {
  if (led.asks.length >= ASKS_MAX) return s.refuse(requestId, 'busy', `${ASKS_MAX} questions already wait for answers`);
  led.askRound++;
  led.asks.push({
    requestId,
    round: led.askRound,
    deadlineMs: s.nowMs + s.options.heartbeatTimeoutMs * ASK_PART,
  });
  for (const peer of led.peers.values()) if (peer.isNative) peer.statusWanted = true;
  answerAsks(s);
}

/** Ends the questions that all have answered, and those that have waited long enough. */
export function answerAsks(s: RaftState): void {
  const led = s.leadership;
  if (!led || led.asks.length === 0) return;
  let round = Infinity;
  for (const peer of led.peers.values()) if (peer.isNative) round = Math.min(round, peer.answeredAsk);
  const isOver = (ask: (typeof led.asks)[number]): boolean => ask.round <= round || s.nowMs >= ask.deadlineMs;
  const over = led.asks.filter(isOver);
  if (over.length === 0) return;
  led.asks = led.asks.filter((ask) => !isOver(ask));
  for (const { requestId } of over)
    s.outbox.results.push({ kind: 'done', requestId, index: s.commitIndex, term: s.term, value: null });
}
