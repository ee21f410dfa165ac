/** A cluster's membership as hashicorp/raft puts it into configuration entries and snapshot requests. */
import { Suffrage, type Configuration, type Server } from '../raft/types.ts';
import { decodeStruct } from './decode-struct.ts';
import { encodeWhole } from './encode-whole.ts';
import { KEYS } from './keys.ts';
import { DEFAULT_WIRE_LIMITS } from './limits.ts';
import { struct, type StructSchema } from './schema.ts';
import { encodeUtf8 } from './utf8.ts';
import { WireError } from './wire-error.ts';

/** Deprecated suffrage of a server being caught up; it does not vote. */
const STAGING = 2;

/** Bytes of an id or an address at most: no request of a server with longer ones could be read. */
export const SERVER_TEXT_BYTES_MAX = DEFAULT_WIRE_LIMITS.stringBytesMax;

interface WireServer {
  readonly id: string;
  readonly address: string;
  readonly suffrage: number;
}

const SERVER: StructSchema<WireServer> = struct(
  'a server',
  [
    ['Suffrage', 'suffrage', 'signed'],
    ['ID', 'id', 'string', { limit: 'configurationBytesMax' }],
    ['Address', 'address', 'string', { limit: 'configurationBytesMax' }],
  ],
  () => ({ id: '', address: '', suffrage: Suffrage.voter }),
);

const CONFIGURATION: StructSchema<{ readonly servers: readonly WireServer[] | null }> = struct(
  'a configuration',
  [['Servers', 'servers', 'structs', { limit: 'serversMax', element: SERVER }]],
  () => ({ servers: null }),
);

/** Byte for byte what Go writes. */
export function encodeConfiguration(configuration: Configuration): Uint8Array {
  return encodeWhole((to) => {
    to.mapHeader(1);
    to.key(KEYS.Servers).arrayHeader(configuration.servers.length);
    for (const server of configuration.servers) {
      to.mapHeader(3);
      to.key(KEYS.Address).text(server.address);
      to.key(KEYS.ID).text(server.id);
      to.key(KEYS.Suffrage).signed(server.suffrage);
    }
  });
}

/** Reads a configuration. Whether it makes sense (voters, unique ids) is not checked. Throws WireError. */
export function decodeConfiguration(bytes: Uint8Array): Configuration {
  const { servers } = decodeStruct(CONFIGURATION, bytes);
  return { servers: (servers ?? []).map(withSuffrage) };
}

function withSuffrage({ id, address, suffrage }: WireServer): Server {
  switch (suffrage) {
    case Suffrage.voter:
      return { id, address, suffrage: Suffrage.voter };
    case Suffrage.nonvoter:
    case STAGING:
      return { id, address, suffrage: Suffrage.nonvoter };
    default:
      throw new WireError('out-of-range', `server ${id} has the unknown suffrage ${suffrage}`);
  }
}

/** Bytes of an id or an address on the wire. */
export function textBytes(text: string): number {
  return encodeUtf8(text).length;
}
