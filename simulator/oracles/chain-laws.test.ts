import { describe, expect, it } from 'vitest';
import { Blocks, type Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import { Verdicts } from '../verdicts.ts';
import type { World } from '../world.ts';
import {
  acknowledgedSurvives,
  linearizableReads,
  noUnsafeReorg,
  onePublisherPerHeight,
  publishedAfterCommit,
  startsOnTheTip,
} from './chain-laws.ts';
import type { Law, Oracle } from './oracle.ts';
import { overrideStandsAlone } from './override-laws.ts';

/** Three machines that do nothing, one chain, and a law that watches them. */
function watched(law: Law) {
  const blocks = new Blocks(1);
  const complaints: string[] = [];
  const notes: string[] = [];
  const oracle: Oracle = law(
    (message) => complaints.push(message),
    (name) => notes.push(name),
  );
  const answers: (() => void)[] = [];
  const heads: (Block | null)[] = [null, null, null];
  const machines = heads.map((_, index) => ({
    id: `s${index}`,
    node: { head: blocks.genesis, isUnconducted: false, isActive: false },
    read: (done: (result: { kind: string }) => void) => answers.push(() => done({ kind: 'done' })),
    conductor: {
      committedHead: () => {
        const head = heads[index];
        return head ? { number: BigInt(head.number), hash: head.hash } : null;
      },
    },
  }));
  const world = { blocks, machines, verdicts: new Verdicts(blocks, 3) } as unknown as World;
  oracle.watch?.(world);
  const of = (index: number): Machine => machines[index] as unknown as Machine;
  const end = (): void => oracle.finish?.({ world } as unknown as Parameters<NonNullable<Oracle['finish']>>[0]);
  return { blocks, complaints, notes, oracle, answers, heads, machines, of, end };
}

describe('no unsafe reorg', () => {
  it('two blocks at a height break it, the same one twice does not', () => {
    const { blocks, oracle, complaints, of } = watched(noUnsafeReorg);
    const [one, other] = [blocks.build(blocks.genesis, 0), blocks.build(blocks.genesis, 1)];
    oracle.published?.(of(0), one);
    oracle.published?.(of(1), one);
    expect(complaints).toEqual([]);
    oracle.published?.(of(1), other);
    expect(complaints).toEqual(['s1 publishes another block 1 than s0 did']);
  });

  it('the rollup itself may go back', () => {
    const { blocks, oracle, complaints, of } = watched(noUnsafeReorg);
    oracle.published?.(of(0), blocks.build(blocks.genesis, 0));
    blocks.rollBackTo(0);
    oracle.published?.(of(0), blocks.build(blocks.genesis, 0));
    expect(complaints).toEqual([]);
  });
});

describe('one publisher per height', () => {
  it('the same block published by two breaks it', () => {
    const { blocks, oracle, complaints, of } = watched(onePublisherPerHeight);
    const block = blocks.build(blocks.genesis, 0);
    oracle.published?.(of(0), block);
    oracle.published?.(of(1), block);
    expect(complaints).toEqual(['block 1 is published by s0 and by s1']);
  });
});

describe('published after its commit', () => {
  it('what was never acknowledged breaks it, unless an operator overrode the leader', () => {
    const { blocks, oracle, complaints, of, machines } = watched(publishedAfterCommit);
    const [first, second, third] = [0, 1, 2].map(() => blocks.build(blocks.genesis, 0)) as [Block, Block, Block];
    oracle.committed?.(of(0), first);
    oracle.published?.(of(0), first);
    machines[1]!.node.isUnconducted = true;
    oracle.published?.(of(1), second);
    expect(complaints).toEqual([]);
    oracle.published?.(of(2), third);
    expect(complaints).toEqual(['s2 publishes block 1, which was never committed']);
  });
});

describe('what was acknowledged stays', () => {
  it('a block that is not below the final head breaks it, one that the rollup left does not', () => {
    const { blocks, oracle, complaints, machines, of, end } = watched(acknowledgedSurvives);
    const dead = blocks.build(blocks.build(blocks.genesis, 0), 0);
    oracle.committed?.(of(0), dead);
    blocks.rollBackTo(1);
    const [kept, lost] = [blocks.build(blocks.genesis, 0), blocks.build(blocks.genesis, 1)];
    machines[2]!.node.head = blocks.build(kept, 0);
    oracle.committed?.(of(0), kept);
    end();
    expect(complaints).toEqual([]);
    oracle.committed?.(of(1), lost);
    end();
    expect(complaints).toEqual(['block 1 was acknowledged and is not below the final head 2']);
  });

  it('a block that no node has yet is kept by the log, and by nothing else', () => {
    const { blocks, oracle, complaints, heads, of, end } = watched(acknowledgedSurvives);
    const block = blocks.build(blocks.genesis, 0);
    oracle.committed?.(of(0), block);
    heads[1] = block;
    end();
    expect(complaints).toEqual([]);
    heads[1] = null;
    end();
    expect(complaints).toEqual(['block 1 was acknowledged and is not below the final head 0']);
  });
});

describe('linearizable reads', () => {
  it('a read that misses what was acknowledged before it began breaks it', () => {
    const { blocks, oracle, complaints, notes, heads, answers, of } = watched(linearizableReads);
    const first = blocks.build(blocks.genesis, 0);
    const second = blocks.build(first, 0);
    oracle.committed?.(of(0), first);
    oracle.readBegins?.(of(1));
    oracle.committed?.(of(0), second);
    heads[1] = first;
    answers.pop()!();
    expect(complaints).toEqual([]);
    oracle.readBegins?.(of(1));
    answers.pop()!();
    expect(complaints).toEqual(['a read through s1 sees 1, after 2 was known']);
    expect(notes).toHaveLength(2);
  });

  it('a read that misses what an earlier read had seen breaks it', () => {
    const { blocks, oracle, complaints, heads, answers, of } = watched(linearizableReads);
    const first = blocks.build(blocks.genesis, 0);
    const second = blocks.build(first, 0);
    oracle.committed?.(of(0), first);
    heads[0] = second;
    heads[1] = first;
    oracle.readBegins?.(of(0));
    answers.pop()!();
    oracle.readBegins?.(of(1));
    answers.pop()!();
    expect(complaints).toEqual(['a read through s1 sees 1, after 2 was known']);
  });

  it('what the rollup left behind need not be seen any more', () => {
    const { blocks, oracle, complaints, heads, answers, of } = watched(linearizableReads);
    const first = blocks.build(blocks.genesis, 0);
    oracle.committed?.(of(0), blocks.build(first, 0));
    blocks.rollBackTo(1);
    heads[0] = first;
    oracle.readBegins?.(of(0));
    answers.pop()!();
    expect(complaints).toEqual([]);
  });
});

describe('an override stands alone', () => {
  it('whoever else publishes meanwhile breaks it, and so does losing what was published', () => {
    const { blocks, oracle, complaints, machines, of, end } = watched(overrideStandsAlone);
    Object.assign(machines[1]!.node, { isUnconducted: true, isActive: true });
    const block = blocks.build(blocks.genesis, 1);
    machines[1]!.node.head = block;
    oracle.published?.(of(1), block);
    end();
    expect(complaints).toEqual([]);
    const other = blocks.build(blocks.genesis, 0);
    oracle.published?.(of(0), other);
    expect(complaints).toEqual(['s0 publishes block 1 while s1 is overridden']);
    machines[1]!.node.head = blocks.build(other, 0);
    end();
    expect(complaints.at(-1)).toBe('block 1, published under an override, is not below the final head 2');
  });
});

describe('sequencers are started on the tip', () => {
  const at = (worldMs: number): Machine => ({ id: 's1', worldMs }) as unknown as Machine;

  it('what was acknowledged a while ago lies below', () => {
    const { blocks, oracle, complaints } = watched(startsOnTheTip);
    const first = blocks.build(blocks.genesis, 0);
    const second = blocks.build(first, 0);
    oracle.committed?.(at(1000), first);
    oracle.ordered?.(at(2000), 'admin_startSequencer', second.hash);
    oracle.committed?.(at(2990), second);
    oracle.ordered?.(at(3000), 'admin_startSequencer', first.hash);
    oracle.ordered?.(at(9000), 'admin_stopSequencer', '');
    expect(complaints).toEqual([]);
    oracle.ordered?.(at(9000), 'admin_startSequencer', first.hash);
    expect(complaints).toEqual(['s1 starts its sequencer on block 1, and 2 was acknowledged long before']);
  });

  it('unless the rollup has left it', () => {
    const { blocks, oracle, complaints } = watched(startsOnTheTip);
    const first = blocks.build(blocks.genesis, 0);
    oracle.committed?.(at(1000), blocks.build(first, 0));
    blocks.rollBackTo(1);
    oracle.ordered?.(at(2000), 'admin_startSequencer', first.hash);
    expect(complaints).toEqual([]);
  });
});
