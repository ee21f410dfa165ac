import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_TCP_LIMITS, memoryLimits } from '../tcp/limits.ts';
import { memoryLimit, type ControlGroups } from './memory.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

function groups(list: string, limits: Readonly<Record<string, string>>): ControlGroups {
  const mount = mkdtempSync(join(tmpdir(), 'conductor-memory-'));
  onTestFinished(() => rmSync(mount, { recursive: true }));
  for (const [path, text] of Object.entries({ list, ...limits })) {
    mkdirSync(dirname(join(mount, path)), { recursive: true });
    writeFileSync(join(mount, path), text);
  }
  return { list: join(mount, 'list'), mount };
}

test.each([
  ['of a container', '0::/', { 'memory.max': '66\n' }],
  ['of a slice around a unit', '0::/a.slice/b', { 'a.slice/memory.max': '66', 'a.slice/b/memory.max': 'max' }],
  ['of version 1', '5:cpu:/a\n4:hugetlb,memory:/a/b', { 'memory/a/b/memory.limit_in_bytes': '66', 'memory.max': '5' }],
  ['of version 1, by its path on the host', '4:memory:/pod/x', { 'memory/memory.limit_in_bytes': '66' }],
])('memory is bounded by the control group %s', (_, list, limits) => {
  expect(memoryLimit(groups(`${list}\n`, limits))).toBe(66);
});

test('memory is what the machine has where no group bounds it, or none can be read', () => {
  expect(memoryLimit(groups('0::/\n', { 'memory.max': 'max\n' }))).toBe(totalmem());
  expect(memoryLimit(groups('4:memory:/\n', { 'memory/memory.limit_in_bytes': '9223372036854771712' }))).toBe(
    totalmem(),
  );
  expect(memoryLimit({ list: '/nowhere/list', mount: '/nowhere' })).toBe(totalmem());
});

test('incomplete raft requests leave most of the memory to everything else; all that op-conductor can send fits in a quarter of 17 GiB', () => {
  const { incompleteBytesMax, loneRequestBytesMax } = DEFAULT_TCP_LIMITS;
  expect(memoryLimits(512 * MIB)).toEqual({ incompleteBytesMax: 256 * MIB, loneRequestBytesMax: 256 * MIB });
  for (const gib of [2, 3, 4]) {
    expect(memoryLimits(gib * GIB)).toEqual({ incompleteBytesMax, loneRequestBytesMax: GIB });
  }
  expect(memoryLimits(8 * GIB)).toEqual({ incompleteBytesMax, loneRequestBytesMax: 2 * GIB });
  expect(memoryLimits(17 * GIB)).toEqual({ incompleteBytesMax, loneRequestBytesMax });
  expect(loneRequestBytesMax).toBeGreaterThan(64 * 64 * MIB);
});
