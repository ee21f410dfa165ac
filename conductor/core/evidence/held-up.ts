/**
 * An op-node whose driver loop does not turn moves no client, whatever that would take: its derivation waits for L1, for as
 * long as that answers nothing, or for a call to its client.
 */
import { outputAtBlock } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { soon, type LookHost } from './look-host.ts';

/** A client that has stood on its head for so long is not just being brought on, milliseconds. */
const askedAfterMs = 1000;

/** Whether the driver loop, by which requests for outputs are served between events, has answered nothing. */
export function* isHeldUp({ memory, nowMs }: LookHost): Steps<boolean> {
  const { node, still } = memory;
  if (node === null || still === null || nowMs() - still.sinceMs < askedAfterMs) return false;
  const answer = yield* call(soon(outputAtBlock(node.number)));
  return answer.kind === 'failed' && answer.reason === 'timeout';
}
