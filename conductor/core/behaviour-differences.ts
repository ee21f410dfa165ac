/**
 * Deliberate differences from op-conductor v1.19.6 beyond answers and starts, which have tables of their
 * own (rpc/compatibility.ts, cli/startup-differences.ts): what theirs does, what ours does, why, and the
 * title of the test that shows it.
 */

export interface BehaviourDifference {
  readonly area: 'admin' | 'control' | 'flashblocks' | 'health' | 'raft' | 'rpc' | 'start';
  readonly opConductor: string;
  readonly ours: string;
  readonly why: string;
  /** Title of a test. */
  readonly shownBy: string;
}

export const behaviourDifferences: readonly BehaviourDifference[] = [
  {
    area: 'flashblocks',
    opConductor:
      'passed on while conductor_leader says true, so also under overrideLeader, and without asking the sequencer',
    ours: 'passed on by the raft leader only, inside its lease and with an active sequencer',
    why: 'Parts of blocks that can never be committed must not reach users (rule 26).',
    shownBy: 'flashblocks are passed on only as leader, inside the lease, with an active sequencer (rule 26)',
  },
  {
    area: 'flashblocks',
    opConductor: 'every message becomes a text message',
    ours: 'binary stays binary',
    why: 'Text messages must be UTF-8; clients close the connection otherwise.',
    shownBy: 'text stays text, bytes stay bytes, in order, to every client',
  },
  {
    area: 'flashblocks',
    opConductor: 'the leader connects again to a source that sends nothing for 30 s; a follower does not look',
    ours: 'pings tell a silent source from a dead one, on leader and followers',
    why: 'A new leader has a connection that works, and nothing is lost to a reconnect.',
    shownBy: 'half-open: no sign of life after a ping ends the connection',
  },
  {
    area: 'flashblocks',
    opConductor: 'a client whose queue is full is dropped, one that is stuck or answers no ping stays until then',
    ours: 'both are dropped at once, and queues are bounded in bytes too',
    why: 'Memory stays bounded whatever the size of messages.',
    shownBy: 'one that stops in the middle of a message has the write timeout, no longer',
  },
  {
    area: 'flashblocks',
    opConductor: 'raft runs while the source is tried at start',
    ours: 'the source is tried before anything others could notice',
    why: 'A node that is about to give up should not win an election.',
    shownBy: 'a source that cannot be reached: the start waits, and the cluster notices nothing',
  },
  {
    area: 'health',
    opConductor: 'reads the fields of an answer in any case (Connected), and a time of 2^64 − 1 seconds is the future',
    ours: 'reads them as op-node writes them, and takes times of 2^64 − 1024 seconds and more for none',
    why: 'No op-node answers so; what does is not one whose word should count.',
    shownBy: 'fields count under the names that op-node writes, and times while they are ones',
  },
  {
    area: 'health',
    opConductor: 'when execution peers cannot be counted the text of the failure becomes a label of healthchecks_count',
    ours: 'the label is "cannot connect to sequencer rpc endpoints"; the text is in the log',
    why: 'Labels without bound fill the memory of Prometheus.',
    shownBy: 'unreachable execution peers do not say that the node is gone',
  },
  {
    area: 'health',
    opConductor: 'the execution client is asked for its peers at most: one that is gone shows by the age of the head',
    ours: 'every check asks it for its height; one that refuses or is silent is the cause "execution-down"',
    why: 'A sequencer cannot build without it, and the age of the head takes the unsafe interval to show that.',
    shownBy: 'a refusal is a verdict at once, whoever else has not answered',
  },
  {
    area: 'control',
    opConductor: 'a leader that commits nothing keeps its lead until its head is too old',
    ours: 'after two block times and 250 ms it asks its node and client, and hands over once unless the cause is common',
    why: 'Blocks are missed while the age of a head is waited for; a cause that all share is not handed round (rule 31).',
    shownBy: 'hands over where its head merely stands, and says what it has; a block ends that',
  },
  {
    area: 'health',
    opConductor: 'while rollup-boost does not answer nothing is checked',
    ours: 'the node is checked as ever',
    why: 'A sequencer that stalls meanwhile must not go unnoticed.',
    shownBy: 'while rollup-boost hangs it is not asked again, and the node is judged as ever',
  },
  {
    area: 'admin',
    opConductor: '--rpc.enable-admin is read and ignored: admin methods are always open',
    ours: 'without it they answer -32601 with a sentence that names the flag; --rpc.admin-compat restores theirs',
    why: 'Whoever reaches the port could stop a sequencer (rule 23).',
    shownBy:
      'rule 23: without --rpc.enable-admin exactly the admin methods are closed, with a sentence that names the flag',
  },
  {
    area: 'admin',
    opConductor: 'nobody is asked who calls',
    ours: 'with --rpc.auth.* admin methods and the proxied miner_setMaxDASize need a token or a JWT, or answer 401 and -40100',
    why: 'A network that is not private needs more than a switch. Off by default.',
    shownBy: 'is asked by exactly the admin methods and the proxied one that changes something',
  },
  {
    area: 'admin',
    opConductor: 'a web page of any origin may call admin methods of a server that its browser reaches',
    ours: 'refused with 401 and -40100 where the request has an Origin header, or, on a loopback listener, is for a host that is not this machine, unless a token or a JWT proves who calls',
    why: "An operator's browser reaches loopback, so any page it shows could stop a sequencer.",
    shownBy: 'a web page cannot call admin methods: %s',
  },
  {
    area: 'control',
    opConductor: 'leadership goes to the voter whose log is furthest, also by conductor_transferLeader',
    ours: 'never to one known to be unhealthy, paused or unable to start, unless it is named; each gets its turn before one gets a second',
    why: 'Leadership is of no use where no sequencer can work, and must not bounce (rule 18).',
    shownBy: 'passes over peers known to be unhealthy or paused',
  },
  {
    area: 'control',
    opConductor: 'a new leader with an old head hands leadership on at once',
    ours: 'it is brought to the committed head from the log and starts; its lag counts from the start',
    why: 'While nobody builds every head is old, and somebody has to begin (rules 19 and 20).',
    shownBy: 'a new leader with an old head starts; it does not hand back to the one that just stalled',
  },
  {
    area: 'control',
    opConductor: 'an end leaves the sequencer running and leadership to an election',
    ours: 'it waits for the commit in flight, hands leadership over, and stops the sequencer, whether or not the rest worked',
    why: 'The next block comes in time, and no sequencer is left without a conductor (rule 21).',
    shownBy: 'whether or not leadership went, the sequencer is stopped; what failed is said',
  },
  {
    area: 'control',
    opConductor:
      'an override changes the answer about leadership; by raft the sequencer is still started, stopped and handed over',
    ours: 'until it is taken back the sequencer is neither started nor stopped and leadership is handed to nobody; then raft decides again, at once',
    why: 'Theirs leaves a sequencer started by hand alone only because it does not look; ours does (rule 27).',
    shownBy:
      'a sequencer that an operator started without leadership is left alone, through every verdict, and that is said once',
  },
  {
    area: 'control',
    opConductor: 'an override is answered at once',
    ours: 'first the node is given what the log of its server ends in, committed or not; a node that does not take it within a second is an alarm',
    why: 'A block that commits when a majority is back must not be a sibling of one that was built by hand.',
    shownBy: 'is given to the node before the override is answered, with what is not committed (paused: %s)',
  },
  {
    area: 'control',
    opConductor: 'another block at the height of the newest committed one is committed without a question',
    ours: 'it is refused, and replaces the committed one only where the nodes of the voters prove that nobody can build on that',
    why: 'One confused node must not move a published chain, and one bad block must not stop it (rule 6).',
    shownBy: 'one node that offers another block proves nothing, however long it does',
  },
  {
    area: 'control',
    opConductor: 'a sequencer whose execution client refuses its blocks builds on, until it counts as unhealthy',
    ours: 'with the engine API its job is dropped, then it loses the lead, then blocks are built without the pool',
    why: 'The same job gives the same bad block, and another builder may be sound (rule 29).',
    shownBy: 'first its job is dropped, then it loses the lead',
  },
  {
    area: 'control',
    opConductor: 'an op-node whose execution client lost its newest blocks is left as it is',
    ours: 'it is made to look with admin_resetDerivationPipeline, and given what follows from the log',
    why: 'op-node does not look by itself: after a power cut of all clients the chain would stand for good (rule 30).',
    shownBy:
      'a client that has lost the head op-node believes in: op-node is made to look, and given what follows (rule 30)',
  },
  {
    area: 'rpc',
    opConductor: 'a block is committed before any execution client has executed it',
    ours: "with --execution.engine-rpc the leader's own client executes it first, and what it calls INVALID is refused",
    why: 'What is committed is published, and a block that no client accepts must not be (rule 28).',
    shownBy: 'VALID goes on, INVALID is refused with the words of the client, and the hash is remembered',
  },
  {
    area: 'raft',
    opConductor: 'plain TCP only, with any number of connections',
    ours: 'mutual TLS where --consensus.tls.* is set; too many connections displace those that never sent a request',
    why: 'The protocol proves no identity, and idle connections must not keep conductors apart.',
    shownBy: 'carries requests between servers named by %s',
  },
  {
    area: 'rpc',
    opConductor: 'a body within the limit is read whatever it is made of',
    ours: '-32600 for one of more pieces than 65536 members and elements or 262144 texts, 1 MiB of numbers, 8 MiB of white space or 65536 backslashes, and of more than 5 MiB with characters above ASCII',
    why: 'Twenty million empty objects would hold the process for longer than its leadership lasts; no block has as many parts.',
    shownBy: 'a body of too many pieces is refused with a sentence, and none of it is parsed',
  },
  {
    area: 'rpc',
    opConductor: 'one limit for all bodies, 5 MiB unless set otherwise',
    ours: 'commits up to --rpc.body-limit, everything else up to 5 MiB; more is refused with 413',
    why: 'Only a block is ever that large.',
    shownBy: 'only commits may be larger than the default bound of op-conductor',
  },
  {
    area: 'rpc',
    opConductor: 'any number of bodies arrive at once',
    ours: 'those above 1 MiB wait unread for room, 16 MiB together or one alone; while others wait, one slower than 4 MiB/s is answered 503',
    why: 'Memory stays bounded, and nobody holds the room by not sending.',
    shownBy: 'a large body that stops arriving gives its room to one that waits, and is told',
  },
  {
    area: 'rpc',
    opConductor: 'an id of any length is echoed, and the whole of an extraData that is too long',
    ours: '-32600 for an id of more than 1024 characters; of a long extraData the first 1024 are quoted',
    why: 'Answers must not cost more than questions.',
    shownBy: 'an id that is longer than any client makes is refused, not echoed',
  },
  {
    area: 'raft',
    opConductor: 'the name in --consensus.advertised is resolved at start, and its address is what the cluster stores',
    ours: 'the name is stored and resolved at each dial; one that is unknown at start is warned of, not refused',
    why: 'Where servers are moved, as by Kubernetes, the name stays and the address does not.',
    shownBy: 'a name is kept as it is written, to be resolved at each dial',
  },
  {
    area: 'raft',
    opConductor: 'a server is added at a port given by the name of its service, as in host:http',
    ours: 'it is refused with a sentence; the port is a number',
    why: 'The name would mean what each machine has in its list of services.',
    shownBy: 'the name of a service is refused in words of ours',
  },
  {
    area: 'raft',
    opConductor: 'conductor_leader says true after the process stood still, until the lease is looked at',
    ours: 'it says false after a stall longer than the lease, until a quorum has answered what was sent since',
    why: 'Another server may lead by then.',
    shownBy: 'a leader does not say that it leads, nor passes on an answer, before anybody has answered it anew',
  },
  {
    area: 'raft',
    opConductor: 'a transfer to a member that does not vote ends in "leadership transfer timeout"',
    ours: 'it is refused at once, as of one that is "not a voter of the cluster"',
    why: 'It can never succeed, and the leader takes no commits while it tries.',
    shownBy: 'a transfer to a member without a vote is refused at once, in words that say why',
  },
  {
    area: 'start',
    opConductor:
      '--consensus.advertised without a port, or with the name of a service, is read as port 0 or that of the service',
    ours: 'it is refused; a port number is wanted',
    why: 'Nobody can reach port 0, and a service name is a mistake more often than not.',
    shownBy: 'one without a port number is refused: %s',
  },
  {
    area: 'start',
    opConductor: 'a warning when no address is advertised',
    ours: 'none: the bound address is told to the others, and one they could not reach stops the start',
    why: 'There is nothing left to warn of.',
    shownBy: 'the bound address is told to others only where they can reach it',
  },
  {
    area: 'start',
    opConductor: 'an IPv6 address to listen on needs brackets for raft and must not have them elsewhere',
    ours: 'it is taken with and without them everywhere',
    why: 'Both can mean one thing only.',
    shownBy: '%s, with or without brackets',
  },
  {
    area: 'start',
    opConductor: 'ws:// and wss:// are dialled for --node.rpc and --execution.rpc',
    ours: 'they are refused with a sentence that asks for the HTTP endpoint',
    why: 'Health probes need connections of their own with deadlines, and every node that serves one serves the other.',
    shownBy: '%s: a websocket is refused, naming what to give',
  },
  {
    area: 'start',
    opConductor: '--paused=tRUE and --log.format=JSON are refused for their letters',
    ours: 'booleans and choices are read in any case',
    why: 'They can mean one thing only.',
    shownBy: 'booleans and choices are read in any case',
  },
  {
    area: 'rpc',
    opConductor: 'a batch of any number of calls is answered',
    ours: 'above --rpc.batch-limit, by default 2000 calls, it is refused with "batch too large"',
    why: 'One request must not keep all others waiting.',
    shownBy: 'a batch beyond its limit is refused as a whole',
  },
  {
    area: 'rpc',
    opConductor: 'lines of a request head may end in a line feed alone',
    ours: 'refused at once with 400',
    why: 'What two readers could understand differently is refused; no HTTP client sends it.',
    shownBy: 'line feeds alone',
  },
  {
    area: 'rpc',
    opConductor: 'answers that clients do not read are kept without a bound',
    ours: '128 MiB all together; then whoever has not read for longest is closed',
    why: 'Memory stays bounded whatever clients do.',
    shownBy: 'answers that nobody reads are bounded together: who has not read for longest goes',
  },
  {
    area: 'rpc',
    opConductor: 'request heads up to 1 MiB are read',
    ours: 'up to 32 KiB; then 431',
    why: 'No client of a conductor sends more, and a thousand connections must fit into memory.',
    shownBy: 'a head without end',
  },
  {
    area: 'raft',
    opConductor: 'an answer counts for the peer whose address was dialled, and a request is taken under any id',
    ours: 'an answer under another id counts for nothing, a request under the own id is refused; both are alarms',
    why: 'Where an address leads elsewhere one server would be counted twice (rule 32).',
    shownBy: 'to another follower: its acknowledgements do not count twice, and nothing acknowledged is lost',
  },
  {
    area: 'raft',
    opConductor: 'whoever speaks as a leader in a term that is not over is followed, however high the term',
    ours: 'no member, no leader; a term beyond what elections explain is taken from the members only, when they are asked',
    why: 'One packet could end a cluster for good (rule 32).',
    shownBy: 'under the id "%s" to everybody: the term stays where it was, and elections go on',
  },
  {
    area: 'raft',
    opConductor: 'a vote is given to an address',
    ours: 'a vote is given to the pair of id and address, and never without an id',
    why: 'Two processes may have one id, and two ids one address after another (rule 32).',
    shownBy: 'votes for the pair of id and address that asked, and not for another process with either of them',
  },
  {
    area: 'raft',
    opConductor: "a member's address is changed at once",
    ours: 'it is changed after that member has answered there, else the change is refused',
    why: 'A change to a wrong address may need the vote of the member it cuts off, and could never be taken back (rule 32).',
    shownBy: 'asks at the new address first, appends nothing meanwhile, and goes on when the right server answers',
  },
  {
    area: 'rpc',
    opConductor: 'a content type whose parameters cannot be parsed, as charset="x without an end, is refused with 415',
    ours: 'parameters are not read',
    why: 'JSON is UTF-8 whatever they say.',
    shownBy: 'parameters of a JSON content type are not read',
  },
  {
    area: 'rpc',
    opConductor: 'blocks of any size are proxied with their keys in alphabetical order',
    ours: 'blocks of more than 8 MiB keep the order of the execution client; answers of more than 64 MiB are refused',
    why: 'Sorting them would hold the process for longer than its leadership lasts.',
    shownBy: 'a large block is passed on with its keys in the order in which they came',
  },
  {
    area: 'rpc',
    opConductor: 'any number of proxied calls wait for the backend',
    ours: 'at most 96 for the node and 96 for the execution client, and answers of 256 MiB all together; more are refused',
    why: 'A backend that hangs must not take the connections of other callers, nor the memory or the requests of the conductor itself.',
    shownBy: 'calls that wait for the backend are bounded, and the bound is given back',
  },
  {
    area: 'rpc',
    opConductor: 'nothing tells where the nodes and clients of the members stand',
    ours: 'conductor_clusterNodes tells heads, verdicts on the newest committed block, and their age',
    why: 'Where nodes and log disagree somebody has to see who says what.',
    shownBy: 'conductor_clusterNodes tells where node and client stand, and how old that is',
  },
  {
    area: 'control',
    opConductor:
      'a committed block that no node can build on is given up by pausing all and starting a sequencer by hand',
    ours: 'conductor_giveUpBlock, an admin method: refused while a server that answers has the block or has it in its safe chain',
    why: 'The log must follow, and nothing that somebody can build on may go.',
    shownBy: 'lets the leader go on below the block, in one entry, which is audited',
  },
  {
    area: 'rpc',
    opConductor: 'answers to a batch may have 25 MB together',
    ours: '8 MiB; calls after that are not made and answered with -32003 response too large',
    why: 'What is asked in a batch is small, and ten such answers at once would cost a leadership.',
    shownBy: 'a batch whose answer grows beyond its limit makes no more calls, and says so for each',
  },
];
