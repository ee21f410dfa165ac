/** op-conductor's flags of the rollup that is served, and of its flashblocks. */
import { boolFlag, intFlag, textFlag, uint64Flag, type FlagDefinition } from './definition.ts';

export const rollupFlags = [
  uint64Flag('override.canyon', '0', 'Rollup', 'replace the canyon time of the rollup config'),
  uint64Flag('override.delta', '0', 'Rollup', 'replace the delta time of the rollup config'),
  uint64Flag('override.ecotone', '0', 'Rollup', 'replace the ecotone time of the rollup config'),
  uint64Flag('override.fjord', '0', 'Rollup', 'replace the fjord time of the rollup config'),
  uint64Flag('override.granite', '0', 'Rollup', 'replace the granite time of the rollup config'),
  uint64Flag('override.holocene', '0', 'Rollup', 'replace the holocene time of the rollup config'),
  uint64Flag('override.isthmus', '0', 'Rollup', 'replace the isthmus time of the rollup config'),
  uint64Flag('override.jovian', '0', 'Rollup', 'replace the jovian time of the rollup config'),
  uint64Flag('override.karst', '0', 'Rollup', 'replace the karst time of the rollup config'),
  uint64Flag('override.lagoon', '0', 'Rollup', 'replace the lagoon time of the rollup config'),
  uint64Flag(
    'override.pectrablobschedule',
    '0',
    'Rollup',
    'replace the pectra blob schedule time of the rollup config',
  ),
  boolFlag('override.keep-karst-upgrade-gas', 'false', 'Rollup', 'replace the flag of that name in the rollup config'),
  textFlag('network', '', 'Rollup', 'name of a known chain; wins over rollup.config'),
  textFlag('rollup.config', '', 'Rollup', 'path of the rollup config file'),
  textFlag(
    'rollupboost.ws-url',
    '',
    'Flashblocks',
    'WebSocket address that flashblocks come from; empty turns the relay off',
  ),
  intFlag('websocket.server-port', '8546', 'Flashblocks', 'port on which flashblocks are passed on, at the path /ws'),
] as const satisfies readonly FlagDefinition[];
