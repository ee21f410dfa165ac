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

An unknown name is refused with the nearest one, and every mistake is told with its line; \`conductor doctor -- --config=FILE\` tells all of them. \`SIGHUP\` has the file read again: \`log.level\` is applied, and a warning names every other option that has changed and needs a restart.`,
  'consensus.addr':
    'In containers this is `0.0.0.0`: the others reach the port through the address in [`--consensus.advertised`](#--consensusadvertised).',
  'consensus.advertised': `What the other servers dial, and what stands in the membership. A name is better than an address: it is kept as you write it and resolved at each dial, so a rescheduled pod is found again. Left empty, the bound address is told to the others, and a start that binds an address nobody else could reach ends with an error.

<Callout kind="note">

op-conductor v1.19.6 resolves a name once, at start, and stores the address.

</Callout>`,
  'otel.endpoint':
    'A base URL, as `OTEL_EXPORTER_OTLP_ENDPOINT`: `/v1/traces` is added to it. [Traces](/conductor/traces) has what is sent, and the variables that count.',
  'raft.bootstrap': `<Callout kind="warning">

Set it on one conductor only, the one beside the active sequencer, and only until the cluster exists. Two bootstrapped servers are two clusters, each with a leader that may sequence. After a successful bootstrap the conductor pauses itself, and a later start with the flag finds the cluster and only warns; remove the flag all the same, because after a lost disk it would bootstrap a second cluster.

To bootstrap again, stop all conductors and delete all their raft directories first.

</Callout>`,
  'raft.bootstrap-once': `The same list on every server, all of them in it, each by its own address. The first of the list bootstraps the cluster when its store is new and every other one has answered that it belongs to none; it is paused then, as after [\`--raft.bootstrap\`](#--raftbootstrap), and the others are added to it. The flag may stay set: a first server whose disk was replaced learns which cluster it belonged to, or gets no answer, and bootstraps no second one.`,
  'raft.server.id':
    'Unique in the cluster, and stable over restarts: `sequencer-0`, not the name of a pod that changes. It names a folder, so it holds no slashes.',
  'raft.storage.dir': `On a volume that outlives the container. A server that comes back without its log has forgotten its votes, so it takes no part in elections until the leader has brought it up to date.`,
  'node.rpc':
    'Needs op-node’s admin methods, so start op-node with `--rpc.enable-admin`. HTTP or HTTPS; a WebSocket address is refused with a sentence.',
  'execution.rpc': 'The execution client of the same sequencer, or the builder’s proxy in front of it.',
  'healthcheck.interval': 'One second finds a stalled sequencer soonest. Each round asks op-node two questions.',
  'healthcheck.unsafe-interval': `Two to three block times: with less, one late block moves leadership; with more, users wait longer for somebody to take over. On a chain with two-second blocks, 5 is a good value.`,
  'healthcheck.min-peer-count': `Count the peers that \`opp2p_peerStats\` shows on a good day and stay below that. Your other sequencers count too: with three that know only each other, 2 means that the loss of one server makes both remaining sequencers unhealthy, and 1 tolerates it.`,
  'healthcheck.safe-enabled':
    'Also moves leadership when the batcher stops, which no other sequencer can repair. Leave it off unless you know why you want it.',
  'healthcheck.safe-interval': 'Only used with [`--healthcheck.safe-enabled`](#--healthchecksafe-enabled).',
  paused: `<Callout kind="warning">

Being paused is not stored. Resume by RPC, restart, and a conductor with this flag is paused again. Remove the flag once you have resumed.

</Callout>`,
  'rpc.enable-proxy': `A batcher or a proposer can then follow the leader by asking all conductors: only the leader answers the [proxied methods](#eth_getblockbynumber), all others refuse.`,
  'rpc.enable-admin': `op-conductor v1.19.6 reads this flag and never uses it: its admin methods are always open. Conductor obeys it. Without it every admin method answers \`-32601\` and names the flag, so a replaced cluster that never set it loses pause, transfer and membership calls. Set it, and set [\`--rpc.auth.tokens-file\`](#--rpcauthtokens-file) or keep the port on a private network.`,
  'rpc.admin-compat':
    'Restores what op-conductor does: admin methods are open whatever [`--rpc.enable-admin`](#--rpcenable-admin) says. For a replacement one by one in a cluster that never set that flag.',
  'rpc.auth.tokens-file': 'See [who may call admin methods](#who-may-call-admin-methods).',
  'rpc.auth.jwt-secret': 'See [who may call admin methods](#who-may-call-admin-methods).',
  'raft.snapshot-interval':
    'A snapshot is the newest payload; with it the log before it can be dropped. The three snapshot flags rarely need other values.',
  'raft.trailing-logs':
    'Also how far a sequencer may fall behind and still be brought up from the log: at one block per second, 10240 entries are almost three hours.',
  'raft.round-robin-leader-transfer':
    'Set it on all members or on none. Where only some have it, two ways of choosing a target meet, and leadership can bounce between them; this holds for op-conductor and for mixed clusters.',
  'raft.heartbeat-timeout':
    'Only counts when a leader falls silent. A process that dies is noticed by its closed connections, within milliseconds.',
  'raft.lease-timeout': 'A leader that cannot reach a majority for this long stops its sequencer by itself.',
  'raft.legacy-empty-store':
    'For tests beside op-conductor. In production, remove a server that lost its disk from the cluster, then add it again.',
  'consensus.verify-block-hash':
    'The check costs a few milliseconds per megabyte and keeps a broken builder from filling the log with blocks that no node accepts.',
  'consensus.rollback': `A chain legitimately moves back when the L1 block it was derived from is reorganised away. With \`proof\` (\`auto\` is another name) the committed chain follows once enough voters' own nodes prove that it must; with \`refuse\` the conductor stops there and raises the alarm \`rollback-refused\`.`,
  'consensus.allow-gap':
    'Needed once, after a chain ran for more than 4096 blocks without its conductors. Shorter gaps are walked and accepted by themselves.',
  'consensus.validate': `With \`leader\` the leader's execution client executes a block before it is committed, and an invalid one is refused. A client that is too slow, syncing or not there holds no block back.`,
  'execution.engine-rpc':
    'The address that op-node has as `--l2`; port 8551 as a rule. The conductor hands it payloads and reads what the client says of them. It never moves a head: that is op-node’s alone.',
  'execution.jwt-secret':
    'The file that op-node has as `--l2.jwt-secret`: 64 hex digits, with or without `0x`. A new token is made for each request, and the client takes those of the last minute, so the clocks of the two machines must agree.',
  'sequencer.recover-mode':
    'Only where blocks are validated: an invalid block is otherwise not noticed before it is published.',
  'l1.rpc':
    'Asked by `conductor doctor` alone in this release; a lost L1 origin is proved by the nodes that leave its blocks.',
  'metrics.enabled': 'The families are listed under [Metrics](#metrics).',
  network: 'Only the block time is used. For a chain that is not in the list give `--rollup.config`.',
  'rollup.config':
    'Only the block time is used; the file is checked as a whole all the same, so that a wrong one is noticed.',
  'consensus.tls.cert': 'See [TLS between conductors](#tls-between-conductors).',
  'rollupboost.ws-url':
    'Flashblocks are passed on by the leader only, so clients may connect to all conductors and get each block once.',
};
