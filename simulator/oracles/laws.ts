/** Every law a run is judged by, by name. */
import {
  acknowledgedSurvives,
  linearizableReads,
  noUnsafeReorg,
  onePublisherPerHeight,
  parentCommitted,
  publishedAfterCommit,
  startsOnTheTip,
} from './chain-laws.ts';
import {
  electionSafety,
  leaderCompleteness,
  logMatching,
  monotonicTermAndCommit,
  oneVotePerTerm,
  stateMachineSafety,
} from './log-laws.ts';
import { activeIsWhatWasTold, everyCallIsAnswered, oneSaysThatItLeads, refusedIsNeverCommitted } from './call-laws.ts';
import { whatIsSickStands } from './alarm-laws.ts';
import { answersAgree, healthIsTold, unreadyIsTold } from './answer-laws.ts';
import { acknowledgedIsCommitted, oneHashPerHeight } from './commit-laws.ts';
import { committedIsKept, copiesAreThere, membersAreTheLogs, toldDamageEndsNothing } from './durable-laws.ts';
import { killedLeaderIsReplaced, silentLeaderIsReplaced } from './fast-laws.ts';
import { oneHandsOnFlashblocks } from './flashblock-laws.ts';
import {
  endHandsOverFirst,
  handOverIsTold,
  heirHasAMajority,
  heirHoldsTheLog,
  heirIsNotKnownUnfit,
} from './hand-over-laws.ts';
import { allAreBack, allAreReady, oneSequencerAtRest } from './ending-laws.ts';
import { leaderIsFound, oneLeaderAtATime } from './leadership-laws.ts';
import { changesAreTheCallers, takenChangesCommit } from './membership-laws.ts';
import { servesWhileItCan } from './meanwhile-laws.ts';
import type { Law } from './oracle.ts';
import {
  endsInOrder,
  pausedIsTold,
  pausedLeaderStays,
  pausedStandsStill,
  resumedIsAsItShould,
} from './operator-laws.ts';
import { heldBlocksStay, movesOnProof } from './move-laws.ts';
import { overriddenStandsStill, overrideStandsAlone } from './override-laws.ts';
import { proxiedByLeaders, proxiedIsServed } from './proxy-laws.ts';
import { ratesAreBounded } from './rate-laws.ts';
import { readsSeeTheLog } from './read-laws.ts';
import { recoverModeIsGivenBack } from './recover-mode-law.ts';
import { givenUpIsDead, givenUpIsReplaced } from './repair-laws.ts';
import { availability, boundedResources, chainGoesOn } from './service-laws.ts';
import { newVoterHoldsTheLog } from './new-voter-law.ts';
import { noBrokenInvariant } from './invariant-law.ts';
import { leadershipIsHandedOver, leadershipIsKept, takeoverIsQuick } from './settled-leader-laws.ts';
import { leadershipSettles } from './settling-laws.ts';
import { stallEndsLeadership } from './stall-laws.ts';
import { refusedIsNotAcknowledged } from './verdict-laws.ts';
import { observationsAreSo } from './observation-law.ts';
import { movesOnWordAlone } from './word-law.ts';

export const laws = {
  electionSafety,
  oneVotePerTerm,
  monotonicTermAndCommit,
  logMatching,
  stateMachineSafety,
  leaderCompleteness,
  committedIsKept,
  membersAreTheLogs,
  copiesAreThere,
  toldDamageEndsNothing,
  heirHoldsTheLog,
  heirIsNotKnownUnfit,
  heirHasAMajority,
  handOverIsTold,
  endHandsOverFirst,
  noUnsafeReorg,
  publishedAfterCommit,
  parentCommitted,
  onePublisherPerHeight,
  startsOnTheTip,
  acknowledgedIsCommitted,
  refusedIsNeverCommitted,
  oneHashPerHeight,
  acknowledgedSurvives,
  movesOnProof,
  movesOnWordAlone,
  observationsAreSo,
  heldBlocksStay,
  givenUpIsDead,
  refusedIsNotAcknowledged,
  linearizableReads,
  readsSeeTheLog,
  overrideStandsAlone,
  overriddenStandsStill,
  pausedStandsStill,
  pausedLeaderStays,
  pausedIsTold,
  resumedIsAsItShould,
  endsInOrder,
  everyCallIsAnswered,
  changesAreTheCallers,
  proxiedIsServed,
  proxiedByLeaders,
  takenChangesCommit,
  newVoterHoldsTheLog,
  activeIsWhatWasTold,
  oneSaysThatItLeads,
  answersAgree,
  healthIsTold,
  unreadyIsTold,
  whatIsSickStands,
  recoverModeIsGivenBack,
  noBrokenInvariant,
  boundedResources,
  ratesAreBounded,
  servesWhileItCan,
  chainGoesOn,
  givenUpIsReplaced,
  availability,
  leaderIsFound,
  oneLeaderAtATime,
  oneHandsOnFlashblocks,
  stallEndsLeadership,
  leadershipIsKept,
  leadershipIsHandedOver,
  leadershipSettles,
  takeoverIsQuick,
  killedLeaderIsReplaced,
  silentLeaderIsReplaced,
  allAreBack,
  allAreReady,
  oneSequencerAtRest,
} as const satisfies Readonly<Record<string, Law>>;

export type LawName = keyof typeof laws;
