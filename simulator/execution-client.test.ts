import { describe, expect, it } from 'vitest';
import { Blocks, type Block } from './blocks.ts';
import { ExecutionClient } from './execution-client.ts';
import { Verdicts } from './verdicts.ts';

/** A client of server 1 of three, and a chain of so many blocks that it has not seen. */
function made(count: number, isReth = false) {
  const blocks = new Blocks(1);
  const verdicts = new Verdicts(blocks, 3);
  const client = new ExecutionClient(1, { blocks, verdicts, executionMs: 30, isReth, nowMs: () => 0 });
  const chain: Block[] = [];
  for (let at = blocks.genesis; chain.length < count;) chain.push((at = blocks.build(at, 0)));
  return { blocks, verdicts, client, chain: chain as [Block, Block, Block, ...Block[]] };
}

describe('what an execution client says of a block', () => {
  it('executes what follows a block it has, moves no head, and keeps side blocks', () => {
    const { blocks, client, chain } = made(3);
    const side = blocks.build(blocks.genesis, 2);
    expect([chain[0], side, chain[1], chain[0]].map((block) => client.newPayload(block))).toEqual(
      Array.from({ length: 4 }, () => 'VALID'),
    );
    expect(client.head).toBe(blocks.genesis);
    expect(client.adopt(chain[1])).toBe(true);
    expect(client.adopt(chain[2])).toBe(false);
    expect(client.head).toBe(chain[1]);
    expect(client.has(side)).toBe(true);
  });

  it('says SYNCING where the parent is missing, and ACCEPTED where its state is', () => {
    const { client, chain } = made(3);
    expect(client.newPayload(chain[1])).toBe('SYNCING');
    client.install(chain[1]);
    client.lose(1, { isKept: true });
    expect(client.has(chain[1])).toBe(true);
    expect(client.newPayload(chain[1])).toBe('VALID');
    expect(client.newPayload(chain[2])).toBe('ACCEPTED');
  });

  it('a forkchoice update executes what leads to a block that it has, and nothing that it has not', () => {
    const { client, chain } = made(3);
    client.install(chain[1]);
    client.lose(1, { isKept: true });
    expect(client.adopt(chain[2])).toBe(false);
    expect(client.adopt(chain[1])).toBe(true);
    expect(client.newPayload(chain[2])).toBe('VALID');
  });

  describe('that comes back at its genesis', () => {
    function atGenesis() {
      const world = made(4);
      world.client.install(world.chain[3]!);
      world.client.loseStates(1);
      world.client.restart();
      return world;
    }

    it('executes nothing that it lacks until it is started again with the state of its head', () => {
      const { client, chain } = atGenesis();
      expect(client.head.number).toBe(0);
      expect(client.newPayload(chain[2]!)).toBe('VALID');
      expect(client.adopt(chain[2]!)).toBe(true);
      expect(client.newPayload(chain[3]!)).toBe('SYNCING');
      expect(client.needsRestart).toBe(true);
      client.restart();
      expect(client.newPayload(chain[3]!)).toBe('VALID');
    });

    it('goes nowhere by what is on its chain by number, until that is dropped and it is started again', () => {
      const { client, chain } = made(4);
      client.install(chain[3]!);
      client.loseStates(1, true);
      client.restart();
      expect([client.newPayload(chain[2]!), client.adopt(chain[2]!), client.head.number]).toEqual(['VALID', true, 0]);
      expect([client.at(3), client.at(4)]).toEqual([chain[2], null]);
      client.setHead(0);
      expect([client.at(1), client.newPayload(chain[0]!), client.needsRestart]).toEqual([null, 'SYNCING', true]);
      client.restart();
      expect([client.newPayload(chain[0]!), client.adopt(chain[0]!)]).toEqual(['VALID', true]);
      expect(client.head).toBe(chain[0]);
    });

    it('is wiped by a forkchoice update to what it lacks, for good', () => {
      const { client, chain } = atGenesis();
      expect(client.adopt(chain[2]!)).toBe(true);
      client.wantsUnknownHead();
      client.restart();
      expect(client.isWiped).toBe(true);
      expect([client.newPayload(chain[3]!), client.isHonest]).toEqual(['SYNCING', false]);
      client.install(chain[3]!);
      expect(client.isWiped).toBe(false);
    });
  });

  it('refuses what is invalid for it, and what follows that, until it is another process', () => {
    const { verdicts, client, chain } = made(2);
    verdicts.spoil(chain[0], 0b010);
    expect([client.newPayload(chain[0]), client.newPayload(chain[1])]).toEqual(['INVALID', 'INVALID']);
    expect(client.badBlocks).toEqual([chain[0], chain[1]]);
    verdicts.repair(chain[0], 0);
    expect(client.newPayload(chain[0])).toBe('INVALID');
    client.restart();
    expect([client.newPayload(chain[0]), client.newPayload(chain[1])]).toEqual(['VALID', 'VALID']);
  });

  it('takes no notice of what is invalid for others alone', () => {
    const { verdicts, client, chain } = made(1);
    verdicts.spoil(chain[0], 0b101);
    expect(client.newPayload(chain[0])).toBe('VALID');
  });

  it('remembers that a block is bad for so many questions', () => {
    const { client, chain } = made(1);
    client.faults.failing++;
    expect(client.newPayload(chain[0])).toBe('INVALID');
    client.faults.failing--;
    const said = Array.from({ length: 130 }, () => client.newPayload(chain[0]));
    expect(said.indexOf('VALID')).toBe(126);
  });

  it('one that stops calls valid what it does not execute', () => {
    const { client, chain } = made(1);
    client.faults.lying++;
    expect(client.newPayload(chain[0])).toBe('VALID');
    expect(client.isHonest).toBe(false);
    expect(client.has(chain[0])).toBe(false);
  });

  it('one that came back sick knows its head, says SYNCING of the next block and INVALID of all that follow', () => {
    const { client, chain } = made(5);
    client.install(chain[3]!);
    client.lose(2);
    client.sicken();
    expect(client.head).toBe(chain[1]);
    expect(chain.map((block) => client.newPayload(block))).toEqual(['VALID', 'VALID', 'SYNCING', 'INVALID', 'INVALID']);
    client.restart();
    expect(chain.map((block) => client.newPayload(block))).toEqual(Array.from({ length: 5 }, () => 'VALID'));
  });

  describe('that is an op-reth', () => {
    it('says that it syncs from its start until its head has moved', () => {
      const { client, chain } = made(2, true);
      client.install(chain[1]);
      expect(client.saysItSyncs).toBe(false);
      client.lose(1);
      client.restart();
      expect([client.adopt(chain[0]), client.saysItSyncs]).toEqual([true, true]);
      expect([client.newPayload(chain[1]), client.saysItSyncs]).toEqual(['VALID', true]);
      expect([client.adopt(chain[1]), client.saysItSyncs]).toEqual([true, false]);
    });

    it('tells by its hash of what is on its chain alone', () => {
      for (const isReth of [false, true]) {
        const { client, chain } = made(1, isReth);
        client.newPayload(chain[0]);
        expect(client.tellsOf(chain[0])).toBe(!isReth);
        client.adopt(chain[0]);
        expect(client.tellsOf(chain[0])).toBe(true);
      }
    });
  });

  it('takes its time for a block, and none for one it knows', () => {
    const { client, chain } = made(1);
    client.faults.slowMs = 600;
    expect(client.delayMs(chain[0])).toBe(630);
    client.newPayload(chain[0]);
    expect(client.delayMs(chain[0])).toBe(0);
  });
});

describe('the truth about blocks', () => {
  it('a block is sound while most clients take it and everything below it', () => {
    const { verdicts, chain } = made(2);
    verdicts.spoil(chain[0], 0b001);
    expect([verdicts.isSound(chain[1]), verdicts.wasSound(chain[1])]).toEqual([true, true]);
    verdicts.spoil(chain[0], 0b011);
    expect([verdicts.isSound(chain[1]), verdicts.wasSound(chain[1])]).toEqual([false, false]);
    verdicts.repair(chain[0], 10);
    expect([verdicts.isSound(chain[1]), verdicts.wasSound(chain[1])]).toEqual([true, false]);
    expect([10, 11].map((sinceMs) => verdicts.isSound(chain[1], sinceMs))).toEqual([false, true]);
  });
});
