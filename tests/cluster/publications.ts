/**
 * What development sequencers did, read from what they left on disk, so that it can be read of dead
 * ones too: their chains, the blocks they published and when, and when they were started.
 */
import { Database } from 'bun:sqlite';
import { existsSync, readFileSync } from 'node:fs';

/** A height and the hash there. */
export interface Block {
  readonly number: number;
  readonly hash: string;
}

/** A block that `node` gossiped. */
export interface Publication extends Block {
  readonly node: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** A sequencer that was told to start, or was told so while it ran. */
export interface Start {
  readonly node: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

const BUSY_MS_MAX = 2000;
const STARTED = /^t=(\S+) lvl=\S+ msg="sequencer (?:has been started|was running already)"/;
const DROPPED = /msg="dropping a committed block[^"]*" number=(\d+) hash=(0x[0-9a-f]{64})/;

/** The files of one development sequencer. */
export class SequencerRecord {
  readonly #node: string;
  readonly #storePath: string;
  readonly #logPath: string;
  #store: Database | null = null;

  constructor(node: string, storePath: string, logPath: string) {
    this.#node = node;
    this.#storePath = storePath;
    this.#logPath = logPath;
  }

  /** Everything it published above a height, ascending by height; [] before its first start. */
  published(above = -1): Publication[] {
    const rows = this.#open()
      ?.query<Block & { atMs: number }, [number]>(
        'SELECT number, hash, at_ms AS atMs FROM published WHERE number > ? ORDER BY number, at_ms',
      )
      .all(above);
    return (rows ?? []).map((row) => ({ ...row, node: this.#node }));
  }

  /** Its unsafe chain from the genesis to its head. */
  chain(): Block[] {
    return this.#open()?.query<Block, []>('SELECT number, hash FROM blocks ORDER BY number').all() ?? [];
  }

  /** The block its unsafe chain ends in; null before its first. */
  head(): Block | null {
    return this.#open()?.query<Block, []>('SELECT number, hash FROM blocks ORDER BY number DESC LIMIT 1').get() ?? null;
  }

  /** When it was started. */
  starts(): Start[] {
    return this.#logLines().flatMap((line) => {
      const at = STARTED.exec(line)?.[1];
      return at === undefined ? [] : [{ node: this.#node, atMs: Date.parse(at) }];
    });
  }

  /** Blocks whose commit was acknowledged though they were not published any more. */
  acknowledgedOnly(): Block[] {
    return this.#logLines().flatMap((line) => {
      const [, number, hash] = DROPPED.exec(line) ?? [];
      return hash === undefined ? [] : [{ number: Number(number), hash }];
    });
  }

  close(): void {
    this.#store?.close();
    this.#store = null;
  }

  #open(): Database | null {
    if (this.#store === null && existsSync(this.#storePath)) {
      this.#store = new Database(this.#storePath, { readwrite: true, create: false });
      this.#store.run(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
    }
    return this.#store;
  }

  #logLines(): string[] {
    return existsSync(this.#logPath) ? readFileSync(this.#logPath, 'utf8').split('\n') : [];
  }
}
