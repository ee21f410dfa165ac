/**
 * One benchmark at a time: two would measure each other. The lock is a file that names its owner by process number and
 * start, so that one whose owner was killed is taken over.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAlive, startOf } from '../scripts/process-life.ts';
import { SettingError } from './setting-error.ts';

/** Takes the lock at `path`, and gives it back when this process exits; throws a SettingError while another has it. */
export function takeLock(path: string): void {
  const ours = `${process.pid} ${startOf(process.pid)}\n`;
  if (!wrote(path, ours)) {
    const owner = read(path);
    if (isRunning(owner)) throw busy(path, owner);
    // Whoever found the same a moment earlier has written another word since.
    if (read(path) === owner) rmSync(path, { force: true });
    if (!wrote(path, ours)) throw busy(path, read(path));
  }
  process.once('exit', () => {
    if (read(path) === ours) rmSync(path, { force: true });
  });
}

function busy(path: string, owner: string): SettingError {
  const who = owner === '' ? 'just started' : `process ${owner.split(' ')[0]}`;
  return new SettingError(
    `another benchmark runs (${who}), and two at once would measure each other: wait for its end; ` +
      `if that is none, remove ${path}`,
  );
}

/** A file without a number is one whose owner has created it just now, or was killed then: it is not ours to judge. */
function isRunning(owner: string): boolean {
  const [pid = '', started = ''] = owner.trim().split(' ');
  if (pid === '') return true;
  const running = startOf(Number(pid));
  return isAlive(Number(pid)) && (started === '' || running === '' || running === started);
}

function wrote(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
