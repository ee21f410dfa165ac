/** `conductor transfer`: leadership, and with it sequencing, to another server. */
import { howToEndOverride } from './advice.ts';
import { leaderOf, memberOf, serverOf } from './cluster-view.ts';
import { bestSuccessor, whyNoSuccessor } from './eligibility.ts';
import { transferStep } from './leadership-step.ts';
import { OperatorUsageError, RefusedError, type OperatorCommand } from './operator-command.ts';
import { quorumRefusal } from './quorum.ts';
import { buildingOf } from './sequencers.ts';
import { findServer } from './server-names.ts';

export const transferCommand: OperatorCommand = {
  name: 'transfer',
  description: 'hand leadership and sequencing to another server',
  arguments: [{ name: '[id]', doc: 'who is to lead; without it the fittest of the others' }],
  kind: 'procedure',
  details: `Refuses a server that could not sequence: one that does not answer, is paused,
unhealthy, not ready, behind, or no voter, and whatever could make a second
sequencer. One that is paused and builds already, under an override, may take
the lead of a leader that does not build; if admin_overrideLeader was called on
its op-node, restart that then: nothing that it builds is committed before.
Waits until the op-node of the new leader, where its URL is known, says that it
sequences, and the old one has stopped. Gives leadership back when that does not
happen and the new leader still has it by this command.`,
  examples: ['conductor transfer node-2', 'conductor transfer --yes --json'],
  async run({ words: [name], access, execute }) {
    const view = await access.observe();
    const refusal = quorumRefusal(view);
    if (refusal !== null) throw new RefusedError(refusal);
    const leader = leaderOf(view)?.id ?? '';
    const to = name ?? bestSuccessor(view, leader);
    if (to === null) throw new RefusedError(whyNoSuccessor(view, leader));
    const id = memberOf(view, to)?.id ?? findServer(view, to).id;
    if (id === '') throw new OperatorUsageError('a server id is not empty');
    const server = serverOf(view, id);
    const buildsAstray = server !== null && id !== leader && buildingOf(server) === 'builds';
    return execute({
      title: `hand leadership to ${id}`,
      steps: [transferStep(access, id)],
      command: ['transfer', id],
      journal: null,
      afterwards: buildsAstray ? [howToEndOverride(id)] : [],
    });
  },
};
