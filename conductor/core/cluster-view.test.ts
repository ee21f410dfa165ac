import { describe, expect, test } from 'vitest';
import { isAmongFirstFollowers, isMajorityWithoutUs, leftByLeader, PeerMemory } from './cluster-view.ts';
import { bitsOfKinds, type ObservationKind } from './evidence/observation.ts';
import type { PeerReport, RaftStatus } from './raft/status.ts';
import { Suffrage } from './raft/types.ts';
import { blankPeerStatus } from './wire/peer-status.ts';

const answering: Omit<PeerReport, 'id'> = {
  match: 9,
  contactAgeMs: 100,
  mode: 'pipeline',
  hasFailedHeartbeats: false,
  isNative: true,
  isForeign: false,
  peerStatus: null,
  lastSaid: null,
};

/** A leader 'a' of the voters named, and of the peers as given. */
function leading(voters: string, ...peers: PeerReport[]): RaftStatus {
  const servers = [...voters].map((id) => ({ id, address: `${id}:1`, suffrage: Suffrage.voter }));
  const configuration = { index: 1, term: 1, configuration: { servers } };
  return { id: 'a', configuration, peers } as unknown as RaftStatus;
}

describe('the others are a majority without the leader', () => {
  test('when enough voters answer', () => {
    expect(isMajorityWithoutUs(leading('abc', { id: 'b', ...answering }, { id: 'c', ...answering }), 1500)).toBe(true);
    const three = ['b', 'c', 'd'].map((id) => ({ id, ...answering }));
    expect(isMajorityWithoutUs(leading('abcde', ...three), 1500)).toBe(true);
    expect(isMajorityWithoutUs(leading('abcde', ...three.slice(1)), 1500)).toBe(false);
  });

  test.each([
    ['is silent', { ...answering, contactAgeMs: 1501 }],
    ['refuses connections', { ...answering, hasFailedHeartbeats: true }],
    ['ends', { ...answering, peerStatus: { ...blankPeerStatus('1'), ends: true } }],
  ])('not of three when one %s', (_, silent) => {
    expect(isMajorityWithoutUs(leading('abc', { id: 'b', ...answering }, { id: 'c', ...silent }), 1500)).toBe(false);
  });

  test('not of two, not of one, and nonvoters count for nothing', () => {
    expect(isMajorityWithoutUs(leading('ab', { id: 'b', ...answering }), 1500)).toBe(false);
    expect(isMajorityWithoutUs(leading('a'), 1500)).toBe(false);
    expect(isMajorityWithoutUs(leading('abc', { id: 'b', ...answering }, { id: 'n', ...answering }), 1500)).toBe(false);
  });
});

describe('what the leader’s node has left', () => {
  const about = (number: number, ...kinds: ObservationKind[]) => ({
    number,
    hash: new Uint8Array(32).fill(number),
    kinds: bitsOfKinds(kinds),
  });
  const saying = (...observations: ReturnType<typeof about>[]) => ({
    peerStatus: { ...blankPeerStatus('v1'), observations },
    atMs: 1000,
  });

  test('is the lowest block of which it says so', () => {
    const said = saying(about(9, 'holds'), about(8, 'left'), about(7, 'l1', 'holds'), about(6, 'invalid'));
    expect(leftByLeader(said, 1000)).toEqual({ number: 7n, hash: `0x${'07'.repeat(32)}` });
  });

  test('is followed by as few as are a majority with it', () => {
    const following = (voters: string, leaderId: string): string =>
      [...`${voters}x`].filter((id) => isAmongFirstFollowers({ ...leading(voters), id, leaderId })).join('');
    expect(['a', 'b', 'c'].map((leader) => following('cab', leader))).toEqual(['b', 'a', 'a']);
    expect([following('abcde', 'b'), following('ab', 'a'), following('a', 'a')]).toEqual(['ac', 'b', '']);
  });

  test('is nothing where it says nothing of the kind, or said it long ago', () => {
    expect(leftByLeader(saying(about(9, 'holds'), about(8, 'invalid', 'notTaken')), 1000)).toBeNull();
    expect(leftByLeader(saying(about(9, 'left')), 1001)).toBeNull();
    expect(leftByLeader(null, 0)).toBeNull();
  });
});

