/** `conductor recover`: the majority of a cluster is lost for ever, and it goes on from a disk that survived. */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { join, resolve } from 'node:path';
import { parseHostPort } from '#conductor/adapters/tcp/address';
import { databaseFileName } from '#conductor/adapters/sqlite/directory';
import { CLUSTER_VARIABLE, chooseCluster } from '../cluster-choice.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { exitCodes } from '../exit-codes.ts';
import { OperatorUsageError, textOf, type OperatorCommand, type OperatorTask } from '../operator-command.ts';
import type { Flags } from '../command-flags.ts';
import type { Output } from '../output.ts';
import { answeringConductors, answeringServers } from './answering.ts';
import { recoverStore } from './recover-store.ts';
import { compareLogs, planRecovery, type RecoveryPlan } from './recovery-plan.ts';
import { Refusal } from './refusal.ts';
import { describeReport, dryRunOption, reportDocument, runOnStore, type StoreTask } from './store-command.ts';
import { inspectAll, verifySurvivor, type Survivor } from './survey.ts';

type Planned = Extract<RecoveryPlan, { kind: 'planned' }>;

const damageAdvice =
  'Nothing can be recovered from it: name the other directories and backups that are left, without it.';

export const recoverCommand: OperatorCommand = {
  name: 'recover',
  description: 'when the majority is lost for ever: go on with the best store that survived, as its only voter',
  kind: 'own',
  options: [
    { flags: '--data-dir <paths...>', doc: "the survivors' directories, or backups of them" },
    { flags: '--cluster <file>', doc: `cluster file, to ask the conductors' RPC, too (or ${CLUSTER_VARIABLE})` },
    { flags: '--lost <ids...>', doc: 'these servers are lost, whoever answers at their addresses' },
    { flags: '--address <host:port>', doc: 'raft address of the recovered server, where it has moved' },
    { flags: '--backup <file>', doc: 'where to keep the store as it was (default: beside it)' },
    { flags: '--yes', doc: 'do not ask' },
    dryRunOption,
  ],
  details: `For a cluster whose majority is lost for ever, and only then: it refuses while
the others can still elect a leader. Stop every conductor that is left, and name
the directory of each, or a backup of it; one disk is enough. The one that holds
the most becomes the only voter of the cluster, in one transaction, after a
backup of its store. What was acknowledged by the lost servers alone is lost
with them. Then start it, and add all others again with empty stores: conductor
join. Never start a lost server on its old disk again. Name the cluster file as
well: a server that is only cut off from here is not lost, and would go on
without you. Where blocks cannot wait, conductor_overrideLeader lets one
sequencer make them meanwhile without the log.`,
  examples: [
    'conductor recover --data-dir /var/lib/conductor/node-2',
    'conductor recover --data-dir /var/lib/conductor/node-2 /backup/node-3.db --dry-run',
  ],
  run: (task) => runOnStore(task, damageAdvice, (about) => recover(task, about)),
};

async function recover({ flags, output }: OperatorTask, { isDryRun, signal }: StoreTask): Promise<number> {
  const [paths, lost, address] = [listOf(flags, 'dataDir'), listOf(flags, 'lost'), textOf(flags, 'address') ?? null];
  if (paths.length === 0) throw new OperatorUsageError('which stores survived? Give --data-dir');
  if (address !== null && parseHostPort(address) === null)
    throw new OperatorUsageError(`--address ${address} is not host:port`);
  const survivors = await inspectAll(paths);
  for (const survivor of survivors) await verifySurvivor(survivor, signal);
  tellSurvivors(output, survivors);
  const config = clusterOf(flags);
  const { answering, contradicted } = await livingServers(survivors, lost, config);
  const plan = planRecovery({ survivors, answering, address });
  const document = { stores: survivors.map(({ path, kind, report }) => ({ path, kind, ...reportDocument(report) })) };
  if (plan.kind === 'refused') throw new Refusal('unsafe', plan.message);
  const { serverId } = plan.chosen.report;
  const end = { event: 'end', exitCode: exitCodes.done, ...document, answering, serverId };
  if (plan.kind === 'done') {
    output.json({ ...end, outcome: 'done', isAlready: true });
    output.line(`${serverId} is the only voter already: start it`);
    return exitCodes.done;
  }
  const backup = textOf(flags, 'backup') ?? freeName(resolve(plan.chosen.path));
  const changes = { ...end, contradicted, isAlready: false, term: plan.term, index: plan.index, backup };
  tellPlan(output, plan, backup);
  if (contradicted.length > 0) tellContradicted(output, contradicted);
  if (isDryRun) {
    output.json({ ...changes, outcome: 'planned' });
    output.line('nothing was changed');
    return exitCodes.done;
  }
  if (flags['yes'] !== true && !(await isConfirmed(output, config?.name ?? serverId, signal)))
    throw new Refusal('unsafe', 'It was not confirmed; nothing was changed.');
  await recoverStore({ plan, backup, unixMs: Date.now() });
  const afterwards = nextSteps(plan);
  output.json({ ...changes, outcome: 'done', afterwards });
  const done = `done: ${serverId} is the only voter; its store as it was is ${backup}`;
  for (const line of output.paragraph('', done)) output.line(line);
  for (const [at, text] of afterwards.entries())
    for (const line of output.paragraph(`  ${at + 1}. `, text)) output.line(line);
  return exitCodes.done;
}

