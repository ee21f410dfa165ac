/** Deliberate differences from op-conductor of who sequences, and how it is started, stopped and brought up; behaviour-differences.ts says what a row is. */
import type { Difference } from '../difference.ts';
import { methodDifferences } from './methods.ts';

export const controlDifferences: readonly Difference[] = [
  {
    opConductor: 'a leader that commits nothing stays leader until its head is too old',
    ours: 'after two block times and 250 ms it asks its node and client, and transfers leadership unless all servers have the same cause',
    why: 'Blocks are missed while a leader waits until its head is too old; if all servers have the same cause, a transfer does not help (rule 31).',
    shownBy: 'hands over where its head merely stands, and says what it has; a block ends that',
  },
  {
    opConductor: 'leadership goes to the voter whose log is furthest, also by conductor_transferLeader',
    ours: 'never to one known to be unhealthy, paused or unable to start, unless an operator names it; each server is tried once before one is tried again',
    why: 'A server whose sequencer cannot work should not lead, and leadership must not move back and forth (rule 18).',
    shownBy: 'passes over peers known to be unhealthy or paused',
  },
  {
    opConductor: 'a new leader with an old head transfers leadership at once',
    ours: 'its node gets the blocks up to the committed head from the log, and its sequencer starts; its lag is measured from the start',
    why: 'While no sequencer builds, every head is old, and one server has to begin (rules 19 and 20).',
    shownBy: 'a new leader with an old head starts; it does not hand back to the one that just stalled',
  },
  {
    opConductor: 'a conductor that is paused and is elected leads, and does nothing',
    ours: 'it transfers leadership: to a server whose sequencer an operator started, otherwise to one that is not paused; a leader that is paused later stays leader, and so does one whose log holds no block yet',
    why: 'Nobody asked for a leader that never starts its sequencer; the chain stands while it leads (rule 18).',
    shownBy: 'hands over %s',
  },
  {
    opConductor: 'when the process ends, the sequencer continues to run and an election decides about leadership',
    ours: 'it waits for the pending commit, transfers leadership, and stops the sequencer, whether or not the rest worked',
    why: 'The next block comes in time, and no sequencer is left without a conductor (rule 21).',
    shownBy: 'whether or not leadership went, the sequencer is stopped; what failed is said',
  },
  {
    opConductor:
      'an override changes the answer about leadership; the control loop still starts and stops the sequencer and transfers leadership',
    ours: 'until it is cleared the conductor does not start or stop its sequencer and does not transfer leadership; then raft decides again at once',
    why: 'op-conductor does not stop a sequencer that was started by hand only because it does not check; ours checks (rule 27).',
    shownBy:
      'a sequencer that an operator started without leadership is left alone, through every verdict, and that is said once',
  },
  {
    opConductor: 'an override is answered at once',
    ours: 'first the node is given the last blocks of the log, committed or not; if it does not accept them within a second, there is an alarm',
    why: 'A block that commits when a majority is back must not be a sibling of one that was built by hand.',
    shownBy: 'is given to the node before the override is answered, with what is not committed (paused: %s)',
  },
  {
    opConductor: 'a different block at the height of the newest committed one is committed without a check',
    ours: 'it is refused, and replaces the committed one only if the nodes of the voters prove that nobody can build on that one',
    why: 'One confused node must not move a published chain, and one bad block must not stop it (rule 6).',
    shownBy: 'one node that offers another block proves nothing, however long it does',
  },
  {
    opConductor:
      'a sequencer whose execution client refuses its blocks continues to build until it counts as unhealthy',
    ours: 'its job is dropped, then it loses leadership, then blocks are built without transactions from the mempool (admin_setRecoverMode, which each new leader also switches off)',
    why: 'The same job gives the same bad block, and the builder of another server may work (rule 29).',
    shownBy: 'first its job is dropped, then it loses the lead',
  },
  {
    opConductor: 'the hash of the committed head is a success each time that its sequencer offers it again',
    ours: 'it is refused while the voters’ clients are proved to refuse that block',
    why: 'op-node would seal and publish it again and again: the same job gives the same block (rule 29).',
    shownBy: 'the same hash of a committed block is refused where clients are proved to refuse that',
  },
  {
    opConductor: 'nothing is done about an op-node whose execution client lost its newest blocks',
    ours: 'admin_resetDerivationPipeline makes it read the head of its client, and it gets the next blocks from the log',
    why: 'op-node does not read it by itself: after a power cut of all clients the chain would stop permanently (rule 30).',
    shownBy:
      'a client that has lost the head op-node believes in: op-node is made to look, and given what follows (rule 30)',
  },
  {
    opConductor: 'when L1 takes blocks, every op-node finds out by itself',
    ours: 'as many followers’ op-nodes as are a majority with the leader’s are reset (admin_resetDerivationPipeline) once that has left a block, and others once the log has given it up, or when they say that L1 has another block in place of its origin',
    why: 'Until a majority has left, the log cannot follow; a follower’s op-node finds out up to an L1 slot and a poll later.',
    shownBy: 'so it is once for each block that the leader’s node has left, and says at once whether it leaves, too',
  },
  ...methodDifferences('control'),
];
