/** Deliberate differences from op-conductor of who sequences, and how it is started, stopped and brought up; behaviour-differences.ts says what a row is. */
import type { Difference } from './difference.ts';

export const controlDifferences: readonly Difference[] = [
  {
    opConductor: 'a leader that commits nothing keeps its lead until its head is too old',
    ours: 'after two block times and 250 ms it asks its node and client, and hands over once unless the cause is common',
    why: 'Blocks are missed while the age of a head is waited for; a cause that all share is not handed round (rule 31).',
    shownBy: 'hands over where its head merely stands, and says what it has; a block ends that',
  },
  {
    opConductor: 'leadership goes to the voter whose log is furthest, also by conductor_transferLeader',
    ours: 'never to one known to be unhealthy, paused or unable to start, unless it is named; each gets its turn before one gets a second',
    why: 'Leadership is of no use where no sequencer can work, and must not bounce (rule 18).',
    shownBy: 'passes over peers known to be unhealthy or paused',
  },
  {
    opConductor: 'a new leader with an old head hands leadership on at once',
    ours: 'it is brought to the committed head from the log and starts; its lag counts from the start',
    why: 'While nobody builds every head is old, and somebody has to begin (rules 19 and 20).',
    shownBy: 'a new leader with an old head starts; it does not hand back to the one that just stalled',
  },
  {
    opConductor: 'an end leaves the sequencer running and leadership to an election',
    ours: 'it waits for the commit in flight, hands leadership over, and stops the sequencer, whether or not the rest worked',
    why: 'The next block comes in time, and no sequencer is left without a conductor (rule 21).',
    shownBy: 'whether or not leadership went, the sequencer is stopped; what failed is said',
  },
  {
    opConductor:
      'an override changes the answer about leadership; by raft the sequencer is still started, stopped and handed over',
    ours: 'until it is taken back the sequencer is neither started nor stopped and leadership is handed to nobody; then raft decides again, at once',
    why: 'op-conductor leaves a sequencer started by hand alone only because it does not look; ours does (rule 27).',
    shownBy:
      'a sequencer that an operator started without leadership is left alone, through every verdict, and that is said once',
  },
  {
    opConductor: 'an override is answered at once',
    ours: 'first the node is given what the log of its server ends in, committed or not; a node that does not take it within a second is an alarm',
    why: 'A block that commits when a majority is back must not be a sibling of one that was built by hand.',
    shownBy: 'is given to the node before the override is answered, with what is not committed (paused: %s)',
  },
  {
    opConductor: 'another block at the height of the newest committed one is committed without a question',
    ours: 'it is refused, and replaces the committed one only where the nodes of the voters prove that nobody can build on that',
    why: 'One confused node must not move a published chain, and one bad block must not stop it (rule 6).',
    shownBy: 'one node that offers another block proves nothing, however long it does',
  },
  {
    opConductor: 'a sequencer whose execution client refuses its blocks builds on, until it counts as unhealthy',
    ours: 'with the engine API its job is dropped, then it loses the lead, then blocks are built without the pool',
    why: 'The same job gives the same bad block, and another builder may be sound (rule 29).',
    shownBy: 'first its job is dropped, then it loses the lead',
  },
  {
    opConductor: 'an op-node whose execution client lost its newest blocks is left as it is',
    ours: 'it is made to look with admin_resetDerivationPipeline, and given what follows from the log',
    why: 'op-node does not look by itself: after a power cut of all clients the chain would stand for good (rule 30).',
    shownBy:
      'a client that has lost the head op-node believes in: op-node is made to look, and given what follows (rule 30)',
  },
  {
    opConductor:
      'a committed block that no node can build on is given up by pausing all and starting a sequencer by hand',
    ours: 'conductor_giveUpBlock, an admin method: refused while a server that answers has the block or has it in its safe chain',
    why: 'The log must follow, and nothing that somebody can build on may go.',
    shownBy: 'lets the leader go on below the block, in one entry, which is audited',
  },
];
