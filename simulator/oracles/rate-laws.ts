/**
 * The law of rates: whatever is wrong, nobody is asked the same thing over and over without a pause (rule 11). Bounds are
 * for a second and a pair of servers, or a server and what it asks of its node; a clock may run twice as fast.
 */
import { isHeartbeat } from '#conductor/core/raft/follower';
import type { OutboundRequest } from '#conductor/core/ports';
import type { Law } from './oracle.ts';

const SECOND_MS = 1000;

/** What may be sent to one server in a second; what brings entries that were not sent just before is not counted. */
const sentMax: Readonly<Record<string, number>> = {
  // After each write one that says so, at most every 10 ms; reads ask for some.
  heartbeat: 300,
  // Retried after 10 ms, then after twice as long each time.
  again: 100,
  snapshot: 40,
  // Who recovers asks for terms every 50 ms.
  prevote: 100,
  vote: 40,
  timeoutNow: 20,
  validate: 100,
};
/** What may be asked of a node, a client, L1 or a peer in a second, of each method: a node that is brought up is looked at every 20 ms. */
const ASKED_MAX = 250;

/** Requests and questions have pauses between them. */
export const ratesAreBounded: Law = (broken) => {
  let second = -1;
  const counts = new Map<string, number>();
  /** The latest append to a server: where it begins, and what it brings. */
  const latest = new Map<string, string>();
  const count = (worldMs: number, key: string, max: number): void => {
    const now = Math.floor(worldMs / SECOND_MS);
    if (now !== second) {
      second = now;
      counts.clear();
    }
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    if (times > max) broken(`${key}: more than ${max} times within a second`);
  };
  return {
    sent: ({ id, worldMs }, { peerId, request }) => {
      const pair = `${id} to ${peerId}`;
      const kind = kindOf(request, pair, latest);
      if (kind !== null) count(worldMs, `${kind} from ${pair}`, sentMax[kind] ?? 0);
    },
    asked: ({ id, worldMs }, { target, method }) => count(worldMs, `${method} of ${target} by ${id}`, ASKED_MAX),
  };
};

/** As what a request counts; null for an append that is not the same again. */
function kindOf(request: OutboundRequest['request'], pair: string, latest: Map<string, string>): string | null {
  if (request.kind !== 'append') return request.kind;
  if (isHeartbeat(request)) return 'heartbeat';
  const text = `${request.prevLogIndex} ${request.entries?.length ?? 0}`;
  const isAgain = latest.get(pair) === text;
  latest.set(pair, text);
  return isAgain ? 'again' : null;
}
