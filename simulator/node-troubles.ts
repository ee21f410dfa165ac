/** What may be wrong with one rollup node: counted, so that faults overlap and end in any order. */

/** Faults of one node that are under way, each counted. */
export interface NodeTroubles {
  /** op-node's process, and the execution client's. */
  nodeDown: number;
  executionDown: number;
  /** Answers come this much later. */
  slowMs: number;
  /** Neither builds nor inserts. */
  stalled: number;
  /** op-node's process is stopped: it takes what comes, and does nothing until it goes on. */
  frozen: number;
  /** Its executor waits for L1: it neither builds nor inserts, and answers no order. */
  fetching: number;
  /** Its event loop waits for one answer, which its sequencer does not need: it inserts and tells nothing new. */
  deriving: number;
  /** Next commits that are made twice, at the same time. */
  doubledCommits: number;
  /** Refuses to start. */
  unprovisioned: number;
  /** Next stops that fail, and stops after which one more block is built. */
  failingStops: number;
  lateBlocks: number;
  /** Next answers to commits that are lost, and what was sealed with them: a reset seals another block. */
  lostAnswers: number;
  /** Next commits whose connection breaks when the conductor has got them: they are made again. */
  brokenConnections: number;
  /** Next payloads of its conductor that it drops. */
  droppedPosts: number;
  /** Own blocks whose gossip is lost, and how late the others come. */
  lostGossip: number;
  lateGossipMs: number;
  /** rollup-boost answers "partial", or that it is down, or nothing. */
  partialBoost: number;
  boostDown: number;
  boostHangs: number;
  /** Some reads are answered with an error, of op-node and of its client. */
  nodeErrors: number;
  clientErrors: number;
  /** So are some orders, which are not carried out, and calls of its client's engine API. */
  refusedOrders: number;
  engineErrors: number;
  /** No node is connected to it, as it says. */
  lonely: number;
  /** One node is connected to it, and one to its client: as many as are needed. */
  onePeer: number;
  /** Nobody is connected to its execution client, as that says. */
  lonelyClient: number;
}

/** Nothing is wrong. */
export function noNodeTroubles(): NodeTroubles {
  return {
    nodeDown: 0,
    executionDown: 0,
    slowMs: 0,
    stalled: 0,
    frozen: 0,
    fetching: 0,
    deriving: 0,
    doubledCommits: 0,
    unprovisioned: 0,
    failingStops: 0,
    lateBlocks: 0,
    lostAnswers: 0,
    brokenConnections: 0,
    droppedPosts: 0,
    lostGossip: 0,
    lateGossipMs: 0,
    partialBoost: 0,
    boostDown: 0,
    boostHangs: 0,
    nodeErrors: 0,
    clientErrors: 0,
    refusedOrders: 0,
    engineErrors: 0,
    lonely: 0,
    onePeer: 0,
    lonelyClient: 0,
  };
}

/** Whether the next time counts as one of so many that go wrong; one less is left then. */
export function takeOne(faults: NodeTroubles, which: keyof NodeTroubles): boolean {
  if (faults[which] === 0) return false;
  faults[which]--;
  return true;
}
