import { describe, expect, test, vi } from 'vitest';
import { Lane } from './lane.ts';

describe('a lane', () => {
  test('lets so many in at a time, the others in the order they came', async () => {
    const lane = new Lane({ runningMax: 2, waitingMax: 2 });
    expect([await lane.enter(1000), await lane.enter(1000)]).toEqual(['turn', 'turn']);
    const order: string[] = [];
    const third = lane.enter(1000).then(() => order.push('third'));
    const fourth = lane.enter(1000).then(() => order.push('fourth'));
    expect(await lane.enter(1000)).toBe('full');
    expect(order).toEqual([]);
    lane.leave();
    lane.leave();
    await Promise.all([third, fourth]);
    expect(order).toEqual(['third', 'fourth']);
  });

  test('who waited too long has no turn, and takes nobody else’s', async () => {
    vi.useFakeTimers();
    try {
      const lane = new Lane({ runningMax: 1, waitingMax: 5 });
      await lane.enter(1000);
      const short = lane.enter(10);
      const long = lane.enter(1000);
      vi.advanceTimersByTime(10);
      expect(await short).toBe('timeout');
      lane.leave();
      expect(await long).toBe('turn');
      lane.leave();
      expect(await lane.enter(0)).toBe('turn');
    } finally {
      vi.useRealTimers();
    }
  });
});
