/**
 * Moving sequencing between two op-nodes by hand, where no conductor does it: stop the old one, wait until the new
 * one has its last block, start there. Started again at the old one when that fails: the chain goes on in any case.
 */
import { whatToFindOut } from './advice.ts';
import { bringBack, nodeOf } from './bring-back.ts';
import type { ServerConfig } from './cluster-config.ts';
import { highestHead, seen, sequencingServers, type ClusterView } from './cluster-view.ts';
import { whyNotAtHead } from './eligibility.ts';
import { Following } from './following.ts';
import type { Journal } from './journal.ts';
import type { NodeClient } from './node-client.ts';
import type { ClusterAccess } from './observe.ts';
import { isUnanswered } from './rpc-endpoint.ts';
import { buildingOf, dangerOf } from './sequencers.ts';
import { waitStep, type Step } from './step.ts';
import { until } from './until.ts';

/** Longest wait for the new node to get the next block, before the old one is stopped, milliseconds. */
const NEXT_BLOCK_MS_MAX = 60_000;
/** Longest wait for the last block to arrive at the new node, milliseconds. */
const LAST_BLOCK_MS_MAX = 20_000;
const NODE_MS_MAX = 2500;
const MOVE_MS_MAX = 60_000;
/** Blocks by which the new node may be behind before the old one is stopped: a few are always on their way. */
export const MOVE_LAG_BLOCKS_MAX = 3;
/** Where the journal keeps the hash of the last block of the old sequencer, and that the new one was told to start. */
const LAST_BLOCK = 'last block';
const TOLD = 'told to start';

export interface Move {
  /** Who sequences now, or did before an earlier run was interrupted; null when nobody does. */
  readonly from: ServerConfig | null;
  readonly to: ServerConfig;
  readonly journal: Journal | null;
  /** Why it must not be done, beyond what the nodes say; null when it may. */
  whyNot(view: ClusterView): string | null;
}

/** `moveSequencingStep`, once `to` follows. */
export function moveSequencingSteps(access: ClusterAccess, move: Move): Step[] {
  const step = moveSequencingStep(access, move);
  const { from, to } = move;
  return from === null ? [step] : [{ ...followStep(from, to), guard: (view) => step.guard(view) }, step];
}

/** Sequencing at `to`, and nowhere else. */
function moveSequencingStep(access: ClusterAccess, { from, to, journal, whyNot }: Move): Step {
  const isThere = (view: ClusterView): boolean => {
    const ids = sequencingServers(view).map(({ config }) => config);
    return ids.length === 1 && ids[0] === to;
  };
  /** This procedure stopped the old one, in this run or an earlier one: it has to start one, too. */
  let isStopped = false;
  /** And told the new one to start, which may have happened. */
  let isTold = false;
  const tell = async (hash: string): Promise<void> => {
    isTold = true;
    journal?.note(TOLD, to.id);
    try {
      await nodeOf(access, to).startSequencer(hash);
    } catch (error) {
      isTold = isUnanswered(error);
      throw error;
    }
  };
  return {
    title: from === null ? `start sequencing on ${to.id}` : `move sequencing from ${from.id} to ${to.id}`,
    isDone: isThere,
    guard: (view) => whyNot(view) ?? (isBrokenOff(view) ? null : whyNotMoving(view, from, to)),
    foresee: (view) => whyNeverMoving(view, from, to),
    asks: `no other op-node sequences or is silent, and that of ${to.id} is not more than ${MOVE_LAG_BLOCKS_MAX} blocks behind`,
    async execute(view) {
      const isBuilding = from !== null && seen(view, from).node?.isSequencing === true;
      isStopped = !isBuilding && journal !== null && journal.read(LAST_BLOCK) !== null;
      isTold = isStopped && journal?.read(TOLD) === to.id;
      // Refused now, it is undone: an earlier run left the chain without blocks.
      const why = isBrokenOff(view) ? whyNotMoving(view, from, to) : null;
      if (why !== null) throw new Error(why);
      const hash = await lastBlock(access, view, { from, journal, onStopped: () => (isStopped = true) });
      await untilHeld(nodeOf(access, to), { hash, id: to.id });
      await tell(hash);
    },
    settled: isThere,
    progress: () => `waiting for ${to.id} to sequence`,
    deadlineMs: MOVE_MS_MAX,
    stopsSequencing: true,
    undo: {
      title: `start sequencing on ${from?.id ?? to.id} again`,
      isNeeded: (view) => isStopped && from !== null && sequencingServers(view).length === 0,
      execute: (_, limits) => (from === null ? Promise.resolve() : bringBack(access, { from, to, isTold }, limits)),
    },
  };

  /** An earlier run stopped the old one, and nobody builds since. */
  function isBrokenOff(view: ClusterView): boolean {
    const isIdle = from !== null && seen(view, from).node?.isSequencing === false;
    return isIdle && (journal?.read(LAST_BLOCK) ?? null) !== null && sequencingServers(view).length === 0;
  }
}

