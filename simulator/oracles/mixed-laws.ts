/**
 * By which laws a cluster with op-conductors is judged. Safety is everybody's; what op-conductor does not promise is asked of
 * our own conductors alone, or of nobody where an op-conductor that leads decides it. Of each new law the types ask for a row.
 */
import type { Machine } from '../machine.ts';
import type { RunObserver } from '../observer.ts';
import type { LawName } from './laws.ts';
import type { Oracle } from './oracle.ts';

/** `everybody`, or of what kinds of things the law is told only where they happen to our own. */
export type MixedScope =
  | 'everybody'
  | { readonly oursAlone: 'everything' | readonly (keyof RunObserver)[] }
  | { readonly notJudgedBecause: string };

const ours: MixedScope = { oursAlone: 'everything' };

function notJudged(because: string): MixedScope {
  return { notJudgedBecause: because };
}

const SPEED = 'Go waits for its timers, and its voters for a leader that is gone';
const ANYTHING = 'whatever its node offers an op-conductor appends';
const STANDS = 'an op-conductor whose node is two blocks behind leads, and never starts its sequencer';
const BOUNCES = 'an op-conductor hands leadership to anybody, and ends without a word';

export const mixedScopes: Readonly<Record<LawName, MixedScope>> = {
  electionSafety: 'everybody',
  oneVotePerTerm: 'everybody',
  monotonicTermAndCommit: 'everybody',
  logMatching: 'everybody',
  stateMachineSafety: 'everybody',
  leaderCompleteness: 'everybody',
  committedIsKept: 'everybody',
  // Go falls back to the configuration that it knows to be committed when entries behind it go.
  membersAreTheLogs: ours,
  copiesAreThere: 'everybody',
  toldDamageEndsNothing: ours,
  heirHoldsTheLog: ours,
  heirIsNotKnownUnfit: ours,
  heirHasAMajority: ours,
  handOverIsTold: ours,
  endHandsOverFirst: ours,
  noUnsafeReorg: 'everybody',
  publishedAfterCommit: 'everybody',
  parentCommitted: 'everybody',
  onePublisherPerHeight: 'everybody',
  startsOnTheTip: { oursAlone: ['ordered'] },
  acknowledgedIsCommitted: 'everybody',
  refusedIsNeverCommitted: 'everybody',
  oneHashPerHeight: notJudged(ANYTHING),
  acknowledgedSurvives: 'everybody',
  movesOnProof: notJudged(
    'beside an op-conductor the tip may be replaced on the word of our own voters alone (rule 6)',
  ),
  movesOnWordAlone: ours,
  observationsAreSo: ours,
  heldBlocksStay: ours,
  givenUpIsDead: 'everybody',
  refusedIsNotAcknowledged: ours,
  linearizableReads: 'everybody',
  readsSeeTheLog: 'everybody',
  overrideStandsAlone: 'everybody',
  overriddenStandsStill: ours,
  pausedStandsStill: ours,
  pausedLeaderStays: ours,
  pausedIsTold: ours,
  resumedIsAsItShould: ours,
  endsInOrder: ours,
  everyCallIsAnswered: ours,
  changesAreTheCallers: 'everybody',
  proxiedIsServed: ours,
  proxiedByLeaders: ours,
  // Go takes whatever change it is asked for.
  takenChangesCommit: ours,
  newVoterHoldsTheLog: ours,
  activeIsWhatWasTold: 'everybody',
  oneSaysThatItLeads: 'everybody',
  answersAgree: ours,
  healthIsTold: ours,
  unreadyIsTold: ours,
  whatIsSickStands: ours,
  recoverModeIsGivenBack: ours,
  noBrokenInvariant: 'everybody',
  boundedResources: 'everybody',
  ratesAreBounded: ours,
  servesWhileItCan: notJudged(STANDS),
  chainGoesOn: notJudged(STANDS),
  givenUpIsReplaced: notJudged(STANDS),
  availability: notJudged(SPEED),
  leaderIsFound: 'everybody',
  oneLeaderAtATime: 'everybody',
  oneHandsOnFlashblocks: ours,
  stallEndsLeadership: ours,
  leadershipIsKept: notJudged(BOUNCES),
  leadershipIsHandedOver: notJudged(BOUNCES),
  leadershipSettles: notJudged(BOUNCES),
  takeoverIsQuick: notJudged(STANDS),
  killedLeaderIsReplaced: notJudged(SPEED),
  silentLeaderIsReplaced: notJudged(SPEED),
  allAreBack: 'everybody',
  allAreReady: notJudged(STANDS),
  oneSequencerAtRest: 'everybody',
};

/** The oracle of a law as it judges a cluster with op-conductors. */
export function inMixedCluster(oracle: Oracle, scope: MixedScope): Oracle {
  if (scope === 'everybody') return oracle;
  if ('notJudgedBecause' in scope) return {};
  const { watch, finish, handles, goesByPosition, ...hooks } = oracle;
  const told = Object.entries(hooks).map(([name, hook]) => {
    const isLimited = scope.oursAlone === 'everything' || scope.oursAlone.includes(name as keyof RunObserver);
    return [name, isLimited ? ofOurs(hook as Hook) : hook] as const;
  });
  return {
    ...(Object.fromEntries(told) as Partial<RunObserver>),
    ...(watch === undefined ? {} : { watch }),
    ...(finish === undefined ? {} : { finish }),
    ...(handles === undefined ? {} : { handles }),
    ...(goesByPosition === undefined ? {} : { goesByPosition }),
  };
}

type Hook = (machine: Machine, ...rest: readonly unknown[]) => void;

function ofOurs(hook: Hook): Hook {
  return (machine, ...rest) => {
    if (!machine.isOpConductor) hook(machine, ...rest);
  };
}
