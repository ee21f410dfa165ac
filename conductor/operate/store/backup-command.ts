/** `conductor backup`: one server's store as a checked file, while the conductor runs. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { restoreAdvice } from '#conductor/adapters/sqlite/store-error';
import { exitCodes } from '../exit-codes.ts';
import { textOf, type OperatorCommand, type OperatorTask } from '../operator-command.ts';
import { createBackup } from './backup.ts';
import type { CopyProgress } from './copy-store.ts';
import { megabytes } from './disk-space.ts';
import {
  chosenDirectory,
  describeReport,
  directoryOptions,
  dryRunOption,
  reportDocument,
  runOnStore,
  type StoreTask,
} from './store-command.ts';

export const backupCommand: OperatorCommand = {
  name: 'backup',
  description: "copy one server's raft store into a checked file, also while its conductor runs",
  kind: 'own',
  options: [
    ...directoryOptions,
    { flags: '--to <file>', doc: 'the file to make, or the folder for conductor-<id>-<time>.db (default: this one)' },
    dryRunOption,
  ],
  details: `Reads the store of a server on this machine without stopping its conductor,
checks every entry of the copy, and only then gives it its name. Never
overwrites a file; refuses when the disk has no room for it. The file holds the
log, the votes, the membership and the server id: keep it as safe as the server.
A server that is started on it does not vote before a leader has brought it up
to date: see conductor restore.`,
  examples: ['conductor backup --data-dir /var/lib/conductor/node-1 --to /backup'],
  run: (task) => runOnStore(task, restoreAdvice, (about) => backup(task, about)),
};

async function backup({ flags, output }: OperatorTask, { isDryRun, signal, progress }: StoreTask): Promise<number> {
  const { directory, serverId } = chosenDirectory(flags);
  const to = target(textOf(flags, 'to') ?? '.', `conductor-${serverId}-${stamp(new Date())}.db`);
  const onProgress = ({ pass, bytes, ofBytes }: CopyProgress): void =>
    progress(pass === 1 ? 'reading the store' : `reading what changed meanwhile, pass ${pass}`, bytes, ofBytes);
  const { path, bytes, report } = await createBackup({ directory, to, isDryRun, signal, onProgress });
  if (report === null) {
    output.json({ event: 'end', outcome: 'planned', exitCode: exitCodes.done, path, bytes });
    output.line(`would write about ${megabytes(bytes)} to ${path}; nothing was changed`);
    return exitCodes.done;
  }
  output.json({ event: 'end', outcome: 'done', exitCode: exitCodes.done, path, bytes, store: reportDocument(report) });
  output.line(`backed up server ${report.serverId}: ${describeReport(report)}`);
  output.line(`to ${path}, ${megabytes(bytes)}, every entry checked`);
  return exitCodes.done;
}

/** A folder is given a file of that name. */
function target(path: string, name: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, name) : path;
}

/** 20260102T030405Z: sorts by time, and goes into any file name. */
function stamp(time: Date): string {
  return time.toISOString().replace(/\.\d+|[-:]/g, '');
}
