/**
 * The folder a devnet lives in: who uses it (a lock that the system lets go when its holder dies),
 * what chain it holds, and where each process keeps its files and its log.
 */
import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf } from '#conductor/core/errors';
import { DevnetError, type DevnetOptions } from './options.ts';
import { NODE_COUNT } from './plan.ts';

const MANIFEST = 'devnet.json';
const LOCK = 'devnet.lock';
const HOLDER = 'devnet.pid';
const JWT_SECRET = 'jwt.txt';
const FORMAT = 1;
/** L2 chain id of every devnet. */
const CHAIN_ID = 901;

/** What is written down about a devnet, in devnet.json. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** Unix seconds. */
  readonly genesisTime: number;
  readonly blockSeconds: number;
  readonly chainId: number;
  /** The raft log holds addresses, so the ports stay. */
  readonly portOffset: number;
  /** False until the cluster was formed once. */
  readonly isFormed: boolean;
}

/** An open, locked data directory. */
export class DataDir implements Disposable {
  readonly path: string;
  readonly isTemporary: boolean;
  readonly #lock: Database;
  #manifest: Manifest;
  #isKept: boolean;

  constructor(path: string, isTemporary: boolean, lock: Database, manifest: Manifest) {
    this.path = path;
    this.isTemporary = isTemporary;
    this.#lock = lock;
    this.#manifest = manifest;
    this.#isKept = !isTemporary;
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  get logs(): string {
    return join(this.path, 'logs');
  }

  get rollupConfig(): string {
    return join(this.path, 'rollup.json');
  }

  /** The secret that the engine API of every sequencer shares with its conductor. */
  get jwtSecret(): string {
    return join(this.path, JWT_SECRET);
  }

  /** Folder of one process of the node with this 0-based index: "conductor-1", "sequencer-1" for the first. */
  folder(kind: 'conductor' | 'sequencer', index: number): string {
    return processFolder(this.path, kind, index);
  }

  /** From now on a start resumes this cluster. */
  markFormed(): void {
    this.#manifest = { ...this.#manifest, isFormed: true };
    writeManifest(this.path, this.#manifest);
  }

  /** Leaves a temporary folder where it is: its logs are needed. */
  keep(): void {
    this.#isKept = true;
  }

  /** Lets go of the folder; a temporary one is removed unless it is to be kept. */
  [Symbol.dispose](): void {
    this.#lock.close();
    rmSync(join(this.path, HOLDER), { force: true });
    if (!this.#isKept) rmSync(this.path, { recursive: true, force: true });
  }
}

/** Opens or creates the folder. Throws DevnetError when it is in use, damaged, or somebody else's. */
export function openDataDir(options: DevnetOptions): DataDir {
  const isTemporary = options.dataDir === null;
  const path = options.dataDir === null ? mkdtempSync(join(tmpdir(), 'conductor-devnet-')) : resolve(options.dataDir);
  try {
    mkdirSync(path, { recursive: true });
    refuseForeign(path);
  } catch (error) {
    throw asDevnetError(error, `cannot use the data directory ${path}`);
  }
  const lock = takeLock(path);
  try {
    const manifest = existsSync(join(path, MANIFEST)) ? readManifest(path, options) : createManifest(path, options);
    mkdirSync(join(path, 'logs'), { recursive: true });
    if (manifest.isFormed) {
      checkBlocks(path);
    } else {
      removeHalfFormed(path);
    }
    writeFileSync(join(path, HOLDER), `${process.pid}\n`);
    if (!existsSync(join(path, JWT_SECRET))) {
      writeFileSync(join(path, JWT_SECRET), `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
    }
    return new DataDir(path, isTemporary, lock, manifest);
  } catch (error) {
    lock.close();
    throw asDevnetError(error, `cannot use the data directory ${path}`);
  }
}

function processFolder(path: string, kind: 'conductor' | 'sequencer', index: number): string {
  return join(path, `${kind}-${index + 1}`);
}

function refuseForeign(path: string): void {
  const names = readdirSync(path).filter((name) => name !== LOCK && name !== HOLDER && !name.startsWith(`${LOCK}-`));
  if (names.length > 0 && !names.includes(MANIFEST)) {
    throw new DevnetError(
      `${path} holds other files and no ${MANIFEST}, so it is not a devnet's. Name an empty or a new folder with --data-dir.`,
    );
  }
}

function takeLock(path: string): Database {
  let lock: Database | null = null;
  try {
    lock = new Database(join(path, LOCK), { create: true });
    lock.run('PRAGMA locking_mode = EXCLUSIVE');
    lock.run('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (!/locked|busy/i.test(messageOf(error))) {
      throw new DevnetError(
        `cannot lock ${join(path, LOCK)}: ${messageOf(error)}. Delete that file if no devnet runs in this folder.`,
        { cause: error },
      );
    }
    const holder = existsSync(join(path, HOLDER)) ? readFileSync(join(path, HOLDER), 'utf8').trim() : '';
    throw new DevnetError(
      `another devnet${holder === '' ? '' : ` (process ${holder})`} runs in ${path}. ` +
        'Stop it, or use another --data-dir and --port-offset.',
      { cause: error },
    );
  }
}

function createManifest(path: string, options: DevnetOptions): Manifest {
  const manifest: Manifest = {
    format: FORMAT,
    genesisTime: Math.floor(Date.now() / 1000),
    blockSeconds: options.blockSeconds,
    chainId: CHAIN_ID,
    portOffset: options.portOffset,
    isFormed: false,
  };
  writeManifest(path, manifest);
  return manifest;
}

function writeManifest(path: string, manifest: Manifest): void {
  writeFileSync(join(path, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

function readManifest(path: string, options: DevnetOptions): Manifest {
  const manifest = parseManifest(path);
  if (!manifest.isFormed) return createManifest(path, options);
  if (manifest.blockSeconds !== options.blockSeconds || manifest.portOffset !== options.portOffset) {
    throw new DevnetError(
      `the devnet in ${path} was made with --block-time ${manifest.blockSeconds}s --port-offset ${manifest.portOffset} ` +
        `and cannot change them. Start it with those, or use another --data-dir.`,
    );
  }
  return manifest;
}

function parseManifest(path: string): Manifest {
  try {
    const value = JSON.parse(readFileSync(join(path, MANIFEST), 'utf8')) as Partial<Manifest> | null;
    const numbers = [value?.genesisTime, value?.blockSeconds, value?.chainId, value?.portOffset];
    if (value?.format === FORMAT && numbers.every(Number.isSafeInteger) && typeof value.isFormed === 'boolean') {
      return value as Manifest;
    }
  } catch {
    // Said below: what is wrong with the text does not matter.
  }
  throw new DevnetError(
    `${join(path, MANIFEST)} is damaged, so it cannot be told which chain the folder holds. ` +
      'Restore the file, or delete the whole folder to start a new chain.',
  );
}

/** A cluster that never came up is begun again. */
function removeHalfFormed(path: string): void {
  for (let index = 0; index < NODE_COUNT; index += 1) {
    rmSync(processFolder(path, 'conductor', index), { recursive: true, force: true });
    rmSync(processFolder(path, 'sequencer', index), { recursive: true, force: true });
  }
}

function checkBlocks(path: string): void {
  for (let index = 0; index < NODE_COUNT; index += 1) {
    const file = join(processFolder(path, 'sequencer', index), 'blocks.db');
    if (existsSync(file)) checkDatabase(file);
  }
}

function checkDatabase(file: string): void {
  let verdict: string;
  try {
    const db = new Database(file, { readwrite: true });
    const row = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get();
    verdict = row?.quick_check ?? 'no answer';
    db.close();
  } catch (error) {
    verdict = messageOf(error);
  }
  if (verdict !== 'ok') {
    throw new DevnetError(
      `${file} is damaged (${verdict}). Delete its folder and this sequencer fetches the chain from the others, ` +
        'or delete the whole data directory to start a new chain.',
    );
  }
}

function asDevnetError(error: unknown, context: string): DevnetError {
  return error instanceof DevnetError ? error : new DevnetError(`${context}: ${messageOf(error)}`, { cause: error });
}
