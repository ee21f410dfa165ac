/** `conductor leave`: a server goes out of the cluster, leadership first. */
import { memberOf, membershipOf } from './cluster-view.ts';
import { leaveSteps } from './membership-steps.ts';
import { nearest } from '#conductor/cli/nearest';
import { OperatorUsageError, type OperatorCommand } from './operator-command.ts';

export const leaveCommand: OperatorCommand = {
  name: 'leave',
  description: 'take a server out of the cluster, leadership first',
  arguments: [{ name: '<id>', doc: 'a member; it need not run' }],
  kind: 'procedure',
  details: `Hands leadership away when the server has it, then removes it. Refuses when
too few of the remaining voters would answer to reach a majority, or when one
of them calls its sequencer unhealthy. Afterwards stop its conductor: it goes
on asking for votes that nobody counts.`,
  examples: ['conductor leave node-3'],
  async run({ words: [id = ''], access, execute }) {
    const view = await access.observe();
    const { members } = membershipOf(view);
    if (memberOf(view, id) === null && members.length > 0 && !view.servers.some((server) => server.id === id)) {
      const known = members.map((member) => member.id);
      const meant = nearest(id, known);
      throw new OperatorUsageError(
        `there is no member "${id}"; ${meant === null ? `members are ${known.join(', ')}` : `did you mean ${meant}?`}`,
      );
    }
    return execute({
      title: `take ${id} out of the cluster`,
      steps: leaveSteps(access, id),
      command: ['leave', id],
      journal: null,
      afterwards: [`stop the conductor of ${id}`],
    });
  },
};
