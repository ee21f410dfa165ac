/**
 * Deploying to one server: the command of the cluster file, or somebody who is asked to, and then waiting until the
 * server is well again. Taken back by the server's rollback command when that does not happen.
 */
import { whySecond } from './advice.ts';
import { leaderOf, seen, sequencingServers, type ClusterView } from './cluster-view.ts';
import { survivesLossOf } from './quorum.ts';
import type { ServerConfig } from './cluster-config.ts';
import { askToDeploy, runDeployment } from './deployment.ts';
import { whyBehind } from './eligibility.ts';
import { Following } from './following.ts';
import type { Journal } from './journal.ts';
import type { Output } from './output.ts';
import type { Step } from './step.ts';

/** Longest wait for a server to be well after its deployment: it may have to fetch blocks. */
const WELL_MS_MAX = 10 * 60_000;

export interface Deployment {
  readonly server: ServerConfig;
  readonly output: Output;
  /** Its commands run in its folder. */
  readonly clusterFile: string;
  /** Added to the environment of the commands. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Those of the rollback command where they are others. */
  readonly variablesBack?: Readonly<Record<string, string>>;
  /** Why it must not be deployed to now, as a sentence; null when it may. */
  whyNot(view: ClusterView): string | null;
  /** What that looks at, for a plan. */
  readonly asks: string;
  /** What is still wrong with it, in a few words; null when it is well. */
  whyUnwell(view: ClusterView): string | null;
}

/** A deployment as a step; `mark` is how it is known later that it was done. */
export function deployStep(
  { server, output, clusterFile, variables = {}, variablesBack = variables, whyNot, asks, whyUnwell }: Deployment,
  mark: { readonly journalKey: string } | { isDone(view: ClusterView): boolean },
): Step {
  const command = server.deploy;
  const following = new Following(server);
  const whyNobody = (): string | null => (command === null && !output.canAsk ? whyNobodyDeploys(server) : null);
  const whyNotBack = (view: ClusterView): string | null => whyUnwell(view) ?? following.whyNot(view);
  return {
    title: `deploy to ${server.id}`,
    isDone: () => false,
    ...mark,
    isUnseen: true,
    guard: (view) => whyNobody() ?? whyNot(view),
    foresee: whyNobody,
    asks,
    execute: (_, limits) =>
      command === null
        ? askToDeploy(output, `deploy to ${server.id}`, limits)
        : runDeployment({ command, server, variables, output, clusterFile }, limits),
    settled: (view) => whyNotBack(view) === null && ('isDone' in mark ? mark.isDone(view) : true),
    progress: (view) => whyNotBack(view) ?? '',
    deadlineMs: WELL_MS_MAX,
    stopsSequencing: false,
    ...(server.rollback === null
      ? {}
      : {
          undo: {
            title: `take the deployment to ${server.id} back`,
            isNeeded: () => true,
            execute: (_, limits) => {
              const back = { command: server.rollback!, variables: variablesBack };
              return runDeployment({ ...back, server, output, clusterFile }, limits);
            },
          },
        }),
  };
}

/** For a server of a cluster in charge: it must not lead, and the others must be able to go on without it. */
export function deployBesideOthers(
  deployment: Pick<Deployment, 'server' | 'output' | 'clusterFile' | 'variables' | 'variablesBack'>,
  mark: Parameters<typeof deployStep>[1],
): Step {
  const { server } = deployment;
  return deployStep(
    {
      ...deployment,
      whyNot: (view) => whyNotNow(view, server),
      asks: 'it neither leads nor sequences, the others are a majority without it, and it would start no second sequencer',
      whyUnwell: (view) => whyBehind(view, server),
    },
    mark,
  );
}

/** How a journal calls the deployment to a server. */
export function deploymentKey({ id }: ServerConfig): string {
  return `deploy ${id}`;
}

/** Whether an earlier run deployed to it. */
export function isDeployed(journal: Journal, server: ServerConfig): boolean {
  return journal.read(deploymentKey(server)) === 'done';
}

function whyNotNow(view: ClusterView, server: ServerConfig): string | null {
  const { id } = seen(view, server);
  if (leaderOf(view)?.id === id) return `${id} leads`;
  if (sequencingServers(view).some(({ config }) => config === server)) return `${id} sequences`;
  // Its conductor acts as soon as it runs again.
  return whyNeeded(view, server) ?? whySecond(view, { kind: 'act', server: seen(view, server) });
}

/** Why it must not be down for a while, whoever leads; null when the others are enough. */
export function whyNeeded(view: ClusterView, server: ServerConfig): string | null {
  const { id } = seen(view, server);
  return survivesLossOf(view, id)
    ? null
    : `while ${id} is down too few voters would answer to reach a majority; bring the others back first`;
}

function whyNobodyDeploys({ id }: ServerConfig): string {
  return `the cluster file has no deploy command for ${id} and there is no terminal to ask on; write deploy = "…"`;
}
