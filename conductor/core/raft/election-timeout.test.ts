import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  ballot,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  statusOf,
  preVoteFrom,
  storeWith,
  voters,
} from './testing/messages.ts';
import type { AppendEntriesRequest, AppendEntriesResponse } from './types.ts';

const LOG = [configurationEntry(1, 1, voters('n1', 'n2', 'n3'))];
const INTERVAL_MS = 100;
/** One heartbeat, its repetition by TCP, and slack. */
const LEARNED_MS = 320;

function regular(part: Partial<AppendEntriesRequest> = {}): AppendEntriesRequest {
  const timing = { electionTimeoutMs: 200, heartbeatIntervalMs: INTERVAL_MS, durableIndex: 1 };
  return { ...heartbeatFrom('n1', 1), ...timing, ...part };
}

/** n2, which follows n1 and knows `own` to be ours. */
function follower(own: readonly string[] = ['n1', 'n3']): LoneNode {
  const n2 = new LoneNode({ id: 'n2', store: storeWith(LOG), random: () => 0 });
  n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf(...own) }));
  return n2;
}

/** What it promises in answer to a heartbeat. */
function promiseOf(n2: LoneNode, part: Partial<AppendEntriesRequest> = {}): number | undefined {
  return (n2.request(regular(part)) as AppendEntriesResponse).electionTimeoutMs;
}

/** Punctual heartbeats for so long, the last one now. */
function hear(n2: LoneNode, ms: number, part: Partial<AppendEntriesRequest> = {}): void {
  for (let passedMs = 0; passedMs < ms; passedMs += INTERVAL_MS) {
    n2.run(INTERVAL_MS);
    promiseOf(n2, part);
  }
}

/** A follower that has learned, and whose earlier and longer promises are over. */
function learned(own?: readonly string[]): LoneNode {
  const n2 = follower(own);
  hear(n2, 4000);
  return n2;
}

/** From now until it asks for pre-votes. */
function silenceMs(n2: LoneNode): number {
  const sinceMs = n2.nowMs;
  n2.run(10_000, () => n2.take('prevote').length > 0);
  return n2.nowMs - sinceMs;
}

