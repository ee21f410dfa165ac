import { describe, expect, it } from 'vitest';
import { Blocks, type Block } from './blocks.ts';
import { EventQueue } from './event-queue.ts';
import { ExecutionClient } from './execution-client.ts';
import { L1, L1View } from './l1.ts';
import { EPOCH_MS } from './machine-clock.ts';
import { RollupNode } from './rollup-node.ts';
import type { CommitAnswer } from './rollup-node-host.ts';
import { SpoiledSeals } from './spoiled-seals.ts';
import { Stream } from './streams.ts';
import { Verdicts } from './verdicts.ts';

/** One op-node with its client, and a conductor that answers as it is told. */
function made() {
  const queue = new EventQueue();
  const blocks = new Blocks(1);
  const verdicts = new Verdicts(blocks, 3);
  const spoiled = new SpoiledSeals(blocks, verdicts, 3);
  const l1 = new L1();
  const offered: Block[] = [];
  /** Of what its client was told and could not place. */
  const strayed: Block[] = [];
  const published: Block[] = [];
  /** What the client had when each block was published. */
  const wasExecuted: boolean[] = [];
  const state: { answer: CommitAnswer; isInLog: boolean } = { answer: 'committed', isInLog: false };
  const client = new ExecutionClient(0, { blocks, verdicts, executionMs: 30, nowMs: () => queue.nowMs });
  const view = new L1View();
  const node: RollupNode = new RollupNode(0, {
    queue,
    blocks,
    random: new Stream(1),
    client,
    l1: view,
    blockMs: 1000,
    unixMs: () => EPOCH_MS + queue.nowMs,
    l1At: (number) => l1.headerAt(number, view, queue.nowMs),
    isL1Standing: () => l1.isStanding,
    isInLog: () => state.isInLog,
    seal: (job) => spoiled.seal(0, job),
    commit: (block, done) => {
      offered.push(block);
      queue.after(5, () => done(state.answer));
    },
    published: (block) => {
      published.push(block);
      wasExecuted.push(client.has(block));
    },
    strayed: (block) => strayed.push(block),
  });
  const run = (ms: number): void => {
    const untilMs = queue.nowMs + ms;
    while (queue.step(untilMs));
  };
  node.start(blocks.genesis.hash);
  return { queue, blocks, verdicts, spoiled, l1, client, node, offered, published, strayed, wasExecuted, state, run };
}

