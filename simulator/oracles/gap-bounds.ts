/**
 * How long a fault may keep the chain from going on, kind by kind: the longest time between two published blocks of
 * a cluster of three with blocks of a second, checks every second and an unsafe interval of three, when nothing
 * else happens. Each bound is a sum of what has to pass; a kind without one says why.
 */
import type { Configuration } from '../configuration.ts';
import { usualKinds } from '../fault-sets.ts';
import type { EventKind, SimEvent } from '../faults.ts';
import { disagreementBounds, watchedBounds } from './disagreement-bounds.ts';
import { ASTRAY_MORE_MAX } from '../node-faults.ts';

/** Until the block after the last one is due. */
const BLOCK_MS = 1000;
/** A vote, a read, the start of the sequencer and the block it seals at once, with some catching up; and jitter. */
const TAKEOVER_MS = 500;
/** A silent leader is waited for a heartbeat timeout and its random part; then a round may be lost. */
const SILENCE_MS = 1200;
const LOST_ROUND_MS = 600;
/** Until the next check. */
const CHECK_MS = 1000;
/** A question, or a stop, that is not answered. */
const UNANSWERED_MS = 1000;
/** A head may be so old. */
const UNSAFE_MS = 3000;
/** A wall clock is set back by so much. */
const STEP_MS = 500;

const nothing = BLOCK_MS + TAKEOVER_MS;
/** A block that was on its way is lost, and the next one is the next leader's. */
const gone = 2 * BLOCK_MS + TAKEOVER_MS;
const silent = BLOCK_MS + SILENCE_MS + LOST_ROUND_MS + TAKEOVER_MS;
const unhealthy = BLOCK_MS + CHECK_MS + TAKEOVER_MS;
const stalled = UNSAFE_MS + CHECK_MS + UNANSWERED_MS + TAKEOVER_MS;
/** Starts are tried again after a random pause of up to this, for an unsafe interval; then leadership goes. */
const RETRY_MS = 2000;
/** A job that was refused is offered again after so long. */
const RESEAL_MS = 1000;
/** What a write may take longer. */
const SLOW_WRITE_MS = 1000;
const slow = BLOCK_MS + SLOW_WRITE_MS + LOST_ROUND_MS + TAKEOVER_MS;
/** And one that takes longer than a leader is waited for. */
const LONG_WRITE_MS = 1500;
/** A block beside the committed chain is offered again and again until peers have checked their own heads. */
const REFUSED_MS = 2 * RESEAL_MS;
/** Every head is old then: leadership may be handed on meanwhile, and whoever gets it begins anew. */
const left = BLOCK_MS + 2 * REFUSED_MS + TAKEOVER_MS;
const unstartable = gone + UNSAFE_MS + RETRY_MS + TAKEOVER_MS;

/** A commit has so long until its outcome is unknown; its target is then waited for as long as an election takes, and told past the appends. */
const COMMIT_MS = 5000;
const overdue = BLOCK_MS + COMMIT_MS + UNANSWERED_MS + TAKEOVER_MS;

interface GapBound {
  /** Milliseconds; null when nothing is promised. */
  readonly ms: number | null;
  readonly because: string;
  /** What it adds to the bounds of others, milliseconds: it waits for its sequencer's turn, which another fault brings. */
  readonly addsMs?: number;
  /** It may cost this much under a later fault as well, which brings its sequencer's turn. */
  readonly waits?: true;
  /** Changes of leadership that it may cost, where that is not one. */
  readonly changesMax?: number;
  /** Where it goes by the event, and by whether conductors have the engine API of their clients; null for no promise. */
  readonly of?: (event: SimEvent, hasEngine: boolean, configuration: Configuration) => number | null;
}

function within(ms: number, because: string): GapBound {
  return { ms, because };
}

function unbounded(because: string): GapBound {
  return { ms: null, because };
}

const MANY = 'more than one machine is concerned: the chain may stop until it is over';

