import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildNextBlock, genesisBlock } from './block.ts';
import { openBlockStore } from './block-store.ts';

const spec = { genesisTime: 1_800_000_000, blockSeconds: 1, chainId: 901 };
const genesis = genesisBlock(spec);
const one = buildNextBlock(genesis, genesis.timestamp + 1, { transactionsPerBlock: 1, transactionBytes: 500 });
const two = buildNextBlock(one, one.timestamp + 1, { transactionsPerBlock: 1, transactionBytes: 500 });
const folder = mkdtempSync(join(tmpdir(), 'block-store-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the block store', () => {
  it('comes back with its chain and with what was published', () => {
    const path = join(folder, 'kept.db');
    const store = openBlockStore(path, genesis);
    store.append(one);
    store.append(two);
    store.recordPublished({ number: 1, hash: one.hash, atMs: 5 });
    store.close();
    const again = openBlockStore(path, genesis);
    expect(again.head()).toEqual(two);
    expect(again.byNumber(1)).toEqual(one);
    expect(again.byHash(genesis.hash)).toEqual(genesis);
    expect(again.latestUntil(one.timestamp)?.number).toBe(1);
    expect(again.published(0, 10)).toEqual([{ number: 1, hash: one.hash, atMs: 5 }]);
    again.close();
  });

  it('serves ranges within bounds of count and size, at least one block', () => {
    const store = openBlockStore(':memory:', genesis);
    store.append(one);
    store.append(two);
    expect(store.texts(1, 2, 10, 1_000_000)).toEqual([one.text, two.text]);
    expect(store.texts(1, 2, 1, 1_000_000)).toEqual([one.text]);
    expect(store.texts(1, 2, 10, 1)).toEqual([one.text]);
    expect(store.texts(1, 1, 10, 1_000_000)).toEqual([one.text]);
    store.close();
  });

  it('refuses the file of another chain, and one that is no database, naming it', () => {
    const path = join(folder, 'other.db');
    openBlockStore(path, genesis).close();
    expect(() => openBlockStore(path, genesisBlock({ ...spec, chainId: 902 }))).toThrow(
      /other\.db belongs to another chain/,
    );
    const junk = join(folder, 'junk.db');
    writeFileSync(junk, 'no database at all, but long enough to look like one\n'.repeat(40));
    expect(() => openBlockStore(junk, genesis)).toThrow(/cannot read the blocks in .*junk\.db/);
  });
});
