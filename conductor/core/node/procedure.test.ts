import { expect, test } from 'vitest';
import { blockByHash, latestBlock, syncStatus, type CallResult } from './calls.ts';
import type { Steps } from './effects.ts';
import { Procedure, type ProcedureHost } from './procedure.ts';

test('answers are those of the questions at their places, in whatever order they come', () => {
  const ends: ((result: CallResult) => void)[] = [];
  const requests = [syncStatus, latestBlock, blockByHash('0x11')];
  const host = { nowMs: () => 0, call: (_, then) => void ends.push(then) } as ProcedureHost;
  let read: unknown = null;
  function* askAll(): Steps<readonly unknown[]> {
    const answers = yield { kind: 'calls', requests };
    return answers.kind === 'calls' ? answers.results.map((one) => (one.kind === 'result' ? one.value : null)) : [];
  }
  new Procedure(askAll(), host, (values) => (read = values)).begin();
  for (const at of [2, 0, 1]) {
    expect(read).toBeNull();
    ends[at]!({ kind: 'result', value: requests[at]!.method });
  }
  expect(read).toEqual(requests.map(({ method }) => method));
});
