/**
 * Blocks that op-node cannot be given: its RPC service reads requests of up to 5 MiB (go-ethereum, rpc/server.go: defaultBodyLimit),
 * about 2.6 MB of transactions in hex, while it gossips blocks of up to 10 MiB. The engine API takes them: the client executes such
 * a block and makes it its head, and op-node, told to look where its client is, follows.
 */
import { latestBlock, readHeader, resetPipeline, syncHeadOf, syncStatus, type BlockHeader } from './calls.ts';
import type { ChainView } from './chain-view.ts';
import { call, type Steps } from './effects.ts';
import { forkchoiceUpdated, newPayload, readForkchoice, readPayloadStatus, verdictTimeoutMs } from './engine-calls.ts';

/** Largest request that op-node reads, bytes. */
const requestBytesMax = 5 * 1024 * 1024;
/** What a request has beside the bytes of its block, in hex. */
const frameBytes = 4096;

/** Whether it may be too large, by the size of its SSZ: its JSON is never longer than twice that and the frame. */
export function isLarge({ sizeBytes }: { readonly sizeBytes: number }): boolean {
  return 2 * sizeBytes + frameBytes > requestBytesMax;
}

export function tooLargeText(number: bigint): string {
  return `block ${number} is larger than what op-node reads by RPC (5 MiB): without --execution.engine-rpc only gossip can bring it`;
}

/**
 * The next step towards a large block that is committed: a client on its parent executes it, and stands on it; where the client
 * has come that far, op-node is shown the way. 'isThere': op-node is as well. 'isKept': neither can be done now.
 */
export function* insertLarge(chain: ChainView, block: BlockHeader): Steps<'isAccepted' | 'isThere' | 'isKept'> {
  const answers = yield { kind: 'calls', requests: [latestBlock, syncStatus] };
  const [latest, status] = answers.kind === 'calls' ? answers.results : [];
  const client = latest?.kind === 'result' ? readHeader(latest.value) : null;
  const node = syncHeadOf(status, 'unsafe_l2');
  if (client === null || node === null) return 'isKept';
  if (client.number >= block.number) {
    if (node.number >= block.number) return 'isThere';
    const answer = yield* call(resetPipeline);
    return answer.kind === 'result' ? 'isAccepted' : 'isKept';
  }
  const envelope = client.hash === block.parentHash ? chain.envelope(block.number) : null;
  if (envelope === null) return 'isKept';
  const verdict = readPayloadStatus(yield* call(newPayload(envelope, verdictTimeoutMs)));
  if (verdict.kind !== 'valid') return 'isKept';
  const moved = readForkchoice(yield* call(forkchoiceUpdated(block.hash)));
  return moved.kind === 'valid' ? 'isAccepted' : 'isKept';
}
