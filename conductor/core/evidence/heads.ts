/** Where op-node and its client stand, asked of both at once: what a look begins with. */
import {
  blockByHash,
  latestBlock,
  readHeader,
  readSyncHead,
  syncStatus,
  type BlockHeader,
  type BlockRef,
  type CallResult,
} from '../node/calls.ts';
import type { Steps } from '../node/effects.ts';
import { soon } from './look-host.ts';

/** What op-node and its client tell when they are asked together; null for what was not told. */
export function* headsOf(tip: BlockRef): Steps<Heads> {
  const answers = yield { kind: 'calls', requests: [syncStatus, latestBlock, blockByHash(tip.hash)].map(soon) };
  const [status, latest, held] = answers.kind === 'calls' ? answers.results : [];
  const told = (head: Parameters<typeof readSyncHead>[1]): BlockRef | null =>
    status?.kind === 'result' ? readSyncHead(status.value, head) : null;
  return {
    ...{ node: told('unsafe_l2'), safe: told('safe_l2'), finalizedL1: told('finalized_l1'), l1: told('head_l1') },
    ...{ client: latest?.kind === 'result' ? readHeader(latest.value) : null, latest, held },
  };
}

export interface Heads {
  readonly node: BlockRef | null;
  readonly safe: BlockRef | null;
  readonly finalizedL1: BlockRef | null;
  readonly l1: BlockRef | null;
  readonly client: BlockHeader | null;
  /** The client's answers, for the head and for the tip. */
  readonly latest: CallResult | undefined;
  readonly held: CallResult | undefined;
}
