/**
 * A program that does something to a store and kills itself with SIGKILL at the step that is named.
 * Usage: bun operate-interrupted.ts backup|restore|recover <step> <directory> <file>
 */
import { basename } from 'node:path';
import { createBackup } from '#conductor/operate/store/backup';
import { recoverStore } from '#conductor/operate/store/recover-store';
import { planRecovery } from '#conductor/operate/store/recovery-plan';
import { restoreBackup } from '#conductor/operate/store/restore';
import { inspect } from '#conductor/operate/store/survey';

/** Where this program is. */
export const interruptedPath = import.meta.filename;

async function run([command, at, directory = '', file = '']: readonly string[]): Promise<void> {
  const onStep = (step: string): void => {
    if (step === at) process.kill(process.pid, 'SIGKILL');
  };
  if (command === 'backup') await createBackup({ directory, to: file, onStep });
  if (command === 'restore')
    await restoreBackup({ file, directory, serverId: basename(directory), isReplacing: true, onStep });
  if (command !== 'recover') return;
  const plan = planRecovery({ survivors: [await inspect(directory)], answering: [], address: null });
  if (plan.kind === 'planned') await recoverStore({ plan, backup: file, unixMs: 1, onStep });
}

if (import.meta.main) await run(process.argv.slice(2));
