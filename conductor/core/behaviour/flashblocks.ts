/** Deliberate differences from op-conductor of flashblocks; behaviour-differences.ts says what a row is. */
import type { Difference } from '../difference.ts';

export const flashblocksDifferences: readonly Difference[] = [
  {
    opConductor:
      'forwarded while conductor_leader answers true, so also under overrideLeader, and without checking the sequencer',
    ours: 'forwarded only by the raft leader, within its lease and with an active sequencer',
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
    opConductor: 'the leader connects again to a source that sends nothing for 30 s; a follower does not check',
    ours: 'leader and followers use pings to distinguish a source that sends nothing from one that has failed',
    why: 'A new leader has a working connection, and no message is lost because of a new connection.',
    shownBy: 'half-open: no sign of life after a ping ends the connection',
  },
  {
    opConductor: 'a client whose queue is full is dropped, one that is stuck or answers no ping stays until then',
    ours: 'both are dropped at once, and queues are bounded in bytes too',
    why: 'Memory stays limited, whatever the size of messages is.',
    shownBy: 'one that stops in the middle of a message has the write timeout, no longer',
  },
  {
    opConductor: 'raft already runs when the connection to the source is tried at the start',
    ours: 'the connection to the source is tried before raft starts',
    why: 'A node that is about to give up should not win an election.',
    shownBy: 'a source that cannot be reached: the start waits, and the cluster notices nothing',
  },
  {
    opConductor: 'the source of flashblocks is dialled through a proxy that the environment names',
    ours: 'the source is dialled directly; only HTTP calls use HTTP_PROXY and HTTPS_PROXY',
    why: 'A proxy for HTTP often ends long connections or adds delay; to use one, let rollupboost.ws-url name a relay.',
    shownBy: 'is dialled directly, also where the environment names a proxy',
  },
];
