/**
 * Leadership handed over in the moment after all conductors were resumed, on a net of real op-nodes and op-geths, again
 * and again: nobody may be passed over for the pause that has just ended. Skipped unless OP_NODE_BIN and OP_GETH_BIN name
 * op-node and op-geth.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RealNet } from '../../bench/realnet/real-net.ts';
import type { RealNode } from '../../bench/realnet/real-node.ts';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';

const ROUNDS = Number(process.env['TRANSFER_ROUNDS'] ?? '50');
const LONG_MS = 480_000;
const WAIT_MS_MAX = 10_000;
const BLOCKS_PAUSED = 2;

const geth = process.env['OP_GETH_BIN'] ?? '';
const opNode = process.env['OP_NODE_BIN'] ?? '';

const leads = async (node: RealNode): Promise<boolean> => (await node.callConductor('conductor_leader')) === true;

/** All paused, all resumed, and at once a transfer; why it failed, or null. */
async function handOver(net: RealNet, isNamed: boolean): Promise<string | null> {
  const leader = await net.steady();
  const [target] = net.others(leader) as [RealNode, RealNode];
  await Promise.all(net.nodes.map((node) => node.callConductor('conductor_pause')));
  // Long enough for the leader to have heard of every pause; its sequencer goes on meanwhile.
  const head = await leader.head();
  await waitFor('blocks of the paused leader', WAIT_MS_MAX, async () =>
    (await leader.head()) >= head + BLOCKS_PAUSED ? true : null,
  );
  await Promise.all(net.nodes.map((node) => node.callConductor('conductor_resume')));
  try {
    if (isNamed) await leader.callConductor('conductor_transferLeaderToServer', [target.id, target.raftAddress]);
    else await leader.callConductor('conductor_transferLeader');
  } catch (error) {
    return String(error);
  }
  const taker = await waitFor('another leader', WAIT_MS_MAX, async () => {
    for (const node of isNamed ? [target] : net.others(leader)) if (await leads(node)) return node;
    return null;
  }).catch((error: unknown) => String(error));
  return typeof taker === 'string' ? taker : null;
}

test(
  `${ROUNDS} of ${ROUNDS} transfers right after a resume of all move leadership, with and without a name`,
  { timeout: LONG_MS },
  async (context) => {
    if (!existsSync(geth) || !existsSync(opNode))
      context.skip('OP_NODE_BIN and OP_GETH_BIN name no op-node and op-geth');
    const folder = mkdtempSync(join(tmpdir(), 'transfer-after-resume-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    await using net = await RealNet.start({ geth, opNode, conductor: conductorCommand(), parent: folder });
    const failures: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const why = await handOver(net, round % 2 === 1);
      if (why !== null) failures.push(`round ${round}: ${why}`);
    }
    expect(failures).toEqual([]);
  },
);
