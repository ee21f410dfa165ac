/**
 * What the method table has no room for: when to call a method, why it is as it is, and the calls that the page
 * shows. The calls are run for real by tests/pages; what they print stands below them.
 */
import type { MethodName } from '#conductor/core/rpc/methods';

/** State of the three-node cluster in which a call is shown. Tests bring it about, the page says it in words. */
export type Given = keyof typeof givenSentences;

export const givenSentences = {
  'node-1 leads': '',
  'node-1 is paused': 'With node-1 paused, as by [`conductor_pause`](#conductor_pause):',
  'node-2 is overridden':
    'With node-2 overridden, as by the first call of [`conductor_overrideLeader`](#conductor_overrideleader):',
  'node-3 is a nonvoter': 'With node-3 a nonvoter, as after [`conductor_demoteVoter`](#conductor_demotevoter):',
  'node-3 is no member':
    'With node-3 not in the cluster, as after [`conductor_removeServer`](#conductor_removeserver):',
} as const;

/** One call on the page. */
export interface MethodExample {
  readonly params: readonly unknown[];
  /** Which node is asked, 1 to 3; node-1 leads. */
  readonly node: 1 | 2 | 3;
  readonly given: Given;
  /** MDX before the call; empty for none. */
  readonly says: string;
  /** Shell words after the call that keep the interesting part of a long answer; empty shows all. */
  readonly filter?: string;
  /** In place of a made command: for parameters no table can hold. */
  readonly command?: { readonly curl: string; readonly cast: string };
}

export interface MethodNote {
  /** MDX below the heading. */
  readonly text?: string;
  /** Left out: one, of node-1, with the example of the method table. */
  readonly examples?: readonly MethodExample[];
  /** MDX below the examples, where a call leaves another state behind than the one it is shown in: how to get back. */
  readonly after?: string;
}

export function example(
  params: readonly unknown[] = [],
  rest: Partial<Omit<MethodExample, 'params'>> = {},
): MethodExample {
  return { params, node: 1, given: 'node-1 leads', says: '', ...rest };
}

const consensusNote = `<Callout kind="note">

The change goes through the raft log, so call the leader.

</Callout>`;

const viewNote = `<Callout kind="note">

The answer is what this member knows about the cluster.

</Callout>`;

const nodeNote = `<Callout kind="note">

Called by op-node.

</Callout>`;

/** The examples that follow ask node-1 as the leader. */
const leadBack =
  'node-1 refuses calls that only a leader can answer until it leads again: in the terminal of `npm start`, press `1` and `t`.';

/** The envelope of block 1, read from the development sequencer; a real one comes from op-node. */
const commitCommand = {
  curl: `params=$(curl -sS -X POST -H "Content-Type: application/json" --data \\
  '{"jsonrpc":"2.0","id":1,"method":"dev_blocks","params":[1,1]}' \\
  http://127.0.0.1:8557 | sed 's/.*"result":\\(.*\\)}$/\\1/')

curl -sS -X POST -H "Content-Type: application/json" --data \\
  "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"conductor_commitUnsafePayload\\",\\"params\\":$params}" \\
  http://127.0.0.1:`,
  cast: `cast rpc dev_blocks 1 1 --rpc-url http://127.0.0.1:8557 |
  cast rpc conductor_commitUnsafePayload --raw --rpc-url http://127.0.0.1:`,
};

function commitOn(port: number): NonNullable<MethodExample['command']> {
  return { curl: `${commitCommand.curl}${port}`, cast: `${commitCommand.cast}${port}` };
}

