/**
 * An op-node whose driver loop does not turn moves no client, whatever that would take: its derivation waits for L1, for as
 * long as that answers nothing, or for a call to its client.
 */
import { latestBlock, outputAtBlock, readHeader, type CallResult } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { soon, type LookHost } from './look-host.ts';
import type { Memory } from './memory.ts';

/** A client that has stood on its head for so long is not just being brought on, milliseconds. */
const askedAfterMs = 1000;

/** Whether the driver loop, by which requests for outputs are served between events, has answered nothing. */
export function* isDriverHeldUp({ node }: Pick<Memory, 'node'>): Steps<boolean> {
  return node !== null && isUnanswered(yield* call(soon(outputAtBlock(node.number))));
}

/**
 * What keeps the client where it was seen: `op-node` is held up, or `nothing`, since it stands there no longer. The look may
 * have taken long, as it may have given the client blocks.
 */
export function* whatHolds({ memory, nowMs }: LookHost, clientHash: string): Steps<'op-node' | 'client' | 'nothing'> {
  const { node, still } = memory;
  if (node === null || still === null || nowMs() - still.sinceMs < askedAfterMs) return 'client';
  const answers = yield { kind: 'calls', requests: [outputAtBlock(node.number), latestBlock].map(soon) };
  const [output, latest] = answers.kind === 'calls' ? answers.results : [];
  const head = latest?.kind === 'result' ? readHeader(latest.value) : null;
  if (head !== null && head.hash !== clientHash) return 'nothing';
  return isUnanswered(output) ? 'op-node' : 'client';
}

function isUnanswered(output: CallResult | undefined): boolean {
  return output?.kind === 'failed' && output.reason === 'timeout';
}
