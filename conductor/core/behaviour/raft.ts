/** Deliberate differences from op-conductor of the replicated log and its members; behaviour-differences.ts says what a row is. */
import type { Difference } from './difference.ts';

export const raftDifferences: readonly Difference[] = [
  {
    opConductor: 'plain TCP only, with any number of connections',
    ours: 'mutual TLS where --consensus.tls.* is set; too many connections displace those that never sent a request',
    why: 'The protocol proves no identity, and idle connections must not keep conductors apart.',
    shownBy: 'carries requests between servers named by %s',
  },
  {
    opConductor: 'the name in --consensus.advertised is resolved at start, and its address is what the cluster stores',
    ours: 'the name is stored and resolved at each dial; one that is unknown at start is warned of, not refused',
    why: 'Where servers are moved, as by Kubernetes, the name stays and the address does not.',
    shownBy: 'a name is kept as it is written, to be resolved at each dial',
  },
  {
    opConductor: 'a server is added at a port given by the name of its service, as in host:http',
    ours: 'it is refused with a sentence; the port is a number',
    why: 'The name would mean what each machine has in its list of services.',
    shownBy: 'the name of a service is refused in words of ours',
  },
  {
    opConductor: 'conductor_leader says true after the process stood still, until the lease is looked at',
    ours: 'it says false after a stall longer than the lease, until a quorum has answered what was sent since',
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
    opConductor: 'a silent leader is replaced after one to two heartbeat timeouts',
    ours: 'where all voters are conductors of this software and heartbeats come on time, after about a third of one; the flags are upper bounds',
    why: 'A frozen machine or a cut cable costs one block at 1 s, not two (rule 34).',
    shownBy: 'among %i servers of ours it is replaced in well under half a second',
  },
  {
    opConductor: 'an answer counts for the peer whose address was dialled, and a request is taken under any id',
    ours: 'an answer under another id counts for nothing, a request under the own id is refused; both are alarms',
    why: 'Where an address leads elsewhere one server would be counted twice (rule 32).',
    shownBy: 'to another follower: its acknowledgements do not count twice, and nothing acknowledged is lost',
  },
  {
    opConductor: 'whoever speaks as a leader in a term that is not over is followed, however high the term',
    ours: 'no member, no leader; a term beyond what elections explain is taken from the members only, when they are asked',
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
    opConductor: "a member's address is changed at once",
    ours: 'it is changed after that member has answered there, else the change is refused',
    why: 'A change to a wrong address may need the vote of the member it cuts off, and could never be taken back (rule 32).',
    shownBy: 'asks at the new address first, appends nothing meanwhile, and goes on when the right server answers',
  },
];
