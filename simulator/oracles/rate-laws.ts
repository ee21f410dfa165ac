/**
 * The law of rates: whatever is wrong, nobody is asked over and over without a pause (rule 11). Bounds are for a second of
 * the world's time and a pair of servers, or a server and what it asks of its node; a clock may run twice as fast.
 */
import { isHeartbeat } from '#conductor/core/raft/follower';
import type { RpcRequest } from '#conductor/core/raft/types';
import type { Machine } from '../machine.ts';
import { LostFollowers } from './lost-followers.ts';
import type { Law } from './oracle.ts';

const SECOND_MS = 1000;

/** What may be sent to one server in a second. Appends are as many as there are entries, and not counted. */
const sentMax: Readonly<Partial<Record<string, number>>> = {
  // After each write one that says so, at most every 10 ms; reads ask for some.
  heartbeat: 300,
  snapshot: 40,
  // Who recovers asks for terms every 50 ms.
  prevote: 100,
  vote: 40,
  timeoutNow: 20,
};
/** Requests of a kind to one server that may fail in a second: they are tried again after 10 ms, then after twice as long each time. */
const FAILED_MAX = 60;
/** What may be asked of a node, a client, L1 or a peer in a second, of each method: a node that is brought up is looked at every 20 ms. */
const ASKED_MAX = 250;

/** Who has left is told so, and then let be: within so long, also where the configuration takes its time to commit. */
const LET_GO_MS = 20_000;

/**
 * Requests and questions have pauses between them, the more so where they fail, and no long one after the first failure; and
 * who has left is asked nothing.
 */
export const ratesAreBounded: Law = (broken) => {
  let second = -1;
  const counts = new Map<string, number>();
  /** What the requests are that are under way: of each machine, by their number. */
  const underWay = new Map<Machine, Map<number, string>>();
  /** When each was last known as a member to the process that asks it. */
  const memberAtMs = new Map<string, number>();
  const lost = new LostFollowers();
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
    ended: (machine) => {
      underWay.delete(machine);
      lost.forget(machine);
    },
    observed: (machine, position) => lost.turned(machine, position),
    sent: (machine, message) => {
      const { peerId, request, requestId } = message;
      const kind = kindOf(request);
      const key = `${kind} from ${machine.id} to ${peerId}`;
      const requests = underWay.get(machine) ?? new Map<number, string>();
      underWay.set(machine, requests.set(requestId, key));
      const lostMs = kind === 'heartbeat' ? lost.sent(machine, message) : null;
      if (lostMs !== null) broken(`${key}: none for ${Math.round(lostMs)} ms after the first that failed`);
      const max = sentMax[kind];
      if (max !== undefined) count(machine.worldMs, key, max);
      const pair = `${machine.id} ${machine.life} ${peerId}`;
      if (machine.worldMs - (memberAtMs.get(pair) ?? -Infinity) < SECOND_MS) return;
      const status = machine.conductor?.status();
      const servers = status?.configuration.configuration.servers ?? [];
      // A follower answers whoever leads, member or not.
      if (status?.role !== 'leader' || servers.some(({ id }) => id === peerId)) memberAtMs.set(pair, machine.worldMs);
      else if (machine.worldMs - (memberAtMs.get(pair) ?? machine.worldMs) > LET_GO_MS)
        broken(`${machine.id} sends ${kind} to ${peerId}, which is no member any more`);
    },
    handled: (machine, event) => {
      if (event.kind !== 'failed' && event.kind !== 'response') return;
      lost.ended(machine, event);
      const requests = underWay.get(machine);
      const key = requests?.get(event.requestId);
      requests?.delete(event.requestId);
      if (key !== undefined && event.kind === 'failed') count(machine.worldMs, `failed ${key}`, FAILED_MAX);
    },
    asked: ({ id, worldMs }, { target, method }) => count(worldMs, `${method} of ${target} by ${id}`, ASKED_MAX),
  };
};

function kindOf(request: RpcRequest): string {
  return request.kind === 'append' && isHeartbeat(request) ? 'heartbeat' : request.kind;
}
