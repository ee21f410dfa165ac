/**
 * `conductor repair`: where a committed block stops the chain, shows who stands where, and does the one thing that is
 * safe, through the log. What it does is seen in the next look, so it keeps no journal: another run goes on by itself.
 */
import { span } from '#conductor/cli/terminal/text-line';
import { leaderOf, type ClusterView } from './cluster-view.ts';
import type { Block } from './cluster-nodes.ts';
import { leaderNodes, named, shortHash, standingOf } from './disputes.ts';
import { exitCodes } from './exit-codes.ts';
import { transferStep } from './leadership-step.ts';
import type { ClusterAccess } from './observe.ts';
import { RefusedError, type OperatorCommand } from './operator-command.ts';
import type { Output } from './output.ts';
import { planRepair, whyNotGivingUp, type RepairPlan } from './repair-plan.ts';
import type { Step } from './step.ts';
import { viewDocument } from './view-document.ts';

/** From the operator's word to a block in its place: a start of the sequencer and a block time, milliseconds. */
const GIVE_UP_MS_MAX = 30_000;

export const repairCommand: OperatorCommand = {
  name: 'repair',
  description: 'get the chain going again where a committed block stops it',
  kind: 'procedure',
  isForEmergencies: true,
  details: `Shows the committed head, where each op-node and each execution client stands,
what they say about the block that is in the way, and who would have to say what
before the conductors act by themselves. Then proposes one way: leadership goes
to a server that has the block, or the leader gives the block up and builds in
its place. Refuses while a server that answers has the block or stands on it,
while a safe chain reaches it, unless the nodes prove that it is dead and only
--consensus.rollback=refuse leaves it to you; and whenever a second sequencer
could be running: of a server that is silent, find out and say so with --idle. A
client of a server that is silent may have the block: bring that server back
rather, where it can be.`,
  examples: ['conductor repair --dry-run', 'conductor repair --idle node-3'],
  async run({ access, output, execute }) {
    const view = await access.observe();
    const plan = planRepair(view);
    tellStandings(output, view);
    output.json({ event: 'standings', ...viewDocument(view), plan });
    if (plan.kind === 'refused' || plan.kind === 'restart') throw new RefusedError(plan.why);
    if (plan.kind === 'nothing') {
      output.labelled('·', `nothing to repair: ${plan.why}`, 2);
      output.json({ event: 'end', outcome: 'done', exitCode: exitCodes.done, reason: plan.why });
      return exitCodes.done;
    }
    output.labelled('→', `${plan.why}.`, 2);
    if (plan.kind === 'giveUp' && plan.silent.length > 0) output.labelled('!', maybeSeen(plan.silent), 2);
    output.line();
    return execute({
      title: plan.kind === 'transfer' ? `hand leadership to ${plan.to}` : `give up ${named(plan.block)}`,
      steps: [repairStep(access, plan)],
      command: ['repair'],
      journal: null,
    });
  },
};

function repairStep(access: ClusterAccess, plan: Extract<RepairPlan, { kind: 'transfer' | 'giveUp' }>): Step {
  return plan.kind === 'transfer' ? transferStep(access, plan.to) : giveUpStep(access, plan.block);
}

/** Has the leader build in the place of a committed block. */
export function giveUpStep(access: ClusterAccess, block: Block): Step {
  const isDone = (view: ClusterView): boolean => {
    const givenUp = leaderNodes(view)?.givenUp ?? null;
    return givenUp?.hash === block.hash && givenUp.isDone;
  };
  return {
    title: `give up ${named(block)} and build in its place`,
    isDone,
    guard: (view) => (isDone(view) ? null : whyNotGivingUp(view, block)),
    asks: 'the leader acts, nobody else builds or is silent, and the nodes prove it, or no server that answers has the block, stands on it or has it in its safe chain',
    async execute(view) {
      const leader = leaderOf(view);
      if (leader !== null) await access.conductor(leader.config).giveUp(block);
    },
    settled: isDone,
    progress: () => `waiting for another block at height ${block.number}`,
    deadlineMs: GIVE_UP_MS_MAX,
    stopsSequencing: true,
  };
}

/** The committed head, and below it one line for each server. */
function tellStandings(output: Output, view: ClusterView): void {
  const nodes = leaderNodes(view);
  const committed = nodes?.committed ?? null;
  const validated = committed?.isValidated === true ? ', found valid by the leader that committed it' : '';
  const head = committed === null ? 'no committed block is known' : `committed: ${named(committed)}${validated}`;
  output.line([span(head, 'strong')]);
  for (const server of view.servers) {
    for (const line of output.paragraph('      ', `  ${server.id}: ${standingText(view, server)}`))
      output.line(line.slice(4));
  }
  for (const { why, isProved } of nodes?.disputed ?? []) if (!isProved) output.labelled('!', why, 2);
}

function maybeSeen(silent: readonly string[]): string {
  const whose = silent.length > 1 ? 'their clients' : 'its client';
  return `${silent.join(' and ')} ${silent.length > 1 ? 'are' : 'is'} silent: ${whose} may have the block, and users may have seen it. Bring back what can be brought back first.`;
}

function standingText(view: ClusterView, server: ClusterView['servers'][number]): string {
  const standing = standingOf(view, server);
  if (standing === null || standing.ageMs === null)
    return server.conductor === null ? `does not answer: ${server.whySilent}` : 'says nothing of its node';
  const { node, client, safe, verdict, refuses, ageMs } = standing;
  const at = (head: Block | null): string => (head === null ? 'unknown' : `${head.number} ${shortHash(head.hash)}`);
  return `op-node ${at(node)}, client ${at(client)}, safe ${safe ?? 'unknown'}: ${refuses === null || verdict !== 'unknown' ? verdict : 'refused, which proves nothing of a client that died'}, ${(ageMs / 1000).toFixed(1)} s ago`;
}
