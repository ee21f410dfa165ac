import { expect, it } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { OutboundRequest } from '#conductor/core/ports';
import type { RaftResult } from '#conductor/core/raft/events';
import { Suffrage } from '#conductor/core/raft/types';
import type { Machine } from '../machine.ts';
import { readsSeeTheLog } from './read-laws.ts';

/** A leader of two other voters and one that does not vote; what is said of a read that these answer, sent to when. */
function complaintsOf(
  answers: readonly { readonly from: string; readonly isSentBefore?: boolean; readonly isRefused?: boolean }[],
) {
  const complaints: string[] = [];
  const oracle = readsSeeTheLog(
    (message) => complaints.push(message),
    () => undefined,
  );
  const servers = ['s0', 's1', 's2', 's3'].map((id) => {
    const suffrage = id === 's3' ? Suffrage.nonvoter : Suffrage.voter;
    return { id, address: id, suffrage };
  });
  const status = { appliedIndex: 7, configuration: { index: 1, configuration: { servers } } };
  let answer: (result: RaftResult) => void = () => undefined;
  const read = (done: typeof answer): void => {
    answer = done;
  };
  const leader = { id: 's0', conductor: { status: () => status }, read } as unknown as Machine;
  const send = (requestId: number, peerId: string): void =>
    oracle.sent?.(leader, { requestId, peerId, request: { kind: 'append' } } as unknown as OutboundRequest);
  for (const [at, { from, isSentBefore }] of answers.entries()) if (isSentBefore === true) send(at, from);
  oracle.readBegins?.(leader);
  for (const [at, { from, isSentBefore }] of answers.entries()) if (isSentBefore !== true) send(at, from);
  for (const [requestId, { isRefused }] of answers.entries()) {
    const response = { kind: 'append', success: isRefused !== true };
    oracle.handled?.(leader, { kind: 'response', requestId, response } as unknown as ConductorEvent);
  }
  answer({ kind: 'done', requestId: 1, index: 7, term: 1, value: null });
  return complaints;
}

it('a read is answered when a majority of the voters has acknowledged what was sent after it began', () => {
  expect(complaintsOf([{ from: 's1' }])).toEqual([]);
  const alone = 'a read through s0 is answered after s0 alone confirmed it';
  expect(complaintsOf([])).toEqual([alone]);
  expect(complaintsOf([{ from: 's1', isSentBefore: true }])).toEqual([alone]);
  expect(complaintsOf([{ from: 's1', isRefused: true }])).toEqual([alone]);
  expect(complaintsOf([{ from: 's3' }])).toEqual(['a read through s0 is answered after s0, s3 alone confirmed it']);
});
