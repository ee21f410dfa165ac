/** Resets of op-node, one at a time. */
import { outputAtBlock, resetPipeline } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { soon, type LookHost } from './look-host.ts';

/**
 * Has op-node look in its client where the chain ends, with its next step of derivation. False where it is not known to have
 * taken the order: it takes up to ten while its driver loop is busy, and carries all of them out (op-node, driver.go:
 * forceReset). So another one waits until the loop has turned.
 */
export function* lookAnew({ memory, mayAct }: LookHost): Steps<boolean> {
  if (memory.mayHaveResets && memory.node !== null) {
    const answer = yield* call(soon(outputAtBlock(memory.node.number)));
    if (answer.kind === 'failed') return false;
  }
  // An operator may have paused this conductor since the look began.
  if (!mayAct()) return false;
  const answer = yield* call(soon(resetPipeline));
  memory.mayHaveResets = answer.kind === 'failed' && answer.reason === 'timeout';
  return answer.kind === 'result';
}
