/**
 * The operators' tool on a real net: conductors of ours before real op-nodes and op-geths. Skipped unless OP_NODE_BIN
 * and OP_GETH_BIN name them.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HeadWatch } from '../../bench/realnet/head-watch.ts';
import { RealNet } from '../../bench/realnet/real-net.ts';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';
import { DeploymentServer } from './deployment-server.ts';
import { operate } from './operate-command.ts';

const LONG_MS = 240_000;
const ANSWER_MS_MAX = 60_000;
/** Blocks come every second; a handover costs one or two. */
const GAP_MS_MAX = 5000;

const geth = process.env['OP_GETH_BIN'] ?? '';
const opNode = process.env['OP_NODE_BIN'] ?? '';

test(
  'on real op-nodes leadership moves and conductors are deployed to; blocks go on, all on one chain',
  { timeout: LONG_MS },
  async (context) => {
    if (!existsSync(geth) || !existsSync(opNode))
      context.skip('OP_NODE_BIN and OP_GETH_BIN name no op-node and op-geth');
    const folder = mkdtempSync(join(tmpdir(), 'operate-realnet-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    await using net = await RealNet.start({ geth, opNode, conductor: conductorCommand(), parent: folder });
    await using deployments = new DeploymentServer(async ({ id }) => {
      const node = net.nodes.find((one) => one.id === id);
      if (node === undefined) throw new RangeError(`there is no ${id}`);
      await node.conductor.kill();
      node.startConductor('again');
      await waitFor(
        `${id} to answer`,
        ANSWER_MS_MAX,
        async () => (await node.callConductor('conductor_paused')) ?? null,
      );
    });
    const file = join(folder, 'conductor.toml');
    const rows = net.nodes.map(
      ({ id, conductorUrl, raftAddress, nodeUrl }) =>
        `[[server]]\n${deployments.commands}id = "${id}"\nconductor = "${conductorUrl}"\nconsensus = "${raftAddress}"\nnode = "${nodeUrl}"\n`,
    );
    writeFileSync(file, rows.join('\n'));
    const leader = await net.steady();
    const target = net.others(leader)[0]?.id ?? '';
    const watch = new HeadWatch(net.nodes);
    for (const words of [
      ['transfer', target],
      ['rolling'],
      ['canary', '--grace', '3'],
      ['leave', target],
      ['join', target],
    ]) {
      const done = await operate(...words, '--yes', '--cluster', file);
      expect(done, `${words.join(' ')}: ${done.output}${done.errors}`).toMatchObject({ code: 0 });
    }
    await net.steady();
    await watch.stop();
    expect(watch.longestGapMs(0)).toBeLessThan(GAP_MS_MAX);
    const height = Math.min(...(await Promise.all(net.nodes.map((node) => node.head()))));
    const chains = await Promise.all(
      net.nodes.map(async (node) => {
        const hashes: unknown[] = [];
        for (let at = 1; at <= height; at += 1) {
          const block = await node.callGeth('eth_getBlockByNumber', [`0x${at.toString(16)}`, false]);
          hashes.push((block as { hash: string }).hash);
        }
        return hashes;
      }),
    );
    expect(chains[1]).toEqual(chains[0]);
    expect(chains[2]).toEqual(chains[0]);
  },
);
