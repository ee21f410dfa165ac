/**
 * A program that imports or exports a directory and kills itself with SIGKILL at the Nth point where a crash
 * leaves a new state, or (N = 0) goes on to the end, telling its progress, so that others can kill it.
 * Usage: bun migrator.ts import|export <directory> <server id> <N>
 */
import { writeSync } from 'node:fs';
import { exportGoStore } from '../export-store.ts';
import { importGoStore } from '../import-store.ts';

/** Where this program is. */
export const migratorPath = import.meta.filename;

async function migrate([command, directory = '', serverId = '', at = '0']: readonly string[]): Promise<void> {
  let step = 0;
  const onStep = (): void => {
    step += 1;
    if (step === Number(at)) process.kill(process.pid, 'SIGKILL');
  };
  writeSync(1, 'begin\n');
  const options = { directory, serverId, onStep };
  if (command === 'import') await importGoStore(options);
  else await exportGoStore({ ...options, unixMs: 1 });
}

if (import.meta.main) await migrate(process.argv.slice(2));
