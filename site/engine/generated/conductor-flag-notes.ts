/**
 * What the flag table has no room for: why a flag is as it is and what goes wrong without care. MDX by flag
 * name; shown below the facts of the flag.
 */
import type { FlagName } from '#conductor/cli/flags';

export const flagNotes: Readonly<Partial<Record<FlagName, string>>> = {
  config: `One \`name: value\` per line, comments after \`#\`, at most 64 KiB. Names are those of the flags, without dashes:

\`\`\`yaml title="conductor.yaml"
raft.server.id: sequencer-1
raft.storage.dir: /var/lib/conductor
node.rpc: http://127.0.0.1:9545
healthcheck.unsafe-interval: 5
log.level: info
\`\`\`

An unknown name is refused, and the error names the most similar one and the line; \`conductor doctor -- --config=FILE\` lists all mistakes. After \`SIGHUP\` the file is read again: \`log.level\` is applied, and a warning names every other option that has changed and needs a restart.`,
  'consensus.addr':
    'In containers this is `0.0.0.0`: the others reach the port through the address in [`--consensus.advertised`](#--consensusadvertised).',
  'consensus.advertised': `The address to which the other servers connect, and which is in the membership. A host name is better than an IP address: it is stored as you write it and resolved at each connection, so a rescheduled pod is found again. If it is empty, the others use the bound address; if they cannot reach that address, for example \`0.0.0.0\`, the start ends with an error.

<Callout kind="note">

op-conductor v1.19.6 resolves a name once, at start, and stores the address.

</Callout>`,
  'otel.endpoint':
    'A base URL, as `OTEL_EXPORTER_OTLP_ENDPOINT`: `/v1/traces` is added to it. [Traces](/conductor/traces) describes what is sent, and the variables that Conductor uses.',
  'raft.bootstrap': `<Callout kind="warning">

Set it only on the conductor of the active sequencer, and only until the cluster exists. If you bootstrap two servers, you have two clusters, each with a leader that may sequence. After a successful bootstrap the conductor pauses itself. A later start with the flag finds the cluster and only warns. Remove the flag nevertheless, because a server that has lost its disk would bootstrap a second cluster.

To bootstrap again, stop all conductors and delete all their raft directories first.

</Callout>`,
  'raft.bootstrap-once': `All servers have the same list, with the address of each of them. The first server of the list bootstraps the cluster if its store is new and every other server has answered that it belongs to no cluster. It is then paused, as after [\`--raft.bootstrap\`](#--raftbootstrap), and the others are added. You can leave the flag set: if the disk of the first server is replaced, it does not bootstrap a second cluster, because the others answer that they belong to one, or do not answer.`,
  'raft.server.id':
    'It must be unique in the cluster, and the same after a restart: `sequencer-0`, not the name of a pod that changes. It is also the name of a folder, so it cannot have slashes.',
  'raft.storage.dir': `Use a volume that is kept when the container is replaced. A server that comes back without its log has forgotten its votes, so it takes no part in elections until the leader has brought it up to date.`,
  'node.rpc':
    'The conductor needs op-node’s admin methods, so start op-node with `--rpc.enable-admin`. The address is HTTP or HTTPS; a WebSocket address is refused.',
  'execution.rpc': 'The execution client of the same sequencer, or the builder’s proxy in front of it.',
  'healthcheck.interval':
    'With one second, the smallest value, a stalled sequencer is found soonest. Each check makes two calls to op-node. An answer may take one interval, and at least one second; op-conductor waits ten seconds. If your op-node or execution client sometimes needs longer, use a longer interval.',
  'healthcheck.unsafe-interval': `Use two to three block times. With a shorter interval, one late block moves leadership; with a longer one, users wait longer until another sequencer takes over. On a chain with two-second blocks, 5 is a good value. The value and the timestamps of blocks are whole seconds, so 2 is the least that makes sense, also where a block takes only 250 ms. Subblocks (formerly Flashblocks) do not count, only whole blocks do.`,
  'healthcheck.min-peer-count': `Use a number below the peers that \`opp2p_peerStats\` normally shows. Your other sequencers count too. If three sequencers know only each other, the loss of one server makes both remaining sequencers unhealthy with 2, but not with 1.`,
  'healthcheck.safe-enabled':
    'With this check, leadership also moves when the batcher stops, although no other sequencer can repair that. Leave it off unless you know why you need it.',
  'healthcheck.safe-interval': 'Only used with [`--healthcheck.safe-enabled`](#--healthchecksafe-enabled).',
  paused: `<Callout kind="warning">

A conductor with this flag is paused after every start, even if you resumed it by RPC before the restart. Remove the flag when you have resumed it.

</Callout>`,
  'rpc.enable-proxy': `A batcher or a proposer can then find the leader by asking all conductors, because only the leader answers the [proxied methods](#eth_getblockbynumber); all others refuse.`,
  'rpc.enable-admin': `op-conductor v1.19.6 reads this flag and never uses it: its admin methods are always open. Conductor obeys it. Without it every admin method answers \`-32601\` and names the flag, so a replaced cluster that never set it loses pause, transfer and membership calls. Set it, and set [\`--rpc.auth.tokens-file\`](#--rpcauthtokens-file) or keep the port on a private network.`,
  'rpc.admin-compat':
    'With it, admin methods are open even without [`--rpc.enable-admin`](#--rpcenable-admin), as in op-conductor. It is for replacing servers one by one in a cluster that never set that flag.',
  'rpc.auth.tokens-file': 'See [who may call admin methods](#who-may-call-admin-methods).',
  'rpc.auth.jwt-secret': 'See [who may call admin methods](#who-may-call-admin-methods).',
  'raft.snapshot-interval':
    'A snapshot has the newest payload, so the log before it can be deleted. The three snapshot flags rarely need different values.',
  'raft.trailing-logs':
    'A sequencer that is at most this many entries behind can be brought up to date from the log: at one block per second, 10240 entries are almost three hours.',
  'raft.round-robin-leader-transfer':
    'Set it on all members or on none. If only some have it, the members choose targets in two different ways, and leadership can move back and forth between them. This is true for op-conductor and for mixed clusters.',
  'raft.heartbeat-timeout':
    'It only matters when a leader no longer answers. If its process ends, the others notice the closed connections within milliseconds.',
  'raft.lease-timeout': 'A leader that cannot reach a majority for this long stops its sequencer by itself.',
  'raft.legacy-empty-store':
    'It is for tests together with op-conductor. In production, remove a server that has lost its disk from the cluster, then add it again.',
  'consensus.verify-block-hash':
    'The check costs a few milliseconds per megabyte. It prevents a broken builder from filling the log with blocks that no node accepts.',
  'consensus.rollback': `A chain has to be rolled back when a reorganisation removes the L1 block from which it was derived. With \`proof\` (or \`auto\`, which means the same) the committed chain is rolled back when the nodes of enough voters prove that it must be. With \`refuse\` the conductor stops there and raises the alarm \`rollback-refused\`.`,
  'consensus.allow-gap':
    'You need it once, after a chain ran for more than 4096 blocks without its conductors or under an override: on every conductor, with the hash of the newest block. Shorter gaps are checked and accepted without it.',
  'consensus.validate': `With \`leader\` the leader's execution client executes a block before it is committed, and an invalid one is refused. A client that is slow, syncing or down does not stop blocks; they are then committed without a verdict. \`leader\` is the value if [\`--execution.engine-rpc\`](#--executionengine-rpc) and [\`--execution.jwt-secret\`](#--executionjwt-secret) are set, which both values need.

With \`quorum\` the clients of a majority of the voters execute it too. Set it if your servers run op-reth, which does not execute a block that it built: with \`leader\`, its VALID about such a block says nothing. Each block then travels twice to each voter. A commit waits for the verdict for half a block time, at most 500 ms. op-conductor has no such check: beside members that run it, \`quorum\` counts only the leader's client if too few others can answer, and while one of them leads, no block is checked. [Blocks that are executed first](/conductor/nodes-and-log#blocks-that-are-executed-first) has the details.`,
  'execution.engine-rpc':
    'The address that op-node has as `--l2`, usually with port 8551. The conductor sends payloads to it and reads the client’s verdicts. It never moves a head, which only op-node may do.',
  'execution.jwt-secret':
    'The file that op-node has as `--l2.jwt-secret`: 64 hex digits, with or without `0x`. The conductor makes a new token for each request, and the client accepts tokens of the last minute, so the clocks of the two machines must agree.',
  'sequencer.recover-mode':
    'It has an effect also if blocks are not validated before they are committed; then an invalid block is noticed after it was published. With `auto` a new leader turns off a recover mode that somebody set by hand. To set it by hand, use `off`.',
  'l1.rpc':
    'While its node is off the committed chain, the conductor asks this client whether the L1 origin of the missing block is still there, at most once a second. The answer counts as this voter’s `l1` report, see [what proves that a block is dead](/conductor/nodes-and-log#what-proves-that-a-block-is-dead).',
  'metrics.enabled': 'The metrics are listed under [Metrics](#metrics).',
  network: 'Only the block time is used. For a chain that is not in the list, set `--rollup.config`.',
  'rollup.config': 'Only the block time is used, but the whole file is checked, so that a wrong file is noticed.',
  'consensus.tls.cert': 'See [TLS between conductors](#tls-between-conductors).',
  'rollupboost.ws-url':
    'Only the leader forwards flashblocks, so clients can connect to all conductors and get each flashblock once.',
};
