/** Forms a cluster of a real net's conductors by the documented procedure, and has the first server's node sequence. */
import type { RealNode } from './real-node.ts';

/** A sequencer that begins at an old head makes blocks quickly until it is this near to now. */
const AGE_SECONDS_MAX = 3;

/**
 * All begin paused: with the old head of a new chain nobody is healthy. `eventually` waits until its probe is true, and throws
 * when that takes too long.
 */
export async function formConductors(
  nodes: readonly RealNode[],
  eventually: (what: string, probe: () => Promise<boolean>) => Promise<unknown>,
): Promise<void> {
  const [first, ...others] = nodes as [RealNode, ...RealNode[]];
  first.startConductor('bootstrap');
  await eventually('a leader', async () => (await first.callConductor('conductor_leader')) === true);
  for (const node of others) {
    node.startConductor('join');
    await eventually(`${node.id} to answer`, async () => (await node.callConductor('conductor_paused')) === true);
    await first.callConductor('conductor_addServerAsVoter', [node.id, node.raftAddress, 0]);
  }
  await first.callNode('admin_startSequencer', [(await first.unsafeHead()).hash]);
  for (const node of nodes) {
    await eventually(`${node.id} to be near the present`, async () => {
      const { number, timestamp } = await node.unsafeHead();
      return number > 2 && Date.now() / 1000 - timestamp <= AGE_SECONDS_MAX;
    });
  }
  for (const node of nodes) {
    await eventually(
      `${node.id} to be healthy`,
      async () => (await node.callConductor('conductor_sequencerHealthy')) === true,
    );
    await node.callConductor('conductor_resume');
  }
}
