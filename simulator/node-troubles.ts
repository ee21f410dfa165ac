/** What may be wrong with one rollup node: counted, so that faults overlap and end in any order. */

const none = {
  /** op-node's process, and the execution client's. */
  nodeDown: 0,
  executionDown: 0,
  /** Answers come this much later. */
  slowMs: 0,
  /** Neither builds nor inserts. */
  stalled: 0,
  /** op-node's process is stopped: it takes what comes, and does nothing until it goes on. */
  frozen: 0,
  /** Its executor waits for L1: it neither builds nor inserts, and answers no order. */
  fetching: 0,
  /** Its event loop waits for one answer, which its sequencer does not need: it inserts and tells nothing new. */
  deriving: 0,
  /** Next commits that are made twice, at the same time. */
  doubledCommits: 0,
  /** Refuses to start. */
  unprovisioned: 0,
  /** Next stops that fail, and stops after which one more block is built. */
  failingStops: 0,
  lateBlocks: 0,
  /** Next answers to commits that are lost, and what was sealed with them: a reset seals another block. */
  lostAnswers: 0,
  /** Next commits whose connection breaks when the conductor has got them: they are made again. */
  brokenConnections: 0,
  /** Next payloads of its conductor that it drops. */
  droppedPosts: 0,
  /** Own blocks whose gossip is lost, and how late the others come. */
  lostGossip: 0,
  lateGossipMs: 0,
  /** rollup-boost answers "partial", or that it is down, or nothing. */
  partialBoost: 0,
  boostDown: 0,
  boostHangs: 0,
  /** Some reads are answered with an error, of op-node and of its client. */
  nodeErrors: 0,
  clientErrors: 0,
  /** So are some orders, which are not carried out, and calls of its client's engine API. */
  refusedOrders: 0,
  engineErrors: 0,
  /** No node is connected to it, as it says. */
  lonely: 0,
  /** One node is connected to it, and one to its client: as many as are needed. */
  onePeer: 0,
  /** Nobody is connected to its execution client, as that says. */
  lonelyClient: 0,
};

/** Faults of one node that are under way, each counted. */
export type NodeTroubles = typeof none;

/** Nothing is wrong. */
export function noNodeTroubles(): NodeTroubles {
  return { ...none };
}

/** Whether the next time counts as one of so many that go wrong; one less is left then. */
export function takeOne(faults: NodeTroubles, which: keyof NodeTroubles): boolean {
  if (faults[which] === 0) return false;
  faults[which]--;
  return true;
}
