/** `conductor bootstrap`: from one conductor that leads a cluster of its own to all of them in charge. */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import { bootstrapProcedure, NotYetError } from './bootstrap-procedure.ts';
import { openJournal, journalPath } from './journal.ts';
import { OperatorUsageError, textOf, type OperatorCommand, type OperatorTask } from './operator-command.ts';
import { cutLine, span } from '#conductor/cli/terminal/text-line';
import type { Procedure } from './step.ts';

/** Longest wait for what was restarted, before there is a plan, milliseconds; without a terminal it is said so often. */
const PLANNED_MS_MAX = 2 * 60_000;
const SAID_EVERY_MS = 5000;
const LOOK_EVERY_MS = 500;

export const bootstrapCommand: OperatorCommand = {
  name: 'bootstrap',
  description: 'make a cluster of conductors beside a running sequencer',
  options: [{ flags: '--leader <id>', doc: 'who leads at the end; without it who sequenced before' }],
  kind: 'procedure',
  details: `Needs a cluster file. Deploy first: conductors beside all sequencers, all
started with --paused, one of them, not beside the active sequencer, with
--raft.bootstrap; its op-node with the conductor enabled. The command then
pauses what is not paused, moves sequencing to the bootstrapped server, waits
until the others have their conductors (the op-node that sequenced before needs
its new settings then), adds them as nonvoters, gives them votes, resumes all,
and hands leadership to --leader. Afterwards take both flags away. Conductors
and op-nodes that were restarted a moment ago are waited for, with what they
lack. Refuses when two conductors were bootstrapped, or one belongs to another
cluster. It can be run again.`,
  examples: ['conductor bootstrap --dry-run', 'conductor bootstrap --leader node-1'],
  async run(task) {
    const { config, access, execute, flags } = task;
    if (config.path === null) throw new OperatorUsageError('bootstrap needs a cluster file: ids and raft addresses');
    const journal = openJournal(journalPath(config.path), 'bootstrap');
    const leader = textOf(flags, 'leader') ?? null;
    const isNoted = flags['dryRun'] !== true;
    const plan = async (): Promise<Procedure> =>
      bootstrapProcedure(access, { config, view: await access.observe(), leader, journal, isNoted });
    return execute(isNoted ? await planned(task, plan) : await plan());
  },
};

/** A plan, once what was restarted a moment ago answers. */
async function planned({ output }: OperatorTask, plan: () => Promise<Procedure>): Promise<Procedure> {
  const begunMs = monotonicMs();
  let saidMs = begunMs;
  for (;;) {
    try {
      return await plan();
    } catch (error) {
      const waitedMs = monotonicMs() - begunMs;
      if (!(error instanceof NotYetError) || waitedMs >= PLANNED_MS_MAX) throw error;
      const seconds = Math.round(waitedMs / 1000);
      const of = `${seconds} of ${PLANNED_MS_MAX / 1000} s`;
      output.passing(cutLine([span('  … ', 'accent'), span(`${of}  ${error.message}`)], output.columns - 1));
      if (monotonicMs() - saidMs >= SAID_EVERY_MS) {
        saidMs = monotonicMs();
        output.json({ event: 'waiting', text: error.message, seconds });
        if (!output.isTerminal) output.line(`  … ${error.message} (${of})`);
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
}
