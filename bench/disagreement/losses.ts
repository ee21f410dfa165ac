/** Acts in which a server or several lose programs, or programs stop answering, though nobody disagrees; measured as in acts.ts. */
import { pause } from '../../tests/cluster/wait.ts';
import type { RealNode } from '../realnet/real-node.ts';
import { DOWN_MS, ROUND_MS_MAX, type Act } from './acts.ts';
import type { Stage } from './stage.ts';

const SLOW_MS = 60_000;
const SLOW_ANSWER_MS = 600;
/** Alarms are read so often. */
const ALARM_LOOK_MS = 500;
/** How a client's head may differ from the chain's and be level. */
const LEVEL_BLOCKS = 1;
const NOT_COMMITTED = 'failed to commit unsafe payload to conductor';

/** Something happens to the leader at once, and blocks must go on. */
export function leaderLoses(harm: (leader: RealNode) => Promise<void> | void): Act {
  return async (stage) => {
    const sinceMs = performance.now();
    await harm(stage.leader);
    return { ms: await stage.gap(sinceMs, sinceMs + ROUND_MS_MAX) };
  };
}

/** The leader's client answers all but hands out no block. */
export const headStands: Act = async (stage) => {
  const sinceMs = performance.now();
  stage.order([stage.leader], { failsToSeal: true });
  return { ms: await stage.gap(sinceMs, sinceMs + ROUND_MS_MAX) };
};

/** The leader's engine API takes requests and answers none, while the rest of its client answers all. */
export const engineHangs: Act = async (stage) => {
  const sinceMs = performance.now();
  stage.order([stage.leader], { hangs: true });
  return { ms: await stage.gap(sinceMs, sinceMs + ROUND_MS_MAX) };
};

/**
 * All machines lose power: conductors, op-nodes and clients, of which each is started again and again as by its
 * supervisor. The time from the last client's answer to the next block, and until all clients are level.
 */
export const allMachinesLosePower: Act = async (stage) => {
  const { nodes } = stage.net;
  await Promise.all(nodes.flatMap(({ conductor, opNode, geth }) => [conductor.kill(), opNode.kill(), geth.kill()]));
  await pause(DOWN_MS);
  // op-node ends where its client does not answer yet.
  const answeredMs = await stage.startClients(nodes);
  stage.superviseAll();
  const ms = await returned(stage, answeredMs, (sinceMs) => stage.chain.firstAfter(sinceMs) !== null);
  return { ms, thenMs: await returned(stage, answeredMs, () => areAllLevel(stage)) };
};

/** A power cut of all clients; the time from the last one's answer to the next block, restarts by alarm included. */
export const allClientsKilled: Act = async (stage) => {
  await Promise.all(stage.net.nodes.map((node) => node.geth.kill()));
  await pause(DOWN_MS);
  const answeredMs = await stage.startClients(stage.net.nodes);
  const ms = await returned(stage, answeredMs, (sinceMs) => stage.chain.firstAfter(sinceMs) !== null);
  return { ms, thenMs: await returned(stage, answeredMs, () => areAllLevel(stage)) };
};

/** The time from its answer until the client of a follower is level with the chain; `then` is the longest gap. */
export const followersClientKilled: Act = async (stage) => {
  const follower = stage.others[0] as RealNode;
  const sinceMs = performance.now();
  await follower.geth.kill();
  await pause(DOWN_MS);
  const answeredMs = await stage.startClients([follower]);
  const ms = await returned(stage, answeredMs, () => isLevel(stage, follower));
  return { ms, thenMs: stage.chain.longestGapMs(sinceMs) };
};

/** The client is asked itself: what was seen of it may be of before. */
function isLevel(stage: Stage, node: RealNode): Promise<boolean> {
  return node.head().then(
    (head) => head >= stage.chain.head - LEVEL_BLOCKS,
    () => false,
  );
}

async function areAllLevel(stage: Stage): Promise<boolean> {
  return (await Promise.all(stage.net.nodes.map((node) => isLevel(stage, node)))).every(Boolean);
}

/** Time until it holds from `answeredMs`, or from the answer of the last client that an alarm had started again. */
async function returned(
  stage: Stage,
  answeredMs: number,
  holds: (sinceMs: number) => boolean | Promise<boolean>,
): Promise<number> {
  let sinceMs = answeredMs;
  while (performance.now() < sinceMs + ROUND_MS_MAX) {
    if (await stage.until(() => holds(sinceMs), performance.now() + ALARM_LOOK_MS)) return performance.now() - sinceMs;
    sinceMs = (await stage.obeyAlarms()) ?? sinceMs;
  }
  return Infinity;
}

/** Every client executes slowly for a minute. A commit that op-node could not make is a fault. */
export const allClientsSlow: Act = async (stage) => {
  const missed = (): number =>
    stage.net.nodes.reduce((sum, { opNode }) => sum + opNode.log().split(NOT_COMMITTED).length - 1, 0);
  const [before, sinceMs] = [missed(), performance.now()];
  stage.order(stage.net.nodes, { delayMs: SLOW_ANSWER_MS });
  await pause(SLOW_MS);
  const failed = missed() - before;
  if (failed > 0) stage.faults.push(`${failed} commits failed`);
  return { ms: stage.chain.longestGapMs(sinceMs) };
};
