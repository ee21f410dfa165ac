import { describe, expect, test } from 'vitest';
import { leaderSilenceMsMax, publishGauges, type ControlState } from './gauges.ts';
import type { NodeView } from './evidence/node-views.ts';
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

function published(
  status: RaftStatus,
  head: Parameters<typeof publishGauges>[1]['head'] = null,
  nodes: readonly NodeView[] = [],
  change: Partial<ControlState> = {},
): Map<string, number> {
  const values = new Map<string, number>();
  const ignore = (): void => undefined;
  const gauge = (name: string, value: number, labels = {}): void =>
    void values.set([name, ...Object.values(labels)].join(' '), value);
  publishGauges({ count: ignore, observe: ignore, gauge }, { status, head, nodes, control: { ...control, ...change } });
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

test.each<[string, Partial<ControlState>, Readonly<Record<string, number>>]>([
  ['acts', {}, { active: 1, paused: 0, leader_overridden: 0, sequencer_healthy: 1 }],
  ['is paused', { isPaused: true }, { active: 0, paused: 1 }],
  ['is stopped', { isStopped: true }, { active: 0, paused: 0 }],
  ['is paused and stopped', { isPaused: true, isStopped: true }, { active: 0, paused: 1 }],
  ['is overridden', { isOverridden: true }, { leader_overridden: 1, leader: 1, raft_is_leader: 0 }],
  ['has a node that is not healthy', { isHealthy: false }, { sequencer_healthy: 0 }],
])('the gauges of a conductor that %s say so', (_, change, wanted) => {
  const values = published(follower, null, [], change);
  expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, values.get(name)]))).toEqual(wanted);
});

test('a leader tells of each peer how far it is behind, since when it is silent and whether it votes', () => {
  const native = { isNative: true, isForeign: false };
  const peer = { mode: 'probe', hasFailedHeartbeats: false, ...native, peerStatus: null, lastSaid: null };
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

test('where each member stands is told by server, once it is known, and one verdict of each', () => {
  const about = { isVoter: true, isHealthy: true, safeNumber: null, observations: [], refuses: null };
  const at = (number: bigint) => ({ number, hash: `0x0${number}` });
  const seen = { ...about, implementation: 'conductor', ageMs: 1500, nodeHead: at(7n), clientHead: at(6n) } as const;
  const silent = { ...about, implementation: 'unknown', ageMs: null, nodeHead: null, clientHead: null } as const;
  const values = published(follower, null, [
    { ...seen, id: 'a', verdict: 'notTaken' },
    { ...silent, id: 'b', verdict: 'unknown' },
  ]);
  expect(values.get('node_head_number a')).toBe(7);
  expect(values.get('client_head_number a')).toBe(6);
  expect(values.get('node_word_age_seconds a')).toBe(1.5);
  expect(values.get('node_verdict a notTaken')).toBe(1);
  expect(values.get('node_verdict a holds')).toBe(0);
  expect(values.get('node_verdict b unknown')).toBe(1);
  expect([...values.keys()].filter((key) => key.startsWith('node_verdict a')).length).toBe(7);
  expect(values.has('node_head_number b')).toBe(false);
});
