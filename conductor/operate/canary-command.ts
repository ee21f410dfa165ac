/**
 * `conductor canary`: the procedure of the Conductor page for deployments with conductors in charge. One follower gets
 * the new release and leads for a while; only then do the others get it.
 */
import { whySecond } from './advice.ts';
import { blocksSince, leaderOf, memberOf, serverOf, type ClusterView } from './cluster-view.ts';
import { deploymentKey } from './deploy-step.ts';
import {
  beginningOf,
  deploymentDependencies,
  deploySteps,
  freshOption,
  noteBeginning,
  resumeOnceBack,
  type DeploymentDependencies,
} from './deployment-order.ts';
import { runDeployment } from './deployment.ts';
import { bestSuccessor, whyNoSuccessor } from './eligibility.ts';
import { transferStep } from './leadership-step.ts';
import { OperatorUsageError, RefusedError, textOf, type OperatorCommand } from './operator-command.ts';
import type { Flags } from './command-flags.ts';
import { findServer } from './server-names.ts';
import type { ServerConfig } from './cluster-config.ts';
import type { ClusterAccess } from './observe.ts';
import { skippedOnce, type Step, type Undo } from './step.ts';
import { until } from './until.ts';

const GRACE_SECONDS = 30;
const GRACE_SECONDS_MAX = 86_400;
/** Beyond the grace period, for elections and for a block to come, milliseconds. */
const WATCH_MARGIN_MS = 20_000;
/** Longest wait for leadership to go back, milliseconds. */
const BACK_MS_MAX = 15_000;
/** Where the journal notes that the candidate has led for long enough. */
const WATCHED = 'watched';

export const canaryCommand: OperatorCommand = {
  name: 'canary',
  description: 'deploy to one follower, let it lead for a while, then deploy to the others',
  arguments: [{ name: '[id]', doc: 'the follower that begins; without it the fittest' }],
  options: [
    { flags: '--grace <seconds>', doc: `how long it leads before the others get it (default ${GRACE_SECONDS})` },
    { flags: '--leader <id>', doc: 'who leads at the end; without it the one that began' },
    freshOption,
  ],
  kind: 'procedure',
  details: `Needs a cluster file. Deploys as "conductor rolling" does, see its --help, first
to one follower, which then takes leadership. If it loses leadership, calls its
sequencer unhealthy or its blocks do not go on within the grace period,
leadership goes back to the former leader, the server's rollback command is run,
and nothing is deployed to the others. The same command goes on where it
stopped; --fresh begins again.`,
  examples: ['conductor canary node-3 --dry-run', 'conductor canary --grace 120 --yes'],
  async run(task) {
    const view = await task.access.observe();
    const candidate = candidateOf(view, task.words[0]);
    const dependencies = deploymentDependencies(task, { name: `canary ${candidate.id}`, view });
    const beginning = beginningOf(dependencies, view, candidate);
    const { leader } = beginning;
    if (candidate === leader)
      throw new RefusedError(`${leader.id} leads; the first to be deployed to must be a follower`);
    const graceMs = graceMsOf(task.flags);
    const last = textOf(task.flags, 'leader');
    if (last !== undefined) findServer(view, last);
    const undo = takeBack(dependencies, candidate, leader);
    const others = task.config.servers.filter((server) => server !== candidate && server !== leader);
    return task.execute({
      title: `deploy to ${candidate.id}, let it lead for ${graceMs / 1000} s, then deploy to the others`,
      steps: [
        ...deploySteps(dependencies, beginning, candidate),
        { ...transferToCandidate(dependencies, candidate), undo },
        { ...watchStep(candidate, graceMs), undo },
        ...[...others, leader].flatMap((server) => deploySteps(dependencies, beginning, server)),
        ...(last === undefined ? [] : [transferStep(task.access, last)]),
      ],
      command: [
        'canary',
        candidate.id,
        '--grace',
        String(graceMs / 1000),
        ...(last === undefined ? [] : ['--leader', last]),
      ],
      journal: dependencies.journal,
      begin: () => noteBeginning(dependencies, beginning),
    });
  },
};