/** In the order in which the page shows them; a method without a note comes last among those of its kind. */
export const methodNotes: Readonly<Partial<Record<MethodName, MethodNote>>> = {
  conductor_overrideLeader: {
    text: `Changes what [\`conductor_leader\`](#conductor_leader) and [\`conductor_leaderWithID\`](#conductor_leaderwithid) answer. Until you clear the override, this conductor does not start or stop its sequencer and does not transfer leadership, and it answers the [proxied methods](#eth_getblockbynumber). Raft still decides who leads, and only the raft leader commits payloads.

Use it when only one server is left. Be sure that the other conductors are down and stay down, and that no other sequencer runs. Then make these calls on the server that is left, which need not be paused:

1. \`conductor_overrideLeader\` with \`true\`. It is answered when the node has the last blocks of this server's log, committed or not; if the node does not accept them, an alarm says so.
2. \`admin_overrideLeader\` on its op-node, which then builds without its conductor.
3. \`admin_startSequencer\` on its op-node, with the hash of its newest block.

Batchers and other programs reach it through the proxied methods. As soon as a majority is back, restart op-node, because nothing else ends \`admin_overrideLeader\`. Then clear the override with \`false\`, see [ConductorOverridden](/conductor/runbooks/leadership#conductoroverridden). From then on raft decides again, and a sequencer whose conductor does not lead is stopped at once. A restart of the conductor also ends the override: start it with [\`--paused\`](#--paused), or it stops the sequencer. While the conductor is in contact with another leader, an override raises an alarm.

It takes a boolean. The older documented form without parameters means \`true\`.`,
    examples: [
      example([true], { node: 2 }),
      example([], { node: 2, says: 'Without parameters:' }),
      example([false], { node: 2, says: 'And back:', given: 'node-2 is overridden' }),
    ],
  },
  conductor_leaderOverridden: {
    text: 'Call this first if a conductor says that it leads and nothing is committed.',
    examples: [example(), example([], { node: 2, given: 'node-2 is overridden' })],
  },
  conductor_pause: {
    text: `A paused conductor does not start or stop its sequencer and does not transfer leadership. Everything else continues: it votes, replicates, checks health and answers calls. Pausing the leader does not stop its sequencer. A second call has no further effect.`,
    examples: [example()],
    after: 'node-1 stays paused until [`conductor_resume`](#conductor_resume) is called.',
  },
  conductor_resume: {
    text: 'It fails while op-node does not say whether its sequencer is active, because acting on a guess could start a second one.',
    examples: [example([], { given: 'node-1 is paused' })],
  },
  conductor_stop: {
    text: `The conductor transfers leadership if it is the leader, stops its sequencer and answers; then the process exits with code 0. A supervisor that restarts every process that ends, as Kubernetes and Docker can do, will start it again: there, use [\`conductor_pause\`](#conductor_pause) or scale it down. op-conductor's process stays alive after this call.`,
    examples: [example([], { node: 3 })],
    after:
      '`npm start` does not restart its processes: node-3 has ended, and port 8549 does not answer any more. In the terminal of `npm start`, press `3` and `r` to start it again.',
  },
  conductor_paused: {},
  conductor_stopped: {},
  conductor_sequencerHealthy: {
    text: 'The verdict of the last [health check](#sequencer-health-monitoring), at most one interval old.',
  },
  conductor_leader: {
    text: `${nodeNote}

op-node asks it before it starts its sequencer and while it stops it.

${viewNote}`,
    examples: [example(), example([], { node: 2, says: 'And a follower:' })],
  },
  conductor_leaderWithID: {
    text: `You can ask any member. \`suffrage\` is 0 for a voter and 1 for a nonvoter. Empty strings mean that no leader is known; while [overridden](#conductor_overrideleader) the id is \`N/A (Leader overridden)\`.

${viewNote}`,
    examples: [example([], { node: 3 })],
  },
  conductor_addServerAsVoter: {
    text: `The leader first connects to the address; a server that does not answer is not added.

Add a new server as a nonvoter first and promote it when its \`/readyz\` answers 200: a voter that is still catching up makes the majority larger, but cannot help to reach it.

${consensusNote}`,
    examples: [example(['node-3', '127.0.0.1:50052', 0], { given: 'node-3 is a nonvoter' })],
  },
  conductor_addServerAsNonvoter: {
    text: `The server receives the log and does not vote. This is the safe first step for every server that joins.

${consensusNote}`,
    examples: [example(['node-3', '127.0.0.1:50052', 0], { given: 'node-3 is no member' })],
    after:
      'node-3 has no vote yet; the call of [`conductor_addServerAsVoter`](#conductor_addserverasvoter) gives it one.',
  },
  conductor_removeServer: {
    text: `Stop its sequencer's traffic first; the removed conductor continues to run, but is no longer a member. An id that is not in the cluster is an error, and so is a version that is not the current one.

${consensusNote}`,
    examples: [
      example(['node-3', 1], { says: 'With an outdated version the call fails and changes nothing:' }),
      example(['node-3', 0]),
    ],
    after:
      'node-3 is no longer a member. The calls of [`conductor_addServerAsNonvoter`](#conductor_addserverasnonvoter) and [`conductor_addServerAsVoter`](#conductor_addserverasvoter) add it again.',
  },
  conductor_demoteVoter: {
    text: `The opposite of a promotion: the server keeps its copy of the log and loses its vote.

${consensusNote}`,
    examples: [example(['node-3', 0])],
    after:
      'node-3 has no vote now; the call of [`conductor_addServerAsVoter`](#conductor_addserverasvoter) gives it one again.',
  },
  conductor_transferLeader: {
    text: `The leader chooses the best follower: one whose sequencer is known to be healthy, never one known to be unhealthy or paused. If you call a follower, it also answers \`null\`, and nothing happens. So call the leader.

It fails while another transfer runs (\`leadership transfer in progress\`), if there is no follower to choose (\`cannot find peer\`, with the ids of those that cannot be expected to sequence), and if the chosen follower does not lead within an election timeout (\`leadership transfer timeout\`). The leader then stays the leader.`,
    examples: [example()],
    after: `Another node leads now. ${leadBack}`,
  },
  conductor_transferLeaderToServer: {
    text: `Leadership goes to the server that you name, even if it is known to be unhealthy. A follower answers with an error.

The third parameter is optional, because older pages and tools send it: a membership version, which is checked if it is not 0.

It fails as [\`conductor_transferLeader\`](#conductor_transferleader) does, and for a server that is not a voter or is the leader itself. The address may be any that leads to the server, with the port that the membership has: the server is dialled at the address that the membership has, and a different one is logged. An address of another member is refused.`,
    examples: [
      example(['node-2', '127.0.0.1:50051']),
      example(['node-2', '127.0.0.1:50051', 0], { says: 'With the version, while node-1 leads again:' }),
    ],
    after: `node-2 leads now. ${leadBack}`,
  },
  conductor_clusterMembership: {
    text: `Use its \`version\` in the calls that change the membership: if somebody else has changed the membership meanwhile, your call is refused.

${viewNote}`,
  },
  conductor_clusterNodes: {
    text: `For every member it has the unsafe head of its op-node (\`node\`), the head of its execution client (\`client\`), its safe head, and what its node reports about the newest committed block (\`verdict\`; \`says\` has the whole report). The reports are those of [what proves that a block is dead](/conductor/nodes-and-log#what-proves-that-a-block-is-dead), and \`unknown\`; \`ageMs\` is their age. \`disputed\`, which only a leader fills, names the committed blocks against which a node reports, and which reports are missing for a proof; with \`proved\` the leader gives the block up, with \`forbidden\` the proof is complete, but \`--consensus.rollback=refuse\` leaves it to an operator, and \`why\` says who reports what. \`refuses\`, which a conductor only knows of its own client, is the newest block if that client calls it invalid; with \`again\` it was restarted in between. It proves nothing. [\`conductor status\`](/conductor/operators-tool) shows it as a table.

${viewNote}`,
    examples: [example([], { filter: ` | grep -o '"committed":{"number":[0-9]*'` })],
  },
  conductor_giveUpBlock: {
    text: `With it an operator gives up a block if the nodes prove nothing, or if \`--consensus.rollback=refuse\` forbids what they prove (\`forbidden\` in [\`conductor_clusterNodes\`](#conductor_clusternodes)): the leader may then build below this block, and the next block replaces it in the log. [\`conductor repair\`](/conductor/operators-tool#repair) checks all servers before it makes this call; make it by hand only if that tool cannot run. The call is valid for 30 seconds. Without a complete proof it is refused while a server that answers has the block, has it as its head, or has it in its safe chain; while a member runs op-conductor, only the newest block can be given up.

${consensusNote}`,
    examples: [
      example([1, `0x${'00'.repeat(32)}`], {
        says: 'With a block that is not committed, for example a mistyped hash:',
      }),
    ],
    after: 'The call has changed nothing: [`conductor_clusterNodes`](#conductor_clusternodes) answers as before.',
  },
  conductor_active: {
    text: `It is \`true\` if the conductor is neither paused nor stopped. To learn whether the sequencer is active, call [\`admin_sequencerActive\`](#admin_sequenceractive). Operators' tools call this method; op-node v1.19.6 never does.`,
  },
  conductor_commitUnsafePayload: {
    text: `${nodeNote}

op-node calls it with every block that it has sealed, and gossips the block when the answer has come. The parameter is an execution payload envelope, \`{"executionPayload": {…}, "parentBeaconBlockRoot": "0x…"}\`.

The \`data.outcome\` of an error says what happened to the block. \`refused\` means that it is in no log and never will be. \`unknown\` means that it may be in the log: leadership was lost or the time ran out while it was pending, or a server that does not lead holds it already. So find out before you build a different block at that height. You can send the same block again; a different block at a height that the log already has is refused.`,
    examples: [
      example([], {
        says: 'Here the block is already committed, so the answer is success:',
        command: commitOn(8547),
      }),
      example([], {
        node: 2,
        says: 'A follower commits nothing. Its log holds this block, so it does not say `refused`:',
        command: commitOn(8548),
      }),
    ],
  },
  eth_getBlockByNumber: {
    examples: [example(['latest', false], { filter: ` | grep -o '"number":"0x[0-9a-f]*"'` })],
  },
  miner_setMaxDASize: {
    text: 'It changes which blocks the execution client builds, so it needs a token if tokens are set.',
    examples: [example(['0x0', '0x0'])],
  },
  optimism_outputAtBlock: {
    examples: [example(['0x1'], { filter: ` | grep -o '"outputRoot":"0x[0-9a-f]*"'` })],
  },
  optimism_syncStatus: {
    examples: [example([], { filter: ` | grep -o '"unsafe_l2":{"hash":"0x[0-9a-f]*","number":[0-9]*'` })],
  },
  optimism_rollupConfig: {
    examples: [example([], { filter: ` | grep -o '"block_time":[0-9]*'` })],
  },
  admin_sequencerActive: {
    text: 'A follower refuses it, like all proxied methods:',
    examples: [example(), example([], { node: 2, says: 'A follower:' })],
  },
  health_status: {},
  rpc_modules: {},
  'rpc.discover': { examples: [example([], { filter: ` | grep -o '"openrpc":"[0-9.]*"'` })] },
};
