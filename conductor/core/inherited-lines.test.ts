/** Lines of op-conductor's log on which alerts may match: same text, same level, same fields, at the same events. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildBlock } from './payload/build-block.ts';
import { formatEnvelope } from './payload/envelope.ts';
import { block, ControlWorld } from './control/testing/world.ts';
import type { Peer } from './control/target.ts';
import { ConductorWorld } from './testing/conductor-world.ts';

const healthy: Peer = {
  ...{ id: 'b', isVoter: true, isNative: true, isInContact: true, isAgainstTip: false, ceasedLeadingAtMs: null },
  known: {
    ...{ isHealthy: true, isPaused: false, headNumber: 5n, headHash: null },
    ...{ safeNumber: null, l1Number: null, observations: [] },
  },
};

/** Level, text and fields as optimism v1.19.6 has them in op-conductor/conductor/service.go and op-conductor/health/monitor.go. */
const inherited = [
  ['info', 'Leadership status changed', ['server', 'leader']],
  ['info', 'sequencer is healthy', []],
  ['error', 'Sequencer is unhealthy', ['server', 'err']],
  ['info', 'Health state changed', ['old', 'new']],
  ['info', 'state changed', ['prev_state', 'new_state']],
  ['info', 'starting sequencer', ['server', 'leader', 'healthy', 'active']],
  ['info', 'stopping sequencer', ['server', 'leader', 'healthy', 'active']],
  ['info', 'stopped sequencer', []],
  ['info', 'OpConductor has been paused', []],
  ['info', 'OpConductor has been resumed', []],
  ['info', 'OpConductor stopped', []],
] as const;

/** A leader that is paused and resumed, whose client goes and comes back, that is asked for a hand-over and ends. */
function lived(): ConductorWorld {
  const world = ConductorWorld.bootstrapped();
  const built = buildBlock({ parent: null, timestamp: 1_700_000_001, transactions: [], salt: new Uint8Array(32) });
  world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(built) }]);
  world.nodeHead = built;
  world.ask('conductor_pause');
  world.ask('conductor_resume');
  world.run(2000);
  world.node.isClientUp = false;
  world.run(10_000);
  world.node.isClientUp = true;
  world.run(2000);
  world.push({ kind: 'drain', reason: 'SIGTERM' });
  world.run(5000);
  return world;
}

const world = lived();

test.each(inherited)('%s "%s" %j', (level, message, fields) => {
  expect(world.logs).toContain(`${level} ${message}`);
  expect(Object.keys(world.lastFields.get(message) ?? {})).toEqual(expect.arrayContaining([...fields]));
});

test('the page of differences names each of them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../content/pages/conductor/differences.mdx'), 'utf8');
  const list = page.slice(page.indexOf('## Log messages'), page.indexOf('Replace a match on one of these'));
  for (const [, message] of inherited) expect(list).toContain(`\`${message}\``);
});

test('leadership that an unhealthy server hands over is told before, once per state', () => {
  const leader = new ControlWorld();
  leader.commitThrough(5n);
  leader.nodeHead = block(5n);
  leader.transferResult = false;
  leader.peerList = [healthy];
  leader.lead(2);
  leader.run();
  leader.loop.verdictChanged({ isHealthy: false, nodeAnswers: false });
  leader.run(10_000);
  expect(leader.transfers.length).toBeGreaterThan(1);
  expect(leader.logs.filter((line) => line === 'info transferring leadership')).toHaveLength(1);
  expect(leader.fields[leader.logs.indexOf('info transferring leadership')]).toMatchObject({ server: 'a' });
});

test('a state is written as op-conductor writes it', () => {
  const state = /^leader: (true|false), healthy: (true|false), active: (true|false)$/;
  for (const name of ['prev_state', 'new_state']) expect(world.lastFields.get('state changed')?.[name]).toMatch(state);
});
