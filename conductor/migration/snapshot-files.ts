/**
 * hashicorp's FileSnapshotStore: snapshots/<term>-<index>-<milliseconds>/ with meta.json and state.bin,
 * whose CRC-64 is in the meta. What cannot be read or does not match is a sentence, not a crash.
 */
import { lstatSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '#conductor/core/errors';
import { SszError } from '#conductor/core/payload/ssz-check';
import { decodeSsz } from '#conductor/core/payload/ssz';
import { Suffrage, type Server, type Snapshot } from '#conductor/core/raft/types';
import { encodePeers } from '#conductor/core/wire/peers';
import { DEFAULT_WIRE_LIMITS } from '#conductor/core/wire/limits';
import { crc64 } from './crc64.ts';
import { syncDirectory } from '#conductor/adapters/sqlite/directory';
import { writeDurably } from '#conductor/adapters/system/durable-files';

/** Folders looked at; op-conductor keeps one. */
const SNAPSHOTS_MAX = 1024;
const META_BYTES_MAX = 4 * 1024 * 1024;

/** A snapshot folder: its content, or why it cannot be used. */
export type FoundSnapshot =
  | { readonly kind: 'valid'; readonly name: string; readonly snapshot: Snapshot }
  | { readonly kind: 'unusable'; readonly name: string; readonly problem: string };

/** Names of finished snapshots, the newest first, as hashicorp sorts them: by term, index, name. */
export function listSnapshots(folder: string): string[] {
  const names = isFolder(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => !name.endsWith('.tmp') && isFolder(join(folder, name)))
    .toSorted((a, b) => compareNames(b, a))
    .slice(0, SNAPSHOTS_MAX);
}

/** Reads one snapshot and checks length, checksum and that its state is a payload. */
export function readSnapshot(folder: string, name: string): FoundSnapshot {
  const unusable = (problem: string): FoundSnapshot => ({ kind: 'unusable', name, problem });
  try {
    const metaPath = join(folder, name, 'meta.json');
    const statePath = join(folder, name, 'state.bin');
    if (statSync(metaPath).size > META_BYTES_MAX) return unusable('its meta.json is too large');
    const stateBytes = statSync(statePath).size;
    if (stateBytes > DEFAULT_WIRE_LIMITS.snapshotBytesMax)
      return unusable(`its state of ${stateBytes} bytes is too large`);
    const meta = parseMeta(readFileSync(metaPath, 'utf8'));
    if (typeof meta === 'string') return unusable(meta);
    const data = new Uint8Array(readFileSync(statePath));
    if (data.length !== meta.size) return unusable(`its state has ${data.length} bytes instead of ${meta.size}`);
    if (Buffer.from(crc64(data)).toString('base64') !== meta.checksum)
      return unusable('its state does not match its checksum');
    const payload = decodeSsz(data);
    if (payload instanceof SszError) return unusable(`its state is no payload: ${payload.message}`);
    const { index, term, configuration, configurationIndex } = meta;
    const kept = { index, term, configuration: { index: configurationIndex, configuration }, size: data.length };
    return { kind: 'valid', name, snapshot: { meta: kept, data } };
  } catch (error) {
    return unusable(messageOf(error));
  }
}

/** Writes a snapshot as hashicorp would and makes it durable. */
export function writeSnapshot(folder: string, { meta, data }: Snapshot, unixMs: number): void {
  const name = `${meta.term}-${meta.index}-${unixMs}`;
  const path = join(folder, name);
  mkdirSync(path, { recursive: true, mode: 0o755 });
  writeDurably(join(path, 'state.bin'), data, 0o644);
  writeDurably(join(path, 'meta.json'), new TextEncoder().encode(metaText(name, { meta, data })), 0o644);
  for (const one of [path, folder]) syncDirectory(one);
}

/** meta.json as Go's encoder writes it. */
export function metaText(name: string, { meta, data }: Snapshot): string {
  const { servers } = meta.configuration.configuration;
  const voters = servers.filter((server) => server.suffrage === Suffrage.voter);
  const content = {
    Version: 1,
    ID: name,
    Index: meta.index,
    Term: meta.term,
    Peers: base64(encodePeers(voters.map((server) => server.address))),
    Configuration: {
      Servers: servers.map(({ suffrage, id, address }) => ({ Suffrage: suffrage, ID: id, Address: address })),
    },
    ConfigurationIndex: meta.configuration.index,
    Size: data.length,
    CRC: base64(crc64(data)),
  };
  return `${JSON.stringify(content).replace(/[<>&\u2028\u2029]/g, escaped)}\n`;
}

interface ParsedMeta {
  readonly index: number;
  readonly term: number;
  readonly configuration: { readonly servers: readonly Server[] };
  readonly configurationIndex: number;
  readonly size: number;
  readonly checksum: string;
}

/** The meta, or why it is none. */
function parseMeta(text: string): ParsedMeta | string {
  const meta = JSON.parse(text) as Record<string, unknown> | null;
  if (typeof meta !== 'object' || meta === null) return 'its meta.json is no object';
  if (meta['Version'] !== 1) return `its version is ${JSON.stringify(meta['Version'])}, not 1`;
  const [index, term, configurationIndex, size] = ['Index', 'Term', 'ConfigurationIndex', 'Size'].map(
    (key) => meta[key],
  );
  if (!isCount(index) || !isCount(term) || !isCount(configurationIndex) || !isCount(size) || index === 0)
    return 'its meta.json has a number that is none';
  const servers = parseServers(meta['Configuration']);
  if (servers === null) return 'its meta.json has no readable configuration';
  const checksum = meta['CRC'];
  if (typeof checksum !== 'string') return 'its meta.json has no checksum';
  return { index, term, configuration: { servers }, configurationIndex, size, checksum };
}

function parseServers(configuration: unknown): Server[] | null {
  const list = (configuration as { Servers?: unknown } | null | undefined)?.Servers;
  if (!Array.isArray(list) || list.length === 0 || list.length > DEFAULT_WIRE_LIMITS.serversMax) return null;
  const servers = list.map((one: unknown): Server | null => {
    const { ID: id, Address: address, Suffrage: suffrage } = (one ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof address !== 'string') return null;
    if (suffrage !== 0 && suffrage !== 1 && suffrage !== 2) return null;
    // 2 is Go's deprecated staging, which does not vote.
    return { id, address, suffrage: suffrage === 0 ? Suffrage.voter : Suffrage.nonvoter };
  });
  return servers.includes(null) ? null : (servers as Server[]);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function compareNames(a: string, b: string): number {
  const [termA = 0, indexA = 0] = a.split('-').map(Number);
  const [termB = 0, indexB = 0] = b.split('-').map(Number);
  return termA - termB || indexA - indexB || (a < b ? -1 : 1);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Go escapes these for the sake of HTML. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
