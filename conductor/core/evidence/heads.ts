/** Where op-node and its client stand, asked of both at once: what a look begins with. */
import {
  blockByHash,
  latestBlock,
  readHeader,
  syncHeadOf,
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
  return {
    ...{ node: syncHeadOf(status, 'unsafe_l2'), safe: syncHeadOf(status, 'safe_l2') },
    ...{ finalizedL1: syncHeadOf(status, 'finalized_l1'), l1: syncHeadOf(status, 'head_l1') },
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
