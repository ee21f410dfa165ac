/**
 * Bringing a devnet up, step by step with a line for each: the documented procedure of a new
 * cluster (sequencers, bootstrap, join as nonvoters, promote, start sequencing, resume), or the
 * plain restart of one that exists.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '#conductor/core/errors';
import { callConductor as conductor, callSequencer as sequencer } from './actions.ts';
import type { DataDir } from './data-dir.ts';
import { DevnetError } from './options.ts';
import { HOST } from './plan.ts';
import type { NodeProcesses, Supervisor } from './supervisor.ts';
import type { ManagedProcess } from './managed-process.ts';

/** Milliseconds one step may take, and between two looks. */
const STEP_MS_MAX = 30_000;
const LOOK_EVERY_MS = 50;
/** Blocks every node must have before the conductors take over. */
const FIRST_BLOCKS = 2;
/** Lines of a log shown when its process died, and bytes of it looked at. */
const LOG_LINES_SHOWN = 5;

/** What bring-up acts on and talks through. */
export interface BringUp {
  readonly supervisor: Supervisor;
  readonly dataDir: DataDir;
  /** One finished step, in words. */
  readonly say: (line: string) => void;
  /** True once somebody wants to stop. */
  readonly isCancelled: () => boolean;
}

/** Returns when blocks flow under the conductors' control. Throws DevnetError naming the step and the log. */
export async function bringUp(run: BringUp): Promise<void> {
  const { supervisor, dataDir, say } = run;
  for (const node of supervisor.nodes) supervisor.startSequencer(node);
  for (const node of supervisor.nodes) {
    await until(run, node.sequencer, 'to answer', async () => (await sequencer(node, 'optimism_version')) !== null);
  }
  const first = nodeAt(supervisor, 0);
  writeFileSync(dataDir.rollupConfig, JSON.stringify(await sequencer(first, 'optimism_rollupConfig'), null, 2));
  say(`sequencers   up on ports ${supervisor.nodes.map((node) => node.plan.ports.sequencerNode).join(', ')}`);
  if (dataDir.manifest.isFormed) {
    await resumeCluster(run);
  } else {
    await formCluster(run);
    dataDir.markFormed();
  }
}

async function formCluster(run: BringUp): Promise<void> {
  const { supervisor, say } = run;
  const first = nodeAt(supervisor, 0);
  const others = supervisor.nodes.slice(1);
  supervisor.startConductor(first, { isBootstrap: true, isPaused: true });
  await until(run, first.conductor, 'to lead', async () => (await conductor(first, 'conductor_leader')) === true);
  say(`bootstrap    ${first.plan.id} leads a cluster of one`);
  for (const node of others) supervisor.startConductor(node, { isBootstrap: false, isPaused: true });
  for (const node of others) {
    await until(run, node.conductor, 'to answer', async () => (await conductor(node, 'conductor_leader')) === false);
    await join(run, first, node, 'conductor_addServerAsNonvoter');
  }
  for (const node of others) await join(run, first, node, 'conductor_addServerAsVoter');
  say(`membership   ${supervisor.nodes.map((node) => node.plan.id).join(', ')} are voters`);
  const head = await headOf(first);
  await sequencer(first, 'admin_startSequencer', [head.hash]);
  for (const node of supervisor.nodes) {
    await until(run, node.sequencer, 'to follow', async () => (await headOf(node)).number >= FIRST_BLOCKS);
  }
  say(`sequencing   started on ${first.plan.id}, all sequencers follow`);
  for (const node of supervisor.nodes) {
    await until(
      run,
      node.conductor,
      'to find its sequencer healthy',
      async () => (await conductor(node, 'conductor_sequencerHealthy')) === true,
    );
    await conductor(node, 'conductor_resume');
  }
  say('control      resumed on all three');
}

async function resumeCluster(run: BringUp): Promise<void> {
  const { supervisor, say } = run;
  const before = Math.max(
    ...(await Promise.all(supervisor.nodes.map((node) => headOf(node)))).map((head) => head.number),
  );
  for (const node of supervisor.nodes) supervisor.startConductor(node);
  const first = nodeAt(supervisor, 0);
  for (const node of supervisor.nodes) {
    await until(run, node.conductor, 'to answer', async () => (await conductor(node, 'conductor_paused')) !== null);
  }
  await until(run, first.conductor, 'to see a leader', async () => {
    const leads = await Promise.all(supervisor.nodes.map((node) => conductor(node, 'conductor_leader')));
    return leads.includes(true);
  });
  say('conductors   up, a leader is elected');
  await until(run, first.sequencer, `to pass block ${before}`, async () => {
    const heads = await Promise.all(supervisor.nodes.map((node) => headOf(node)));
    return heads.some((head) => head.number > before);
  });
  say(`sequencing   goes on after block ${before}`);
}

/** Adds a server, with the membership version that was just read. */
async function join(run: BringUp, leader: NodeProcesses, node: NodeProcesses, method: string): Promise<void> {
  const address = `${HOST}:${node.plan.ports.raft}`;
  await until(run, node.conductor, `to be added (${method})`, async () => {
    const membership = await conductor(leader, 'conductor_clusterMembership');
    const version = (membership as { version?: unknown } | null)?.version ?? 0;
    await conductor(leader, method, [node.plan.id, address, version]);
    return true;
  });
}

/** Repeats a look until it is true; a throw counts as not yet. */
async function until(run: BringUp, child: ManagedProcess, what: string, look: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + STEP_MS_MAX;
  let reason = 'it never was so';
  while (performance.now() < deadline) {
    if (run.isCancelled()) throw new DevnetError('interrupted while starting');
    for (const node of run.supervisor.nodes) {
      refuseDead(node.sequencer);
      refuseDead(node.conductor);
    }
    try {
      if (await look()) return;
    } catch (error) {
      reason = messageOf(error);
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
  throw new DevnetError(
    `waited ${STEP_MS_MAX / 1000} s in vain for ${child.name} ${what}: ${reason}.\nIts log is ${child.logPath}${logEnd(child.logPath)}`,
  );
}

function refuseDead(child: ManagedProcess): void {
  if (child.state.kind === 'down') {
    throw new DevnetError(
      `${child.name} ${child.state.reason} while starting.\nIts log is ${child.logPath}${logEnd(child.logPath)}`,
    );
  }
}

function logEnd(path: string): string {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN);
  return lines.join('') === '' ? '' : `, which ends:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

async function headOf(node: NodeProcesses): Promise<{ number: number; hash: string }> {
  const status = (await sequencer(node, 'optimism_syncStatus')) as { unsafe_l2: { number: number; hash: string } };
  return status.unsafe_l2;
}

function nodeAt(supervisor: Supervisor, index: number): NodeProcesses {
  const node = supervisor.nodes[index];
  if (node === undefined) throw new RangeError(`there is no node ${index}`);
  return node;
}