export const gapBounds: Readonly<Record<EventKind, GapBound>> = {
  crash: within(gone, 'connections that are closed are noticed at once'),
  ambush: within(gone, 'connections that are closed are noticed at once'),
  tornWrite: within(gone, 'connections that are closed are noticed at once'),
  machineDown: within(gone, 'connections that are closed are noticed at once'),
  lostDisk: within(gone, 'the others are a majority; who comes back votes only when it is brought up to date'),
  lostAndKilled: within(gone + TAKEOVER_MS, 'the next leader posts what its node never heard of'),
  upgrade: within(gone, 'leadership is handed over before the process ends'),
  powerCut: within(silent, 'silence is noticed after a heartbeat timeout'),
  freeze: within(silent, 'silence is noticed after a heartbeat timeout'),
  isolate: within(silent, 'silence is noticed after a heartbeat timeout'),
  partition: within(silent, 'of three machines one is cut off'),
  bridge: within(nothing, 'of three machines two do not reach each other'),
  split: within(nothing, 'the third machine reaches both'),
  cut: within(nothing, 'the third machine reaches both'),
  wrongAddress: within(nothing, 'whoever answers there counts for nobody, and the third machine reaches both'),
  mute: within(silent, 'silence is noticed after a heartbeat timeout'),
  deafen: within(silent, 'a leader that hears no answers steps down within the lease, and says nothing more'),
  clog: within(nothing, 'the other follower is a quorum with the leader'),
  lossy: within(nothing, 'the other follower is a quorum with the leader'),
  reset: within(nothing, 'what was on the way is sent again'),
  resetAll: within(nothing, 'what was on the way is sent again'),
  halfReset: within(nothing, 'what was on the way is sent again'),
  repeat: within(nothing, 'what arrives twice means the same'),
  slowDisk: within(
    slow + RESEAL_MS,
    'a leader that cannot write for longer than its lease steps down; until then blocks wait, and a commit that takes op-node too long is made again',
  ),
  fullDisk: within(gone, 'the first write that fails ends the process, which hands over first'),
  rot: within(gone, 'what rots is behind a snapshot soon, or the process ends'),
  clockStep: within(nothing + STEP_MS, 'the node waits for the time of its block by that clock'),
  clockRate: within(silent, 'a clock that runs ahead may take its leader to be silent'),
  nodeDown: within(watchedBounds.nodeDown, 'the next check fails, and leadership is handed over'),
  executionDown: within(watchedBounds.executionDown, 'the check asks the execution client, too'),
  slowNode: within(unhealthy + UNANSWERED_MS, 'checks that take too long fail'),
  stall: within(watchedBounds.stall, 'the leader commits nothing, and leadership goes once'),
  unprovisioned: within(nothing, 'it matters to a sequencer that is to be started'),
  unprovisionedHeir: within(unstartable, 'a start that fails for an unsafe interval hands leadership on'),
  partialBoost: within(unhealthy, 'the next check fails, and leadership is handed over'),
  rewind: within(
    unhealthy + TAKEOVER_MS,
    'the next check finds that the sequencer has stopped, and the log has what was lost',
  ),
  lostGossip: within(nothing, 'the log has the blocks'),
  lateGossip: within(nothing, 'the log has the blocks'),
  failStop: within(nothing, 'it matters to a sequencer that is to be stopped'),
  lateBlock: within(nothing, 'it matters to a sequencer that is to be stopped'),
  rollback: within(left, 'it is refused until peers have said that their nodes have left the chain, too'),
  lostAnswer: {
    ...within(
      2 * (RESEAL_MS + TAKEOVER_MS) + nothing,
      'another block is refused, and the node is brought to the one that is held',
    ),
    waits: true,
  },
  astray: within(
    stalled + ASTRAY_MORE_MAX * BLOCK_MS,
    'what it offers is refused until its head is too old, or somebody is seen to hold the right one',
  ),
  droppedPost: within(nothing, 'it matters to a sequencer that is to be started'),
  brokenConnection: {
    ...within(gone, 'a block whose commit broke twice is offered again a second later'),
    addsMs: RESEAL_MS,
  },
  pause: within(nothing, 'a paused conductor goes on committing'),
  transfer: within(gone, 'one sequencer is stopped, another one started'),
  transferTo: within(gone, 'one sequencer is stopped, another one started'),
  deafHandOver: within(silent, 'at worst the hand-over is not heard of, and the lease runs out'),
  remove: within(gone, 'a leader that is removed hands over'),
  demote: within(gone, 'a leader that is demoted hands over'),
  burst: within(nothing, 'entries share requests'),
  read: within(nothing, 'reads share heartbeats'),
  allDown: unbounded(MANY),
  upgradeAll: unbounded(MANY),
  swizzle: unbounded(MANY),
  exile: unbounded(MANY),
  schism: unbounded(MANY),
  forgottenVote: unbounded(MANY),
  regicide: unbounded(MANY),
  rivals: unbounded(MANY),
  override: unbounded('the operator stops every sequencer'),
  ...disagreementBounds,
  restored: within(gone, 'the others are a majority, and the leader finds out what is missing'),
  lyingDisk: within(silent, 'the others are a majority, and the leader finds out what is missing'),
  rottenState: within(gone, 'connections that are closed are noticed at once'),
  suspended: within(silent, 'silence is noticed after a heartbeat timeout'),
  leap: unbounded('a node builds by its wall clock: nothing, or blocks of a time that has not come'),
  lonely: within(unhealthy, 'the next check fails, and leadership is handed over'),
  lonelyClient: within(unhealthy, 'the next check fails, and leadership is handed over, where peers are counted'),
  nodeErrors: within(unhealthy, 'the next check fails, and leadership is handed over'),
  clientErrors: within(
    unhealthy,
    'a client that answers anything is there; where its peers are counted, the next check fails',
  ),
  refusedOrders: within(nothing, 'it matters to what has to be started, stopped, given or reset'),
  engineErrors: within(nothing, 'a client that gives no verdict is as one that is late'),
  boostDown: within(unhealthy, 'the next check fails, and leadership is handed over'),
  boostHangs: within(unhealthy + UNANSWERED_MS, 'the next check takes too long, and leadership is handed over'),
  nodeFrozen: within(watchedBounds.nodeFrozen, 'a node that answers nothing is noticed by the block that is missing'),
  hole: within(nothing, 'the other follower is a quorum with the leader'),
  holes: within(
    Math.max(stalled, overdue),
    'a block that is pending is no reason to ask its node before it is overdue; its head may be too old sooner',
  ),
  otherCluster: within(nothing, 'what comes from no member changes nothing'),
  namesakes: within(nothing, 'what does not come from a member’s address changes nothing'),
  onePeer: within(nothing, 'as many peers as are needed are enough'),
  toldToStop: within(gone, 'leadership is handed over before the process ends'),
  moved: within(gone, 'connections that are closed are noticed at once'),
  movedAsNonvoter: within(gone, 'connections that are closed are noticed at once'),
  rebuilt: within(2 * gone, 'a leader that is demoted hands over, and then the others are a majority'),
  startedPaused: within(gone, 'leadership is handed over before the process ends'),
  busy: within(nothing, 'timers that come a little late are borne'),
  retriedInStall: within(
    slow + LONG_WRITE_MS,
    'a leader that cannot write for longer than its lease steps down; until then blocks wait',
  ),
  askedInDoubt: within(silent, 'who stands for longer than its lease may be replaced'),
  allPaused: unbounded('nobody starts a sequencer before the resume'),
  maintenance: unbounded('an operator keeps a leader whose node is down'),
  stoppedByHand: within(nothing + BLOCK_MS, 'it is stopped right before the resume, and started again at once'),
  setAside: within(nothing, 'whoever leads goes on, and hands nothing to it'),
  racingOperators: within(nothing, 'changes that are refused cost nothing'),
  addedAsNonvoter: within(nothing, 'a voter stays one: nothing is changed but the version'),
  crossedOperators: within(2 * gone, 'a leader that is taken out hands over, and so may the next one'),
  hastyOperator: within(gone, 'a leader that is removed hands over'),
  misnamed: within(nothing, 'a change that is refused costs nothing'),
  ask: within(nothing, 'questions are answered at once'),
  askThrough: within(watchedBounds.nodeDown, 'the next check fails, and leadership is handed over'),
  largeBlocks: within(nothing, 'they are validated, sent and written like others'),
  stallingDisk: within(
    slow,
    'a leader that writes for less than its election timeout stays one; until then blocks wait',
  ),
  standing: within(silent, 'silence is noticed after a heartbeat timeout'),
  forgottenTail: unbounded(MANY),
  emergency: unbounded('nothing can be committed until the operator has acted'),
};

/** How long the chain may stand after an event, milliseconds; null when nothing is promised. */
export function boundOf(event: SimEvent, configuration: Configuration): number | null {
  const { ms, of } = gapBounds[event.kind];
  return of === undefined ? ms : of(event, configuration.engine > 0, configuration);
}

/** Usual kinds that have a bound, in the order of the table: random runs are made of them by number. */
export const boundedKinds = (Object.keys(gapBounds) as EventKind[]).filter(
  (kind) => usualKinds.includes(kind) && gapBounds[kind].ms !== null,
);
