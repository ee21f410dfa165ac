/** One benchmark at a time: two would measure each other. A lock whose owner was killed is taken over. */
import { takePidLock } from '#conductor/adapters/process/pid-lock';
import { SettingError } from './setting-error.ts';

/** Takes the lock at `path`, and gives it back when this process exits; throws a SettingError while another has it. */
export function takeLock(path: string): void {
  const lock = takePidLock(path, 'bench');
  if (lock.kind === 'taken') {
    process.once('exit', lock.giveBack);
    return;
  }
  if (lock.kind === 'unwritable') throw new SettingError(`the lock of benchmarks cannot be written: ${path}`);
  const holder = lock.kind === 'held' ? lock.holder : null;
  const who = holder === null ? 'which one is not known' : `process ${holder.pid}`;
  throw new SettingError(
    `another benchmark runs (${who}), and two at once would measure each other: wait for its end; ` +
      `if that is none, remove ${path}`,
  );
}
