/** Payload entries made to order for tests of the chain: any number, hash and parent, valid SSZ. */
import { buildBlock } from '../build-block.ts';
import { keccak256 } from '../keccak.ts';
import { buildRollbackEntry } from '../rollback-entry.ts';
import { SszError } from '../ssz-check.ts';
import { encodeSsz } from '../ssz.ts';
import type { BlockSummary } from '../block-summary.ts';

const template = buildBlock({ parent: null, timestamp: 0, transactions: [] });

/** A block summary whose hash is derived from its name. */
export function testBlock(name: string, number: bigint, parentHash: Uint8Array, isRollback = false): BlockSummary {
  return {
    number,
    timestamp: 1000n + number,
    hash: keccak256(Uint8Array.from(name, (each) => each.charCodeAt(0))),
    parentHash,
    isRollback,
    isValidated: false,
  };
}

/** The SSZ of a block with that number, timestamp, hash and parent. */
export function testSsz(block: BlockSummary): Uint8Array {
  const { number: blockNumber, timestamp, hash: blockHash, parentHash } = block;
  const ssz = encodeSsz({
    ...template,
    executionPayload: { ...template.executionPayload, blockNumber, timestamp, blockHash, parentHash },
  });
  if (ssz instanceof SszError) throw ssz;
  return ssz;
}

/** What the log holds for it. */
export function testData(block: BlockSummary): Uint8Array {
  return block.isRollback ? buildRollbackEntry(testSsz(block)) : testSsz(block);
}