describe('a learned election timeout (rule 34)', () => {
  it('is the flag until heartbeats have come on time for a second and a half', () => {
    const n2 = follower();
    hear(n2, 1400);
    expect(promiseOf(n2)).toBe(1000);
    expect(silenceMs(n2)).toBe(1000);
  });

  it('is then what bears one lost heartbeat; the promise is kept, and no more is waited for than a turn', () => {
    const n2 = learned();
    expect(promiseOf(n2)).toBe(LEARNED_MS);
    expect(silenceMs(n2)).toBe(LEARNED_MS);
    const other = new LoneNode({ id: 'n3', store: storeWith(LOG), random: () => 0 });
    other.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf('n1', 'n2') }));
    hear(other, 4000);
    expect(silenceMs(other)).toBe(LEARNED_MS + 25);
  });

  it('a promise is not shortened before it ends', () => {
    const n2 = follower();
    hear(n2, 1500);
    expect(promiseOf(n2)).toBe(1000);
    const endsAtMs = n2.nowMs + 1000;
    n2.run(INTERVAL_MS);
    expect(promiseOf(n2)).toBe(900);
    expect(n2.nowMs + silenceMs(n2)).toBeGreaterThanOrEqual(endsAtMs);
  });

  it('grows by twice what heartbeats are late', () => {
    const n2 = learned();
    n2.run(INTERVAL_MS + 30);
    expect(promiseOf(n2)).toBe(LEARNED_MS + 60);
  });

  it('bears one that is lost twice after one that was lost, for half a minute at least', () => {
    const n2 = learned();
    n2.run(3 * INTERVAL_MS);
    expect(promiseOf(n2)).toBe(LEARNED_MS + 400);
    hear(n2, 29_000);
    expect(promiseOf(n2)).toBe(LEARNED_MS + 400);
    hear(n2, 60_000);
    expect(promiseOf(n2)).toBe(LEARNED_MS);
  });

  it('what is late under one leader is remembered under the next', () => {
    const n2 = learned();
    n2.run(5 * INTERVAL_MS);
    promiseOf(n2);
    const next = { id: 'n3', address: 'n3:1', leader: 'n3:1', term: 2 };
    hear(n2, 4000, next);
    expect(promiseOf(n2, next)).toBe(1000);
  });

  it.each([
    ['more, which is the link’s round trip seen from the leader', 700, 700],
    ['more than the flag, as nobody honest does', 2 ** 40, 1000],
    ['nothing', 0, LEARNED_MS],
  ])('the leader needs %s', (_, electionTimeoutMs, ms) => {
    const n2 = learned();
    expect(promiseOf(n2, { electionTimeoutMs })).toBe(ms);
  });

  it('the flag wins over what would be learned, which is never less than the repetition of what was lost', () => {
    for (const [heartbeatTimeoutMs, ms] of [
      [200, 200],
      [1000, LEARNED_MS - 99],
    ] as const) {
      const raft = { heartbeatTimeoutMs, leaderLeaseMs: heartbeatTimeoutMs / 2 };
      const n2 = new LoneNode({ id: 'n2', store: storeWith(LOG), random: () => 0, raft });
      n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, peerStatus: statusOf('n1', 'n3') }));
      for (let at = 0; at < 4000; at++) {
        n2.run(1);
        promiseOf(n2, { heartbeatIntervalMs: 1, electionTimeoutMs: 1 });
      }
      expect(promiseOf(n2, { heartbeatIntervalMs: 1, electionTimeoutMs: 1 })).toBe(ms);
    }
  });

  it('a leader that may be writing is given the time of the flag, and no more once it has written', () => {
    const n2 = learned();
    n2.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, entries: [commandEntry(2, 1)] }));
    expect(silenceMs(n2)).toBe(1000);
    const again = learned();
    again.request(appendFrom('n1', { term: 1, prevLogIndex: 1, prevLogTerm: 1, entries: [commandEntry(2, 1)] }));
    promiseOf(again, { durableIndex: 2 });
    expect(silenceMs(again)).toBe(LEARNED_MS);
  });

  it('others are refused until the promise ends, and granted then', () => {
    const n2 = learned();
    promiseOf(n2);
    n2.run(LEARNED_MS - 1);
    expect(n2.request(preVoteFrom('n3', 2, 9, 1), 2)).toMatchObject({ granted: false });
    n2.run(1);
    expect(n2.request(preVoteFrom('n3', 2, 9, 1), 2)).toMatchObject({ granted: true });
  });

  it('a campaign that fails is repeated as soon as the others’ promises may be over', () => {
    const n2 = learned();
    const asked = (): boolean => n2.sent.some(({ request }) => request.kind === 'prevote');
    n2.run(10_000, asked);
    for (const message of n2.take('prevote')) n2.answer(message, ballot(message.peerId, 'prevote', 1, false));
    const failedMs = n2.nowMs;
    n2.run(10_000, asked);
    expect(n2.nowMs - failedMs).toBeLessThanOrEqual(2 * LEARNED_MS * 0.2);
  });

  it.each<readonly [string, Partial<AppendEntriesRequest>, readonly string[] | undefined, number | undefined]>([
    ['a leader that says nothing of its timing', { heartbeatIntervalMs: undefined } as never, undefined, undefined],
    ['a voter that is not known to be ours', {}, ['n1'], 1000],
  ])('is the flag under %s', (_, part, own, promised) => {
    const n2 = learned(own);
    const request = regular(part);
    if ('heartbeatIntervalMs' in part) {
      n2.run(1100);
      n2.take('prevote');
      n2.request(heartbeatFrom('n1', 1));
      expect((n2.request(heartbeatFrom('n1', 1)) as AppendEntriesResponse).electionTimeoutMs).toBe(promised);
    } else expect((n2.request(request) as AppendEntriesResponse).electionTimeoutMs).toBe(promised);
    expect(silenceMs(n2)).toBeGreaterThanOrEqual(1000);
  });
});
