/**
 * Every deliberate difference of our JSON-RPC answers from op-conductor v1.19.6's: which case,
 * what they answer, what we answer and why. The tests take their exceptions from here and the
 * docs page its table; a difference without a row is a bug.
 */

/** One row. `cases` matches names of recorded exchanges. */
export interface Difference {
  readonly cases: RegExp;
  readonly theirs: string;
  readonly ours: string;
  readonly why: string;
}

const differences: readonly Difference[] = [
  {
    cases: /^overrideLeader: (params null|no params key|only 0 of 1 params)$/,
    theirs: '-32602 missing value for required argument 0',
    ours: 'same as true',
    why: 'The public docs page shows the call without parameters; both forms work.',
  },
  {
    cases: /^transferLeaderToServer: (too many params|one null too many)$/,
    theirs: '-32602 too many arguments, want at most 2',
    ours: 'a third parameter is the membership version, checked when it is not 0',
    why: 'The public docs page shows a third parameter; both forms work.',
  },
  {
    cases: /^clusterMembership |^clusterMembership: (params null|no params key)$|clusterMembership$/,
    theirs: 'version is always 0 and an empty cluster is null',
    ours: 'version is the index of the configuration and an empty cluster is []',
    why: 'Only a real version makes the version preconditions mean something.',
  },
  {
    cases: /^(removeServer|demoteVoter) of an unknown id$|^(removeServer|demoteVoter): param [01] is null$/,
    theirs: 'null, and a configuration entry is written',
    ours: '-32000 naming the unknown id; nothing is written',
    why: 'A typing error must not look like success.',
  },
  {
    cases: /^transferLeaderToServer of an unknown server$|^transferLeaderToServer: param [01] is null$/,
    theirs: '-32000 with a memory address in the text',
    ours: '-32000 naming the unknown id',
    why: 'The text of theirs helps nobody.',
  },
  {
    cases: /^http: (content-length over the limit|over the limit|body of \d+ bytes|chunked body)/,
    theirs: 'bodies over 5 MiB are refused, chunked ones with a parse error',
    ours: 'bodies over --rpc.body-limit (64 MiB) are refused with 413 however they arrive',
    why: 'Blocks above about 2.6 MB could never be committed and the chain stopped.',
  },
  {
    cases: /^http: GET (without a body|with origin|with content type)$/,
    theirs: 'an empty page',
    ours: 'a short text saying what this is',
    why: 'Somebody looking with a browser should know what answers.',
  },
  {
    cases: /^miner_setMaxDASize on a follower$/,
    theirs: 'the answer of the execution client, whoever leads',
    ours: '-32000 refusing to proxy request to non-leader sequencer, as the other proxied methods',
    why: 'They check leadership for five of six proxied methods and forget this one.',
  },
  {
    cases: / backend bad json$/,
    theirs: "the words of Go's JSON decoder",
    ours: '-32000 naming the method that was not answered with JSON',
    why: 'The text names a character, not what went wrong.',
  },
  {
    cases:
      /^(conductor_)?commitUnsafePayload (on a follower|in no cluster|while overridden on a follower|on the old leader|without a quorum)$/,
    theirs: '-32000 failed to apply payload envelope: node is not the leader',
    ours: 'the same code and message, and data { outcome, reason }',
    why: 'op-node and tools must be able to tell refused from unknown (rule 5).',
  },
  {
    cases: /^commitUnsafePayload of an older block$/,
    theirs: 'null, though the state machine ignores it',
    ours: '-32000 with outcome refused and the held block, unless the same hash is committed at that height',
    why: 'One hash per height (rule 2): an ignored payload must not be published.',
  },
  {
    cases: /^flashblocks: (override|lease over|sequencer stopped)$/,
    theirs: 'passed on while conductor_leader says true, so also under overrideLeader and without asking the sequencer',
    ours: 'passed on by the raft leader only, inside its lease and with an active sequencer',
    why: 'Parts of blocks that can never be committed must not reach users (rule 26).',
  },
  {
    cases: /^flashblocks: binary message$/,
    theirs: 'every message becomes text',
    ours: 'binary stays binary',
    why: 'Text frames must be UTF-8; clients close the connection otherwise.',
  },
  {
    cases: /^flashblocks: silent source$/,
    theirs: 'a source that sends nothing for 30 s is connected to again, by the leader only',
    ours: 'pings tell a silent source from a dead one; followers keep their connection too',
    why: 'Nothing is lost to a reconnect after an election.',
  },
  {
    cases: /^health: execution peers unreachable$/,
    theirs: 'the text of the failure becomes a label of healthchecks_count',
    ours: 'the label is "cannot connect to sequencer rpc endpoints"; the text is in the log',
    why: 'Labels without bound fill the memory of Prometheus.',
  },
];

/** The row a recorded case falls under, if any. */
export function differenceOf(caseName: string): Difference | undefined {
  return differences.find((row) => row.cases.test(caseName));
}
