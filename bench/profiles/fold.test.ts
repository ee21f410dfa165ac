import { expect, test } from 'vitest';
import { foldProfile, type CpuProfile } from './fold.ts';

const node = (id: number, functionName: string, url: string, children: number[] = []): CpuProfile['nodes'][number] => ({
  id,
  callFrame: { functionName, url, lineNumber: 1 },
  children,
});
const nodes = [
  node(1, '(root)', '', [2, 5]),
  node(2, 'main', '/somebody/home/main.ts', [3, 4]),
  node(3, 'hash', '/somebody/home/keccak.ts'),
  node(4, '', '/somebody/home/main.ts'),
  node(5, '(idle)', ''),
];

test('stacks begin at the outermost function, and name files without their folders', () => {
  const { stacks, self } = foldProfile({ nodes, samples: [3, 3, 4], timeDeltas: [1000, 1000, 1000] });
  expect(stacks).toEqual([
    { stack: 'main main.ts;hash keccak.ts', ms: 2 },
    { stack: 'main main.ts;(anonymous) main.ts', ms: 1 },
  ]);
  expect(self[0]).toEqual({ frame: 'hash keccak.ts', ms: 2 });
});

test('sleep before a sample belongs to nobody', () => {
  const { busyMs, totalMs } = foldProfile({ nodes, samples: [3, 5, 3, 3], timeDeltas: [1000, 1000, 500_000, 1000] });
  expect(busyMs).toBe(3);
  expect(totalMs).toBe(503);
});
