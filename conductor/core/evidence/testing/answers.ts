/** Blocks as the stand-ins of nodes and of the log tell of them. */
import type { Block } from '../../control/testing/world.ts';
import { buildBlock } from '../../payload/build-block.ts';
import type { Envelope } from '../../payload/envelope.ts';

const template = buildBlock({ parent: null, timestamp: 0, transactions: [] });

/** As op-node tells it. */
export function plain({ number, hash }: Block): unknown {
  return { number: Number(number), hash };
}

/** As an execution client tells it. */
export function header({ number, hash, parentHash }: Block): unknown {
  return { number: `0x${number.toString(16)}`, hash, parentHash };
}

/** As the log holds it: no more of it is read than the height. */
export function envelopeOf(blockNumber: bigint): Envelope {
  return { ...template, executionPayload: { ...template.executionPayload, blockNumber } };
}
