/**
 * The laws that simulated runs are judged by, in sentences for readers who know raft and rollups. Every law of the
 * simulator has one, or this file does not compile. MDX by law; the order of the groups is that of the page.
 */
import type { LawName } from '#simulator/oracles/laws';

export const lawGroups = ['log', 'chain', 'leadership', 'service'] as const;

export type LawGroup = (typeof lawGroups)[number];

export interface LawNote {
  readonly group: LawGroup;
  readonly says: string;
}

export const lawNotes: Readonly<Record<LawName, LawNote>> = {
  electionSafety: { group: 'log', says: 'A term has at most one leader, and nobody names a different one.' },
  oneVotePerTerm: {
    group: 'log',
    says: 'A server votes for one candidate in a term, whatever is restarted or lost meanwhile.',
  },
  monotonicTermAndCommit: {
    group: 'log',
    says: 'The term on a disk never goes back, nor does the commit index of a running process.',
  },
  logMatching: {
    group: 'log',
    says: 'An index and a term name one entry with one predecessor; a snapshot ends with an entry that existed.',
  },
  stateMachineSafety: { group: 'log', says: 'No two servers apply different entries at an index.' },
  leaderCompleteness: { group: 'log', says: 'A leader’s log has everything that was committed in earlier terms.' },
  committedIsKept: {
    group: 'log',
    says: 'A committed entry stays in a server’s log until a snapshot covers it or the disk is lost.',
  },
  membersAreTheLogs: {
    group: 'log',
    says: 'A server acts on the last configuration of its log, committed or not.',
  },
  copiesAreThere: {
    group: 'log',
    says: 'What a leader counts as replicated is on that follower’s disk, and equal to its own.',
  },
  toldDamageEndsNothing: {
    group: 'log',
    says: 'No process ends because it reads a log entry that a scrub had reported as damaged some time before.',
  },
  readsSeeTheLog: {
    group: 'log',
    says: 'A linearizable read sees everything that any server knew to be committed when the read began, and a majority of the voters has confirmed its leader since then.',
  },
  noUnsafeReorg: {
    group: 'chain',
    says: 'No two different blocks are published at a height, unless the rollup itself went back in between.',
  },
  publishedAfterCommit: { group: 'chain', says: 'A block is published only after its commit was acknowledged.' },
  parentCommitted: {
    group: 'chain',
    says: 'The parent of a published block was published, or is in the log, from which every node can get it.',
  },
  onePublisherPerHeight: { group: 'chain', says: 'One sequencer publishes a height.' },
  movesOnProof: {
    group: 'chain',
    says: 'At no time is an acknowledged block rolled back that most execution clients accept, or that a connected voter has stored as valid, unless its origin is no longer on L1.',
  },
  movesOnWordAlone: {
    group: 'chain',
    says: 'With `--consensus.rollback=refuse` no committed block is rolled back unless an operator has given it up.',
  },
  observationsAreSo: {
    group: 'chain',
    says: 'What a server tells the others of its own node and client is so: what proves that a block may be given up is made of nothing else.',
  },
  heldBlocksStay: {
    group: 'chain',
    says: 'At no time is an acknowledged block rolled back that the working client of a connected voter has, unless its origin is no longer on L1.',
  },
  givenUpIsDead: {
    group: 'chain',
    says: '`conductor repair` never leads an operator to give up a block that most clients accept and whose origin is still on L1.',
  },
  refusedIsNotAcknowledged: {
    group: 'chain',
    says: 'A block that the leader’s own execution client has refused in time is not acknowledged.',
  },
  startsOnTheTip: {
    group: 'chain',
    says: 'A sequencer is started on the last acknowledged block, or above it.',
  },
  refusedIsNeverCommitted: {
    group: 'chain',
    says: 'If every offer of a block was refused, the block is never committed.',
  },
  acknowledgedIsCommitted: {
    group: 'chain',
    says: 'A commit is acknowledged only when the conductor that answers has it committed.',
  },
  oneHashPerHeight: {
    group: 'chain',
    says: 'The log has one block per height, once; only a rollback continues at a lower height.',
  },
  acknowledgedSurvives: {
    group: 'chain',
    says: 'At the end every acknowledged block is in the chain, unless the rollup went back below it.',
  },
  linearizableReads: {
    group: 'chain',
    says: 'A read sees every commit that was acknowledged, and every block that was read, before it began.',
  },
  overrideStandsAlone: {
    group: 'chain',
    says: 'While an operator lets one node sequence without the log, no other node publishes, and the blocks it published stay.',
  },
  overriddenStandsStill: {
    group: 'chain',
    says: 'From an override to its end a conductor neither starts nor stops its sequencer, nor changes its node or client otherwise.',
  },
  leaderIsFound: {
    group: 'leadership',
    says: 'A majority that runs, has its disks and is connected has a leader within seconds, and a server that reaches the leader knows it.',
  },
  oneLeaderAtATime: { group: 'leadership', says: 'A leader that was replaced notices within its lease.' },
  oneHandsOnFlashblocks: {
    group: 'leadership',
    says: 'Of all servers whose process runs and whose clock is right, at most one forwards flashblocks at a time.',
  },
  stallEndsLeadership: {
    group: 'leadership',
    says: 'After a stall longer than the lease, a leader permits nothing until a server has answered what it sent since; after a longer one it steps down first.',
  },
  leadershipIsKept: {
    group: 'leadership',
    says: 'A leader stays leader, in its term, during a fault of another machine or a short stall of its own.',
  },
  leadershipIsHandedOver: {
    group: 'leadership',
    says: 'A leader that ends, is told to transfer leadership, or has an unhealthy rollup-boost is replaced at once; if a server was named, by that server.',
  },
  heirHoldsTheLog: { group: 'leadership', says: 'Leadership is transferred only to a server whose log is complete.' },
  heirHasAMajority: {
    group: 'leadership',
    says: 'A leader that ends transfers leadership only if the other servers are a majority without it.',
  },
  handOverIsTold: {
    group: 'leadership',
    says: 'A call to transfer leadership is answered with success only when the server no longer leads that term, and one that has told the other server to take over never says that leadership was lost.',
  },
  endHandsOverFirst: {
    group: 'leadership',
    says: 'A leader that ends transfers leadership before it stops its sequencer, or says that it could not.',
  },
  heirIsNotKnownUnfit: {
    group: 'leadership',
    says: 'Leadership is not transferred to a server known to be unhealthy or paused, unless an operator names it.',
  },
  leadershipSettles: {
    group: 'leadership',
    says: 'One fault at a time causes one change of leadership, not several, and a block that is only late causes none.',
  },
  takeoverIsQuick: {
    group: 'leadership',
    says: 'A new leader brings its sequencer to the committed head and starts it there without delay.',
  },
  killedLeaderIsReplaced: {
    group: 'leadership',
    says: 'A killed leader is replaced without a timeout, as soon as closed connections are noticed and votes are counted.',
  },
  silentLeaderIsReplaced: {
    group: 'leadership',
    says: 'A leader that loses power or its network while nothing else is wrong is replaced after an election timeout learned from its heartbeats, well below the configured one.',
  },
  pausedStandsStill: {
    group: 'service',
    says: 'A paused conductor neither starts nor stops its sequencer, unless it ends, nor changes its node or client otherwise.',
  },
  pausedLeaderStays: {
    group: 'service',
    says: 'A leader that an operator pauses hands leadership to nobody by itself until it is resumed, whatever becomes of its node.',
  },
  pausedIsTold: {
    group: 'service',
    says: 'A leader that is in contact with a paused conductor knows that it is paused, and does not transfer leadership to it by mistake.',
  },
  resumedIsAsItShould: {
    group: 'service',
    says: 'Soon after a conductor is resumed its sequencer runs if it is the leader, and not otherwise, even if somebody started or stopped it by hand meanwhile.',
  },
  endsInOrder: {
    group: 'service',
    says: 'A conductor that shuts down normally starts no sequencer, and has stopped its own, or says that it could not.',
  },
  noBrokenInvariant: { group: 'service', says: 'The core never throws an exception, whatever happens around it.' },
  boundedResources: {
    group: 'service',
    says: 'Connections, waiting events, logs and what is cached of them do not grow with time.',
  },
  servesWhileItCan: {
    group: 'service',
    says: 'Blocks are produced whenever a majority is connected and at least one server of it has a working sequencer, whatever else is wrong and for how long.',
  },
  everyCallIsAnswered: {
    group: 'service',
    says: 'Every call is answered while the process runs, a commit within its time limit.',
  },
  changesAreTheCallers: {
    group: 'service',
    says: 'Every membership change does what a call asked for and nothing else, no other is made while a new voter is brought up, at most one of two calls for the same version is carried out, and no two servers have the same address.',
  },
  takenChangesCommit: {
    group: 'service',
    says: 'A leader takes no membership change that the voters which it reaches cannot commit, and what it has taken is committed within five seconds while they stay.',
  },
  newVoterHoldsTheLog: {
    group: 'service',
    says: 'A leader makes a server a voter only once that server has the log and may vote.',
  },
  proxiedIsServed: {
    group: 'service',
    says: 'A leader whose node and execution client work answers every proxied call, whatever failed before, and no call is turned away while fewer than 96 others wait.',
  },
  proxiedByLeaders: {
    group: 'service',
    says: 'What a node or its execution client answers is passed on only by a leader that nobody has replaced for longer than a lease, or by a server whose leadership an operator overrides.',
  },
  activeIsWhatWasTold: {
    group: 'service',
    says: '`conductor_active` is false from the answer to a pause to the next resume, and true otherwise.',
  },
  oneSaysThatItLeads: {
    group: 'leadership',
    says: 'No server says that it leads when another has led in a later term for longer than a lease, even after its machine was suspended.',
  },
  answersAgree: {
    group: 'service',
    says: 'At every moment what a conductor answers, its metrics, its readiness and the last order of an operator agree.',
  },
  healthIsTold: {
    group: 'service',
    says: 'A node that has been down for longer than two health checks and the unsafe interval is not called healthy, and one that is well is not called unhealthy for as long.',
  },
  unreadyIsTold: {
    group: 'service',
    says: 'A conductor that has been cut off from every majority for 10 s, is recovering, or has a node that has long been down or more than ten blocks behind does not say that it is ready.',
  },
  whatIsSickStands: {
    group: 'service',
    says: 'An execution client that an alarm calls sick has stood on one block for a while.',
  },
  recoverModeIsGivenBack: {
    group: 'service',
    says: 'A sequencer is not left in recover mode by a conductor that leads no longer, nor for more than some 30 s after the builder of the one that leads is sound again.',
  },
  ratesAreBounded: {
    group: 'service',
    says: 'No server and no node is asked repeatedly without a pause, and no server keeps sending to a server that has left.',
  },
  givenUpIsReplaced: {
    group: 'service',
    says: 'When all faults are over and an operator gives a block up, another one comes within 4 s.',
  },
  chainGoesOn: {
    group: 'service',
    says: 'When all faults are over, blocks are published again, and from 12 s on no more than three block times pass without one, unless an operator acts.',
  },
  availability: {
    group: 'service',
    says: 'With one faulty machine at a time, the gap between two blocks stays below the bound of the fault in whose time it falls.',
  },
  allAreBack: {
    group: 'service',
    says: 'At the end every conductor is up, in the leader’s term, near its commit index, and votes if it is to.',
  },
  allAreReady: { group: 'service', says: 'At the end every member says that it could take over.' },
  oneSequencerAtRest: {
    group: 'service',
    says: 'At the end no sequencer runs but the leader’s, and those of conductors that are paused or no members.',
  },
};
