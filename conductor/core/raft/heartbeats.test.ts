import { describe, expect, it } from 'vitest';
import { READING_MS } from '../own-stall.ts';
import type { OutboundRequest } from '../ports.ts';
import { LoneNode } from './testing/lone-node.ts';
import { appendReply, configurationEntry, statusOf, storeWith, voters } from './testing/messages.ts';
import type { AppendEntriesRequest } from './types.ts';

const THREE = voters('n1', 'n2', 'n3');
const LEARNED_MS = 320;
const MARGIN_MS = 10;

interface Peers {
  /** What heartbeats are answered with; null for nothing, as an older release does. */
  readonly promiseMs?: number | null;
  readonly roundTripMs?: number;
}

/** n1, which leads n2 and n3, both known to be ours; everything is settled. */
const leader = (): LoneNode => LoneNode.nativeLeader(THREE, statusOf());

function answer(n1: LoneNode, message: OutboundRequest, promiseMs: number | null): void {
  const { electionTimeoutMs } = message.request as AppendEntriesRequest;
  const isPromised = promiseMs !== null && electionTimeoutMs !== undefined;
  const promised = isPromised ? { electionTimeoutMs: Math.max(electionTimeoutMs, promiseMs) } : {};
  n1.answer(message, appendReply(message.peerId, { term: 2, success: true, ...promised }));
}

/** Answers all heartbeats for so long, and appends at once; returns the heartbeats that were sent. */
function lead(n1: LoneNode, ms: number, { promiseMs = 0, roundTripMs = 0 }: Peers = {}): Sent[] {
  const sent: Sent[] = [];
  const waiting: { atMs: number; message: OutboundRequest }[] = [];
  const endMs = n1.nowMs + ms;
  while (n1.nowMs < endMs) {
    const nextMs = Math.min(endMs, waiting[0]?.atMs ?? Infinity, Math.max(n1.node.nextDeadlineMs(), n1.nowMs));
    n1.nowMs = nextMs;
    if (waiting[0]?.atMs === nextMs) answer(n1, waiting.shift()!.message, promiseMs);
    else n1.handle({ kind: 'tick' });
    for (const message of n1.take('heartbeat')) {
      sent.push({ atMs: n1.nowMs, peerId: message.peerId, request: message.request as AppendEntriesRequest });
      waiting.push({ atMs: n1.nowMs + roundTripMs, message });
    }
    for (const message of n1.take('append')) n1.acknowledge(message, statusOf());
  }
  for (const { message } of waiting) answer(n1, message, promiseMs);
  return sent;
}

interface Sent {
  readonly atMs: number;
  readonly peerId: string;
  readonly request: AppendEntriesRequest;
}

const neededMs = (sent: readonly Sent[]): number | undefined => sent.at(-1)?.request.electionTimeoutMs;

