/**
 * The blocks that the commit benchmark offers, made before anything is measured.
 * Half of the transactions are transfers of 112 bytes, four in ten calls of 180 to 600, one in ten calldata
 * of 1 to 6 kB; their bytes are random. Each block names the one before it and hashes correctly.
 */
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope, type Envelope } from '#conductor/core/payload/envelope';
import { prefixedHex } from '#conductor/core/payload/hex';
import type { Seeded } from '../../tests/cluster/seeded.ts';
import type { StubBlock } from './stub-node.ts';

/** One call. */
export interface CommitRequest {
  /** JSON text, ASCII. */
  readonly body: string;
  /** The block that it commits. */
  readonly block: StubBlock;
}

/** The same as a whole HTTP request. */
export interface PreparedCommit {
  readonly bytes: Uint8Array;
  readonly block: StubBlock;
}

/** Told in the results beside the numbers. */
export const transactionMix = '50 % of 112 B, 40 % of 180–600 B, 10 % of 1–6 kB, random bytes';

const FIRST_TIMESTAMP = 1_700_000_000;
/** What a block of a few hundred bytes holds at least. */
const SMALLEST_TRANSACTION_BYTES = 112;

/** Makes one chain, block after block. */
export class BlockMaker {
  readonly #random: Seeded;
  #parent: Envelope | null = null;
  #made = 0;

  constructor(random: Seeded) {
    this.#random = random;
  }

  /** The next block, with transactions of about `bytes` in all, as op-node would send it. */
  next(bytes: number): CommitRequest {
    const transactions = this.#transactions(bytes);
    const block = buildBlock({ parent: this.#parent, timestamp: FIRST_TIMESTAMP + this.#made, transactions });
    this.#parent = block;
    this.#made += 1;
    const call = {
      jsonrpc: '2.0',
      id: this.#made,
      method: 'conductor_commitUnsafePayload',
      params: [formatEnvelope(block)],
    };
    const { blockNumber, blockHash } = block.executionPayload;
    return { body: JSON.stringify(call), block: { number: Number(blockNumber), hash: prefixedHex(blockHash) } };
  }

  /** `count` further blocks of about that size, ready for the socket. */
  prepare({ bytes, blocks }: { readonly bytes: number; readonly blocks: number }): PreparedCommit[] {
    return Array.from({ length: blocks }, () => {
      const { body, block } = this.next(bytes);
      return { bytes: postRequest(body), block };
    });
  }

  #transactions(bytes: number): Uint8Array[] {
    const list: Uint8Array[] = [];
    let left = bytes;
    while (left > 0) {
      const size = Math.max(Math.min(this.#transactionBytes(), left), Math.min(left, SMALLEST_TRANSACTION_BYTES));
      list.push(this.#randomBytes(size));
      left -= size;
    }
    return list;
  }

  #transactionBytes(): number {
    const kind = this.#random.between(0, 10);
    if (kind < 5) return SMALLEST_TRANSACTION_BYTES;
    return kind < 9 ? this.#random.between(180, 600) : this.#random.between(1000, 6000);
  }

  #randomBytes(size: number): Uint8Array {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 1) bytes[at] = this.#random.between(0, 256);
    return bytes;
  }
}

/** A POST of JSON to / on a persistent connection, head and body, ready for the socket. */
function postRequest(body: string): Uint8Array {
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.from(head + body, 'latin1');
}
