import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteQueue } from './byte-queue.ts';

test('bytes come out as they went in, whatever the pieces and whoever overwrites the chunks', () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), bytes: fc.uint8Array({ maxLength: 400 }) }),
    fc.record({ kind: fc.constantFrom('take' as const, 'drain' as const, 'drop' as const), count: fc.nat(500) }),
    fc.record({ kind: fc.constant('settle' as const) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const queue = new ByteQueue();
      let model: number[] = [];
      let pushed = 0;
      let lent: Uint8Array[] = [];
      for (const step of actions) {
        if (step.kind === 'push') {
          const chunk = step.bytes.slice();
          queue.push(chunk);
          lent.push(chunk);
          model.push(...chunk);
          pushed += chunk.length;
        } else if (step.kind === 'settle') {
          queue.settle();
          expect(lent.filter((chunk) => queue.holds(chunk))).toEqual([]);
        } else {
          const count = Math.min(step.count, model.length);
          const target = new Uint8Array(count + 2);
          if (step.kind === 'take') target.set(queue.take(count), 1);
          if (step.kind === 'drain') expect(queue.drainInto(target, 1, count)).toBe(count);
          if (step.kind === 'drop') expect(queue.drop(step.count)).toBe(count);
          const out = [...target.subarray(1, count + 1)];
          expect(step.kind === 'drop' ? [] : out).toEqual(step.kind === 'drop' ? [] : model.slice(0, count));
          model = model.slice(count);
        }
        for (const chunk of lent) if (!queue.holds(chunk)) chunk.fill(0xee);
        lent = lent.filter((chunk) => queue.holds(chunk));
        expect(queue.available).toBe(model.length);
        expect(queue.consumed).toBe(pushed - model.length);
        expect([...queue.bytes.subarray(queue.position, queue.end)]).toEqual(model);
      }
    }),
  );
});
