/**
 * Watches an op-node that was told to sequence and ended before it could be told to stop. Its admin state still says
 * that it sequences, and decides over --sequencer.stopped: whenever it is started again, it builds beside the other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#conductor/adapters/clock/clock';
import type { NodeClient } from './node-client.ts';
import type { StepLimits } from './step.ts';

/** Longest wait for it to come back, milliseconds. */
const COMES_BACK_MS_MAX = 10 * 60_000;
/** Its RPC answers a moment before it begins by itself: one that is idle for this long stays so, milliseconds. */
const IDLE_MS = 5000;
const LOOK_EVERY_MS = 250;
const ANSWER_MS_MAX = 2500;
/** Longest wait for one answer to being told to stop, which takes up to a block, milliseconds. */
export const STOP_MS_MAX = 5000;

interface Watched {
  readonly node: NodeClient;
  /** Who may build beside whom. */
  readonly id: string;
  readonly besideId: string;
}

/** Monotonic milliseconds, and a pause. */
interface Time {
  nowMs(): number;
  sleep(ms: number): Promise<unknown>;
}

/**
 * Stops `node` if it comes back sequencing. Null when it is certain not to begin by itself; else, at the deadline or
 * when somebody ends it, what has to be done by hand before it is started.
 */
export async function keepStopped(
  { node, id, besideId }: Watched,
  limits: StepLimits,
  time: Time = { nowMs: monotonicMs, sleep },
): Promise<string | null> {
  const deadlineMs = time.nowMs() + (limits.timeoutMs ?? COMES_BACK_MS_MAX);
  const howToStart = 'with --sequencer.stopped and without the file of its OP_NODE_RPC_ADMIN_STATE';
  let idleSinceMs: number | null = null;
  for (;;) {
    // What fails is asked again: blocks go on either way.
    const isSequencing = await node.state(ANSWER_MS_MAX).then(
      (state) => state.isSequencing,
      () => null,
    );
    if (isSequencing === true && (await isStoppedNow(node))) return null;
    const nowMs = time.nowMs();
    if (isSequencing !== false) idleSinceMs = null;
    else if (nowMs - (idleSinceMs ??= nowMs) >= IDLE_MS) return null;
    if (limits.isStopped() || nowMs >= deadlineMs)
      return `the op-node of ${id} was ended while it was to sequence: start it again only ${howToStart}, or it builds beside ${besideId}`;
    limits.tell(
      `${besideId} sequences again; watching until the op-node of ${id} is back and idle: start it ${howToStart}`,
    );
    await time.sleep(LOOK_EVERY_MS);
  }
}

/** An op-node that sequenced and says that it has stopped has written that down. */
function isStoppedNow(node: NodeClient): Promise<boolean> {
  return node.stopSequencer(STOP_MS_MAX).then(
    () => true,
    () => false,
  );
}