describe('heartbeats among servers of this software (rule 34)', () => {
  it('are regular: every tenth of a second, to all in the same moment, and say so', () => {
    const sent = lead(leader(), 5000).slice(2);
    const moments = [...new Set(sent.map(({ atMs }) => Math.round(atMs)))];
    for (const [i, atMs] of moments.slice(1).entries()) expect(atMs - moments[i]!).toBe(100);
    for (const atMs of moments)
      expect(sent.filter((one) => Math.round(one.atMs) === atMs).map(({ peerId }) => peerId)).toEqual(['n2', 'n3']);
    expect(sent[0]!.request).toMatchObject({ heartbeatIntervalMs: 100, durableIndex: 2 });
  });

  it('ask for the flag’s time until answers have come for a second and a half, and then for what the link bears', () => {
    const n1 = leader();
    expect(neededMs(lead(n1, 1500))).toBe(1000);
    expect(neededMs(lead(n1, 500))).toBe(LEARNED_MS);
  });

  it.each([
    [10, LEARNED_MS + 20],
    [90, LEARNED_MS + 180],
    [120, 560],
    [400, 1000],
  ])('round trips of %i ms count as late', (roundTripMs, ms) => {
    expect(neededMs(lead(leader(), 5000, { roundTripMs }))).toBe(ms);
  });

  it('to a voter that promises nothing, as an older release, end the others’ as well', () => {
    const n1 = leader();
    const sent = lead(n1, 5000, { promiseMs: null });
    expect(sent[0]!.request).toHaveProperty('electionTimeoutMs');
    const last = sent.slice(2);
    for (const { request } of last) expect(request).not.toHaveProperty('electionTimeoutMs');
    expect(last.length).toBeGreaterThan(40);
  });

  it('that were on a connection when it broke are one failure: the next one goes out after the shortest pause', () => {
    const n1 = leader();
    n1.run(350, () => (n1.acknowledgeAll(['n2']), false));
    const lost = n1.take('heartbeat', 'n2');
    expect(lost.length).toBeGreaterThan(2);
    for (const message of lost) n1.fail(message, 'reset');
    n1.run(10);
    expect(n1.take('heartbeat', 'n2')).toHaveLength(1);
  });

  it('go on at once when one is answered, however long the pause after failures would be', () => {
    const n1 = leader();
    lead(n1, 1000);
    const toN2: OutboundRequest[] = [];
    const untilSent = (count: number): void =>
      n1.run(3000, () => {
        for (const message of n1.take('heartbeat', 'n3')) n1.acknowledge(message);
        toN2.push(...n1.take('heartbeat', 'n2'));
        for (const message of n1.take('append')) n1.acknowledge(message, statusOf());
        return toN2.length >= count;
      });
    for (let each = 0; each < 8; each++) {
      untilSent(1);
      n1.fail(toN2.shift()!, 'timeout');
    }
    untilSent(2);
    // One fails, which was long on its way, and the next one is answered.
    n1.fail(toN2.shift()!, 'timeout');
    n1.acknowledge(toN2.shift()!);
    const heardMs = n1.nowMs;
    untilSent(1);
    expect(n1.nowMs - heardMs).toBeLessThanOrEqual(10);
  });

  it('beside a voter of Go are Go’s, to every server', () => {
    const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, THREE)]) });
    n1.elect();
    for (const message of n1.take('append')) n1.acknowledge(message, message.peerId === 'n2' ? statusOf() : undefined);
    n1.acknowledgeAll();
    n1.run(1000, () => n1.sent.filter(({ channel }) => channel === 'heartbeat').length >= 4);
    for (const { request } of n1.take('heartbeat')) expect(request).not.toHaveProperty('electionTimeoutMs');
  });

  it('a write is told to be over at once, one that no entries announce is announced', () => {
    const n1 = leader();
    lead(n1, 200);
    n1.run(15);
    n1.propose('x');
    const [told] = n1.take('heartbeat');
    expect(told!.request).toMatchObject({ durableIndex: 3 });
    for (const message of n1.take('append')) n1.acknowledge(message, statusOf());
    n1.run(15);
    n1.take('heartbeat');
    n1.trace.length = 0;
    n1.node.takeSnapshot();
    n1.handle({ kind: 'tick' });
    expect(n1.trace.slice(0, 3)).toEqual(['send heartbeat', 'send heartbeat', 'write']);
    expect(n1.take('heartbeat')[0]!.request).toMatchObject({ durableIndex: 0 });
  });

  it('many short writes while no answer comes leave room for those that keep a follower from campaigning', () => {
    const n1 = leader();
    lead(n1, 2000);
    n1.take('heartbeat');
    const sentMs: number[] = [];
    const sinceMs = n1.nowMs;
    for (let each = 0; n1.nowMs - sinceMs < 600; each++) {
      n1.propose(`${each}`);
      n1.run(15);
      // n3 keeps it in office; n2 may hear it, and is not heard.
      for (const message of n1.take('append', 'n3')) n1.acknowledge(message, statusOf());
      for (const message of n1.take('heartbeat', 'n3')) answer(n1, message, 0);
      sentMs.push(...n1.take('heartbeat', 'n2').map(() => n1.nowMs - sinceMs));
    }
    expect(n1.status.role).toBe('leader');
    expect(sentMs.length).toBeLessThan(16);
    expect(Math.max(...sentMs.slice(1).map((ms, i) => ms - sentMs[i]!), 600 - sentMs.at(-1)!)).toBeLessThanOrEqual(120);
  });
});

