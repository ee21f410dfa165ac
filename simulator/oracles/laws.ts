/** Every law a run is judged by, by name. */
import {
  acknowledgedSurvives,
  linearizableReads,
  noUnsafeReorg,
  onePublisherPerHeight,
  parentCommitted,
  publishedAfterCommit,
} from './chain-laws.ts';
import {
  electionSafety,
  leaderCompleteness,
  logMatching,
  monotonicTermAndCommit,
  oneVotePerTerm,
  stateMachineSafety,
} from './log-laws.ts';
import { acknowledgedIsCommitted } from './commit-laws.ts';
import { allAreBack, oneSequencerAtRest } from './ending-laws.ts';
import {
  leaderIsFound,
  leadershipIsHandedOver,
  leadershipIsKept,
  oneLeaderAtATime,
  takeoverIsQuick,
} from './leadership-laws.ts';
import type { Law } from './oracle.ts';
import { overrideStandsAlone } from './override-laws.ts';
import { readsSeeTheLog } from './read-laws.ts';
import { availability, boundedResources, chainGoesOn, noBrokenInvariant } from './service-laws.ts';

export const laws = {
  electionSafety,
  oneVotePerTerm,
  monotonicTermAndCommit,
  logMatching,
  stateMachineSafety,
  leaderCompleteness,
  noUnsafeReorg,
  publishedAfterCommit,
  parentCommitted,
  onePublisherPerHeight,
  acknowledgedIsCommitted,
  acknowledgedSurvives,
  linearizableReads,
  readsSeeTheLog,
  overrideStandsAlone,
  noBrokenInvariant,
  boundedResources,
  chainGoesOn,
  availability,
  leaderIsFound,
  oneLeaderAtATime,
  leadershipIsKept,
  leadershipIsHandedOver,
  takeoverIsQuick,
  allAreBack,
  oneSequencerAtRest,
} as const satisfies Readonly<Record<string, Law>>;

export type LawName = keyof typeof laws;
