/** A run that is watched for traces, when they cannot be made. */
import { expect, test, vi } from 'vitest';
import type { PublishedEvent } from '#conductor/core/published-event';
import { RunTraces } from './run-traces.ts';

const arrival = { arrivedMs: 1, wholeMs: 2, readMs: 3, parent: null };
const payload = { payload: { executionPayload: { blockHash: `0x${'ab'.repeat(32)}`, blockNumber: '0x1' } } };
const call = { method: 'conductor_commitUnsafePayload', values: [payload], from: '::1', as: '', arrival } as const;

test('a trace that cannot be made costs the traces, once, and neither a commit nor what is published', () => {
  const failed: unknown[] = [];
  const emit = vi.fn(() => {
    throw new Error('no span');
  });
  const run = new RunTraces('n1', { emit }, (thrown) => void failed.push(thrown));
  const commit = (id: number): void => {
    run.called(id, call as never);
    run.answered(id, { kind: 'result', json: 'null' });
  };
  commit(1);
  expect([emit.mock.calls.length, failed]).toEqual([1, [new Error('no span')]]);
  const published: PublishedEvent[] = [];
  const events = run.events({ publish: (event) => void published.push(event) });
  events.publish({ kind: 'role', role: 'leader', term: 2, reason: 'elected' });
  commit(2);
  run.end();
  expect([published.length, emit.mock.calls.length, failed.length]).toEqual([1, 1, 1]);
});
