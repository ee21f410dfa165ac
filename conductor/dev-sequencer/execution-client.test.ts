import { describe, expect, it } from 'vitest';
import { buildNextBlock, genesisBlock } from './block.ts';
import { openBlockStore } from './block-store.ts';
import { ExecutionClient } from './execution-client.ts';
import { noFaults } from './faults.ts';

const genesis = genesisBlock({ genesisTime: 1_800_000_000, blockSeconds: 1, chainId: 901 });
const content = { transactionsPerBlock: 2, transactionBytes: 32 };

function open(sharesTimestamps?: boolean): ExecutionClient {
  const options = { store: openBlockStore(':memory:', genesis), genesis, faults: noFaults(), log: () => undefined };
  return new ExecutionClient(sharesTimestamps === undefined ? options : { ...options, sharesTimestamps });
}

describe('the time stamp of a payload', () => {
  it('is later than its parent’s', async () => {
    const client = open();
    const { status } = await client.newPayload(buildNextBlock(genesis, genesis.timestamp + 1, content));
    expect(status).toBe('VALID');
    for (const timestamp of [genesis.timestamp, genesis.timestamp - 1]) {
      const verdict = await client.newPayload(buildNextBlock(genesis, timestamp, content));
      expect(verdict).toMatchObject({ status: 'INVALID', validationError: 'invalid block number or timestamp' });
    }
  });

  it('may be its parent’s where the blocks of a slot share it, but no earlier', async () => {
    const client = open(true);
    const [same, earlier] = await Promise.all([
      client.newPayload(buildNextBlock(genesis, genesis.timestamp, content)),
      client.newPayload(buildNextBlock(genesis, genesis.timestamp - 1, content)),
    ]);
    expect(same.status).toBe('VALID');
    expect(earlier.status).toBe('INVALID');
  });
});