/** Seeing that blocks reach `to`, before `from` is stopped for it. */
function followStep(from: ServerConfig, to: ServerConfig): Step {
  const following = new Following(to);
  const whyNot = (view: ClusterView): string | null =>
    seen(view, from).node?.isSequencing === true ? following.whyNot(view) : null;
  return waitStep({
    title: `see ${to.id} get blocks from ${from.id}`,
    isDone: (view) => whyNot(view) === null,
    progress: (view) => whyNot(view) ?? '',
    deadlineMs: NEXT_BLOCK_MS_MAX,
  });
}

/** Hash on which the new sequencer goes on; the old one is stopped for it, unless an earlier run did. */
async function lastBlock(
  access: ClusterAccess,
  view: ClusterView,
  { from, journal, onStopped }: Pick<Move, 'from' | 'journal'> & { onStopped(): void },
): Promise<string> {
  if (from !== null && seen(view, from).node?.isSequencing === true) {
    let hash: string;
    try {
      hash = await nodeOf(access, from).stopSequencer();
    } catch (error) {
      // Without an answer it may have stopped.
      if (isUnanswered(error)) onStopped();
      throw error;
    }
    onStopped();
    journal?.note(LAST_BLOCK, hash);
    return hash;
  }
  const hash = journal?.read(LAST_BLOCK) ?? highestHead(view)?.hash;
  if (hash === undefined) throw new Error('no op-node tells its head');
  return hash;
}

async function untilHeld(node: NodeClient, { hash, id }: { hash: string; id: string }): Promise<void> {
  const isHeld = async (): Promise<boolean> => (await node.state(NODE_MS_MAX)).unsafeHead?.hash === hash;
  await until(isHeld, LAST_BLOCK_MS_MAX, `the last block, ${hash}, did not arrive at ${id}`);
}

/** What stands in the way whatever is done to `to` before: whoever builds beside `from`, and URLs that are not known. */
function whyNeverMoving(view: ClusterView, from: ServerConfig | null, to: ServerConfig): string | null {
  const unnamed = [to, ...(from === null ? [] : [from])].find(({ node }) => node === null);
  if (unnamed !== undefined) return `the cluster file names no op-node of ${unnamed.id}: write node = "http://…"`;
  const others = sequencingServers(view).filter(({ config }) => config !== from && config !== to);
  return others.length === 0 ? null : `${others.map(({ id }) => id).join(' and ')} sequences, too`;
}

function whyNotMoving(view: ClusterView, from: ServerConfig | null, to: ServerConfig): string | null {
  const target = seen(view, to);
  if (target.node === null) return `the op-node of ${to.id} does not answer: ${target.whyNodeSilent}`;
  const others = sequencingServers(view).filter(({ config }) => config !== from);
  if (others.length > 0) return `${others.map(({ id }) => id).join(' and ')} sequences, too`;
  const stopped = from === null ? [] : [seen(view, from)].filter((one) => buildingOf(one) === 'builds');
  const danger = dangerOf(view, { kind: 'start', server: target, stopped });
  if (danger !== null) return whatToFindOut(danger.unknown);
  return whyNotStarting(view, to) ?? whyNotAtHead(view, target, MOVE_LAG_BLOCKS_MAX);
}

/** Why the op-node of a server would refuse to sequence: one with a conductor enabled asks it whether it leads. */
export function whyNotStarting(view: ClusterView, server: ServerConfig): string | null {
  const { id, node, conductor, whySilent } = seen(view, server);
  if (node?.isConductorEnabled !== true || conductor?.claimsLeader === true) return null;
  const why = conductor === null ? `does not answer: ${whySilent}` : 'does not lead';
  return `the op-node of ${id} has its conductor enabled (OP_NODE_CONDUCTOR_ENABLED) and sequences only while that leads, but it ${why}; with the conductors in charge (conductor status says whether they may be resumed) conductor canary ${id} or conductor transfer ${id} hands leadership over`;
}
