import { expect, test } from 'vitest';
import type { CallResult } from './node/calls.ts';
import { Outbox } from './outbox.ts';
import type { RaftResult, Ready } from './raft/events.ts';

const request = { target: 'node', method: 'x', params: '[]', timeoutMs: 1 } as const;
const answered: CallResult = { kind: 'result', value: 7 };
const done = (requestId: number): RaftResult => ({ kind: 'done', requestId, index: 1, term: 1, value: null });
const nothing: Ready = { sendFirst: [], write: null, send: [], replies: [], forget: [], results: [], notices: [] };

test('what waits for a call follows once, with its result, and answers to nothing are ignored', () => {
  const outbox = new Outbox();
  const got: [string, CallResult][] = [];
  outbox.call(request, (result) => got.push(['first', result]));
  outbox.call(request, (result) => got.push(['second', result]));
  const [first, second] = outbox.take(null).calls.map(({ callId }) => callId);
  outbox.callEnded(second!, answered);
  outbox.callEnded(second!, answered);
  outbox.callEnded(99, answered);
  expect(got).toEqual([['second', answered]]);
  outbox.callEnded(first!, answered);
  expect(got.at(-1)).toEqual(['first', answered]);
});

test('what waits for a command follows once; results of the host’s own commands pass by', () => {
  const outbox = new Outbox();
  const got: RaftResult[] = [];
  const requestId = outbox.command((result) => got.push(result));
  const taken = outbox.take({ ...nothing, results: [done(3), done(requestId)] });
  expect(taken.results).toEqual([done(3)]);
  expect(got).toEqual([]);
  for (const result of outbox.takeDue().results) outbox.commandEnded(result);
  expect(got).toEqual([done(requestId)]);
  expect(() => outbox.commandEnded(done(requestId))).toThrow('a command of the conductor ends once');
});
