/** An op-node that was ended while it was to sequence, and comes back when it likes. Time passes only in sleeps. */
import { describe, expect, test } from 'vitest';
import { keepStopped } from './keep-stopped.ts';
import { MemoryCluster, type MemoryServer } from './testing/memory-cluster.ts';

const TO_DO =
  'the op-node of node-2 was ended while it was to sequence: start it again only with --sequencer.stopped and without the file of its OP_NODE_RPC_ADMIN_STATE, or it builds beside node-1';

/** What `happens` by seconds after node-1 was started. */
async function watch(happens: Readonly<Record<number, Partial<MemoryServer>>>, timeoutMs: number | null = null) {
  const cluster = new MemoryCluster();
  const second = cluster.server('node-2');
  second.isUp = false;
  const node = cluster.node(cluster.config.servers[1] ?? expect.fail());
  const told = new Set<string>();
  let nowMs = 0;
  const left = await keepStopped(
    { node, id: 'node-2', besideId: 'node-1' },
    { timeoutMs, isStopped: () => false, tell: (text) => told.add(text) },
    {
      nowMs: () => nowMs,
      sleep: (ms) => {
        nowMs += ms;
        Object.assign(second, happens[nowMs / 1000]);
        return Promise.resolve();
      },
    },
  );
  return { left, second, told: [...told], seconds: nowMs / 1000, changes: cluster.changes };
}

describe('one whose process is gone', () => {
  test('is stopped whenever it comes back sequencing, also beyond a restart of its machine', async () => {
    for (const at of [2, 20, 540]) {
      const { left, second, changes } = await watch({ [at]: { isUp: true, isSequencing: true } });
      expect(left).toBe(null);
      expect(changes).toEqual(['stopSequencer node-2']);
      expect(second.isSequencing).toBe(false);
    }
  });

  test('is watched on where it answers before it begins', async () => {
    const { left, changes } = await watch({ 20: { isUp: true }, 24: { isSequencing: true } });
    expect(left).toBe(null);
    expect(changes).toEqual(['stopSequencer node-2']);
  });

  test('is let alone once it has been idle without a break', async () => {
    expect(await watch({ 20: { isUp: true }, 23: { isUp: false }, 24: { isUp: true } })).toMatchObject({
      left: null,
      seconds: 29,
      changes: [],
    });
  });

  test('is named with what it needs where it does not come back in time', async () => {
    const { left, told, seconds } = await watch({});
    expect(left).toBe(TO_DO);
    expect(told).toEqual([
      'node-1 sequences again; watching until the op-node of node-2 is back and idle: start it with --sequencer.stopped and without the file of its OP_NODE_RPC_ADMIN_STATE',
    ]);
    expect(seconds).toBe(600);
    expect(await watch({ 20: { isUp: true } }, 3000)).toMatchObject({ left: TO_DO, seconds: 3 });
  });
});