describe('what a leader may count on (rule 34)', () => {
  /** A leader that has learned; its latest heartbeats were answered when they were sent. */
  function learned(): { n1: LoneNode; sentMs: number } {
    const n1 = leader();
    lead(n1, 4000);
    n1.run(200, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    for (const message of n1.take('heartbeat')) answer(n1, message, 0);
    return { n1, sentMs: n1.nowMs };
  }

  it('is what a quorum has promised, less a margin', () => {
    const { n1, sentMs } = learned();
    expect(n1.status).toMatchObject({ isSure: true, leaseEndsAtMs: sentMs + LEARNED_MS - MARGIN_MS });
    n1.run(LEARNED_MS - MARGIN_MS);
    expect(n1.status).toMatchObject({ role: 'leader', isSure: true });
    n1.run(1);
    expect(n1.status).toMatchObject({ role: 'leader', isSure: false });
  });

  it('is the longest promise among two others: one of them is a quorum with the leader', () => {
    const n1 = leader();
    lead(n1, 4000);
    n1.run(200, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    for (const message of n1.take('heartbeat')) answer(n1, message, message.peerId === 'n2' ? 450 : 0);
    expect(n1.status.leaseEndsAtMs).toBe(n1.nowMs + 450 - MARGIN_MS);
  });

  it('the promise of one whose connection fails does not count: it may take this server for dead, and vote at once', () => {
    const n1 = leader();
    lead(n1, 3000);
    n1.run(200, () => n1.sent.filter(({ channel }) => channel === 'heartbeat').length === 2);
    for (const message of n1.take('heartbeat')) answer(n1, message, message.peerId === 'n3' ? 900 : 0);
    expect(n1.status.leaseEndsAtMs).toBeGreaterThan(n1.nowMs + LEARNED_MS);
    n1.run(200, () => n1.sent.some(({ channel, peerId }) => channel === 'heartbeat' && peerId === 'n3'));
    n1.fail(n1.take('heartbeat', 'n3')[0]!, 'refused');
    expect(n1.status.leaseEndsAtMs).toBeLessThanOrEqual(n1.nowMs + LEARNED_MS - MARGIN_MS);
    expect(n1.status).toMatchObject({ role: 'leader', isSure: true });
  });

  /** How long it keeps its office when nobody answers any more. */
  function officeMs(n1: LoneNode): number {
    const sinceMs = n1.nowMs;
    n1.run(1000, () => n1.status.role === 'follower');
    return n1.nowMs - sinceMs;
  }

  it('says nothing of its office, which ends as soon as all that it heard have been silent for too long together', () => {
    expect(officeMs(learned().n1)).toBe(LEARNED_MS + 1 + READING_MS);
  });

  it('and later where they may be writing, or one of them is gone: with the lease of the flag', () => {
    const { n1 } = learned();
    n1.command({ kind: 'propose', data: new Uint8Array(8) });
    expect(officeMs(n1)).toBe(501 + READING_MS);
    const beside = learned();
    beside.n1.run(200, () => beside.n1.sent.some(({ channel }) => channel === 'heartbeat'));
    const endsAtMs = beside.sentMs + 501 + READING_MS;
    beside.n1.fail(beside.n1.take('heartbeat', 'n2')[0]!, 'reset');
    expect(beside.n1.nowMs + officeMs(beside.n1)).toBeGreaterThanOrEqual(endsAtMs);
    expect(beside.n1.nowMs).toBeLessThanOrEqual(endsAtMs + 1);
  });

  it('and not before what came by then is read', () => {
    const { n1 } = learned();
    n1.run(200, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    const [message] = n1.take('heartbeat', 'n2');
    n1.run(LEARNED_MS - 100 + 1);
    answer(n1, message!, 0);
    n1.run(200);
    expect(n1.status.role).toBe('leader');
  });

  it('and where they are often late with the lease of the flag, not a heartbeat later', () => {
    const n1 = leader();
    lead(n1, 4000, { roundTripMs: 100 });
    expect(officeMs(n1)).toBe(501 + READING_MS);
  });

  it('is nothing once another one was told to take over, and all again when that has failed', () => {
    const { n1 } = learned();
    for (const message of n1.take('append')) n1.acknowledge(message, statusOf());
    n1.command({ kind: 'transfer', target: 'n2' });
    const [told] = n1.take('timeoutNow');
    expect(n1.status).toMatchObject({ role: 'leader', isSure: false });
    n1.fail(told!, 'refused');
    expect(n1.status).toMatchObject({ role: 'leader', isSure: true });
  });

  it('an answer to a heartbeat of Go’s kind counts as the flag’s time', () => {
    const n1 = leader();
    lead(n1, 4000, { promiseMs: null });
    n1.run(300, () => n1.sent.some(({ channel }) => channel === 'heartbeat'));
    n1.run(300, () => n1.sent.filter(({ channel }) => channel === 'heartbeat').length >= 2);
    const sentMs = n1.nowMs;
    for (const message of n1.take('heartbeat')) answer(n1, message, null);
    n1.run(490);
    expect(n1.status.isSure).toBe(true);
    expect(n1.status.leaseEndsAtMs).toBeLessThanOrEqual(sentMs + 500);
  });
});
