/**
 * The runbook's way out where all nodes went back below what the log holds, by the tool's commands: what an op-node is told by
 * hand between them is set here.
 */
import { expect, test } from 'vitest';
import type { OperatorCommand } from './operator-command.ts';
import { Output } from './output.ts';
import { pauseCommand, resumeCommand } from './pause-command.ts';
import { overrideCommand } from './override-command.ts';
import { transferCommand } from './transfer-command.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory } from './testing/run-in-memory.ts';

async function run(cluster: MemoryCluster, command: OperatorCommand, ...words: readonly string[]): Promise<string> {
  let ended = '';
  await command.run({
    words: words.filter((word) => word !== '--all'),
    flags: words.includes('--all') ? { all: true } : {},
    output: new Output(true),
    config: cluster.config,
    access: cluster,
    execute: async (procedure) => {
      const { outcome } = await runInMemory(procedure, () => cluster.observe());
      ended = outcome.kind;
      return 0;
    },
  });
  return ended;
}

test('pause, transfer and resume refuse none of it, and an override is not to be had beside a leader', async () => {
  const cluster = new MemoryCluster();
  cluster.isBuilding = false;
  cluster.committed = { number: 30_000, hash: `0x${'1'.repeat(64)}`, isValidated: false };
  for (const server of cluster.servers) Object.assign(server, { head: 100, isSequencing: false, isHealthy: false });
  expect(await run(cluster, overrideCommand, 'node-1')).toBe('refused');
  expect(await run(cluster, pauseCommand, '--all')).toBe('done');
  // By hand: its op-node is overridden, and has built until now.
  Object.assign(cluster.server('node-1'), { head: 40_000, isSequencing: true, isHealthy: true });
  // All conductors are restarted, paused, and another is elected.
  cluster.leader = 'node-2';
  cluster.react = (change) => {
    if (change === 'transfer node-1') cluster.server('node-1').isSequencing = true;
  };
  expect(await run(cluster, transferCommand, 'node-1')).toBe('done');
  // By hand: its op-node is restarted.
  cluster.server('node-1').isSequencing = false;
  expect(await run(cluster, resumeCommand, '--all')).toBe('done');
  expect(cluster.servers.map(({ isPaused }) => isPaused)).toEqual([false, false, false]);
  expect(cluster.leader).toBe('node-1');
});
