import { expect, test } from 'vitest';
import { deployBesideOthers } from './deploy-step.ts';
import { Following } from './following.ts';
import { Output } from './output.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';

function second(cluster: MemoryCluster) {
  const server = cluster.config.servers[1];
  if (server === undefined) throw new RangeError('two servers');
  return server;
}

test('a node follows once it has a block that was made after the first look', () => {
  const cluster = new MemoryCluster();
  cluster.server('node-2').head = 99;
  const following = new Following(second(cluster));
  expect(following.whyNot(cluster.view())).toBe('the op-node of node-2 is at block 99, waiting for 101');
  cluster.server('node-2').head = 100;
  expect(following.whyNot(cluster.view())).toContain('is at block 100, waiting for 101');
  cluster.server('node-1').head = 102;
  cluster.server('node-2').head = 101;
  expect(following.whyNot(cluster.view())).toBe(null);
});

test('where no block is made nothing is waited for, but only at the head', () => {
  const cluster = new MemoryCluster();
  const late = () => ({ ...cluster.view(), atMs: 2_000_000 });
  expect(new Following(second(cluster)).whyNot(late())).toBe(null);
  cluster.server('node-2').head = 99;
  expect(new Following(second(cluster)).whyNot(late())).toContain('is at block 99');
});

test('a deployment is over only then', () => {
  const cluster = new MemoryCluster();
  const server = second(cluster);
  const step = deployBesideOthers(
    { server, output: new Output(true), clusterFile: '/conductor.toml' },
    { journalKey: 'deployed' },
  );
  cluster.server('node-2').head = 99;
  expect(step.settled(cluster.view())).toBe(false);
  expect(step.progress?.(cluster.view())).toContain('waiting for 101');
  cluster.server('node-1').head = cluster.server('node-2').head = 101;
  expect(step.settled(cluster.view())).toBe(true);
});

test('a server that did not come back is told with its op-node', () => {
  const cluster = new MemoryCluster();
  const server = second(cluster);
  const step = deployBesideOthers(
    { server, output: new Output(true), clusterFile: '/conductor.toml' },
    { journalKey: 'deployed' },
  );
  cluster.server('node-2').isUp = false;
  expect(step.progress?.(cluster.view())).toBe(
    'node-2 does not answer: connection refused; neither does its op-node: connection refused',
  );
});
