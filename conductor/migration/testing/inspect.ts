/** What the tests of moving a store look at, before and after. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HardState } from '#conductor/core/raft/types';
import { openStore } from '#conductor/adapters/sqlite/store';

/** The server the tests' directories belong to. */
export const serverId = 'n1';

/** Every file under a directory with its content. */
export function contents(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name)).toString('hex')]),
  );
}

/** What our store in a directory holds. */
export function stored(directory: string): { indexes: number[]; snapshot: number | null; hardState: HardState | null } {
  const store = openStore({ directory, serverId });
  const { entries, snapshot, hardState } = store.load();
  store.close();
  return { indexes: entries.map(({ index }) => index), snapshot: snapshot?.index ?? null, hardState };
}
