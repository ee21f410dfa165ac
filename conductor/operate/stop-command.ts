/** `conductor stop`: ends the conductor of one server, leadership first; its op-node goes on without sequencing. */
import { whatToFindOut } from './advice.ts';
import { leaderOf, memberOf, seen, type ClusterView } from './cluster-view.ts';
import type { ServerConfig } from './cluster-config.ts';
import { whyNeeded } from './deploy-step.ts';
import { transferAwayStep } from './leadership-step.ts';
import type { ClusterAccess } from './observe.ts';
import type { OperatorCommand } from './operator-command.ts';
import { whyUnreachable } from './pause-steps.ts';
import { buildingOf, unknownBuilders } from './sequencers.ts';
import { findServer } from './server-names.ts';
import type { Step } from './step.ts';

/** A leader hands over and stops its sequencer before it ends, which takes a few blocks, milliseconds. */
const END_MS_MAX = 30_000;

export const stopCommand: OperatorCommand = {
  name: 'stop',
  description: 'end the conductor of a server, leadership first',
  arguments: [{ name: '<id>', doc: 'a server whose conductor answers' }],
  kind: 'procedure',
  details: `Hands leadership away when the server has it, then tells its conductor to end.
Refuses when too few of the other voters would answer to reach a majority, and
while its op-node builds blocks, or is silent: then find out, and say so with
--idle. It stays a member. What supervises the process
may start it again: to keep it down, stop it there.`,
  examples: ['conductor stop node-3 --dry-run', 'conductor stop node-3'],
  async run({ words: [name = ''], access, execute }) {
    const view = await access.observe();
    const { id, config } = findServer(view, name);
    const isMember = memberOf(view, id) !== null;
    return execute({
      title: `stop the conductor of ${id}`,
      steps: [...(isMember ? [transferAwayStep(access, id)] : []), stopStep(access, config, id)],
      command: ['stop', id],
      journal: null,
      afterwards: [`what supervises the conductor of ${id} may start it again: to keep it down, stop it there`],
    });
  },
};

/** The process ends; nothing is started by it, and nothing that builds is left alone. */
export function stopStep(access: ClusterAccess, config: ServerConfig, id: string): Step {
  const hasEnded = (view: ClusterView): boolean => seen(view, config).conductor?.isStopped === true;
  return {
    title: `tell the conductor of ${id} to end`,
    isDone: hasEnded,
    guard: (view) => whyUnreachable(view, config) ?? whyNotStopping(view, config),
    foresee: (view) => whyUnreachable(view, config) ?? (memberOf(view, id) === null ? null : whyNeeded(view, config)),
    asks: 'it answers, neither leads nor builds, and the others are a majority without it',
    execute: () => access.conductor(config).stop(),
    // It ends after its answer.
    settled: (view) => hasEnded(view) || seen(view, config).conductor === null,
    progress: () => `waiting for the conductor of ${id} to end`,
    deadlineMs: END_MS_MAX,
    stopsSequencing: false,
  };
}

function whyNotStopping(view: ClusterView, config: ServerConfig): string | null {
  const server = seen(view, config);
  const { id } = server;
  if (leaderOf(view)?.config === config) return `${id} leads`;
  if (buildingOf(server) === 'builds')
    return `the op-node of ${id} builds blocks, and nobody would look after it: stop its sequencer first (admin_stopSequencer)`;
  const unknown = unknownBuilders(view).filter((one) => one.id === id);
  if (unknown.length > 0) return whatToFindOut(unknown);
  return memberOf(view, id) === null ? null : whyNeeded(view, config);
}
