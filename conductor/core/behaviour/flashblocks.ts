/** Deliberate differences from op-conductor of flashblocks; behaviour-differences.ts says what a row is. */
import type { Difference } from './difference.ts';

export const flashblocksDifferences: readonly Difference[] = [
  {
    opConductor:
      'passed on while conductor_leader says true, so also under overrideLeader, and without asking the sequencer',
    ours: 'passed on by the raft leader only, inside its lease and with an active sequencer',
    why: 'Parts of blocks that can never be committed must not reach users (rule 26).',
    shownBy: 'flashblocks are passed on only as leader, inside the lease, with an active sequencer (rule 26)',
  },
  {
    opConductor: 'every message becomes a text message',
    ours: 'binary stays binary',
    why: 'Text messages must be UTF-8; clients close the connection otherwise.',
    shownBy: 'text stays text, bytes stay bytes, in order, to every client',
  },
  {
    opConductor: 'the leader connects again to a source that sends nothing for 30 s; a follower does not look',
    ours: 'pings tell a silent source from a dead one, on leader and followers',
    why: 'A new leader has a connection that works, and nothing is lost to a reconnect.',
    shownBy: 'half-open: no sign of life after a ping ends the connection',
  },
  {
    opConductor: 'a client whose queue is full is dropped, one that is stuck or answers no ping stays until then',
    ours: 'both are dropped at once, and queues are bounded in bytes too',
    why: 'Memory stays bounded whatever the size of messages.',
    shownBy: 'one that stops in the middle of a message has the write timeout, no longer',
  },
  {
    opConductor: 'raft runs while the source is tried at start',
    ours: 'the source is tried before anything others could notice',
    why: 'A node that is about to give up should not win an election.',
    shownBy: 'a source that cannot be reached: the start waits, and the cluster notices nothing',
  },
];
