/**
 * Every deliberate difference of our JSON-RPC answers from op-conductor v1.19.6's: which recorded cases,
 * what they answer, what we answer and why. The tests take their exceptions from here; a difference
 * without a row is a bug.
 */

/** One row. */
export interface Difference {
  /** What is asked or given, in words for the docs. */
  readonly about: string;
  /** Names of the recorded cases it may cover. */
  readonly cases: RegExp;
  readonly opConductor: string;
  readonly ours: string;
  readonly why: string;
}

/** A row about answers; it covers a case when the name and both answers match. */
interface AnswerDifference extends Difference {
  /** Their status and body, as in `200 {"jsonrpc":…}`; of a batch one element each. */
  readonly theirAnswer: RegExp;
  readonly ourAnswer: RegExp;
}

const random = '|^random (request|batch) ';

/** A pattern of case names, which also covers the randomly made cases of the file. */
function orRandom(pattern: RegExp): RegExp {
  return new RegExp(pattern.source + random);
}

/** Every row. */
export const answerDifferences: readonly AnswerDifference[] = [
  {
    about: 'conductor_overrideLeader without parameters',
    cases: orRandom(/^overrideLeader: (params null|no params key|only 0 of 1 params)$/),
    theirAnswer: /"code":-32602,"message":"missing value for required argument 0"/,
    ourAnswer: /"result":null/,
    opConductor: '-32602 missing value for required argument 0',
    ours: 'same as true',
    why: 'The public docs page shows the call without parameters; both forms work.',
  },
  {
    about: 'conductor_transferLeaderToServer with a third parameter',
    cases: orRandom(/^transferLeaderToServer: (too many params|one null too many)$/),
    theirAnswer: /"code":-32602,"message":"too many arguments, want at most 2"/,
    ourAnswer:
      /"code":-3(2000|2602),"message":"(configuration changed since|too many arguments, want at most 3|no server|server |invalid argument 2)/,
    opConductor: '-32602 too many arguments, want at most 2',
    ours: 'a third parameter is the membership version, checked when it is not 0',
    why: 'The public docs page shows a third parameter; both forms work.',
  },
  {
    about: 'conductor_clusterMembership',
    cases: orRandom(/clusterMembership/),
    theirAnswer: /"servers":(null|\[.*\]),"version":0\}/,
    ourAnswer: /"servers":\[.*\],"version":\d+\}/,
    opConductor: 'version is always 0 and an empty cluster is null',
    ours: 'version is the index of the configuration and an empty cluster is []',
    why: 'Only a real version makes the version preconditions mean something.',
  },
  {
    about: 'a membership version that is not the current one',
    cases: orRandom(/ with (an old version|version from the future)$|: param \d is /),
    theirAnswer: /"message":"configuration changed since \d+ \(latest is \d+\)"/,
    ourAnswer: /"message":"configuration changed since \d+ \(latest is \d+\)"/,
    opConductor: 'the same words with another index',
    ours: 'the index of our configuration entry',
    why: 'A log without entries for changes that change nothing has smaller indices.',
  },
  {
    about: 'conductor_removeServer and conductor_demoteVoter of an unknown id',
    cases: orRandom(/^(removeServer|demoteVoter) of an unknown id$|^(removeServer|demoteVoter): param [01] is null$/),
    theirAnswer: /"result":null/,
    ourAnswer: /"code":-32000,"message":"[^"]*(nobody|unknown|no server|not a member)/,
    opConductor: 'null, and a configuration entry is written',
    ours: '-32000 naming the unknown id; nothing is written',
    why: 'A typing error must not look like success.',
  },
  {
    about: 'conductor_transferLeaderToServer to an unknown id',
    cases: orRandom(/^transferLeaderToServer of an unknown server$|^transferLeaderToServer: param [01] is null$/),
    theirAnswer: /cannot find replication state for 0x/,
    ourAnswer: /"code":-32000,"message":"/,
    opConductor: '-32000 with a memory address in the text',
    ours: '-32000 naming the unknown id',
    why: 'The text of theirs helps nobody.',
  },
  {
    about: 'conductor_transferLeaderToServer with a wrong address',
    cases: /^transferLeaderToServer with the wrong address$/,
    theirAnswer: /"message":"failed to make TimeoutNow RPC to /,
    ourAnswer: /"code":-32000,"message":"server [^ ]+ has the address [^ ]+, not /,
    opConductor: 'the address that is named is dialled, whoever answers there',
    ours: '-32000 naming the right address if it has another port or is another member’s; else the member is dialled at the address that it has, and a warning is logged',
    why: 'The membership knows the address, and the id says who is meant; the same place may be written in several ways.',
  },
  {
    about: 'request bodies over the limit',
    cases: /^http: (chunked body of|body of) \d+ bytes$/,
    theirAnswer: /^200 .*"code":-32700,"message":"parse error"/,
    ourAnswer: /^413 content length too large/,
    opConductor: 'chunked bodies over the limit are cut and answered with a parse error',
    ours: 'bodies over the limit are refused with 413 however they arrive',
    why: 'A parse error hides that the body was too large.',
  },
  {
    about: 'a GET request to /',
    cases: /^http: (GET (without a body|with origin|with content type)|websocket upgrade on \/)$/,
    theirAnswer: /^200 $/,
    ourAnswer: /^200 conductor /,
    opConductor: 'an empty page',
    ours: 'a short text saying what this is',
    why: 'Somebody looking with a browser should know what answers.',
  },
  {
    about: 'health_status and /healthz',
    cases: orRandom(/health_status|^http: .*healthz/),
    theirAnswer: /"(version|result)":"v1\.19\.6"/,
    ourAnswer: /"(version|result)":"v\d+\.\d+\.\d+[^"]*"/,
    opConductor: 'v1.19.6',
    ours: 'the version of our binary',
    why: 'An operator must see which binary answers.',
  },
  {
    about: 'compressed answers',
    cases: /^http: .* gzip/,
    theirAnswer: /^200 /,
    ourAnswer: /^200 /,
    opConductor: 'compressed where the client accepts gzip',
    ours: 'never compressed',
    why: 'Answers are small, and the CPU belongs to commits.',
  },
  {
    about: 'the metrics page',
    cases: /^metrics port: /,
    theirAnswer: /^200 # HELP go_/,
    ourAnswer: /^200 # HELP /,
    opConductor: "the Go runtime's own metrics first",
    ours: 'the same op_conductor metrics, and of the process its memory, processor time, start and open files; no go_* and promhttp_*, and neither virtual memory nor bytes of the network',
    why: 'There is no Go runtime here.',
  },
  {
    about: 'a backend that answers a proxied call with something other than JSON',
    cases: / backend bad json$/,
    theirAnswer: /"code":-32000,"message":"invalid character /,
    ourAnswer: /"code":-32000,"message":"[a-zA-Z_]+ was not answered with JSON"/,
    opConductor: "the words of Go's JSON decoder",
    ours: '-32000 naming the method that was not answered with JSON',
    why: 'The text names a character, not what went wrong.',
  },
  {
    about: 'conductor_addServerAsVoter with an empty id',
    cases: /^addServerAsVoter, empty id$/,
    theirAnswer: /"message":"empty ID in configuration: \{\[/,
    ourAnswer: /"message":"empty ID in configuration"/,
    opConductor: 'the whole configuration as Go prints it',
    ours: 'empty ID in configuration',
    why: 'The members are in conductor_clusterMembership.',
  },
  {
    about: 'conductor_commitUnsafePayload of a block that does not follow the chain',
    cases: /^commitUnsafePayload \d+$/,
    theirAnswer: /"result":null/,
    ourAnswer: /"data":\{"outcome":"refused","reason":"(parent-mismatch|gap)"/,
    opConductor: 'null, whatever the payload follows',
    ours: '-32000 with outcome refused and the held block when the payload does not follow the committed chain',
    why: 'A block that does not follow the chain must not be published (rules 1 and 4).',
  },
  {
    about: 'conductor_commitUnsafePayload of a block with a wrong hash',
    cases:
      /^(payload|missing|null|key case|escaped characters in the key|whitespace|extra field|one transaction|random) |^(blockNumber|baseFeePerGas|parentHash|stateRoot|feeRecipient|extraData|transactions|withdrawals) |^(key case differs|whitespace|extra field)$/,
    theirAnswer: /"result":null/,
    ourAnswer: /"data":\{"outcome":"refused","reason":"(block-hash|unsupported)"/,
    opConductor: 'null for a payload whose hash is wrong or that no state machine can read',
    ours: '-32000 with outcome refused, saying which',
    why: 'Success would mean that the block may be published, and the log would hold nothing for it.',
  },
  {
    about: 'conductor_commitUnsafePayload with something missing',
    cases:
      /^payload v[34]-no-withdrawals-list$|^(missing|null) withdrawals$|^withdrawals null item$|^envelope without executionPayload$|^executionPayload (null|without root, both missing)$|^payload without envelope$|^params (null|empty|null params)$|^no params at all$|^commitUnsafePayload: /,
    theirAnswer: /"code":-32603,"message":"method handler crashed"/,
    ourAnswer: /"code":-32602,"message":"(invalid argument 0: |missing value for required argument 0)/,
    opConductor: '-32603 method handler crashed',
    ours: '-32602 with a sentence about what is missing',
    why: 'A request must not crash a handler.',
  },
  {
    about: 'conductor_commitUnsafePayload of a payload that cannot be encoded',
    cases:
      /^payload v\d-no-blob-fields$|^payload no-parent-beacon-root$|^(missing|null) (blobGasUsed|excessBlobGas)$|^envelope without parentBeaconBlockRoot$|^parentBeaconBlockRoot null$|^random /,
    theirAnswer: /"code":-32000,"message":"failed to marshal payload envelope: [^"]*"\}/,
    ourAnswer:
      /"code":-32000,"message":"failed to marshal payload envelope: [^"]*","data":\{"outcome":"refused","reason":"malformed"\}/,
    opConductor: '-32000 failed to marshal payload envelope, and what is missing',
    ours: 'the same code and message, and data { outcome, reason }',
    why: 'As for a node that does not lead.',
  },
  {
    about: 'unusual JSON in a payload',
    cases: /^(duplicate key, last is right|escaped characters in the value)$/,
    theirAnswer: /"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix /,
    ourAnswer: /"result":null|"outcome":"refused","reason":"block-hash"/,
    opConductor: '-32602 for the first of two equal keys, and for a digit written as an escape',
    ours: 'the last of equal keys counts, and escapes mean what JSON says they mean',
    why: 'The text is parsed once, natively; no client writes either.',
  },
  {
    about: 'unusual hex in a payload',
    cases: /^random \d+: /,
    theirAnswer: /"code":-32602,"message":"invalid argument 0: .*hex string/,
    ourAnswer: /"code":-32602,"message":"invalid argument 0: .*hex string/,
    opConductor: 'the length of a wrong hex text with its escapes as written',
    ours: 'its length as text',
    why: 'As above; the code is the same.',
  },
  {
    about: 'conductor_commitUnsafePayload asked of a follower',
    cases:
      /^(conductor_)?commitUnsafePayload (on a follower|in no cluster|while overridden on a follower|on the old leader|without a quorum)$/,
    theirAnswer: /"message":"failed to apply payload envelope: node is not the leader"/,
    ourAnswer: /"message":"failed to apply payload envelope: node is not the leader","data":\{"outcome":"refused"/,
    opConductor: '-32000 failed to apply payload envelope: node is not the leader',
    ours: 'the same code and message, and data { outcome, reason }',
    why: 'op-node and tools must be able to tell refused from unknown (rule 5).',
  },
  {
    about: 'a JSON-RPC call in the body of a GET request',
    cases: /^http: GET with a json-rpc body$/,
    theirAnswer: /^200 .*"result":/,
    ourAnswer: /^405 calls are sent with POST$/m,
    opConductor: '200 and the result',
    ours: '405 calls are sent with POST',
    why: 'HTTP gives the body of a GET request no meaning (RFC 9110, section 9.3.1), and the runtime throws it away.',
  },
  {
    about: 'an HTTP method that nobody has registered, such as FOO',
    cases: /^http: FOO without a body$/,
    theirAnswer: /^415 invalid content type/,
    ourAnswer: /^null $/,
    opConductor: '415 invalid content type',
    ours: 'the connection is closed without an answer',
    why: 'The runtime knows the registered methods and takes all else for another protocol.',
  },
  {
    about: 'a path with dots, as /../ or /%2e%2e/',
    cases: /^http: GET \/(\.\.|%2e%2e)\/$/,
    theirAnswer: /^(307 <a href="\/">|404 404 page not found)/,
    ourAnswer: /^200 conductor /,
    opConductor: '307 to the path without them, 404 where they are escaped',
    ours: 'the answer of the path without them',
    why: 'The runtime resolves paths as browsers do before they reach the service.',
  },
];

/** The row that covers a difference, if any. Answers are `<status> <body>`. */
export function differenceOf(caseName: string, opConductor: string, ours: string): Difference | undefined {
  return answerDifferences.find(
    (row) => row.cases.test(caseName) && row.theirAnswer.test(opConductor) && row.ourAnswer.test(ours),
  );
}
