/**
 * A second, naive msgpack reader for tests: whole values from whole bytes, sharing no code with the
 * decoder under test. It also tells whether a value is written the way Go writes it.
 */

/** Maps are lists of pairs, strings are bytes, extensions keep their type. */
export type Plain =
  | null
  | boolean
  | bigint
  | number
  | Uint8Array
  | Plain[]
  | PlainMap
  | { type: number; body: Uint8Array };

/** Pairs in order of appearance. */
export class PlainMap {
  readonly pairs: [key: string, value: Plain][] = [];

  /** The last value of that key; undefined if there is none. */
  get(key: string): Plain | undefined {
    return this.pairs.findLast(([name]) => name === key)?.[1];
  }
}

/** Fields that are int or int64 in Go; all others are unsigned. */
const SIGNED = new Set(['ProtocolVersion', 'SnapshotVersion', 'Size', 'Suffrage']);
/** All keys of each struct of the protocol, sorted, joined; peer status is not Go's. */
const STRUCTS = new Set([
  'Addr Entries ID Leader LeaderCommitIndex PrevLogEntry PrevLogTerm ProtocolVersion Term',
  'Addr ID LastLog NoRetryBackoff ProtocolVersion Success Term',
  'Addr Candidate ID LastLogIndex LastLogTerm LeadershipTransfer ProtocolVersion Term',
  'Addr Granted ID Peers ProtocolVersion Term',
  'Addr ID LastLogIndex LastLogTerm ProtocolVersion Term',
  'Addr Granted ID ProtocolVersion Term',
  'Addr Configuration ConfigurationIndex ID LastLogIndex LastLogTerm Leader Peers ProtocolVersion Size SnapshotVersion Term',
  'Addr ID ProtocolVersion Success Term',
  'Addr ID ProtocolVersion',
  'AppendedAt Data Extensions Index Term Type',
  'Servers',
  'Address ID Suffrage',
]);

/** Reads values one after another; `isGoForm` turns false at the first that Go would write otherwise. */
export class PlainReader {
  isGoForm = true;
  at: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  /** The next value; throws RangeError or TypeError on bytes that are not msgpack. */
  read(name = ''): Plain {
    const form = this.#view.getUint8(this.at++);
    if (form < 0x80) return BigInt(form);
    if (form < 0x90) return this.#map(form & 15);
    if (form < 0xa0) return this.#array(form & 15);
    if (form < 0xc0) return this.#raw(form & 31, 0, name);
    if (form >= 0xe0) return this.#integer(BigInt(form - 256), name, form);
    switch (form) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return form === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        this.isGoForm = false;
        return this.#take(this.#size(1 << (form - 0xc4)));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#size(1 << (form - 0xc7)));
      case 0xca:
      case 0xcb:
        this.isGoForm = false;
        this.at += form === 0xca ? 4 : 8;
        return NaN;
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(1 << (form - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#raw(this.#size(1 << (form - 0xd9)), form, name);
      case 0xdc:
      case 0xdd:
        return this.#array(this.#size(2 << (form - 0xdc)));
      case 0xde:
      case 0xdf:
        return this.#map(this.#size(2 << (form - 0xde)));
      case 0xc1:
        throw new TypeError('c1 is no msgpack form');
      default: {
        const width = 1 << (form & 3);
        const unsigned = BigInt('0x' + this.#take(width).toHex());
        return this.#integer(form < 0xd0 ? unsigned : BigInt.asIntN(8 * width, unsigned), name, form);
      }
    }
  }

  #size(width: number): number {
    return Number(BigInt('0x' + this.#take(width).toHex()));
  }

  #take(length: number): Uint8Array {
    if (this.at + length > this.#bytes.length) throw new RangeError('the bytes end too early');
    this.at += length;
    return this.#bytes.slice(this.at - length, this.at);
  }

  #raw(length: number, form: number, name: string): Uint8Array {
    const shortest = length < 32 ? 0 : length < 65_536 ? 0xda : 0xdb;
    if (form !== shortest || (name === 'AppendedAt' && length !== 15 && length !== 16)) this.isGoForm = false;
    return this.#take(length);
  }

  #integer(value: bigint, name: string, form: number): bigint {
    if (form !== (SIGNED.has(name) ? signedForm(value) : unsignedForm(value))) this.isGoForm = false;
    return value;
  }

  #extension(length: number): Plain {
    this.isGoForm = false;
    const [type] = this.#take(1);
    return { type: type!, body: this.#take(length) };
  }

  #array(length: number): Plain[] {
    return Array.from({ length }, () => this.read());
  }

  #map(length: number): PlainMap {
    const map = new PlainMap();
    for (let i = 0; i < length; i += 1) {
      const key = this.read();
      if (!(key instanceof Uint8Array)) throw new TypeError('a key is not a string');
      const name = new TextDecoder().decode(key);
      map.pairs.push([name, this.read(name)]);
    }
    if (!STRUCTS.has(map.pairs.map(([name]) => name).join(' '))) this.isGoForm = false;
    return map;
  }
}

function unsignedForm(value: bigint): number {
  if (value < 0n) return -1;
  return value < 2n ** 7n
    ? Number(value)
    : value < 2n ** 8n
      ? 0xcc
      : value < 2n ** 16n
        ? 0xcd
        : value < 2n ** 32n
          ? 0xce
          : 0xcf;
}

function signedForm(value: bigint): number {
  const magnitude = value < 0n ? -value - 1n : value;
  if (value >= -32n && value < 128n) return Number(BigInt.asUintN(8, value));
  return magnitude < 2n ** 7n ? 0xd0 : magnitude < 2n ** 15n ? 0xd1 : magnitude < 2n ** 31n ? 0xd2 : 0xd3;
}
