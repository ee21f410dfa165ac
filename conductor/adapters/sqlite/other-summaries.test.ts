/**
 * A store whose summaries another release wrote, opened by a whole conductor: the chain makes them anew from the
 * entries, which it reads while the node that reads for it later on is still loading.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntrySummary, LogStore } from '#conductor/core/ports';
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope, type Envelope } from '#conductor/core/payload/envelope';
import { prefixedHex } from '#conductor/core/payload/hex';
import { EntryType } from '#conductor/core/raft/types';
import { ConductorWorld } from '#conductor/core/testing/conductor-world';
import { openStore } from './store.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const serverId = 'a';
const BLOCKS = 3;
/** Of a format that no release has. */
const OTHER_VERSION = 0xfe;

function commitBlocks(world: ConductorWorld): Envelope {
  let parent: Envelope | null = null;
  for (let each = 0; each < BLOCKS; each += 1) {
    parent = buildBlock({ parent, timestamp: 1000 + each, transactions: [Uint8Array.of(0x7e, each)] });
    const answer = world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(parent) }]);
    expect(answer).toEqual({ result: null });
  }
  return parent as Envelope;
}

/** The same store; `look` gets every summary of a payload that is loaded. */
function seen(store: LogStore, look: (entry: EntrySummary) => void): LogStore {
  return {
    load: () => {
      const stored = store.load();
      for (const entry of stored.entries) if (entry.type === EntryType.command) look(entry);
      return stored;
    },
    read: (...range) => store.read(...range),
    readSnapshot: () => store.readSnapshot(),
    close: () => store.close(),
    write: (batch) => store.write(batch),
  };
}

/** As a release leaves it whose summaries begin with another version. */
function withOtherSummaries(store: LogStore): LogStore {
  return {
    ...seen(store, () => undefined),
    write: ({ entries, ...batch }) =>
      store.write({
        ...batch,
        ...(entries && {
          entries: entries.map(({ entry, summary }) => ({ entry, summary: summary && otherVersion(summary) })),
        }),
      }),
  };
}

function otherVersion(summary: Uint8Array): Uint8Array {
  const other = Uint8Array.from(summary);
  other[0] = OTHER_VERSION;
  return other;
}

describe('a store whose summaries are of another version', () => {
  test('is opened by a conductor, which knows the chain and goes on with it', () => {
    const directory = join(temporaryDirectory(), 'store');
    const before = openStore({ directory, serverId });
    const world = ConductorWorld.bootstrapped({ store: withOtherSummaries(before) });
    world.ask('conductor_resume');
    const last = commitBlocks(world);
    before.close();

    const store = openStore({ directory, serverId });
    const again = new ConductorWorld({ store: seen(store, ({ summary }) => expect(summary?.[0]).toBe(OTHER_VERSION)) });
    expect.assertions(BLOCKS * 2 + 2);
    again.run(3000);
    expect(again.conductor.committedHead()?.hash).toBe(prefixedHex(last.executionPayload.blockHash));
    const next = buildBlock({ parent: last, timestamp: 1100, transactions: [] });
    expect(again.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(next) }])).toEqual({ result: null });
    store.close();
  });

  test('an entry that cannot be read is no reason not to start', () => {
    const directory = join(temporaryDirectory(), 'store');
    const before = openStore({ directory, serverId });
    commitBlocks(ConductorWorld.bootstrapped({ store: withOtherSummaries(before) }));
    before.close();
    const store = openStore({ directory, serverId });
    const unreadable: LogStore = {
      ...seen(store, () => undefined),
      read: (from, to, bytesMax) => {
        const entries = store.read(from, to, bytesMax);
        if (entries.some(({ type }) => type === EntryType.command)) throw new Error('the sector is gone');
        return entries;
      },
    };
    const again = new ConductorWorld({ store: unreadable });
    expect(again.conductor.status().lastIndex).toBe(2 + BLOCKS);
    store.close();
  });
});
