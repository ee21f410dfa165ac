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
  const { folded, self } = foldProfile({ nodes, samples: [3, 3, 4], timeDeltas: [1000, 1000, 1000] });
  expect(folded).toBe('main main.ts;hash keccak.ts 2000\nmain main.ts;(anonymous) main.ts 1000\n');
  expect(self[0]).toEqual({ frame: 'hash keccak.ts', ms: 2 });
});

test('sleep before a sample belongs to nobody', () => {
  const { busyMs, totalMs } = foldProfile({ nodes, samples: [3, 5, 3, 3], timeDeltas: [1000, 1000, 500_000, 1000] });
  expect(busyMs).toBe(3);
  expect(totalMs).toBe(503);
});

test('what separates stacks is in no name', () => {
  const odd = [node(1, '(root)', '', [2]), node(2, 'a;b\nc', '')];
  expect(foldProfile({ nodes: odd, samples: [2], timeDeltas: [1000] }).folded).toBe('a:b:c 1000\n');
});

test('folded stacks are short enough for a repository, and their sum is that of all samples', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => node(at + 2, `function number ${at}`, '/x/file.ts'));
  const root = node(
    1,
    '(root)',
    '',
    many.map(({ id }) => id),
  );
  const samples = many.map(({ id }) => id);
  const { folded } = foldProfile({ nodes: [root, ...many], samples, timeDeltas: samples.map(() => 1000) });
  expect(folded.length).toBeLessThanOrEqual(300_000);
  const lines = folded.trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^[^ ].* \d+$/);
  expect(lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(20_000_000);
});
