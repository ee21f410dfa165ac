import { describe, expect, it } from 'vitest';
import type { RaftPosition } from '#conductor/core/raft/status';
import { Blocks, type Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import { Verdicts } from '../verdicts.ts';
import type { World } from '../world.ts';
import { heldBlocksStay, movesOnProof } from './move-laws.ts';
import type { Law, Oracle } from './oracle.ts';
import { refusedIsNotAcknowledged } from './verdict-laws.ts';

/** Three machines whose conductors hold a head, on one chain; what they hear of each other is up to the test. */
function watched(law: Law) {
  const blocks = new Blocks(1);
  const verdicts = new Verdicts(blocks, 3);
  const complaints: string[] = [];
  const oracle: Oracle = law(
    (message) => complaints.push(message),
    () => undefined,
  );
  const world = { nowMs: 0, blocks, verdicts, links: { isClean: () => true }, machines: [] as unknown[] };
  const heads: (Block | null)[] = [null, null, null];
  /** Since when each client has held a block. */
  const held = [0, 1, 2].map(() => new Map<Block, number>());
  const machines = heads.map((_, index) => ({
    id: `s${index}`,
    index,
    life: 1,
    isRunning: true,
    disk: { failures: 0, extraLatencyMs: 0 },
    get worldMs() {
      return world.nowMs;
    },
    node: {
      isUp: true,
      client: {
        life: 1,
        isHonest: true,
        faults: { frozen: 0 },
        heldSinceMs: (block: Block) => held[index]!.get(block) ?? Infinity,
      },
    },
    conductor: { committedHead: () => (heads[index] === null ? null : { hash: heads[index]!.hash }) },
  }));
  world.machines = machines;
  oracle.watch?.(world as unknown as World);
  const of = (index: number): Machine => machines[index] as unknown as Machine;
  let commitIndex = 0;
  /** A conductor shows this head, so much later. */
  const shows = (index: number, head: Block, afterMs = 200): void => {
    heads[index] = head;
    commitIndex++;
    for (const untilMs = world.nowMs + afterMs; world.nowMs < untilMs;) {
      world.nowMs += 100;
      oracle.observed?.(of(index), { commitIndex } as RaftPosition);
    }
  };
  const first = blocks.build(blocks.genesis, 0);
  const acknowledged = blocks.build(first, 0);
  shows(0, acknowledged);
  oracle.committed?.(of(0), acknowledged);
  return { world, blocks, verdicts, complaints, oracle, machines, held, of, shows, first, acknowledged };
}

describe('the committed chain moves back only on proof', () => {
  it('taking back a block that most clients take breaks it, at once', () => {
    const { complaints, shows, first } = watched(movesOnProof);
    shows(0, first);
    expect(complaints).toEqual(['s0 takes back block 2 of s0, which L1 has not left and most clients take']);
  });

  it('one that L1 took, that most clients refuse, or that was never acknowledged may go', () => {
    const { blocks, verdicts, complaints, shows, first, acknowledged } = watched(movesOnProof);
    const more = blocks.build(acknowledged, 0);
    shows(0, more);
    shows(0, acknowledged);
    expect(complaints).toEqual([]);
    verdicts.spoil(acknowledged, 0b011);
    shows(0, first);
    expect(complaints).toEqual([]);
    const gone = watched(movesOnProof);
    gone.blocks.rollBackTo(1);
    gone.shows(0, gone.first);
    expect(gone.complaints).toEqual([]);
  });

  it('a refused block stays where a voter in reach has stored that it is valid', () => {
    const { verdicts, complaints, oracle, of, shows, first, acknowledged } = watched(movesOnProof);
    verdicts.spoil(acknowledged, 0b011);
    oracle.judged?.(of(2), acknowledged, 'VALID');
    oracle.written?.(of(2), undefined as never);
    shows(0, acknowledged, 2000);
    shows(0, first);
    expect(complaints).toEqual(['s0 takes back block 2, and s2 has stored that it is valid']);
  });

  it('not where that voter was told and has not stored it, has lost its disk, or cannot be heard', () => {
    for (const how of ['told', 'wiped', 'silent'] as const) {
      const { verdicts, complaints, oracle, machines, of, shows, first, acknowledged } = watched(movesOnProof);
      verdicts.spoil(acknowledged, 0b011);
      oracle.judged?.(of(2), acknowledged, 'VALID');
      if (how !== 'told') oracle.written?.(of(2), undefined as never);
      if (how === 'wiped') oracle.wiped?.(of(2));
      if (how === 'silent') machines[2]!.isRunning = false;
      shows(0, acknowledged, 2000);
      shows(0, first);
      expect(complaints, how).toEqual([]);
    }
  });

  it('a process that has just started and applies its log once more has not moved the chain', () => {
    const { blocks, complaints, oracle, machines, of, shows, acknowledged } = watched(movesOnProof);
    machines[0]!.life++;
    const past = blocks.build(blocks.genesis, 1);
    machines[0]!.conductor = { committedHead: () => ({ hash: past.hash }) };
    oracle.observed?.(of(0), { commitIndex: 0 } as RaftPosition);
    expect(complaints).toEqual([]);
    machines[0]!.conductor = { committedHead: () => ({ hash: acknowledged.hash }) };
    shows(0, acknowledged);
    expect(complaints).toEqual([]);
    machines[0]!.conductor = { committedHead: () => ({ hash: past.hash }) };
    shows(0, past);
    expect(complaints).toHaveLength(1);
  });
});

describe('blocks that are held stay', () => {
  it('what the client of a voter in reach holds is not taken back, what only lying ones hold, or one that has it since just now, is', () => {
    const { complaints, machines, held, shows, first, acknowledged } = watched(heldBlocksStay);
    held[1]!.set(acknowledged, 0);
    machines[1]!.node.client.isHonest = false;
    shows(0, acknowledged, 2000);
    shows(0, first);
    expect(complaints).toEqual([]);
    const late = watched(heldBlocksStay);
    late.shows(0, late.acknowledged, 2000);
    late.held[1]!.set(late.acknowledged, 1800);
    late.shows(0, late.first);
    expect(late.complaints).toEqual([]);
    const other = watched(heldBlocksStay);
    other.held[1]!.set(other.acknowledged, 0);
    other.shows(0, other.acknowledged, 2000);
    other.shows(0, other.first);
    expect(other.complaints).toEqual(['s0 takes back block 2, which the client of s1 holds as valid']);
  });
});

describe('what the own client refused is not acknowledged', () => {
  it('unless it was another process that did, it has taken it since, or it said so just now of what was acknowledged before', () => {
    const { complaints, oracle, machines, world, blocks, of, first, acknowledged } = watched(refusedIsNotAcknowledged);
    oracle.judged?.(of(1), first, 'INVALID');
    oracle.judged?.(of(1), first, 'VALID');
    oracle.committed?.(of(1), first);
    oracle.judged?.(of(1), acknowledged, 'INVALID');
    machines[1]!.node.client.life++;
    oracle.committed?.(of(1), acknowledged);
    expect(complaints).toEqual([]);
    oracle.judged?.(of(1), acknowledged, 'INVALID');
    oracle.committed?.(of(0), acknowledged);
    expect(complaints).toEqual([]);
    oracle.committed?.(of(1), acknowledged);
    expect(complaints).toEqual([]);
    world.nowMs += 3000;
    oracle.committed?.(of(1), acknowledged);
    expect(complaints).toEqual(['s1 acknowledges block 2, which its client had refused']);
    const sibling = blocks.build(first, 1);
    oracle.judged?.(of(1), sibling, 'INVALID');
    oracle.committed?.(of(1), sibling);
    expect(complaints).toHaveLength(2);
  });
});
