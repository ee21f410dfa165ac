/** Deliberate differences from op-conductor of JSON-RPC and of what is told over it; behaviour-differences.ts says what a row is. */
import type { Difference } from '../difference.ts';
import { methodDifferences } from './methods.ts';

export const rpcDifferences: readonly Difference[] = [
  {
    opConductor: 'a web page of any origin may commit payloads to a server that its browser reaches',
    ours: 'refused with 401 and -40100 if the request has an Origin header, unless it has a valid token or JWT',
    why: 'op-node sends neither a token nor an Origin header, and without this check a page could commit a block of its own.',
    shownBy: 'a web page cannot commit payloads: %s',
  },
  {
    opConductor: 'requests sent ahead on one connection are answered in order',
    ours: 'also, if each answer is ready at once; if an answer takes time, a request sent before it ends the connection',
    why: 'The runtime keeps one answer per connection. Clients of JSON-RPC wait for their answers; a client that sends ahead must be ready to send again (RFC 9112, section 9.3.2).',
    shownBy: 'sent ahead of an answer that takes time are not answered before it',
  },
  {
    opConductor: 'a block is committed before any execution client has executed it',
    ours: "with --execution.engine-rpc the leader's own client executes it first, and an INVALID block is refused",
    why: 'Committed blocks are published, and a block that no client accepts must not be published (rule 28).',
    shownBy: 'VALID goes on, INVALID is refused with the words of the client, and the hash is remembered',
  },
  {
    opConductor: 'a body within the limit is read, whatever its content is',
    ours: '-32600 for one of more pieces than 65536 members and elements or 262144 texts, 1 MiB of numbers, 8 MiB of white space or 65536 backslashes, and of more than 5 MiB with characters above ASCII',
    why: 'Twenty million empty objects would block the process for longer than its lease; no block has so many parts.',
    shownBy: 'a body of too many pieces is refused with a sentence, and none of it is parsed',
  },
  {
    opConductor: 'one limit for all bodies, 5 MiB unless set otherwise',
    ours: 'commits up to --rpc.body-limit, everything else up to 5 MiB; more is refused with 413',
    why: 'Only a block is ever that large.',
    shownBy: 'only commits may be larger than the default bound of op-conductor',
  },
  {
    opConductor: 'any number of bodies arrive at once',
    ours: 'those above 1 MiB wait for room, 16 MiB together or one alone, addresses in turn; while others wait, one that sends nothing for 250 ms or is slower than 4 MiB/s is answered 503',
    why: 'Memory stays limited, and a client that sends nothing cannot keep others waiting.',
    shownBy: 'a large body that stops arriving gives its room to one that waits, and is told',
  },
  {
    opConductor: 'an id of any length is echoed, and the whole of an extraData that is too long',
    ours: '-32600 for an id of more than 1024 characters; of a long extraData the first 1024 are quoted',
    why: 'An answer must not be larger than its request.',
    shownBy: 'an id that is longer than any client makes is refused, not echoed',
  },
  {
    opConductor: 'a batch of any number of calls is answered',
    ours: 'above --rpc.batch-limit, by default 2000 calls, it is refused with "batch too large"',
    why: 'One request must not keep all others waiting.',
    shownBy: 'a batch beyond its limit is refused as a whole',
  },
  {
    opConductor: 'a batch is carried out to its end',
    ours: 'the rest of one above 1 MiB is answered with -32000 when other large bodies have waited for a second',
    why: 'Batches of slow calls must not keep commits out.',
    shownBy: 'a batch that keeps the room for which others wait ends after a second',
  },
  {
    opConductor: 'lines of a request head may end in a line feed alone',
    ours: 'refused at once with 400',
    why: 'Two parsers could read it differently, and no HTTP client sends it.',
    shownBy: 'line feeds alone',
  },
  {
    opConductor: 'answers that clients do not read are kept without a bound',
    ours: '32 MiB all together; then the client that has not read for the longest time is disconnected',
    why: 'Memory stays limited, whatever clients do.',
    shownBy: 'answers that nobody reads are bounded together: who has not read for longest goes',
  },
  {
    opConductor: 'request heads up to 1 MiB are read',
    ours: 'up to 16 KiB; then 431',
    why: 'No client of a conductor sends more, and a thousand connections must fit into memory.',
    shownBy: 'a head without end',
  },
  {
    opConductor: 'a content type whose parameters cannot be parsed, as charset="x without an end, is refused with 415',
    ours: 'parameters are not read',
    why: 'JSON is UTF-8 whatever they say.',
    shownBy: 'parameters of a JSON content type are not read',
  },
  {
    opConductor: 'blocks of any size are proxied with their keys in alphabetical order',
    ours: 'blocks of more than 256 KiB keep the order of the execution client; answers of more than 64 MiB are refused',
    why: 'Sorting a hundred of them at once would block the process for longer than its lease.',
    shownBy: 'a large block is passed on with its keys in the order in which they came',
  },
  {
    opConductor: 'any number of proxied calls wait for the backend',
    ours: 'at most 96 for the node and 96 for the execution client, and answers of 256 MiB all together; more are refused',
    why: 'A backend that hangs must not take the connections of other callers, nor the memory or the requests of the conductor itself.',
    shownBy: 'calls that wait for the backend are bounded, and the bound is given back',
  },
  {
    opConductor: 'rpc_modules names the modules, and no method names the methods',
    ours: 'rpc.discover answers with an OpenRPC document of the methods that this conductor offers',
    why: 'Tools and people can ask a running conductor what it has.',
    shownBy: 'names every method once, and every reference leads somewhere',
  },
  ...methodDifferences('rpc'),
  {
    opConductor: 'events can only be read from the log, or found by polling',
    ours: 'GET /events streams leadership, commits, health, commands to op-node, members, admin calls and alarms to callers who may call admin methods',
    why: 'A reader sees a failover while it happens, and its phases to the millisecond.',
    shownBy: 'a reader has every event in order, and goes on after the last one it names',
  },
  {
    opConductor: 'answers to a batch may have 25 MB together',
    ours: '8 MiB; calls after that are not made and answered with -32003 response too large',
    why: 'Normal answers in a batch are small, and with ten such answers at once a leader could lose leadership.',
    shownBy: 'a batch whose answer grows beyond its limit makes no more calls, and says so for each',
  },
];
