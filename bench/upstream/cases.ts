/** op-conductor's own tests, and the clusters they are run against. */
import type { Implementation } from '../../tests/cluster/node-process.ts';
import type { TestProgram } from './programs.ts';

export interface Case {
  /** The test's function. */
  readonly test: string;
  readonly program: TestProgram;
  /** What is asked in it one by one, under the names of upstream's later tests; none where the test itself is upstream's. */
  readonly parts: readonly string[];
  /** Conductors are a cluster before the test begins. */
  readonly isFormed: boolean;
}

export interface Cluster {
  readonly id: string;
  readonly title: string;
  /** By node; the first one is bootstrapped. */
  readonly members: readonly Implementation[];
}

const endToEnd = { program: 'e2e', parts: [], isFormed: false } as const;

export const cases: readonly Case[] = [
  { ...endToEnd, test: 'TestSequencerFailover_SetupCluster' },
  { ...endToEnd, test: 'TestSequencerFailover_ConductorRPC' },
  { ...endToEnd, test: 'TestSequencerFailover_ActiveSequencerDown' },
  { ...endToEnd, test: 'TestSequencerFailover_DisasterRecovery_OverrideLeader' },
  { ...endToEnd, test: 'TestConductorLeadershipTransfer', program: 'acceptance', isFormed: true },
  {
    ...{ ...endToEnd, test: 'TestBehaviours_Cluster' },
    parts: [
      ...['TestConductorClusterStartsWithOneActiveSequencer', 'TestConductorProxyServesOnlyLeader'],
      ...['TestLeadershipTransferMovesActiveSequencer', 'TestLeadershipTransferSelectsAnotherActiveSequencer'],
      ...['TestUnsafeChainAdvancesAfterLeadershipTransfer', 'TestConductorClusterMembershipChanges'],
      ...['TestConductorRejectsStaleMembershipVersion', 'TestFailoverOnActiveSequencerFailure'],
    ],
  },
  { ...endToEnd, test: 'TestDisasterRecoveryLeaderOverride' },
];

export const clusters: readonly Cluster[] = [
  { id: 'go', title: 'three op-conductors', members: ['go', 'go', 'go'] },
  { id: 'bun', title: 'three of ours', members: ['bun', 'bun', 'bun'] },
  { id: 'bun-first', title: 'ours founds, two op-conductors join', members: ['bun', 'go', 'go'] },
  { id: 'go-first', title: 'op-conductor founds, two of ours join', members: ['go', 'bun', 'bun'] },
];