/** Values of an option that may be given several times. */
function listOf(flags: Flags, name: string): readonly string[] {
  const value: unknown = flags[name];
  return Array.isArray(value) ? (value as string[]) : [];
}

/** null where no cluster file is named. */
function clusterOf(flags: Flags): ClusterConfig | null {
  const cluster = textOf(flags, 'cluster') ?? process.env[CLUSTER_VARIABLE] ?? '';
  return cluster === '' ? null : chooseCluster({ cluster }, process.env);
}

interface LivingServers {
  /** Members of any survivor's membership that answer, and are neither survivors themselves nor given up. */
  readonly answering: readonly string[];
  /** Those that answer though they were given up. */
  readonly contradicted: readonly string[];
}

async function livingServers(
  survivors: readonly Survivor[],
  lost: readonly string[],
  config: ClusterConfig | null,
): Promise<LivingServers> {
  const own = new Set(survivors.map(({ report }) => report.serverId));
  const members = survivors.flatMap(({ report }) => report.membership.configuration.servers);
  const [listening, conductors] = await Promise.all([
    answeringServers(members.filter(({ id }) => !own.has(id))),
    config === null ? [] : answeringConductors(config),
  ]);
  const living = [...new Set([...listening, ...conductors])];
  return {
    answering: living.filter((id) => !lost.includes(id)),
    contradicted: living.filter((id) => lost.includes(id)),
  };
}

function tellContradicted(output: Output, ids: readonly string[]): void {
  const [name, it] = ids.length > 1 ? [ids.join(' and '), 'they are'] : [ids[0] ?? '', 'it is'];
  output.complain(
    `${name} answer${ids.length > 1 ? '' : 's'}, though --lost says otherwise: if ${it} of this cluster, ${name} may lead and build blocks, and a second chain would begin beside it. Go on only when another program is at that address.`,
  );
}

/** A run that was interrupted may have left its backup. */
function freeName(directory: string): string {
  for (let count = 1; ; count += 1) {
    const path = join(directory, `${databaseFileName}.before-recover${count === 1 ? '' : `-${count}`}`);
    if (!existsSync(path)) return path;
  }
}

function tellSurvivors(output: Output, survivors: readonly Survivor[]): void {
  for (const { path, kind, report } of survivors.toSorted((a, b) => compareLogs(b.report, a.report))) {
    output.line(`${report.serverId}, ${kind} ${path}`);
    output.line(`  ${describeReport(report)}`);
    if (report.isRecovering && kind !== 'backup')
      output.line('  restored or new: it may lack what it acknowledged before');
  }
}

function tellPlan(output: Output, { chosen, configuration, dropped }: Planned, backup: string): void {
  output.line();
  output.line(`${chosen.report.serverId} becomes the only voter, at ${configuration.servers[0]?.address ?? ''}`);
  if (dropped.length > 0) output.line(`given up: ${dropped.map(({ id }) => id).join(', ')}`);
  for (const line of output.paragraph('', `its store as it is now is kept in ${backup}`)) output.line(line);
  output.line('blocks that only the lost servers had acknowledged are lost');
}

function nextSteps({ chosen, configuration, dropped }: Planned): string[] {
  const { serverId, head } = chosen.report;
  const address = configuration.servers[0]?.address ?? '';
  const block = head === null ? 'there is no block in the log' : `the log's head is block ${head.number} ${head.hash}`;
  return [
    `look at the unsafe head of the op-node of ${serverId}: ${block}; blocks it lacks are posted by the conductor, a node on another branch is not started`,
    `see that no other op-node sequences (admin_sequencerActive), also none under an override: the conductor of ${serverId} starts its sequencer as soon as it leads, so with --paused beside one that does`,
    `start the conductor of ${serverId} at ${address} with its usual flags, without --raft.bootstrap; it leads within seconds`,
    ...dropped.map(
      ({ id }) =>
        `${id}: move its raft directory away wherever it still exists, start it empty, then: conductor join ${id}`,
    ),
  ];
}

async function isConfirmed(output: Output, word: string, signal: AbortSignal): Promise<boolean> {
  if (!output.canAsk)
    throw new Refusal('unsafe', 'Nobody can be asked here: run it in a terminal, or add --yes. Nothing was changed.');
  const question = createInterface({ input: process.stdin, output: process.stdout });
  question.on('SIGINT', () => process.emit('SIGINT'));
  try {
    return (await question.question(`Type ${word} to rewrite its membership: `, { signal })).trim() === word;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    question.close();
  }
}
