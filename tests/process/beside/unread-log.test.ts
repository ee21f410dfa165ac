/** A conductor whose log goes to a pipe that nobody empties, as that of a shipper of logs that was stopped. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LoneConductor } from '../lone-conductor.ts';

it.runIf(process.platform === 'linux')('starts, answers and ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unread-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const end = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(end));
  fill(end);
  await using conductor = new LoneConductor(folder, 'a');
  conductor.start(['--raft.bootstrap'], ['sh', '-c', `exec "$@" > '${pipe}'`, 'sh']);
  await conductor.answers('conductor_leader', true);
  conductor.signal('SIGTERM');
  expect(await conductor.ended()).toBe(0);
  expect(conductor.output).toBe('');
});

function fill(pipe: number): void {
  const chunk = new Uint8Array(4096);
  try {
    for (;;) writeSync(pipe, chunk);
  } catch (error) {
    expect(error).toHaveProperty('code', 'EAGAIN');
  }
}
