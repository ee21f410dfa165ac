/** What an import takes, to the last entry (rule 8). */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EntryType, Suffrage, type Entry } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { readSummary, VALIDATED_MARK, type BlockSummary } from '#conductor/core/payload/block-summary';
import { prefixedHex } from '#conductor/core/payload/hex';
import { testBlock, testData } from '#conductor/core/payload/testing/test-blocks';
import { UnsafeChain } from '#conductor/core/payload/unsafe-chain';
import { openStore } from '#conductor/adapters/sqlite/store';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import { importGoStore, type ImportOutcome } from './import-store.ts';
import { command, commands, goDirectory, type GoContent } from './testing/go-directory.ts';
import { contents, serverId, stored } from './testing/inspect.ts';

const take = (directory: string): Promise<ImportOutcome> => importGoStore({ directory, serverId });

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

interface Taken {
  readonly law: string;
  readonly content: GoContent;
  readonly indexes: number[];
  readonly snapshot?: number;
  readonly warnings?: number;
}

const taken: readonly Taken[] = [
  {
    law: 'a log that begins at 1 without a snapshot',
    content: { entries: commands(1, 9), currentTerm: 1 },
    indexes: range(1, 9),
  },
  {
    law: 'entries before the snapshot, which stay readable',
    content: { entries: commands(5, 90, 5), snapshots: [75], currentTerm: 5 },
    indexes: range(5, 90),
    snapshot: 75,
  },
  {
    law: 'a log that begins right after the snapshot',
    content: { entries: commands(76, 80, 5), snapshots: [75], currentTerm: 5 },
    indexes: range(76, 80),
    snapshot: 75,
  },
  {
    law: 'a snapshot without a log',
    content: { entries: [], snapshots: [75], currentTerm: 5 },
    indexes: [],
    snapshot: 75,
  },
  {
    law: 'what follows a gap that the snapshot covers',
    content: { entries: [...commands(1, 9, 2), ...commands(76, 80, 5)], snapshots: [75], currentTerm: 5 },
    indexes: range(76, 80),
    snapshot: 75,
    warnings: 1,
  },
  {
    law: 'only the snapshot, where the log ends before it',
    content: { entries: commands(1, 20, 2), snapshots: [75], currentTerm: 5 },
    indexes: [],
    snapshot: 75,
    warnings: 1,
  },
  {
    law: 'the newest of several snapshots',
    content: { entries: commands(60, 90, 5), snapshots: [75, 80], currentTerm: 5 },
    indexes: range(60, 90),
    snapshot: 80,
  },
  {
    law: 'votes and a term without any entry',
    content: { entries: [], currentTerm: 3, lastVoteTerm: 3, lastVoteCandidate: 'a:1' },
    indexes: [],
  },
];

test.each([true, false])(
  'members that only op-conductor can reach are named, of the last membership; dry: %s',
  async (isDryRun) => {
    const membership = (index: number, ...addresses: string[]): Entry => {
      const servers = addresses.map((address, at) => ({
        id: `n${at}`,
        address,
        suffrage: at % 2 === 0 ? Suffrage.voter : Suffrage.nonvoter,
      }));
      return { ...command(index, 1), type: EntryType.configuration, data: encodeConfiguration({ servers }) };
    };
    const entries = [membership(1, 'a:raft'), command(2, 1), membership(3, 'a:1', 'b:raft', 'c.internal:2', ':ftp')];
    const outcome = await importGoStore({ directory: goDirectory({ entries, currentTerm: 1 }), serverId, isDryRun });
    if (outcome.kind !== 'imported' && outcome.kind !== 'checked') throw new Error(outcome.kind);
    expect(outcome.summary.warnings).toEqual([
      expect.stringMatching(
        /^Server n1 can never be reached .* b:raft: the port must be a number.*AsNonvoter .*leads\.$/,
      ),
      expect.stringMatching(/^Server n3 .* :ftp: .*conductor_addServerAsNonvoter/),
    ]);
  },
);

describe('an import takes', () => {
  test.each(taken)('$law', async ({ content, indexes, snapshot, warnings = 0 }) => {
    const directory = goDirectory(content);
    const checked = await importGoStore({ directory, serverId, isDryRun: true });
    const outcome = await take(directory);
    expect(outcome).toMatchObject({ kind: 'imported' });
    expect(checked).toEqual({ ...outcome, kind: 'checked' });
    if (outcome.kind === 'imported') expect(outcome.summary.warnings).toHaveLength(warnings);
    const state = stored(directory);
    expect(state).toMatchObject({ indexes, snapshot: snapshot ?? null });
    const { currentTerm: term, lastVoteTerm: votedTerm = 0 } = content;
    expect(state.hardState).toEqual({ term, votedTerm, votedFor: null, recovering: false });
  });

  test('a store that op-conductor never wrote to as a new one, which must recover before it votes (rule 9)', async () => {
    const directory = goDirectory({ entries: [] });
    expect(await take(directory)).toMatchObject({ kind: 'imported' });
    expect(stored(directory).hardState).toBeNull();
  });

  test('an entry of 20 MB, without a loss', async () => {
    const big = command(2, 1, 20_000_000);
    const directory = goDirectory({ entries: [command(1, 1), big, command(3, 1)], currentTerm: 1 });
    await take(directory);
    const store = openStore({ directory, serverId });
    store.load();
    expect(Buffer.compare(store.read(2, 2, 1)[0]?.data ?? new Uint8Array(), big.data as Uint8Array)).toBe(0);
    store.close();
  });

  test('that the client of the leader which committed a block found it valid', async () => {
    const block = testBlock('b1', 1n, new Uint8Array(32));
    const entry = { ...command(1, 1), data: testData(block) };
    const directory = goDirectory({
      entries: [
        { ...entry, extensions: VALIDATED_MARK },
        { ...entry, index: 2 },
      ],
      currentTerm: 1,
    });
    await take(directory);
    const store = openStore({ directory, serverId });
    const marks = store.load().entries.map(({ summary }) => summary && readSummary(summary)?.isValidated);
    expect(marks).toEqual([true, false]);
    store.close();
  });

  test('payloads so that a leader can bring its sequencer up from them', async () => {
    const blocks: BlockSummary[] = [];
    for (let number = 100; number < 120; number += 1) {
      blocks.push(testBlock(`b${number}`, BigInt(number), blocks.at(-1)?.hash ?? new Uint8Array(32)));
    }
    const entries = blocks.map((block, at) => ({ ...command(at + 1, 1), data: testData(block) }));
    const directory = goDirectory({ entries, currentTerm: 1 });
    await take(directory);
    const store = openStore({ directory, serverId });
    const chain = new UnsafeChain((index) => store.read(index, index, 1)[0]?.data ?? null);
    const { entries: heads } = store.load();
    for (const head of heads) chain.appended(head);
    for (const head of heads) chain.apply({ ...head, data: () => null });
    const held = chain.chainFrom(105n, 64);
    expect(held.map(({ hash }) => hash)).toEqual(blocks.slice(5).map(({ hash }) => prefixedHex(hash)));
    expect(chain.payloadOf(held[0]!)).toEqual(testData(blocks[5]!));
    store.close();
  });

  test('nothing where there is nothing, and nothing twice', async () => {
    expect(await take(join(temporaryDirectory(), 'n1'))).toEqual({ kind: 'none' });
    const directory = goDirectory({ entries: commands(1, 3), currentTerm: 1 });
    await take(directory);
    const before = contents(directory);
    expect(await take(directory)).toEqual({ kind: 'present' });
    expect(contents(directory)).toEqual(before);
  });
});
