/**
 * Blocks again at the op-node that sequenced before, when the one that was to follow it does not. The latter may have
 * been told to start and be frozen: it would build, too, as soon as it wakes. So first it says that it has stopped, or
 * its process is gone; until then nothing is started.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import { messageOf } from '#conductor/core/errors';
import { whySecond } from './advice.ts';
import type { ServerConfig } from './cluster-config.ts';
import { seen, type ClusterView } from './cluster-view.ts';
import { keepStopped, STOP_MS_MAX } from './keep-stopped.ts';
import type { NodeClient } from './node-client.ts';
import type { BlockHead } from './node-state.ts';
import type { ClusterAccess } from './observe.ts';
import { isRefusedConnection, isUnanswered } from './rpc-endpoint.ts';
import type { StepLimits } from './step.ts';

/** Longest wait for the other to say that it has stopped, milliseconds: somebody may have to end it. */
const STOPPED_MS_MAX = 10 * 60_000;
/** A process that is restarted refuses connections for a moment; one that does for this long is gone, milliseconds. */
const GONE_MS = 2000;
/** Longest wait for the last blocks to arrive, milliseconds. */
const BLOCKS_MS_MAX = 20_000;
const LOOK_EVERY_MS = 250;
const ANSWER_MS_MAX = 2500;

export interface WayBack {
  /** Who sequenced before, and is to again. */
  readonly from: ServerConfig;
  /** Who was to sequence instead. */
  readonly to: ServerConfig;
  /** Whether `to` may have been told to start. */
  readonly isTold: boolean;
}

/**
 * Resolves when `from` was told to sequence on the highest block, with the blocks of `to` that were given up for it and
 * with what `to` needs before it is started, if there is any of it. Rejects with what has to be done by hand.
 */
export async function bringBack(access: ClusterAccess, way: WayBack, limits: StepLimits): Promise<string | void> {
  const end = way.isTold ? await untilIdle(access, way, limits) : 'stopped';
  const { head, given } = await untilAtHead(access, way, limits);
  await nodeOf(access, way.from).startSequencer(head.hash);
  const watched = { node: nodeOf(access, way.to), id: way.to.id, besideId: way.from.id };
  const left = end === 'may begin' ? await keepStopped(watched, limits) : null;
  const cost = `given up: ${given === 1 ? '1 block' : `${given} blocks`} above ${head.number} that only ${way.to.id} had`;
  const texts = [given > 0 ? cost : null, left].filter((text) => text !== null);
  if (texts.length > 0) return texts.join('; ');
}

/** The client of a server's op-node; throws where the cluster file names none. */
export function nodeOf(access: ClusterAccess, server: ServerConfig): NodeClient {
  const node = access.node(server);
  if (node === null) throw new Error(`the cluster file names no op-node of ${server.id}: write node = "http://…"`);
  return node;
}

/** What is known of an op-node that does not sequence now. One whose process is gone may begin by itself when it is back. */
type Idle = 'stopped' | 'may begin';

/** Until `to` does not sequence: by its word, or because it does not run. */
async function untilIdle(access: ClusterAccess, { from, to }: WayBack, limits: StepLimits): Promise<Idle> {
  const deadlineMs = monotonicMs() + (limits.timeoutMs ?? STOPPED_MS_MAX);
  const node = nodeOf(access, to);
  let refusedSinceMs: number | null = null;
  for (;;) {
    const end = await stop(node);
    if (end.kind !== 'unknown') return end.kind;
    const nowMs = monotonicMs();
    if (!isRefusedConnection(end.why)) refusedSinceMs = null;
    else if (nowMs - (refusedSinceMs ??= nowMs) >= GONE_MS) return 'may begin';
    const standing = `${to.id} was told to sequence and does not say that it has stopped (${messageOf(end.why)})`;
    if (limits.isStopped() || nowMs >= deadlineMs)
      throw new Error(
        `${standing}, so ${from.id} was not started beside it and no blocks are made: end the op-node of ${to.id}, then give the same command again`,
      );
    limits.tell(`${standing}; blocks go on at ${from.id} as soon as it does, or once you have ended its op-node`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function stop(node: NodeClient): Promise<{ kind: Idle } | { kind: 'unknown'; why: unknown }> {
  try {
    await node.stopSequencer(STOP_MS_MAX);
    return { kind: 'stopped' };
  } catch (error) {
    if (isUnanswered(error)) return { kind: 'unknown', why: error };
    // It refuses where nothing is to be stopped: one that was restarted does so a moment before it begins.
    const isSequencing = await node.state(ANSWER_MS_MAX).then(
      (state) => state.isSequencing,
      () => null,
    );
    return isSequencing === false ? { kind: 'may begin' } : { kind: 'unknown', why: error };
  }
}

/** Until `from` has the highest block that anybody has, but for one that stays with `to` alone, and no third builds. */
async function untilAtHead(
  access: ClusterAccess,
  { from, to }: WayBack,
  limits: StepLimits,
): Promise<{ readonly head: BlockHead; readonly given: number }> {
  const deadlineMs = monotonicMs() + Math.min(BLOCKS_MS_MAX, limits.timeoutMs ?? BLOCKS_MS_MAX);
  for (;;) {
    const view = await access.observe();
    const own = seen(view, from).node?.unsafeHead ?? null;
    const isLate = limits.isStopped() || monotonicMs() >= deadlineMs;
    const ahead = aheadOf(view, own).filter((server) => !isLate || server !== to);
    const second = whySecond(view, { kind: 'start', server: seen(view, from), stopped: [seen(view, to)] });
    if (own !== null && ahead.length === 0 && second === null)
      return { head: own, given: Math.max(0, (seen(view, to).node?.unsafeHead?.number ?? 0) - own.number) };
    const why =
      own === null
        ? `the op-node of ${from.id} does not tell its head`
        : (second ??
          `blocks of ${ahead.map(({ id }) => id).join(', ')} have not reached ${from.id}, which is at ${own.number}`);
    if (isLate) throw new Error(why);
    limits.tell(why);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Whose op-nodes have more blocks. */
function aheadOf(view: ClusterView, own: BlockHead | null): readonly ServerConfig[] {
  const further = view.servers.filter(({ node }) => (node?.unsafeHead?.number ?? -1) > (own?.number ?? -1));
  return further.map(({ config }) => config);
}
