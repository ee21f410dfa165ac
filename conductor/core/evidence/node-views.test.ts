import { describe, expect, it } from 'vitest';
import { block } from '../control/testing/world.ts';
import { disputedBlocks, nodeViews, standingsText, type NodeView } from './node-views.ts';
import type { RaftStatus, Said } from '../raft/status.ts';
import { Suffrage } from '../raft/types.ts';
import { bitsOfKinds, type ObservationKind } from './observation.ts';

const tip = block(6n);
const bytes = (hash: string): Uint8Array => Uint8Array.fromHex(hash.slice(2));

function said(kinds: readonly ObservationKind[], ageMs = 40): Said {
  return {
    ageMs,
    peerStatus: {
      version: '',
      healthy: true,
      paused: false,
      builds: false,
      ends: false,
      unsafeNumber: 6,
      unsafeHash: bytes(tip.hash),
      clientNumber: 5,
      clientHash: bytes(block(5n).hash),
      safeNumber: 3,
      l1Number: null,
      observations: [{ number: 6, hash: bytes(tip.hash), kinds: bitsOfKinds(kinds) }],
      validates: false,
      own: [],
    },
  };
}

const own = {
  isHealthy: null,
  head: block(6n),
  word: {
    needsSync: false,
    isHeldUp: false,
    client: block(6n),
    seenAtMs: 900,
    safeNumber: 4n,
    observations: [{ ...tip, kinds: ['holds'] as const }],
  },
};

function status(changes: Partial<RaftStatus>): RaftStatus {
  const servers = [
    { id: 'a', address: 'a:1', suffrage: Suffrage.voter },
    { id: 'b', address: 'b:1', suffrage: Suffrage.voter },
    { id: 'c', address: 'c:1', suffrage: Suffrage.nonvoter },
  ];
  const configuration = { index: 1, term: 1, configuration: { servers } };
  return { id: 'a', leaderId: 'a', configuration, peers: [], leaderSaid: null, ...changes } as unknown as RaftStatus;
}

function peer(id: string, changes: Record<string, unknown>): RaftStatus['peers'][number] {
  return {
    id,
    isForeign: false,
    lastSaid: null,
    ...changes,
  } as unknown as RaftStatus['peers'][number];
}

describe('who stands where', () => {
  it('a leader tells of every member: heads, verdict and how old that is', () => {
    const peers = [peer('b', { isNative: true, lastSaid: said(['notTaken', 'left']) }), peer('c', { isForeign: true })];
    const [a, b, c] = nodeViews(status({ peers }), own, tip, 1000);
    expect(a).toMatchObject({ id: 'a', isVoter: true, ageMs: 100, verdict: 'holds', safeNumber: 4n });
    expect(b).toMatchObject({
      ...{ implementation: 'conductor', ageMs: 40, verdict: 'left', safeNumber: 3n },
      nodeHead: { number: 6n, hash: tip.hash },
      clientHead: { number: 5n, hash: block(5n).hash },
    });
    expect(c).toMatchObject({ isVoter: false, implementation: 'op-conductor', ageMs: null, verdict: 'unknown' });
  });

  it('a follower of itself and of its leader', () => {
    const [a, b, c] = nodeViews(status({ leaderId: 'b', leaderSaid: said(['holds'], 7) }), own, tip, 1000);
    expect([a!.ageMs, b!.ageMs, c!.ageMs]).toEqual([100, 7, null]);
    expect(c!.implementation).toBe('unknown');
  });

  it('in a few words for the log', () => {
    const peers = [peer('b', { wasNative: true, lastSaid: said(['notTaken']) })];
    const short = ({ hash }: { readonly hash: string }): string => hash.slice(2, 10);
    expect(standingsText(nodeViews(status({ peers }), own, tip, 1000))).toBe(
      `a: node 6 (${short(tip)}), client 6 (${short(tip)}), holds, 0.1 s; b: node 6 (${short(tip)}), client 5 (${short(block(5n))}), notTaken, 0.0 s; c: silent`,
    );
  });

  it('a word about another block is no verdict on the newest', () => {
    const [a] = nodeViews(status({}), own, block(6n, 1, 6n), 1000);
    expect(a!.verdict).toBe('unknown');
  });
});

it('blocks are disputed that are committed and that somebody speaks against, the lowest first', () => {
  const chain = {
    head: () => tip,
    at: (number: bigint) => ({ ...block(number), sizeBytes: 1 }),
    envelope: () => null,
    envelopeJson: () => null,
  };
  const view = (kinds: readonly ObservationKind[], about = tip): NodeView =>
    ({ observations: [{ number: about.number, hash: about.hash, kinds }] }) as unknown as NodeView;
  const proof = { kind: 'unproved', why: 'not yet' } as const;
  const views = [view(['invalid']), view(['left'], block(5n)), view(['holds']), view(['left'], block(4n, 1, 4n))];
  expect(disputedBlocks(views, chain, () => proof)).toEqual([
    { ...{ number: 5n, hash: block(5n).hash }, proof },
    { ...{ number: 6n, hash: tip.hash }, proof },
  ]);
});
