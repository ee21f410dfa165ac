import { describe, expect, test } from 'vitest';
import { leaderSilenceMsMax, publishGauges, type ControlState } from './gauges.ts';
import type { RaftStatus } from './raft/status.ts';

const control: ControlState = {
  isPaused: false,
  isStopped: false,
  isOverridden: false,
  isHealthy: true,
  isSequencing: null,
};
const servers = [
  { id: 'a', address: 'a:1', suffrage: 0 },
  { id: 'b', address: 'b:1', suffrage: 0 },
  { id: 'c', address: 'c:1', suffrage: 1 },
];
const follower = {
  id: 'a',
  role: 'follower',
  term: 3,
  leaderId: 'b',
  leaderContactAgeMs: 50,
  lastIndex: 9,
  configuration: { index: 1, configuration: { servers } },
  peers: [],
} as unknown as RaftStatus;

function published(status: RaftStatus, head: Parameters<typeof publishGauges>[1]['head'] = null): Map<string, number> {
  const values = new Map<string, number>();
  const ignore = (): void => undefined;
  const gauge = (name: string, value: number, labels = {}): void =>
    void values.set([name, ...Object.values(labels)].join(' '), value);
  publishGauges({ count: ignore, observe: ignore, gauge }, { status, head, control });
  return values;
}

describe('raft_leader_known', () => {
  test.each<[string, Partial<RaftStatus>, number]>([
    ['a follower that hears its leader', {}, 1],
    ['one that heard it at the bound', { leaderContactAgeMs: leaderSilenceMsMax }, 1],
    ['one that still has the name of a leader long gone', { leaderContactAgeMs: leaderSilenceMsMax + 1 }, 0],
    ['a candidate', { role: 'candidate', leaderId: null }, 0],
    ['a leader', { role: 'leader', leaderId: 'a', leaderContactAgeMs: 0 }, 1],
  ])('of %s', (_, change, value) => expect(published({ ...follower, ...change }).get('raft_leader_known')).toBe(value));
});

test('a leader tells of each peer how far it is behind, since when it is silent and whether it votes', () => {
  const peer = { mode: 'probe', hasFailedHeartbeats: false, isNative: true, isForeign: false, hints: null };
  const peers = [
    { ...peer, id: 'b', match: 9, contactAgeMs: 100 },
    { ...peer, id: 'c', match: 2, contactAgeMs: 12_000 },
  ];
  const values = published({ ...follower, role: 'leader', peers });
  expect(values.get('raft_voters')).toBe(2);
  expect(values.get('raft_peer_lag_entries c')).toBe(7);
  expect(values.get('raft_peer_contact_seconds b voter')).toBe(0.1);
  expect(values.get('raft_peer_contact_seconds c nonvoter')).toBe(12);
});

test('the committed head has a number and a time once there is one', () => {
  expect(published(follower).has('committed_block_time_seconds')).toBe(false);
  const block = { hash: '0x', parentHash: '0x', index: 1, isInLog: true, isValidated: false, size: 1 };
  const values = published(follower, { ...block, number: 7n, timestamp: 1_800_000_000n });
  expect(values.get('committed_block_number')).toBe(7);
  expect(values.get('committed_block_time_seconds')).toBe(1_800_000_000);
});
