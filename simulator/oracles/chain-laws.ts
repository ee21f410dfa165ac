/** The laws that users of the rollup rely on: what is published stays, once, and in order. */
import { identityOf } from '#conductor/core/payload/block-summary';
import type { Block, Blocks } from '../blocks.ts';
import { Committed } from './committed.ts';
import type { Disk } from '../disk.ts';
import type { Verdicts } from '../verdicts.ts';
import type { Law } from './oracle.ts';

/** Where a block stands: a height of a branch. What L1 does not have, or most clients refuse, stands nowhere. */
function placeOf(block: Block, verdicts: Verdicts | null): string | null {
  const isNowhere = block.isForeign || verdicts?.wasSound(block) === false;
  return isNowhere ? null : `${block.branch} ${block.number}`;
}

/** No unsafe reorg: no two published blocks at a height, unless the rollup itself went back in between. */
export const noUnsafeReorg: Law = (broken) => {
  const published = new Map<string, Block>();
  let verdicts: Verdicts | null = null;
  return {
    watch: (world) => {
      verdicts = world.verdicts;
    },
    published: ({ id }, block) => {
      const key = placeOf(block, verdicts);
      if (key === null) return;
      const other = published.get(key) ?? block;
      if (other !== block) broken(`${id} publishes another block ${block.number} than s${other.builder} did`);
      published.set(key, block);
    },
  };
};

/** A block is published only after its commit was acknowledged. */
export const publishedAfterCommit: Law = (broken) => {
  const acknowledged = new Set<string>();
  return {
    committed: (_, block) => void acknowledged.add(block.hash),
    published: ({ id, node }, block) => {
      if (!acknowledged.has(block.hash) && !node.isUnconducted)
        broken(`${id} publishes block ${block.number}, which was never committed`);
    },
  };
};

/**
 * A block is published only above one that was published, or that the log holds for every node to be brought to. Under
 * an override the own log is enough: what it ends in may commit when a majority is back.
 */
export const parentCommitted: Law = (broken) => {
  const known = new Set<string>();
  const committed = new Committed();
  let genesis: string | null = null;
  let blocks: Blocks | null = null;
  return {
    goesByPosition: true,
    watch: (world) => {
      blocks = world.blocks;
    },
    observed: (machine, status) =>
      committed.advance(machine, status, ({ data }) => {
        const hash = data === null ? undefined : identityOf(data)?.hash;
        if (hash !== undefined) known.add(hash);
      }),
    published: ({ id, node, disk }, block) => {
      genesis ??= block.parentHash;
      const isHeld = known.has(block.parentHash) || (node.isUnconducted && holds(disk, block.parentHash));
      // Where what the log holds is proved dead it goes on with what the leader's op-node has, as after an override (rules 4 and 6).
      const isStray = blocks?.stray.has(block.parentHash) === true;
      // What is built on an L1 that nobody else sees is left anyway.
      if (!block.isForeign && block.parentHash !== genesis && !isHeld && !isStray)
        broken(`${id} publishes block ${block.number}, whose parent was neither published nor committed`);
      known.add(block.hash);
    },
  };
};

/** Whether a log has a payload, committed or not. */
function holds(disk: Disk, hash: string): boolean {
  for (let index = disk.lastIndex; index >= disk.firstIndex; index--) {
    const data = disk.entryAt(index)?.data ?? null;
    if (data !== null && identityOf(data)?.hash === hash) return true;
  }
  return false;
}

/** At most one sequencer publishes a height. */
export const onePublisherPerHeight: Law = (broken) => {
  const publishers = new Map<string, string>();
  let verdicts: Verdicts | null = null;
  return {
    watch: (world) => {
      verdicts = world.verdicts;
    },
    published: ({ id }, block) => {
      const key = placeOf(block, verdicts);
      if (key === null) return;
      const other = publishers.get(key);
      if (other !== undefined && other !== id) broken(`block ${block.number} is published by ${other} and by ${id}`);
      publishers.set(key, id);
    },
  };
};

