import { expect, test } from 'vitest';
import { LeaderOverride } from './leader-override.ts';
import { configurationEntry, heartbeatFrom, storeWith } from './raft/testing/messages.ts';
import { ConductorWorld } from './testing/conductor-world.ts';

function setUp(leaderId: string | null) {
  const world = { leaderId, nowMs: 0, lines: [] as string[], counts: [] as string[] };
  const override = new LeaderOverride({
    selfId: 'a',
    nowMs: () => world.nowMs,
    metrics: {
      count: (name: string, labels: Readonly<Record<string, string>> = {}) =>
        void world.counts.push(`${name} ${labels['kind']}`),
      gauge: () => undefined,
      observe: () => undefined,
    },
    logger: { log: (level, message, fields = {}) => void world.lines.push(`${level} ${message} ${fields['leader']}`) },
    leaderId: () => world.leaderId,
  });
  return { world, override };
}

test('an override beside another leader is an alarm, at once and for each new leader', () => {
  const { world, override } = setUp('b');
  override.set(true);
  expect(override.isOn).toBe(true);
  expect(world.counts).toEqual(['alarms_total override']);
  expect(world.lines[1]).toMatch(/^error leadership is overridden here while another server leads.* b$/);
  world.leaderId = 'c';
  override.leaderMayHaveChanged();
  expect(world.counts).toHaveLength(2);
});

test('and is counted again each minute while that lasts, but logged as an error once', () => {
  const { world, override } = setUp('b');
  expect(override.nextDeadlineMs()).toBe(Infinity);
  override.set(true);
  for (; world.nowMs <= 20 * 60_000; world.nowMs += 1000) override.leaderMayHaveChanged();
  expect(world.counts).toHaveLength(21);
  expect(world.lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
  expect(override.nextDeadlineMs()).toBe(21 * 60_000);
  world.leaderId = null;
  override.tick();
  expect([world.counts.length, override.nextDeadlineMs()]).toEqual([21, Infinity]);
});

test('a conductor that is overridden beside a leader counts the alarm again, though nothing is told to it', () => {
  const members = ['a', 'b'].map((id, at) => ({ id, address: `127.0.0.1:${at + 1}`, suffrage: 0 as const }));
  const world = new ConductorWorld({ store: storeWith([configurationEntry(1, 1, { servers: members })]) });
  const hear = (): void =>
    world.push({ kind: 'request', connectionId: 1, inboundId: 1, request: heartbeatFrom('b', 2) });
  hear();
  world.ask('conductor_overrideLeader', [true]);
  for (let step = 0; step < 20 * 60 * 5; step += 1) {
    world.run(200);
    hear();
  }
  expect(world.conductor.position().leaderId).toBe('b');
  expect(world.counts.get('alarms_total override')).toBeGreaterThanOrEqual(20);
});

test('that it begins and ends is said, once', () => {
  const { world, override } = setUp(null);
  for (const isOn of [true, true, false, false]) override.set(isOn);
  expect(world.lines).toEqual([
    expect.stringMatching(/^warn leadership is overridden: this conductor leaves its sequencer to the operator/),
    expect.stringMatching(/^info leadership is no longer overridden/),
  ]);
});

test.each([null, 'a'])('no alarm while the known leader is %s', (leaderId) => {
  const { world, override } = setUp(leaderId);
  override.set(true);
  override.leaderMayHaveChanged();
  expect(override.isOn).toBe(true);
  expect(world.counts).toEqual([]);
});

test('no alarm after the override was taken back', () => {
  const { world, override } = setUp(null);
  override.set(true);
  override.set(false);
  world.leaderId = 'b';
  override.leaderMayHaveChanged();
  expect(override.isOn).toBe(false);
  expect(world.counts).toEqual([]);
});
