/**
 * `conductor bluegreen` on real op-nodes without conductors, when the new sequencer freezes once it was told to start.
 * Skipped unless OP_NODE_BIN and OP_GETH_BIN name op-node and op-geth.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RealNet } from '../../bench/realnet/real-net.ts';
import type { RealNode } from '../../bench/realnet/real-node.ts';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';

const LONG_MS = 240_000;
const WAIT_MS_MAX = 90_000;

const geth = process.env['OP_GETH_BIN'] ?? '';
const opNode = process.env['OP_NODE_BIN'] ?? '';

const isActive = async (node: RealNode): Promise<boolean> => (await node.callNode('admin_sequencerActive')) === true;

/** The same op-node as one that no conductor is beside, and that begins only when it is told to. */
async function withoutConductor(node: RealNode): Promise<void> {
  await node.conductor.kill();
  const words = readFileSync(`/proc/${node.opNode.pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((word) => word !== '');
  await node.opNode.end('SIGTERM');
  node.opNode.start([...words.filter((word) => !word.startsWith('--conductor.')), '--sequencer.stopped']);
  await waitFor('op-node to answer', WAIT_MS_MAX, async () => ((await isActive(node)) ? null : true));
}

test(
  'a real op-node that freezes once it was told to start is stopped before the old one goes on',
  { timeout: LONG_MS },
  async (context) => {
    if (!existsSync(geth) || !existsSync(opNode) || !existsSync('/proc/self/cmdline'))
      context.skip('OP_NODE_BIN and OP_GETH_BIN name no op-node and op-geth');
    const folder = mkdtempSync(join(tmpdir(), 'operate-freeze-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    await using net = await RealNet.start({ geth, opNode, conductor: conductorCommand(), parent: folder });
    const old = await net.steady();
    const [target] = net.others(old);
    if (target === undefined) throw new RangeError('three op-nodes');
    for (const node of net.nodes) await withoutConductor(node);
    const { hash } = (await old.callGeth('eth_getBlockByNumber', ['latest', false])) as { hash: string };
    await waitFor('the old one to sequence', WAIT_MS_MAX, async () => {
      if (!(await isActive(old))) await old.callNode('admin_startSequencer', [hash]);
      return true;
    });
    const heightNow = await old.head();
    await waitFor('blocks to reach the new one', WAIT_MS_MAX, async () =>
      (await target.head()) > heightNow + 2 ? true : null,
    );
    const file = join(folder, 'conductor.toml');
    const rows = net.nodes.map(
      ({ id, conductorUrl, nodeUrl }) =>
        `[[server]]\nid = "${id}"\nconductor = "${conductorUrl}"\nnode = "${nodeUrl}"\ndeploy = "true"\n`,
    );
    writeFileSync(file, rows.join('\n'));

    const running = Bun.spawn(
      [...conductorCommand(), 'bluegreen', target.id, '--yes', '--timeout', '20', '--cluster', file],
      { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    );
    await waitFor('the new one to sequence', WAIT_MS_MAX, async () => ((await isActive(target)) ? true : null));
    target.opNode.freeze();
    let out = '';
    const decoder = new TextDecoder();
    const read = (async () => {
      for await (const chunk of running.stdout) out += decoder.decode(chunk, { stream: true });
    })();
    await waitFor('the tool to wait for it', WAIT_MS_MAX, () => {
      if (out.includes('was told to sequence and does not say that it has stopped')) return true;
      throw new Error(out);
    });
    expect(await isActive(old)).toBe(false);
    target.opNode.thaw();
    expect(await running.exited, out).toBe(4);
    await read;
    expect(await isActive(old)).toBe(true);
    expect(await isActive(target)).toBe(false);
    const height = await old.head();
    await waitFor('blocks to go on everywhere', WAIT_MS_MAX, async () =>
      Math.min(...(await Promise.all(net.nodes.map((node) => node.head())))) > height + 3 ? true : null,
    );
    const hashes = await Promise.all(
      net.nodes.map((node) => node.callGeth('eth_getBlockByNumber', [`0x${(height + 2).toString(16)}`, false])),
    );
    expect(new Set(hashes.map((block) => (block as { hash: string }).hash)).size).toBe(1);
  },
);
