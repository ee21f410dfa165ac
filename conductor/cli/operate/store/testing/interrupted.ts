/**
 * A program that does something to a store and kills itself with SIGKILL at the step that is named.
 * Usage: bun interrupted.ts backup|restore|recover <step> <directory> <file>
 */
import { basename } from 'node:path';
import { createBackup } from '../backup.ts';
import { recoverStore } from '../recover-store.ts';
import { planRecovery } from '../recovery-plan.ts';
import { restoreBackup } from '../restore.ts';
import { inspect } from '../survey.ts';

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
