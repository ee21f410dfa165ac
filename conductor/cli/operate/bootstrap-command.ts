/** `conductor bootstrap`: from one conductor that leads a cluster of its own to all of them in charge. */
import { bootstrapProcedure } from './bootstrap-procedure.ts';
import { openJournal, journalPath } from './journal.ts';
import { OperatorUsageError, textOf, type OperatorCommand } from './operator-command.ts';

export const bootstrapCommand: OperatorCommand = {
  name: 'bootstrap',
  description: 'make a cluster of conductors beside a running sequencer',
  options: [{ flags: '--leader <id>', doc: 'who leads at the end; without it who sequenced before' }],
  kind: 'procedure',
  details: `Deploy first: conductors beside all sequencers, all started with --paused, one
of them, not beside the active sequencer, with --raft.bootstrap; its op-node
with the conductor enabled. The command then pauses what is not paused, moves
sequencing to the bootstrapped server, waits until the others have their
conductors (the op-node that sequenced before needs its new settings then),
adds them as nonvoters, gives them votes, resumes all, and hands leadership to
--leader. Afterwards take both flags away. Refuses when two conductors were
bootstrapped, or one belongs to another cluster. It can be run again.`,
  examples: ['conductor bootstrap --dry-run', 'conductor bootstrap --leader node-1'],
  async run(task) {
    const { config, access, perform, flags } = task;
    if (config.path === null) throw new OperatorUsageError('bootstrap needs a cluster file: ids and raft addresses');
    const view = await access.observe();
    const journal = openJournal(journalPath(config.path), 'bootstrap');
    const leader = textOf(flags, 'leader') ?? null;
    return perform(bootstrapProcedure(access, { config, view, leader, journal, isNoted: flags['dryRun'] !== true }));
  },
};
