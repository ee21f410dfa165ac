import { expect, it } from 'vitest';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { RecoverMode } from './recover-mode.ts';

const done: CallResult = { kind: 'result', value: null };
const silent: CallResult = { kind: 'failed', reason: 'timeout', message: 'no answer' };
const unknown: CallResult = { kind: 'error', code: -32601, message: 'the method does not exist' };

/** Its node answers so, one call after the other. */
function recoverMode(answers: readonly CallResult[]) {
  const told: unknown[] = [];
  const clock = { nowMs: 0 };
  const mode = new RecoverMode({
    nowMs: () => clock.nowMs,
    call: ({ params }: NodeRequest, then) => {
      told.push((JSON.parse(params) as unknown[])[0]);
      then(answers[told.length - 1] ?? done);
    },
  });
  return { mode, told, clock };
}

it('what was not confirmed is told again after half a second, on as well as off', () => {
  for (const wanted of [true, false]) {
    const { mode, told, clock } = recoverMode([silent, done]);
    mode.reconcile(wanted);
    expect([told, mode.isLent, mode.nextDeadlineMs()]).toEqual([[wanted], wanted, 500]);
    clock.nowMs = 499;
    mode.reconcile(wanted);
    clock.nowMs = 500;
    mode.reconcile(wanted);
    mode.reconcile(wanted);
    expect([told, mode.isLent, mode.nextDeadlineMs()]).toEqual([[wanted, wanted], wanted, Infinity]);
  }
});

it('a node that does not know the method is not asked again until the next leadership', () => {
  const { mode, told, clock } = recoverMode([unknown, done]);
  mode.reconcile(true);
  clock.nowMs = 60_000;
  mode.reconcile(true);
  expect([told, mode.isLent]).toEqual([[true], false]);
  mode.forget();
  mode.reconcile(true);
  expect([told, mode.isLent]).toEqual([[true, true], true]);
});
