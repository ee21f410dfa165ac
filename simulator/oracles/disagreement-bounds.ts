/**
 * How long the log, op-nodes, execution clients and L1 may disagree before the chain goes on: for each kind, with and
 * without the engine API (`hasEngine`). Gaps are those between two blocks that most clients take.
 */
import { BAD_SEALS_MAX, badSealsOf, disputersOf } from '../builder-faults.ts';
import type { Configuration } from '../configuration.ts';
import type { DisagreementKind } from '../fault-sets.ts';
import type { SimEvent } from '../faults.ts';
import { L1_SECONDS } from '../l1.ts';
import { ASTRAY_MORE_MAX } from '../node-faults.ts';
import { areMost } from '../verdicts.ts';

interface Bound {
  readonly ms: null;
  readonly because: string;
  readonly of: (event: SimEvent, hasEngine: boolean, configuration: Configuration) => number | null;
  /** Changes of leadership that one of them may cost. */
  readonly changesMax: number;
}

function by(of: Bound['of'], because: string, changesMax = 1): Bound {
  return { ms: null, because, of, changesMax };
}

/** Everybody has its turn once, of the largest cluster. */
const EACH_ONCE = 5;
const BLOCK_MS = 1000;
/** Of when a block comes within its slot. */
const JITTER_MS = 100;
/** A refused seal costs its slot and a little more; without a verdict it costs peers' words, too. */
const REFUSED_SEAL_MS = 1300;
const PUBLISHED_SEAL_MS = 4000;
/** Clients that are back are given what they lost within this, and the time that executing it takes. */
const REFILL_MS = 8000;
/** Most blocks that a run has when its clients lose all of them. */
const LOST_BLOCKS_MAX = 60;
/** The chain is as it was when L1 goes on: a block that is due, and jitter. */
const RESUMED_MS = 2500;
/** Nodes and log follow L1 within this. */
const FOLLOWED_MS = 4000;
/** A head that stands while everything answers is noticed by its commits, and leadership goes once. */
const STANDING_MS = 3500;

/** What an operator on call takes: from an alarm to the first look, between looks, and for a client to be restarted. */
export const REACTS_MS = 3000;
export const LOOKS_EVERY_MS = 2000;
export const CLIENT_RESTART_MS = 2000;
/** Who was restarted is given the block and refuses it twice, a second apart; looks come twice a second, and one may be lost. */
const REFUSED_AGAIN_MS = 4000;
/** From an operator's word to a block in its place: a start, its block, and one more try. */
export const givenUpMs = ({ blockSeconds }: Pick<Configuration, 'blockSeconds'>): number => 2000 + 2000 * blockSeconds;
/**
 * From the alarm that names an invalid block to the chain that goes on without it, where all clients that could speak were
 * killed: it is seen to stand, they are restarted, refuse it again, and it is given up. A word is lost with the leadership of
 * whom it was said to, and said again to the next.
 */
export const repairedMs = (configuration: Pick<Configuration, 'blockSeconds'>): number =>
  REACTS_MS + CLIENT_RESTART_MS + REFUSED_AGAIN_MS + 3 * LOOKS_EVERY_MS + 2 * givenUpMs(configuration);

/** How much sooner a silent or standing part of the leader shows, by what answers and commits, than by the age of its head. */
export const watchedBounds = {
  nodeDown: 2200,
  nodeFrozen: 2600,
  executionDown: 2300,
  stall: STANDING_MS,
} as const;

export const disagreementBounds: Readonly<Record<DisagreementKind, Bound>> = {
  badSeal: by(
    ({ amount }, hasEngine) => {
      const seals = badSealsOf(amount);
      return hasEngine ? REFUSED_SEAL_MS * (seals + 1) : PUBLISHED_SEAL_MS * seals;
    },
    'each is refused before it is published, or all nodes are seen to refuse it',
    BAD_SEALS_MAX,
  ),
  badSealBeside: by(
    (_, hasEngine) => (hasEngine ? 2 * REFUSED_SEAL_MS : PUBLISHED_SEAL_MS),
    'it is refused before it is published, or a majority without the one that is down is seen to refuse it',
  ),
  stickySeal: by(
    (_, hasEngine) => (hasEngine ? 2500 : 5000),
    'leadership goes to another builder, or recover mode helps',
  ),
  badBuilder: by((_, hasEngine) => (hasEngine ? 2500 : 5000), 'leadership goes to another builder'),
  badBuilders: by((_, hasEngine) => (hasEngine ? 12_000 : null), 'empty blocks go on, in recover mode', EACH_ONCE),
  disputedSeal: by(({ amount, forMs }, hasEngine, { engine, servers }) => {
    // Where a majority is not asked, what the leader's client takes stands, whoever else refuses it.
    const isUnseen = engine !== 2 && areMost(disputersOf(amount, 2 ** servers - 1), servers);
    return (isUnseen ? forMs : 0) + (hasEngine ? 2 * REFUSED_SEAL_MS : PUBLISHED_SEAL_MS + BLOCK_MS + JITTER_MS);
  }, 'it goes on with whoever takes the block, or without it'),
  clientCrash: by(() => 2300, 'a client that refuses connections is noticed at once'),
  clientsCrash: by(
    ({ forMs }, hasEngine, { executionMs }) => (hasEngine ? forMs + REFILL_MS + LOST_BLOCKS_MAX * executionMs : null),
    'they are given what they lost from the log',
    // Each client goes, and each is back, at a time of its own.
    2 * EACH_ONCE,
  ),
  rackPowerCut: by(() => null, 'more than one machine is concerned: the chain may stop until it is over', Infinity),
  clientFrozen: by(() => 2600, 'a client that answers nothing is noticed at once'),
  engineHangs: by(
    () => 5500,
    'a node that stays below what it has sealed hangs, and leadership goes to one that has it',
  ),
  clientSlow: by(({ amount }) => 2 * BLOCK_MS + 2 * amount, 'blocks come late, and no commit is missed'),
  clientStopping: by(() => 5000, 'what it says is not believed; then it is gone'),
  l1Reorg: by(
    ({ forMs }) => forMs + FOLLOWED_MS,
    'nodes leave the blocks at different times, and the log follows',
    EACH_ONCE,
  ),
  l1Fork: by(
    () => STANDING_MS + BLOCK_MS + L1_SECONDS * 1000,
    'nothing moves, or its blocks are left when op-nodes see the next L1 block, and leadership goes to a node that is with the others',
    // What a leader built there is left when it ends, as after an L1 reorg.
    EACH_ONCE,
  ),
  slowL1: by(({ forMs }) => forMs + RESUMED_MS, 'nobody can do better, and nobody is handed anything'),
  slowBeacon: by(() => BLOCK_MS + JITTER_MS, 'sequencers have a loop of their own', 0),
  safeLag: by(
    ({ forMs }) => forMs + RESUMED_MS,
    'each start is worth one block, and nobody can do better: each has its turn',
    EACH_ONCE,
  ),
  l1Stands: by(({ forMs }) => forMs + RESUMED_MS, 'nobody can do better, and nobody is handed anything'),
  astrayAlone: by(
    ({ amount }) => PUBLISHED_SEAL_MS + JITTER_MS + (amount % (ASTRAY_MORE_MAX + 1)) * BLOCK_MS,
    'leadership goes to a node that holds the block, or it is given it',
  ),
  lostDiskBeside: by(() => null, 'of three no majority is left that may vote', Infinity),
  doubledCommit: by(() => 2500, 'the same block twice is one'),
};