describe('op-node as it sequences', () => {
  it('commits, gossips, and only then executes', () => {
    const { node, published, wasExecuted, run } = made();
    run(1000);
    expect(published).toHaveLength(1);
    expect(wasExecuted).toEqual([false]);
    run(50);
    expect(node.head).toBe(published[0]);
    run(3000);
    expect(published.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it('seals the same job again every second while it is not committed', () => {
    const { offered, published, state, run } = made();
    state.answer = 'failed';
    run(3500);
    expect(offered).toHaveLength(3);
    expect(new Set(offered).size).toBe(1);
    expect(published).toEqual([]);
  });

  it('builds one block with each start where it is as far ahead of the safe head as it may be, and goes on when that has come nearer', () => {
    const { blocks, node, run } = made();
    blocks.batchedMax = 0;
    node.sequencing.maxSafeLag = 3;
    run(9000);
    expect(node.head.number).toBe(3);
    for (const height of [4, 5]) {
      node.stop(() => undefined);
      node.start(node.head.hash);
      run(5000);
      expect(node.head.number).toBe(height);
    }
    blocks.batchedMax = Infinity;
    run(2000);
    expect(node.head.number).toBeGreaterThan(5);
  });

  it('drops a job whose block is invalid, and builds another one on the same parent a block time later', () => {
    const { blocks, verdicts, spoiled, offered, published, node, run } = made();
    spoiled.spoilNext(1, verdicts.everybody);
    run(1500);
    expect(published).toHaveLength(1);
    expect(node.head.number).toBe(0);
    expect(offered).toHaveLength(1);
    run(700);
    expect(offered[1]).not.toBe(offered[0]);
    expect(offered[1]!.parentHash).toBe(offered[0]!.parentHash);
    expect(blocks.isAncestor(offered[1]!, node.head)).toBe(true);
  });

  it('a sticky builder gives the same bad block after a stop and a start, until the L1 origin is another', () => {
    const { blocks, spoiled, offered, node, run } = made();
    spoiled.spoilJobs(0, 1);
    run(1000);
    node.stop(() => undefined);
    expect(node.start(blocks.genesis.hash)).toBeNull();
    run(500);
    expect(offered.length).toBeGreaterThan(1);
    expect(new Set(offered).size).toBe(1);
    run(4000);
    expect(node.head.number).toBeGreaterThan(0);
  });

  it('is parked for 30 s, active all the time, when its client does not know the head; a restart of it begins anew', () => {
    const { blocks, client, node, offered, run } = made();
    run(3100);
    const before = offered.length;
    client.lose(1);
    run(29_000);
    expect(offered).toHaveLength(before);
    expect(node.isActive).toBe(true);
    node.reset();
    run(2000);
    expect(offered.length).toBeGreaterThan(before);
    expect(blocks.isAncestor(client.head, node.head)).toBe(true);
  });

  it('reset: it looks where its client is, which it does not otherwise', () => {
    const { client, node, run } = made();
    run(3100);
    const { head } = node;
    node.stop(() => undefined);
    client.lose(2);
    run(1000);
    expect(node.head).toBe(head);
    node.reset();
    expect(node.head).toBe(client.head);
    expect(node.head.number).toBe(head.number - 2);
  });

  it('does a reset with the next step of derivation: when L1 has gone on, or as soon as a payload fails', () => {
    for (const fails of [false, true]) {
      const { blocks, client, node, run } = made();
      run(3100);
      node.stop(() => undefined);
      const { head } = node;
      client.lose(2);
      node.resetWithNextStep();
      run(15);
      expect(node.head).toBe(head);
      if (fails) node.receive(blocks.build(head, 1));
      run(fails ? 80 : 4100);
      expect(node.head).toBe(client.head);
    }
  });

  it('a reset waits while L1 stands still', () => {
    const { client, l1, node, queue, run } = made();
    run(3100);
    node.stop(() => undefined);
    const { head } = node;
    client.lose(2);
    l1.stand(1, queue.nowMs);
    node.resetWithNextStep();
    run(20_000);
    expect(node.head).toBe(head);
    l1.stand(-1, queue.nowMs);
    run(4100);
    expect(node.head).toBe(client.head);
  });

  it('leaves a gap to its client two block times after its head has stopped, and asks nobody for what is missing', () => {
    const { blocks, node, strayed, run } = made();
    run(3100);
    node.stop(() => undefined);
    const next = blocks.build(node.head, 1);
    const above = blocks.build(next, 1);
    node.receive(above);
    run(1900);
    expect(strayed).toEqual([]);
    run(200);
    expect(strayed).toEqual([above]);
    expect(node.head).not.toBe(above);
    node.receive(next);
    run(100);
    expect(node.head).toBe(above);
  });

  it.each([
    ['twenty seconds after its head has stopped', false, 2],
    ['but not what its conductor’s log holds', true, 0],
  ])('derives what is missing in a gap, %s', (_, isInLog, moved) => {
    const { blocks, node, queue, state, run } = made();
    run(3100);
    node.stop(() => undefined);
    const { number } = node.head;
    state.isInLog = isInLog;
    const next = blocks.build(node.head, 1);
    blocks.publish(next, queue.nowMs);
    const above = blocks.build(next, 1);
    node.receive(above);
    run(19_000);
    expect(node.head.number).toBe(number);
    run(5000);
    expect(node.head.number).toBe(number + moved);
  });

  it('in recover mode leaves out the pool and takes the next L1 origin, or stays on its own where there is none yet', () => {
    const { node, spoiled, published, run } = made();
    spoiled.spoilAll(0, 1);
    node.sequencing.isRecovering = true;
    run(3900);
    expect(published.length).toBeGreaterThan(2);
    expect(node.head.origin).toBe(0);
    run(3000);
    expect(node.head.origin).toBe(1);
  });

  it('builds nothing while L1 stands still, and is active', () => {
    const { l1, node, published, queue, run } = made();
    l1.stand(1, queue.nowMs);
    run(5000);
    expect(published).toEqual([]);
    expect(node.isActive).toBe(true);
    l1.stand(-1, queue.nowMs);
    node.wake();
    run(1000);
    expect(published.length).toBeGreaterThan(0);
  });

  it('executes what it has published when its client is there again', () => {
    const { client, node, published, run } = made();
    run(940);
    client.faults.frozen++;
    run(100);
    expect(published).toHaveLength(0);
    client.faults.frozen--;
    run(1000);
    client.faults.slowMs = 500;
    run(1000);
    client.faults.frozen++;
    run(600);
    const { number } = node.head;
    expect(published.at(-1)!.number).toBe(number + 1);
    client.faults.frozen--;
    node.wake();
    run(600);
    expect(node.head.number).toBeGreaterThan(number);
  });

  it('gets to an order when its executor has the time for it', () => {
    const { node, run } = made();
    const done: string[] = [];
    node.faults.fetching++;
    node.orders.do(() => done.push('late'));
    run(1000);
    expect(done).toEqual([]);
    node.faults.fetching--;
    node.wake();
    expect(done).toEqual(['late']);
  });

  it('answers what its driver loop is asked between two events: once a payload has been executed, and not before', () => {
    const { node, blocks, run } = made();
    const done: string[] = [];
    node.insert(blocks.build(node.head, 1), () => undefined);
    node.questions.do(() => done.push(`at ${node.head.number}`));
    run(29);
    expect(done).toEqual([]);
    run(2);
    expect(done).toHaveLength(1);
  });
});