/** A leader that was elected this long after an acknowledgement reads it before it starts anything. */
const ELECTION_MS = 100;

/** A sequencer is started on the last block that was acknowledged, or above it (rules 19 and 20). */
export const startsOnTheTip: Law = (broken) => {
  let blocks: Blocks | null = null;
  let verdicts: Verdicts | null = null;
  const acknowledged: { readonly block: Block; readonly atMs: number }[] = [];
  let tip: Block | null = null;
  return {
    watch: (world) => {
      blocks = world.blocks;
      verdicts = world.verdicts;
    },
    committed: ({ worldMs }, block) => void acknowledged.push({ block, atMs: worldMs }),
    ordered: ({ id, worldMs }, method, hash) => {
      while (acknowledged.length > 0 && acknowledged[0]!.atMs < worldMs - ELECTION_MS) {
        const { block } = acknowledged.shift()!;
        if (verdicts?.wasSound(block) === false) continue;
        if (tip === null || block.branch > tip.branch || (block.branch === tip.branch && block.number > tip.number))
          tip = block;
      }
      const start = blocks?.find(hash) ?? null;
      if (method !== 'admin_startSequencer' || start === null || tip === null || blocks === null) return;
      if (!blocks.isDead(tip) && !blocks.isDead(start) && !blocks.isAncestor(tip, start))
        broken(`${id} starts its sequencer on block ${start.number}, and ${tip.number} was acknowledged long before`);
    },
  };
};

/**
 * What was acknowledged is in the chain at the end, unless the rollup went back below it. The chain ends with what a
 * log has committed: the answer that makes a node insert the last block may still be on its way.
 */
export const acknowledgedSurvives: Law = (broken) => {
  const acknowledged = new Set<Block>();
  return {
    committed: (_, block) => void acknowledged.add(block),
    finish: ({ world }) => {
      const { blocks, machines, verdicts } = world;
      let head = blocks.genesis;
      const heads = machines.map(({ node }) => node.head);
      const tips = machines.map(({ conductor }) => blocks.find(conductor?.committedHead()?.hash ?? ''));
      for (const end of [...heads, ...tips])
        if (end !== null && end.number > head.number && !blocks.isDead(end)) head = end;
      for (const block of acknowledged) {
        if (!verdicts.hasToStay(block) || block.number >= world.forkedFrom) continue;
        if (!blocks.isAncestor(block, head))
          broken(`block ${block.number} was acknowledged and is not below the final head ${head.number}`);
      }
    },
  };
};

/**
 * A linearizable history: a read through a conductor sees every commit that was acknowledged, and every block
 * that another read had seen, before it began.
 */
export const linearizableReads: Law = (broken, note) => {
  let blocks: Blocks | null = null;
  let verdicts: Verdicts | null = null;
  let latest: Block | null = null;
  const learn = (block: Block): void => {
    if (verdicts?.wasSound(block) === false) return;
    if (latest === null || block.branch > latest.branch || block.number > latest.number) latest = block;
  };
  return {
    watch: (world) => {
      blocks = world.blocks;
      verdicts = world.verdicts;
    },
    committed: (_, block) => learn(block),
    readBegins: (machine) => {
      const expected = latest;
      machine.read((result) => {
        if (result.kind !== 'done' || expected === null || blocks === null) return;
        note('a linearizable read is judged');
        const tip = machine.conductor?.committedHead() ?? null;
        const isSeen = blocks.isDead(expected) || (tip !== null && tip.number >= BigInt(expected.number));
        if (!isSeen)
          broken(`a read through ${machine.id} sees ${tip?.number ?? 'nothing'}, after ${expected.number} was known`);
        const seen = tip === null ? null : blocks.find(tip.hash);
        if (seen !== null && !blocks.isDead(seen)) learn(seen);
      });
    },
  };
};
