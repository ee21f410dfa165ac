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
  'node-3 is a nonvoter':
    'With node-3 a member without a vote, as [`conductor_demoteVoter`](#conductor_demotevoter) leaves it:',
  'node-3 is no member':
    'With node-3 outside of the cluster, as [`conductor_removeServer`](#conductor_removeserver) leaves it:',
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
  readonly text: string;
  readonly examples: readonly MethodExample[];
  /** MDX below the examples, where a call leaves another state behind than the one it is shown in: how to get back. */
  readonly after?: string;
}

function example(params: readonly unknown[] = [], rest: Partial<Omit<MethodExample, 'params'>> = {}): MethodExample {
  return { params, node: 1, given: 'node-1 leads', says: '', ...rest };
}

const consensusNote = `<Callout kind="note">

Part of consensus: the change goes through the raft log, so ask the leader.

</Callout>`;

const viewNote = `<Callout kind="note">

Part of consensus: the answer is what this member knows.

</Callout>`;

const nodeNote = `<Callout kind="note">

Called by op-node.

</Callout>`;

/** The examples that follow ask node-1 as the leader. */
const leadBack =
  'What only a leader does is refused by node-1 until it leads again: in the terminal of `npm start`, press `1` and `t`.';

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

export const methodNotes: Readonly<Record<MethodName, MethodNote>> = {
  conductor_overrideLeader: {
    text: `Changes what [\`conductor_leader\`](#conductor_leader) and [\`conductor_leaderWithID\`](#conductor_leaderwithid) answer, and leaves the sequencer to you: until it is cleared this conductor neither starts nor stops it, and hands leadership to nobody. The [proxied methods](#eth_getblockbynumber) are answered while it lasts. Raft still decides who leads, and only the raft leader commits payloads.

It is for the day on which one server is left. Be sure that the other conductors are down and stay down, and that no other sequencer runs. Then, on the server that is left, which need not be paused:

1. \`conductor_overrideLeader\` with \`true\`. It is answered once the node holds the blocks that this server's log ends in, committed or not; where the node does not take them, an alarm says so.
2. \`admin_overrideLeader\` on its op-node, which then builds without its conductor.
3. \`admin_startSequencer\` on its op-node, with the hash of its newest block.

Batchers and others reach it through the proxied methods. Clear it with \`false\` as soon as a majority is back, see [ConductorOverridden](/conductor/runbooks/leadership#conductoroverridden): from that moment raft decides again, and a sequencer whose conductor does not lead is stopped at once. An override ends with its process: one that is restarted must be started with [\`--paused\`](#--paused), or it stops the sequencer. While the conductor is in contact with another leader, an override raises an alarm.

It takes a boolean. The older documented form without parameters means \`true\`.`,
    examples: [
      example([true], { node: 2 }),
      example([], { node: 2, says: 'Without parameters:' }),
      example([false], { node: 2, says: 'And back:', given: 'node-2 is overridden' }),
    ],
  },
  conductor_leaderOverridden: {
    text: 'Look here first when a conductor says that it leads and nothing is committed.',
    examples: [example(), example([], { node: 2, given: 'node-2 is overridden' })],
  },
  conductor_pause: {
    text: `While paused a conductor starts, stops and hands over nothing. Everything else goes on: it votes, replicates, checks health and answers. Pausing the leader does not stop its sequencer. Calling it twice is the same as once.`,
    examples: [example()],
    after: 'node-1 stays paused until [`conductor_resume`](#conductor_resume) is called.',
  },
  conductor_resume: {
    text: 'It fails while op-node does not say whether its sequencer runs: acting on a guess could start a second one.',
    examples: [example([], { given: 'node-1 is paused' })],
  },
  conductor_stop: {
    text: `For good: the conductor hands leadership over if it has it, stops its sequencer, answers, and the process exits with code 0. A supervisor that restarts whatever ends will start it again.`,
    examples: [example([], { node: 3 })],
    after:
      'Nothing restarts the processes of `npm start`: node-3 is gone, and nobody answers on port 8549 any more. In the terminal of `npm start` the keys `3` and `r` start it again.',
  },
  conductor_paused: { text: '', examples: [example()] },
  conductor_stopped: { text: '', examples: [example()] },
  conductor_sequencerHealthy: {
    text: 'The verdict of the last [health check](#sequencer-health-monitoring), at most one interval old.',
    examples: [example()],
  },
  conductor_leader: {
    text: `${nodeNote}

op-node asks it before it starts its sequencer and while it stops it.

${viewNote}`,
    examples: [example(), example([], { node: 2, says: 'And a follower:' })],
  },
  conductor_leaderWithID: {
    text: `Any member may be asked. \`suffrage\` is 0 for a voter and 1 for a nonvoter. Empty texts mean that no leader is known; while [overridden](#conductor_overrideleader) the id is \`N/A (Leader overridden)\`.

${viewNote}`,
    examples: [example([], { node: 3 })],
  },
  conductor_addServerAsVoter: {
    text: `The address is dialled first; a server that does not answer is not added.

Add a new server as a nonvoter first and promote it when its \`/readyz\` is well: a voter that is still catching up counts towards the majority and cannot help to make it.

${consensusNote}`,
    examples: [example(['node-3', '127.0.0.1:50052', 0], { given: 'node-3 is a nonvoter' })],
  },
  conductor_addServerAsNonvoter: {
    text: `It receives the log and takes part in no vote: the safe first step of every server that joins.

${consensusNote}`,
    examples: [example(['node-3', '127.0.0.1:50052', 0], { given: 'node-3 is no member' })],
    after:
      'node-3 has no vote yet; the call of [`conductor_addServerAsVoter`](#conductor_addserverasvoter) gives it one.',
  },
  conductor_removeServer: {
    text: `Stop its sequencer's traffic first; the removed conductor goes on running and is no member any more. An id that is not in the cluster is an error, and so is a version that is not the current one.

${consensusNote}`,
    examples: [
      example(['node-3', 1], { says: 'With a version that is out of date nothing is changed:' }),
      example(['node-3', 0]),
    ],
    after:
      'node-3 is no member any more. The calls of [`conductor_addServerAsNonvoter`](#conductor_addserverasnonvoter) and [`conductor_addServerAsVoter`](#conductor_addserverasvoter) take it in again.',
  },
  conductor_demoteVoter: {
    text: `The opposite of a promotion: the server keeps its copy of the log and loses its vote.

${consensusNote}`,
    examples: [example(['node-3', 0])],
    after:
      'node-3 has no vote now; the call of [`conductor_addServerAsVoter`](#conductor_addserverasvoter) gives it one again.',
  },
  conductor_transferLeader: {
    text: `The best follower is chosen: one whose sequencer is known to be healthy, never one known to be unhealthy or paused. A follower answers \`null\` too, and nothing happens.

${consensusNote}`,
    examples: [example()],
    after: `Another node leads now. ${leadBack}`,
  },
  conductor_transferLeaderToServer: {
    text: `To the server you name, whatever is known of its health. On a follower it is an error.

The third parameter is optional, as older pages and tools send it: a membership version, checked when it is not 0.

${consensusNote}`,
    examples: [
      example(['node-2', '127.0.0.1:50051']),
      example(['node-2', '127.0.0.1:50051', 0], { says: 'With the version, while node-1 leads again:' }),
    ],
    after: `node-2 leads now. ${leadBack}`,
  },
  conductor_clusterMembership: {
    text: `Take \`version\` from here for the calls that change the membership: if somebody else has changed it meanwhile, yours is refused.

${viewNote}`,
    examples: [example()],
  },
  conductor_active: {
    text: `Whether the conductor acts: it is neither paused nor stopped. Whether the sequencer runs is [\`admin_sequencerActive\`](#admin_sequenceractive). Operators' tools call this method; op-node v1.19.6 never does.`,
    examples: [example()],
  },
  conductor_commitUnsafePayload: {
    text: `${nodeNote}

op-node calls it with every block that it has sealed, and gossips the block when the answer has come. The parameter is an execution payload envelope, \`{"executionPayload": {…}, "parentBeaconBlockRoot": "0x…"}\`.

An error says in \`data.outcome\` what became of the block: \`refused\`, it is in no log and never will be; \`unknown\`, leadership or time was lost while it waited, so look before you build another at that height. The same block may be sent again; another at a height that is held is refused.`,
    examples: [
      example([], {
        says: 'Here the block is one that is committed already, so the answer is success:',
        command: commitOn(8547),
      }),
      example([], { node: 2, says: 'A follower refuses:', command: commitOn(8548) }),
    ],
  },
  eth_getBlockByNumber: {
    text: '',
    examples: [example(['latest', false], { filter: ` | grep -o '"number":"0x[0-9a-f]*"'` })],
  },
  miner_setMaxDASize: {
    text: 'It changes what the execution client builds, so where tokens are set it asks for one.',
    examples: [example(['0x0', '0x0'])],
  },
  optimism_outputAtBlock: {
    text: '',
    examples: [example(['0x1'], { filter: ` | grep -o '"outputRoot":"0x[0-9a-f]*"'` })],
  },
  optimism_syncStatus: {
    text: '',
    examples: [example([], { filter: ` | grep -o '"unsafe_l2":{"hash":"0x[0-9a-f]*","number":[0-9]*'` })],
  },
  optimism_rollupConfig: {
    text: '',
    examples: [example([], { filter: ` | grep -o '"block_time":[0-9]*'` })],
  },
  admin_sequencerActive: {
    text: 'Asked of a follower it is refused, like all proxied methods:',
    examples: [example(), example([], { node: 2, says: 'A follower:' })],
  },
  conductor_clusterNodes: {
    text: `Who stands where: for every member the unsafe head of its op-node (\`node\`), the head of its execution client (\`client\`), its safe head, and what its node shows about the newest committed block (\`verdict\`; \`says\` has all of it). The words are those of [what proves that a block is dead](/conductor/nodes-and-log#what-proves-that-a-block-is-dead), and \`unknown\`; \`ageMs\` is how old they are. \`disputed\`, which only a leader fills, names the committed blocks that some node speaks against, and who would have to say what. [\`conductor status\`](/conductor/operators-tool) shows it as a table.

${viewNote}`,
    examples: [example([], { filter: ` | grep -o '"committed":{"number":[0-9]*'` })],
  },
  conductor_giveUpBlock: {
    text: `The operator's word where the nodes prove nothing: the leader may build below this block, and the next block takes its place in the log. [\`conductor repair\`](/conductor/operators-tool#repair) looks at all servers before it says so; say it by hand only where that tool cannot run. The word holds for 30 seconds. It is refused while a server that answers has the block, stands on it, or has it in its safe chain; beside op-conductor only the newest block can be given up.

${consensusNote}`,
    examples: [
      example([1, `0x${'00'.repeat(32)}`], { says: 'A block that is not committed, as any with a mistyped hash:' }),
    ],
    after:
      'Nothing restarts and nothing has changed: what [`conductor_clusterNodes`](#conductor_clusternodes) tells is as before.',
  },
  health_status: { text: '', examples: [example()] },
  rpc_modules: { text: '', examples: [example()] },
  'rpc.discover': { text: '', examples: [example([], { filter: ` | grep -o '"openrpc":"[0-9.]*"'` })] },
};
