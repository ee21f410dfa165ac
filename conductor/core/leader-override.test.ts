import { expect, test } from 'vitest';
import { LeaderOverride } from './leader-override.ts';

function setUp(leaderId: string | null) {
  const world = { leaderId, lines: [] as string[], counts: [] as string[] };
  const override = new LeaderOverride({
    selfId: 'a',
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
