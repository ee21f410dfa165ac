/**
 * Blocks that op-node cannot be given: its RPC service reads requests of up to 5 MiB (go-ethereum, rpc/server.go: defaultBodyLimit),
 * about 2.6 MB of transactions in hex, while it gossips blocks of up to 10 MiB. The engine API takes them: the client executes such
 * a block and makes it its head, and op-node, told to look where its client is, follows.
 */
import {
  blockByNumber,
  latestBlock,
  readHeader,
  resetPipeline,
  syncHeadOf,
  syncStatus,
  type BlockHeader,
  type BlockRef,
  type CallResult,
} from './calls.ts';
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
 * Brings a large block that is committed to the client, and shows op-node the way: a client on its parent, or beside it while
 * op-node is on the parent, executes it and is made to stand on it. `may` is asked before each change. 'isThere': op-node is
 * that far already. 'isKept': nothing could be done, or not all.
 */
export function* insertLarge(
  chain: ChainView,
  block: BlockHeader,
  may: () => boolean,
): Steps<'isAccepted' | 'isThere' | 'isKept'> {
  const before = yield* headsAround(block);
  if (before.client === null || before.node === null) return 'isKept';
  if (before.node.number >= block.number) return 'isThere';
  if (!before.isOnBlock) {
    const isBeside = before.client.number >= block.number && before.node.hash === block.parentHash;
    const isNext = before.client.hash === block.parentHash || isBeside;
    const envelope = isNext && may() ? chain.envelope(block.number) : null;
    if (envelope === null) return 'isKept';
    const verdict = readPayloadStatus(yield* call(newPayload(envelope, verdictTimeoutMs)));
    if (verdict.kind !== 'valid') return 'isKept';
    // To execute it takes seconds, in which others may have moved the client.
    const now = yield* headsAround(block);
    if (now.client?.hash !== before.client.hash || now.node?.hash !== before.node.hash || !may()) return 'isKept';
    if (readForkchoice(yield* call(forkchoiceUpdated(block.hash))).kind !== 'valid') return 'isKept';
  }
  if (!may()) return 'isKept';
  return (yield* call(resetPipeline)).kind === 'result' ? 'isAccepted' : 'isKept';
}

/** Where client and op-node stand, null for what is not told, and whether the client has that very block on its chain. */
function* headsAround(block: BlockHeader): Steps<{
  readonly client: BlockHeader | null;
  readonly node: BlockRef | null;
  readonly isOnBlock: boolean;
}> {
  const answers = yield { kind: 'calls', requests: [latestBlock, syncStatus, blockByNumber(block.number)] };
  const [latest, status, held] = answers.kind === 'calls' ? answers.results : [];
  const headerOf = (answer: CallResult | undefined): BlockHeader | null =>
    answer?.kind === 'result' ? readHeader(answer.value) : null;
  const client = headerOf(latest);
  const isAbove = client !== null && client.number >= block.number;
  return {
    client,
    node: syncHeadOf(status, 'unsafe_l2'),
    isOnBlock: isAbove && headerOf(held)?.hash === block.hash,
  };
}
