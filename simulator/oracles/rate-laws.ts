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
/**
 * What may be asked of a node, a client, L1 or a peer in a second, of each method: a node that is brought up is looked at
 * every 20 ms, and each time it has been reset, about four times a second, its client is asked for 64 blocks.
 */
const ASKED_MAX = 320;

/** Whoever runs takes turns oftener than this, milliseconds. */
const STILL_MS = 5000;
/** Who has left is told so, and then let be: within so long, also where the configuration takes its time to commit. */
const LET_GO_MS = 20_000;

/**
 * Where two logs part is found by longer and longer steps: so many of one entry, one after the other, is entry by entry. Towards
 * op-conductor it has to be, as its own leaders do: it compares nothing below the end of its snapshot.
 */
const STEPS_OF_ONE_MAX = 3;

/** A process and whom it sends to. */
interface Pair {
  /** The entry before those of the last append, and how often in a row it was one entry lower than the time before. */
  prevLogIndex: number;
  stepsBack: number;
  /** What each kind of request between them is called. */
  readonly names: Record<string, string>;
  /** When the other was last known as a member to the process; null for never. */
  memberAtMs: number | null;
}

/**
 * Requests and questions have pauses between them, the more so where they fail, and no long one after the first failure; and
 * who has left is asked nothing.
 */
export const ratesAreBounded: Law = (broken) => {
  /** What the requests are that are under way: of each machine, by their number. */
  const underWay = new Map<Machine, Map<number, string>>();
  const pairs = new Map<Machine, Map<string, Pair>>();
  const lost = new LostFollowers();
  const opConductors = new Set<string>();
  const turnedAtMs = new Map<Machine, number>();
  const stillMs = (machine: Machine): number => machine.worldMs - (turnedAtMs.get(machine) ?? machine.worldMs);
  const count = counting(broken);
  return {
    watch: ({ machines }) => {
      for (const { id, isOpConductor } of machines) if (isOpConductor) opConductors.add(id);
    },
    ended: (machine) => {
      underWay.delete(machine);
      pairs.delete(machine);
      turnedAtMs.delete(machine);
      lost.forget(machine);
    },
    observed: (machine, position) => {
      lost.turned(machine, position);
      const stoodMs = stillMs(machine);
      // No time counts in which it stood still: a machine that was suspended has not heard what was decided meanwhile.
      for (const pair of stoodMs > STILL_MS ? (pairs.get(machine)?.values() ?? []) : [])
        if (pair.memberAtMs !== null) pair.memberAtMs += stoodMs;
      turnedAtMs.set(machine, machine.worldMs);
    },
    sent: (machine, message) => {
      const { peerId, request, requestId } = message;
      const kind = kindOf(request);
      const pair = pairOf(pairs, machine, peerId);
      const key = (pair.names[kind] ??= `${kind} from ${machine.id} to ${peerId}`);
      const requests = underWay.get(machine) ?? new Map<number, string>();
      underWay.set(machine, requests.set(requestId, key));
      const lostMs = kind === 'heartbeat' ? lost.sent(machine, message) : null;
      if (lostMs !== null) broken(`${key}: none for ${Math.round(lostMs)} ms after the first that failed`);
      if (
        request.kind === 'append' &&
        !isHeartbeat(request) &&
        !opConductors.has(peerId) &&
        stepsBack(pair, request.prevLogIndex) > STEPS_OF_ONE_MAX
      )
        broken(`${key}: ${pair.stepsBack} in a row go back by one entry`);
      const max = sentMax[kind];
      if (max !== undefined) count(machine.worldMs, key, max);
      if (machine.worldMs - (pair.memberAtMs ?? -Infinity) < SECOND_MS || stillMs(machine) > STILL_MS) return;
      const position = machine.conductor?.position();
      const servers = position?.configuration.configuration.servers ?? [];
      // A follower answers whoever leads, member or not.
      if (position?.role !== 'leader' || servers.some(({ id }) => id === peerId)) pair.memberAtMs = machine.worldMs;
      else if (machine.worldMs - (pair.memberAtMs ?? machine.worldMs) > LET_GO_MS)
        broken(`${machine.id} sends ${kind} to ${peerId}, which is no member any more`);
    },
    handles: ['failed', 'response'],
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

/** Counts what happens within each second, by its key. */
function counting(broken: (message: string) => void): (worldMs: number, key: string, max: number) => void {
  let second = -1;
  const counts = new Map<string, number>();
  return (worldMs, key, max) => {
    const now = Math.floor(worldMs / SECOND_MS);
    if (now !== second) {
      second = now;
      counts.clear();
    }
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    if (times > max) broken(`${key}: more than ${max} times within a second`);
  };
}

/** How often in a row appends have gone back by one entry; one that is sent again changes nothing. */
function stepsBack(pair: Pair, prevLogIndex: number): number {
  if (prevLogIndex === pair.prevLogIndex - 1) pair.stepsBack++;
  else if (prevLogIndex !== pair.prevLogIndex) pair.stepsBack = 0;
  pair.prevLogIndex = prevLogIndex;
  return pair.stepsBack;
}

function pairOf(pairs: Map<Machine, Map<string, Pair>>, machine: Machine, peerId: string): Pair {
  const own = pairs.get(machine) ?? new Map<string, Pair>();
  pairs.set(machine, own);
  const pair = own.get(peerId) ?? { names: {}, memberAtMs: null, prevLogIndex: 0, stepsBack: 0 };
  own.set(peerId, pair);
  return pair;
}

function kindOf(request: RpcRequest): string {
  return request.kind === 'append' && isHeartbeat(request) ? 'heartbeat' : request.kind;
}
