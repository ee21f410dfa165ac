/** Bolt files that were damaged in any way: a sentence, or a store that opens; never a crash, a hang or a broken store. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openStore } from '#conductor/adapters/sqlite/store';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { encodeMeta, readMeta } from './bolt-format.ts';
import { bytesSource } from './byte-source.ts';
import { importGoStore } from './import-store.ts';
import { MigrationError } from './migration-error.ts';
import { command, goDirectory } from './testing/go-directory.ts';
import { serverId } from './testing/inspect.ts';
import { unpack } from './testing/unpack.ts';

const numRuns = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 2000 : 50;
const runMsMax = 10_000;
const pageBytes = 4096;
const words = [0, 1, 2, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** A change of a file's bytes; places are shares of its length. */
type Damage = (bytes: Uint8Array) => Uint8Array;

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (bytes: Uint8Array, place: number): number => Math.floor(place * bytes.length);
const pageAt = (bytes: Uint8Array, place: number): number => at(bytes, place) - (at(bytes, place) % pageBytes);
/** Page headers and elements are where structure is. */
const structural = fc.tuple(share, fc.nat(300)).map(
  ([place, offset]) =>
    (bytes: Uint8Array) =>
      Math.min(pageAt(bytes, place) + offset, bytes.length - 4),
);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(share, fc.nat(7)).map(([place, bit]): Damage => (bytes) => {
    bytes[at(bytes, place)]! ^= 1 << bit;
    return bytes;
  }),
  fc.tuple(structural, fc.nat(255)).map(([place, value]): Damage => (bytes) => {
    bytes[place(bytes)] = value;
    return bytes;
  }),
  fc.tuple(structural, fc.constantFrom(...words)).map(([place, value]): Damage => (bytes) => {
    new DataView(bytes.buffer).setUint32(place(bytes) & ~3, value, true);
    return bytes;
  }),
  fc.tuple(share, share).map(
    ([from, to]): Damage =>
      (bytes) =>
        bytes.copyWithin(pageAt(bytes, to), pageAt(bytes, from), pageAt(bytes, from) + pageBytes),
  ),
  share.map(
    (end): Damage =>
      (bytes) =>
        bytes.slice(0, at(bytes, end)),
  ),
  fc
    .tuple(
      fc.constantFrom('root', 'freelist', 'highWater', 'pageBytes'),
      fc.oneof(fc.nat(40), fc.constantFrom(...words)),
    )
    .map(([field, value]): Damage => (bytes) => {
      const meta = { ...readMeta(bytesSource('sound', bytes)), [field]: value };
      for (const page of [0, 1]) bytes.set(encodeMeta(meta), page * pageBytes + 16);
      return bytes;
    }),
);

async function outcomeOf(directory: string): Promise<'imported' | 'refused'> {
  try {
    await importGoStore({ directory, serverId });
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    expect(error.message).toMatch(/^[\s\S]{20,}\.$/);
    return 'refused';
  }
  return 'imported';
}

/** Opens and reads everything; throws when the store is not sound. */
function checkStore(directory: string): void {
  const store = openStore({ directory, serverId });
  try {
    const { entries } = store.load();
    const [first, last] = [entries[0], entries.at(-1)];
    if (first !== undefined && last !== undefined) store.read(first.index, last.index, Infinity);
    expect(store.verifyNext(Infinity).error).toBeUndefined();
  } finally {
    store.close();
  }
}

/** Entries enough for branch pages, large enough for overflow pages. */
const tree = (): string =>
  goDirectory({
    entries: Array.from({ length: 400 }, (_, index) => command(index + 1, 1, index % 50 === 0 ? 9000 : 200)),
    currentTerm: 2,
    lastVoteTerm: 2,
    lastVoteCandidate: 'a:1',
  });

describe('a damaged directory of op-conductor', () => {
  test.each([
    ['a recording', () => unpack('with-snapshot')],
    ['a tree of pages', tree],
  ])(
    '%s: is refused in a sentence, or imported into a sound store',
    { timeout: 60_000 + numRuns * 200 },
    async (_name, make) => {
      const sound = make();
      const counts = { imported: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('raft-log.db', 'raft-stable.db'),
          fc.array(damage, { minLength: 1, maxLength: 4 }),
          async (file, damages) => {
            const directory = temporaryFolder(sound);
            const bytes = new Uint8Array(readFileSync(join(directory, file)));
            let changed: Uint8Array = bytes;
            for (const change of damages) {
              if (changed.length < 2 * pageBytes) break;
              changed = soundMeta(changed) ? change(changed) : changed;
            }
            writeFileSync(join(directory, file), changed);
            const began = performance.now();
            const outcome = await outcomeOf(directory);
            counts[outcome] += 1;
            if (outcome === 'imported') checkStore(directory);
            expect(performance.now() - began).toBeLessThan(runMsMax);
            rmSync(directory, { recursive: true });
          },
        ),
        { numRuns },
      );
      expect(counts.refused).toBeGreaterThan(numRuns / 10);
      expect(counts.imported).toBeGreaterThan(numRuns / 50);
    },
  );
});

function temporaryFolder(from: string): string {
  const directory = join(temporaryDirectory(), 'n1');
  cpSync(from, directory, { recursive: true });
  return directory;
}

function soundMeta(bytes: Uint8Array): boolean {
  try {
    return readMeta(bytesSource('damaged', bytes)).pageBytes === pageBytes;
  } catch {
    return false;
  }
}
