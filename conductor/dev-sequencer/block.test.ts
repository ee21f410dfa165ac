import { describe, expect, it } from 'vitest';
import { withOwnHash } from '#conductor/core/payload/header-hash';
import { blockFromEnvelope, blockJson, buildNextBlock, genesisBlock, outputRoots } from './block.ts';

const spec = { genesisTime: 1_800_000_000, blockSeconds: 2, chainId: 901 };
const genesis = genesisBlock(spec);
const block = buildNextBlock(genesis, spec.genesisTime + 2, { transactionsPerBlock: 3, transactionBytes: 100 });

describe('blocks of a development chain', () => {
  it('begin with the same genesis wherever it is made, another for another chain', () => {
    expect(genesisBlock(spec)).toEqual(genesis);
    expect(genesisBlock({ ...spec, chainId: 902 }).hash).not.toBe(genesis.hash);
    expect(genesis).toMatchObject({ number: 0, timestamp: spec.genesisTime });
  });

  it('follow each other, and differ by their random content', () => {
    expect(block).toMatchObject({ number: 1, parentHash: genesis.hash, timestamp: spec.genesisTime + 2 });
    const sibling = buildNextBlock(genesis, spec.genesisTime + 2, { transactionsPerBlock: 3, transactionBytes: 100 });
    expect(sibling.hash).not.toBe(block.hash);
  });

  it('come back from their envelope unchanged', () => {
    expect(blockFromEnvelope(JSON.parse(block.text))).toEqual(block);
  });

  it('are refused when any field was changed', () => {
    const envelope = JSON.parse(block.text) as { executionPayload: Record<string, unknown> };
    const changes = { gasUsed: '0x1', transactions: [], timestamp: '0x2', blockHash: `0x${'11'.repeat(32)}` };
    for (const [name, value] of Object.entries(changes)) {
      const forged = { ...envelope, executionPayload: { ...envelope.executionPayload, [name]: value } };
      expect(() => blockFromEnvelope(forged)).toThrow('payload has bad block hash');
    }
  });

  it.each([[null], [5], ['x'], [{}], [{ executionPayload: null }], [{ executionPayload: { parentHash: 5 } }]])(
    'are refused with a sentence when they are %j',
    (envelope) => expect(() => blockFromEnvelope(envelope)).toThrow(/invalid argument 0: .+/),
  );

  it('are answered with header fields that hash to the block', () => {
    for (const each of [genesis, block]) {
      const json = blockJson(each, false);
      expect(withOwnHash(json)).toEqual(json);
    }
  });

  it('are answered with every header field an execution client has', () => {
    const json = blockJson(block, false);
    expect(Object.keys(json)).toEqual(
      (
        'baseFeePerGas blobGasUsed difficulty excessBlobGas extraData gasLimit gasUsed hash logsBloom miner mixHash nonce ' +
        'number parentBeaconBlockRoot parentHash receiptsRoot requestsHash sha3Uncles size stateRoot timestamp transactions ' +
        'transactionsRoot uncles withdrawals withdrawalsRoot'
      ).split(' '),
    );
    expect(json['transactions']).toHaveLength(3);
    expect(blockJson(block, true)['transactions']).toMatchObject([{ blockNumber: '0x1', type: '0x7e' }, {}, {}]);
  });

  it('have an output root that depends on them', () => {
    expect(outputRoots(block).outputRoot).not.toBe(outputRoots(genesis).outputRoot);
  });
});
