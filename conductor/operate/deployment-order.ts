/** Deploying to all servers of a cluster in charge, one after the other, so that it loses none of them twice. */
import { whySecond } from './advice.ts';
import { begunOn, forgetBegun, whyUnderWay, type BegunDeployment } from './begun-deployment.ts';
import type { ServerConfig } from './cluster-config.ts';
import { leaderOf, seen, serverOf, type ClusterView } from './cluster-view.ts';
import { deployBesideOthers, deploymentKey, isDeployed, whyNeeded } from './deploy-step.ts';
import { BEGUN } from './procedure.ts';
import {
  asIfClear,
  emptyJournal,
  isDamagedJournal,
  journalPath,
  openJournal,
  setAside,
  type Journal,
} from './journal.ts';
import { transferAwayStep } from './leadership-step.ts';
import { resumeStep } from './pause-steps.ts';
import { OperatorUsageError, RefusedError, type OperatorTask } from './operator-command.ts';
import { programOf } from './program.ts';
import type { ClusterAccess } from './observe.ts';
import { skippedOnce, type Step } from './step.ts';
import { until } from './until.ts';

/** Longest wait for a server after its deployment was taken back, milliseconds. */
const BACK_MS_MAX = 30_000;

/** What a procedure that deploys works with: its own journal, and the cluster file beside which that is. */
export interface DeploymentDependencies {
  readonly task: OperatorTask;
  readonly journal: Journal;
  readonly clusterFile: string;
}

/** The cluster when the procedure was begun, maybe by an earlier run. */
export interface Beginning {
  readonly leader: ServerConfig;
  /** Ids of the servers whose conductors were paused: they stay so. */
  readonly paused: readonly string[];
}

/** A procedure that deploys, for its journal. */
export interface DeploymentPlan {
  /** With what it is about: "canary node-2". */
  readonly name: string;
  readonly view: ClusterView;
  /** Whether a server shows that what is to be deployed runs there; left out where none can. */
  isThere?(server: ServerConfig): boolean;
}

/**
 * Throws OperatorUsageError without a cluster file, and RefusedError while a command that an earlier run began still
 * runs. A damaged journal is set aside where the operator begins anew.
 */
export function deploymentDependencies(task: OperatorTask, plan: DeploymentPlan): DeploymentDependencies {
  const { path } = task.config;
  if (path === null)
    throw new OperatorUsageError('it needs a cluster file, which says how to deploy and keeps a journal beside it');
  const file = journalPath(path);
  const isFresh = task.flags['fresh'] === true;
  if (isFresh && isDamagedJournal(file)) {
    const isDryRun = task.flags['dryRun'] === true;
    task.output.complain(
      `the journal ${file} is damaged and ${isDryRun ? 'will be set aside' : `was set aside as ${setAside(file)}`}: whether a deploy command of an earlier run still runs is not known, so look at the servers first`,
    );
    if (isDryRun) return { task, journal: emptyJournal, clusterFile: path };
  }
  seeBegunEnded(task, plan, path);
  const noted = openJournal(file, plan.name);
  return { task, journal: withBegun(isFresh ? asIfClear(noted) : noted, task, path), clusterFile: path };
}

/** Deploying beside a command that still runs could take two servers down, or one server in two ways. */
function seeBegunEnded({ config, flags, output }: OperatorTask, plan: DeploymentPlan, path: string): void {
  for (const server of config.servers) {
    const begun = begunOn(path, server);
    if (begun === null) continue;
    const why = whyUnderWay(server, begun, flags['fresh'] === true);
    if (why !== null) throw new RefusedError(why);
    output.complain(whatIsKnown(plan, server, begun));
    if (plan.isThere?.(server) === true && flags['dryRun'] !== true) forgetBegun(path, server);
  }
}

/** Of a command whose end nobody saw: it may have done all, a part, or nothing of its work. */
function whatIsKnown({ view, isThere }: DeploymentPlan, server: ServerConfig, begun: BegunDeployment): string {
  const next =
    isThere === undefined
      ? 'It is run again in its turn'
      : isThere(server)
        ? 'That is what it was for, so it is not run again'
        : 'That is not what it was for, so it is run again in its turn';
  return [
    `${server.id}: an earlier run ended before "${begun.command}" did, so whether that has succeeded is not known;`,
    `its process, ${begun.pid} on ${begun.host}, is gone. ${standingOf(view, server)}. ${next};`,
    'see first whether it left anything half done.',
  ].join(' ');
}

/** What a server shows of itself now. */
function standingOf(view: ClusterView, server: ServerConfig): string {
  const found = seen(view, server);
  const { id, conductor, whySilent, node } = found;
  if (conductor === null) return `The conductor of ${id} does not answer now: ${whySilent}`;
  const program = programOf(found) ?? 'op-conductor or conductor';
  const head = node?.unsafeHead?.number;
  const parts = [conductor.version ?? '', head === undefined ? '' : `at block ${head}`].filter((text) => text !== '');
  return `${id} answers now as ${[program, ...parts].join(', ')}`;
}

