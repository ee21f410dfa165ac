/**
 * An op-node whose driver loop does not turn moves no client, whatever that would take: its derivation waits for L1, for as
 * long as that answers nothing, or for a call to its client.
 */
import { latestBlock, outputAtBlock, readHeader } from '../node/calls.ts';
import type { Steps } from '../node/effects.ts';
import { soon, type LookHost } from './look-host.ts';

/** A client that has stood on its head for so long is not just being brought on, milliseconds. */
const askedAfterMs = 1000;

/**
 * Asked at the end of a look, which may have taken long, as it may have given the client blocks: `op-node` where the driver
 * loop, by which requests for outputs are served between events, has answered nothing; `nothing` where the client stands
 * no longer where it stood.
 */
export function* whatHolds({ memory, nowMs }: LookHost, clientHash: string): Steps<'op-node' | 'client' | 'nothing'> {
  const { node, still } = memory;
  if (node === null || still === null || nowMs() - still.sinceMs < askedAfterMs) return 'client';
  const answers = yield { kind: 'calls', requests: [outputAtBlock(node.number), latestBlock].map(soon) };
  const [output, latest] = answers.kind === 'calls' ? answers.results : [];
  const head = latest?.kind === 'result' ? readHeader(latest.value) : null;
  if (head !== null && head.hash !== clientHash) return 'nothing';
  return output?.kind === 'failed' && output.reason === 'timeout' ? 'op-node' : 'client';
}
