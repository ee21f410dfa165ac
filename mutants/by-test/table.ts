/** The whole proof table. */
import { controlMutants } from './control.ts';
import { engineMutants } from './engine.ts';
import { handingMutants } from './handing.ts';
import type { Mutant } from './mutant.ts';
import { operatingMutants } from './operating.ts';
import { payloadMutants } from './payloads.ts';
import { raftElectionMutants } from './raft-elections.ts';
import { raftLogMutants } from './raft-log.ts';
import { raftVoteMutants } from './raft-votes.ts';
import { serviceMutants } from './service.ts';
import { startingMutants } from './starting.ts';
import { storeMutants } from './stores.ts';

export const mutants: readonly Mutant[] = [
  ...raftLogMutants,
  ...raftVoteMutants,
  ...raftElectionMutants,
  ...payloadMutants,
  ...startingMutants,
  ...controlMutants,
  ...handingMutants,
  ...serviceMutants,
  ...storeMutants,
  ...operatingMutants,
  ...engineMutants,
];
