/**
 * The rows of the disagreement benchmark as data: what is done, on which clusters, how often, and how long the chain may
 * stand. Bounds are those of the design; where there is none the time is told.
 */
import type { RealNode } from '../realnet/real-node.ts';
import type { Act } from './acts.ts';
import {
  blockRefused,
  derivationWaits,
  fullBlockRefused,
  fullBlocksInvalid,
  invalidSeals,
  l1IsSilent,
  leaderDiesAstray,
  leaderKilledAfterBadCommit,
  leaderRefusesAll,
  leaderReturnsAfterBadCommit,
  oneL1Astray,
  originLost,
  repairedAfterBadCommit,
} from './acts.ts';
import type { ClusterName } from './clusters.ts';
import {
  allClientsKilled,
  allClientsSlow,
  allMachinesLosePower,
  engineHangs,
  followersClientKilled,
  headStands,
  leaderLoses,
} from './losses.ts';

export interface Limit {
  /** Rounds of a whole run. */
  readonly rounds: number;
  readonly atMostMs?: number;
  /** Of the second time, where there is one. */
  readonly thenAtMostMs?: number;
}

export interface Row {
  readonly title: string;
  readonly act: Act;
  /** What is measured, in words. */
  readonly measure: string;
  /** So many of the newest blocks may rightly be given up: two hashes at their heights are no fault. */
  readonly givenUpMax?: number;
  /** Who is to lead, where it is not all the same: the last node has an L1 client of its own. */
  readonly leads?: 'the last' | 'any but the last';
  readonly on: Partial<Readonly<Record<ClusterName, Limit>>>;
}

const SLOT_MS = 1000;
const GAP = 'longest gap';
/** Rounds of a base row, and of its variants. */
const BASE = 20;
const FEW = 5;
/** Of a side that dies of it, or takes minutes. */
const TWO = 2;

const followers = ({ others }: { readonly others: readonly RealNode[] }): readonly RealNode[] => others;
const told = { rounds: TWO };
/** What is built on an L1 block in the two slots until it is lost, and until that is seen. */
const GIVEN_UP_MAX = 6;
/** What is built on an L1 that the others do not have, in eight seconds and until that is seen. */
const GIVEN_UP_ASTRAY_MAX = 16;

const invalidBlocks: readonly Row[] = [
  {
    ...{ title: 'one invalid block', act: invalidSeals({ seals: 1 }), measure: GAP },
    on: {
      // Its own slot, and 1.3 s after that.
      validated: { rounds: BASE, atMostMs: SLOT_MS + 1300 },
      quorum: { rounds: FEW, atMostMs: SLOT_MS + 1300 },
      five: { rounds: FEW, atMostMs: SLOT_MS + 1300 },
      plain: { rounds: BASE, atMostMs: 4000 },
      'one-go': { rounds: FEW, atMostMs: 4000 },
      'two-go': { rounds: FEW, atMostMs: 4000 },
      go: { rounds: FEW },
    },
  },
  {
    ...{ title: 'the same job is invalid every time', act: invalidSeals({ seals: 1, isSticky: true }), measure: GAP },
    on: {
      validated: { rounds: FEW, atMostMs: 2500 },
      plain: { rounds: FEW, atMostMs: 5000 },
      go: { rounds: TWO },
    },
  },
  ...[3, 10].map((seals): Row => ({
    ...{ title: `${seals} invalid blocks, whoever leads`, act: invalidSeals({ seals }), measure: GAP },
    on: {
      validated: { rounds: FEW, atMostMs: 1300 * (seals + 1) },
      plain: { rounds: seals > 3 ? TWO : FEW, atMostMs: 4000 * seals },
      go: told,
    },
  })),
  {
    ...{ title: 'full blocks of all invalid for a minute', act: fullBlocksInvalid },
    measure: 'longest gap, and from the end to a full block',
    on: { validated: { rounds: TWO, atMostMs: 12_000, thenAtMostMs: 40_000 }, go: { rounds: 1 } },
  },
  {
    title: "the leader's conductor and op-node are killed after an invalid commit",
    ...{ act: leaderKilledAfterBadCommit, measure: GAP },
    on: {
      unvalidated: { rounds: FEW, atMostMs: 6000 },
      'five-unvalidated': { rounds: FEW, atMostMs: 6000 },
      plain: { rounds: FEW, atMostMs: 6000 },
      'go-leads': { rounds: FEW, atMostMs: 6000 },
      go: told,
    },
  },
  {
    ...{ title: 'the same where nothing can be proved', act: leaderReturnsAfterBadCommit },
    measure: "from the dead voter's answer to a block",
    on: { blind: { rounds: TWO, atMostMs: 4000 }, 'five-blind': { rounds: TWO, atMostMs: 4000 } },
  },
  {
    ...{ title: 'the same, by conductor repair while it stays away', act: repairedAfterBadCommit },
    measure: 'from the command to a block',
    on: { blind: { rounds: TWO, atMostMs: 8000 } },
  },
];

const refusals: readonly Row[] = [
  {
    ...{ title: 'a follower’s client refuses a block', measure: GAP },
    act: blockRefused(({ others }) => others.slice(0, 1)),
    on: {
      validated: { rounds: FEW, atMostMs: 2500 },
      quorum: { rounds: FEW, atMostMs: 2500 },
      plain: { rounds: TWO, atMostMs: 2500 },
      go: told,
    },
  },
  {
    ...{ title: 'both followers’ clients refuse a block', act: blockRefused(followers), measure: GAP },
    on: {
      validated: { rounds: FEW, atMostMs: 2500 },

      plain: { rounds: TWO, atMostMs: 2500 },
      go: told,
    },
  },
  {
    ...{ title: 'both followers’ clients refuse a full block', act: fullBlockRefused(followers), measure: GAP },
    on: { validated: { rounds: FEW, atMostMs: 2500 }, quorum: { rounds: FEW, atMostMs: 2500 } },
  },
  {
    ...{ title: 'the leader’s client alone refuses blocks', act: leaderRefusesAll, measure: GAP },
    on: {
      validated: { rounds: FEW, atMostMs: 1300 * 3 },
      quorum: { rounds: FEW, atMostMs: 1300 * 3 },
      plain: { rounds: TWO, atMostMs: 8000 },
      go: told,
    },
  },
];

