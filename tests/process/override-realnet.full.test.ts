/**
 * The emergency path on real op-nodes, as op-conductor's own end-to-end test goes it: two of three conductors are lost,
 * leadership is overridden on the third and on its op-node, and its sequencer is started by hand; nothing is paused.
 * Then back to normal. Skipped unless OP_NODE_BIN and OP_GETH_BIN name op-node and op-geth.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RealNet } from '../../bench/realnet/real-net.ts';
import type { RealNode } from '../../bench/realnet/real-node.ts';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';

const LONG_MS = 480_000;
const WAIT_MS_MAX = 60_000;
/** Health checks come every second: so many of them see the sequencer that an operator has started. */
const BLOCKS_ALONE = 10;
const ALONE_MS_MAX = 20_000;

const geth = process.env['OP_GETH_BIN'] ?? '';
const opNode = process.env['OP_NODE_BIN'] ?? '';

interface Round {
  readonly survivor: 'a follower' | 'the leader';
  readonly lost: 'killed' | 'stopped';
  /** op-conductor's own test starts the sequencer before it overrides the conductor. */
  readonly order: 'conductor first' | 'sequencer first';
}

const rounds: readonly Round[] = [
  { survivor: 'a follower', lost: 'killed', order: 'conductor first' },
  { survivor: 'the leader', lost: 'killed', order: 'conductor first' },
  { survivor: 'a follower', lost: 'stopped', order: 'sequencer first' },
  { survivor: 'the leader', lost: 'stopped', order: 'conductor first' },
];

const NOT_LEADER = 'refusing to proxy request to non-leader sequencer';
const proxied: readonly [string, unknown[]][] = [
  ['admin_sequencerActive', []],
  ['optimism_syncStatus', []],
  ['eth_getBlockByNumber', ['latest', false]],
  ['optimism_rollupConfig', []],
];

const isActive = async (node: RealNode): Promise<boolean> => (await node.callNode('admin_sequencerActive')) === true;
const leads = async (node: RealNode): Promise<boolean> => (await node.callConductor('conductor_leader')) === true;

/** Waits until it holds; what it throws is only the reason why it has not yet. */
function until(what: string, holds: () => Promise<boolean>, ms = WAIT_MS_MAX): Promise<true> {
  return waitFor(what, ms, async () => ((await holds()) ? true : null));
}

/** Conductors go, by kill −9 or by conductor_stop one after the other; no sequencer runs, all heads are level. */
async function lose(net: RealNet, survivor: RealNode, lost: Round['lost']): Promise<void> {
  const others = net.others(survivor);
  if (lost === 'killed') await Promise.all(others.map((node) => node.conductor.kill()));
  else
    for (const other of others) {
      await other.callConductor('conductor_stop').catch(() => undefined);
      expect(await other.conductor.ended(), other.id).toBe(0);
    }
  await until('the third to notice', async () => !(await leads(survivor)) && !(await isActive(survivor)));
  for (const node of others) if (await isActive(node)) await node.callNode('admin_stopSequencer');
  await until('level heads', async () => new Set(await Promise.all(net.nodes.map((node) => node.head()))).size === 1);
}

async function sequenceAlone(node: RealNode, order: Round['order']): Promise<void> {
  const start = async (): Promise<void> => {
    const { hash } = (await node.callGeth('eth_getBlockByNumber', ['latest', false])) as { hash: string };
    await node.callNode('admin_startSequencer', [hash]);
  };
  await expect(start()).rejects.toThrow('sequencer is not the leader, aborting');
  await node.callNode('admin_overrideLeader');
  if (order === 'sequencer first') await start();
  await node.callConductor('conductor_overrideLeader', [true]);
  if (order === 'conductor first') await start();
  expect(await node.callConductor('conductor_leader')).toBe(true);
  expect(await node.callConductor('conductor_leaderOverridden')).toBe(true);
  expect(await node.callConductor('conductor_paused')).toBe(false);
  const from = await node.head();
  await until(
    `${BLOCKS_ALONE} blocks`,
    async () => {
      expect(await isActive(node)).toBe(true);
      return (await node.head()) >= from + BLOCKS_ALONE;
    },
    ALONE_MS_MAX,
  );
  for (const [method, params] of proxied) expect(await node.callConductor(method, params), method).toBeTruthy();
  const { number } = (await node.callConductor('eth_getBlockByNumber', ['latest', false])) as { number: string };
  await until('its output', async () => Boolean(await node.callConductor('optimism_outputAtBlock', [number])));
}

/** The others come back paused and in sync, the override goes, op-node forgets its own, and all go on. */
async function backToNormal(net: RealNet, node: RealNode): Promise<void> {
  const others = net.others(node);
  for (const other of others) other.startConductor('join');
  await until('the others to be in sync', async () => {
    const paused = await Promise.all(others.map((other) => other.callConductor('conductor_paused')));
    const heads = await Promise.all(others.map((other) => other.head()));
    return paused.every((one) => one === true) && Math.min(...heads) + 1 >= (await node.head());
  });
  await node.restartOpNode();
  await until('op-node to answer', async () => !(await isActive(node)));
  await node.callConductor('conductor_overrideLeader', [false]);
  expect(await node.callConductor('conductor_leaderOverridden')).toBe(false);
  for (const other of others) await other.callConductor('conductor_resume');
  await net.steady();
}

/** A sequencer that runs when the override is taken back without a majority is stopped, and nothing is passed on. */
async function takeBackAlone(node: RealNode): Promise<void> {
  await node.callConductor('conductor_overrideLeader', [false]);
  await until('the sequencer to be stopped', async () => !(await isActive(node)));
  for (const [method, params] of proxied) await expect(node.callConductor(method, params)).rejects.toThrow(NOT_LEADER);
}

async function hashesOf(node: RealNode, through: number): Promise<string[]> {
  const hashes: string[] = [];
  for (let at = 1; at <= through; at += 1) {
    const block = await node.callGeth('eth_getBlockByNumber', [`0x${at.toString(16)}`, false]);
    hashes.push((block as { hash: string }).hash);
  }
  return hashes;
}

test(
  'two of three conductors are lost: an operator has the third sequence alone, unpaused, and goes back to normal',
  { timeout: LONG_MS },
  async (context) => {
    if (!existsSync(geth) || !existsSync(opNode))
      context.skip('OP_NODE_BIN and OP_GETH_BIN name no op-node and op-geth');
    const folder = mkdtempSync(join(tmpdir(), 'override-realnet-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    await using net = await RealNet.start({ geth, opNode, conductor: conductorCommand(), parent: folder });
    for (const [at, { survivor, lost, order }] of rounds.entries()) {
      const leader = await net.steady();
      const node = survivor === 'the leader' ? leader : (net.others(leader)[0] as RealNode);
      await lose(net, node, lost);
      const before = await hashesOf(node, await node.head());
      await sequenceAlone(node, order);
      if (at === rounds.length - 1) {
        await takeBackAlone(node);
        await node.callConductor('conductor_overrideLeader', [true]);
      }
      await backToNormal(net, node);
      expect(await hashesOf(node, before.length)).toEqual(before);
      console.log(`round ${at + 1}: ${survivor} survived, the others ${lost}, ${order}: done`);
    }
    const height = Math.min(...(await Promise.all(net.nodes.map((node) => node.head()))));
    const chains = await Promise.all(net.nodes.map((node) => hashesOf(node, height)));
    expect(chains[1]).toEqual(chains[0]);
    expect(chains[2]).toEqual(chains[0]);
  },
);
