/**
 * A block that op-node does not read by RPC, on a real op-node and op-geth: a server that was down while it was built is brought
 * to the tip from the log, and can lead then. Skipped unless OP_NODE_BIN and OP_GETH_BIN name them.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RealNet } from '../../bench/realnet/real-net.ts';
import type { RealNode } from '../../bench/realnet/real-node.ts';
import { gasOfZeros, TestAccount } from '../../bench/realnet/test-account.ts';
import { conductorCommand } from '../cluster/conductor-command.ts';
import { waitFor } from '../cluster/wait.ts';

const geth = process.env['OP_GETH_BIN'] ?? '';
const opNode = process.env['OP_NODE_BIN'] ?? '';
/** op-geth takes transactions of up to 128 KiB. */
const dataBytes = 126_000;
const transactions = 24;
/** Larger than op-node's requests may be in hex, and smaller than its gossip. */
const largeBytes = 2_700_000;

/** The height of a block that is so large, of those that the client has. */
async function largeBlock(node: RealNode): Promise<number | null> {
  const latest = Number(
    ((await node.callGeth('eth_getBlockByNumber', ['latest', false])) as { number: string }).number,
  );
  for (let number = latest; number > 0 && number > latest - 20; number -= 1) {
    const block = (await node.callGeth('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as {
      size: string;
    };
    if (Number(block.size) > largeBytes) return number;
  }
  return null;
}

test(
  'a server that was down is brought over a block that op-node does not take by RPC, and leads',
  { timeout: 240_000 },
  async (context) => {
    if (!existsSync(geth) || !existsSync(opNode))
      context.skip('OP_NODE_BIN and OP_GETH_BIN name no op-node and op-geth');
    const folder = mkdtempSync(join(tmpdir(), 'large-block-realnet-'));
    using _ = { [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
    const conductor = (node: RealNode): readonly string[] => [
      ...conductorCommand(),
      `--execution.engine-rpc=${node.engineUrl}`,
      `--execution.jwt-secret=${node.jwtSecretFile}`,
    ];
    const gasLimit = 4 * transactions * Number(gasOfZeros(dataBytes));
    await using net = await RealNet.start({ geth, opNode, conductor, parent: folder, gasLimit });
    const leader = await net.steady();
    const [absent] = net.others(leader) as [RealNode];
    await absent.opNode.end('SIGINT');
    await absent.geth.end('SIGINT');

    // So many at once that a block between two of them is no less large.
    const account = new TestAccount();
    const signed: string[] = [];
    for (let made = 0; made < 3 * transactions; made += 1)
      signed.push(await account.signed({ data: `0x${'00'.repeat(dataBytes)}` }));
    await Promise.all(signed.map((one) => leader.callGeth('eth_sendRawTransaction', [one])));
    const large = await waitFor('a large block', 30_000, () => largeBlock(leader));
    await waitFor('blocks on it', 30_000, async () => ((await leader.head()) > large + 2 ? true : null));

    absent.startGeth();
    await waitFor('op-geth', 30_000, async () => await absent.head().catch(() => null));
    await absent.restartOpNode();
    const began = performance.now();
    await waitFor('the large block', 60_000, async () =>
      (await absent.head().catch(() => 0)) > large + 2 ? true : null,
    );
    console.log(
      `brought over block ${large} ${Math.round(performance.now() - began)} ms after its op-node was started`,
    );
    const hashOf = async (node: RealNode): Promise<string> =>
      ((await node.callGeth('eth_getBlockByNumber', [`0x${large.toString(16)}`, false])) as { hash: string }).hash;
    expect(await hashOf(absent)).toBe(await hashOf(leader));

    await net.steady();
    await leader.callConductor('conductor_transferLeaderToServer', [absent.id, absent.raftAddress]);
    const led = await waitFor('it to lead', 30_000, async () =>
      (await net.steady()) === absent ? await absent.head() : null,
    );
    await waitFor('its blocks', 30_000, async () => ((await absent.head()) > led + 2 ? true : null));
  },
);
