/**
 * An op-node that goes back without its client, as after a reorg of L1: op-geth's head stays where it was until another
 * block is built or given, so the client alone does not show where the node stands.
 */
import { blockByHash, latestBlock, readHeader, syncHeadOf, syncStatus, type BlockHeader } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { givenBytesMax, offer } from '../node/offer.ts';
import type { CatchUpHost } from './catch-up.ts';

/** op-node’s head where its client stands above it; null otherwise. */
export function* nodeBelowClient(): Steps<BlockHeader | null> {
  const answers = yield { kind: 'calls', requests: [syncStatus, latestBlock] };
  const [status, latest] = answers.kind === 'calls' ? answers.results : [];
  const node = syncHeadOf(status, 'unsafe_l2');
  const client = latest?.kind === 'result' ? readHeader(latest.value) : null;
  if (node === null || client === null || node.number >= client.number) return null;
  const answer = yield* call(blockByHash(node.hash));
  return answer.kind === 'result' ? readHeader(answer.value) : null;
}

/** Gives the node once more what follows its own head, which its client has on its chain. */
export function* giveWhatItLeft(host: CatchUpHost, { number }: BlockHeader): Steps<void> {
  const range = { head: number, from: number + 1n, bytesMax: givenBytesMax };
  const { count } = yield* offer({ ...host, takesNumbered: true }, range);
  host.posted(count);
}
