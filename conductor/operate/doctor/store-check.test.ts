/** What the doctor says of stores: whole, new, of another server, damaged. */
import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exportGoStore } from '#conductor/migration/export-store';
import { importGoStore } from '#conductor/migration/import-store';
import { commands, goDirectory } from '#conductor/migration/testing/go-directory';
import { openStore } from '#conductor/adapters/sqlite/store';
import { temporaryDirectory } from '#conductor/adapters/sqlite/testing/temporary-directory';
import type { Values } from '#conductor/host/settings/config-values';
import type { WorkingConfig } from '#conductor/host/settings/flags-config';
import { makeStore } from '../store/testing/stores.ts';
import { checkStore } from './store-check.ts';

const linesOf = async (settings: Parameters<typeof checkStore>[0]): Promise<string[]> =>
  (await checkStore(settings)).findings.map(({ verdict, says }) => `${verdict}: ${says}`);

const check = async (directory: string, more: Readonly<Record<string, unknown>> = {}, id = 'n1') => {
  const values = {
    'raft.storage.dir': dirname(directory),
    'raft.server.id': id,
    'raft.bootstrap': false,
    ...more,
  } as Values;
  const address = `127.0.0.1:${id.slice(1)}`;
  const consensus = { hostname: '127.0.0.1', port: 1, advertised: id === 'n2' ? '127.0.0.1:7' : address };
  return linesOf({ values, config: { consensus } as WorkingConfig });
};

test('is whole, new, running, op-conductor’s, of another server, or damaged', async () => {
  const directory = makeStore();
  expect(await check(directory)).toEqual([
    expect.stringMatching(/^(good|warning): .* are free/),
    expect.stringMatching(/^good: the store opens.*all its entries are sound: entries 1 to 6/),
    expect.stringMatching(/^good: the membership in the store has 3 servers and names this one/),
  ]);
  expect(await check(directory, { 'raft.bootstrap': true })).toContainEqual(
    expect.stringMatching(/^warning: --raft.bootstrap is still set/),
  );
  expect(await check(join(temporaryDirectory(), 'n1'))).toContainEqual(
    expect.stringMatching(/^unseen: .* holds no store yet/),
  );
  expect(await check(join(dirname(directory), 'n9'), {}, 'n9')).toContainEqual(
    expect.stringMatching(/^warning: .* holds the store of n1, and none of n9/),
  );
  const store = openStore({ directory, serverId: 'n1' });
  expect(await check(directory)).toContainEqual(expect.stringMatching(/^unseen: a conductor is running/));
  store.close();
  const go = goDirectory({ entries: commands(1, 3), currentTerm: 1 });
  expect(await check(go)).toContainEqual(expect.stringMatching(/^good: op-conductor's store can be read whole/));
  expect(existsSync(join(go, 'conductor.db'))).toBe(false);
});

test('between both programs is no new one: what finishes the interrupted import or export is said', async () => {
  const directory = goDirectory({ entries: commands(1, 3), currentTerm: 1, lastVoteTerm: 1, lastVoteCandidate: 'a:1' });
  const endingAt = (last: string) => (step: string) => {
    if (step === last) throw new Error('killed');
  };
  const move = { directory, serverId: 'n1', unixMs: 1 };
  await expect(importGoStore({ ...move, onStep: endingAt('replaced') })).rejects.toThrow('killed');
  expect((await check(directory)).slice(1)).toEqual([`warning: an import of ${directory} was interrupted`]);
  await importGoStore(move);
  await expect(exportGoStore({ ...move, onStep: endingAt('raft-log.db in place') })).rejects.toThrow('killed');
  expect((await check(directory)).slice(1)).toEqual([`warning: an export of ${directory} was interrupted`]);
});

test('of a server that was removed, has moved, or was restored', async () => {
  const directory = makeStore({ serverId: 'n9' });
  expect(await check(directory, {}, 'n9')).toContainEqual(expect.stringMatching(/^warning: .* does not name n9/));
  const moved = makeStore({ serverId: 'n2', isRecovering: true });
  const found = await check(moved, {}, 'n2');
  expect(found).toContainEqual('bad: the members know this server as 127.0.0.1:2, and it advertises 127.0.0.1:7');
  expect(found).toContainEqual(expect.stringMatching(/^warning: the store was restored/));
});

test('with a damaged entry is wrong', async () => {
  const directory = makeStore();
  const database = new Database(join(directory, 'conductor.db'));
  database.run('UPDATE body SET data = zeroblob(40) WHERE id = 3');
  database.close();
  const values = { 'raft.storage.dir': dirname(directory), 'raft.server.id': 'n1' } as Values;
  const { findings } = await checkStore({ values, config: null });
  expect(findings).toMatchObject([
    {
      verdict: 'bad',
      says: expect.stringMatching(/entry 3 .* does not match its checksum/) as string,
      advice: expect.stringMatching(/^Restore this server from its peers/) as string,
    },
  ]);
});

test('that cannot be read is wrong, and never throws', async () => {
  const directory = makeStore();
  await Bun.write(join(directory, 'conductor.db'), 'x'.repeat(9000));
  expect(await check(directory)).toEqual([expect.stringMatching(/^bad: .*conductor\.db cannot be/)]);
});
