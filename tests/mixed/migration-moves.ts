/**
 * The operator's moves between op-conductor and ours, one server at a time, on a cluster that goes on
 * producing blocks: the very commands of content/pages/conductor/migration.mdx.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { conductorCommand } from '../cluster/conductor-command.ts';
import type { Implementation } from '../cluster/node-process.ts';
import type { ServiceCluster } from '../cluster/service-cluster.ts';
import type { ServiceNode } from '../cluster/service-node.ts';

/** What a command said and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** Runs `conductor import` or `conductor export` on a node's directory; its conductor must be stopped. */
export async function migrate(
  node: ServiceNode,
  command: 'import' | 'export',
  ...more: string[]
): Promise<CommandResult> {
  const where = [`--raft.storage.dir=${node.storageDir}`, `--raft.server.id=${node.id}`];
  const child = Bun.spawn([...conductorCommand(), command, ...where, ...more], { stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, output: output + errors };
}

/** Followers first, the leader last: each is stopped, its directory handed on, the other program started on it. */
export async function replaceAll(cluster: ServiceCluster, by: Implementation): Promise<void> {
  const leader = await cluster.steady();
  for (const node of [...cluster.others(leader), leader]) {
    await replaceOne(node, by);
    await cluster.steady();
  }
}

/** Stops a node's conductor and starts the other program on its directory. */
export async function replaceOne(node: ServiceNode, by: Implementation): Promise<void> {
  await node.conductor.end('SIGTERM');
  if (by === 'go') {
    const { code, output } = await migrate(node, 'export');
    if (code !== 0) throw new Error(`export of ${node.id} ended with ${code}: ${output}`);
  }
  node.implementation = by;
  node.startConductor('again');
}

/** The other way, without the old directory: out of the cluster, wiped, in again. */
export async function wipeAndRejoin(cluster: ServiceCluster, node: ServiceNode, by: Implementation): Promise<void> {
  await node.conductor.end('SIGTERM');
  await cluster.change('conductor_removeServer', node);
  rmSync(join(node.storageDir, node.id), { recursive: true, force: true });
  node.implementation = by;
  node.startConductor('again');
  await cluster.change('conductor_addServerAsNonvoter', node);
  await cluster.steady();
  await cluster.change('conductor_addServerAsVoter', node);
  await cluster.steady();
}
