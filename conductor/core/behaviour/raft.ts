/** Deliberate differences from op-conductor of the replicated log and its members; behaviour-differences.ts says what a row is. */
import type { Difference } from '../difference.ts';

export const raftDifferences: readonly Difference[] = [
  {
    opConductor: 'plain TCP only, with any number of connections',
    ours: 'mutual TLS where --consensus.tls.* is set; too many connections displace those that never sent a request',
    why: 'The protocol proves no identity, and idle connections must not keep conductors apart.',
    shownBy: 'carries requests between servers named by %s',
  },
  {
    opConductor: 'the name in --consensus.advertised is resolved at start, and its address is what the cluster stores',
    ours: 'the name is stored and resolved at each connection; if it is unknown at the start, there is a warning, not an error',
    why: 'When Kubernetes moves a server, the name stays and the address changes.',
    shownBy: 'a name is kept as it is written, to be resolved at each dial',
  },
  {
    opConductor: 'a server is added at a port given by the name of its service, as in host:http',
    ours: 'it is refused; the port must be a number',
    why: 'Each machine would look up the name in its own list of services.',
    shownBy: 'the name of a service is refused in words of ours',
  },
  {
    opConductor: 'after a stall of the process conductor_leader answers true until the lease is checked',
    ours: 'it answers false after a stall longer than the lease, until a quorum has answered a request sent since then',
    why: 'Another server may lead by then.',
    shownBy: 'a leader does not say that it leads, nor passes on an answer, before anybody has answered it anew',
  },
  {
    opConductor: 'a transfer to a member that does not vote ends in "leadership transfer timeout"',
    ours: 'it is refused at once, as of one that is "not a voter of the cluster"',
    why: 'It can never succeed, and the leader takes no commits while it tries.',
    shownBy: 'a transfer to a member without a vote is refused at once, in words that say why',
  },
  {
    opConductor: 'a leader that does not answer is replaced after one to two heartbeat timeouts',
    ours: 'if all voters run Conductor and heartbeats come on time, after about a third of one; the flags are upper bounds',
    why: 'A frozen machine or a cut cable costs one block at 1 s, not two (rule 34).',
    shownBy: 'among %i servers of ours it is replaced in well under half a second',
  },
  {
    opConductor: 'an answer counts for the peer whose address was called, and a request is accepted with any id',
    ours: 'an answer with a different id is ignored, a request with the server’s own id is refused; both raise alarms',
    why: 'If an address leads to the wrong server, one server would be counted twice (rule 32).',
    shownBy: 'to another follower: its acknowledgements do not count twice, and nothing acknowledged is lost',
  },
  {
    opConductor:
      'any server that sends requests as a leader in a current or later term is followed, even in a very high term',
    ours: 'only a member can be leader; a term higher than elections can explain is accepted only if members confirm it',
    why: 'One packet could end a cluster for good (rule 32).',
    shownBy: 'under the id "%s" to everybody: the term stays where it was, and elections go on',
  },
  {
    opConductor: 'a vote is given to an address',
    ours: 'a vote is given to the pair of id and address, and never without an id',
    why: 'Two processes may have one id, and two ids one address after another (rule 32).',
    shownBy: 'votes for the pair of id and address that asked, and not for another process with either of them',
  },
  {
    opConductor:
      'conductor_addServerAsVoter is answered when a majority has the change; it waits without a deadline where that needs the new server',
    ours: 'a new server joins as a nonvoter and becomes a voter when it has caught up, as does a nonvoter that is promoted; if it gets no further for 4 s, or needs more than 20 s, the call fails and says that the server is a nonvoter. Call again: it goes on from where it was',
    why: 'A server that does not answer, or copies a long log, must not count for the majority before it can help.',
    shownBy: 'one that does not catch up in time stays a nonvoter, and the next change is possible',
  },
  {
    opConductor: "a member's address is changed at once",
    ours: 'it is changed only if that member has answered there, otherwise the change is refused',
    why: 'A change to a wrong address may need the vote of the member it cuts off, and could never be undone (rule 32).',
    shownBy: 'asks at the new address first, appends nothing meanwhile, and goes on when the right server answers',
  },
];
