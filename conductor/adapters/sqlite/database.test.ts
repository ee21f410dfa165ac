import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from 'bun:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase, pageBytes } from './database.ts';
import { openStore } from './store.ts';
import { crashServerId, crashWriterPath } from './testing/crash-writer.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { hardStateAt } from './testing/values.ts';

/** A closed store with one write in it; the path of its file. */
function writtenStore(directory: string): string {
  const store = openStore({ directory, serverId: 'n1' });
  store.load();
  store.write({ hardState: hardStateAt(3) });
  store.close();
  return join(directory, 'conductor.db');
}

function tamper(path: string, sql: string): void {
  const database = new Database(path);
  database.run(sql);
  database.close();
}

describe('openDatabase', () => {
  test('syncs fully, in WAL, with room bounded, and keeps the file to its owner', () => {
    const path = join(temporaryDirectory(), 'conductor.db');
    const database = openDatabase({ path, serverId: 'n1' });
    const pragma = (name: string): unknown => database.query(`PRAGMA ${name}`).values()[0]?.[0];
    const actual = ['journal_mode', 'synchronous', 'locking_mode', 'page_size', 'mmap_size', 'wal_autocheckpoint'].map(
      pragma,
    );
    database.close();
    expect(actual).toEqual(['wal', 2, 'exclusive', pageBytes, 0, 0]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('refuses the store of another server, and leaves it to its owner', () => {
    const directory = temporaryDirectory();
    writtenStore(directory);
    expect(() => openStore({ directory, serverId: 'n2' })).toThrow(
      expect.objectContaining({ code: 'identity', message: expect.stringMatching(/belongs to server "n1", not "n2"/) }),
    );
    const store = openStore({ directory, serverId: 'n1' });
    expect(store.load().hardState).toEqual(hardStateAt(3));
    store.close();
  });

  test('refuses a store written by a newer release without touching it', () => {
    const directory = temporaryDirectory();
    const path = writtenStore(directory);
    tamper(path, 'PRAGMA user_version = 3');
    const expected = expect.objectContaining({
      code: 'version',
      message: expect.stringMatching(/newer release \(format 3/),
    });
    expect(() => openStore({ directory, serverId: 'n1' })).toThrow(expected);
    tamper(path, 'PRAGMA user_version = 2');
    openStore({ directory, serverId: 'n1' }).close();
  });

  test('refuses a link to a store, whose log lies elsewhere, and takes a link to its directory', () => {
    const elsewhere = temporaryDirectory();
    const path = writtenStore(elsewhere);
    const directory = temporaryDirectory();
    symlinkSync(path, join(directory, 'conductor.db'));
    expect(() => openStore({ directory, serverId: 'n1' })).toThrow(
      expect.objectContaining({
        code: 'io',
        message: expect.stringMatching(/symbolic link.*link the whole directory/),
      }),
    );
    const linked = join(directory, 'linked');
    symlinkSync(elsewhere, linked);
    using store = openStore({ directory: linked, serverId: 'n1' });
    expect(store.load().hardState).toEqual(hardStateAt(3));
  });

  test('refuses a file that is a database of something else, or none', () => {
    const directory = temporaryDirectory();
    tamper(join(directory, 'conductor.db'), 'CREATE TABLE cookbook (recipe TEXT)');
    expect(() => openStore({ directory, serverId: 'n1' })).toThrow(
      expect.objectContaining({ code: 'corrupt', message: expect.stringMatching(/not a conductor's/) }),
    );
    const garbage = temporaryDirectory();
    writeFileSync(
      join(garbage, 'conductor.db'),
      'this is text, and long enough to be taken for a page header of something\n'.repeat(300),
    );
    expect(() => openStore({ directory: garbage, serverId: 'n1' })).toThrow(
      expect.objectContaining({ code: 'corrupt' }),
    );
  });

  test('a second process is refused within a second while the first lives, even idle; after SIGKILL the way is free', async () => {
    const directory = temporaryDirectory();
    const holder = spawn(process.execPath, [crashWriterPath, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    holder.kill('SIGSTOP');
    const started = performance.now();
    expect(() => openStore({ directory, serverId: crashServerId })).toThrow(
      expect.objectContaining({ code: 'locked', message: expect.stringMatching(/Stop the other conductor/) }),
    );
    expect(performance.now() - started).toBeLessThan(1000);
    const closed = once(holder, 'close');
    holder.kill('SIGKILL');
    await closed;
    const store = openStore({ directory, serverId: crashServerId });
    expect(store.load().hardState?.term).toBeGreaterThan(0);
    store.close();
  });

  test('a store that was only opened is locked too, also against this process', () => {
    const directory = temporaryDirectory();
    writtenStore(directory);
    const store = openStore({ directory, serverId: 'n1' });
    expect(() => openStore({ directory, serverId: 'n1' })).toThrow(expect.objectContaining({ code: 'locked' }));
    const reader = new Database(join(directory, 'conductor.db'));
    expect(() => reader.query('SELECT * FROM state').all()).toThrow('locked');
    reader.close();
    store.load();
    store.write({ hardState: hardStateAt(4) });
    store.close();
  });
});