/** What was begun and not seen to its end is not done, whatever was noted before. */
function withBegun(journal: Journal, { config }: OperatorTask, path: string): Journal {
  const servers = new Map(config.servers.map((server) => [deploymentKey(server), server]));
  return {
    ...journal,
    read(key) {
      const server = servers.get(key);
      return server !== undefined && begunOn(path, server) !== null ? BEGUN : journal.read(key);
    },
  };
}

/** For every command that deploys. */
export const freshOption = { flags: '--fresh', doc: 'forget what an earlier run has deployed; begin again' };

/**
 * As an earlier run noted it, if that is still about servers of the file; `candidate` cannot have led then. Throws
 * RefusedError while nobody leads.
 */
export function beginningOf(
  { journal }: DeploymentDependencies,
  view: ClusterView,
  candidate?: ServerConfig,
): Beginning {
  const noted = serverOf(view, journal.read('leader') ?? '');
  if (noted !== null && noted.config !== candidate)
    return { leader: noted.config, paused: (journal.read('paused') ?? '').split('\n') };
  const leader = leaderOf(view);
  if (leader === null) throw new RefusedError('nobody leads; see conductor status');
  const paused = view.servers.filter(({ conductor }) => conductor?.isPaused === true).map(({ id }) => id);
  return { leader: leader.config, paused };
}

/** Keeps it in the journal, because it is different by the end. */
export function noteBeginning({ journal }: DeploymentDependencies, { leader, paused }: Beginning): void {
  journal.note('paused', paused.join('\n'));
  journal.note('leader', leader.id);
}

/** Takes leadership from a server if it has it, deploys to it, and puts its conductor in charge again. */
export function deploySteps(dependencies: DeploymentDependencies, beginning: Beginning, server: ServerConfig): Step[] {
  const { task, journal, clusterFile } = dependencies;
  return inTurn(dependencies, {
    beginning,
    server,
    isDone: () => isDeployed(journal, server),
    deploy: deployBesideOthers({ server, output: task.output, clusterFile }, { journalKey: deploymentKey(server) }),
  });
}

interface Turn {
  readonly beginning: Beginning;
  readonly server: ServerConfig;
  readonly deploy: Step;
  isDone(view: ClusterView): boolean;
  /** What else forbids it, as a sentence; null when nothing does. */
  whyNot?(view: ClusterView): string | null;
}

/** What surrounds a deployment. A conductor that is started with --paused is resumed, unless it was paused before. */
export function inTurn({ task }: DeploymentDependencies, turn: Turn): Step[] {
  const { beginning, server, isDone } = turn;
  const whyNot = (view: ClusterView): string | null => turn.whyNot?.(view) ?? null;
  const deploy = { ...turn.deploy, guard: (view: ClusterView) => whyNot(view) ?? turn.deploy.guard(view) };
  const wasPaused = beginning.paused.includes(server.id);
  const resume = resumeStep(task.access, server, null);
  const away = transferAwayStep(task.access, server.id);
  return [
    // Leadership is not moved for a deployment that has to be refused then.
    skippedOnce({ ...away, guard: (view) => whyNot(view) ?? whyNeeded(view, server) ?? away.guard(view) }, isDone),
    wasPaused ? deploy : inChargeAgain(task.access, server, deploy),
    // It is looked at as the deployment leaves it.
    ...(wasPaused ? [] : [{ ...resume, foresee: () => null, title: `see ${server.id} in charge, not paused` }]),
  ];
}

/**
 * A conductor that is started with --paused may be elected at once: no block will come then before it is resumed, so
 * none is waited for. Taking a deployment back starts one as well.
 */
function inChargeAgain(access: ClusterAccess, server: ServerConfig, deploy: Step): Step {
  const { undo } = deploy;
  const isOver = (view: ClusterView): boolean => deploy.journalKey !== undefined || deploy.isDone(view);
  const holdsUp = (view: ClusterView): boolean => {
    const { conductor, node } = seen(view, server);
    return leaderOf(view)?.config === server && conductor?.isPaused === true && node?.isSequencing === false;
  };
  return {
    ...deploy,
    settled: (view) => deploy.settled(view) || (isOver(view) && holdsUp(view)),
    undo: {
      title: undo?.title ?? `resume ${server.id}`,
      isNeeded: (view) => undo !== undefined || seen(view, server).conductor?.isPaused === true,
      async execute(view, limits) {
        await undo?.execute(view, limits);
        await resumeOnceBack(access, server);
      },
    },
  };
}

/** Waits until its conductor answers, and resumes it if it is paused. Rejects when it does not come back. */
export async function resumeOnceBack(access: ClusterAccess, server: ServerConfig): Promise<void> {
  let isPaused = false;
  let why: string | null = null;
  const isBack = async (): Promise<boolean> => {
    const view = await access.observe();
    const found = seen(view, server);
    isPaused = found.conductor?.isPaused === true;
    why = whySecond(view, { kind: 'act', server: found });
    return found.conductor !== null;
  };
  await until(isBack, BACK_MS_MAX, `the conductor of ${server.id} did not answer`);
  if (!isPaused) return;
  if (why !== null) throw new Error(`${server.id} stays paused: ${String(why)}`);
  await access.conductor(server).resume();
}
