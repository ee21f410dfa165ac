/** The flags that must be given: who this server is, where its node is, when that counts as healthy. */
import { intFlag, textFlag, uint64Flag, type FlagDefinition } from './definition.ts';

export const requiredFlags = [
  textFlag(
    'consensus.addr',
    '127.0.0.1',
    'Consensus',
    'host the raft listener binds to; must be given although it has a default',
  ),
  intFlag(
    'consensus.port',
    '50050',
    'Consensus',
    'port the raft listener binds to, 0 picks one; must be given although it has a default',
  ),
  textFlag(
    'raft.server.id',
    '',
    'Raft',
    'name of this server in the cluster, also the folder name under the storage directory',
  ),
  textFlag('raft.storage.dir', '', 'Raft', 'folder that holds one sub-folder per server id'),
  textFlag('node.rpc', '', 'Sequencer', 'URL of the op-node to check and control'),
  textFlag('execution.rpc', '', 'Sequencer', 'URL of the execution client'),
  uint64Flag('healthcheck.interval', '0', 'Health', 'seconds from one health check to the next'),
  uint64Flag(
    'healthcheck.unsafe-interval',
    '0',
    'Health',
    'maximum seconds the unsafe head may be behind the clock (2 to 3 block times)',
  ),
  uint64Flag('healthcheck.min-peer-count', '0', 'Health', 'minimum number of op-node peers'),
].map((one) => ({ ...one, isRequired: true })) satisfies readonly FlagDefinition[];