describe('what a peer in contact said of itself', () => {
  const knownOf = (ageMs: number, said: { healthy?: boolean | null; paused?: boolean }) => {
    const peerStatus = { ...blankPeerStatus('v1'), healthy: true, ...said };
    const peer = { ...answering, id: 'b', lastSaid: { peerStatus, ageMs } };
    return new PeerMemory().peersOf(leading('ab', peer), null)[0]!.known;
  };

  test('counts for nothing when it comes late, unless it said that it could not lead', () => {
    expect(knownOf(1200, {})).toBeNull();
    expect(knownOf(1200, { healthy: null })).toBeNull();
    expect(knownOf(1200, { healthy: false })?.isHealthy).toBe(false);
    expect(knownOf(1200, { paused: true })?.isPaused).toBe(true);
    expect(knownOf(1501, { healthy: false })).toBeNull();
  });
});

describe('an op-conductor, beside a tip that took the place of another block', () => {
  const foreign = { ...answering, id: 'b', isNative: false, isForeign: true };
  const status = leading('abc', foreign, { ...answering, id: 'c' });
  const against = (tip: string, head: string): readonly boolean[] =>
    new PeerMemory().peersOf(status, tip, head).map(({ isAgainstTip }) => isAgainstTip);

  test('is given no lead: its state has the other one', () => {
    expect(against('0x02', '0x01')).toEqual([true, false]);
  });

  test('may lead again when the next height is committed', () => {
    expect(against('0x03', '0x03')).toEqual([false, false]);
  });
});

test('only voters may be given the lead: the configuration says who votes', () => {
  const status = leading('ab', { ...answering, id: 'b' }, { ...answering, id: 'n' });
  const { servers } = status.configuration.configuration;
  const nonvoter = { id: 'n', address: 'n:1', suffrage: Suffrage.nonvoter };
  const configuration = { ...status.configuration, configuration: { servers: [...servers, nonvoter] } };
  const peers = new PeerMemory().peersOf({ ...status, configuration }, null);
  expect(peers.map(({ id, isVoter }) => [id, isVoter])).toEqual([
    ['b', true],
    ['n', false],
  ]);
});

describe('a head that was rolled back', () => {
  const head = (more: object) => {
    const peerStatus = {
      ...blankPeerStatus('v1'),
      healthy: true,
      unsafeNumber: 9,
      unsafeHash: new Uint8Array(32),
      ...more,
    };
    return leading('ab', { ...answering, id: 'b', lastSaid: { peerStatus, ageMs: 0 }, peerStatus });
  };
  const isRolledBack = (more: object, given = true): boolean | undefined =>
    new PeerMemory().peersOf(head(more), '0x09', '0x09', () => given)[0]!.isNonCanonical;

  test('is told of a peer that could lead, and not of the tip', () => {
    expect([isRolledBack({}), isRolledBack({ healthy: null }), isRolledBack({}, false)]).toEqual([true, true, false]);
    expect([isRolledBack({ paused: true }), isRolledBack({ healthy: false })]).toEqual([false, false]);
    expect(isRolledBack({ unsafeHash: null })).toBe(false);
  });

  test('is looked for again when the tip is another, and not before', () => {
    const memory = new PeerMemory();
    let times = 0;
    const look = (tip: string): unknown => memory.peersOf(head({}), tip, tip, () => ++times > 1)[0]!.isNonCanonical;
    expect([look('0x01'), look('0x01'), look('0x02'), look('0x02')]).toEqual([false, false, true, true]);
    expect(times).toBe(2);
  });
});

test('a peer holds the log where it is known to have all that is committed', () => {
  const status = leading('abcd', { ...answering, id: 'b' }, { ...answering, id: 'c', match: 8 });
  const peers = new PeerMemory().peersOf({ ...status, commitIndex: 9 }, null);
  expect(peers.map(({ id, holdsLog }) => [id, holdsLog])).toEqual([
    ['b', true],
    ['c', false],
    ['d', null],
  ]);
});