const reorganisations: readonly Row[] = [
  {
    ...{
      title: 'the L1 loses the origin of the newest blocks',
      act: originLost,
      measure: 'longest gap, and until no client has the lost blocks',
      givenUpMax: GIVEN_UP_MAX,
    },
    on: {
      validated: { rounds: FEW, atMostMs: 4000, thenAtMostMs: 4000 },
      'validated-l1': { rounds: FEW, atMostMs: 4000, thenAtMostMs: 4000 },
      plain: { rounds: FEW, atMostMs: 4000, thenAtMostMs: 4000 },
      go: told,
    },
  },
];

const astrayL1: readonly Row[] = [
  {
    ...{ title: 'L1 answers derivation nine seconds late', act: derivationWaits, measure: GAP },
    on: { 'validated-late-l1': told, 'plain-late-l1': told, 'go-late-l1': told },
  },
  {
    ...{ title: 'L1 answers nobody for half a minute', act: l1IsSilent, measure: GAP },
    on: { validated: told, plain: told, go: told },
  },
  {
    ...{ title: 'a follower’s L1 client alone is on another branch', act: oneL1Astray, measure: GAP },
    leads: 'any but the last',
    on: {
      'validated-other-l1': { rounds: FEW, atMostMs: 4000 },
      'plain-other-l1': { rounds: FEW, atMostMs: 4000 },
    },
  },
  {
    ...{ title: 'the leader’s L1 client alone is on another branch', act: oneL1Astray, measure: GAP },
    ...{ leads: 'the last', givenUpMax: GIVEN_UP_ASTRAY_MAX },
    on: {
      'validated-other-l1': { rounds: FEW, atMostMs: 4000 },
      'plain-other-l1': { rounds: FEW, atMostMs: 4000 },
      'go-other-l1': told,
    },
  },
  {
    ...{ title: 'the same, and it dies before its client is back', act: leaderDiesAstray, measure: GAP },
    ...{ leads: 'the last', givenUpMax: GIVEN_UP_ASTRAY_MAX },
    on: {
      'validated-other-l1': { rounds: FEW, atMostMs: 8000 },
      'plain-other-l1': { rounds: FEW, atMostMs: 8000 },
      'go-other-l1': told,
    },
  },
];

const losses: readonly Row[] = [
  {
    ...{ title: 'the leader’s op-geth is killed', act: leaderLoses((leader) => leader.geth.kill()), measure: GAP },
    on: { validated: { rounds: BASE, atMostMs: 2300 }, plain: { rounds: TWO, atMostMs: 2300 }, go: told },
  },
  {
    ...{ title: 'the leader’s op-geth is frozen', act: leaderLoses((leader) => leader.geth.freeze()), measure: GAP },
    on: { validated: { rounds: BASE, atMostMs: 2600 }, plain: { rounds: TWO, atMostMs: 2600 }, go: told },
  },
  {
    ...{ title: 'the leader’s op-node is frozen', act: leaderLoses((leader) => leader.opNode.freeze()), measure: GAP },
    on: { validated: { rounds: BASE, atMostMs: 2200 }, plain: { rounds: TWO, atMostMs: 2200 }, go: told },
  },
  {
    ...{ title: 'the head stands while all answers', act: headStands, measure: GAP },
    on: { validated: { rounds: BASE, atMostMs: 3500 }, plain: { rounds: TWO, atMostMs: 3500 }, go: told },
  },
  {
    ...{ title: 'the leader’s engine API hangs while all else answers', act: engineHangs, measure: GAP },
    on: { validated: { rounds: FEW, atMostMs: 3500 }, plain: { rounds: TWO, atMostMs: 3500 }, go: told },
  },
  {
    ...{ title: 'all machines lose power', act: allMachinesLosePower },
    measure: 'from the last client’s answer to a block, and until all clients are level',
    on: { validated: { rounds: FEW, atMostMs: 8000 }, plain: told, go: { rounds: 1 } },
  },
  {
    ...{
      title: 'all op-geths are killed and restarted',
      act: allClientsKilled,
      measure: 'from the last answer to a block, and until all clients are level',
    },
    on: {
      validated: { rounds: FEW, atMostMs: 8000 },
      'validated-full-path': { rounds: TWO, atMostMs: 8000 },
      'validated-full-hash': { rounds: TWO, atMostMs: 8000 },
      go: { rounds: 1 },
    },
  },
  {
    ...{ title: 'a follower’s op-geth is killed and restarted', act: followersClientKilled },
    measure: 'from its answer until it is level, and the longest gap',
    on: { validated: { rounds: FEW, atMostMs: 8000, thenAtMostMs: 2000 }, go: { rounds: 1 } },
  },
  {
    ...{ title: 'every client is slow by 600 ms for a minute', act: allClientsSlow, measure: GAP },
    on: {
      validated: { rounds: TWO, atMostMs: 2000 },
      quorum: { rounds: 1, atMostMs: 2000 },
      plain: { rounds: 1, atMostMs: 2000 },
      go: { rounds: 1 },
    },
  },
];

export const rows: readonly Row[] = [...invalidBlocks, ...refusals, ...reorganisations, ...astrayL1, ...losses];
