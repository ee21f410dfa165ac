import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runReaper } from './reaper.ts';

/** A pipe that says these lines, cut at odd places, and then ends. */
async function* pipe(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

function sleeper() {
  return Bun.spawn(['sleep', '60']);
}

describe('the reaper', () => {
  it('kills what is on its list when the pipe ends without a goodbye, and nothing else', async () => {
    const [doomed, released, unknown] = [sleeper(), sleeper(), sleeper()];
    await runReaper(pipe([`add ${doomed.pid}`, `add ${released.pid}`, `remove ${released.pid}`, 'nonsense', 'add x']));
    await doomed.exited;
    expect(doomed.signalCode).toBe('SIGKILL');
    expect([released.signalCode, unknown.signalCode]).toEqual([null, null]);
    released.kill();
    unknown.kill();
  });

  it('kills frozen processes too, and removes the temporary folder', async () => {
    const frozen = sleeper();
    const folder = mkdtempSync(join(tmpdir(), 'reaper test-'));
    frozen.kill('SIGSTOP');
    await runReaper(pipe([`add ${frozen.pid}`, `folder ${folder}`]));
    await frozen.exited;
    expect(frozen.signalCode).toBe('SIGKILL');
    expect(existsSync(folder)).toBe(false);
  });

  it('touches nothing after a goodbye, nor processes that are gone already', async () => {
    const child = sleeper();
    await runReaper(pipe([`add ${child.pid}`, 'goodbye']));
    expect(child.signalCode).toBeNull();
    child.kill();
    await child.exited;
    await runReaper(pipe([`add ${child.pid}`]));
  });
});
