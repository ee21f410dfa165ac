/**
 * Reads a cluster file: TOML with one [[server]] per server. Every mistake is a sentence with the file, the server
 * and the key; keys that are not known are mistakes, too, since a mistyped one would be a setting that is not there.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { messageOf } from '#conductor/core/errors';
import { nearest } from '#conductor/cli/nearest';
import {
  ClusterConfigError,
  noCredentials,
  type ClusterConfig,
  type Credentials,
  type ServerConfig,
} from './cluster-config.ts';
import { isPrintable } from './printable.ts';
import { withoutPasswords } from './shell-words.ts';

/** Servers in a file, and bytes of it. */
const SERVERS_MAX = 64;
const FILE_BYTES_MAX = 1024 * 1024;
const TEXT_LENGTH_MAX = 4096;

const credentialKeys = ['token-file', 'ca-file', 'client-cert-file', 'client-key-file'] as const;
const serverKeys = [
  'id',
  'conductor',
  'consensus',
  'node',
  'execution',
  'metrics',
  'deploy',
  'rollback',
  'zone',
  ...credentialKeys,
] as const;
const topKeys = ['name', 'server', ...credentialKeys] as const;

type Table = Readonly<Record<string, unknown>>;

/** Reads and checks the file; throws ClusterConfigError. Paths in it are relative to its folder. */
export function readClusterFile(path: string): ClusterConfig {
  let text: string;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    text = bytes.toString('utf8');
  } catch (error) {
    throw new ClusterConfigError(`the cluster file ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  return parseClusterFile(text, resolve(path));
}

/** The settings in the text of a file; `path` is for messages and relative paths. */
export function parseClusterFile(text: string, path: string): ClusterConfig {
  let table: Table;
  try {
    table = Bun.TOML.parse(text) as Table;
  } catch (error) {
    throw new ClusterConfigError(`${path} is not TOML: ${messageOf(error)}`, { cause: error });
  }
  const top = new TableReader(table, path);
  top.refuseUnknown(topKeys);
  const shared = readCredentials(top, noCredentials, dirname(path));
  const rows = table['server'];
  if (!Array.isArray(rows) || rows.length === 0)
    throw new ClusterConfigError(`${path}: there is no [[server]]; give one per server, with "id" and "conductor"`);
  if (rows.length > SERVERS_MAX) throw new ClusterConfigError(`${path}: there are more than ${SERVERS_MAX} servers`);
  const servers = rows.map((row: unknown, at) => readServer(row, at, { path, shared }));
  refuseTwins(servers, path);
  return { name: top.name('name') ?? basename(path, '.toml'), path, servers };
}

function readServer(row: unknown, at: number, from: { path: string; shared: Credentials }): ServerConfig {
  const id = isTable(row) && typeof row['id'] === 'string' ? ` (${row['id']})` : '';
  const place = `${from.path}: server ${at + 1}${id}`;
  if (!isTable(row)) throw new ClusterConfigError(`${place} is not a table`);
  const reader = new TableReader(row, place);
  reader.refuseUnknown(serverKeys);
  const zone = reader.name('zone');
  return {
    ...(zone === null ? {} : { zone }),
    id: reader.required('id', reader.name('id'), '"node-1"'),
    isLearnt: false,
    conductor: reader.required('conductor', reader.url('conductor'), '"http://node-1:8547"'),
    consensus: reader.address('consensus'),
    node: reader.url('node'),
    execution: reader.url('execution'),
    metrics: reader.url('metrics'),
    deploy: reader.text('deploy'),
    rollback: reader.text('rollback'),
    credentials: readCredentials(reader, from.shared, dirname(from.path)),
  };
}

function readCredentials(reader: TableReader, fallback: Credentials, folder: string): Credentials {
  const file = (key: (typeof credentialKeys)[number]): string | null => {
    const text = reader.text(key);
    return text === null ? null : resolve(folder, text);
  };
  const read = {
    tokenFile: file('token-file') ?? fallback.tokenFile,
    caFile: file('ca-file') ?? fallback.caFile,
    clientCertFile: file('client-cert-file') ?? fallback.clientCertFile,
    clientKeyFile: file('client-key-file') ?? fallback.clientKeyFile,
  };
  if ((read.clientCertFile === null) !== (read.clientKeyFile === null))
    throw new ClusterConfigError(`${reader.place}: "client-cert-file" and "client-key-file" only work together`);
  return read;
}

function refuseTwins(servers: readonly ServerConfig[], path: string): void {
  for (const key of ['id', 'conductor', 'consensus', 'node'] as const) {
    const seen = new Map<string, string>();
    for (const server of servers) {
      const value = server[key];
      if (value === null) continue;
      const other = seen.get(value);
      if (other !== undefined)
        throw new ClusterConfigError(
          `${path}: the servers ${other} and ${server.id} have the same "${key}", ${withoutPasswords(value)}`,
        );
      seen.set(value, server.id);
    }
  }
}

/** Reads typed values out of one table; null for a key that is not there. */
class TableReader {
  readonly place: string;
  readonly #table: Table;

  constructor(table: Table, place: string) {
    this.#table = table;
    this.place = place;
  }

  refuseUnknown(known: readonly string[]): void {
    for (const key of Object.keys(this.#table)) {
      if (known.includes(key)) continue;
      const meant = nearest(key, known);
      const advice = meant === null ? `known are ${known.join(', ')}` : `did you mean "${meant}"?`;
      throw new ClusterConfigError(`${this.place}: "${key}" is not a key; ${advice}`);
    }
  }

  text(key: string): string | null {
    const value = this.#table[key];
    if (value === undefined) return null;
    if (typeof value !== 'string' || value.trim() === '')
      throw new ClusterConfigError(`${this.place}: "${key}" must be a text that is not empty`);
    if (value.length > TEXT_LENGTH_MAX)
      throw new ClusterConfigError(`${this.place}: "${key}" is longer than ${TEXT_LENGTH_MAX} characters`);
    return value;
  }

  /** A text that is shown and compared: no control characters. */
  name(key: string): string | null {
    const text = this.text(key);
    if (text === null || isPrintable(text)) return text;
    throw new ClusterConfigError(`${this.place}: "${key}" must not contain control characters`);
  }

  url(key: string): string | null {
    const text = this.name(key);
    if (text === null || isHttpUrl(text)) return text;
    throw new ClusterConfigError(`${this.place}: "${key}" must be a URL, such as "http://node-1:8547", not "${text}"`);
  }

  address(key: string): string | null {
    const text = this.name(key);
    if (text === null || isHostPort(text)) return text;
    throw new ClusterConfigError(`${this.place}: "${key}" must be host:port, such as "node-1:50050", not "${text}"`);
  }

  required(key: string, value: string | null, example: string): string {
    if (value === null) throw new ClusterConfigError(`${this.place}: "${key}" is missing; write ${key} = ${example}`);
    return value;
  }
}

/** Whether a text is an http or https URL. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '';
}

/** Whether a text is host:port with a port of 1 to 65535. */
export function isHostPort(text: string): boolean {
  const port = /^(?:\[[0-9a-fA-F:.%]+\]|[^\s:/[\]@]+):(\d{1,5})$/.exec(text)?.[1];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
