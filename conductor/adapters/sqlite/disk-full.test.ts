import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from './store.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { entryAt, hardStateAt } from './testing/values.ts';

const volumeMegabytes = 6;

function run(...command: string[]): boolean {
  return Bun.spawnSync(command, { stdio: ['ignore', 'ignore', 'ignore'] }).success;
}

/** Mounts a small volume that goes away with the test; null where that is not permitted. */
function mountSmallVolume(): string | null {
  const volume = join(temporaryDirectory(), 'volume');
  mkdirSync(volume);
  const isMounted = run('mount', '-t', 'tmpfs', '-o', `size=${volumeMegabytes}m`, 'tmpfs', volume);
  if (!isMounted) return null;
  onTestFinished(() => void run('umount', volume));
  return volume;
}

test('on a volume that is really full nothing is acknowledged, and all that was comes back', ({ skip }) => {
  const volume = mountSmallVolume();
  if (volume === null)
    return skip('mounting a tmpfs needs privileges; the bound on the file (store.test.ts) stands in for it');
  for (const isIdle of [true, false]) {
    const directory = join(volume, `n-${isIdle}`);
    const store = openStore({ directory, serverId: 'n1' });
    store.load();
    let term = 0;
    const fill = (): void => {
      for (;;) {
        store.write({ hardState: hardStateAt(term + 1), entries: [entryAt(term + 1, term + 1, 20_000)] });
        term += 1;
        if (isIdle) store.maintain();
      }
    };
    expect(fill).toThrow(expect.objectContaining({ name: 'StoreError', code: 'disk-full' }));
    expect(() => store.write({ hardState: hardStateAt(term + 2) })).toThrow(
      expect.objectContaining({ code: 'failed' }),
    );
    store.close();

    expect(run('mount', '-o', `remount,size=${volumeMegabytes * 4}m`, volume)).toBe(true);
    const again = openStore({ directory, serverId: 'n1' });
    const state = again.load();
    expect(state.hardState).toEqual(hardStateAt(term));
    expect(state.entries).toHaveLength(term);
    expect(again.verifyNext(Infinity)).toEqual({ done: true });
    again.write({ hardState: hardStateAt(term + 1), entries: [entryAt(term + 1, term + 1, 20_000)] });
    again.close();
    rmSync(directory, { recursive: true });
    expect(run('mount', '-o', `remount,size=${volumeMegabytes}m`, volume)).toBe(true);
  }
});
