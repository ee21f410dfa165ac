import { describe, expect, test } from 'vitest';
import type { RaftStatus } from './raft/status.ts';
import { readiness, type ReadinessInput } from './readiness.ts';

const status = {
  id: 'a',
  hasFailed: false,
  isRecovering: false,
  role: 'follower',
  leaderId: 'b',
  commitIndex: 9,
  appliedIndex: 9,
  configuration: { index: 1, configuration: { servers: [{ id: 'a', address: 'a:1', suffrage: 0 }] } },
} as unknown as RaftStatus;
const ready: ReadinessInput = {
  status,
  verdict: { isHealthy: true },
  nodeHead: 100,
  committedHead: 100n,
  isOnRefused: false,
};
const down = { isHealthy: false, cause: 'connectionDown', detail: 'no answer', nodeAnswers: false } as const;
const old = { isHealthy: false, cause: 'unhealthy', detail: 'old head', nodeAnswers: true } as const;

describe('readiness (rule 25)', () => {
  test('a follower that is caught up and whose node is at the committed head is ready', () => {
    expect(readiness(ready)).toBe('');
    expect(readiness({ ...ready, status: { ...status, role: 'leader' } })).toBe('');
    expect(readiness({ ...ready, committedHead: null })).toBe('');
  });

  test('an old head is no reason: wall clock never counts', () => {
    expect(readiness({ ...ready, verdict: old })).toBe('');
  });

  test('ten blocks behind the committed head are allowed, not eleven', () => {
    expect(readiness({ ...ready, nodeHead: 90 })).toBe('');
    expect(readiness({ ...ready, nodeHead: 89 })).toBe('the node is 11 blocks behind the committed head');
  });

  test.each<[string, Partial<ReadinessInput>]>([
    ['the store has failed', { status: { ...status, hasFailed: true } }],
    ['catching up after starting with an empty store', { status: { ...status, isRecovering: true } }],
    ['no leader is known', { status: { ...status, leaderId: null } }],
    ['2 committed entries are not applied yet', { status: { ...status, appliedIndex: 7 } }],
    ['not a member of a cluster yet', { status: { ...status, id: 'z' } }],
    ['the node has not been checked yet', { verdict: null }],
    ['the node does not answer: no answer', { verdict: down }],
    ['the head of the node is not known', { nodeHead: null }],
    ['the node stands on a block whose commit was refused', { isOnRefused: true }],
  ])('not ready: %s', (reason, change) => {
    expect(readiness({ ...ready, ...change })).toBe(reason);
  });
});