/** A follower by name; else the best eligible one. Throws RefusedError when nobody is eligible. */
function candidateOf(view: ClusterView, name: string | undefined): ServerConfig {
  if (name !== undefined) return findServer(view, name).config;
  const leader = leaderOf(view)?.id ?? '';
  const id = bestSuccessor(view, leader);
  if (id === null) throw new RefusedError(whyNoSuccessor(view, leader));
  return findServer(view, id).config;
}

/** It leads only until it was watched: later it may have handed on. */
function transferToCandidate({ task, journal }: DeploymentDependencies, { id }: ServerConfig): Step {
  return skippedOnce(transferStep(task.access, id), () => journal.read(WATCHED) === 'done');
}

function watchStep({ id }: ServerConfig, graceMs: number): Step {
  let begun: { readonly atMs: number; readonly height: number } | null = null;
  const heightOf = (view: ClusterView): number => serverOf(view, id)?.node?.unsafeHead?.number ?? 0;
  return {
    title: `see ${id} lead and build blocks for ${graceMs / 1000} s`,
    journalKey: WATCHED,
    isDone: () => false,
    guard: (view) => (leaderOf(view)?.id === id ? null : `${id} does not lead`),
    asks: 'it leads',
    execute(view) {
      begun = { atMs: view.atMs, height: heightOf(view) };
      return Promise.resolve();
    },
    settled: (view) =>
      begun !== null && view.atMs - begun.atMs >= graceMs && leaderOf(view)?.id === id && heightOf(view) > begun.height,
    broken: (view) => whyNotLeading(view, id),
    progress: (view) => blocksSince(begun?.height ?? null, serverOf(view, id)),
    deadlineMs: graceMs + WATCH_MARGIN_MS,
    stopsSequencing: false,
  };
}

/** Leadership goes back to who had it, and the candidate to what it ran before. */
function takeBack(
  { task, journal, clusterFile }: DeploymentDependencies,
  candidate: ServerConfig,
  leader: ServerConfig,
): Undo {
  const { access, output } = task;
  const { rollback } = candidate;
  return {
    title: `hand leadership back to ${leader.id}${rollback === null ? '' : ` and take the deployment to ${candidate.id} back`}`,
    isNeeded: () => true,
    async execute(_, limits) {
      await handBack(access, candidate.id, leader.id);
      if (rollback === null) return;
      // Noted first: half taken back is not deployed.
      journal.note(deploymentKey(candidate), 'taken back');
      await runDeployment({ command: rollback, server: candidate, variables: {}, output, clusterFile }, limits);
      await resumeOnceBack(access, candidate);
    },
  };
}

/** Until somebody else than `from` leads: `to`, unless it is not able to. Rejects when that takes too long. */
async function handBack(access: ClusterAccess, from: string, to: string): Promise<void> {
  const isHandedBack = async (): Promise<boolean> => {
    const view = await access.observe();
    const leader = leaderOf(view);
    if (leader !== null && leader.id !== from) return true;
    const member = memberOf(view, to);
    // Refused while a hand-over is under way: asked again.
    if (leader !== null && member !== null && whySecond(view, { kind: 'lead', id: member.id }) === null)
      await access
        .conductor(leader.config)
        .transferTo(member)
        .catch(() => undefined);
    return false;
  };
  await until(isHandedBack, BACK_MS_MAX, `leadership did not go back to ${to}`);
}

function whyNotLeading(view: ClusterView, id: string): string | null {
  const leader = leaderOf(view);
  if (leader !== null && leader.id !== id) return `${leader.id} leads instead of ${id}`;
  return serverOf(view, id)?.conductor?.isHealthy === false ? `${id} calls its sequencer unhealthy` : null;
}

function graceMsOf(flags: Flags): number {
  const text = textOf(flags, 'grace') ?? String(GRACE_SECONDS);
  const seconds = Number(text.replace(/s$/, ''));
  if (text.trim() === '' || !(seconds > 0) || seconds > GRACE_SECONDS_MAX)
    throw new OperatorUsageError(`--grace must be seconds, more than 0 and at most ${GRACE_SECONDS_MAX}`);
  return seconds * 1000;
}
