/**
 * Deliberate differences from op-conductor v1.19.6 beyond answers and starts, which have tables of their
 * own (rpc/compatibility.ts, cli/startup-differences.ts): what theirs does, what ours does, why, and the
 * title of the test that shows it. The docs page makes its table from here.
 */

export interface BehaviourDifference {
  readonly area: 'admin' | 'control' | 'flashblocks' | 'health' | 'raft';
  readonly theirs: string;
  readonly ours: string;
  readonly why: string;
  /** Title of a test. */
  readonly shownBy: string;
}

export const behaviourDifferences: readonly BehaviourDifference[] = [
  {
    area: 'flashblocks',
    theirs:
      'passed on while conductor_leader says true, so also under overrideLeader, and without asking the sequencer',
    ours: 'passed on by the raft leader only, inside its lease and with an active sequencer',
    why: 'Parts of blocks that can never be committed must not reach users (rule 26).',
    shownBy: 'flashblocks are passed on only as leader, inside the lease, with an active sequencer (rule 26)',
  },
  {
    area: 'flashblocks',
    theirs: 'every message becomes a text message',
    ours: 'binary stays binary',
    why: 'Text messages must be UTF-8; clients close the connection otherwise.',
    shownBy: 'text stays text, bytes stay bytes, in order, to every client',
  },
  {
    area: 'flashblocks',
    theirs: 'the leader connects again to a source that sends nothing for 30 s; a follower does not look',
    ours: 'pings tell a silent source from a dead one, on leader and followers',
    why: 'A new leader has a connection that works, and nothing is lost to a reconnect.',
    shownBy: 'half-open: no sign of life after a ping ends the connection',
  },
  {
    area: 'flashblocks',
    theirs: 'a client whose queue is full is dropped, one that is stuck or answers no ping stays until then',
    ours: 'both are dropped at once, and queues are bounded in bytes too',
    why: 'Memory stays bounded whatever the size of messages.',
    shownBy: 'one that stops in the middle of a message has the write timeout, no longer',
  },
  {
    area: 'flashblocks',
    theirs: 'raft runs while the source is tried at start',
    ours: 'the source is tried before anything others could notice',
    why: 'A node that is about to give up should not win an election.',
    shownBy: 'a source that cannot be reached: the start waits, and the cluster notices nothing',
  },
  {
    area: 'health',
    theirs: 'when execution peers cannot be counted the text of the failure becomes a label of healthchecks_count',
    ours: 'the label is "cannot connect to sequencer rpc endpoints"; the text is in the log',
    why: 'Labels without bound fill the memory of Prometheus.',
    shownBy: 'unreachable execution peers do not say that the node is gone',
  },
  {
    area: 'health',
    theirs: 'while rollup-boost does not answer nothing is checked',
    ours: 'the node is checked as ever',
    why: 'A sequencer that stalls meanwhile must not go unnoticed.',
    shownBy: 'while rollup-boost hangs it is not asked again, and the node is judged as ever',
  },
  {
    area: 'admin',
    theirs: '--rpc.enable-admin is read and ignored: admin methods are always open',
    ours: 'without it they answer -32601 with a sentence that names the flag; --rpc.admin-compat restores theirs',
    why: 'Whoever reaches the port could stop a sequencer (rule 23).',
    shownBy:
      'rule 23: without --rpc.enable-admin exactly the admin methods are closed, with a sentence that names the flag',
  },
  {
    area: 'admin',
    theirs: 'nobody is asked who calls',
    ours: 'with --rpc.auth.* admin methods and the proxied miner_setMaxDASize need a token or a JWT, or answer 401 and -40100',
    why: 'A network that is not private needs more than a switch. Off by default.',
    shownBy: 'is asked by exactly the admin methods and the proxied one that changes something',
  },
  {
    area: 'control',
    theirs: 'leadership goes to the voter whose log is furthest, also by conductor_transferLeader',
    ours: 'never to one known to be unhealthy, paused or unable to start, unless it is named; each gets its turn before one gets a second',
    why: 'Leadership is of no use where no sequencer can work, and must not bounce (rule 18).',
    shownBy: 'passes over peers known to be unhealthy or paused',
  },
  {
    area: 'control',
    theirs: 'a new leader with an old head hands leadership on at once',
    ours: 'it is brought to the committed head from the log and starts; its lag counts from the start',
    why: 'While nobody builds every head is old, and somebody has to begin (rules 19 and 20).',
    shownBy: 'a new leader with an old head starts; it does not hand back to the one that just stalled',
  },
  {
    area: 'control',
    theirs: 'an end leaves the sequencer running and leadership to an election',
    ours: 'it waits for the commit in flight, hands leadership over, and stops the sequencer, whether or not the rest worked',
    why: 'The next block comes in time, and no sequencer is left without a conductor (rule 21).',
    shownBy: 'whether or not leadership went, the sequencer is stopped; what failed is said',
  },
  {
    area: 'raft',
    theirs: 'plain TCP only, with any number of connections',
    ours: 'mutual TLS where --consensus.tls.* is set; too many connections displace those that never sent a request',
    why: 'The protocol proves no identity, and idle connections must not keep conductors apart.',
    shownBy: 'carries requests between servers named by %s',
  },
];
