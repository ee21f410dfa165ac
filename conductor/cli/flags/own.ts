/** The flags that op-conductor does not have. */
import { boolFlag, textFlag, uint64Flag, type FlagDefinition } from './definition.ts';

export const ownFlags = [
  textFlag('websocket.server-addr', '0.0.0.0', 'Flashblocks', 'address on which flashblocks are passed on'),
  textFlag(
    'consensus.tls.cert',
    '',
    'Consensus',
    'PEM certificate of this server for mutual TLS between conductors; its name must be the server id',
  ),
  textFlag('consensus.tls.key', '', 'Consensus', 'PEM key of that certificate'),
  textFlag(
    'consensus.tls.ca',
    '',
    'Consensus',
    'PEM certificates of the authority that signs all conductors; the three turn TLS on together',
  ),
  {
    ...textFlag(
      'consensus.tls.mode',
      'require',
      'Consensus',
      'whether peers must use TLS, or plain text is accepted and sent too, while you switch a running cluster',
    ),
    choices: ['require', 'mixed'],
  },
  textFlag(
    'raft.bootstrap-once',
    '',
    'Raft',
    'all servers of a new cluster as id=rpc-url,...: the first bootstraps it once no other belongs to one; may stay set',
  ),
  boolFlag(
    'raft.legacy-empty-store',
    'false',
    'Raft',
    'vote at once on a new store, as op-conductor does (unsafe after a lost disk)',
  ),
  boolFlag(
    'raft.require-catch-up',
    'false',
    'Raft',
    'refuse to promote a nonvoter that is far behind, in place of waiting',
  ),
  uint64Flag('rpc.body-limit', '67108864', 'RPC', 'maximum bytes of a request body, 1024 to 1073741824'),
  uint64Flag('rpc.batch-limit', '2000', 'RPC', 'maximum calls in one batch'),
  boolFlag('rpc.admin-compat', 'false', 'RPC', 'allow admin methods without rpc.enable-admin, as op-conductor does'),
  textFlag(
    'rpc.auth.tokens-file',
    '',
    'RPC',
    'file of "name token" lines; admin methods then need one of the tokens; read again when it changes',
  ),
  textFlag(
    'rpc.auth.jwt-secret',
    '',
    'RPC',
    'file with 32 bytes as hex; admin methods then need a JWT signed with it, as the engine API has them',
  ),
  boolFlag(
    'consensus.verify-block-hash',
    'true',
    'Consensus',
    'refuse payloads whose hash is not that of their own fields',
  ),
  {
    ...textFlag(
      'consensus.rollback',
      'proof',
      'Consensus',
      'proof rolls the chain back if the voters’ nodes prove that it must be; refuse leaves that to you; auto is another name of proof',
    ),
    choices: ['proof', 'refuse', 'auto'],
  },
  {
    ...textFlag(
      'consensus.validate',
      '',
      'Consensus',
      'whose execution clients execute a block before it is committed, so that an invalid one is refused: nobody’s, the leader’s, or those of a majority of the voters; default leader where --execution.engine-rpc is given, else off',
    ),
    choices: ['off', 'leader', 'quorum'],
  },
  textFlag(
    'consensus.allow-gap',
    '',
    'Consensus',
    'hash of a trusted block that descends from the committed head, for a chain that built more than 4096 blocks without Conductor',
  ),
  textFlag(
    'execution.engine-rpc',
    '',
    'Sequencer',
    "URL of the execution client's own engine API (authrpc), never rollup-boost's port; with execution.jwt-secret",
  ),
  textFlag(
    'execution.jwt-secret',
    '',
    'Sequencer',
    'file with the 32 bytes as hex that the engine API shares with op-node; read again when it changes',
  ),
  {
    ...textFlag(
      'sequencer.recover-mode',
      'auto',
      'Sequencer',
      "auto turns on op-node's recover mode, blocks without users' transactions, when all sequencers build invalid blocks",
    ),
    choices: ['auto', 'off'],
  },
  textFlag(
    'l1.rpc',
    '',
    'Sequencer',
    'URL of an L1 client, asked only whether the L1 block that the newest blocks came from is gone',
  ),
  textFlag(
    'otel.endpoint',
    '',
    'Tracing',
    'URL of an OpenTelemetry collector that takes OTLP over HTTP, as http://127.0.0.1:4318; commits and failovers are then traced; else the variables OTEL_* count',
  ),
  textFlag(
    'config',
    '',
    'Configuration',
    'YAML file with any of these options by name; one in a line, as "rpc.port: 8545"; flags and variables win over it; read again at SIGHUP',
  ),
] as const satisfies readonly FlagDefinition[];
