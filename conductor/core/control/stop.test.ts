import { expect, test } from 'vitest';
import type { CallResult } from '../node/calls.ts';
import { dropJob } from './stop.ts';

const stopped: CallResult = { kind: 'result', value: `0x${'11'.repeat(32)}` };
const silent: CallResult = { kind: 'failed', reason: 'timeout', message: 'no answer' };

/** Has the job dropped at a node whose answers to stops are these; `asked` says what was called, in order. */
function dropped(answers: readonly CallResult[], mayGoOn = true) {
  const asked: string[] = [];
  const left = [...answers];
  const steps = dropJob(() => mayGoOn);
  let state = steps.next();
  while (state.done !== true) {
    const effect = state.value;
    if (effect.kind !== 'calls') throw new Error(effect.kind);
    const results = effect.requests.map(({ method }): CallResult => {
      asked.push(method);
      return method === 'admin_stopSequencer' ? left.shift()! : { kind: 'result', value: null };
    });
    state = steps.next({ kind: 'calls', results });
  }
  return { asked, outcome: state.value.kind };
}

test('a job is dropped by a stop', () => {
  expect(dropped([stopped])).toEqual({ asked: ['admin_stopSequencer'], outcome: 'stopped' });
});

test('a node whose stop waits for a block of an earlier leadership is made to forget it', () => {
  const asked = ['admin_stopSequencer', 'admin_resetDerivationPipeline', 'admin_stopSequencer'];
  expect(dropped([silent, stopped])).toEqual({ asked, outcome: 'stopped' });
  expect(dropped([silent, silent])).toEqual({ asked, outcome: 'retry' });
});

test('a node is not reset where an operator has taken over while its stop was waited for', () => {
  expect(dropped([silent], false)).toEqual({ asked: ['admin_stopSequencer'], outcome: 'retry' });
});
