/** `conductor restore`: puts a backup back as the store of a stopped server, which then waits for a leader. */
import { exitCodes } from '../exit-codes.ts';
import type { OperatorCommand, OperatorTask } from '../operator-command.ts';
import { restoreBackup } from './restore.ts';
import {
  chosenDirectory,
  describeReport,
  directoryOptions,
  dryRunOption,
  reportDocument,
  runOnStore,
  type StoreTask,
} from './store-command.ts';

const damageAdvice = 'Choose another backup, or start the server empty: a leader sends it the log.';

export const restoreCommand: OperatorCommand = {
  name: 'restore',
  description: 'put a backup back as the store of a stopped server, which then waits for a leader',
  kind: 'own',
  arguments: [{ name: '<file>', doc: 'what conductor backup made' }],
  options: [
    ...directoryOptions,
    { flags: '--replace', doc: 'keep the store that is there as conductor.db.before-restore' },
    dryRunOption,
  ],
  details: `A backup is old: since it was made the server may have voted and acknowledged
blocks, and the backup has forgotten both. So a restored server keeps its log,
and neither votes nor campaigns until a leader has brought it up to date, as a
server with a new store. Where no leader is left, see conductor recover. Refuses
while a conductor runs on the directory, the backup of another server or of a
newer release, and a damaged one.`,
  examples: ['conductor restore /backup/conductor-node-1-20260102T030405Z.db --data-dir /var/lib/conductor/node-1'],
  run: (task) => runOnStore(task, damageAdvice, (about) => restore(task, about)),
};

async function restore({ words, flags, output }: OperatorTask, { isDryRun, signal }: StoreTask): Promise<number> {
  const isReplacing = flags['replace'] === true;
  const file = words[0] ?? '';
  const outcome = await restoreBackup({ file, ...chosenDirectory(flags), isReplacing, isDryRun, signal });
  const { database, report, keptAs } = outcome;
  output.json({
    event: 'end',
    outcome: isDryRun ? 'planned' : 'done',
    exitCode: exitCodes.done,
    database,
    keptAs,
    store: reportDocument(report),
  });
  if (isDryRun) {
    output.line(`can be restored: server ${report.serverId}, ${describeReport(report)}`);
    if (keptAs !== null) output.line(`the store that is there would be kept as ${keptAs}`);
    output.line('nothing was changed');
    return exitCodes.done;
  }
  output.line(`restored server ${report.serverId}: ${describeReport(report)}`);
  output.line(`as ${database}`);
  if (keptAs !== null) output.line(`the store that was there is kept as ${keptAs}`);
  output.line();
  output.line('Start its conductor now, without --raft.bootstrap. It counts as a server with a new store: it');
  output.line('neither votes nor campaigns until a leader has brought it up to date. Where the majority is');
  output.line('lost for ever nobody can; then see conductor recover.');
  return exitCodes.done;
}
