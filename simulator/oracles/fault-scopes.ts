/**
 * Whom a fault strikes, kind by kind: what the laws of leadership go by when they say whether a leader had reason to be
 * replaced. Of each new kind the types ask for a row; a kind that no such law judges says why.
 */
import type { EventKind } from '../faults.ts';

/**
 * `machine`: the machine at which it happens, so that a leader elsewhere has nothing to do with it; `pair`: two machines,
 * each of which still reaches the third; `nobody`: clients, and what passes at once.
 */
export type FaultScope = 'machine' | 'pair' | 'nobody' | { readonly notJudgedBecause: string };

function notJudged(because: string): FaultScope {
  return { notJudgedBecause: because };
}

const ALL = 'it strikes every machine, or what all of them depend on';
const MANY = 'it strikes several machines, the leader perhaps among them';
const LEADER = 'it strikes whoever leads';
const OPERATOR = 'an operator changes who leads, or may: the laws of hand-overs and members judge it';

export const faultScopes: Readonly<Record<EventKind, FaultScope>> = {
  crash: 'machine',
  ambush: 'machine',
  tornWrite: 'machine',
  machineDown: 'machine',
  powerCut: 'machine',
  lostDisk: 'machine',
  freeze: 'machine',
  upgrade: 'machine',
  isolate: 'machine',
  mute: 'machine',
  deafen: 'machine',
  fullDisk: 'machine',
  slowDisk: 'machine',
  clockStep: 'machine',
  nodeDown: 'machine',
  executionDown: 'machine',
  slowNode: 'machine',
  stall: 'machine',
  unprovisioned: 'machine',
  partialBoost: 'machine',
  rewind: 'machine',
  lostGossip: 'machine',
  lateGossip: 'machine',
  failStop: 'machine',
  lateBlock: 'machine',
  lostAnswer: 'machine',
  brokenConnection: 'machine',
  droppedPost: 'machine',
  astray: 'machine',
  pause: 'machine',
  badBuilder: 'machine',
  clientCrash: 'machine',
  clientFrozen: 'machine',
  clientSlow: 'machine',
  clientStopping: 'machine',
  l1Fork: 'machine',
  astrayAlone: 'machine',
  doubledCommit: 'machine',
  lyingDisk: 'machine',
  rottenState: 'machine',
  suspended: 'machine',
  lonely: 'machine',
  moved: 'machine',
  startedPaused: 'machine',
  cut: 'pair',
  split: 'pair',
  clog: 'pair',
  lossy: 'pair',
  reset: 'pair',
  halfReset: 'pair',
  repeat: 'pair',
  read: 'nobody',
  ask: 'nobody',
  burst: 'nobody',
  resetAll: 'nobody',
  racingOperators: 'nobody',
  misnamed: 'nobody',
  allDown: notJudged(ALL),
  upgradeAll: notJudged(ALL),
  clientsCrash: notJudged(ALL),
  badBuilders: notJudged(ALL),
  slowL1: notJudged(ALL),
  l1Stands: notJudged(ALL),
  l1Reorg: notJudged(ALL),
  rollback: notJudged(ALL),
  swizzle: notJudged(MANY),
  partition: notJudged(MANY),
  bridge: notJudged(MANY),
  disputedSeal: notJudged(MANY),
  lostDiskBeside: notJudged(MANY),
  exile: notJudged(LEADER),
  schism: notJudged(LEADER),
  regicide: notJudged(LEADER),
  forgottenVote: notJudged(LEADER),
  lostAndKilled: notJudged(LEADER),
  badSeal: notJudged(LEADER),
  stickySeal: notJudged(LEADER),
  transfer: notJudged(OPERATOR),
  transferTo: notJudged(OPERATOR),
  deafHandOver: notJudged(OPERATOR),
  unprovisionedHeir: notJudged(OPERATOR),
  rivals: notJudged(OPERATOR),
  remove: notJudged(OPERATOR),
  demote: notJudged(OPERATOR),
  override: notJudged(OPERATOR),
  emergency: notJudged(OPERATOR),
  wrongAddress: notJudged('who is led to another machine may be led to the leader, under a name that is not its own'),
  rot: 'machine',
  restored: 'machine',
  clockRate: 'machine',
  leap: 'machine',
};
