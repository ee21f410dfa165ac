import { expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope } from './payload/envelope.ts';
import { ConductorWorld } from './testing/conductor-world.ts';

test('stale-health: a node that recovers is healthy at its next check', () => {
  const world = ConductorWorld.bootstrapped();
  world.run(2000);
  expect(world.ask('conductor_sequencerHealthy').result).toBe(true);
  world.node.isUp = false;
  world.run(1100);
  expect(world.ask('conductor_sequencerHealthy').result).toBe(false);
  world.node.isUp = true;
  world.run(1100);
  expect(world.ask('conductor_sequencerHealthy').result).toBe(true);
});

test("the log has a line for each check, and one for each change, with op-conductor's texts and causes", () => {
  const world = ConductorWorld.bootstrapped();
  world.run(2000);
  world.logs.length = 0;
  world.published.length = 0;
  world.node.isUp = false;
  world.run(3000);
  world.node.isUp = true;
  world.node.peerCount = 0;
  world.run(3000);
  world.node.peerCount = 3;
  world.run(3000);
  const lines = world.logs.filter((line) => /health/i.test(line) && !/state changed/.test(line));
  const sick = 'error Sequencer is unhealthy';
  const well = 'info sequencer is healthy';
  expect(lines).toEqual([...Array.from({ length: 6 }, () => sick), well, well, well]);
  expect(world.lastFields.get('Sequencer is unhealthy')).toMatchObject({
    server: 'a',
    err: 'sequencer is not healthy',
  });
  expect(world.logs.filter((line) => line === 'info Health state changed')).toHaveLength(2);
  expect(world.published.filter(({ kind }) => kind === 'health')).toHaveLength(3);
});

test('a leader alone whose client is gone stops its sequencer, and starts it when its checks have found the client again', () => {
  const world = ConductorWorld.bootstrapped();
  const block = buildBlock({ parent: null, timestamp: 1_700_000_001, transactions: [], salt: new Uint8Array(32) });
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(block) }]);
  world.nodeHead = block;
  world.ask('conductor_resume');
  world.run(1000);
  expect(world.node.isSequencing).toBe(true);
  world.node.isClientUp = false;
  world.run(10_000);
  expect(world.node.isSequencing).toBe(false);
  world.held.add('opp2p_peerStats');
  world.run(1000);
  world.node.isClientUp = true;
  world.run(5000);
  expect(world.node.isSequencing).toBe(false);
  world.release();
  world.run(2000);
  expect(world.node.isSequencing).toBe(true);
});
