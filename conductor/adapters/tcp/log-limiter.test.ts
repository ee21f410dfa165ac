import { expect, test } from 'vitest';
import { LogLimiter } from './log-limiter.ts';

test('one warning per second and address, each telling how many were left out, over a bounded set of addresses', () => {
  const logged: unknown[] = [];
  let nowMs = 0;
  const limiter = new LogLimiter({ log: (_level, _message, fields) => logged.push(fields) }, () => nowMs);
  for (nowMs = 0; nowMs < 2500; nowMs += 100) limiter.warn('1.1.1.1', 'text', { n: 1 });
  expect(logged).toEqual([
    { remote: '1.1.1.1', n: 1 },
    { remote: '1.1.1.1', n: 1, suppressed: 9 },
    { remote: '1.1.1.1', n: 1, suppressed: 9 },
  ]);
  nowMs = 2600;
  for (let i = 0; i < 1024; i += 1) limiter.warn(`2.2.${i >> 8}.${i & 255}`, 'text', {});
  expect(logged).toHaveLength(1027);
  limiter.warn('1.1.1.1', 'text', {});
  expect(logged).toHaveLength(1028);
});
