import type * as nodeFs from 'node:fs';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takePidLock } from './pid-lock.ts';

/** Why no link is made; null where one is. */
const refusal = vi.hoisted((): { code: string | null } => ({ code: null }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof nodeFs>();
  return {
    ...fs,
    linkSync(from: string, to: string) {
      if (refusal.code !== null) throw Object.assign(new Error(`${refusal.code}: link`), { code: refusal.code });
      fs.linkSync(from, to);
    },
  };
});

test('where the file system has no hard links nobody is kept out, and nothing is left behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pid-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.lock');
  for (const code of ['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']) {
    refusal.code = code;
    expect(takePidLock(path, 'pause')).toEqual({ kind: 'unwritable' });
    expect(readdirSync(folder)).toEqual([]);
  }
  refusal.code = null;
  expect(takePidLock(path, 'pause').kind).toBe('taken');
  expect(takePidLock(path, 'pause').kind).toBe('held');
});
