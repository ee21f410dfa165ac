/**
 * A server of another cluster takes one of ours for its own, as where an address is given to somebody else or copied with a
 * configuration: it speaks to it as leader and as candidate, in its own term, under its own name, which may be that of one of our members.
 */
import { EntryType, type RpcRequest } from '#conductor/core/raft/types';
import { between, kind, type Kind } from './fault.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** Between two of its requests. */
const EVERY_MS = 150;
/** No member's name. */
const STRANGER = 'sequencer-9';
/** How far its term is ahead of ours, or behind for what is below 0; the last is beyond what elections explain. */
const TERMS_AHEAD = [0, 1, 5, -1, 100_000] as const;

function requestsOf(id: string, term: number): readonly RpcRequest[] {
  const header = { protocolVersion: 3, id, address: `${id}.other:50050` };
  const leader = header.address;
  const ofLeader = {
    ...header,
    kind: 'append',
    term,
    leader,
    prevLogIndex: 0,
    prevLogTerm: 0,
    leaderCommit: 0,
  } as const;
  const none = { data: null, extensions: null, appendedAt: new Uint8Array(15) };
  const entries = [{ index: 1, term: Math.max(1, term - 1), type: EntryType.noop, ...none }];
  const last = { lastLogIndex: 900_000, lastLogTerm: term - 1 };
  return [
    { ...ofLeader, entries: null },
    { ...ofLeader, entries, leaderCommit: 1 },
    { ...header, ...last, kind: 'prevote', term: term + 1 },
    { ...header, ...last, kind: 'vote', term: term + 1, candidate: leader, leadershipTransfer: false },
    { ...header, kind: 'timeoutNow' },
  ];
}

function speakTo(world: World, machine: Machine, id: string, ahead: number): () => void {
  let isOver = false;
  let connectionId = 0;
  let life = -1;
  const say = (at: number): void => {
    if (isOver) return;
    // Whose store is empty belongs to whoever speaks to it first.
    if (machine.isRunning && machine.disk.lastIndex > 0) {
      if (life !== machine.life) connectionId = world.strangerId++;
      ({ life } = machine);
      const term = Math.max(1, (machine.conductor?.position().term ?? 1) + ahead);
      const requests = requestsOf(id, term);
      const request = requests[at % requests.length]!;
      machine.push({ kind: 'request', connectionId, inboundId: world.strangerId++, request });
    }
    world.queue.after(EVERY_MS, () => say(at + 1));
  };
  say(0);
  return () => {
    isOver = true;
    if (machine.life === life) machine.push({ kind: 'inboundClosed', connectionId });
  };
}

export const otherClusterFaults = {
  otherCluster: kind(
    'none',
    'nobody',
    true,
    'a server of another cluster takes {at} for its own ({n})',
    (world, { at, amount }) => speakTo(world, world.machine(at), STRANGER, TERMS_AHEAD[amount % TERMS_AHEAD.length]!),
  ),
  namesakes: kind(
    'none',
    'nobody',
    true,
    'a server of another cluster, where servers have the same names, takes {at} for its own ({n})',
    between(({ world, a, b }, { amount }) => speakTo(world, a, b.id, TERMS_AHEAD[amount % TERMS_AHEAD.length]!)),
  ),
} as const satisfies Readonly<Record<string, Kind>>;
